"""Events of a whole campaign that every rule system may answer.

The campaign owns play sessions, scenes, downtime and the calendar. A system's `on_lifecycle_event` receives each
of these events and adds its own events to the same action. They are defined here because systems do not import
the campaign.
"""

from typing import Any, ClassVar

from msgspec import UNSET, Struct, UnsetType

from domain.ids import AccountId, ActionId, SystemId
from domain.personal_text import FreeText, Name


class LifecycleEvent(Struct, frozen=True, tag_field="type", gc=False):
    """An event that rule systems may answer."""

    kind_version: ClassVar[int] = 1
    undoable: ClassVar[bool] = True


class CampaignCreated(LifecycleEvent, frozen=True, tag="campaign.created"):
    """The first event of every campaign. Its creator becomes a GM.

    `rulings` are those that its ledger follows; unset in old logs. `calendar` is the setting of that name, where
    the campaign begins with another calendar than the default.
    """

    undoable = False

    name: Name
    systems: list[SystemId]
    created_by: AccountId
    rulings: int | UnsetType = UNSET
    calendar: dict[str, Any] | UnsetType = UNSET


class SessionStarted(LifecycleEvent, frozen=True, tag="campaign.session_started"):
    """A play session starts. `number` counts play sessions from 1."""

    session_id: str
    number: int
    present: list[AccountId]
    title: str | None = None


class SessionEnded(LifecycleEvent, frozen=True, tag="campaign.session_ended"):
    """The play session ends."""

    session_id: str
    number: int


class SceneStarted(LifecycleEvent, frozen=True, tag="campaign.scene_started"):
    """A scene opens."""

    scene_id: str
    name: str | None = None


class SceneEnded(LifecycleEvent, frozen=True, tag="campaign.scene_ended"):
    """A scene closes."""

    scene_id: str


class DowntimeStarted(LifecycleEvent, frozen=True, tag="campaign.downtime_started"):
    """Time between adventures begins; it ends by itself at `until` (seconds of campaign time), if given."""

    downtime_id: str
    reason: FreeText | None = None
    until: int | None = None
    started_in: ActionId | None = None


class DowntimeEnded(LifecycleEvent, frozen=True, tag="campaign.downtime_ended"):
    """Time between adventures is over."""

    downtime_id: str


class CalendarAdvanced(LifecycleEvent, frozen=True, tag="campaign.calendar_advanced"):
    """Campaign time moves forward by `seconds`; no other event moves it."""

    seconds: int
    game_time_after: int
