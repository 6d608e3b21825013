"""What happens to a whole campaign and every rule system may answer.

The campaign owns play sessions, scenes, downtime and the calendar. These are its events; a system's
`follow` sees each one and adds its own events to the same action. They live below both, because systems
do not import the campaign.
"""

from typing import ClassVar

from msgspec import UNSET, Struct, UnsetType

from domain.ids import AccountId, ActionId, SystemId
from domain.personal_text import FreeText, Name


class Moment(Struct, frozen=True, tag_field="type", gc=False):
    """An event that systems may follow."""

    kind_version: ClassVar[int] = 1
    undoable: ClassVar[bool] = True


class CampaignCreated(Moment, frozen=True, tag="campaign.created"):
    """The first event of every campaign. Its creator is a GM from here on.

    `rulings` are those that its ledger is kept by; unset in old logs.
    """

    undoable = False

    name: Name
    systems: list[SystemId]
    created_by: AccountId
    rulings: int | UnsetType = UNSET


class SessionStarted(Moment, frozen=True, tag="campaign.session_started"):
    """The group sits down to play. `number` counts play sessions from 1."""

    session_id: str
    number: int
    present: list[AccountId]
    title: str | None = None


class SessionEnded(Moment, frozen=True, tag="campaign.session_ended"):
    """The group gets up again."""

    session_id: str
    number: int


class SceneStarted(Moment, frozen=True, tag="campaign.scene_started"):
    """A scene opens."""

    scene_id: str
    name: str | None = None


class SceneEnded(Moment, frozen=True, tag="campaign.scene_ended"):
    """A scene closes."""

    scene_id: str


class DowntimeStarted(Moment, frozen=True, tag="campaign.downtime_started"):
    """Time between adventures begins; it ends by itself at `until` (seconds of campaign time), if there is one."""

    downtime_id: str
    reason: FreeText | None = None
    until: int | None = None
    started_in: ActionId | None = None


class DowntimeEnded(Moment, frozen=True, tag="campaign.downtime_ended"):
    """Time between adventures is over."""

    downtime_id: str


class CalendarAdvanced(Moment, frozen=True, tag="campaign.calendar_advanced"):
    """Campaign time moves forward by `seconds`; the one way it ever moves."""

    seconds: int
    game_time_after: int
