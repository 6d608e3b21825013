"""Commands and events of downtime."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from domain.campaign.messages.base_types import Account, Command, EndDate, Event, Span
from domain.campaign.messages.timers import Order
from domain.field_references import new, paid, ref
from domain.ids import AccountId, ActionId, CharacterId
from domain.personal_text import Key, Name, Reference

ActivityKind = Literal["recover", "repair", "treat", "train", "work"]
"""An activity of a character in downtime."""

Price = Annotated[int, Meta(ge=0, le=1_000_000_000), paid]


class PlanActivity(Command, frozen=True, tag="campaign.plan_activity"):
    """Plan something that takes a character a while in downtime, or `until` a date if it begins now.

    Its `price` is set aside from `account` when it starts, and goes to the world when it is done; the sum it
    `earns` comes to `account` then. It is not done before everything it `requires` has been met. `effect` is a
    command of the rule system that is carried out when it is done; only a GM gives one. `new` names an account
    or a currency on purpose that this campaign does not know.
    """

    character: Annotated[CharacterId, ref("character")]
    kind: ActivityKind
    title: Annotated[Name, new]
    takes: Span = Span()
    currency: Annotated[Key, ref("currency", free=True)] | None = None
    account: Annotated[Account, ref("account", free=True)] | None = None
    price: Price = 0
    earns: Price = 0
    requires: Annotated[tuple[Annotated[Name, new], ...], Meta(max_length=10)] = ()
    effect: Order | None = None
    new: bool | UnsetType = UNSET
    until: EndDate | UnsetType = UNSET


class ApproveActivity(Command, frozen=True, tag="campaign.approve_activity"):
    """Approve a planned activity, which starts it."""

    activity: Annotated[Reference, ref("activity")]


class MeetRequirement(Command, frozen=True, tag="campaign.meet_requirement"):
    """Meet a requirement of an activity."""

    activity: Annotated[Reference, ref("activity")]
    requirement: Annotated[Name, ref("requirement", of="activity")]


class StopActivity(Command, frozen=True, tag="campaign.stop_activity"):
    """Stop an activity, or drop its plan; its price goes back."""

    activity: Annotated[Reference, ref("activity")]


class FinishActivity(Command, frozen=True, tag="campaign.finish_activity"):
    """Finish an activity. Only the campaign itself asks so."""

    activity: Annotated[Reference, ref("activity")]


DowntimeCommand = PlanActivity | ApproveActivity | MeetRequirement | StopActivity | FinishActivity


class ActivityPlanned(Event, frozen=True, tag="campaign.activity_planned"):
    """A player plans an activity in downtime."""

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
    """An activity starts, and ends at `due`; its price is set aside under `entry_id`."""

    activity_id: str
    character: CharacterId
    title: str
    due: int
    started_in: ActionId
    entry_id: str | None = None


class RequirementMet(Event, frozen=True, tag="campaign.requirement_met"):
    """A requirement of an activity is met, at a moment of the calendar."""

    activity_id: str
    title: str
    requirement: str
    at: int


class ActivityFinished(Event, frozen=True, tag="campaign.activity_finished"):
    """An activity is done."""

    activity_id: str
    character: CharacterId
    kind: ActivityKind
    title: str


class ActivityStopped(Event, frozen=True, tag="campaign.activity_stopped"):
    """An activity was stopped after `done` of `takes`, or before it began."""

    activity_id: str
    character: CharacterId
    title: str
    done: int
    takes: int


DowntimeEvent = ActivityPlanned | ActivityStarted | RequirementMet | ActivityFinished | ActivityStopped
