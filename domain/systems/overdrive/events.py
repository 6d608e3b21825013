"""The events of Overdrive.

Fields are the rulebook's words. A field that `evolve` adds up is a change (`amount`, `uses`, `levels`,
`points`); fields called `…_after`, `value`, `total`, `from` and `to` are what people saw at the time.
"""

from typing import ClassVar, Literal

from msgspec import UNSET, UnsetType, field

from domain.dice import Origin
from domain.ids import AccountId, ActionId
from domain.personal_text import FreeText, Name, ShortText
from domain.systems.overdrive.base_event_types import Fact, RolledDie
from domain.systems.overdrive.entrance_events import EntranceEvent
from domain.systems.overdrive.settings import Progression, RaiseRule, RevelationAward, Tie, TierReading
from domain.systems.overdrive.state import (
    Character,
    Duelist,
    DuelRoll,
    Mech,
    PendingLoss,
    Position,
    Reaction,
    Weapon,
)
from domain.systems.overdrive.tables import (
    Attribute,
    Counter,
    Direction,
    MovementMode,
    RollKind,
    Scale,
    SceneKind,
    Score,
    Side,
    Skill,
    Stat,
    Status,
    Tier,
    Weight,
)

# --- characters, rolls and Overdrive itself (OD-1 … OD-13)


GainReason = Literal["major", "social_scene", "revelation", "fatal_mode", "chapter", "recap", "personal_objective"]


class CharacterCreated(Fact, frozen=True, tag="overdrive.character_created"):
    """A character's sheet (OD-1); `hidden` if only some may know of it."""

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
    """A character is imported from another campaign, with mechs and Overdrive; ids are this campaign's."""

    sheet: Character
    mechs: list[Mech]


class CharacterAssigned(Fact, frozen=True, tag="overdrive.character_assigned"):
    """A character is handed to another player; None: no player."""

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

    added_later: ClassVar[tuple[str, ...]] = ("during",)
    character: str
    mech: str
    during: str | UnsetType = UNSET


class MechLeft(Fact, frozen=True, tag="overdrive.mech_left"):
    """A character gets out of a mech (OD-C4)."""

    added_later: ClassVar[tuple[str, ...]] = ("during",)
    character: str
    mech: str
    during: str | UnsetType = UNSET


# --- rolls


class InvocationAllowed(Fact, frozen=True, tag="overdrive.invocation_allowed"):
    """The GM allows an invocation of one relation (OD-14)."""

    character: str
    amount: int = 1


class BonusDiceGiven(Fact, frozen=True, tag="overdrive.bonus_dice_given"):
    """The GM gives bonus dice, for one of a character's next rolls (OD-5)."""

    character: str
    dice: int
    reason: FreeText | None = None


class RelationInvoked(Fact, frozen=True, tag="overdrive.relation_invoked"):
    """A relation adds dice to the roll that follows (OD-14)."""

    character: str
    relation: str
    free_left: int
    uses: int = 1
    dice: int = 3


class RelationStressed(Fact, frozen=True, tag="overdrive.relation_stressed"):
    """A relation is stressed, because it was invoked more often than it absorbs (OD-14).

    `roll` is the one it was invoked for; unset for a roll that is hidden beside open ones, and in old logs.
    """

    added_later: ClassVar[tuple[str, ...]] = ("roll",)
    character: str
    relation: str
    roll: str | UnsetType = UNSET


class RollMade(Fact, frozen=True, tag="overdrive.roll_made"):
    """A roll's whole arithmetic (OD-5 … OD-8). Bonus dice include those of relation, cover and advantage.

    `kind` says what it was for, and the fields after `held` what its outcome will need. `hidden`: some who know
    of the character do not know of the roll. `name` is that of a duellist without a sheet. A defence is
    `against` the roll of an attack, and the resolution of a tension against the roll that stressed the relation;
    unset in old logs. `given_dice` are those bonus dice that a GM gave before.
    """

    added_later: ClassVar[tuple[str, ...]] = ("name", "against", "during")
    drawn: ClassVar[tuple[str, ...]] = ("given_dice",)
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
    against: str | UnsetType = UNSET
    given_dice: int | UnsetType = UNSET
    during: str | UnsetType = UNSET


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
    """A roll is closed: no success can be bought for it any more (OD-C7)."""

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
    """A player has shown a reaction; the GM confirms (OD-C9). The GM's answer names its `offer_id`."""

    added_later: ClassVar[tuple[str, ...]] = ("offer_id",)
    character: str
    reaction: str
    weight: Weight
    offer_id: str | UnsetType = UNSET


