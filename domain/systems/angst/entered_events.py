"""What was hidden comes into play: the event tells how it is now, and nobody can take it back."""

from typing import ClassVar

from msgspec import UNSET, UnsetType

from domain.ids import ActionId
from domain.systems.angst.event_types import Fact
from domain.systems.angst.state import Character


class CharacterEntered(Fact, frozen=True, tag="angst.character_entered"):
    """A character who was hidden is seen from here on, as they are now.

    `entered_in` is the action that the event stands in: what heals from here on, heals under it, before everybody.
    """

    undoable: ClassVar[bool] = False
    sheet: Character
    entered_in: ActionId | None = None
    anew: bool | UnsetType = UNSET
