"""How much each event matters in a recap: the campaign's own events and those of its systems."""

from typing import Any

from domain.campaign import events as c
from domain.campaign.messages.history import ActionAffected, UndoDeclined, UndoRequested
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
"""No highlights: housekeeping, what led to an undo or follows from it, and hidden events."""

EVERY = (OWN, *(views.emphasis for views in SYSTEM_VIEWS.values()))
WEIGHTS = {kind: weight for each in EVERY for kind, weight in each.weight_of_kinds().items()}
CHAPTERS = dict(chapter for each in EVERY for chapter in each.chapters)


def weight(event: Any) -> int:
    """How much an event would be missed; an event below 0 is left out."""
    found = WEIGHTS.get(type(event), 0)
    return found if isinstance(found, int) else found(event)


def chapter(event: Any) -> Chapter | None:
    """The chapter that an event opens or closes, if it does."""
    found = CHAPTERS.get(type(event))
    return None if found is None else found(event)