class ReactionPlayed(Fact, frozen=True, tag="overdrive.reaction_played"):
    """A reaction brings spent points back (OD-13); `offer_id` where its player has shown it."""

    added_later: ClassVar[tuple[str, ...]] = ("offer_id",)
    drawn: ClassVar[tuple[str, ...]] = ("recovered",)
    character: str
    reaction: str
    weight: Weight
    recovered: int
    available_after: int
    spent_after: int
    offer_id: str | UnsetType = UNSET


class ReactionDeclined(Fact, frozen=True, tag="overdrive.reaction_declined"):
    """A shown reaction brings nothing back: the GM declines, or its player takes it `back` (OD-C9)."""

    added_later: ClassVar[tuple[str, ...]] = ("offer_id",)
    character: str
    reaction: str
    text: ShortText
    back: bool = False
    offer_id: str | UnsetType = UNSET


class QuestionAsked(Fact, frozen=True, tag="overdrive.question_asked"):
    """A question that the GM answers (OD-17). Those of old logs have no id, and no answer."""

    added_later: ClassVar[tuple[str, ...]] = ("question_id",)
    character: str
    text: FreeText
    question_id: str | UnsetType = UNSET


class QuestionAnswered(Fact, frozen=True, tag="overdrive.question_answered"):
    """The GM's answer to a character's question (OD-17)."""

    question_id: str
    character: str
    text: FreeText


class RevelationReached(Fact, frozen=True, tag="overdrive.revelation_reached"):
    """The players find something out by talking (OD-17)."""

    participants: list[str]
    revelation_award: RevelationAward
    text: FreeText | None = None


# --- between fights: relations, scenes, duels, progression (OD-14 … OD-18, OD-C29, OD-W3)


class RelationAdded(Fact, frozen=True, tag="overdrive.relation_added"):
    """A character has a new relation (OD-1)."""

    character: str
    relation: str
    nature: ShortText
    with_: Name = field(name="with")


class RelationRenamed(Fact, frozen=True, tag="overdrive.relation_renamed"):
    """A relation is renamed (OD-C10)."""

    character: str
    relation: str
    nature: ShortText
    with_: Name = field(name="with")


class RelationStrengthened(Fact, frozen=True, tag="overdrive.relation_strengthened"):
    """A relation grows stronger: a tension was resolved well (OD-14c)."""

    character: str
    relation: str
    level_after: int
    next_difficulty: int
    new_nature: ShortText | None = None
    levels: int = 1
    used_cleared: bool = True


class RelationBroken(Fact, frozen=True, tag="overdrive.relation_broken"):
    """A relation breaks: a tension was resolved badly (OD-14c)."""

    character: str
    relation: str


class RelationRepaired(Fact, frozen=True, tag="overdrive.relation_repaired"):
    """A broken relation is mended in play (OD-14d)."""

    character: str
    relation: str
    used_cleared: bool = True
    words: FreeText | None = None


class RelationTaskOpened(Fact, frozen=True, tag="overdrive.relation_task_opened"):
    """The GM is reminded of a tension to resolve (OD-W2)."""

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
    """Successes to repair with, `damage_cap` of them against damage (OD-16).

    `lapsed`: their roll was held until a fight, which leaves no time for repairs; unset in old logs, as is the
    roll, which what they repair names, too.
    """

    added_later: ClassVar[tuple[str, ...]] = ("lapsed", "roll_id")
    character: str
    scene: SceneKind
    target: str
    mech: str | None
    successes: int
    points: int
    damage_cap: int
    lapsed: bool | UnsetType = UNSET
    roll_id: str | UnsetType = UNSET


class DamageRepaired(Fact, frozen=True, tag="overdrive.damage_repaired"):
    """A damage counter goes down (OD-16). `character` did it, for `target`."""

    added_later: ClassVar[tuple[str, ...]] = ("roll_id",)
    character: str
    target: str
    mech: str | None
    counter: Counter
    amount: int
    value: int
    roll_id: str | UnsetType = UNSET


