"""What a test was made of: dice as they fell and modifiers as they counted (AN-8, AN-10)."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from domain.dice import Origin
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
    """A die as it fell; `explosion` marks the second roll of a Base Die that showed its 6."""

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
        """What the dice come to: all added, the Penalty Die subtracted (AN-8)."""
        return sum(self.base) + self.core + (self.bonus or 0) - (self.penalty or 0)


class Crucial(Struct, frozen=True, forbid_unknown_fields=True):
    """What failing a test costs (AN-21). `spared_by_gm`: a deadly failure leaves them alive (AN-A25)."""

    mode: Literal["sudden", "gradual"]
    deadly: bool = False
    spared_by_gm: bool = False


class Tap(Struct, frozen=True, forbid_unknown_fields=True):
    """One type of Angst drawn upon (AN-13)."""

    angst: Name
    use: Literal["positive", "negative"]


class Cause(Struct, frozen=True):
    """The action in which something was lost, and who may read that it comes back.

    `gives_way`: it is hidden, and with the next loss that everybody sees the clock begins anew, as they see it.
    """

    action: ActionId
    visibility: str = "all"
    gives_way: bool | UnsetType = UNSET
