"""The state of an Overdrive campaign: the fold of its events, plain data that is its own snapshot.

Iteration over a dict sorts it first: a snapshot may come back with its keys in another order.
"""

from collections.abc import Iterable
from typing import Literal

from msgspec import UNSET, Struct, UnsetType, field

from domain.ids import AccountId, ActionId
from domain.personal_text import ShortText
from domain.systems.overdrive.tables import (
    QUADRANTS,
    Attribute,
    ConfigState,
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
    Use,
)


class Reaction(Struct, frozen=True):
    """A habit of a character that wins Overdrive back (OD-13)."""

    id: str
    text: ShortText


class Relation(Struct):
    """A person who matters to a character. It absorbs `level` invocations before it is stressed (OD-14).

    `stressed_for` is the roll that it was last stressed for, as far as that is known.
    """

    with_: str = field(name="with")
    nature: ShortText
    state: Literal["calm", "stressed", "broken"] = "calm"
    level: int = 0
    used: int = 0
    stressed_for: str | UnsetType = UNSET


class Points(Struct):
    """Overdrive: points to spend, and spent ones that reactions bring back (OD-1)."""

    available: int = 0
    spent: int = 0


class Weapon(Struct):
    """A weapon; `ideal` is its ideal distance in PM. It cools from the turn it fired in (OD-23)."""

    type: str
    ideal: int
    state: Literal["ready", "disabled"] = "ready"
    cools: bool = True
    fired_turn: int | None = None


class PendingLoss(Struct, frozen=True):
    """A choice after a failed stabilisation (OD-26): which loss, and whether to stay. Old ones have no id."""

    weapon_allowed: bool
    stay_choice: bool
    mech: str | None = None
    loss_id: str | UnsetType = UNSET


class Character(Struct):
    """A character's sheet (OD-1). `mech` is the one they sit in; `pairing` names the stat of every score.

    `hidden`: only some may know of them, so events about all characters do not name them.
    """

    character_id: str
    player_id: AccountId | None
    name: str
    stats: dict[Stat, int]
    skills: dict[Skill, int]
    od: Points = field(default_factory=Points)
    reactions: list[Reaction] = field(default_factory=list)
    relations: dict[str, Relation] = field(default_factory=dict)
    equipment: dict[Score, int] = field(default_factory=dict)
    weapons: dict[str, Weapon] = field(default_factory=dict)
    pairing: dict[Score, Stat] = field(default_factory=dict)
    fatal: int = 0
    status: Status = "fit"
    mech: str | None = None
    pending_loss: PendingLoss | None = None
    invocations_allowed: int = 0
    hidden: bool = False
    bonus_dice_given: int | UnsetType = UNSET


class Mech(Struct):
    """A mech's sheet (OD-2). `pilot` is the character it belongs to."""

    mech_id: str
    pilot: str
    name: str
    attributes: dict[Attribute, int]
    configs: dict[str, ConfigState] = field(default_factory=dict)
    weapons: dict[str, Weapon] = field(default_factory=dict)
    phase: int = 0
    mode: Literal["normal", "fatal"] = "normal"
    stabilisation_failures: int = 0
    recharged: bool = True


def counter_in(mech: Mech | None) -> Counter:
    """The counter for damage (OD-26): the phase counter of a mech in normal mode, else the Fatal one."""
    return "phase" if mech is not None and mech.mode == "normal" else "fatal"


