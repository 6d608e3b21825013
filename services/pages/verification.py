"""`/c/{campaign}/verify`: the whole log checked on this host, and all that is needed to check it elsewhere."""

import asyncio
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from litestar import Request, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from msgspec import Struct

from domain.campaign.dice.audit import DiceFault, Fault
from domain.sentences import Sentence, say
from services.api.integrity import LogVerified, checkpoint_of, log_verified
from services.api.progress_stream import progress_stream, wants_progress
from services.api.time_limit import takes_long
from services.application import Application
from services.commands.undo import SearchProgress
from services.integrity.checkpoints import Checkpoint
from services.queries.campaign_reader import VisibleCampaign
from services.queries.live_feed import Feeds
from services.web.answers import shown
from services.web.campaign_page import CampaignPage, frame_of, read_paths, seen_by
from services.web.chronicle_lines import action_path
from services.web.visitor import Visitor

PATIENCE_SECONDS = 1.0
"""How long a page is waited for before it says how far the check is."""
FAULTS: Final[Mapping[Fault, Sentence]] = {
    "wrong_face": say("A die shows another face than its seed gives."),
    "wrong_seed": say("A published seed is not the one that was committed to."),
    "wrong_words": say("A die fell after other words of members than it says."),
    "no_such_epoch": say("A die claims seeds that nobody committed to before."),
    "late_die": say("A die fell when its seed was public already."),
    "repeated_die": say("A die counts twice."),
    "skipped_die": say("A die was drawn and is nowhere."),
    "unreadable": say("What stands here about dice cannot be read."),
}


class FaultShown(Struct, frozen=True):
    """What is wrong with a die or a seed, and the action where it shows."""

    told: Sentence
    seq: int
    path: str


class VerificationPage(CampaignPage, frozen=True):
    """The head of the log as of `head`; `found` is None while nothing was asked for, or it is still looked for."""

    template: ClassVar[str] = "verification.html"
    section: ClassVar[str] = "home"
    here: str
    campaign_file: str
    head: Checkpoint
    found: LogVerified | None
    faults: list[FaultShown]
    is_searching: bool

    @property
    def title(self) -> Sentence:
        """What is done here."""
        return say("Check the whole log")


@get(read_paths("/verify"), guards=[takes_long])
async def verification(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    feeds: NamedDependency[Feeds],
    campaign: FromPath[str],
) -> Response[Any]:
    """How the log is checked; with `?run=yes` it is, and the page says how far it is or what was found."""
    seen = await seen_by(application, visitor, campaign)
    head = await checkpoint_of(application, seen)
    if "run" not in request.query_params:
        return shown(request, visitor, _page(seen, head, None))

    async def work(progress: SearchProgress) -> Response[Any]:
        found = await log_verified(application, seen, progress)
        return Response(shown(request, visitor, _page(seen, head, found)).content.decode())

    if wants_progress(request):
        return progress_stream(request, work, feeds.pace.progress_seconds)
    checking = asyncio.ensure_future(log_verified(application, seen))
    try:
        patience = None if "wait" in request.query_params else PATIENCE_SECONDS
        await asyncio.wait({checking}, timeout=patience)
        found = checking.result() if checking.done() else None
        return shown(request, visitor, _page(seen, head, found, is_searching=found is None))
    finally:
        checking.cancel()


def _page(
    seen: VisibleCampaign, head: Checkpoint, found: LogVerified | None, *, is_searching: bool = False
) -> VerificationPage:
    frame = frame_of(seen)
    return VerificationPage(
        **frame,
        here=f"{frame['path']}/verify",
        campaign_file=f"/api/campaigns/{seen.campaign_id}",
        head=head,
        found=found,
        faults=[] if found is None else [_shown(seen, each) for each in found.dice.faults],
        is_searching=is_searching,
    )


def _shown(seen: VisibleCampaign, fault: DiceFault) -> FaultShown:
    return FaultShown(FAULTS[fault.fault], fault.seq, action_path(seen, fault.seq))
