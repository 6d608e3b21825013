"""Rolling an action: prerequisites, dice, successes, hits and natural ones (FF-9 to FF-13).

Codes: prerequisite_not_met, prerequisite_not_needed, dice_missing, dice_already_assigned, tag_is_declared,
pool_exceeded, action_not_declared, attack_without_dv, not_in_action_time, unknown_clock, plus those of
`turns`, `conflicts` and `target_numbers`; not_the_gm, bonus_is_the_gms (forbidden).
"""

from typing import NamedTuple

from msgspec import UNSET, UnsetType

from domain.command_context import CommandContext
from domain.dice import Dice, Die
from domain.ids import derive_id
from domain.mechanics.refused_fields import About
from domain.rejection import Forbidden, Rejection
from domain.sentences import say, say_many
from domain.systems.freefall import events as e
from domain.systems.freefall.access import acting, require_bonus, require_gm, require_settled
from domain.systems.freefall.attributes import pool
from domain.systems.freefall.commands import RollAction
from domain.systems.freefall.direct_conflicts import require_order
from domain.systems.freefall.gear import bonus_for
from domain.systems.freefall.prerequisites import Payment, Purpose, meet
from domain.systems.freefall.state import Action, Attack, Character, Clock, FreefallState
from domain.systems.freefall.tables import DIE, ActionKind, outcome
from domain.systems.freefall.target_numbers import call_of, declared_tn, loose_tn
from domain.systems.freefall.time_modes import clocks_for
from domain.systems.freefall.turns import find_action, is_contested, is_nameless, require_actor


class Plan(NamedTuple):
    """A legal roll, before its price is paid and its dice are rolled."""

    actor: str
    character: Character | None
    action: Action | None
    kind: ActionKind
    dice: int
    base_tn: int
    tag: str | None
    attack: Attack | None
    conflict: bool
    clocks: list[Clock]


def roll_action(state: FreefallState, context: CommandContext, command: RollAction, dice: Dice) -> list[e.Event]:
    """FF-C8: the price first, then the dice; a price of harm that is not yet resolved stops the roll."""
    plan = _plan(state, context, command)
    paid = _price(state, context, command, plan)
    if paid.stops:
        return paid.events
    prerequisite = command.prerequisite.kind if command.prerequisite is not None else None
    already = plan.action.paid if plan.action is not None else _paid_ahead(plan)
    roll = _roll_dice(
        state, context, command, plan, dice, "paid" if prerequisite is None and already else prerequisite
    )
    return [*paid.events, roll, *_consequences(plan, roll)]


def _paid_ahead(plan: Plan) -> bool:
    """Whether a roll outside turns was paid for with harm that had to be resolved first."""
    return plan.kind == "specialized" and plan.character is not None and plan.character.paid_ahead > 0


def _plan(state: FreefallState, context: CommandContext, command: RollAction) -> Plan:
    """The roll and its roller, if the rules allow it."""
    if command.optimal_waived:
        require_gm(context, "FF-A4")
    if command.action is not None:
        plan = _declared(state, context, command, find_action(state, command.action, "FF-C8"))
    else:
        plan = _loose(state, context, command)
    if plan.character is not None:
        with About("action", "character", "prerequisite"):
            require_settled(state, plan.character, "FF-C8")
    require_bonus(context, sum(command.bonuses))  # last: an action that cannot be rolled is not tried with others
    return plan


def _declared(state: FreefallState, context: CommandContext, command: RollAction, action: Action) -> Plan:
    """A declared action whose turn it is."""
    actor = state.board.actor(action.actor) if state.board is not None else None
    if actor is not None:
        require_actor(state, context, actor, "FF-C8")
    elif not context.is_gm:
        raise Forbidden("not_your_character", "Only a GM may roll that action.", rule="FF-C8")
    with About("action", "dice"):
        _require_assigned(action, command.dice)
    require_order(state, action)
    with About("action", "tag"):
        tag = _tag(context, command, action)
    character = state.characters.get(action.actor)
    attack = _attack(character, command.attack or action.attack, action.attack)
    with About("action", "tn"):
        base_tn = declared_tn(context, command.tn, action)
    return Plan(
        actor=action.actor,
        character=character,
        action=action,
        kind=action.kind,
        dice=action.dice,
        base_tn=base_tn,
        tag=tag,
        attack=attack,
        conflict=bool(command.conflict) or is_contested(state, action),
        clocks=clocks_for(state, context, command.clock),
    )


