"""Rolls: pool, waves, tiers (OD-5 … OD-8), and the dice of a relation (OD-14).

Codes: unknown_relation, relation_broken, relation_already_stressed, not_critical_enough, roll_held, no_pairing,
bonus_not_given.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.ids import derive_id
from domain.mechanics.refused_fields import About
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import find_character, require_gm
from domain.systems.overdrive.base_command_types import Rolling
from domain.systems.overdrive.base_event_types import RolledDie
from domain.systems.overdrive.ledger import gain
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import Character, OverdriveState, Relation
from domain.systems.overdrive.tables import (
    ATTRIBUTE_OF,
    RELATION_DICE,
    SCORES,
    TIERS,
    RollKind,
    Skill,
    Stat,
    Tier,
)

HIDDEN = "hidden:"
OF_FIGHTS: tuple[RollKind, ...] = ("initiative", "movement", "attack", "defense")
"""The kinds of rolls that are made in a turn of a fight, or for their order."""


class Plan(Struct, frozen=True):
    """All that is known of a roll before its first die; making a plan raises the refusal of the roll."""

    kind: RollKind
    skill: int
    score: int
    bonus_dice: int = 0
    penalty_dice: int = 0
    character: Character | None = None
    relation: str | None = None
    use: str | None = None
    skill_name: Skill | None = None
    is_held: bool = False
    fields: dict[str, Any] = {}
    turn: int | UnsetType = UNSET
    during: str | UnsetType = UNSET
    may_act_again: bool = True
    given_dice: int = 0

    @property
    def pool(self) -> int:
        """The number of dice, at least 0 (OD-5)."""
        return max(0, self.score + self.bonus_dice - self.penalty_dice)


def worth(state: OverdriveState, character: Character, use: str) -> int:
    """The value of a stat, or of a score in the mech or on foot (OD-4). Raises `no_pairing`."""
    kind, _, name = use.partition(":")
    stats: dict[str, int] = {str(key): level for key, level in character.stats.items()}
    if kind == "stat":
        return stats.get(name, 0)
    score = next(score for score in SCORES if score == name)
    paired: Stat | None = character.pairing.get(score)
    if paired is None:
        raise Rejection(
            "no_pairing",
            say("{name} has no scores yet: create a mech, and pair stats with attributes.", name=character.name),
            rule="OD-2",
        )
    mech = state.boarded(character)
    if mech is None:
        return stats.get(paired, 0) + character.equipment.get(score, 0)
    return stats.get(paired, 0) + mech.attributes.get(ATTRIBUTE_OF[score], 0)


def combat_skill(state: OverdriveState, character: Character) -> Skill:
    """The skill that a character fights with (OD-6)."""
    return "mech_combat" if state.boarded(character) is not None else "personal_combat"


def find_relation(character: Character, relation: str, rule: str) -> Relation:
    """The relation of this id. Raises `unknown_relation`."""
    known_relation = character.relations.get(relation)
    if known_relation is None:
        raise Rejection(
            "unknown_relation",
            say("{name} does not have that relation.", name=character.name),
            rule=rule,
            choices=sorted(character.relations),
        )
    return known_relation


def require_invocable(character: Character, relation: str | None, context: CommandContext) -> None:
    """OD-14: raise `relation_broken`, `relation_already_stressed` or `not_critical_enough`."""
    if relation is None:
        return
    known_relation = find_relation(character, relation, "OD-14")
    if known_relation.state == "broken":
        raise Rejection(
            "relation_broken",
            say("The relation with {whom} is broken: repair it first.", whom=known_relation.with_),
            rule="OD-14",
        )
    if known_relation.state == "stressed":
        raise Rejection(
            "relation_already_stressed",
            say("The relation with {whom} is under stress: resolve the tension first.", whom=known_relation.with_),
            rule="OD-A14",
        )
    if character.invocations_allowed < 1 and not context.is_gm:
        raise Rejection(
            "not_critical_enough",
            "Things are not critical enough for that: the GM has to allow it first.",
            rule="OD-14",
        )


def is_beside(character: Character, context: CommandContext) -> bool:
    """Whether a roll is hidden although its character is not: it is kept beside their open one."""
    return context.visibility != "all" and not character.hidden


def kept_under(character: str, *, is_hidden: bool) -> str:
    """The key of a character's last roll; a hidden roll of an open character has a key of its own."""
    return f"{HIDDEN}{character}" if is_hidden else character


