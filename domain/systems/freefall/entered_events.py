"""What was hidden comes into play: each event tells how it is now, and nobody can take it back.

What is being treated or repaired comes with its treatments and repairs. From then on they are finished before
everybody, under the action that the event stands in, `entered_in`; without that, an old event tells of none.
"""

from typing import ClassVar

from msgspec import UNSET, UnsetType

from domain.ids import ActionId
from domain.systems.freefall.event_types import Fact
from domain.systems.freefall.state import CalledHarm, Character, Clock, Harm, Item, Machine, Repair, Treatment


class CharacterEntered(Fact, frozen=True, tag="freefall.character_entered"):
    """A character who was hidden is seen from here on, as they are now, with their machine and pending harm."""

    undoable: ClassVar[bool] = False
    character: Character
    machine: Machine | None
    called: list[CalledHarm]
    entered_in: ActionId | UnsetType = UNSET
    treatments: list[Treatment] | UnsetType = UNSET
    repairs: list[Repair] | UnsetType = UNSET
    anew: bool | UnsetType = UNSET


class GearEntered(Fact, frozen=True, tag="freefall.gear_entered"):
    """An item that was hidden is seen from here on."""

    undoable: ClassVar[bool] = False
    character: str
    item: str
    what: Item
    entered_in: ActionId | UnsetType = UNSET
    repairs: list[Repair] | UnsetType = UNSET


class HarmEntered(Fact, frozen=True, tag="freefall.harm_entered"):
    """A harm that was hidden is seen from here on, and counts like any other."""

    undoable: ClassVar[bool] = False
    character: str
    slot: int
    harm: Harm
    entered_in: ActionId | UnsetType = UNSET
    treatments: list[Treatment] | UnsetType = UNSET


class MachineEntered(Fact, frozen=True, tag="freefall.machine_entered"):
    """A machine that was hidden is seen from here on."""

    undoable: ClassVar[bool] = False
    machine: Machine
    anew: bool | UnsetType = UNSET


class ClockEntered(Fact, frozen=True, tag="freefall.clock_entered"):
    """A clock that was hidden is seen from here on, with everything that moved it."""

    undoable: ClassVar[bool] = False
    clock: Clock


Entered = CharacterEntered | GearEntered | HarmEntered | MachineEntered | ClockEntered
"""What was hidden comes into play."""
