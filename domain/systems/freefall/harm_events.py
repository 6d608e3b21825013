"""Events of harm: how it is called, suffered, and resolved level by level (FF-16 to FF-22)."""

from typing import Literal

from msgspec import UNSET, UnsetType

from domain.personal_text import FreeText
from domain.systems.freefall.event_types import Attributes, Fact, Purpose
from domain.systems.freefall.settings import AvStacking, PermanentType
from domain.systems.freefall.tables import (
    AttributeName,
    Fate,
    HarmType,
    MachineAttribute,
    Source,
)


class HarmCalled(Fact, frozen=True, tag="freefall.harm_called"):
    """Harm is on its way and its owner has to choose. `will_oust`: the next permanent harm is the last."""

    call_id: str
    character: str
    harm_type: HarmType
    incoming: int
    av: int
    levels: int
    high_impact: bool
    av_stacking: AvStacking
    source: Source
    will_oust: bool
    action: str | None = None
    machine: str | None = None
    roll: str | None = None


class HarmWithdrawn(Fact, frozen=True, tag="freefall.harm_withdrawn"):
    """Harm that nobody had resolved is taken back: by a GM, or as the price of what is not attempted."""

    call_id: str
    character: str


class HarmSuffered(Fact, frozen=True, tag="freefall.harm_suffered"):
    """Levels of harm after armour; what was spent and how each was resolved follows (FF-17).

    `pays` names the declared action whose prerequisite this was; `pays_ahead` says that the roll comes later.
    """

    character: str
    harm_type: HarmType
    incoming: int
    av: int
    levels: int
    high_impact: bool
    source: Source
    av_stacking: AvStacking
    call_id: str | None = None
    pays: str | None = None
    pays_ahead: bool = False


class AttributeSpent(Fact, frozen=True, tag="freefall.attribute_spent"):
    """Current points go (FF-9, FF-18)."""

    character: str
    attribute: AttributeName
    amount: int
    purpose: Purpose
    current_after: int
    pays: str | None = None


class HarmMarked(Fact, frozen=True, tag="freefall.harm_marked"):
    """Option A: an empty slot takes a temporary harm."""

    character: str
    harm_id: str
    slot: int
    harm_type: HarmType
    state: Literal["temporary"] = "temporary"
    hidden: bool = False


class HarmMadePermanent(Fact, frozen=True, tag="freefall.harm_made_permanent"):
    """Option B: a temporary harm turns permanent and keeps its type."""

    character: str
    harm_id: str
    slot: int
    harm_type: HarmType
    permanent_type: PermanentType


class GearBroken(Fact, frozen=True, tag="freefall.gear_broken"):
    """Option C: an item stops working; what it binds stays bound. `kept` is how much, where it binds anything."""

    character: str
    item: str
    binding_kept: bool = True
    kept: Attributes | UnsetType = UNSET


class GearFaulted(Fact, frozen=True, tag="freefall.gear_faulted"):
    """Option C on a hardened item: it fails for now (FF-A9)."""

    character: str
    item: str
    binding_kept: bool = True
    kept: Attributes | UnsetType = UNSET


class CharacterOusted(Fact, frozen=True, tag="freefall.character_ousted"):
    """The third permanent harm ends the character's part in the story (FF-16)."""

    character: str
    cause: Literal["three_permanent_harms"] = "three_permanent_harms"


class CharacterFateDecided(Fact, frozen=True, tag="freefall.character_fate_decided"):
    """Dead or retired (FF-C14)."""

    character: str
    fate: Fate


class HarmConsequenceWritten(Fact, frozen=True, tag="freefall.harm_consequence_written"):
    """What a permanent harm means from now on (FF-C13)."""

    character: str
    harm_id: str
    slot: int
    consequence: FreeText


class MachineHarmSuffered(Fact, frozen=True, tag="freefall.machine_harm_suffered"):
    """Levels of harm after the machine's armour, for the pilot to allocate (FF-22)."""

    machine: str
    pilot: str | None
    harm_type: HarmType
    incoming: int
    av: int
    levels: int
    high_impact: bool
    call_id: str | None = None


class MachineAttributeSpent(Fact, frozen=True, tag="freefall.machine_attribute_spent"):
    """The machine gives up points of FRM or SYS."""

    machine: str
    attribute: MachineAttribute
    amount: int
    current_after: int
    purpose: Purpose = "mitigation"
    pays: str | None = None


class MachineBroken(Fact, frozen=True, tag="freefall.machine_broken"):
    """The machine could not take a level: it is out, and still binds its pilot; `kept` is how much."""

    machine: str
    pilot_binding_kept: bool = True
    kept: Attributes | UnsetType = UNSET
