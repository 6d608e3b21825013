"""The parts of a pilot's exported sheet that an import reads.

Everything else in it (offers, averages, prices) follows from these and the catalogue, and is ignored. Fields
that are None were left out; those that repeat the catalogue are compared with it.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.ids import AccountId
from domain.personal_text import Amount, FreeText, Name, Reference
from domain.systems.frame_state.tables import AttributeType

Points = Annotated[int, Meta(ge=0, le=10_000)]
Cost = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Parts = Annotated[list[int], Meta(max_length=100)]


class AdoptedPool(Struct, frozen=True):
    """The points of one category."""

    granted: Points
    advances: Points = 0
    maximum: int | None = None
    unspent: int | None = None


class AdoptedAttribute(Struct, frozen=True):
    """The points and experimental parts of one attribute."""

    invested: Points = 0
    experimental: Parts = []
    freed: Points = 0
    category: str | None = None
    type: AttributeType | None = None
    base: int | None = None
    grade: int | None = None


Pools = Annotated[dict[str, AdoptedPool], Meta(max_length=100)]
Attributes = Annotated[dict[str, AdoptedAttribute], Meta(max_length=10_000)]


class AdoptedFrame(Struct, frozen=True):
    """A machine. `frame_id` is only for `replaced_by` to refer to."""

    frame_id: Reference
    name: Name
    status: Literal["active", "lost", "replaced"] = "active"
    replaced_by: Reference | None = None
    upgrade_cost_total: Cost | None = None
    upgrade_costs: Annotated[dict[str, Cost], Meta(max_length=100)] = {}
    carried_cost: Cost = 0
    refit_credit: Amount = 0
    salvaged: bool = False
    price_due: Cost | None = None
    pools: Pools = {}
    attributes: Attributes = {}


class AdoptedPilot(Struct, frozen=True):
    """A pilot; `frames` oldest first."""

    name: Name
    player: AccountId | None = None
    background: FreeText | None = None
    currency: Amount = 0
    pools: Pools = {}
    attributes: Attributes = {}
    frames: Annotated[list[AdoptedFrame], Meta(max_length=100)] = []
