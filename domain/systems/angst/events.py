"""The events of Angst.

Fields are the rulebook's words. A field that `evolve` adds up is a change (`amount`, `steps`); `left`, `points`,
`overwhelming`, `effective`, `total`, `from` and `to` are what people saw at the time. `gmc_spendables` and
`players_set_dn` are True where only that setting allowed it.
"""

from typing import ClassVar, Literal

from msgspec import UNSET, UnsetType, field

from domain.ids import AccountId
from domain.personal_text import FreeText, Name
from domain.systems.angst.base_event_types import Fact
from domain.systems.angst.core_events import (
    CharacterDied,
    CharacterRemovedFromScene,
    CharacterSpared,
    CoreAdjusted,
    CoreRecovered,
    CoreReduced,
)
from domain.systems.angst.entrance_events import CharacterEntered
from domain.systems.angst.rolls import CountedModifier, Crucial, Faces, RolledDie, Tap
from domain.systems.angst.settings import SuckFloor
from domain.systems.angst.state import Core, LifeExperience, Trait
from domain.systems.angst.tables import CoreName, DieName, OfferTrigger, Side, TestKind, Trigger

__all__ = [
    "AngstGained",
    "AngstPurged",
    "AngstTapped",
    "AngstTypesDefined",
    "CharacterAdopted",
    "CharacterAssigned",
    "CharacterCreated",
    "CharacterDied",
    "CharacterEntered",
    "CharacterRemovedFromScene",
    "CharacterSpared",
    "ComfortUsed",
    "CoreAdjusted",
    "CoreRecovered",
    "CoreReduced",
    "DiceRerolled",
    "Event",
    "LifeExperienceRefreshed",
    "LifeExperienceSpent",
    "MilestoneReached",
    "OpposedTestResolved",
    "PositiveEventRecorded",
    "PurgeOffered",
    "Purpose",
    "RelationshipGradeChanged",
    "SceneEnded",
    "SceneStarted",
    "SessionStarted",
    "StoryPointEarned",
    "StoryPointsSpent",
    "TestCalled",
    "TestCancelled",
    "TestResolved",
    "TestRolled",
    "Use",
]

Purpose = Literal["off_core", "reroll", "purge"]
Use = Literal["positive", "negative"]


class AngstTypesDefined(Fact, frozen=True, tag="angst.angst_types_defined"):
    """The whole catalogue of Angst types (AN-4)."""

    types: list[str]


class Sheet(Fact, frozen=True):
    """The fields that a created and an imported character share (AN-2). `relationships` are grades by target."""

    character: str
    player_id: AccountId | None
    name: Name
    kind: Literal["pc", "gmc"]
    rocks: dict[str, Trait]
    sucks: dict[str, Trait]
    perks: list[str]
    factoids: list[str]
    angst: dict[str, int]
    stressors: list[str]
    comforts: list[str]
    relationships: dict[str, str]
    story_points: int


class CharacterCreated(Sheet, frozen=True, tag="angst.character_created"):
    """A new sheet; `hidden` if only some may know of it."""

    cores: dict[CoreName, DieName]
    life_experience: int
    hidden: bool = False


class CharacterAdopted(Sheet, frozen=True, tag="angst.character_adopted"):
    """A character is imported from another campaign, with their losses, whose clocks start again."""

    cores: dict[CoreName, Core]
    life_experience: LifeExperience
    status: Literal["active", "dead"]
    hidden: bool = False


class CharacterAssigned(Fact, frozen=True, tag="angst.character_assigned"):
    """A character is handed to another player; None: no player."""

    character: str
    player_id: AccountId | None


class RelationshipGradeChanged(Fact, frozen=True, tag="angst.relationship_grade_changed"):
    """A grade toward a person (AN-3); `since_session` is the play session it happened in."""

    merely_seen: ClassVar[tuple[str, ...]] = ("from_",)
    character: str
    target: str
    grade: str
    from_: str | None = field(name="from")
    to: str
    since_session: int = 0
    why: FreeText | None = None


class SessionStarted(Fact, frozen=True, tag="angst.session_started"):
    """A play session begins: everything allowed once per session is allowed again (AN-5)."""

    number: int


