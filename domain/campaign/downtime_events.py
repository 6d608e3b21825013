"""What happens in downtime. Spans and moments are seconds of campaign time."""

from domain.campaign.downtime_commands import ActivityKind
from domain.campaign.event import Event
from domain.campaign.timer_commands import Order
from domain.ids import AccountId, ActionId, CharacterId


class ActivityPlanned(Event, frozen=True, tag="campaign.activity_planned"):
    """Somebody wants to do something with their time."""

    activity_id: str
    character: CharacterId
    kind: ActivityKind
    title: str
    takes: int
    planned_by: AccountId | None
    currency: str | None = None
    account: str | None = None
    price: int = 0
    earns: int = 0
    requires: tuple[str, ...] = ()
    effect: Order | None = None
    visibility: str = "all"


class ActivityStarted(Event, frozen=True, tag="campaign.activity_started"):
    """It has begun, and will be done at `due`; `entry_id` is under what its price was set aside."""

    activity_id: str
    character: CharacterId
    title: str
    due: int
    started_in: ActionId
    entry_id: str | None = None


class RequirementMet(Event, frozen=True, tag="campaign.requirement_met"):
    """One thing less that it waits for, at a moment of the calendar."""

    activity_id: str
    title: str
    requirement: str
    at: int


class ActivityFinished(Event, frozen=True, tag="campaign.activity_finished"):
    """It is done."""

    activity_id: str
    character: CharacterId
    kind: ActivityKind
    title: str


class ActivityStopped(Event, frozen=True, tag="campaign.activity_stopped"):
    """It was broken off after `done` of `takes`, or never begun."""

    activity_id: str
    character: CharacterId
    title: str
    done: int
    takes: int


DowntimeEvent = ActivityPlanned | ActivityStarted | RequirementMet | ActivityFinished | ActivityStopped
