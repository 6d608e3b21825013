"""The parts of a rolled test: dice and modifiers as they counted (FS-6)."""

from msgspec import Struct

from domain.dice import Origin


class RolledDie(Struct, frozen=True, gc=False):
    """A die as it counted: `result` is `natural` plus the `bonus` of the attribute that offered it."""

    source: str
    sides: int
    natural: int
    bonus: int
    result: int
    ace: bool
    origin: Origin
    proof: str


class AverageDie(Struct, frozen=True, gc=False):
    """A die that counted its average instead of being rolled (FS-8)."""

    source: str
    sides: int
    average: int
    bonus: int
    result: int


class CountedModifier(Struct, frozen=True, gc=False):
    """A modifier as it counted: a Val attribute by name, `situation`, or `ace`."""

    source: str
    value: int