class LifeExperienceRefreshed(Fact, frozen=True, tag="angst.life_experience_refreshed"):
    """Refilled to the maximum; `change` is the amount added at the time (AN-C2)."""

    merely_seen: ClassVar[tuple[str, ...]] = ("current", "change")
    in_passing: ClassVar[tuple[str, ...]] = ("character",)
    character: str
    current: int
    change: int


class SceneStarted(Fact, frozen=True, tag="angst.scene_started"):
    """A scene begins: everything allowed once per scene is allowed again (AN-5).

    Characters who were removed between scenes are back (`returned`); in old logs, which lack it, they stay out.
    """

    merely_seen: ClassVar[tuple[str, ...]] = ("returned",)
    in_passing: ClassVar[tuple[str, ...]] = ("returned",)
    added_later: ClassVar[tuple[str, ...]] = ("returned",)
    scene_id: str
    returned: list[str] | UnsetType = UNSET


class SceneEnded(Fact, frozen=True, tag="angst.scene_ended"):
    """A scene ends: open offers expire, and characters who were out of it are back (`returned`) (AN-C3)."""

    merely_seen: ClassVar[tuple[str, ...]] = ("returned",)
    in_passing: ClassVar[tuple[str, ...]] = ("returned",)
    scene_id: str
    returned: list[str] = field(default_factory=list)


class TestCalled(Fact, frozen=True, tag="angst.test_called"):
    """The GM asks for a test (AN-C4)."""

    test_id: str
    character: str
    core: CoreName
    dn: int | None
    crucial: Crucial | None = None
    negative_tap: str | None = None
    opposed: bool = False


class TestCancelled(Fact, frozen=True, tag="angst.test_cancelled"):
    """A test is cancelled: it will not be made, or not be judged."""

    test_id: str
    character: str


class StoryPointsSpent(Fact, frozen=True, tag="angst.story_points_spent"):
    """Paid for an off-core Rock or Suck, for re-rolls, or for a purge."""

    merely_seen: ClassVar[tuple[str, ...]] = ("left",)
    character: str
    amount: int
    purpose: Purpose
    left: int
    test_id: str | None = None
    gmc_spendables: bool = False


class StoryPointEarned(Fact, frozen=True, tag="angst.story_point_earned"):
    """Earned by a negative tap, or given by the GM."""

    merely_seen: ClassVar[tuple[str, ...]] = ("left",)
    character: str
    amount: int
    source: Literal["tap", "award"]
    left: int
    why: FreeText | None = None
    gmc_spendables: bool = False


class AngstTapped(Fact, frozen=True, tag="angst.angst_tapped"):
    """A type of Angst is drawn upon, for better or worse (AN-13)."""

    character: str
    angst: str
    use: Use
    test_id: str


class TestRolled(Fact, frozen=True, tag="angst.test_rolled"):
    """The dice of a test (AN-8). `dice` are the faces that count, `rolled` every die in order.

    `angst` is the type that an Angst test is about, `trigger` the cause that made a purge possible. `hidden` if
    only some may know of it. `against` are the opposing tests that were final by then, for an opposed one: it acts
    against one of these. `relationship` is the person of the Relationship, `supporter` the one whose moral support
    counts.
    """

    added_later: ClassVar[tuple[str, ...]] = ("against", "relationship", "supporter")
    test_id: str
    character: str
    kind: TestKind
    core: CoreName
    core_die: DieName
    dice: Faces
    rolled: list[RolledDie]
    modifiers: list[CountedModifier]
    total: int
    dn: int | None
    explosive: bool
    suck_floor: SuckFloor
    players_set_dn: bool = False
    opposed: bool = False
    rock: str | None = None
    suck: str | None = None
    perk: str | None = None
    tap: Tap | None = None
    factoid: Literal["helpful", "detrimental"] | None = None
    crucial: Crucial | None = None
    angst: str | None = None
    trigger: Trigger | None = None
    stressors: list[str] = field(default_factory=list)
    hidden: bool | UnsetType = UNSET
    against: list[str] | UnsetType = UNSET
    relationship: str | UnsetType = UNSET
    supporter: str | UnsetType = UNSET


