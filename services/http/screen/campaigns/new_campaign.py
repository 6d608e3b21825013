"""`/found`: a new campaign."""

from typing import ClassVar

from litestar import get, post
from litestar.di import NamedDependency
from litestar.response import Response

from domain.campaign.commands import CreateCampaign
from domain.campaign.settings import LANGUAGE
from domain.ids import SystemId
from domain.personal_text import Name
from domain.sentences import ENGLISH, Language, Sentence, say
from services.http.screen.shared.forms import Form, FormStruct, Unfit, read_form
from services.http.screen.shared.page_responses import REFUSED, Page, see_other, show_page
from services.http.screen.shared.refusals import REFUSALS, told_refusal
from services.http.screen.shared.systems import Game, games
from services.http.screen.shared.visitor import Visit
from services.lifecycle.membership import create_campaign
from services.runtime.reader_language import reader_language


class FoundPage(Page, frozen=True):
    """The form that founds a campaign."""

    template: ClassVar[str] = "found.html"
    form: Form
    games: list[Game]

    @property
    def title(self) -> Sentence:
        """The page's title."""
        return say("Found a campaign")


class CampaignForm(FormStruct, frozen=True):
    """A campaign as it is wanted; `key` makes sending the form twice harmless."""

    name: Name
    language: Language = ENGLISH
    key: str = ""

    @classmethod
    def faults(cls) -> dict[str, Sentence]:
        """The fault in a name."""
        return {"name": say("A campaign needs a name, of at most 80 characters.")}


@get("/found")
async def found_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """The form, empty."""
    _ = visit.signed_in
    fresh = Form({"language": [reader_language() or ENGLISH], "key": [str(visit.application.entropy.new_id())]})
    return show_page(visit, FoundPage(fresh, games()))


@post("/found")
async def create(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Create the campaign, and go there."""
    account = visit.signed_in.account_id
    form = await read_form(visit.request)
    try:
        fields, systems = _parse_form(form)
        command = CreateCampaign(name=fields.name, systems=systems, settings={LANGUAGE: fields.language})
        campaign = await create_campaign(visit.application.for_campaigns, account, command, fields.key or None)
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        form = form.with_fault("", told_refusal(refusal))
    else:
        return see_other(f"/c/{campaign}")
    return show_page(visit, FoundPage(form, games()), REFUSED)


def _parse_form(form: Form) -> tuple[CampaignForm, list[SystemId]]:
    """The entered campaign, and the chosen systems. Raises `Unfit`."""
    systems = [game.system for game in games() if form.holds("systems", game.system)]
    if not systems:
        form = form.with_fault("systems", say("Choose at least one game."))
    return CampaignForm.parse(form), systems
