"""The state of an Angst campaign: the fold of its events, plain data that is its own snapshot.

Iteration over a dict sorts it first: a snapshot may come back with its keys in another order.
"""

from typing import Generic, Literal, TypeVar

from msgspec import Struct, field

from domain.ids import AccountId
from domain.systems.angst.rolls import Cause, CountedModifier, Crucial, Faces
from domain.systems.angst.tables import (
    CORES,
    CoreName,
    DieName,
    Kind,
    OfferTrigger,
    TestKind,
    Trigger,
    at_rank,
    overwhelming,
    rank,
)

T = TypeVar("T")

REMEMBERED = 256
"""The settled tests that are remembered by id."""

OFFERS_MAX = 20
"""The most open offers of one character; the oldest are dropped."""


class Trait(Struct, frozen=True):
    """A Rock or a Suck: the Core it belongs to, and whether they *really* do (AN-9)."""

    core: CoreName
    really: bool = False


class Tally(Struct):
    """The lost steps of a Core, by kind."""

    nondeadly: int = 0
    deadly: int = 0

    def get(self, kind: Kind) -> int:
        """The steps of a kind."""
        return self.nondeadly if kind == "nondeadly" else self.deadly

    def set(self, kind: Kind, steps: int) -> None:
        """Set the steps of a kind, at least to 0."""
        if kind == "nondeadly":
            self.nondeadly = max(0, steps)
        else:
            self.deadly = max(0, steps)


class ByKind(Struct, Generic[T]):
    """A value for each kind of loss, or None."""

    nondeadly: T | None = None
    deadly: T | None = None

    def get(self, kind: Kind) -> T | None:
        """The value of a kind."""
        return self.nondeadly if kind == "nondeadly" else self.deadly

    def set(self, kind: Kind, thing: T | None) -> None:
        """Set the value of a kind."""
        if kind == "nondeadly":
            self.nondeadly = thing
        else:
            self.deadly = thing


class Core(Struct):
    """One Core (AN-2). Its two kinds of loss heal on clocks of their own (AN-A26).

    `anchor` is the game hour from which the next step is counted; `due_at` is the real moment (microseconds) of
    the next step, where the loss happened under `clock: real`. `cause` is what started a clock. `spared`: they
    were spared at d0, and further losses have no clock.
    """

    rated: DieName
    lost: Tally = field(default_factory=Tally)
    anchor: ByKind[int] = field(default_factory=ByKind[int])
    due_at: ByKind[int] = field(default_factory=ByKind[int])
    cause: ByKind[Cause] = field(default_factory=ByKind[Cause])
    spared: bool = False

    @property
    def effective(self) -> DieName:
        """The die as it is now."""
        return at_rank(rank(self.rated) - self.lost.nondeadly - self.lost.deadly)

    def lose(self, kind: Kind, steps: int) -> None:
        """Take steps, down to d0."""
        self.lost.set(kind, self.lost.get(kind) + min(steps, rank(self.effective)))

    def regain(self, kind: Kind, steps: int) -> None:
        """Give back steps of a kind; a kind without losses has no clock."""
        self.lost.set(kind, self.lost.get(kind) - steps)
        if not self.lost.get(kind):
            self.stop(kind)
        if not self.lost.nondeadly and not self.lost.deadly:
            self.spared = False

    def is_healing(self, kind: Kind) -> bool:
        """Whether the clock of a kind runs; none does for the dead and the spared."""
        return self.anchor.get(kind) is not None or self.due_at.get(kind) is not None

    def stop(self, kind: Kind) -> None:
        """Stop the clock of a kind."""
        self.anchor.set(kind, None)
        self.due_at.set(kind, None)
        self.cause.set(kind, None)


class Comfort(Struct):
    """A Comfort; `last_day` is the campaign day of its last use (AN-A17)."""

    last_day: int | None = None


class Relationship(Struct):
    """A grade toward a character or a group, and the play session since which it is so (0: before any)."""

    grade: str
    since_session: int = 0


class LifeExperience(Struct):
    """The amount left of it, and the amount a play session begins with."""

    current: int = 0
    max: int = 0