def _require_assigned(action: Action, dice: int | None) -> None:
    """Raise `dice_already_assigned` for another number of dice than an action was declared with."""
    if dice not in (None, action.dice):
        raise Rejection(
            "dice_already_assigned",
            say_many(
                "{n} die was assigned to that action.", "{n} dice were assigned to that action.", action.dice
            ),
            rule="FF-8",
        )


def _loose(state: FreefallState, context: CommandContext, command: RollAction) -> Plan:
    """A roll outside turns; in montage it takes the whole pool."""
    tool = _tool(command) if command.character is None else None
    character = acting(state, context, command.character, "FF-C8", item=tool)
    if state.mode == "bullet" and state.board is not None and state.board.actor(character.character_id):
        raise Rejection(
            "action_not_declared",
            say(
                "{name} is in a turn: declare the action first, then roll that action.",
                name=character.name,
            ),
            rule="FF-8",
        )
    most = pool(character)
    count = command.dice
    if count is None:
        if state.mode != "montage":
            raise Rejection(
                "dice_missing", "Name a declared action, or say how many dice are rolled.", rule="FF-C8"
            )
        count = most
    if count > most:
        raise Rejection(
            "pool_exceeded",
            say("{name} has {most} dice, not {count}.", name=character.name, most=most, count=count),
            rule="FF-8",
            dice_pool=most,
        )
    return Plan(
        actor=character.character_id,
        character=character,
        action=None,
        kind=command.kind or "specialized",
        dice=count,
        base_tn=loose_tn(state, context, command.tn, character),
        tag=command.tag,
        attack=_attack(character, command.attack),
        conflict=bool(command.conflict),
        clocks=clocks_for(state, context, command.clock),
    )


def _tool(command: RollAction) -> str | None:
    """The item that a command names, whose owner may be the roller."""
    return command.prerequisite.item if command.prerequisite is not None else None


def _tag(context: CommandContext, command: RollAction, action: Action) -> str | None:
    """The tag as it was declared, else as the command says. Raises `tag_is_declared`."""
    if context.decided_before:
        return command.tag or action.tag
    if action.tag is not None and command.tag not in (None, action.tag):
        raise Rejection(
            "tag_is_declared",
            say("That action was declared as “{tag}”.", tag=action.tag),
            rule="FF-9",
            tag=action.tag,
        )
    return action.tag or command.tag


def _attack(character: Character | None, attack: Attack | None, declared: Attack | None = None) -> Attack | None:
    """An attack with everything filled in from its weapon, at the declared target. Raises `attack_without_dv`."""
    if attack is None:
        return None
    item = character.items.get(attack.item) if character is not None and attack.item is not None else None
    weapon = item.what.weapon if item is not None and item.works else None
    dv = attack.dv if attack.dv is not None else weapon.dv if weapon is not None else None
    if dv is None:
        raise Rejection(
            "attack_without_dv", "An attack needs a DV: give one, or name a weapon that works.", rule="FF-12"
        )
    by_weapon = weapon.high_impact if weapon is not None else False
    return Attack(
        dv=dv,
        harm_type=attack.harm_type or (weapon.harm_type if weapon is not None else "physical"),
        high_impact=by_weapon if attack.high_impact is None else attack.high_impact,
        item=attack.item,
        target=attack.target or (declared.target if declared is not None else None),
    )


def _price(state: FreefallState, context: CommandContext, command: RollAction, plan: Plan) -> Payment:
    """The price of the action's prerequisite. Bullet time always has one; other modes may go without."""
    if command.prerequisite is not None:
        if plan.kind == "simple":
            raise Rejection(
                "prerequisite_not_needed", "A simple action needs no prerequisite; leave it out.", rule="FF-9"
            )
        if plan.character is None:
            raise Rejection(
                "prerequisite_not_met",
                "An actor without a sheet needs no prerequisite; leave it out.",
                rule="FF-9",
            )
        attribute = plan.action.attribute if plan.action is not None else None
        action = plan.action.id if plan.action is not None else None
        weapon = plan.attack.item if plan.attack is not None else None
        purpose = Purpose(action, plan.tag, weapon, attribute)
        return meet(state, context, plan.character, command.prerequisite, purpose)
    needed = plan.kind == "specialized" and plan.character is not None and state.mode == "bullet"
    already = plan.action.paid if plan.action is not None else _paid_ahead(plan)
    if needed and not already:
        raise Rejection(
            "prerequisite_not_met",
            "A specialized action needs a specialty, a working tool, a point spent or harm taken.",
            rule="FF-9",
        )
    return Payment([])


