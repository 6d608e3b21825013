"""`/c/{campaign}/dice`: where the service's dice come from, epoch by epoch, and words that members add."""

from hashlib import sha256
from typing import ClassVar

from litestar import get, post
from litestar.di import NamedDependency
from litestar.response import Response
from msgspec import Struct

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import AddDiceWords, ProveHiddenRoll
from domain.sentences import Sentence, say
from projections.campaign.dice import DiceView, EpochView
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.submit import submit_command
from services.http.route_parameters import checked_key
from services.http.screen.commands.command_list import Doing, doing_of
from services.http.screen.commands.play_table import PlayTable, offers_of, table_of
from services.http.screen.shared.campaign_page import (
    CampaignPage,
    campaign_path,
    frame_of,
    watched_paths,
)
from services.http.screen.shared.forms import Form, read_form
from services.http.screen.shared.page_responses import REFUSED, see_other, show_page
from services.http.screen.shared.refusals import REFUSALS, told_refusal
from services.http.screen.shared.visitor import Visit, open_campaign
from services.integrity.proofs import dice_of

ENDED = {
    None: say("open"),
    "asked": say("ended"),
    "used_up": say("used up"),
    "restored": say("ended by a restored backup"),
}


PROVE = str(ProveHiddenRoll.__struct_config__.tag)


class EpochShown(Struct, frozen=True):
    """An epoch with what became of it; `is_lost`: it has ended, and its seed was never published."""

    known: EpochView
    state: Sentence
    is_lost: bool


class WaitingDie(Struct, frozen=True):
    """A die that comes back to whom it fell for: empty for the campaign itself."""

    sides: int
    face: int
    name: str


class DicePage(CampaignPage, frozen=True):
    """The seeds of a campaign, the newest epoch first; `may_add` words: the reader may act here.

    `prove` leads to the form that proves a hidden roll, if the reader can.
    """

    template: ClassVar[str] = "dice_seeds.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "home"
    view: DiceView
    epochs: list[EpochShown]
    waiting: list[WaitingDie]
    may_add: bool
    prove: Doing | None
    key: str
    form: Form

    @property
    def title(self) -> Sentence:
        """The page's title."""
        return say("Can I trust the dice?")

    @property
    def can_reveal(self) -> bool:
        """Whether the seed of hidden dice of some epoch can be published."""
        return any(epoch.known.ended is not None and epoch.known.hidden_seed is None for epoch in self.epochs)


@get(watched_paths("/dice"))
async def dice_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Fingerprints, seeds that are public, and dice that come back."""
    visible = await open_campaign(visit)
    return show_page(visit, await _page(visit.application, visible, Form()))


@post("/c/{campaign:str}/dice/words")
async def add_words(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Add the SHA-256 of a text to all later dice of the epoch."""
    visible, form = await open_campaign(visit), await read_form(visit.request)
    words = form.value("words")
    if not words.strip():
        form = form.with_fault("words", say("Write anything at all: only its SHA-256 is kept."))
        return show_page(visit, await _page(visit.application, visible, form), REFUSED)
    try:
        await visit.application.rates.act(visible.campaign_id, visible.account)
        wish = ActRequest(command=AddDiceWords(digest=sha256(words.encode()).hexdigest()))
        key = checked_key(form.value("key") or None)
        await submit_command(visit.application, visible.campaign_id, visible.account, wish, key=key)
    except REFUSALS as refusal:
        form = form.with_fault("", told_refusal(refusal))
        return show_page(visit, await _page(visit.application, visible, form), REFUSED)
    return see_other(f"{campaign_path(visible)}/dice")


async def _page(application: Application, campaign: VisibleCampaign, form: Form) -> DicePage:
    view = await dice_of(application, campaign)
    may_add = campaign.state.archived_at is None and bool(view.epochs) and not campaign.watching_code
    return DicePage(
        **frame_of(campaign),
        view=view,
        epochs=[
            EpochShown(epoch, ENDED[epoch.ended], is_lost=epoch.ended is not None and epoch.seed is None)
            for epoch in view.epochs
        ],
        waiting=[
            WaitingDie(die.sides, die.natural, "" if die.rolled_by is None else campaign.name(die.rolled_by))
            for die in view.waiting
        ],
        may_add=may_add,
        prove=await _way_to_prove(table_of(application, campaign)) if may_add else None,
        key=str(application.entropy.new_id()),
        form=form,
    )


async def _way_to_prove(table: PlayTable) -> Doing | None:
    """The form in which a hidden roll is proved; None: there is none to prove."""
    offer = (await offers_of(table)).get(PROVE)
    return None if offer is None or offer.possible == "no" else doing_of(offer, table.ways(f"{table.path}/dice"))
