"""Turns: dice for everyone, declarations in sequence, resolution in reverse (FF-7, FF-8, FF-14).

Codes: not_in_bullet_time, no_turn, not_in_turn, who_declares, nobody_in_turn, action_needs_a_die,
pool_exceeded, seat_taken, duplicate_action, turn_already_ordered, someone_undeclared, order_is_by_acceptance,
order_incomplete, unknown_action, action_not_open.
"""

import re
from collections.abc import Sequence

from msgspec import UNSET

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.mechanics.omitted_ids import the_one
from domain.rejection import Forbidden, Rejection
from domain.sentences import either, join_parts, say
from domain.systems.freefall import events as e
from domain.systems.freefall.access import (
    find_character,
    is_own,
    require_active,
    require_gm,
    require_own,
    require_settled,
    require_tn,
    said_of,
)
from domain.systems.freefall.attributes import filled, pool
from domain.systems.freefall.commands import (
    AbandonAction,
    ActionDraft,
    DeclareActions,
    EndTurn,
    JoinTurn,
    Npc,
    OrderResolution,
    StartTurn,
)
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Action, Actor, Board, Character, FreefallState
from domain.systems.freefall.tables import dice_pool

NAMELESS = re.compile(r"action-[0-9a-f]{12}")
"""The name of an action that was declared without one."""


def start_turn(state: FreefallState, context: CommandContext, command: StartTurn) -> list[e.TurnStarted]:
    """FF-C5: start a turn, and measure every pool once."""
    require_gm(context, "FF-C5")
    if state.mode != "bullet":
        raise Rejection(
            "not_in_bullet_time", "Turns belong to bullet time; set that time mode first.", rule="FF-C5"
        )
    if command.participants is None:
        everyone = [character for character in state.people() if character.status == "active"]
        active = [character for character in everyone if not character.hidden or context.visibility == "gm"]
        active = [character for character in active if character.character_id not in context.out_of_story]
        context.filled["participants"] = [character.character_id for character in active]
    else:
        ids = dict.fromkeys(command.participants)
        active = [find_character(state, context, who, "FF-C5") for who in ids]
    if not active and not command.npcs:
        raise Rejection("nobody_in_turn", "A turn needs at least one participant.", rule="FF-C5")
    return _taking_part(state, derive_id("turn", context.action_id), active, command.npcs, set())


def join_turn(state: FreefallState, context: CommandContext, command: JoinTurn) -> list[e.TurnStarted]:
    """FF-5: join the turn, for an ambush or help. Those who join declare last, and so act first (FF-14)."""
    require_gm(context, "FF-5")
    board = _board(state, "FF-5")
    ids = dict.fromkeys(command.participants)
    people = [find_character(state, context, who, "FF-5") for who in ids]
    if not people and not command.npcs:
        raise Rejection("nobody_in_turn", "A turn needs at least one participant.", rule="FF-5")
    there = {actor.actor for actor in board.actors}
    return _taking_part(state, board.turn_id, people, command.npcs, there)


def _taking_part(
    state: FreefallState, turn_id: str, people: list[Character], npcs: Sequence[Npc], there: set[str]
) -> list[e.TurnStarted]:
    """The pools of all participants, NPCs without a sheet first; `there` are those in the turn already."""
    ids, late = {*there}, bool(there) or UNSET
    for character in people:
        require_active(character, "FF-C5")
        require_settled(state, character, "FF-C5")
    actors = [
        *((character.character_id, character.name) for character in people),
        *((npc.id, npc.name or npc.id) for npc in npcs),
    ]
    for actor, name in actors:
        if actor in ids:
            raise Rejection("duplicate_actor", say("“{actor}” is already in this turn.", actor=name), rule="FF-C5")
        ids.add(actor)
    return [
        *(
            e.TurnStarted(turn_id, npc.id, npc.name or npc.id, True, npc.filled, dice_pool(npc.filled), late)
            for npc in npcs
        ),
        *(
            e.TurnStarted(
                turn_id,
                character.character_id,
                character.name,
                character.npc,
                filled(character),
                pool(character),
                late,
            )
            for character in people
        ),
    ]


def end_turn(state: FreefallState, context: CommandContext, command: EndTurn) -> list[e.TurnEnded]:  # noqa: ARG001 — no fields
    """FF-5: the board is cleared."""
    require_gm(context, "FF-5")
    return [e.TurnEnded(turn_id=_board(state, "FF-5").turn_id)]


