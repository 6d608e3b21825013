"""`/c/{campaign}/timers`: what happens by itself, what could not, and what did lately."""

from typing import Annotated, Any, ClassVar

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Response

from domain.campaign.messages.timers import TimerFired
from domain.rejection import Missing, Rejection
from domain.sentences import Part, Sentence, say
from services.api.paths import AtQuery, campaign_of
from services.api.timers import Retried, retry, timer_views
from services.application import Application
from services.pages.downtime import moment_told, seen_at
from services.queries.chronicle import Filters, actions_page
from services.web.answers import own_path, see_other, shown
from services.web.campaign_page import CampaignPage, campaign_path, frame_of, read_paths
from services.web.chronicle_lines import Line, line_of, lines_of
from services.web.command_list import Doing, doing_of
from services.web.forms import entered
from services.web.play_table import offers_of, table_of
from services.web.timer_lines import ADVANCE, FAILED, Advance, TimerLine, TimerLines, refusal_of
from services.web.visitor import Visitor

PAGE = 50
LATELY = 8
SCHEDULE = "campaign.schedule_timer"
OVER = ("timer_not_failing", "timer_not_found")
"""Refusals of a retry that came too late: what failed has happened, or is gone."""

FromQuery = Annotated[int, QueryParameter(name="from", ge=0, le=2**53)]


class TimersPage(CampaignPage, frozen=True, kw_only=True):
    """Timers: those that failed, a page of those that are coming and paused, and what happened lately.

    `earlier` and `later` are the paths of the pages beside it. `has_failed`: what was tried again failed again.
    """

    template: ClassVar[str] = "timers.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "downtime"
    moment: Sentence | None
    happened: Line | None
    has_failed: bool
    now: Sentence
    failed: list[TimerLine]
    coming: list[TimerLine]
    paused: list[TimerLine]
    lately: list[Line]
    earlier: str
    later: str
    schedule: Doing | None
    advances: list[Advance]
    refused: str

    @property
    def title(self) -> Part:
        """What the page is called."""
        return say("Timers")


@get(read_paths("/timers"))
async def timers_page(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    at: AtQuery = None,
    first: FromQuery = 0,
) -> Response[bytes]:
    """Every timer that the reader knows of, soonest first; `?from=` leaves out as many."""
    seen = await seen_at(application, visitor, campaign, at)
    table, here = table_of(application, seen), f"{campaign_path(seen)}/timers"
    may_act = at is None and seen.state.archived_at is None and seen.role != "observer"
    board = await timer_views(application, seen, at)
    offers = await offers_of(table) if may_act else {}
    refused = refusal_of(offers[ADVANCE]) if ADVANCE in offers else ""
    lines = TimerLines(table, here, may_act=may_act)
    rest = [each for each in board if each.state not in FAILED]
    part = rest[first : first + PAGE]
    path = f"{here}?" if at is None else f"{here}?at={seen.seq}&"
    wanted = Filters(type=str(TimerFired.__struct_config__.tag))
    past = await actions_page(application.log, application.views, seen, 0, LATELY, wanted, seen.seq + 1)
    page = TimersPage(
        **frame_of(seen),
        moment=moment_told(seen, at),
        happened=await line_of(application, seen, request.query_params.get("done", "")),
        has_failed="failed" in request.query_params,
        now=lines.now(),
        failed=[lines.line(each) for each in board if each.state in FAILED],
        coming=[lines.line(each) for each in part if each.state != "paused"],
        paused=[lines.line(each) for each in part if each.state == "paused"],
        lately=await lines_of(application, seen, past) if first == 0 else [],
        earlier=f"{path}from={max(0, first - PAGE)}" if first else "",
        later=f"{path}from={first + PAGE}" if len(rest) > first + PAGE else "",
        schedule=doing_of(offers[SCHEDULE], table.ways(here)) if _may_schedule(offers) else None,
        advances=lines.advances(board) if seen.role == "gm" and may_act and not refused else [],
        refused=refused if seen.role == "gm" else "",
    )
    return shown(request, visitor, page)


@post("/c/{campaign:str}/timers/{timer:str}/retry")
async def retry_timer(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    timer: FromPath[str],
) -> Response[bytes]:
    """Have something that failed tried again; a second time it is as the page that follows shows it."""
    within = f"/c/{campaign_of(campaign)}"
    back = own_path((await entered(request)).value("next"), within=within, otherwise=f"{within}/timers")
    try:
        tried = await retry(application, visitor.signed_in.account_id, campaign, timer)
    except (Missing, Rejection) as refusal:
        if refusal.code not in OVER:
            raise
        tried = Retried(happened=True)
    return see_other(back if tried.happened else f"{back}?failed=yes")


def _may_schedule(offers: dict[str, Any]) -> bool:
    return SCHEDULE in offers and offers[SCHEDULE].possible != "no"
