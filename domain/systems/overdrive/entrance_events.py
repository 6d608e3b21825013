"""Events of hidden things that enter play: each tells how a thing is now; they cannot be undone."""

from typing import ClassVar

from msgspec import UNSET, UnsetType

from domain.systems.overdrive.base_event_types import Fact
from domain.systems.overdrive.state import Character, Mech
from domain.systems.overdrive.tables import Score, Stat


class CharacterEntered(Fact, frozen=True, tag="overdrive.character_entered"):
    """A hidden character enters play as they are now, with their mechs."""

    undoable: ClassVar[bool] = False
    character: Character
    mechs: list[Mech]
    anew: bool | UnsetType = UNSET


class MechEntered(Fact, frozen=True, tag="overdrive.mech_entered"):
    """A hidden mech enters play; `pairing` is its pilot's, which may have come with it."""

    undoable: ClassVar[bool] = False
    mech: Mech
    pairing: dict[Score, Stat]
    anew: bool | UnsetType = UNSET


EntranceEvent = CharacterEntered | MechEntered
"""The events of things that enter play."""