def _roll_dice(
    state: FreefallState,
    context: CommandContext,
    command: RollAction,
    plan: Plan,
    dice: Dice,
    prerequisite: str | None,
) -> e.ActionRolled:
    """The roll: dice with their bonuses, against the TN with all penalties."""
    conflict = plan.action if plan.action is not None and plan.action.conflict_dice else None
    rolled_dice: list[Die] = (
        list(conflict.conflict_dice) if conflict is not None else [dice.roll(DIE) for _ in range(plan.dice)]
    )
    bonuses = list(command.bonuses)
    if conflict is not None and conflict.conflict_bonus and not bonuses:
        bonuses = [conflict.conflict_bonus]
    gear_bonus = bonus_for(plan.character, plan.tag)
    bonus = sum(bonuses) + gear_bonus
    tn = plan.base_tn + sum(command.penalties)
    in_range = plan.attack is None or command.within_optimal or command.optimal_waived
    successes = sum(die.natural == DIE or (in_range and die.natural + bonus >= tn) for die in rolled_dice)
    return e.ActionRolled(
        roll_id=derive_id("roll", context.action_id),
        actor=plan.actor,
        action=plan.action.id if plan.action is not None else None,
        kind=plan.kind,
        base_tn=plan.base_tn,
        penalties=list(command.penalties),
        tn=tn,
        bonuses=bonuses,
        gear_bonus=gear_bonus,
        bonus=bonus,
        dice=rolled_dice,
        naturals=[die.natural for die in rolled_dice],
        results=[die.natural + bonus for die in rolled_dice],
        successes=successes,
        outcome=outcome(successes),
        conflict=plan.conflict or plan.attack is not None,
        attack=plan.attack,
        within_optimal=command.within_optimal,
        optimal_waived=command.optimal_waived,
        mode=state.mode,
        prerequisite=prerequisite,  # type: ignore[arg-type]
        conflict_id=conflict.conflict_id if conflict is not None else None,
        narration=command.narration,
        hidden=context.visibility != "all" or UNSET,
        tag=(plan.tag if _is_untold(plan, command) else None) or UNSET,
        attribute=(plan.action.attribute if plan.action is not None and _is_untold(plan, command) else None)
        or UNSET,
        call_id=_call(state, context, plan),
    )


def _call(state: FreefallState, context: CommandContext, plan: Plan) -> str | UnsetType:
    """The GM's call that a roll answers: an open one outside turns."""
    if plan.action is not None or plan.character is None or context.visibility != "all":
        return UNSET
    return call_of(state, plan.character)


def _is_untold(plan: Plan, command: RollAction) -> bool:
    """Whether neither a name of the action nor a line of narration says what a roll is for."""
    if plan.action is not None:
        return is_nameless(plan.action.id)
    return command.narration is None


def _consequences(plan: Plan, roll: e.ActionRolled) -> list[e.Event]:
    """The consequences of a roll: a hit, a flag for the GM, clocks that move."""
    events: list[e.Event] = []
    attack = plan.attack
    if attack is not None and attack.dv is not None and roll.successes:
        critical = roll.within_optimal and DIE in roll.naturals
        events.append(
            e.AttackHit(
                roll_id=roll.roll_id,
                actor=roll.actor,
                dv=attack.dv,
                harm_type=attack.harm_type or "physical",
                high_impact=bool(attack.high_impact),
                critical=critical,
                levels=attack.dv * 2 if critical else attack.dv,
                target=attack.target or UNSET,
            )
        )
    ones = roll.naturals.count(1)
    if roll.conflict and ones:
        events.append(e.ComplicationFlagged(roll_id=roll.roll_id, actor=roll.actor, ones=ones))
    for clock in plan.clocks if roll.successes else []:
        after = min(clock.size, clock.filled + roll.successes)
        events.append(e.ClockTicked(clock.clock_id, roll.successes, after, clock.size))
    return events
