"""Commands and events of timers."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.campaign.messages.base_types import Account, Command, EndDate, Event, Moved, Span
from domain.field_references import bounded, new, ref
from domain.ids import AccountId, ActionId, CharacterId
from domain.personal_text import Key, Name, Reference

Clock = Literal["game", "real"]
"""The campaign's calendar, or real time."""


class Effect(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """The effect of a timer when it fires, besides showing its title."""


class Remind(Effect, frozen=True, tag="remind"):
    """No effect: the table is reminded."""


class Post(Effect, frozen=True, tag="post"):
    """Move currency from the account `debit` to the account `credit`: income, wages, upkeep.

    `new` names an account or a currency on purpose that this campaign does not know.
    """

    currency: Annotated[Key, ref("currency", free=True)]
    debit: Annotated[Account, ref("account", free=True)]
    credit: Annotated[Account, ref("account", free=True)]
    amount: Moved
    new: bool | UnsetType = UNSET


class Order(Effect, frozen=True, tag="order"):
    """Carry out a command of a rule system that needs no player, as if a GM gave it."""

    command: dict[str, Any]


AnyEffect = Remind | Post | Order

Weekday = Annotated[int, Meta(ge=1, le=30), ref("weekday")]
"""A day of the week, by its place in it from 1."""
DayOfMonth = Annotated[int, Meta(ge=0, le=2_000), bounded(ends="end_day", certain=True)]
"""As it is written, in most months from 1."""


class Repetition(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A rule of the calendar by which something comes again."""


class EveryDay(Repetition, frozen=True, tag="day"):
    """Every day."""


class EveryWeek(Repetition, frozen=True, tag="week"):
    """On these days of every week."""

    weekdays: Annotated[list[Weekday], Meta(min_length=1, max_length=30)]


class EveryMonth(Repetition, frozen=True, tag="month"):
    """On this day of every month that has it."""

    day: DayOfMonth


class EveryMonthEnd(Repetition, frozen=True, tag="month_end"):
    """On the last day of every month."""


class EveryMonthWeekday(Repetition, frozen=True, tag="month_weekday"):
    """On the nth of a day of the week in every month that has so many, or on the last (`nth` null)."""

    weekday: Weekday
    nth: Annotated[int, Meta(ge=1, le=1_000), bounded(ends="end_nth", certain=True)] | None = None


class EveryYear(Repetition, frozen=True, tag="year"):
    """On this day of every year; `otherwise` says whether years that lack it have the day after, or none."""

    month: Annotated[int, Meta(ge=1, le=60), ref("month")]
    day: DayOfMonth
    otherwise: Literal["day_after", "not_at_all"] = "day_after"


AnyRepetition = EveryDay | EveryWeek | EveryMonth | EveryMonthEnd | EveryMonthWeekday | EveryYear


class ScheduleTimer(Command, frozen=True, tag="campaign.schedule_timer"):
    """Schedule something, and again `every` so often (`times` altogether; None: for ever).

    Or it `repeats` by the calendar, at that time of the day, from the first such day on.

    It fires `after` a while, or `until` a date of the calendar has come. `clock` left out is the calendar for a
    date, else the campaign's setting. A timer may belong to a `character`. One that `replaces` another
    cancels it in the same action.
    """

    title: Annotated[Name, new]
    after: Span = Span()
    effect: AnyEffect = Remind()
    every: Span | None = None
    times: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    clock: Clock | None = None
    character: Annotated[CharacterId, ref("character")] | None = None
    replaces: Annotated[Reference, ref("timer")] | None = None
    until: EndDate | UnsetType = UNSET
    repeats: AnyRepetition | UnsetType = UNSET


class CancelTimer(Command, frozen=True, tag="campaign.cancel_timer"):
    """Cancel a timer."""

    timer: Annotated[Reference, ref("timer")]


class PauseTimer(Command, frozen=True, tag="campaign.pause_timer"):
    """Pause a timer; its remaining time is kept."""

    timer: Annotated[Reference, ref("timer")]


class ResumeTimer(Command, frozen=True, tag="campaign.resume_timer"):
    """Resume a paused timer with its remaining time."""

    timer: Annotated[Reference, ref("timer")]


class FireTimer(Command, frozen=True, tag="campaign.fire_timer"):
    """Fire a timer. Only the campaign itself asks so."""

    timer: Annotated[Reference, ref("timer")]
    occurrence: int


TimerCommand = ScheduleTimer | CancelTimer | PauseTimer | ResumeTimer | FireTimer


class TimerScheduled(Event, frozen=True, tag="campaign.timer_scheduled"):
    """A timer is set for `due`, and again `every` so long (`times` altogether; None: for ever).

    One that `repeats` by the calendar does so at `second_of_day` of its days, never before `repeats_from`.
    """

    timer_id: str
    title: str
    effect: AnyEffect
    clock: Clock
    due: int
    scheduled_by: AccountId | None
    scheduled_in: ActionId
    every: int | None = None
    times: int | None = None
    character: CharacterId | None = None
    visibility: str = "all"
    repeats: AnyRepetition | UnsetType = UNSET
    second_of_day: int | UnsetType = UNSET
    repeats_from: int | UnsetType = UNSET


class TimerCancelled(Event, frozen=True, tag="campaign.timer_cancelled"):
    """A timer is cancelled."""

    timer_id: str
    title: str


class TimerPaused(Event, frozen=True, tag="campaign.timer_paused"):
    """A timer is paused; `left` is its remaining time."""

    timer_id: str
    title: str
    left: int


class TimerResumed(Event, frozen=True, tag="campaign.timer_resumed"):
    """A timer is resumed and fires at `due`."""

    timer_id: str
    title: str
    due: int


class TimerFired(Event, frozen=True, tag="campaign.timer_fired"):
    """A timer fires for the `occurrence`th time. `last`: it does not fire again."""

    timer_id: str
    title: str
    occurrence: int
    due: int
    last: bool
    character: CharacterId | None = None


TimerEvent = TimerScheduled | TimerCancelled | TimerPaused | TimerResumed | TimerFired