class PurgeOffer(Struct, frozen=True):
    """A purge that may be tried until the scene ends; `angst` is None where any type may be purged (AN-W4)."""

    trigger: OfferTrigger
    angst: str | None = None


class Character(Struct):
    """A character's sheet (AN-2), with what was used in this scene and session (AN-5).

    `hidden`: only some may know of them, so events about all characters do not name them.
    """

    character_id: str
    player_id: AccountId | None
    name: str
    kind: Literal["pc", "gmc"]
    cores: dict[CoreName, Core]
    rocks: dict[str, Trait] = field(default_factory=dict)
    sucks: dict[str, Trait] = field(default_factory=dict)
    perks: list[str] = field(default_factory=list)
    factoids: list[str] = field(default_factory=list)
    angst: dict[str, int] = field(default_factory=dict)
    stressors: list[str] = field(default_factory=list)
    comforts: dict[str, Comfort] = field(default_factory=dict)
    relationships: dict[str, Relationship] = field(default_factory=dict)
    story_points: int = 0
    life_experience: LifeExperience = field(default_factory=LifeExperience)
    status: Literal["active", "out_of_scene", "dead"] = "active"
    purge_offers: list[PurgeOffer] = field(default_factory=list)
    tapped_this_scene: bool = False
    factoid_used_this_scene: bool = False
    bought_purge_this_session: bool = False
    hidden: bool = False

    @property
    def total_angst(self) -> int:
        """All points of all types."""
        return sum(self.angst.values())

    @property
    def overwhelming(self) -> int:
        """The penalty of so much Angst for every other test (AN-10)."""
        return overwhelming(self.total_angst)

    def core(self, core: CoreName) -> Core:
        """One of the four Cores; a new one, which is not kept, on a sheet that lacks it after an undo."""
        return self.cores.get(core) or Core(rated="d0")


class CalledTest(Struct):
    """A test that the GM called and that is not made yet. `dn` is None for an opposed one."""

    test_id: str
    character: str
    core: CoreName
    dn: int | None
    crucial: Crucial | None = None
    negative_tap: str | None = None
    opposed: bool = False


class Test(Struct):
    """A rolled test: open for spends, or (opposed only) final and waiting to be judged.

    `hidden`: only some may know of it. `against`: the tests that an opposed one may act against; None: any. The
    last two are the person of its Relationship, and the one whose moral support counts.
    """

    test_id: str
    character: str
    kind: TestKind
    core: CoreName
    core_die: DieName
    dice: Faces
    modifiers: list[CountedModifier]
    dn: int | None
    opposed: bool = False
    final: bool = False
    rerolled: bool = False
    life_experience: int | None = None
    crucial: Crucial | None = None
    tap: str | None = None
    angst: str | None = None
    trigger: Trigger | None = None
    hidden: bool = False
    against: list[str] | None = None
    relationship: str | None = None
    supporter: str | None = None

    @property
    def total(self) -> int:
        """The total of dice, modifiers, and spends."""
        return self.dice.total + sum(modifier.value for modifier in self.modifiers) + (self.life_experience or 0)


class Angst(Struct):
    """A whole Angst campaign. `session` is the number of the last play session."""

    angst_types: list[str] = field(default_factory=list)
    characters: dict[str, Character] = field(default_factory=dict)
    called: list[CalledTest] = field(default_factory=list)
    tests: list[Test] = field(default_factory=list)
    settled_tests: dict[str, str] = field(default_factory=dict)
    session: int = 0

    @property
    def everybody(self) -> list[Character]:
        """All characters, by name."""
        return sorted(self.characters.values(), key=lambda character: (character.name, character.character_id))

    def test(self, test_id: str) -> Test | None:
        """A rolled test that is not settled."""
        return next((test for test in self.tests if test.test_id == test_id), None)


def fresh_cores(rated: dict[CoreName, DieName]) -> dict[CoreName, Core]:
    """Four whole Cores."""
    return {core: Core(rated=rated[core]) for core in CORES if core in rated}
