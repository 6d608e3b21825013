"""`…/timers` and `…/calendar`: the timers, and the date in the campaign."""

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec import Struct

from domain.campaign.calendar_shapes import CalendarShape, Date
from domain.campaign.settings import OWN, settings_of
from projections.campaign.calendar_month import CalendarMonth
from projections.campaign.dates import date_in
from projections.campaign.downtime import DowntimeView
from projections.campaign.timers import TimerView
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.due_command_retry import Retried, retry
from services.http.api.caller import CampaignCaller
from services.http.api.openapi_roles import GMS, MEMBERS
from services.http.route_parameters import AfterQuery, AtQuery, BeforeQuery, LimitQuery, MonthQuery, YearQuery
from services.reading.calendar_month import month_of
from services.reading.names_in_answers import with_names
from services.reading.parameters import LIMIT_DEFAULT, require_one_direction
from services.reading.past_downtime import downtime_with_past
from services.reading.timers import timer_views

COMING_MAX = 20


class TimersPage(Struct, frozen=True):
    """Timers, soonest first, or with `before` latest first; `after` and `before` count the board's lines.

    `next_after`, or with `before` `next_before`, goes into the next request; null where the board ends there.
    """

    as_of: int
    timers: list[TimerView]
    next_after: int | None
    next_before: int | None
    names: dict[str, str] = {}


class CalendarView(Struct, frozen=True):
    """The date in the campaign (`game_time` in seconds since it began), and what is coming."""

    as_of: int
    game_time: int
    now: Date
    calendar: CalendarShape
    downtime: str | None
    coming: list[TimerView]
    names: dict[str, str] = {}


class TimersController(Controller):
    """Timers and the calendar."""

    path = "/api/campaigns/{campaign_id:str}"
    tags = ("time",)

    @get("/timers", summary="The board of timers", operation_class=MEMBERS)
    async def timers(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        after: AfterQuery = None,
        before: BeforeQuery = None,
        limit: LimitQuery = LIMIT_DEFAULT,
        at: AtQuery = None,
    ) -> TimersPage:
        """The timers: their times, owners and effects, and those that failed, with the reason."""
        require_one_direction(after, before)
        board = await timer_views(application, visible, at)
        if before is not None:
            last = max(0, min(before - 1, len(board)))
            first = max(0, last - limit)
            page = TimersPage(visible.seq, board[first:last][::-1], None, first + 1 if first else None)
            return with_names(page, visible)
        last = (after or 0) + limit
        page = TimersPage(visible.seq, board[after or 0 : last], last if last < len(board) else None, None)
        return with_names(page, visible)

    @post("/timers/{timer_id:str}/retry", summary="Try again what failed", operation_class=GMS)
    async def retry(self, asker: NamedDependency[CampaignCaller], timer_id: FromPath[str]) -> Retried:
        """Retry a failed or parked command now, after its obstacle was removed."""
        return await retry(asker.application, asker.account, asker.campaign_id, timer_id)

    @get("/calendar", summary="The calendar", operation_class=MEMBERS)
    async def calendar(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        at: AtQuery = None,
    ) -> CalendarView:
        """The date in the campaign, and what is coming on the calendar."""
        shape = settings_of(OWN, visible.state.changed_settings).calendar
        coming = [
            timer
            for timer in await timer_views(application, visible, at)
            if timer.clock == "game" and timer.date is not None
        ]
        view = CalendarView(
            as_of=visible.seq,
            game_time=visible.state.game_time,
            now=date_in(visible.language, visible.state.game_time, shape),
            calendar=shape,
            downtime=visible.state.downtime,
            coming=coming[:COMING_MAX],
        )
        return with_names(view, visible)

    @get("/calendar/month", summary="A month of the calendar", operation_class=MEMBERS)
    async def month(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        year: YearQuery = None,
        month: MonthQuery = None,
        at: AtQuery = None,
    ) -> CalendarMonth:
        """The days of a month, with play sessions, downtime, timers and moons. Refuses `date_impossible`.

        Festivals of a few days come with the month before them.
        """
        return with_names(await month_of(application, visible, at, year, month), visible)

    @get("/downtime", summary="Downtime", operation_class=MEMBERS)
    async def downtime(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
    ) -> DowntimeView:
        """The activities of the time between adventures, their progress, and what was done before."""
        return with_names(await downtime_with_past(application.log, application.views, visible), visible)