class Roll(Struct):
    """A character's last roll while successes may still be bought for it or, `held`, its outcome is due."""

    roll_id: str
    character: str
    kind: RollKind
    natural: int
    tier: Tier
    held: bool = False
    bought: int = 0
    difficulty: int | None = None
    target: str | None = None
    weapon: str | None = None
    cinematic: bool = False
    mode: MovementMode | None = None
    scene: SceneKind | None = None
    relation: str | None = None
    new_nature: str | None = None

    @property
    def successes(self) -> int:
        """Rolled and bought ones."""
        return self.natural + self.bought


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A sector of the map: `ring` counts curved lines from the centre, `quadrant` the straight ones, clockwise.

    A ring is a circle: quadrants are counted from 0, and after the last one comes the first again.
    """

    ring: int
    quadrant: int


class Attack(Struct):
    """An attack that waits for its defence or its resolution.

    `defenses` are successes by defender, `defense_rolls` their rolls.
    """

    attacker: str
    target: str
    weapon: str
    successes: int
    defenses: dict[str, int] = field(default_factory=dict)
    roll_id: str | UnsetType = UNSET
    defense_rolls: list[str] = field(default_factory=list)

    @property
    def defense(self) -> int:
        """The most successes of those who defend."""
        return max(self.defenses.values(), default=0)

    @property
    def excess(self) -> int:
        """How many more successes the attack has."""
        return max(0, self.successes - self.defense)


class Initiative(Struct, frozen=True):
    """The values that decide a place in the order (OD-20, OD-A25)."""

    successes: int
    detection: int


class Participant(Struct):
    """A participant of a fight, with values that last as long as it (OD-3)."""

    position: Position | None = None
    pm: int = 0
    cover_dice: int = 0
    advantage_dice: int = 0
    protecting: str | None = None
    quadrant_changed: bool = False
    cinematic_actions: int = 0
    movement_used: bool = False
    attack_used: bool = False
    heading: Direction | None = None
    initiative: Initiative | None = None
    mechs: list[str] = field(default_factory=list)
    """Those that they fought in."""
    late: bool = False
    """They joined later, and may roll initiative even in its turns."""
    acted: bool = False
    """They have done something in this turn, so that it can no longer wait."""
    surprised_in: int | None = None
    """Their first turn, if they joined unawares."""


class Combat(Struct):
    """A fight."""

    combat_id: str
    scale: Scale = "mech"
    phase: Literal["initiative", "turns"] = "initiative"
    turn: int = 1
    initiative_order: list[str] = field(default_factory=list)
    """Stays through the fight."""
    order: list[str] = field(default_factory=list)
    """This turn's."""
    done: list[str] = field(default_factory=list)
    """Fighters who have had their turn."""
    surprised: list[str] = field(default_factory=list)
    participants: dict[str, Participant] = field(default_factory=dict)
    attack: Attack | None = None
    rulings: int = 0
    """Those of its rules to the end; 0 are those of the first version, in old logs."""
    quadrants: int = QUADRANTS
    """How many a ring of its map has."""
    turn_id: str | UnsetType = UNSET
    """Unset before the first turn, and in old logs."""

    @property
    def now(self) -> str:
        """The turn that is played, by its id; before the first one the fight's."""
        return self.turn_id or self.combat_id

    def protector_of(self, who: str) -> str | None:
        """The protector of a character, if they have one."""
        return next(
            (other for other in sorted(self.participants) if self.participants[other].protecting == who), None
        )

    def protector_against(self, attack: Attack) -> str | None:
        """The protector of the target, who rolls a defence too, unless they attack it."""
        protector = self.protector_of(attack.target)
        return None if self.rulings > 1 and protector == attack.attacker else protector

    def is_surprised(self, who: str) -> bool:
        """Whether a character has no action in this turn, their first, but defences and configurations (OD-19)."""
        fighter = self.participants.get(who)
        began = self.turn == 1 and who in self.surprised
        return began or (fighter is not None and fighter.surprised_in == self.turn)

    def pinned(self, who: str) -> bool:
        """Whether a character protects or is protected, and so may not move (OD-22)."""
        return self.participants[who].protecting is not None or self.protector_of(who) is not None


class Scene(Struct):
    """A scene between fights; each participant rolls once, at its end (OD-15)."""

    scene_id: str
    kind: SceneKind
    rolled: list[str] = field(default_factory=list)


class Recovery(Struct):
    """Successes of a repair or care scene that are not used yet (OD-16); `lapsed` once a fight has begun.

    They were rolled with `roll_id`, which old ones lack.
    """

    scene: SceneKind
    target: str
    mech: str | None
    points: int
    damage_cap: int
    lapsed: bool = False
    roll_id: str | UnsetType = UNSET


class Duelist(Struct):
    """One side of a duel: a character, or an opponent of the GM's with a reserve of Overdrive.

    `hidden`: it uses a hidden roll made before, `roll_id`; its identity and numbers are for GMs alone.
    """

    name: str
    character: str | None
    successes: int
    od: int = 0
    hidden: bool | UnsetType = UNSET
    roll_id: str | UnsetType = UNSET


