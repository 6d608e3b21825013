"""Commands and events of downtime."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from domain.campaign.message_types import Account, Command, Event, Span
from domain.campaign.scheduling.messages import Order
from domain.ids import AccountId, ActionId, CharacterId
from domain.personal_text import Key, Name, Reference

ActivityKind = Literal["recover", "repair", "treat", "train", "work"]
"""What somebody does with their time."""

Price = Annotated[int, Meta(ge=0, le=1_000_000_000)]


class PlanActivity(Command, frozen=True, tag="campaign.plan_activity"):
    """Have a character do something in downtime that takes a while.

    Its `price` is set aside from `account` when it starts, and goes to the world when it is done; what it `earns`
    comes to `account` then. It is not done before everything it `requires` has been met. `effect` is a command
    of the rule system that is carried out when it is done; only a GM gives one. `new` names an account or a
    currency on purpose that this campaign does not know.
    """

    character: CharacterId
    kind: ActivityKind
    title: Name
    takes: Span
    currency: Key | None = None
    account: Account | None = None
    price: Price = 0
    earns: Price = 0
    requires: Annotated[tuple[Name, ...], Meta(max_length=10)] = ()
    effect: Order | None = None
    new: bool | UnsetType = UNSET


class ApproveActivity(Command, frozen=True, tag="campaign.approve_activity"):
    """Let a planned activity start."""

    activity: Reference


class MeetRequirement(Command, frozen=True, tag="campaign.meet_requirement"):
    """Something that an activity requires is there."""

    activity: Reference
    requirement: Name


class StopActivity(Command, frozen=True, tag="campaign.stop_activity"):
    """Break an activity off, or drop the plan; its price goes back."""

    activity: Reference


class FinishActivity(Command, frozen=True, tag="campaign.finish_activity"):
    """An activity is done. Only the campaign itself says so."""

    activity: Reference


DowntimeCommand = PlanActivity | ApproveActivity | MeetRequirement | StopActivity | FinishActivity


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
