"""What commands of this system have in common."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.personal_text import Reference

Value = Annotated[int, Meta(ge=-1000, le=1000)]
NotNegative = Annotated[int, Meta(ge=0, le=1000)]
Positive = Annotated[int, Meta(ge=1, le=1000)]
Points = Annotated[int, Meta(ge=0, le=1_000_000)]
People = Annotated[list[Reference], Meta(max_length=100)]


class Command(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A command of this system."""


class Rolling(Command, frozen=True):
    """What every rolling command takes: dice more and less, a relation to invoke, whether to hold (OD-5)."""

    bonus_dice: NotNegative = 0
    penalty_dice: NotNegative = 0
    invoke_relation: Reference | None = None
    hold: bool = False
    character: Reference | None = None