def _board(state: FreefallState, rule: str) -> Board:
    """The current turn. Raises `no_turn`."""
    if state.board is None:
        raise Rejection("no_turn", "No turn is running; a GM starts one.", rule=rule)
    return state.board


def declare_actions(
    state: FreefallState, context: CommandContext, command: DeclareActions
) -> list[e.ActionsDeclared]:
    """FF-C6: an actor takes a seat, with at least a die for every action."""
    board = _board(state, "FF-C6")
    actor = _declarer(state, board, context, command.character)
    if actor.seat is not None:
        raise Rejection("seat_taken", say("{name} has already declared this turn.", name=actor.name), rule="FF-C6")
    if board.order and not actor.late:
        raise Rejection(
            "turn_already_ordered", "Actions are already being resolved; declare in the next turn.", rule="FF-C6"
        )
    if any(draft.tn is not None for draft in command.actions):
        require_tn(context)
    actions = [_action(board, actor, context, nth, draft) for nth, draft in enumerate(command.actions)]
    ids = [action.id for action in actions]
    if len(set(ids)) < len(ids) or any(board.action(id_) is not None for id_ in ids):
        raise Rejection("duplicate_action", "Every action of a turn has an id of its own.", rule="FF-C6")
    assigned = sum(action.dice for action in actions)
    if assigned > actor.dice_pool:
        raise Rejection(
            "pool_exceeded",
            say(
                "{name} has {most} dice this turn, not {count}.",
                name=actor.name,
                most=actor.dice_pool,
                count=assigned,
            ),
            rule="FF-8",
            dice_pool=actor.dice_pool,
        )
    return [
        e.ActionsDeclared(
            turn_id=board.turn_id,
            actor=actor.actor,
            seat=_seat(board, command.group),
            group=command.group,
            actions=actions,
            dice_assigned=assigned,
            dice_left=actor.dice_pool - assigned,
            intent=command.intent,
        )
    ]


def _declarer(state: FreefallState, board: Board, context: CommandContext, character: str | None) -> Actor:
    """The one who declares: if left out, the asker's only actor, else the last without a seat."""
    actor = board.actor(character) if character is not None else None
    if character is None and board.actors:
        waiting = [actor for actor in board.actors if actor.seat is None] or board.actors
        own = [
            actor
            for actor in board.actors
            if (who := state.characters.get(actor.actor)) is not None
            and who.player is not None
            and is_own(who, context)
        ]
        actor = the_one(
            context,
            "character",
            own or waiting,
            code="who_declares",
            message=lambda several: say(
                "Who declares? {choices}.", choices=either(candidate.name for candidate in several)
            ),
            rule="FF-C6",
            describe=lambda candidate: {"character": candidate.actor, "name": candidate.name},
        )
    if actor is None:
        raise Rejection("not_in_turn", "They are not in this turn; a GM can let them join.", rule="FF-C6")
    require_actor(state, context, actor, "FF-C6")
    return actor


def require_actor(state: FreefallState, context: CommandContext, actor: Actor, rule: str) -> None:
    """Raise unless the asker commands the actor: a player their character, a GM every actor."""
    character = state.characters.get(actor.actor)
    if character is not None:
        require_own(character, context, rule)
        require_active(character, rule)
    elif not context.is_gm:
        raise Forbidden("not_your_character", say("Only a GM acts for {name}.", name=actor.name), rule=rule)


def _action(board: Board, actor: Actor, context: CommandContext, nth: int, draft: ActionDraft) -> Action:
    """An action with at least one die. Raises `action_needs_a_die`."""
    if draft.dice < 1:
        raise Rejection("action_needs_a_die", "Every action takes at least one die, even walking.", rule="FF-8")
    return Action(
        id=draft.id or derive_id("action", context.action_id, len(board.actions) + nth),
        actor=actor.actor,
        dice=draft.dice,
        kind=draft.kind,
        attribute=draft.attribute,
        tag=draft.tag,
        tn=draft.tn,
        conflict=draft.conflict,
        opposed_to=draft.opposed_to,
        attack=draft.attack,
    )


def is_nameless(action: str) -> bool:
    """Whether an action was declared without a name."""
    return NAMELESS.fullmatch(action) is not None


def _seat(board: Board, group: str | None) -> int:
    """The next seat, or the one that the group has already (FF-A12)."""
    shared = [actor.seat for actor in board.actors if group is not None and actor.group == group]
    seats = [actor.seat for actor in board.actors if actor.seat is not None]
    return next((seat for seat in shared if seat is not None), max(seats, default=0) + 1)