def require_nothing_held(state: OverdriveState, character: Character, context: CommandContext) -> None:
    """Raise `roll_held` if an open roll has to be closed first."""
    open_roll = state.rolls.get(kept_under(character.character_id, is_hidden=is_beside(character, context)))
    if open_roll is not None and open_roll.held:
        raise Rejection(
            "roll_held",
            say("{name} has a held roll that the GM has to close first.", name=character.name),
            rule="OD-C7",
        )


def plan(
    state: OverdriveState,
    context: CommandContext,
    character: Character,
    command: Rolling,
    kind: RollKind,
    use: str,
    skill: Skill,
    **fields: Any,
) -> Plan:
    """The plan of a character's roll by a command; `fields` are further ones of `RollMade`."""
    require_nothing_held(state, character, context)
    with _about(kind, "character", "invoke_relation"):
        require_invocable(character, command.invoke_relation, context)
    score = worth(state, character, use)  # first: without scores no other bonus dice help
    with _about(kind, "character", "bonus_dice"):
        _require_given(character, command.bonus_dice, context)
    extra = fields.get("cover_dice_used", 0) + fields.get("advantage_dice_used", 0)
    return Plan(
        kind=kind,
        skill=character.skills.get(skill, 1),
        score=score,
        bonus_dice=command.bonus_dice + extra + (RELATION_DICE if command.invoke_relation is not None else 0),
        penalty_dice=command.penalty_dice + fields.get("distance_penalty", 0),
        character=character,
        relation=command.invoke_relation,
        use=use,
        skill_name=skill,
        is_held=command.hold,
        fields=fields,
        given_dice=min(command.bonus_dice, character.bonus_dice_given or 0),
        turn=_turn_of(state, character),
        during=_moment_of(state, character, kind),
        may_act_again=_may_act_again(state, character),
    )


def _about(kind: RollKind, *fields: str) -> AbstractContextManager[None]:
    """The fields of a command that decide a refusal; a duel has those of each side in a draft of its own."""
    return nullcontext() if kind == "duel" else About(*fields)


def give_bonus_dice(
    state: OverdriveState, context: CommandContext, command: c.GiveBonusDice
) -> list[e.BonusDiceGiven]:
    """OD-5: the GM gives dice that no other rule names."""
    require_gm(context, "OD-5")
    character = find_character(state, context, command.character, "OD-5")
    return [e.BonusDiceGiven(character.character_id, command.dice, command.reason)]


def _require_given(character: Character, dice: int, context: CommandContext) -> None:
    """Raise `bonus_not_given` for more bonus dice of a player's own than a GM has given."""
    settings: Settings = context.settings
    given_dice = character.bonus_dice_given or 0
    if dice <= given_dice or context.is_gm or context.decided_before or settings.bonus_dice == "free":
        return
    raise Rejection(
        "bonus_not_given",
        say("A GM gives bonus dice, and {name} has {n} of them.", name=character.name, n=given_dice)
        if given_dice
        else say("A GM gives bonus dice first: {name} has none yet.", name=character.name),
        rule="OD-5",
        given=given_dice,
    )


def _turn_of(state: OverdriveState, character: Character) -> int | UnsetType:
    """The turn in which an extra action may be used; unset outside of turns, and in old fights."""
    combat = state.combat
    fights = combat is not None and combat.rulings and character.character_id in combat.participants
    return combat.turn if combat is not None and fights else UNSET


def _moment_of(state: OverdriveState, character: Character, kind: RollKind) -> str | UnsetType:
    """The turn of a fight, or the scene, that a roll is for; unset for others."""
    if kind == "scene" and state.scene is not None:
        return state.scene.scene_id
    return moment_of(state, character) if kind in OF_FIGHTS else UNSET


def moment_of(state: OverdriveState, character: Character) -> str | UnsetType:
    """The turn of the fight that a character is in; unset where they are in none."""
    combat = state.combat
    return combat.now if combat is not None and character.character_id in combat.participants else UNSET


def _may_act_again(state: OverdriveState, character: Character) -> bool:
    """Whether an extra action can still be used in this turn of a fight."""
    combat, who = state.combat, character.character_id
    if combat is None or combat.rulings <= 1 or who not in combat.participants:
        return True
    return who not in combat.done and not combat.is_surprised(who)


