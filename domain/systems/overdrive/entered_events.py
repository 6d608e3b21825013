"""What was hidden comes into play: each event tells how it is now, and nobody can take it back."""

from typing import ClassVar

from msgspec import UNSET, UnsetType

from domain.systems.overdrive.event_types import Fact
from domain.systems.overdrive.state import Character, Mech
from domain.systems.overdrive.tables import Score, Stat


class CharacterEntered(Fact, frozen=True, tag="overdrive.character_entered"):
    """A character who was hidden is seen from here on, as they are now, with their mechs."""

    undoable: ClassVar[bool] = False
    character: Character
    mechs: list[Mech]
    anew: bool | UnsetType = UNSET


class MechEntered(Fact, frozen=True, tag="overdrive.mech_entered"):
    """A mech that was hidden is seen from here on; `pairing` is its pilot's, which may have come with it."""

    undoable: ClassVar[bool] = False
    mech: Mech
    pairing: dict[Score, Stat]
    anew: bool | UnsetType = UNSET


Entered = CharacterEntered | MechEntered
"""What was hidden comes into play."""
