"""The base types of this system's commands."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.field_references import bounded, new, ref
from domain.personal_text import Name, Reference

Value = Annotated[int, Meta(ge=-1000, le=1000)]
NUMBER_MAX = 1000
NotNegative = Annotated[int, Meta(ge=0, le=NUMBER_MAX)]
Positive = Annotated[int, Meta(ge=1, le=1000)]
Points = Annotated[int, Meta(ge=0, le=1_000_000)]
Bonus = Annotated[NotNegative, bounded(ends="bonus_dice", of=("character",))]
NewName = Annotated[Name, new]
CharacterRef = Annotated[Reference, ref("character")]
People = Annotated[list[CharacterRef], Meta(max_length=100)]
MechRef = Annotated[Reference, ref("mech")]
WeaponRef = Annotated[Name, ref("weapon", of="character")]
ConfigRef = Annotated[Name, ref("config", of="character")]
RelationRef = Annotated[Reference, ref("relation", of="character")]
QuestionRef = Annotated[Reference, ref("question")]
RollRef = Annotated[Reference, ref("roll")]
TargetRef = Annotated[Reference, ref("target", of="character")]


class Command(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A command of this system."""


class Rolling(Command, frozen=True):
    """The fields of every rolling command: dice more and less, a relation to invoke, whether to hold (OD-5)."""

    bonus_dice: Bonus = 0
    penalty_dice: NotNegative = 0
    invoke_relation: RelationRef | None = None
    hold: bool = False
    character: CharacterRef | None = None
