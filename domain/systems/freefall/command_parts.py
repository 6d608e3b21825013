"""Types shared by commands: bounds of their numbers, and common parts."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.field_references import new, ref
from domain.personal_text import Amount, Key, Name, Reference
from domain.systems.freefall.state import Level
from domain.systems.freefall.tables import (
    AttributeName,
    HarmType,
    MachineAttribute,
)

POSITIVE_MAX = 1_000_000_000
Positive = Annotated[int, Meta(ge=1, le=POSITIVE_MAX)]
NotNegative = Annotated[int, Meta(ge=0, le=1_000_000_000)]
GameTime = Annotated[int, Meta(ge=0, le=1_000_000_000_000)]
Levels = Annotated[int, Meta(ge=1, le=1000)]
NewName = Annotated[Name, new]
NewNames = Annotated[list[NewName], Meta(max_length=50)]
CharacterRef = Annotated[Reference, ref("character")]
ActorRef = Annotated[Reference, ref("actor")]
ActionRef = Annotated[Reference, ref("action")]
ItemRef = Annotated[Reference, ref("item", of="character")]
MachineRef = Annotated[Reference, ref("machine")]
HarmCallRef = Annotated[Reference, ref("harm_call", of="character")]
TreatmentRef = Annotated[Reference, ref("treatment")]
RollRef = Annotated[Reference, ref("roll")]
ClockRef = Annotated[Reference, ref("clock")]
ClassRef = Annotated[Name, ref("class", free=True)]
Crew = Annotated[Key, ref("crew", free=True)]
Slot = Annotated[Amount, ref("slot", of="character")]
Numbers = Annotated[list[Level], Meta(max_length=50)]


class Command(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A command of this system."""


class Choice(Struct, frozen=True, forbid_unknown_fields=True):
    """How one level of harm is resolved (FF-19): A fills a slot, B makes `slot` permanent, C breaks `item`.

    `spend` is for levels that come from a machine: a Current point negates the level (FF-18).
    """

    option: Literal["A", "B", "C"] | None = None
    slot: Slot | None = None
    item: ItemRef | None = None
    spend: bool = False


class Allocation(Struct, frozen=True, forbid_unknown_fields=True):
    """The taker of one level of a machine's harm (FF-22)."""

    to: Literal["machine", "pilot"]
    choice: Choice | None = None


Choices = Annotated[list[Choice], Meta(max_length=1000)]
Allocations = Annotated[list[Allocation], Meta(max_length=1000)]


class Prerequisite(Struct, frozen=True, forbid_unknown_fields=True):
    """The means that allow a specialized action (FF-9). A pilot may spend their machine's `frm` or `sys`."""

    kind: Literal["specialty", "gear", "spend", "harm"]
    name: Annotated[Name, ref("specialty", of="character")] | None = None
    item: ItemRef | None = None
    attribute: AttributeName | MachineAttribute | None = None
    harm_type: HarmType | None = None
    choice: Choice | None = None
