"""What matters for a recap, of the campaign's own events and of those of its systems."""

from typing import Any

from domain.campaign import events as c
from domain.campaign.history.messages import ActionAffected, UndoDeclined, UndoRequested
from domain.systems import owner_of
from projections.emphasis import Chapter, Emphasis
from projections.systems import SYSTEM_VIEWS

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
    return OWN if system is None else SYSTEM_VIEWS[system.id].emphasis