class ConfigurationRestored(Fact, frozen=True, tag="overdrive.configuration_restored"):
    """A lost configuration is restored (OD-16)."""

    added_later: ClassVar[tuple[str, ...]] = ("roll_id",)
    character: str
    mech: str
    config: str
    points: int = 2
    roll_id: str | UnsetType = UNSET


# --- duels


class DuelOpened(Fact, frozen=True, tag="overdrive.duel_opened"):
    """A duel is asked for; the sides `to_roll` are rolled by their players, who choose how (OD-18)."""

    duel_id: str
    sides: dict[Side, Duelist]
    to_roll: dict[Side, DuelRoll]
    stakes: FreeText | None = None


class DuelSideRolled(Fact, frozen=True, tag="overdrive.duel_side_rolled"):
    """One side of an opened duel has rolled; the other has not yet."""

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

    `hidden`: the payer and the amount are for GMs alone.
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
    """A side folds. The rest of its reserves is `returned`."""

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
    """A player has told what happened so far, and the table is paid for it (OD-W3)."""

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


# --- fights (OD-19 … OD-26)


class CombatStarted(Fact, frozen=True, tag="overdrive.combat_started"):
    """A fight begins with initiative (OD-19). `rulings` are those of its rules; unset in old logs.

    A ring of its map has so many `quadrants`; 4 where that is unset.
    """

    added_later: ClassVar[tuple[str, ...]] = ("quadrants",)
    combat_id: str
    participants: list[str]
    surprised: list[str]
    scale: Scale
    positions: dict[str, Position] = field(default_factory=dict)
    objective_position: Position | None = None
    rulings: int | UnsetType = UNSET
    quadrants: int | UnsetType = UNSET


class CombatJoined(Fact, frozen=True, tag="overdrive.combat_joined"):
    """A character joins the fight, last in its order until they roll initiative (OD-19, OD-20).

    `surprised`: they have no action in their first turn.
    """

    added_later: ClassVar[tuple[str, ...]] = ("surprised",)
    combat_id: str
    character: str
    position: Position | None = None
    surprised: bool | UnsetType = UNSET


class UnrechargedPenaltyApplied(Fact, frozen=True, tag="overdrive.unrecharged_penalty_applied"):
    """A mech enters a fight without having been recharged since its last (OD-19)."""

    character: str
    mech: str


class DamageTaken(Fact, frozen=True, tag="overdrive.damage_taken"):
    """A damage counter goes up (OD-26)."""

    character: str
    mech: str | None
    counter: Counter
    value: int
    amount: int = 1


class StabilisationRolled(Fact, frozen=True, tag="overdrive.stabilisation_rolled"):
    """A stabilisation roll against the counter (OD-26). `loss` is the choice that the player has to make now."""

    added_later: ClassVar[tuple[str, ...]] = ("loss_id",)
    character: str
    mech: str | None
    die: int
    counter: Counter
    against: int
    success: bool
    failures: int
    stabilisation_tie: Tie
    phase_counters: int
    sides: int
    origin: Origin
    proof: str
    counter_cleared: bool = False
    loss: PendingLoss | None = None
    loss_id: str | UnsetType = UNSET


class FatalModeEntered(Fact, frozen=True, tag="overdrive.fatal_mode_entered"):
    """From here on damage goes to the Fatal counter (OD-26)."""

    verdict: ClassVar[tuple[str, ...]] = ("character",)
    character: str
    mech: str


class CharacterGravelyWounded(Fact, frozen=True, tag="overdrive.character_gravely_wounded"):
    """A character is out of the fight (OD-26)."""

    verdict: ClassVar[tuple[str, ...]] = ("character",)
    character: str


class ConfigurationLost(Fact, frozen=True, tag="overdrive.configuration_lost"):
    """A failed stabilisation costs a configuration (OD-26)."""

    added_later: ClassVar[tuple[str, ...]] = ("loss_id",)
    character: str
    mech: str
    config: str
    loss_id: str | UnsetType = UNSET


class WeaponDisabled(Fact, frozen=True, tag="overdrive.weapon_disabled"):
    """A weapon is lost instead of a configuration (OD-19)."""

    added_later: ClassVar[tuple[str, ...]] = ("loss_id",)
    character: str
    mech: str
    weapon: str
    loss_id: str | UnsetType = UNSET


