"""`…/timers` and `…/calendar`: what will happen by itself, and the date in the campaign."""

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec import Struct

from domain.campaign.dates import CalendarShape, Date
from domain.campaign.lifecycle.archive import require_open
from domain.campaign.schedule import OwedKey, id_of, key_of, owed
from domain.campaign.settings import OWN, settings_of
from domain.ids import AccountId
from domain.rejection import Forbidden, Missing, Rejection
from domain.sentences import say
from projections.campaign.dates import date_in
from projections.campaign.downtime import DowntimeView
from projections.campaign.timers import TimerView, timer_board
from services.accounts.authentication import Principal
from services.api.openapi_roles import GMS, MEMBERS
from services.api.paths import (
    LIMIT_DEFAULT,
    AfterQuery,
    AtQuery,
    BeforeQuery,
    LimitQuery,
    campaign_of,
    require_one_direction,
)
from services.application import Application
from services.queries.campaign_reader import VisibleCampaign
from services.queries.names_in_answers import named
from services.queries.past_downtime import downtime_with_past

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


class Retried(Struct, frozen=True):
    """Whether the command ran this time; if not, the board says why, and it is retried automatically."""

    happened: bool


class TimersController(Controller):
    """Timers and the calendar."""

    path = "/api/campaigns/{campaign_id:str}"
    tags = ("time",)

    @get("/timers", summary="The board of timers", operation_class=MEMBERS)
    async def timers(
        self,
        application: NamedDependency[Application],
        seen: NamedDependency[VisibleCampaign],
        after: AfterQuery = None,
        before: BeforeQuery = None,
        limit: LimitQuery = LIMIT_DEFAULT,
        at: AtQuery = None,
    ) -> TimersPage:
        """What will happen by itself: when, whose, what it will do, and what could not happen and why."""
        require_one_direction(after, before)
        board = await timer_views(application, seen, at)
        if before is not None:
            last = max(0, min(before - 1, len(board)))
            first = max(0, last - limit)
            page = TimersPage(seen.seq, board[first:last][::-1], None, first + 1 if first else None)
            return named(page, seen)
        last = (after or 0) + limit
        page = TimersPage(seen.seq, board[after or 0 : last], last if last < len(board) else None, None)
        return named(page, seen)

    @post("/timers/{timer_id:str}/retry", summary="Try again what failed", operation_class=GMS)
    async def retry(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        timer_id: FromPath[str],
    ) -> Retried:
        """Retry a failed or parked command now, after its obstacle was removed."""
        return await retry(application, principal.account_id, campaign_id, timer_id)

    @get("/calendar", summary="The calendar", operation_class=MEMBERS)
    async def calendar(
        self,
        application: NamedDependency[Application],
        seen: NamedDependency[VisibleCampaign],
        at: AtQuery = None,
    ) -> CalendarView:
        """The date in the campaign, and what is coming on the calendar."""
        shape = settings_of(OWN, seen.state.changed_settings).calendar
        coming = [
            timer
            for timer in await timer_views(application, seen, at)
            if timer.clock == "game" and timer.date is not None
        ]
        view = CalendarView(
            as_of=seen.seq,
            game_time=seen.state.game_time,
            now=date_in(seen.language, seen.state.game_time, shape),
            calendar=shape,
            downtime=seen.state.downtime,
            coming=coming[:COMING_MAX],
        )
        return named(view, seen)

    @get("/downtime", summary="Downtime", operation_class=MEMBERS)
    async def downtime(
        self,
        application: NamedDependency[Application],
        seen: NamedDependency[VisibleCampaign],
    ) -> DowntimeView:
        """The activities of the time between adventures, their progress, and what was done before."""
        return named(await downtime_with_past(application.log, application.views, seen), seen)


async def timer_views(application: Application, seen: VisibleCampaign, at: str | None) -> list[TimerView]:
    """The timer board. Failures are known of now only: of the past, the log knows what was scheduled.

    They are for GMs: the obstacle may be hidden from others.
    """
    kept = {}
    if at is None and seen.audience.gm:
        kept = {
            (each.timer.cause, each.timer.subject): each for each in await application.timers.of(seen.campaign_id)
        }
    return timer_board(seen.state, kept, seen.name, seen.language)


async def retry(application: Application, account: AccountId, campaign_id: str, timer_id: str) -> Retried:
    """Try again what failed. Refuses `gm_only`, `timer_not_found` and `timer_not_failing`."""
    seen = await application.campaigns.see(campaign_of(campaign_id), account)
    if seen.role != "gm":
        raise Forbidden("gm_only", seen.told(say("Only a GM may have a timer tried again.")))
    with seen.refusing():
        require_open(seen.state)
    key = _key(seen, timer_id)
    if not await application.timers.retry(seen.campaign_id, *key):
        fine = say("That timer has not failed; it happens at its moment.")
        raise Rejection("timer_not_failing", seen.told(fine))
    return Retried(await application.handler.run_due(seen.campaign_id, await application.log.now(), [key]) > 0)


def _key(seen: VisibleCampaign, timer_id: str) -> OwedKey:
    """The key of the due command with this id. Raises `timer_not_found`."""
    for each in owed(seen.state):
        if str(id_of(key_of(each))) == timer_id:
            return key_of(each)
    nothing = say("Nothing like that is coming up in this campaign.")
    raise Missing("timer_not_found", seen.told(nothing))
