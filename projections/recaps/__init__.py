"""Recaps: a play session told again, from the sentences of the chronicle."""

from typing import Any

from domain.campaign import events as c
from domain.campaign.history.messages import ActionAffected, UndoDeclined, UndoRequested
from domain.ids import SystemId
from domain.systems import owner_of
from domain.systems.angst import ANGST
from domain.systems.frame_state import FRAME_STATE
from domain.systems.freefall import FREEFALL
from domain.systems.mobile_frame import MOBILE_FRAME
from domain.systems.overdrive import OVERDRIVE
from projections.recaps import angst, frame_state, freefall, mobile_frame, overdrive
from projections.recaps.emphasis import Chapter, Emphasis

EMPHASES: dict[SystemId, Emphasis] = {
    FRAME_STATE.id: frame_state.EMPHASIS,
    FREEFALL.id: freefall.EMPHASIS,
    ANGST.id: angst.EMPHASIS,
    MOBILE_FRAME.id: mobile_frame.EMPHASIS,
    OVERDRIVE.id: overdrive.EMPHASIS,
}
"""What matters in which rule system."""

QUIET = (
    c.Hidden,
    c.MemberJoined,
    c.MemberLeft,
    c.RoleChanged,
    c.CharacterAssigned,
    c.SettingChanged,
    ActionAffected,
    UndoRequested,
    UndoDeclined,
)
"""Of the campaign's own events: housekeeping, what led to an undo or stands after it, and what is hidden."""


def _weight(event: c.CampaignEvent) -> int:  # noqa: ARG001 — the campaign's own events are no highlights
    return 0


def _quiet(event: c.CampaignEvent) -> bool:
    return isinstance(event, QUIET) or (isinstance(event, c.DiceRolled) and event.label is None)


def _chapter(event: c.CampaignEvent) -> Chapter | None:  # noqa: ARG001 — scenes are known to every recap
    return None


OWN = Emphasis(_weight, _quiet, _chapter)


def emphasis_of(event: Any) -> Emphasis:
    """What matters about an event's kind."""
    system = owner_of(event)
    return OWN if system is None else EMPHASES[system.id]
