"""What happens to the campaign's own timers.

Moments and spans are seconds of campaign time, or microseconds (of UTC) in real time, as `clock` says.
"""

from domain.campaign.event import Event
from domain.campaign.timer_commands import AnyEffect, Clock
from domain.ids import AccountId, ActionId, CharacterId


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
