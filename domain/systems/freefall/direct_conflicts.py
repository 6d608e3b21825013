"""Direct conflicts: all sides roll, the highest single die is faster (FF-15).

Codes: fewer_than_two, duplicate_participant, dice_missing, already_in_conflict, not_your_turn, no_conflict,
not_tied, tie_undecided, unknown_roll; wrong_decider, bonus_is_the_gms (forbidden).
"""

from typing import NamedTuple

from msgspec import UNSET, structs

from domain.command_context import CommandContext
from domain.dice import Dice, Die
from domain.ids import AccountId, derive_id
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from domain.systems.freefall import events as e
from domain.systems.freefall.access import require_bonus, require_gm, require_own, require_settled, said_of
from domain.systems.freefall.base_event_types import Decider
from domain.systems.freefall.commands import DecideTie, NegateAction, Participant, ResolveConflict
from domain.systems.freefall.gear import bonus_for
from domain.systems.freefall.prerequisites import Purpose, meet
from domain.systems.freefall.state import Action, Character, Conflict, FreefallState, Roll
from domain.systems.freefall.tables import CONFLICT_MIN, DIE
from domain.systems.freefall.turns import acting_now, find_action, is_gone, is_to_roll


class Side(NamedTuple):
    """A side with all that is known of it."""

    id: str
    dice: int
    bonus: int
    npc: bool
    action: Action | None
    character: Character | None
    unseen: Roll | None = None


def resolve_conflict(
    state: FreefallState, context: CommandContext, command: ResolveConflict, dice: Dice
) -> list[e.Event]:
    """FF-C9: prerequisites are paid first, then the dice of all sides are rolled in the order listed."""
    if len(command.participants) < CONFLICT_MIN:
        raise Rejection("fewer_than_two", "A conflict needs at least two sides.", rule="FF-C9")
    if len({participant.id for participant in command.participants}) < len(command.participants):
        raise Rejection("duplicate_participant", "Every side of a conflict is named once.", rule="FF-C9")
    sides = [_side(state, context, participant) for participant in command.participants]
    _require_involved(state, context, sides)
    require_bonus(context, sum(participant.bonus for participant in command.participants))
    events: list[e.Event] = []
    for nth, (side, participant) in enumerate(zip(sides, command.participants, strict=True)):
        if participant.prerequisite is not None:
            events += _paid(state, context, side, participant, nth)
    if any(isinstance(event, e.CharacterOusted) for event in events):
        return events  # paying ousted a character; the others say again what they do
    rolled_dice = {side.id: [dice.roll(DIE) for _ in range(side.dice)] for side in sides}
    met = [participant.id for participant in command.participants if participant.prerequisite is not None]
    return [*events, _outcome(state, context, sides, rolled_dice, met)]


def _side(state: FreefallState, context: CommandContext, participant: Participant) -> Side:
    """A declared action with its dice, a name with dice, or a hidden roll made before."""
    if participant.roll is not UNSET:
        require_gm(context, "FF-C9")
        roll = next((roll for roll in state.rolls if roll.roll_id == participant.roll), None)
        if roll is None:
            raise Rejection("unknown_roll", "That roll is unknown, or too long ago.", rule="FF-C9")
        return Side(participant.id, 0, participant.bonus, participant.npc is not False, None, None, roll)
    if state.board is None or state.board.action(participant.id) is None:
        if participant.dice is None:
            raise Rejection(
                "dice_missing",
                say("How many dice does “{side}” roll?", side=_name_of(state, participant.id)),
                rule="FF-C9",
            )
        character = state.characters.get(participant.id)
        npc = participant.npc if participant.npc is not None else character is not None and character.npc
        return Side(participant.id, participant.dice, participant.bonus, npc, None, character)
    action = find_action(state, participant.id, "FF-C9")
    if action.conflict_id is not None:
        raise Rejection(
            "already_in_conflict",
            say("“{side}” has already rolled in a conflict.", side=_name_of(state, participant.id)),
            rule="FF-C9",
        )
    actor = state.board.actor(action.actor)
    character = state.characters.get(action.actor)
    npc = actor.npc if actor is not None else bool(participant.npc)
    return Side(participant.id, action.dice, participant.bonus, npc, action, character)


def _name_of(state: FreefallState, side: str) -> str:
    """A side with the name of the one who acts; a side without one keeps its name."""
    action = state.board.action(side) if state.board is not None else None
    actor = side if action is None else action.actor
    acting = state.board.actor(actor) if state.board is not None else None
    character = state.characters.get(actor)
    return acting.name if acting is not None else character.name if character is not None else actor


