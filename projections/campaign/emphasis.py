"""What matters for a recap, of the campaign's own events and of those of its systems."""

from typing import Any

from domain.campaign import events as c
from domain.campaign.history.messages import ActionAffected, UndoDeclined, UndoRequested
from projections.emphasis import QUIET, Chapter, Emphasis, of
from projections.systems import SYSTEM_VIEWS

OWN = Emphasis(
    {
        QUIET: (
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
    },
    (of(c.DiceRolled, lambda event: QUIET if event.label is None else 0),),
)
"""No highlights: housekeeping, what led to an undo or stands after it, and what is hidden."""

EVERY = (OWN, *(views.emphasis for views in SYSTEM_VIEWS.values()))
WEIGHTS = {kind: weight for each in EVERY for kind, weight in each.weight_of_kinds().items()}
CHAPTERS = dict(chapter for each in EVERY for chapter in each.chapters)


def weight(event: Any) -> int:
    """How much an event would be missed; below 0, it is not even told."""
    found = WEIGHTS.get(type(event), 0)
    return found if isinstance(found, int) else found(event)


def chapter(event: Any) -> Chapter | None:
    """What an event opens or closes, of what is larger than a scene."""
    found = CHAPTERS.get(type(event))
    return None if found is None else found(event)
