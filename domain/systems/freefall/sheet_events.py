"""Events of sheets: characters, what they carry, and the machines they pilot."""

from msgspec import field

from domain.ids import AccountId
from domain.personal_text import FreeText, Name
from domain.systems.freefall.event_types import Attributes, Fact
from domain.systems.freefall.settings import CreationValues
from domain.systems.freefall.state import Binding, Character, ItemDraft
from domain.systems.freefall.tables import (
    AttributeName,
    HarmType,
)


class ClassDefined(Fact, frozen=True, tag="freefall.class_defined"):
    """A class and its specialties (FF-4)."""

    class_: str = field(name="class")
    specialties: list[str]


class CharacterCreated(Fact, frozen=True, tag="freefall.character_created"):
    """A new sheet, every attribute full (FF-C1)."""

    character: str
    player: AccountId | None
    name: Name
    class_: str = field(name="class")
    permanents: Attributes
    specialties: list[str]
    crew: str | None
    npc: bool
    creation_values: CreationValues
    hidden: bool = False


class CharacterAdopted(Fact, frozen=True, tag="freefall.character_adopted"):
    """A character comes over from another campaign, with gear and scars. The ids are this campaign's."""

    sheet: Character


class CharacterAssigned(Fact, frozen=True, tag="freefall.character_assigned"):
    """A character is handed to another player, or to nobody."""

    character: str
    player: AccountId | None


class PermanentChanged(Fact, frozen=True, tag="freefall.permanent_changed"):
    """An attribute's cap moves by `change`; current is clamped to what is left of it (FF-1)."""

    character: str
    attribute: AttributeName
    change: int
    permanent_after: int
    max_current: int
    reason: FreeText | None = None


class GearAdded(Fact, frozen=True, tag="freefall.gear_added"):
    """Somebody owns an item now (FF-2)."""

    character: str
    item: str
    what: ItemDraft


class GearEquipped(Fact, frozen=True, tag="freefall.gear_equipped"):
    """An item binds (FF-C2). `lost` is what clamping takes from each attribute."""

    character: str
    item: str
    max_current: Attributes
    clamped: Attributes
    lost: Attributes


class GearUnequipped(Fact, frozen=True, tag="freefall.gear_unequipped"):
    """An item binds no more; current stays as it is (FF-C3, FF-A16)."""

    character: str
    item: str
    max_current: Attributes


class GearDiscarded(Fact, frozen=True, tag="freefall.gear_discarded"):
    """An item is gone (FF-C3)."""

    character: str
    item: str
    max_current: Attributes


class MachineCreated(Fact, frozen=True, tag="freefall.machine_created"):
    """A vehicle or an exoskeleton (FF-6)."""

    machine: str
    name: Name
    frm: int
    sys: int
    av: dict[HarmType, int]
    pilot_binding: Binding


class MachineBoarded(Fact, frozen=True, tag="freefall.machine_boarded"):
    """Somebody takes the controls, and the interface binds (FF-C22)."""

    machine: str
    character: str
    pilot_binding: Binding
    max_current: Attributes
    clamped: Attributes
    lost: Attributes


class MachineLeft(Fact, frozen=True, tag="freefall.machine_left"):
    """The controls are free again (FF-C22)."""

    machine: str
    character: str
    max_current: Attributes