def _require_involved(state: FreefallState, context: CommandContext, sides: list[Side]) -> None:
    """Raise unless a GM asks, or a player of a side; declared actions wait until one of them is up."""
    if not context.is_gm:
        mine = [
            side
            for side in sides
            if side.character is not None
            and side.character.player is not None
            and side.character.player == context.account
        ]
        if not mine:
            raise Forbidden("not_your_character", "Only those involved in a conflict may roll it.", rule="FF-C9")
    for side in sides:
        if side.character is not None:
            require_settled(state, side.character, "FF-C9")
    declared = [side.action.actor for side in sides if side.action is not None]
    if declared and state.board is not None:
        up = acting_now(state, state.board)
        if not any(actor in up for actor in declared):
            raise Rejection("not_your_turn", "It is not their turn in the order yet.", rule="FF-14")


def _paid(
    state: FreefallState, context: CommandContext, side: Side, participant: Participant, nth: int
) -> list[e.Event]:
    """The payment of a side's prerequisite.

    Harm for it is resolved at once, because the other sides wait to roll.
    """
    assert participant.prerequisite is not None
    if side.character is None:
        raise Rejection(
            "prerequisite_not_met",
            say("“{side}” has no sheet to pay from.", side=_name_of(state, side.id)),
            rule="FF-9",
        )
    require_own(side.character, context, "FF-C9")
    action = side.action
    purpose = Purpose(
        action.id if action is not None else None,
        action.tag if action is not None else None,
        action.attack.item if action is not None and action.attack is not None else None,
        action.attribute if action is not None else None,
        nth,
    )
    if participant.prerequisite.kind == "harm" and participant.prerequisite.choice is None:
        raise Rejection(
            "one_choice_per_level",
            "Say how the harm for this prerequisite is resolved before anybody rolls.",
            rule="FF-C9",
        )
    return meet(state, context, side.character, participant.prerequisite, purpose).events


def _highest(side: Side, dice: list[Die]) -> int:
    """The highest single result of the dice, or of the roll made before."""
    best = side.unseen.highest if side.unseen is not None else max(die.natural for die in dice)
    return best + side.bonus


def _outcome(
    state: FreefallState,
    context: CommandContext,
    sides: list[Side],
    rolled_dice: dict[str, list[Die]],
    met: list[str],
) -> e.ConflictRolled:
    """The event that names the faster side, or the players who decide a tie."""
    gear = {side.id: bonus_for(side.character, side.action.tag) for side in sides if side.action is not None}
    highest = {side.id: _highest(side, rolled_dice[side.id]) + gear.get(side.id, 0) for side in sides}
    best = max(highest.values())
    tied = [side for side in sides if highest[side.id] == best]
    tie = len(tied) > 1
    decider: Decider = "gm" if all(side.npc for side in tied) else "players"
    in_turn = any(side.action is not None for side in sides) and state.board is not None
    return e.ConflictRolled(
        conflict_id=derive_id("conflict", context.action_id),
        turn_id=state.board.turn_id if in_turn and state.board is not None else None,
        participants=[side.id for side in sides],
        dice=rolled_dice,
        naturals={id_: [die.natural for die in dice] for id_, dice in rolled_dice.items()},
        bonuses={side.id: side.bonus for side in sides},
        gear_bonuses={id_: bonus for id_, bonus in gear.items() if bonus},
        met=met,
        highest=highest,
        first=None if tie else tied[0].id,
        tie=tie,
        tied=[side.id for side in tied] if tie else [],
        decided_by=decider if tie else None,
        unseen=[side.id for side in sides if side.unseen is not None] or UNSET,
        actors={side.id: side.action.actor for side in sides if side.action is not None} or UNSET,
    )


