"""Events of Cores and their characters: losses, removal, death, recovery.

`steps` is the change that `evolve` adds up; `effective` is what people saw. `cause` is the action that an event
is in: later consequences have the same cause.
"""

from typing import ClassVar

from msgspec import UNSET, UnsetType

from domain.systems.angst.base_event_types import Fact
from domain.systems.angst.rolls import Cause
from domain.systems.angst.settings import Clock, SparedCap
from domain.systems.angst.tables import CoreName, DieName, Kind, Side


class CoreReduced(Fact, frozen=True, tag="angst.core_reduced"):
    """A crucial test was failed by `margin` (AN-21). `steps` were lost at game hour `at_hour`.

    Under `clock: real`, `due_at` is the moment (microseconds) at which the first of them comes back.
    `margin_hidden`: only some may know of the test; players read None as `margin` and `test_id`.
    """

    merely_seen: ClassVar[tuple[str, ...]] = ("effective",)
    derived: ClassVar[tuple[str, ...]] = ("steps",)
    character: str
    test_id: str | None
    core: CoreName
    steps: int
    effective: DieName
    kind: Kind
    margin: int | None
    at_hour: int
    clock: Clock
    due_at: int | None = None
    who: Side | None = None
    cause: Cause | None = None
    margin_hidden: bool | UnsetType = UNSET


class CharacterRemovedFromScene(Fact, frozen=True, tag="angst.character_removed_from_scene"):
    """A character is out until the scene ends or, between scenes, until the next one begins."""

    verdict: ClassVar[tuple[str, ...]] = ("character",)
    character: str
    core: CoreName
    who: Side | None = None


class CharacterDied(Fact, frozen=True, tag="angst.character_died"):
    """A deadly test took Physical to d0 (AN-22)."""

    verdict: ClassVar[tuple[str, ...]] = ("character",)
    character: str
    who: Side | None = None


class CharacterSpared(Fact, frozen=True, tag="angst.character_spared"):
    """A character would be dead, but the GM lets them live; the loss has no clock (AN-A25)."""

    verdict: ClassVar[tuple[str, ...]] = ("character",)
    character: str
    core: CoreName
    who: Side | None = None


class CoreRecovered(Fact, frozen=True, tag="angst.core_recovered"):
    """`steps` came back at game hour `at_hour`; with `clock: real`, at `due_at` (AN-W1)."""

    merely_seen: ClassVar[tuple[str, ...]] = ("effective",)
    character: str
    core: CoreName
    kind: Kind
    steps: int
    effective: DieName
    at_hour: int
    clock: Clock = "game"
    due_at: int | None = None


class CoreAdjusted(Fact, frozen=True, tag="angst.core_adjusted"):
    """The GM set a Core: it rose by `steps` (fell, if negative), so many of each kind of loss (AN-C16)."""

    character: str
    core: CoreName
    effective: DieName
    steps: int
    nondeadly: int
    deadly: int
    at_hour: int
    clock: Clock
    due_at: int | None = None
    spared_cap: SparedCap | None = None
    warning: str | None = None
    cause: Cause | None = None