class DiceRerolled(Fact, frozen=True, tag="angst.dice_rerolled"):
    """Dice that replace earlier ones: `rolled` are the new ones, `dice` all that count now (AN-15).

    `core_die` is what the Core of the test rolls.
    """

    added_later: ClassVar[tuple[str, ...]] = ("core_die",)
    test_id: str
    character: str
    rerolled: list[str]
    rolled: list[RolledDie]
    dice: Faces
    total: int
    core_die: DieName | UnsetType = UNSET


class LifeExperienceSpent(Fact, frozen=True, tag="angst.life_experience_spent"):
    """Added to an open test (AN-15)."""

    merely_seen: ClassVar[tuple[str, ...]] = ("left", "total")
    character: str
    test_id: str
    amount: int
    left: int
    total: int
    gmc_spendables: bool = False


class TestResolved(Fact, frozen=True, tag="angst.test_resolved"):
    """A test is final. An opposed one is not judged yet: its `dn`, `success` and `margin` are None."""

    test_id: str
    character: str
    kind: TestKind
    core: CoreName
    total: int
    dn: int | None
    success: bool | None
    margin: int | None
    opposed: bool = False


class OpposedTestResolved(Fact, frozen=True, tag="angst.opposed_test_resolved"):
    """Two tests are compared; a tie is the acting side's. `margin` is the difference (AN-20, AN-A22).

    `hidden` is the side that only some may know of: players read who won, but of that side neither its character
    nor its numbers.
    """

    acting: str | None
    opposing: str | None
    acting_character: str | None
    opposing_character: str | None
    dn: int | None
    acting_total: int | None
    winner: Side
    margin: int | None
    hidden: Side | UnsetType = UNSET


class AngstGained(Fact, frozen=True, tag="angst.angst_gained"):
    """An Angst test was failed: one more point (AN-17)."""

    merely_seen: ClassVar[tuple[str, ...]] = ("points", "overwhelming")
    character: str
    angst: str
    amount: int
    points: int
    overwhelming: int
    test_id: str


class AngstPurged(Fact, frozen=True, tag="angst.angst_purged"):
    """Points are purged: by a test, or bought (`test_id` None), at most those that are there (AN-18, AN-19)."""

    merely_seen: ClassVar[tuple[str, ...]] = ("points", "overwhelming")
    derived: ClassVar[tuple[str, ...]] = ("amount",)
    character: str
    angst: str
    amount: int
    points: int
    overwhelming: int
    test_id: str | None = None


class ComfortUsed(Fact, frozen=True, tag="angst.comfort_used"):
    """A Comfort is used up for the day, whatever the result (AN-A17)."""

    character: str
    comfort: str
    day: int


class PurgeOffered(Fact, frozen=True, tag="angst.purge_offered"):
    """A purge may be tried until the scene ends; `angst` is None where any type may be purged."""

    character: str
    trigger: OfferTrigger
    angst: str | None = None


class MilestoneReached(Fact, frozen=True, tag="angst.milestone_reached"):
    """A milestone of the story (AN-C12)."""

    characters: list[str]
    text: FreeText | None = None


class PositiveEventRecorded(Fact, frozen=True, tag="angst.positive_event_recorded"):
    """Something very good happened to a character (AN-C13)."""

    character: str
    text: FreeText | None = None


Event = (
    AngstTypesDefined
    | CharacterCreated
    | CharacterAdopted
    | CharacterEntered
    | CharacterAssigned
    | RelationshipGradeChanged
    | SessionStarted
    | LifeExperienceRefreshed
    | SceneStarted
    | SceneEnded
    | TestCalled
    | TestCancelled
    | StoryPointsSpent
    | StoryPointEarned
    | AngstTapped
    | TestRolled
    | DiceRerolled
    | LifeExperienceSpent
    | TestResolved
    | OpposedTestResolved
    | CoreReduced
    | CharacterRemovedFromScene
    | CharacterDied
    | CharacterSpared
    | CoreRecovered
    | CoreAdjusted
    | AngstGained
    | AngstPurged
    | ComfortUsed
    | PurgeOffered
    | MilestoneReached
    | PositiveEventRecorded
)
