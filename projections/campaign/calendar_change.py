"""A change of the campaign's calendar before it is made: today, and every open timer, before and after."""

from collections.abc import Iterable

from msgspec import Struct, structs

from domain.campaign.calendar.timers import due_by
from domain.campaign.calendar_shapes import CalendarShape, Date, as_json
from domain.campaign.settings import CALENDAR, OWN, settings_of
from domain.campaign.state import CampaignState
from projections.campaign.dates import date_in
from projections.campaign.timers import TimerView


class BeforeAndAfter(Struct, frozen=True):
    """The date of a moment by the calendar that stands, and by another one."""

    before: Date
    after: Date


class TimerThen(Struct, frozen=True):
    """The date of a timer, before and after."""

    id: str
    title: str
    before: Date
    after: Date


class CalendarChange(Struct, frozen=True):
    """Today and the open timers, before and after, and the `calendar` to be set for it. Nothing is set."""

    as_of: int
    calendar: CalendarShape
    now: BeforeAndAfter
    timers: list[TimerThen]
    names: dict[str, str] = {}


def change_of(
    state: CampaignState, as_of: int, shape: CalendarShape, board: Iterable[TimerView], language: str
) -> CalendarChange:
    """The change that another calendar would be, for a reader who knows these timers, in a language."""
    standing = settings_of(OWN, state.changed_settings).calendar
    then = structs.replace(state, changed_settings={**state.changed_settings, CALENDAR: as_json(shape)})
    return CalendarChange(
        as_of=as_of,
        calendar=shape,
        now=BeforeAndAfter(
            date_in(language, state.game_time, standing), date_in(language, state.game_time, shape)
        ),
        timers=[
            TimerThen(
                timer.id,
                timer.title,
                date_in(language, timer.game_time, standing),
                date_in(language, _due(then, timer, timer.game_time), shape),
            )
            for timer in board
            if timer.game_time is not None
        ],
    )


def _due(then: CampaignState, timer: TimerView, game_time: int) -> int:
    """The moment that a timer waits for in a state; one of a rule system waits for the same in any."""
    own = then.timers.get(timer.timer or "")
    return game_time if own is None or own.left is not None else due_by(then, own)
