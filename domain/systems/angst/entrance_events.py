"""The event of a hidden character who enters play: it tells how they are now, and cannot be undone."""

from typing import ClassVar

from msgspec import UNSET, UnsetType

from domain.ids import ActionId
from domain.systems.angst.base_event_types import Fact
from domain.systems.angst.state import Character


class CharacterEntered(Fact, frozen=True, tag="angst.character_entered"):
    """A hidden character enters play as they are now.

    `entered_in` is the action that the event is in: losses that heal from here on have it as their cause, and
    heal openly.
    """

    undoable: ClassVar[bool] = False
    sheet: Character
    entered_in: ActionId | None = None
    anew: bool | UnsetType = UNSET
