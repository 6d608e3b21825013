"""`/c/{campaign}/dice`: where the service's dice come from, epoch by epoch, and words that members add."""

from hashlib import sha256
from typing import Any, ClassVar

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from msgspec import Struct

from domain.campaign.commands import AddDiceWords
from domain.campaign.request import ActRequest
from domain.sentences import Sentence, say
from projections.campaign.dice import DiceView, EpochView
from services.api.actions import checked_key
from services.api.integrity import dice_of
from services.application import Application
from services.commands.submit import submit_command
from services.queries.campaign_reader import VisibleCampaign
from services.web.answers import REFUSED, see_other, shown
from services.web.campaign_page import CampaignPage, campaign_path, frame_of, read_paths, seen_by
from services.web.forms import Form, entered
from services.web.refusals import REFUSALS, told_refusal
from services.web.visitor import Visitor

ENDED = {
    None: say("open"),
    "asked": say("ended"),
    "used_up": say("used up"),
    "restored": say("ended by a restored backup"),
}


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
    """The seeds of a campaign, the newest epoch first; `may_add` words: the reader may act here."""

    template: ClassVar[str] = "dice_seeds.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "home"
    view: DiceView
    epochs: list[EpochShown]
    waiting: list[WaitingDie]
    may_add: bool
    key: str
    form: Form

    @property
    def title(self) -> Sentence:
        """What is asked here."""
        return say("Can I trust the dice?")

    @property
    def can_reveal(self) -> bool:
        """Whether the seed of hidden dice of some epoch can be published."""
        return any(each.known.ended is not None and each.known.hidden_seed is None for each in self.epochs)


@get(read_paths("/dice"))
async def dice_page(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """Fingerprints, seeds that are public, and dice that come back."""
    seen = await seen_by(application, visitor, campaign)
    return shown(request, visitor, await _page(application, seen, Form()))


@post("/c/{campaign:str}/dice/words")
async def add_words(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """Add the SHA-256 of a text to all later dice of the epoch."""
    seen, form = await seen_by(application, visitor, campaign), await entered(request)
    words = form.value("words")
    if not words.strip():
        form = form.refused("words", say("Write anything at all: only its SHA-256 is kept."))
        return shown(request, visitor, await _page(application, seen, form), REFUSED)
    try:
        await application.rates.act(seen.campaign_id, seen.account)
        wish = ActRequest(command=AddDiceWords(digest=sha256(words.encode()).hexdigest()))
        key = checked_key(form.value("key") or None)
        await submit_command(application, seen.campaign_id, seen.account, wish, key=key)
    except REFUSALS as refusal:
        form = form.refused("", told_refusal(refusal))
        return shown(request, visitor, await _page(application, seen, form), REFUSED)
    return see_other(f"{campaign_path(seen)}/dice")


async def _page(application: Application, seen: VisibleCampaign, form: Form) -> DicePage:
    view = await dice_of(application, seen)
    return DicePage(
        **frame_of(seen),
        view=view,
        epochs=[
            EpochShown(each, ENDED[each.ended], is_lost=each.ended is not None and each.seed is None)
            for each in view.epochs
        ],
        waiting=[
            WaitingDie(each.sides, each.natural, "" if each.rolled_by is None else seen.name(each.rolled_by))
            for each in view.waiting
        ],
        may_add=seen.state.archived_at is None and bool(view.epochs),
        key=f"page-{seen.seq}-dice-words",
        form=form,
    )
