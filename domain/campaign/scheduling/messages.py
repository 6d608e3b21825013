"""Commands and events of timers."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.campaign.message_types import Account, Command, Event, Span
from domain.ids import AccountId, ActionId, CharacterId
from domain.personal_text import Key, Name, Reference

Clock = Literal["game", "real"]
"""The campaign's calendar, or real time."""


class Effect(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """What a timer does when its moment has come, besides saying its title."""


class Remind(Effect, frozen=True, tag="remind"):
    """Nothing: the table is reminded."""


class Post(Effect, frozen=True, tag="post"):
    """Move currency from the account `debit` to the account `credit`: income, wages, upkeep.

    `new` names an account or a currency on purpose that this campaign does not know.
    """

    currency: Key
    debit: Account
    credit: Account
    amount: Annotated[int, Meta(ge=1, le=1_000_000_000)]
    new: bool | UnsetType = UNSET


class Order(Effect, frozen=True, tag="order"):
    """Carry out a command of a rule system that may be carried out unattended, as if a GM gave it."""

    command: dict[str, Any]


AnyEffect = Remind | Post | Order


class ScheduleTimer(Command, frozen=True, tag="campaign.schedule_timer"):
    """Have something happen `after` a while, and again `every` so often (`times` altogether; None: for ever).

    `clock` left out is the campaign's setting. A timer may belong to a `character`. One that `replaces` another
    cancels it in the same action.
    """

    title: Name
    after: Span
    effect: AnyEffect = Remind()
    every: Span | None = None
    times: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    clock: Clock | None = None
    character: CharacterId | None = None
    replaces: Reference | None = None


class CancelTimer(Command, frozen=True, tag="campaign.cancel_timer"):
    """Take a timer away before it fires."""

    timer: Reference


class PauseTimer(Command, frozen=True, tag="campaign.pause_timer"):
    """Stop a timer; what is left of its time stays as it is."""

    timer: Reference


class ResumeTimer(Command, frozen=True, tag="campaign.resume_timer"):
    """Let a paused timer go on with what was left of its time."""

    timer: Reference


class FireTimer(Command, frozen=True, tag="campaign.fire_timer"):
    """A timer's moment has come. Only the campaign itself says so."""

    timer: Reference
    occurrence: int


TimerCommand = ScheduleTimer | CancelTimer | PauseTimer | ResumeTimer | FireTimer


class TimerScheduled(Event, frozen=True, tag="campaign.timer_scheduled"):
    """Something will happen at `due`, and again `every` so long (`times` altogether; None: for ever)."""

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


class TimerCancelled(Event, frozen=True, tag="campaign.timer_cancelled"):
    """It will not happen."""

    timer_id: str
    title: str


class TimerPaused(Event, frozen=True, tag="campaign.timer_paused"):
    """It will not happen while the timer is paused; `left` is how long it still had to go."""

    timer_id: str
    title: str
    left: int


class TimerResumed(Event, frozen=True, tag="campaign.timer_resumed"):
    """It will happen at `due`."""

    timer_id: str
    title: str
    due: int


class TimerFired(Event, frozen=True, tag="campaign.timer_fired"):
    """The moment has come, the `occurrence`th time. `last`: it does not come again."""

    timer_id: str
    title: str
    occurrence: int
    due: int
    last: bool
    character: CharacterId | None = None


TimerEvent = TimerScheduled | TimerCancelled | TimerPaused | TimerResumed | TimerFired
