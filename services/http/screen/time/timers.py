"""`/c/{campaign}/timers`: the timers to come, those that failed, and those that fired lately."""

from typing import Annotated, Any, ClassVar

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Response

from domain.campaign.messages.timers import TimerFired
from domain.rejection import Missing, Rejection
from domain.sentences import Part, Sentence, say
from services.commands.due_command_retry import Retried, retry
from services.http.route_parameters import AtQuery
from services.http.screen.commands.command_list import Doing, doing_of
from services.http.screen.commands.play_table import offers_of, table_of
from services.http.screen.shared.campaign_page import CampaignPage, campaign_path, frame_of, watched_paths
from services.http.screen.shared.chronicle_lines import Line, OwnAction, happened_of, lines_of
from services.http.screen.shared.forms import read_form
from services.http.screen.shared.page_responses import own_path, see_other, show_page
from services.http.screen.shared.visitor import Visit, open_campaign
from services.http.screen.time.downtime import moment_told
from services.http.screen.time.timer_lines import ADVANCE, FAILED, Advance, TimerLine, TimerLines, refusal_of
from services.reading.chronicle import Filters, actions_page
from services.reading.timers import timer_views

PAGE = 50
LATELY = 8
SCHEDULE = "campaign.schedule_timer"
OVER = ("timer_not_failing", "timer_not_found")
"""Refusals of a retry that came too late: the failed timer has fired, or is gone."""

FromQuery = Annotated[int, QueryParameter(name="from", ge=0, le=2**53)]


class TimersPage(CampaignPage, frozen=True, kw_only=True):
    """Timers: those that failed, a page of those that are coming and paused, and those that fired lately."""

    template: ClassVar[str] = "timers.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "downtime"
    moment: Sentence | None
    happened: OwnAction | None
    has_failed: bool
    """The timer that was tried again failed again."""
    now: Sentence
    failed: list[TimerLine]
    coming: list[TimerLine]
    paused: list[TimerLine]
    lately: list[Line]
    earlier: str
    """The path of the page before."""
    later: str
    """The path of the page after."""
    schedule: Doing | None
    advances: list[Advance]
    refused: str

    @property
    def title(self) -> Part:
        """The page's title."""
        return say("Timers")


@get(watched_paths("/timers"))
async def timers_page(visit: NamedDependency[Visit], at: AtQuery = None, first: FromQuery = 0) -> Response[bytes]:
    """Every timer that the reader knows of, soonest first; `?from=` leaves out as many."""
    visible = await open_campaign(visit, at)
    table, here = table_of(visit.application, visible), f"{campaign_path(visible)}/timers"
    may_act = at is None and visible.state.archived_at is None and visible.role != "observer"
    board = await timer_views(visit.application, visible, at)
    offers = await offers_of(table) if may_act else {}
    refusal = refusal_of(offers[ADVANCE]) if ADVANCE in offers else ""
    lines = TimerLines(table, here, may_act=may_act)
    rest = [timer for timer in board if timer.state not in FAILED]
    part = rest[first : first + PAGE]
    path = f"{here}?" if at is None else f"{here}?at={visible.seq}&"
    filters = Filters(type=str(TimerFired.__struct_config__.tag))
    past = await actions_page(
        visit.application.log, visit.application.views, visible, 0, LATELY, filters, visible.seq + 1
    )
    page = TimersPage(
        **frame_of(visible),
        moment=moment_told(visible, at),
        happened=await happened_of(visit.application, visible, visit.request.query_params.get("done", "")),
        has_failed="failed" in visit.request.query_params,
        now=lines.now(),
        failed=[lines.line(timer) for timer in board if timer.state in FAILED],
        coming=[lines.line(timer) for timer in part if timer.state != "paused"],
        paused=[lines.line(timer) for timer in part if timer.state == "paused"],
        lately=await lines_of(visit.application, visible, past) if first == 0 else [],
        earlier=f"{path}from={max(0, first - PAGE)}" if first else "",
        later=f"{path}from={first + PAGE}" if len(rest) > first + PAGE else "",
        schedule=doing_of(offers[SCHEDULE], table.ways(here)) if _may_schedule(offers) else None,
        advances=lines.advances(board) if visible.role == "gm" and may_act and not refusal else [],
        refused=refusal if visible.role == "gm" else "",
    )
    return show_page(visit, page)


@post("/c/{campaign:str}/timers/{timer:str}/retry")
async def retry_timer(visit: NamedDependency[Visit], timer: FromPath[str]) -> Response[bytes]:
    """Have something that failed tried again; a second time it is as the page that follows shows it."""
    account, within = visit.signed_in.account_id, f"/c/{visit.campaign_id}"
    back = own_path((await read_form(visit.request)).value("next"), within=within, otherwise=f"{within}/timers")
    try:
        tried = await retry(visit.application, account, visit.campaign_id, timer)
    except (Missing, Rejection) as refusal:
        if refusal.code not in OVER:
            raise
        tried = Retried(happened=True)
    return see_other(back if tried.happened else f"{back}?failed=yes")


def _may_schedule(offers: dict[str, Any]) -> bool:
    return SCHEDULE in offers and offers[SCHEDULE].possible != "no"