def waves(pool: int, skill: int, dice: Dice) -> list[RolledDie]:
    """The dice of a pool, then a new die for every one rolled, wave after wave (OD-7)."""
    rolled_dice: list[RolledDie] = []
    wave, count = 0, pool
    while count:
        faces = [dice.roll(6) for _ in range(count)]
        rolled_dice += [
            RolledDie(wave, die.natural, die.natural <= skill, die.sides, die.origin, die.proof) for die in faces
        ]
        wave, count = wave + 1, sum(die.natural == 1 for die in faces)
    return rolled_dice


def tier_of(successes: int, settings: Settings) -> Tier:
    """OD-8: the tier by rolled successes, without bought ones."""
    major, cinematic = TIERS[settings.tier_reading]
    if successes >= cinematic:
        return "cinematic"
    return "major" if successes >= major else "none"


def invoked(character: Character, relation: str, roll: str | UnsetType) -> list[e.Event]:
    """The events of an invocation for a roll; one more than the relation absorbs stresses it (OD-14)."""
    known_relation = character.relations[relation]
    free_left = known_relation.level - known_relation.used - 1
    who = character.character_id
    events: list[e.Event] = [e.RelationInvoked(who, relation, free_left=max(0, free_left), dice=RELATION_DICE)]
    return [*events, e.RelationStressed(who, relation, roll)] if free_left < 0 else events


def make(planned: Plan, context: CommandContext, dice: Dice, nth: int = 0) -> list[e.Event]:
    """The events of a roll: relation, roll, tier (section 2). `nth` numbers the rolls of one action."""
    character, roll_id = planned.character, derive_id("roll", context.action_id, nth)
    events: list[e.Event] = []
    if character is not None and planned.relation is not None:
        events += invoked(character, planned.relation, UNSET if is_beside(character, context) else roll_id)
    rolled_dice = waves(planned.pool, planned.skill, dice)
    successes = sum(die.success for die in rolled_dice)
    tier = tier_of(successes, context.settings)
    events.append(
        e.RollMade(
            roll_id=roll_id,
            character=character.character_id if character is not None else None,
            kind=planned.kind,
            pool=planned.pool,
            skill=planned.skill,
            dice=rolled_dice,
            successes=successes,
            tier=tier,
            tier_reading=context.settings.tier_reading,
            use=planned.use,
            score=planned.score,
            skill_name=planned.skill_name,
            bonus_dice=planned.bonus_dice,
            penalty_dice=planned.penalty_dice,
            relation_dice=RELATION_DICE if planned.relation is not None else 0,
            held=planned.is_held,
            given_dice=planned.given_dice if planned.given_dice > 0 else UNSET,
            during=planned.during,
            hidden=(character is not None and is_beside(character, context)) or UNSET,
            **planned.fields,
        )
    )
    if character is not None and tier != "none":
        events.append(gain(character, 1, "major"))
        if tier == "cinematic" and planned.may_act_again:
            events.append(e.CinematicTriggered(character.character_id, turn=planned.turn))
    return events


def bonus_dice_given(state: OverdriveState, event: e.BonusDiceGiven) -> None:
    """Keep the dice for one of the character's next rolls."""
    character = state.characters.get(event.character)
    if character is not None:
        character.bonus_dice_given = (character.bonus_dice_given or 0) + event.dice


def given_dice_used(state: OverdriveState, event: e.RollMade) -> None:
    """Use the dice up."""
    character = state.characters.get(event.character or "")
    if character is not None and event.given_dice:
        dice_left = (character.bonus_dice_given or 0) - event.given_dice
        character.bonus_dice_given = dice_left if dice_left > 0 else UNSET


def relation_invoked(state: OverdriveState, event: e.RelationInvoked) -> None:
    """Use up an invocation, and the permission for it."""
    character = state.characters.get(event.character)
    if character is None:
        return
    character.invocations_allowed = max(0, character.invocations_allowed - event.uses)
    relation = character.relations.get(event.relation)
    if relation is not None:
        relation.used += event.uses


def cinematic_triggered(state: OverdriveState, event: e.CinematicTriggered) -> None:
    """Add an extra action during a fight."""
    fighter = state.participant(event.character)
    if fighter is not None:
        fighter.cinematic_actions += event.amount
