"""The outcome of a roll, once no success can be bought for it any more (OD-C5, OD-C6, OD-C7).

A plain roll, an attack and a defence stay open until the next step; the other rolls settle at once, unless they
are held. Codes: roll_closed, one_overdrive_per_roll, which_roll.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, assert_never

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.mechanics.dispatch import Answer, Decide
from domain.mechanics.omitted_ids import the_one
from domain.mechanics.refused_fields import About
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.overdrive import attacks, initiative, movement, relations, scenes
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import find_character, find_own, require_gm, require_player_of
from domain.systems.overdrive.ledger import spend
from domain.systems.overdrive.rolls import HIDDEN, Plan, is_beside, kept_under, make, plan, require_invocable
from domain.systems.overdrive.state import OverdriveState, Roll

SETTLES_AT_ONCE = ("relation", "scene", "initiative", "movement")


def roll(state: OverdriveState, context: CommandContext, command: c.MakeRoll, dice: Dice) -> list[e.Event]:
    """OD-C5: a roll of no other kind. A GM may make a hidden roll for any character."""
    character = find_character(state, context, command.character, "OD-C5")
    if not (context.is_gm and is_beside(character, context)):
        require_player_of(character, context, "OD-C5")
    with About("character", "invoke_relation"):
        require_invocable(character, command.invoke_relation, context)
    planned = plan(
        state, context, character, command, "plain", command.use, command.skill, difficulty=command.difficulty
    )
    return roll_with_outcome(state, context, planned, dice)


def roll_with_outcome(
    state: OverdriveState, context: CommandContext, planned: Plan, dice: Dice, nth: int = 0
) -> list[e.Event]:
    """The events of a roll, with its outcome unless it is held."""
    events = make(planned, context, dice, nth)
    roll = next(event for event in events if isinstance(event, e.RollMade))
    if roll.held or roll.character is None:
        return events
    return [*events, *outcome(state, roll_of(roll), events)]


def rolling(
    plans: Mapping[type, Callable[[OverdriveState, CommandContext, Any], Plan]],
) -> Decide[OverdriveState, e.Event]:
    """The part of the table whose commands plan one roll and bring nothing else."""

    def rolls(planned: Callable[[OverdriveState, CommandContext, Any], Plan]) -> Answer[OverdriveState, e.Event]:
        @wraps(planned)
        def answered(state: OverdriveState, context: CommandContext, command: Any, dice: Dice) -> list[e.Event]:
            return roll_with_outcome(state, context, planned(state, context, command), dice)

        return answered

    return {kind: rolls(planned) for kind, planned in plans.items()}


def roll_of(event: e.RollMade) -> Roll:
    """The roll as the state keeps it."""
    return Roll(
        roll_id=event.roll_id,
        character=event.character or "",
        kind=event.kind,
        natural=event.successes,
        tier=event.tier,
        held=event.held,
        difficulty=event.difficulty,
        target=event.target,
        weapon=event.weapon,
        cinematic=event.cinematic,
        mode=event.mode,
        scene=event.scene,
        relation=event.relation,
        new_nature=event.new_nature,
    )


def outcome(  # noqa: PLR0911 — a `match` with one line per kind
    state: OverdriveState, roll: Roll, before: list[e.Event]
) -> list[e.Event]:
    """The outcome of a roll by its kind; `before` are the events of the same action so far."""
    match roll.kind:
        case "plain":
            return [*judge_objective(roll)]
        case "relation":
            return relations.outcome(state, roll)
        case "scene":
            return scenes.outcome(state, roll, before)
        case "initiative":
            return initiative.outcome(state, roll)
        case "movement":
            return movement.outcome(roll)
        case "attack":
            return attacks.outcome(state, roll)
        case "defense" | "duel":
            return []
        case _:
            assert_never(roll.kind)


def judge_objective(roll: Roll) -> list[e.ObjectiveJudged]:
    """OD-11: the judgement; successes must be strictly more than the difficulty."""
    if roll.kind != "plain" or roll.difficulty is None:
        return []
    return [
        e.ObjectiveJudged(
            roll_id=roll.roll_id,
            character=roll.character,
            difficulty=roll.difficulty,
            successes=roll.successes,
            achieved=roll.successes > roll.difficulty,
        )
    ]


def spend_overdrive_success(
    state: OverdriveState, context: CommandContext, command: c.SpendOverdriveSuccess
) -> list[e.Event]:
    """OD-C6: once per roll, and never for a tier."""
    by_roll = next((roll for roll in state.rolls.values() if roll.roll_id == command.roll_id), None)
    who = command.character or (by_roll.character if by_roll is not None else None)
    character = find_own(state, context, who, "OD-C6")
    roll = by_roll if command.roll_id is not None else state.rolls.get(character.character_id)
    if roll is None or roll.character != character.character_id:
        raise Rejection("roll_closed", "That roll is closed: no success can be bought for it.", rule="OD-C6")
    context.filled["roll_id"] = roll.roll_id
    if roll.bought:
        raise Rejection("one_overdrive_per_roll", "A success has already been bought for this roll.", rule="OD-10")
    total = roll.successes + 1
    events: list[e.Event] = [
        spend(character, 1, "success", "OD-10"),
        e.SuccessAdded(
            roll_id=roll.roll_id,
            character=character.character_id,
            natural=roll.natural,
            total=total,
            tier=roll.tier,
        ),
    ]
    again = Roll(roll.roll_id, roll.character, roll.kind, roll.natural, roll.tier)
    again.bought, again.difficulty = roll.bought + 1, roll.difficulty
    return [*events, *judge_objective(again)]


def close_roll(state: OverdriveState, context: CommandContext, command: c.CloseRoll) -> list[e.Event]:
    """OD-C7: a GM closes a roll. Raises `roll_closed` or `which_roll`."""
    require_gm(context, "OD-C7")
    beside = context.visibility != "all" or command.roll_id is not None
    rolls = [state.rolls[key] for key in sorted(state.rolls) if beside or not key.startswith(HIDDEN)]
    if command.roll_id is not None:
        rolls = [roll for roll in rolls if roll.roll_id == command.roll_id]
    roll = the_one(
        context,
        "roll_id",
        rolls,
        lambda candidate: candidate.held,
        code="which_roll",
        message=say("Several rolls are open: which one?"),
        rule="OD-C7",
        describe=lambda candidate: {"roll_id": candidate.roll_id, "character": candidate.character},
        none=lambda: Rejection("roll_closed", "That roll is already closed.", rule="OD-C7"),
    )
    return closing(state, roll)


def closing(state: OverdriveState, roll: Roll) -> list[e.Event]:
    """The events that close a roll; a held one has its outcome."""
    events: list[e.Event] = [e.RollClosed(roll_id=roll.roll_id, character=roll.character)]
    return [*events, *outcome(state, roll, events)] if roll.held else events


def roll_made(state: OverdriveState, event: e.RollMade) -> None:
    """Set a character's last roll; it stays open if it is held, or if its outcome comes later."""
    if event.character is None or event.character not in state.characters:
        return
    key = kept_under(event.character, is_hidden=event.hidden is True)
    if event.kind == "duel" and state.combat is not None:
        return  # it is made beside the fight, and closes none of its rolls
    if event.held or (event.kind not in SETTLES_AT_ONCE and event.kind != "duel"):
        state.rolls[key] = roll_of(event)
    else:
        state.rolls.pop(key, None)


def success_added(state: OverdriveState, event: e.SuccessAdded) -> None:
    """Add a success to the roll, and to its exchange."""
    roll = next((roll for roll in state.rolls.values() if roll.roll_id == event.roll_id), None)
    if roll is None:
        return
    roll.bought += event.amount
    attack = state.combat.attack if state.combat is not None else None
    if attack is not None and roll.kind == "attack" and attack.attacker == event.character:
        attack.successes += event.amount
    if attack is not None and roll.kind == "defense" and event.character in attack.defenses:
        attack.defenses[event.character] += event.amount


def roll_closed(state: OverdriveState, event: e.RollClosed) -> None:
    """Close the roll."""
    state.rolls = {key: roll for key, roll in state.rolls.items() if roll.roll_id != event.roll_id}