def decide_tie(state: FreefallState, context: CommandContext, command: DecideTie) -> list[e.ConflictOrderDecided]:
    """FF-C10: the players involved decide a tie; the GM where only NPCs are in it."""
    open_ = [
        conflict
        for conflict in state.conflicts
        if conflict.first is None and (context.decided_before or is_undecided(state, conflict))
    ]
    if command.conflict is not None:
        open_ = [conflict for conflict in open_ if conflict.conflict_id == command.conflict]
    fitting = [conflict for conflict in open_ if command.first in _may_be_first(state, context, conflict)]
    if not open_:
        raise Rejection("no_conflict", "There is no tie to break.", rule="FF-C10")
    if not fitting:
        raise Rejection(
            "not_tied",
            say("“{side}” is not in the tie.", side=_name_of(state, command.first)),
            rule="FF-C10",
            tied=_may_be_first(state, context, open_[-1]),
        )
    conflict = fitting[-1]
    context.filled["conflict"] = conflict.conflict_id
    _require_decider(state, context, conflict)
    decided_by = conflict.decided_by or "gm"
    action = state.board.action(command.first) if state.board is not None else None
    actor = action.actor if action is not None else UNSET
    return [e.ConflictOrderDecided(conflict.conflict_id, command.first, decided_by, actor)]


def _may_be_first(state: FreefallState, context: CommandContext, conflict: Conflict) -> list[str]:
    return conflict.tied if context.decided_before else tied_sides(state, conflict)


def tied_sides(state: FreefallState, conflict: Conflict) -> list[str]:
    """The sides of a tie that can still act."""
    actions = {action.id: action for action in (state.board.actions if state.board is not None else [])}
    return [
        side
        for side in conflict.tied
        if not is_gone(state, actions[side].actor if side in actions else side)
        and (side not in actions or actions[side].status == "declared")
    ]


def is_undecided(state: FreefallState, conflict: Conflict) -> bool:
    """Whether a tie still waits: with one side left, there is nothing to decide."""
    return conflict.first is None and len(tied_sides(state, conflict)) >= CONFLICT_MIN


def deciders(state: FreefallState, conflict: Conflict) -> list[AccountId]:
    """The players who decide a tie (FF-15); none where a GM does."""
    if conflict.decided_by == "gm":
        return []
    players: dict[AccountId, None] = {}
    for id_ in tied_sides(state, conflict):
        action = state.board.action(id_) if state.board is not None else None
        character = state.characters.get(action.actor if action is not None else id_)
        if character is not None and character.player is not None and not character.npc:
            players[character.player] = None
    return [*players]


def _require_decider(state: FreefallState, context: CommandContext, conflict: Conflict) -> None:
    """Raise `wrong_decider`: a GM decides only where no player of a tied character is active."""
    involved = deciders(state, conflict)
    for_them = not involved or any(map(context.is_absent, involved))
    if context.account not in involved and not (context.is_gm and for_them):
        raise Forbidden(
            "wrong_decider", "Others decide this tie: the players in it, or the GM if only NPCs are.", rule="FF-15"
        )


def negate_action(state: FreefallState, context: CommandContext, command: NegateAction) -> list[e.ActionNegated]:
    """FF-C10: the GM says that the faster side undid the action."""
    require_gm(context, "FF-C10")
    action = find_action(state, command.action, "FF-C10")
    tag, attribute = said_of(action)
    return [e.ActionNegated(action.id, action.actor, command.why, tag, attribute)]


def require_order(state: FreefallState, action: Action) -> None:
    """Raise `not_your_turn` unless an action is up: by its seat, or as first of its conflict (FF-14)."""
    board = state.board
    if board is None or not board.order:
        raise Rejection(
            "not_your_turn", "Nothing resolves before everyone has declared and the order is set.", rule="FF-14"
        )
    conflict = next((conflict for conflict in state.conflicts if conflict.conflict_id == action.conflict_id), None)
    if conflict is None:
        if action.actor not in acting_now(state, board):
            raise Rejection(
                "not_your_turn",
                "It is not this action's turn yet: others come first in the order of resolution.",
                rule="FF-14",
            )
        return
    if is_undecided(state, conflict):
        raise Rejection("tie_undecided", "Their conflict is tied; decide who acts first.", rule="FF-15")
    first = board.action(conflict.first) if conflict.first is not None else None
    if first is not None and first is not action and is_to_roll(state, first):
        raise Rejection("not_your_turn", "The faster side of this conflict acts first.", rule="FF-15")


def redact(event: e.Event) -> e.Event:
    """The event as players read it: with the faster side, without the numbers of a hidden side."""
    if not isinstance(event, e.ConflictRolled) or event.unseen is UNSET:
        return event
    unseen = event.unseen

    def without_unseen(numbers: dict[str, int]) -> dict[str, int]:
        return {side: number for side, number in numbers.items() if side not in unseen}

    return structs.replace(event, highest=without_unseen(event.highest), bonuses=without_unseen(event.bonuses))
