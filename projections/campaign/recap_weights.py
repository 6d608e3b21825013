"""How much each event matters in a recap: the campaign's own events and those of its systems."""

from typing import Any

from domain.campaign import events as c
from domain.campaign.events import FounderChanged
from domain.campaign.messages.character_arrivals import ArrivalAgreed, ArrivalAsked, ArrivalDeclined
from domain.campaign.messages.deletion_request import DeletionAsked, DeletionDeclined
from domain.campaign.messages.undo import ActionAffected, UndoDeclined, UndoRequested
from projections.recap_weights import QUIET, Chapter, Emphasis, of
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
            ArrivalAsked,
            FounderChanged,
            DeletionAsked,
            DeletionDeclined,
            ArrivalAgreed,
            ArrivalDeclined,
        )
    },
    (of(c.DiceRolled, lambda event: QUIET if event.label is None else 0),),
)
"""No highlights: housekeeping, what led to an undo or follows from it, and hidden events."""

EVERY = (OWN, *(views.emphasis for views in SYSTEM_VIEWS.values()))
WEIGHTS = {kind: weight for emphasis in EVERY for kind, weight in emphasis.weight_of_kinds().items()}
CHAPTERS = dict(chapter for emphasis in EVERY for chapter in emphasis.chapters)


def weight(event: Any) -> int:
    """How much an event would be missed; an event below 0 is left out."""
    kind_weight = WEIGHTS.get(type(event), 0)
    return kind_weight if isinstance(kind_weight, int) else kind_weight(event)


def chapter(event: Any) -> Chapter | None:
    """The chapter that an event opens or closes, if it does."""
    chapter_of = CHAPTERS.get(type(event))
    return None if chapter_of is None else chapter_of(event)