class DuelRoll(Struct, frozen=True):
    """A roll that a duel waits for, with the proposal of the one who started it."""

    use: Use | None = None
    skill: Skill | None = None


class Duel(Struct):
    """A duel; `turn` is the side to raise or fold, once `to_roll` is empty (OD-18)."""

    duel_id: str
    sides: dict[Side, Duelist]
    turn: Side
    stakes: str | None = None
    to_roll: dict[Side, DuelRoll] = field(default_factory=dict)


class Task(Struct, frozen=True):
    """A reminder for the GM of a tension to resolve (OD-W2)."""

    character: str
    relation: str


class PlayedReaction(Struct, frozen=True):
    """A reaction that a player has shown and the GM confirms (OD-C9). Old ones have no id."""

    character: str
    reaction: str
    weight: str
    offer_id: str | UnsetType = UNSET


class Objective(Struct):
    """A personal objective under `exo_progression`; `sessions` have passed since it was taken (OD-W3)."""

    objective_id: str
    character: str
    text: str
    sessions: int = 0
    due_by: ActionId | None = None


class Question(Struct):
    """A question to the GM, and its `answer` once there is one (OD-17)."""

    question_id: str
    character: str
    text: str
    answer: str | None = None


class OverdriveState(Struct):
    """The whole state of Overdrive. Dicts are by id, rolls and recoveries by character; questions as asked.

    The last hidden roll of an open character has a key of its own, beside their last open one.
    """

    characters: dict[str, Character] = field(default_factory=dict)
    mechs: dict[str, Mech] = field(default_factory=dict)
    tactical_points: int = 0
    objective_position: Position | None = None
    combat: Combat | None = None
    scene: Scene | None = None
    rolls: dict[str, Roll] = field(default_factory=dict)
    recoveries: dict[str, Recovery] = field(default_factory=dict)
    duel: Duel | None = None
    tasks: list[Task] = field(default_factory=list)
    tension_due: bool = False
    offered: dict[str, PlayedReaction] = field(default_factory=dict)
    objectives: list[Objective] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    def by_name(self, things: Iterable[str]) -> list[str]:
        """Ids of characters or mechs by name, because people do not see ids."""
        subjects = {id_: self.characters.get(id_) or self.mechs.get(id_) for id_ in things}
        return sorted(
            subjects, key=lambda id_: (subject.name if (subject := subjects[id_]) is not None else "", id_)
        )

    def mech_of(self, character: Character) -> Mech | None:
        """The mech a character sits in, else their first one."""
        if character.mech is not None and character.mech in self.mechs:
            return self.mechs[character.mech]
        own = self.by_name(mech.mech_id for mech in self.mechs.values() if mech.pilot == character.character_id)
        return self.mechs[own[0]] if own else None

    def boarded(self, character: Character) -> Mech | None:
        """The mech a character sits in; None on foot."""
        return self.mechs.get(character.mech) if character.mech is not None else None

    def counter(self, character: Character) -> Counter:
        """The counter for damage to a character, as they sit now (OD-26)."""
        return counter_in(self.boarded(character))

    def participant(self, character: str) -> Participant | None:
        """A character's place in the current fight."""
        return self.combat.participants.get(character) if self.combat is not None else None

    @property
    def still_to_act(self) -> list[str]:
        """The actor and those who follow, without those who cannot fight; empty before the turns."""
        combat = self.combat
        if combat is None or combat.phase != "turns":
            return []
        waiting = [who for who in combat.order if who not in combat.done]
        return waiting if combat.rulings == 0 else [who for who in waiting if self.is_fit(who)]

    @property
    def acting(self) -> str | None:
        """The actor; None before the turns. If none can fight any more, the first one in the order."""
        combat = self.combat
        if combat is None or combat.phase != "turns":
            return None
        waiting = [who for who in combat.order if who not in combat.done]
        return next(iter(self.still_to_act or waiting), None)

    def is_fit(self, character: str) -> bool:
        """Whether a character can fight."""
        sheet = self.characters.get(character)
        return sheet is not None and sheet.status == "fit"
