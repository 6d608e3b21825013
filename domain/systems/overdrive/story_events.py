"""What happens between fights: relations, scenes, duels, progression (OD-14 … OD-18, OD-C29, OD-W3)."""

from typing import Literal

from msgspec import UNSET, UnsetType, field

from domain.ids import ActionId
from domain.personal_text import FreeText, Name, ShortText
from domain.systems.overdrive.event_types import Fact
from domain.systems.overdrive.settings import Progression, RaiseRule
from domain.systems.overdrive.state import Duelist, DuelRoll
from domain.systems.overdrive.tables import Counter, SceneKind, Side


class RelationAdded(Fact, frozen=True, tag="overdrive.relation_added"):
    """Somebody begins to matter (OD-1)."""

    character: str
    relation: str
    nature: ShortText
    with_: Name = field(name="with")


class RelationRenamed(Fact, frozen=True, tag="overdrive.relation_renamed"):
    """A relation is called otherwise (OD-C10)."""

    character: str
    relation: str
    nature: ShortText
    with_: Name = field(name="with")


class RelationStrengthened(Fact, frozen=True, tag="overdrive.relation_strengthened"):
    """A tension resolved well (OD-14c)."""

    character: str
    relation: str
    level_after: int
    next_difficulty: int
    new_nature: ShortText | None = None
    levels: int = 1
    used_cleared: bool = True


class RelationBroken(Fact, frozen=True, tag="overdrive.relation_broken"):
    """A tension resolved badly (OD-14c)."""

    character: str
    relation: str


class RelationRepaired(Fact, frozen=True, tag="overdrive.relation_repaired"):
    """A broken relation is mended in play (OD-14d)."""

    character: str
    relation: str
    used_cleared: bool = True
    words: FreeText | None = None


class RelationTaskOpened(Fact, frozen=True, tag="overdrive.relation_task_opened"):
    """The GM is reminded of a tension that wants to be resolved (OD-W2)."""

    character: str
    relation: str


# --- scenes


class SceneOpened(Fact, frozen=True, tag="overdrive.scene_opened"):
    """A scene between fights (OD-15)."""

    scene_id: str
    scene: SceneKind


class SceneEnded(Fact, frozen=True, tag="overdrive.scene_ended"):
    """The campaign's scene is over, and the one between fights with it."""

    scene_id: str


class TacticalPointGained(Fact, frozen=True, tag="overdrive.tactical_point_gained"):
    """The team is better prepared (OD-15)."""

    character: str
    total_after: int
    amount: int = 1


class RecoveryEarned(Fact, frozen=True, tag="overdrive.recovery_earned"):
    """Successes to repair with, `damage_cap` of them against damage (OD-16)."""

    character: str
    scene: SceneKind
    target: str
    mech: str | None
    successes: int
    points: int
    damage_cap: int


class DamageRepaired(Fact, frozen=True, tag="overdrive.damage_repaired"):
    """A counter goes down (OD-16). `character` did it, for `target`."""

    character: str
    target: str
    mech: str | None
    counter: Counter
    amount: int
    value: int


class ConfigurationRestored(Fact, frozen=True, tag="overdrive.configuration_restored"):
    """A lost configuration is there again (OD-16)."""

    character: str
    mech: str
    config: str
    points: int = 2


# --- duels


class DuelOpened(Fact, frozen=True, tag="overdrive.duel_opened"):
    """A duel is asked for; the sides `to_roll` are rolled by their players, who choose how (OD-18)."""

    duel_id: str
    sides: dict[Side, Duelist]
    to_roll: dict[Side, DuelRoll]
    stakes: FreeText | None = None


class DuelSideRolled(Fact, frozen=True, tag="overdrive.duel_side_rolled"):
    """One side of an opened duel has rolled; the other one has not yet."""

    duel_id: str
    side: Side
    successes: int
    name: str
    waits_for: str


class DuelStarted(Fact, frozen=True, tag="overdrive.duel_started"):
    """Both sides have rolled; the trailing side speaks first (OD-18, OD-A19)."""

    duel_id: str
    sides: dict[Side, Duelist]
    turn: Side
    stakes: FreeText | None = None


class DuelRaised(Fact, frozen=True, tag="overdrive.duel_raised"):
    """A side pays for successes: a character's points become spent, a reserve shrinks.

    `hidden`: who pays and how much is for GMs alone.
    """

    duel_id: str
    by: Side
    amount: int
    total: int
    next: Side
    duel_raise: RaiseRule
    character: str | None = None
    name: str = ""
    line: FreeText | None = None
    hidden: bool | UnsetType = UNSET


class DuelLost(Fact, frozen=True, tag="overdrive.duel_lost"):
    """A side folds. What reserves still held is `returned`."""

    duel_id: str
    loser: Side
    winner: Side
    loser_name: str
    winner_name: str
    returned: dict[Side, int] = field(default_factory=dict)


# --- progression


class TraitAdvanced(Fact, frozen=True, tag="overdrive.trait_advanced"):
    """A stat, a mech's attribute or a skill grows (OD-C29)."""

    character: str
    kind: Literal["stat", "attribute", "skill"]
    trait: str
    level_after: int
    progression: Progression
    mech: str | None = None
    levels: int = 1


class ChapterEnded(Fact, frozen=True, tag="overdrive.chapter_ended"):
    """A chapter closes, and pays (OD-W3)."""

    participants: list[str]
    amount: int
    progression: Progression


class RecapTold(Fact, frozen=True, tag="overdrive.recap_told"):
    """Somebody told what happened so far, and the table is paid for it (OD-W3)."""

    awards: dict[str, int]
    progression: Progression


class ObjectiveTaken(Fact, frozen=True, tag="overdrive.objective_taken"):
    """A personal objective (OD-W3)."""

    objective_id: str
    character: str
    text: FreeText
    progression: Progression


class ObjectiveSessionPassed(Fact, frozen=True, tag="overdrive.objective_session_passed"):
    """A play session went by without an objective being paid; `action_id` is the action that ended it."""

    objective: str
    character: str
    sessions_after: int
    action_id: ActionId
    amount: int = 1


class ObjectivePaid(Fact, frozen=True, tag="overdrive.objective_paid"):
    """A personal objective pays, because it was achieved or because it waited for so long."""

    objective: str
    character: str
    sessions: int
    automatic: bool
    progression: Progression