def order_resolution(
    state: FreefallState, context: CommandContext, command: OrderResolution
) -> list[e.ResolutionOrdered]:
    """FF-C7: the last to declare acts first, unless the GM may say otherwise."""
    require_gm(context, "FF-C7")
    board = _board(state, "FF-C7")
    settings: Settings = context.settings
    if board.order and not context.decided_before:
        raise Rejection(
            "order_already_set",
            "The order of this turn is set, and its actions resolve in it; undo that to set another one.",
            rule="FF-14",
        )
    undeclared = [actor for actor in board.actors if actor.seat is None and not is_gone(state, actor.actor)]
    if undeclared:
        raise Rejection(
            "someone_undeclared",
            say(
                "Nothing resolves before everyone has declared; still to come: {names}.",
                names=join_parts(actor.name for actor in undeclared),
            ),
            rule="FF-14",
            undeclared=[actor.actor for actor in undeclared],
        )
    seated = [actor for actor in board.actors if actor.seat is not None]
    order = [actor.actor for actor in sorted(seated, key=lambda actor: -(actor.seat or 0))]
    if command.order is not None:
        if settings.declaration_order == "acceptance":
            raise Rejection(
                "order_is_by_acceptance",
                "Actions resolve in reverse order of declaration; a setting lets the GM set the order.",
                rule="FF-A12",
            )
        if sorted(command.order) != sorted(order):
            raise Rejection(
                "order_incomplete", "Name everybody who declared, each once.", rule="FF-C7", actors=order
            )
        order = command.order
    return [
        e.ResolutionOrdered(
            turn_id=board.turn_id,
            order=order,
            declaration_order=settings.declaration_order,
            fixed_by_gm=command.order is not None,
        )
    ]


def is_gone(state: FreefallState, actor: str) -> bool:
    """Whether an actor has left the story since the turn began."""
    character = state.characters.get(actor)
    return character is not None and character.status == "ousted"


def is_to_roll(state: FreefallState, action: Action) -> bool:
    """Whether an action still waits for its roll, which an actor in the story can make."""
    return action.status == "declared" and action.kind != "simple" and not is_gone(state, action.actor)


def is_done(state: FreefallState, board: Board, action: Action) -> bool:
    """Whether a simple action is over: without a roll, it happens once its seat is up."""
    if action.kind != "simple" or action.status != "declared" or action.actor not in board.order:
        return False
    to_roll = {other.actor for other in board.actions if is_to_roll(state, other)}
    up = next((nth for nth, actor in enumerate(board.order) if actor in to_roll), len(board.order))
    return board.order.index(action.actor) <= up


def is_contested(state: FreefallState, action: Action) -> bool:
    """Whether an action opposes another, or is opposed: its natural ones allow complications (FF-13)."""
    board = state.board
    opposed = board is not None and any(other.opposed_to == action.id for other in board.actions)
    return action.conflict or action.opposed_to is not None or opposed


def acting_now(state: FreefallState, board: Board) -> list[str]:
    """The actors who may act now by the order: all of the first seat with something left to roll."""
    for id_ in board.order:
        if any(action.actor == id_ and is_to_roll(state, action) for action in board.actions):
            seat = next((actor.seat for actor in board.actors if actor.actor == id_), None)
            return [
                actor.actor for actor in board.actors if actor.actor == id_ or (actor.group and actor.seat == seat)
            ]
    return list(board.order)


def find_action(state: FreefallState, action: str, rule: str) -> Action:
    """A declared action that is still open. Raises `unknown_action`, `already_rolled`."""
    known_action = state.board.action(action) if state.board is not None else None
    if known_action is None:
        raise Rejection("unknown_action", "Nobody has declared that action this turn.", rule=rule)
    if known_action.status == "rolled":
        raise Rejection("already_rolled", "That action is already rolled.", rule=rule)
    if known_action.status != "declared":
        how = (
            say("That action was abandoned.")
            if known_action.status == "abandoned"
            else say("That action was negated.")
        )
        raise Rejection("action_not_open", how, rule=rule)
    return known_action


def abandon_action(
    state: FreefallState, context: CommandContext, command: AbandonAction
) -> list[e.ActionAbandoned]:
    """FF-9: give up an action, such as one whose prerequisite cannot be met, so that others need not wait."""
    action = find_action(state, command.action, "FF-9")
    actor = state.board.actor(action.actor) if state.board is not None else None
    if actor is not None:
        require_actor(state, context, actor, "FF-9")
    tag, attribute = said_of(action)
    return [e.ActionAbandoned(action.id, action.actor, tag, attribute)]