class CharacterStayedInCombat(Fact, frozen=True, tag="overdrive.character_stayed_in_combat"):
    """The player chose to fight on (OD-26)."""

    added_later: ClassVar[tuple[str, ...]] = ("loss_id",)
    character: str
    loss_id: str | UnsetType = UNSET


class CharacterStunned(Fact, frozen=True, tag="overdrive.character_stunned"):
    """The player chose to collapse (OD-26)."""

    added_later: ClassVar[tuple[str, ...]] = ("loss_id",)
    character: str
    loss_id: str | UnsetType = UNSET


class InitiativeSet(Fact, frozen=True, tag="overdrive.initiative_set"):
    """A place in the order (OD-20); `order` is the whole order so far."""

    character: str
    successes: int
    detection: int
    order: list[str]


class TacticalPointsSpent(Fact, frozen=True, tag="overdrive.tactical_points_spent"):
    """Tactical points are spent to move something (OD-20)."""

    added_later: ClassVar[tuple[str, ...]] = ("during",)
    item: str
    points: int
    moved_pm: int
    total_after: int
    direction: Direction | None = None
    character: str | None = None
    rings: int = 0
    quadrants: int = 0
    during: str | UnsetType = UNSET


class TurnsBegun(Fact, frozen=True, tag="overdrive.turns_begun"):
    """Initiative is over, and the first turn begins (OD-C30)."""

    added_later: ClassVar[tuple[str, ...]] = ("during", "turn_id")
    order: list[str]
    during: str | UnsetType = UNSET
    turn_id: str | UnsetType = UNSET


class TurnDelayed(Fact, frozen=True, tag="overdrive.turn_delayed"):
    """A character acts later this turn (OD-20)."""

    added_later: ClassVar[tuple[str, ...]] = ("during",)
    character: str
    after: str
    during: str | UnsetType = UNSET


class TurnEnded(Fact, frozen=True, tag="overdrive.turn_ended"):
    """A character is done for this turn (OD-C30)."""

    added_later: ClassVar[tuple[str, ...]] = ("during",)
    who: str
    during: str | UnsetType = UNSET


class CombatTurnStarted(Fact, frozen=True, tag="overdrive.combat_turn_started"):
    """A new turn: all may act again; movement points and unused cinematic actions are lost."""

    added_later: ClassVar[tuple[str, ...]] = ("turn_id",)
    turn: int
    amount: int = 1
    turn_id: str | UnsetType = UNSET


class MovementPointsGained(Fact, frozen=True, tag="overdrive.movement_points_gained"):
    """Movement points from a manoeuvre (OD-22)."""

    character: str
    amount: int


class CoverDiceGained(Fact, frozen=True, tag="overdrive.cover_dice_gained"):
    """Dice for the defence, each for one use (OD-22)."""

    character: str
    amount: int


class AdvantageDiceGained(Fact, frozen=True, tag="overdrive.advantage_dice_gained"):
    """Dice for the attack, each for one use (OD-22)."""

    character: str
    amount: int


class UnitMoved(Fact, frozen=True, tag="overdrive.unit_moved"):
    """A unit moves (OD-22): `rings` and `quadrants` are the change, `placed` a first known sector."""

    added_later: ClassVar[tuple[str, ...]] = ("during",)
    character: str
    curves: int
    straight: int
    cost: int
    pm_left: int
    cells: int
    from_: Position | None = field(name="from", default=None)
    to: Position | None = None
    rings: int = 0
    quadrants: int = 0
    placed: Position | None = None
    during: str | UnsetType = UNSET


class ProtectionStarted(Fact, frozen=True, tag="overdrive.protection_started"):
    """A character protects another until the protector's next turn (OD-22)."""

    added_later: ClassVar[tuple[str, ...]] = ("during",)
    protector: str
    protected: str
    cost: int
    pm_left: int
    during: str | UnsetType = UNSET


class CinematicActionUsed(Fact, frozen=True, tag="overdrive.cinematic_action_used"):
    """An extra action is used (OD-9)."""

    character: str
    amount: int = 1


