"""Characters, rolls and Overdrive itself (OD-1 … OD-13)."""

from typing import ClassVar, Literal

from msgspec import UNSET, UnsetType, field

from domain.ids import AccountId
from domain.personal_text import FreeText, Name, ShortText
from domain.systems.overdrive.event_types import Fact, RolledDie
from domain.systems.overdrive.settings import RevelationAward, TierReading
from domain.systems.overdrive.state import Character, Mech, Reaction, Weapon
from domain.systems.overdrive.tables import (
    Attribute,
    MovementMode,
    RollKind,
    SceneKind,
    Score,
    Skill,
    Stat,
    Tier,
    Weight,
)

GainReason = Literal["major", "social_scene", "revelation", "fatal_mode", "chapter", "recap", "personal_objective"]


class CharacterCreated(Fact, frozen=True, tag="overdrive.character_created"):
    """A character's sheet (OD-1); `hidden` if not everybody may know of it."""

    character_id: str
    player_id: AccountId | None
    name: Name
    stats: dict[Stat, int]
    skills: dict[Skill, int]
    od_start: int
    reactions: list[Reaction]
    equipment: dict[Score, int] = field(default_factory=dict)
    weapons: dict[str, Weapon] = field(default_factory=dict)
    pairing: dict[Score, Stat] = field(default_factory=dict)
    hidden: bool = False


class CharacterAdopted(Fact, frozen=True, tag="overdrive.character_adopted"):
    """A character comes over from another campaign, with mechs and Overdrive; ids are this campaign's."""

    sheet: Character
    mechs: list[Mech]


class CharacterAssigned(Fact, frozen=True, tag="overdrive.character_assigned"):
    """A character is handed to another player, or to nobody."""

    character: str
    player_id: AccountId | None


class MechCreated(Fact, frozen=True, tag="overdrive.mech_created"):
    """A mech, and the pairing that is final from here on (OD-2, OD-A10)."""

    mech_id: str
    character: str
    name: Name
    attributes: dict[Attribute, int]
    pairing: dict[Score, Stat]
    configs: list[str]
    weapons: dict[str, Weapon]


class MechBoarded(Fact, frozen=True, tag="overdrive.mech_boarded"):
    """A character gets into a mech (OD-C4)."""

    character: str
    mech: str


class MechLeft(Fact, frozen=True, tag="overdrive.mech_left"):
    """A character gets out (OD-C4)."""

    character: str
    mech: str


# --- rolls


class InvocationAllowed(Fact, frozen=True, tag="overdrive.invocation_allowed"):
    """Things are critical enough to invoke one relation (OD-14)."""

    character: str
    amount: int = 1


class RelationInvoked(Fact, frozen=True, tag="overdrive.relation_invoked"):
    """A relation brings dice to the roll that follows (OD-14)."""

    character: str
    relation: str
    free_left: int
    uses: int = 1
    dice: int = 3


class RelationStressed(Fact, frozen=True, tag="overdrive.relation_stressed"):
    """More was asked of a relation than it absorbs (OD-14)."""

    character: str
    relation: str


class RollMade(Fact, frozen=True, tag="overdrive.roll_made"):
    """A roll's whole arithmetic (OD-5 … OD-8). Bonus dice include those of relation, cover and advantage.

    `kind` says what it was for, and the fields after `held` what its outcome will need. `hidden`: not everybody
    may know of it who knows of the character. `name` is what a duellist without a sheet is called.
    """

    added_later: ClassVar[tuple[str, ...]] = ("name",)
    roll_id: str
    character: str | None
    kind: RollKind
    pool: int
    skill: int
    dice: list[RolledDie]
    successes: int
    tier: Tier
    tier_reading: TierReading
    use: str | None = None
    score: int = 0
    skill_name: Skill | None = None
    bonus_dice: int = 0
    penalty_dice: int = 0
    relation_dice: int = 0
    distance_penalty: int = 0
    cover_dice_used: int = 0
    advantage_dice_used: int = 0
    difficulty: int | None = None
    held: bool = False
    target: str | None = None
    weapon: str | None = None
    cinematic: bool = False
    mode: MovementMode | None = None
    scene: SceneKind | None = None
    relation: str | None = None
    new_nature: ShortText | None = None
    words: FreeText | None = None
    hidden: bool | UnsetType = UNSET
    name: Name | UnsetType = UNSET


class CinematicTriggered(Fact, frozen=True, tag="overdrive.cinematic_triggered"):
    """One extra combat action (OD-8), in this `turn` of the fight; unset outside of fights, and in old logs."""

    character: str
    amount: int = 1
    turn: int | UnsetType = UNSET


class ObjectiveJudged(Fact, frozen=True, tag="overdrive.objective_judged"):
    """Whether a roll exceeds its difficulty, with the successes it has by now (OD-11)."""

    roll_id: str
    character: str
    difficulty: int
    successes: int
    achieved: bool


class SuccessAdded(Fact, frozen=True, tag="overdrive.success_added"):
    """A success was bought; the tier stays (OD-10)."""

    roll_id: str
    character: str
    natural: int
    total: int
    tier: Tier
    amount: int = 1


class RollClosed(Fact, frozen=True, tag="overdrive.roll_closed"):
    """No success can be bought for it any more (OD-C7)."""

    roll_id: str
    character: str


# --- Overdrive


class OverdriveGained(Fact, frozen=True, tag="overdrive.overdrive_gained"):
    """A new point (OD-1)."""

    character: str
    amount: int
    reason: GainReason
    available_after: int


class OverdriveSpent(Fact, frozen=True, tag="overdrive.overdrive_spent"):
    """Points move from available to spent (OD-1)."""

    character: str
    amount: int
    purpose: Literal["success", "configuration", "question"]
    available_after: int
    spent_after: int


class OverdriveRetired(Fact, frozen=True, tag="overdrive.overdrive_retired"):
    """Points leave the game (OD-C29)."""

    character: str
    amount: int
    available_after: int


class ConfigurationActivated(Fact, frozen=True, tag="overdrive.configuration_activated"):
    """A configuration runs (OD-12)."""

    character: str
    mech: str
    config: str


class ReactionOffered(Fact, frozen=True, tag="overdrive.reaction_offered"):
    """A player has shown a reaction; the GM confirms (OD-C9)."""

    character: str
    reaction: str
    weight: Weight


class ReactionPlayed(Fact, frozen=True, tag="overdrive.reaction_played"):
    """A reaction brings spent points back (OD-13)."""

    character: str
    reaction: str
    weight: Weight
    recovered: int
    available_after: int
    spent_after: int


class ReactionDeclined(Fact, frozen=True, tag="overdrive.reaction_declined"):
    """A reaction that was shown brings nothing back: the GM says no, or its player takes it `back` (OD-C9)."""

    character: str
    reaction: str
    text: ShortText
    back: bool = False


class QuestionAsked(Fact, frozen=True, tag="overdrive.question_asked"):
    """A question that the GM answers (OD-17)."""

    character: str
    text: FreeText


class RevelationReached(Fact, frozen=True, tag="overdrive.revelation_reached"):
    """The players found something out by talking (OD-17)."""

    participants: list[str]
    revelation_award: RevelationAward
    text: FreeText | None = None
