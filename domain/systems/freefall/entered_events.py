"""What was hidden comes into play: each event tells how it is now, and nobody can take it back."""

from typing import ClassVar

from domain.systems.freefall.fact import Fact
from domain.systems.freefall.state import CalledHarm, Character, Clock, Harm, Item, Machine


class CharacterEntered(Fact, frozen=True, tag="freefall.character_entered"):
    """A character who was hidden is seen from here on, as they are now, with their machine and pending harm."""

    undoable: ClassVar[bool] = False
    character: Character
    machine: Machine | None
    called: list[CalledHarm]


class GearEntered(Fact, frozen=True, tag="freefall.gear_entered"):
    """An item that was hidden is seen from here on."""

    undoable: ClassVar[bool] = False
    character: str
    item: str
    what: Item


class HarmEntered(Fact, frozen=True, tag="freefall.harm_entered"):
    """A harm that was hidden is seen from here on, and counts like any other."""

    undoable: ClassVar[bool] = False
    character: str
    slot: int
    harm: Harm


class MachineEntered(Fact, frozen=True, tag="freefall.machine_entered"):
    """A machine that was hidden is seen from here on."""

    undoable: ClassVar[bool] = False
    machine: Machine


class ClockEntered(Fact, frozen=True, tag="freefall.clock_entered"):
    """A clock that was hidden is seen from here on, with everything that moved it."""

    undoable: ClassVar[bool] = False
    clock: Clock


Entered = CharacterEntered | GearEntered | HarmEntered | MachineEntered | ClockEntered
"""What was hidden comes into play."""
