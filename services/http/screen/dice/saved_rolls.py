"""`/c/{campaign}/dice/saved`: the dice that the reader keeps by name, to be changed one by one."""

from typing import ClassVar

from litestar import get, post
from litestar.di import NamedDependency
from litestar.response import Response
from msgspec import Struct

from domain.campaign.play.saved_rolls import RollName, SavedRoll
from domain.dice.notation import LENGTH_MAX
from domain.personal_text import NAME_MAX
from domain.sentences import Sentence, say
from services.accounts.saved_rolls import delete_roll, save_roll, saved_rolls
from services.campaign.visible_campaign import VisibleCampaign
from services.http.screen.shared.campaign_page import CampaignPage, campaign_path, frame_of
from services.http.screen.shared.forms import Form, FormStruct, Unfit, read_form
from services.http.screen.shared.page_responses import REFUSED, see_other, show_page
from services.http.screen.shared.refusals import REFUSALS, told_refusal
from services.http.screen.shared.visitor import Visit, open_campaign

DELETE = "delete"


class SavedRollForm(FormStruct, frozen=True):
    """The dice of a form; `was` is the name by which they are kept, empty for new ones."""

    name: RollName
    notation: str
    was: str = ""

    @classmethod
    def faults(cls) -> dict[str, Sentence]:
        """The fault in a field that cannot be taken."""
        return {"name": say("A name has 1 to {most} characters.", most=NAME_MAX)}


class RollRow(Struct, frozen=True):
    """A form of the page: for dice that are kept, or, `was` empty, for new ones."""

    was: str
    form: Form


class SavedRollsPage(CampaignPage, frozen=True):
    """The reader's saved dice, and a form for others."""

    template: ClassVar[str] = "saved_rolls.html"
    section: ClassVar[str] = "table"
    rows: list[RollRow]
    name_max: int = NAME_MAX
    notation_max: int = LENGTH_MAX

    @property
    def title(self) -> Sentence:
        """The page's title."""
        return say("Saved rolls")


@get("/c/{campaign:str}/dice/saved")
async def saved_rolls_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """The reader's own dice."""
    visible = await open_campaign(visit)
    return show_page(visit, await _page(visit, visible, "", Form()))


@post("/c/{campaign:str}/dice/saved")
async def change_saved_roll(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Save, rename or delete dice; an entry with a fault stays in its form, with the reason."""
    visible, form = await open_campaign(visit), await read_form(visit.request)
    store, was = visit.application.saved_rolls, form.value("was")
    try:
        await visit.application.rates.act(visible.campaign_id, visible.account)
        if form.value("do") == DELETE:
            await delete_roll(store, visible, was)
        else:
            entry = SavedRollForm.parse(form)
            await save_roll(store, visible, entry.name, entry.notation, was=entry.was or None)
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        code = getattr(refusal, "code", "")
        field = "notation" if code.startswith("notation_") else "name" if code.startswith("saved_roll_") else ""
        form = form.with_fault(field, told_refusal(refusal))
    else:
        return see_other(f"{campaign_path(visible)}/dice/saved")
    return show_page(visit, await _page(visit, visible, was, form), REFUSED)


async def _page(visit: Visit, visible: VisibleCampaign, was: str, sent: Form) -> SavedRollsPage:
    """The page, with the form that was sent in the place of its dice, or of new ones."""
    rolls = await saved_rolls(visit.application.saved_rolls, visible)
    rows = [RollRow(roll.name, sent if roll.name == was else _form_of(roll)) for roll in rolls]
    is_new = all(roll.name != was for roll in rolls)
    return SavedRollsPage(**frame_of(visible), rows=[*rows, RollRow("", sent if is_new else Form())])


def _form_of(roll: SavedRoll) -> Form:
    return Form({"name": [roll.name], "notation": [roll.notation]})
