"""The parts of a test: rolled dice, and modifiers as they counted (AN-8, AN-10)."""

from typing import Annotated, Literal

from msgspec import UNSET, Struct, UnsetType

from domain.dice import Origin
from domain.field_references import ref
from domain.ids import ActionId
from domain.personal_text import Name

DieRole = Literal["base", "core", "bonus", "penalty"]
"""Which die of a test; an exploded Base Die's second roll is of the Base Die (AN-A18)."""


class CountedModifier(Struct, frozen=True, array_like=True):
    """A flat modifier that is not 0: `relationship`, `overwhelming_angst`, `direct_support` or `moral_support`.

    On the wire it is the pair `[source, value]`.
    """

    source: str
    value: int


class RolledDie(Struct, frozen=True):
    """A rolled die; `explosion` marks the second roll of a Base Die that showed its 6."""

    role: DieRole
    sides: int
    natural: int
    origin: Origin
    proof: str
    explosion: bool = False


class Faces(Struct, frozen=True):
    """The faces that count: `base` is one, or two if it exploded; a d0 Core is 0; None was not rolled."""

    base: list[int]
    core: int = 0
    bonus: int | None = None
    penalty: int | None = None

    @property
    def total(self) -> int:
        """The total of the dice: all added, the Penalty Die subtracted (AN-8)."""
        return sum(self.base) + self.core + (self.bonus or 0) - (self.penalty or 0)


class Crucial(Struct, frozen=True, forbid_unknown_fields=True):
    """The cost of failing a test (AN-21). `spared_by_gm`: a deadly failure leaves the character alive (AN-A25)."""

    mode: Literal["sudden", "gradual"]
    deadly: bool = False
    spared_by_gm: bool = False


class Tap(Struct, frozen=True, forbid_unknown_fields=True):
    """A type of Angst that is tapped (AN-13)."""

    angst: Annotated[Name, ref("angst_type", of="character")]
    use: Literal["positive", "negative"]


class Cause(Struct, frozen=True):
    """The action in which something was lost, and who may read that it comes back.

    `gives_way`: the loss is hidden, and the next open loss starts the clock again.
    """

    action: ActionId
    visibility: str = "all"
    gives_way: bool | UnsetType = UNSET
