"""Events of hidden things that enter play: each tells how a thing is now; they cannot be undone.

A thing enters with its treatments and repairs. From then on these are finished openly, under the action that the
event is in, `entered_in`; an old event without that tells of none.
"""

from typing import ClassVar

from msgspec import UNSET, UnsetType

from domain.ids import ActionId
from domain.systems.freefall.base_event_types import Fact
from domain.systems.freefall.state import CalledHarm, Character, Clock, Harm, Item, Machine, Repair, Treatment


class CharacterEntered(Fact, frozen=True, tag="freefall.character_entered"):
    """A hidden character enters play as they are now, with their machine and pending harm."""

    undoable: ClassVar[bool] = False
    character: Character
    machine: Machine | None
    called: list[CalledHarm]
    entered_in: ActionId | UnsetType = UNSET
    treatments: list[Treatment] | UnsetType = UNSET
    repairs: list[Repair] | UnsetType = UNSET
    anew: bool | UnsetType = UNSET


class GearEntered(Fact, frozen=True, tag="freefall.gear_entered"):
    """A hidden item enters play."""

    undoable: ClassVar[bool] = False
    character: str
    item: str
    what: Item
    entered_in: ActionId | UnsetType = UNSET
    repairs: list[Repair] | UnsetType = UNSET


class HarmEntered(Fact, frozen=True, tag="freefall.harm_entered"):
    """A hidden harm enters play, and counts like any other."""

    undoable: ClassVar[bool] = False
    character: str
    slot: int
    harm: Harm
    entered_in: ActionId | UnsetType = UNSET
    treatments: list[Treatment] | UnsetType = UNSET


class MachineEntered(Fact, frozen=True, tag="freefall.machine_entered"):
    """A hidden machine enters play."""

    undoable: ClassVar[bool] = False
    machine: Machine
    anew: bool | UnsetType = UNSET


class ClockEntered(Fact, frozen=True, tag="freefall.clock_entered"):
    """A hidden clock enters play, with everything that moved it."""

    undoable: ClassVar[bool] = False
    clock: Clock


EntranceEvent = CharacterEntered | GearEntered | HarmEntered | MachineEntered | ClockEntered
"""The events of things that enter play."""
