"""`/c/{campaign}/verify`: the whole log checked on this host, and all that is needed to check it elsewhere."""

import asyncio
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from litestar import get
from litestar.di import NamedDependency
from litestar.response import Response
from msgspec import Struct

from domain.campaign.dice.audit import DiceFault, Fault
from domain.sentences import Sentence, say
from services.campaign.visible_campaign import VisibleCampaign
from services.http.middleware.time_limit import takes_long
from services.http.progress_stream import progress_stream, wants_progress
from services.http.screen.shared.campaign_page import CampaignPage, frame_of, read_paths
from services.http.screen.shared.chronicle_lines import action_path
from services.http.screen.shared.page_responses import show_page
from services.http.screen.shared.visitor import Visit, open_campaign
from services.integrity.checkpoints import Checkpoint
from services.integrity.proofs import LogVerified, checkpoint_of, log_verified
from services.reading.live_feed import Feeds
from services.runtime.event_loop_cost import charged
from services.runtime.progress import SearchProgress

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
    """The fault in a die or a seed, and the action where it shows."""

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
        """The page's title."""
        return say("Check the whole log")


@get(read_paths("/verify"), guards=[takes_long])
async def verification(visit: NamedDependency[Visit], feeds: NamedDependency[Feeds]) -> Response[Any]:
    """How the log is checked; with `?run=yes` it is, and the page says how far it is or what was found."""
    visible = await open_campaign(visit)
    head = await checkpoint_of(visit.application, visit.application.signer, visible)
    if "run" not in visit.request.query_params:
        return show_page(visit, _page(visible, head, None))

    async def work(progress: SearchProgress) -> Response[Any]:
        report = await log_verified(visit.application, visible, progress)
        return Response(show_page(visit, _page(visible, head, report)).content.decode())

    if wants_progress(visit.request):
        return progress_stream(visit.request, work, feeds.pace.progress_seconds)
    checking = asyncio.ensure_future(charged(log_verified(visit.application, visible)))
    try:
        patience = None if "wait" in visit.request.query_params else PATIENCE_SECONDS
        await asyncio.wait({checking}, timeout=patience)
        report = checking.result() if checking.done() else None
        return show_page(visit, _page(visible, head, report, is_searching=report is None))
    finally:
        checking.cancel()


def _page(
    campaign: VisibleCampaign, head: Checkpoint, report: LogVerified | None, *, is_searching: bool = False
) -> VerificationPage:
    frame = frame_of(campaign)
    return VerificationPage(
        **frame,
        here=f"{frame['path']}/verify",
        campaign_file=f"/api/campaigns/{campaign.campaign_id}",
        head=head,
        found=report,
        faults=[] if report is None else [_show_fault(campaign, fault) for fault in report.dice.faults],
        is_searching=is_searching,
    )


def _show_fault(campaign: VisibleCampaign, fault: DiceFault) -> FaultShown:
    return FaultShown(FAULTS[fault.fault], fault.seq, action_path(campaign, fault.seq))
