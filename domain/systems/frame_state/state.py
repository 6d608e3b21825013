"""The state of a Frame State campaign: the fold of its events, plain data that is its own snapshot.

Iteration over a dict sorts it first: a snapshot may come back with its keys in another order.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Struct, UnsetType, field

from domain.field_references import ref
from domain.ids import AccountId, ActionId
from domain.personal_text import Amount, FreeText, Name
from domain.systems.frame_state.tables import AttributeType, Method, Owner, TestType

REMEMBERED = 256
"""The settled tests and concluded missions that are remembered by id."""

ROLLERS_REMEMBERED = 2048
"""The tests and proposals of which the roller is remembered."""


class Attribute(Struct, frozen=True, forbid_unknown_fields=True):
    """One attribute of the catalogue: its offer, and its grade before any point (FS-3)."""

    type: AttributeType
    base: int = 0


class Category(Struct, frozen=True):
    """One advancement category; `cost` is per advance, `advance_limit` how many there may be (FS-3)."""

    owner: Owner
    starting_points: int
    cost: int
    advance_limit: int
    attributes: dict[str, Attribute]


class Catalogue(Struct, frozen=True):
    """Everything that can be bought in this campaign; it never changes once a sheet uses it (FS-3)."""

    categories: dict[str, Category]
    starting_currency: int
    new_frame_price: int | None


class Pool(Struct):
    """The points of one category: granted at creation, and one for each advance."""

    granted: int
    advances: int = 0


class Build(Struct):
    """The build of a pilot or a frame: pools by category, points and experimental parts by attribute.

    `freed` are the unspent points, by attribute, that refits took out of it: they go to other attributes (FS-A10).
    """

    pools: dict[str, Pool] = field(default_factory=dict)
    invested: dict[str, int] = field(default_factory=dict)
    experimental: dict[str, list[int]] = field(default_factory=dict)
    freed: dict[str, int] = field(default_factory=dict)


class Pilot(Struct):
    """A pilot's sheet (1.4). `currency` may be negative; `frames` are ids, oldest first."""

    pilot_id: str
    player_id: AccountId | None
    name: str
    currency: int
    build: Build
    background: FreeText | None = None
    frames: list[str] = field(default_factory=list)


class Frame(Struct):
    """A frame's sheet (1.4). Everything in `build` belongs to frame-owned categories.

    `upgrade_cost_total` sums the price of every upgrade, of which `carried_cost` came from the frame that this
    one replaced. `refit_credit` pays refits first. `price_due` is the unpaid price of a frame that followed a
    lost one (0: it is paid); unset where none was lost, and for an imported frame whose sheet does not say it.
    """

    frame_id: str
    pilot_id: str
    name: str
    build: Build
    status: Literal["active", "lost", "replaced"] = "active"
    upgrade_cost_total: int = 0
    upgrade_costs: dict[str, int] = field(default_factory=dict)
    carried_cost: int = 0
    refit_credit: int = 0
    salvaged: bool = False
    replaced_by: str | None = None
    price_due: int | UnsetType = UNSET


class Unit(Struct):
    """An NPC that the Handler controls (FS-1)."""

    unit_id: str
    name: str


class TestDie(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """A die of a test: the one that an `attribute` offers, or a plain `die` such as d8. Exactly one."""

    attribute: Annotated[Name, ref("die_attribute", of="pilot")] | None = None
    die: Literal["d4", "d6", "d8", "d10", "d12"] | None = None


class AttributeModifier(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The value that a Val attribute adds to a score."""

    attribute: Annotated[Name, ref("val_attribute", of="pilot")]


Modifier = Amount | AttributeModifier
"""A situational number, or a Val attribute."""


class Test(Struct):
    """A test that waits for its roll. `roller` says whether `pilot` is a pilot or an NPC's unit.

    `mark` is None only in states of audiences that may not see it.
    """

    test_id: str
    pilot: str
    roller: Literal["pilot", "npc"]
    test_type: TestType
    mark: int | None
    mark_hidden: bool
    dice: list[TestDie]
    modifiers: list[Modifier]
    method: Method
    situation: FreeText | None = None
    hidden: bool = False


class Proposal(Struct):
    """A pilot's request for a proactive test; the Handler answers by calling it."""

    proposal_id: str
    pilot: str
    dice: list[TestDie]
    modifiers: list[Modifier]
    method: Method
    intent: FreeText | None = None
    hidden: bool = False


Settled = Literal["resolved", "cancelled"]
"""How a test ended."""


class Mission(Struct):
    """A running mission, or a concluded one that still owes payouts (`owed`, by pilot)."""

    mission_id: str
    name: str
    pilots: list[str]
    state: Literal["running", "concluded"] = "running"
    owed: dict[str, int] = field(default_factory=dict)
    concluded_by: ActionId | None = None


class SettledMission(Struct):
    """The record of a mission that is concluded and paid."""

    mission_id: str
    name: str


class Replacement(Struct):
    """A pilot's request to replace a lost frame, waiting for the Handler."""

    pilot: str
    old: str
    new: str


class FrameState(Struct):
    """A whole Frame State campaign. `rollers` are the rollers of recent tests and proposals, by their ids."""

    handler: AccountId | None = None
    pilot_seats: list[AccountId] = field(default_factory=list)
    catalogue: Catalogue | None = None
    pilots: dict[str, Pilot] = field(default_factory=dict)
    frames: dict[str, Frame] = field(default_factory=dict)
    units: dict[str, Unit] = field(default_factory=dict)
    tests: list[Test] = field(default_factory=list)
    settled_tests: dict[str, Settled] = field(default_factory=dict)
    rollers: dict[str, str] = field(default_factory=dict)
    proposals: list[Proposal] = field(default_factory=list)
    missions: list[Mission] = field(default_factory=list)
    settled_missions: list[SettledMission] = field(default_factory=list)
    replacements: list[Replacement] = field(default_factory=list)

    def active_frame(self, pilot: Pilot) -> Frame | None:
        """The frame that a pilot flies, if any: the latest, if an undo leaves two."""
        for frame_id in reversed(pilot.frames):
            frame = self.frames.get(frame_id)
            if frame is not None and frame.status == "active":
                return frame
        return None

    def roller(self, test_id: str) -> str | None:
        """The name of the roller of a recent test or proposal."""
        who = self.rollers.get(test_id, "")
        subject = self.pilots.get(who) or self.units.get(who)
        return subject.name if subject is not None else None

    def lost_frame(self, pilot: Pilot) -> Frame | None:
        """The last machine that a pilot lost and has not replaced."""
        frames = (self.frames[frame_id] for frame_id in reversed(pilot.frames) if frame_id in self.frames)
        return next((frame for frame in frames if frame.status == "lost"), None)

    def mission_of(self, pilot_id: str) -> Mission | None:
        """The running mission of this pilot; None means "between missions"."""
        return next((m for m in self.missions if m.state == "running" and pilot_id in m.pilots), None)

    def test(self, test_id: str) -> Test | None:
        """The open test of this id."""
        for test in self.tests:  # there are one or two, and every fold of a test comes through here
            if test.test_id == test_id:
                return test
        return None