class WeaponCooling(Fact, frozen=True, tag="overdrive.weapon_cooling"):
    """A fired weapon has to cool (OD-23, OD-A23)."""

    character: str
    weapon: str
    fired_turn: int
    ready_on_turn: int
    mech: str | None = None


class AttackResolved(Fact, frozen=True, tag="overdrive.attack_resolved"):
    """The result of attack against defence (OD-24): their rolls are `attack` and `defenses`, unset in old logs."""

    added_later: ClassVar[tuple[str, ...]] = ("attack", "defenses")
    attacker: str
    target: str
    victim: str
    weapon: str
    attack_successes: int
    defense_successes: int
    hit: bool
    excess: int
    damage: int
    max_recoil: int
    attack: str | UnsetType = UNSET
    defenses: list[str] | UnsetType = UNSET


class UnitRecoiled(Fact, frozen=True, tag="overdrive.unit_recoiled"):
    """A unit that was hit is pushed, or (`by_own_speed`) carried on by its own speed (OD-25)."""

    added_later: ClassVar[tuple[str, ...]] = ("by_own_speed",)
    character: str
    cells: int
    direction: Direction | None = None
    from_: Position | None = field(name="from", default=None)
    to: Position | None = None
    rings: int = 0
    quadrants: int = 0
    by_own_speed: bool | UnsetType = UNSET


class CombatEnded(Fact, frozen=True, tag="overdrive.combat_ended"):
    """A fight ends, with everything that lasts no longer (OD-W1)."""

    combat_id: str
    participants: list[str]
    mechs: list[str]


class MechDischarged(Fact, frozen=True, tag="overdrive.mech_discharged"):
    """A mech that fought has to be recharged (OD-W1)."""

    mech: str


class MechRecharged(Fact, frozen=True, tag="overdrive.mech_recharged"):
    """A mech is recharged for its next fight (OD-A26)."""

    mech: str


class StateRestored(Fact, frozen=True, tag="overdrive.state_restored"):
    """The GM ends lasting states; a field of None leaves its state (OD-C31)."""

    character: str
    mech: str | None = None
    status: Status | None = None
    mode: Literal["normal", "fatal"] | None = None
    failures: int | None = None
    weapon: str | None = None


Event = (
    CharacterCreated
    | CharacterAdopted
    | CharacterAssigned
    | EntranceEvent
    | MechCreated
    | MechBoarded
    | MechLeft
    | InvocationAllowed
    | BonusDiceGiven
    | RelationInvoked
    | RelationStressed
    | RollMade
    | CinematicTriggered
    | ObjectiveJudged
    | SuccessAdded
    | RollClosed
    | OverdriveGained
    | OverdriveSpent
    | OverdriveRetired
    | ConfigurationActivated
    | ReactionOffered
    | ReactionPlayed
    | ReactionDeclined
    | QuestionAsked
    | QuestionAnswered
    | RevelationReached
    | ChapterEnded
    | RecapTold
    | RelationAdded
    | RelationRenamed
    | RelationStrengthened
    | RelationBroken
    | RelationRepaired
    | RelationTaskOpened
    | SceneOpened
    | SceneEnded
    | TacticalPointGained
    | RecoveryEarned
    | DamageRepaired
    | ConfigurationRestored
    | DuelOpened
    | DuelSideRolled
    | DuelStarted
    | DuelRaised
    | DuelLost
    | TraitAdvanced
    | ObjectiveTaken
    | ObjectiveSessionPassed
    | ObjectivePaid
    | CombatStarted
    | CombatJoined
    | UnrechargedPenaltyApplied
    | DamageTaken
    | StabilisationRolled
    | FatalModeEntered
    | CharacterGravelyWounded
    | ConfigurationLost
    | WeaponDisabled
    | CharacterStayedInCombat
    | CharacterStunned
    | InitiativeSet
    | TacticalPointsSpent
    | TurnsBegun
    | TurnDelayed
    | TurnEnded
    | CombatTurnStarted
    | MovementPointsGained
    | CoverDiceGained
    | AdvantageDiceGained
    | UnitMoved
    | ProtectionStarted
    | CinematicActionUsed
    | WeaponCooling
    | AttackResolved
    | UnitRecoiled
    | CombatEnded
    | MechDischarged
    | MechRecharged
    | StateRestored
)
