"""Commands about sheets, gear, machines and time modes (FF-C1 to FF-C4, FF-C22)."""

from typing import Annotated

from msgspec import Meta, field

from domain.field_references import ref
from domain.ids import AccountId
from domain.personal_text import FreeText, Name
from domain.systems.freefall.command_parts import (
    CharacterRef,
    ClassRef,
    ClockRef,
    Command,
    Crew,
    ItemRef,
    MachineRef,
    NewName,
    NewNames,
)
from domain.systems.freefall.rulebook_guides import ATTRIBUTE_GUIDE, MODE_GUIDE
from domain.systems.freefall.state import Binding, ItemDraft, Level
from domain.systems.freefall.tables import (
    AttributeName,
    HarmType,
    Mode,
    Preset,
)


class DefineClass(Command, frozen=True, tag="freefall.define_class"):
    """FF-4, gm. Says which specialties a class offers; saying it again replaces them."""

    class_: ClassRef = field(name="class")
    specialties: NewNames


class DefineClasses(Command, frozen=True, tag="freefall.define_classes"):
    """FF-4, gm. Takes over every class of a published rulebook; others stay as they are."""

    preset: Preset


class CreateCharacter(Command, frozen=True, tag="freefall.create_character"):
    """FF-C1, the player or a gm. Without `player`: for the asking player; a gm's has no player yet."""

    name: NewName
    permanents: Annotated[
        dict[AttributeName, Level], Meta(description="The most that each attribute holds, such as 12, 8 and 6.")
    ]
    class_: ClassRef = field(name="class")
    specialties: Annotated[
        list[Annotated[Name, ref("class_specialty", of="class", free=True)]], Meta(max_length=50)
    ] = field(default_factory=list)
    player: AccountId | None = None
    crew: Crew | None = None
    npc: bool = False


class SetPermanent(Command, frozen=True, tag="freefall.set_permanent"):
    """FF-1, gm. Changes an attribute's cap."""

    attribute: Annotated[AttributeName, ATTRIBUTE_GUIDE]
    permanent: Level
    reason: FreeText | None = None
    character: CharacterRef | None = None


class AddGear(Command, frozen=True, tag="freefall.add_gear"):
    """FF-2, gm. Gives a character an item, not yet bound."""

    item: ItemDraft
    character: CharacterRef | None = None


class DescribeGear(Command, frozen=True, tag="freefall.describe_gear"):
    """FF-3, the player or a gm. Says in words of one's own what an item is; saying it again replaces that."""

    item: ItemRef
    description: Annotated[FreeText, Meta(min_length=1, pattern=r"\S")]
    character: CharacterRef | None = None


class Equip(Command, frozen=True, tag="freefall.equip"):
    """FF-C2, the player or a gm. With `downtime` a gm lets an invasive part in between missions."""

    item: ItemRef
    downtime: bool = False
    character: CharacterRef | None = None


class Install(Command, frozen=True, tag="freefall.install"):
    """FF-C2, the same word for augmentations."""

    item: ItemRef
    downtime: bool = False
    character: CharacterRef | None = None


class Unequip(Command, frozen=True, tag="freefall.unequip"):
    """FF-C3, the player or a gm."""

    item: ItemRef
    downtime: bool = False
    character: CharacterRef | None = None


class Discard(Command, frozen=True, tag="freefall.discard"):
    """FF-C3, the player or a gm. The item is gone."""

    item: ItemRef
    downtime: bool = False
    character: CharacterRef | None = None


class CreateMachine(Command, frozen=True, tag="freefall.create_machine"):
    """FF-6, gm. A plain number as `av` counts against Physical only."""

    name: NewName
    frm: Level
    sys: Level
    av: Level | dict[HarmType, Level] = 0
    pilot_binding: Binding = Binding()


class BoardMachine(Command, frozen=True, tag="freefall.board_machine"):
    """FF-C22, the player or a gm."""

    machine: MachineRef | None = None
    character: CharacterRef | None = None


class LeaveMachine(Command, frozen=True, tag="freefall.leave_machine"):
    """FF-C22, the player or a gm."""

    machine: MachineRef | None = None
    character: CharacterRef | None = None


class SetTimeMode(Command, frozen=True, tag="freefall.set_time_mode"):
    """FF-C4, gm."""

    mode: Annotated[Mode, MODE_GUIDE]


class OpenClock(Command, frozen=True, tag="freefall.open_clock"):
    """Section 5, gm. A clock that successes move in action time."""

    name: NewName
    size: Annotated[int, Meta(ge=1, le=100)]


class CloseClock(Command, frozen=True, tag="freefall.close_clock"):
    """Section 5, gm."""

    clock: ClockRef | None = None
