"""Duels: both roll, then each pays for successes in turn until one folds (OD-18, OD-C17).

Players roll for their own characters: a side of another player is left to them, and the duel waits. Codes:
duel_in_progress, no_duel, duelist_incomplete, not_your_character, duel_not_rolled, nothing_to_roll,
not_your_turn, insufficient_overdrive, raise_must_exceed, unknown_roll.
"""

from copy import copy

from msgspec import UNSET, structs

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.ids import derive_id
from domain.rejection import Forbidden, Rejection
from domain.sentences import join_parts, say, say_many
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import (
    find_character,
    require_any_player,
    require_gm,
    require_player_or_gm,
    whose_turn_is_meant,
)
from domain.systems.overdrive.ledger import move, require_overdrive
from domain.systems.overdrive.rolls import Plan, make, plan
from domain.systems.overdrive.settings import RaiseRule
from domain.systems.overdrive.state import Character, Duel, Duelist, DuelRoll, OverdriveState
from domain.systems.overdrive.tables import Side

OTHER: dict[Side, Side] = {"a": "b", "b": "a"}
RAISE_MAX = 1000
"""The most that one command may ask for."""


def start_duel(state: OverdriveState, context: CommandContext, command: c.StartDuel, dice: Dice) -> list[e.Event]:
    """OD-C17: both roll, the initiator first; the trailing side speaks first (OD-A19).

    A side of another player is theirs to roll, and the duel begins when they have.
    """
    require_any_player(state, context, "OD-C17")
    if state.duel is not None:
        raise Rejection("duel_in_progress", "One duel at a time: finish the one that is going on.", rule="OD-18")
    drafts: dict[Side, c.DuelistDraft] = {"a": command.sides[0], "b": command.sides[1]}
    ids = [draft.character for draft in drafts.values() if draft.character is not None]
    if not context.is_gm:
        _their_own(state, context, ids)
    sides: dict[Side, Duelist] = {
        side: _unseen(state, context, draft, draft.roll_id)
        for side, draft in drafts.items()
        if draft.roll_id is not None
    }
    if len(set(ids)) < len(ids) or any(duelist.character in ids for duelist in sides.values()):
        raise Rejection("duelist_incomplete", "A duel needs two different sides.", rule="OD-18")
    to_roll = _left_to_players(state, context, drafts)
    plans = {
        side: _planned(state, context, draft)
        for side, draft in drafts.items()
        if side not in sides and side not in to_roll
    }
    events: list[e.Event] = []
    for nth, (side, planned) in enumerate(plans.items()):
        roll_events, successes = _roll_side(planned, context, dice, nth)
        events += roll_events
        sides[side] = _duelist(planned, drafts[side], successes)
    for side in to_roll:
        who = find_character(state, context, drafts[side].character, "OD-C17")
        sides[side] = Duelist(who.name, who.character_id, successes=0)
    duel = Duel(derive_id("duel", context.action_id), sides, "a", command.stakes, to_roll)
    if to_roll:
        return [*events, e.DuelOpened(duel.duel_id, sides, to_roll, stakes=command.stakes)]
    return [*events, _begin_duel(duel)]


def _roll_side(planned: Plan, context: CommandContext, dice: Dice, nth: int) -> tuple[list[e.Event], int]:
    """The events of a side's roll, and its successes."""
    events = make(planned, context, dice, nth)
    return events, next(event.successes for event in events if isinstance(event, e.RollMade))


def _duelist(planned: Plan, draft: c.DuelistDraft, successes: int) -> Duelist:
    """A side after its roll."""
    who = planned.character
    if who is not None:
        return Duelist(name=who.name, character=who.character_id, successes=successes)
    return Duelist(name=draft.name or "", character=None, successes=successes, od=draft.od)


def _begin_duel(duel: Duel) -> e.DuelStarted:
    """The event that begins a duel: the trailing side speaks first, the initiator on a tie (OD-A19)."""
    turn: Side = "b" if duel.sides["b"].successes < duel.sides["a"].successes else "a"
    return e.DuelStarted(duel.duel_id, duel.sides, turn, stakes=duel.stakes)


def _their_own(state: OverdriveState, context: CommandContext, ids: list[str]) -> None:
    """Raise unless one of the player's own characters fights the duel that they start."""
    people = [find_character(state, context, who, "OD-C17") for who in ids]
    if not any(character.player_id == context.account for character in people):
        require_gm(context, "OD-C17")


def _left_to_players(
    state: OverdriveState, context: CommandContext, drafts: dict[Side, c.DuelistDraft]
) -> dict[Side, DuelRoll]:
    """The sides of other players, who roll as they choose; a GM may decide all of it for them.

    Raises `not_your_character` where a player decides for another's character more than what to roll.
    """
    if context.meant_ids is not None and derive_id("roll", context.action_id, 1) in context.meant_ids():
        return {}  # re-decided: at that time the one who started a duel rolled for both
    to_roll: dict[Side, DuelRoll] = {}
    for side, draft in drafts.items():
        character = (
            find_character(state, context, draft.character, "OD-C17") if draft.character is not None else None
        )
        if character is None or character.player_id == context.account:
            continue
        has_choice = draft.bonus_dice > 0 or draft.penalty_dice > 0 or draft.invoke_relation is not None
        if not context.is_gm and has_choice:
            raise Forbidden(
                "not_your_character",
                say(
                    "{name} is not yours: their relations and dice are for their player to choose.",
                    name=character.name,
                ),
                rule="OD-18",
            )
        is_decided = context.is_gm and (has_choice or (draft.use is not None and draft.skill is not None))
        if character.player_id is not None and not is_decided:
            to_roll[side] = DuelRoll(draft.use, draft.skill)
    return to_roll


def roll_duel(state: OverdriveState, context: CommandContext, command: c.RollDuel, dice: Dice) -> list[e.Event]:
    """OD-C17: a side that was left to its player rolls; the last roll begins the duel."""
    duel = state.duel
    if duel is None:
        raise Rejection("no_duel", "There is no duel going on.", rule="OD-C17")
    side, character = _side_to_roll(state, context, duel, command.character)
    proposed = duel.to_roll[side]
    draft = c.DuelistDraft(
        skill=command.skill or proposed.skill,
        character=character.character_id,
        use=command.use or proposed.use,
        bonus_dice=command.bonus_dice,
        penalty_dice=command.penalty_dice,
        invoke_relation=command.invoke_relation,
    )
    planned = _planned(state, context, draft)
    roll_events, successes = _roll_side(planned, context, dice, 0)
    others = [other for other in duel.to_roll if other != side]
    if others:
        waits_for = duel.sides[others[0]].name
        return [*roll_events, e.DuelSideRolled(duel.duel_id, side, successes, character.name, waits_for)]
    sides = {key: copy(duelist) for key, duelist in duel.sides.items()}
    sides[side] = _duelist(planned, draft, successes)
    return [*roll_events, _begin_duel(structs.replace(duel, sides=sides))]


def _side_to_roll(
    state: OverdriveState, context: CommandContext, duel: Duel, who: str | None
) -> tuple[Side, Character]:
    """The side that rolls: the one named, else the asker's own, else the first. Raises `nothing_to_roll`."""
    sides = {duel.sides[side].character or "": side for side in sorted(duel.to_roll)}
    if who is None and sides:
        everybody = [
            duelist.character for _, duelist in sorted(duel.sides.items()) if duelist.character is not None
        ]
        who = context.filled["character"] = whose_turn_is_meant(state, context, everybody, next(iter(sides)))
    character = find_character(state, context, who, "OD-C17")
    require_player_or_gm(character, context, "OD-C17")
    if character.character_id not in sides:
        raise Rejection(
            "nothing_to_roll",
            say("The duel is not waiting for a roll of {name}.", name=character.name),
            rule="OD-C17",
            choices=[id_ for id_ in sides if id_],
        )
    return sides[character.character_id], character


def _unseen(state: OverdriveState, context: CommandContext, draft: c.DuelistDraft, roll_id: str) -> Duelist:
    """A side with a hidden roll from before, and its public name. Raises `unknown_roll`, `duelist_incomplete`."""
    require_gm(context, "OD-C17")
    roll = next((roll for roll in state.rolls.values() if roll.roll_id == roll_id), None)
    if roll is None or roll.kind != "plain":
        raise Rejection(
            "unknown_roll", "No open roll has that id: name one that is not closed yet.", rule="OD-C17"
        )
    if draft.name is None or draft.character is not None:
        raise Rejection("duelist_incomplete", "Give the hidden side a name that the table may read.", rule="OD-18")
    return Duelist(draft.name, roll.character, roll.successes, hidden=True, roll_id=roll_id)


def _planned(state: OverdriveState, context: CommandContext, draft: c.DuelistDraft) -> Plan:
    """One side's roll. Raises `duelist_incomplete`."""
    if draft.character is None:
        if draft.name is None:
            raise Rejection(
                "duelist_incomplete", "Give each side a name, or say which character it is.", rule="OD-18"
            )
        return Plan(
            kind="duel",
            skill=draft.skill_value,
            score=draft.pool,
            bonus_dice=draft.bonus_dice,
            penalty_dice=draft.penalty_dice,
            fields={"name": draft.name},
        )
    character = find_character(state, context, draft.character, "OD-C17")
    if draft.use is None or draft.skill is None:
        raise Rejection(
            "duelist_incomplete",
            say("Say which stat or score {name} rolls, and on which skill.", name=character.name),
            rule="OD-18",
        )
    command = c.RollInitiative(
        bonus_dice=draft.bonus_dice, penalty_dice=draft.penalty_dice, invoke_relation=draft.invoke_relation
    )
    return plan(state, context, character, command, "duel", draft.use, draft.skill)


def _speaker(
    state: OverdriveState, context: CommandContext, duel: Duel, by: Side | None, now: Side, rule: str
) -> Side:
    """The side that a command means: the one named, the player's own, else the one whose turn it is `now`."""
    who = {duelist.character: side for side, duelist in duel.sides.items() if duelist.character is not None}
    of_now = duel.sides[now].character
    speaker = whose_turn_is_meant(state, context, who, of_now)
    side = by or (who[speaker] if speaker is not None and speaker != of_now else now)
    context.filled["by"] = side
    character = state.characters.get(duel.sides[side].character or "")
    if character is not None:
        require_player_or_gm(character, context, rule)
    else:
        require_gm(context, rule)
    return side


def _to_speak(state: OverdriveState, context: CommandContext, by: Side | None, rule: str) -> tuple[Duel, Side]:
    """The duel, and the side whose turn it is. Raises `no_duel`, `duel_not_rolled` or `not_your_turn`."""
    duel = state.duel
    if duel is None:
        raise Rejection("no_duel", "There is no duel going on.", rule=rule)
    side = _speaker(state, context, duel, by, duel.turn, rule)
    if duel.to_roll:
        waited_for = join_parts(duel.sides[side].name for side in sorted(duel.to_roll))
        raise Rejection(
            "duel_not_rolled",
            say("The duel has not begun: it is waiting for a roll of {names}.", names=waited_for),
            rule=rule,
        )
    if side != duel.turn:
        raise Rejection(
            "not_your_turn", say("It is {name}'s turn to speak.", name=duel.sides[duel.turn].name), rule=rule
        )
    return duel, side


def raises(state: OverdriveState, duel: Duel, setting: RaiseRule) -> tuple[int, int] | None:
    """The least and the most that the side whose turn it is may raise by; None if it has to fold (OD-A19)."""
    mine, other = duel.sides[duel.turn], duel.sides[OTHER[duel.turn]]
    character = state.characters.get(mine.character or "")
    available = min(RAISE_MAX, character.od.available if character is not None else mine.od)
    overtakes = setting == "overtake" and not other.hidden
    least = max(1, other.successes - mine.successes + 1) if overtakes else 1
    return (least, available) if least <= available else None


def duel_raise(state: OverdriveState, context: CommandContext, command: c.DuelRaise) -> list[e.DuelRaised]:
    """OD-C17: as many successes as Overdrive, and more than the other side has (OD-A19).

    A raise that only a hidden side's numbers forbid is not refused, because the refusal would tell of them.
    """
    duel, side = _to_speak(state, context, command.by, "OD-C17")
    duelist, other = duel.sides[side], duel.sides[OTHER[side]]
    character = state.characters.get(duelist.character or "")
    available = character.od.available if character is not None else duelist.od
    require_overdrive(duelist.name, available, command.amount, "OD-18")
    total = duelist.successes + command.amount
    if context.settings.duel_raise == "overtake" and not other.hidden and total <= other.successes:
        raise Rejection(
            "raise_must_exceed",
            say_many(
                "Raise past {n} success, or fold.",
                "Raise past {n} successes, or fold.",
                other.successes,
            ),
            rule="OD-A19",
        )
    return [
        e.DuelRaised(
            duel_id=duel.duel_id,
            by=side,
            amount=command.amount,
            total=total,
            next=OTHER[side],
            duel_raise=context.settings.duel_raise,
            character=duelist.character,
            name=duelist.name,
            line=command.line,
            hidden=duelist.hidden,
        )
    ]


def duel_fold(state: OverdriveState, context: CommandContext, command: c.DuelFold) -> list[e.DuelLost]:
    """OD-C17: the first to fold loses. Before both sides have rolled, either may withdraw."""
    if state.duel is not None and state.duel.to_roll:
        duel = state.duel
        side = _speaker(state, context, duel, command.by, min(duel.to_roll), "OD-C17")
    else:
        duel, side = _to_speak(state, context, command.by, "OD-C17")
    return [
        e.DuelLost(
            duel_id=duel.duel_id,
            loser=side,
            winner=OTHER[side],
            loser_name=duel.sides[side].name,
            winner_name=duel.sides[OTHER[side]].name,
            returned={
                key: duelist.od for key, duelist in sorted(duel.sides.items()) if duelist.od and not duel.to_roll
            },
        )
    ]


def duel_opened(state: OverdriveState, event: e.DuelOpened) -> None:
    """Add the duel, which waits for rolls."""
    sides = {side: copy(duelist) for side, duelist in event.sides.items()}
    state.duel = Duel(event.duel_id, sides, "a", event.stakes, dict(event.to_roll))
    _use_rolls(state, sides)


def side_rolled(state: OverdriveState, event: e.DuelSideRolled) -> None:
    """Add the roll of one side."""
    duel = state.duel
    if duel is not None and duel.duel_id == event.duel_id and event.side in duel.sides:
        duel.sides[event.side].successes = event.successes
        duel.to_roll.pop(event.side, None)


def started(state: OverdriveState, event: e.DuelStarted) -> None:
    """Begin the duel."""
    sides = {side: copy(duelist) for side, duelist in event.sides.items()}
    state.duel = Duel(event.duel_id, sides, event.turn, event.stakes)
    _use_rolls(state, sides)


def _use_rolls(state: OverdriveState, sides: dict[Side, Duelist]) -> None:
    """Remove hidden rolls that are used in a duel."""
    used = {duelist.roll_id for duelist in sides.values() if duelist.roll_id is not UNSET}
    state.rolls = {key: roll for key, roll in state.rolls.items() if roll.roll_id not in used}


def raised(state: OverdriveState, event: e.DuelRaised) -> None:
    """Take the amount from the character's points, or from the reserve."""
    move(state, event.character, event.amount)
    duel = state.duel
    if duel is None or duel.duel_id != event.duel_id:
        return
    duelist = duel.sides.get(event.by)
    if duelist is not None:
        duelist.successes += event.amount
        if event.character is None:
            duelist.od -= event.amount
    duel.turn = event.next


def lost(state: OverdriveState, event: e.DuelLost) -> None:
    """Remove the duel."""
    if state.duel is not None and state.duel.duel_id == event.duel_id:
        state.duel = None


def redact(event: e.Event) -> e.Event:
    """The event as players read it: a hidden side exists and speaks, but its numbers are not shown."""
    match event:
        case e.DuelOpened() | e.DuelStarted() if any(duelist.hidden for duelist in event.sides.values()):
            sides = {
                side: Duelist(duelist.name, None, 0, hidden=True) if duelist.hidden else duelist
                for side, duelist in event.sides.items()
            }
            return structs.replace(event, sides=sides)
        case e.DuelRaised() if event.hidden:
            return structs.replace(event, amount=0, total=0, character=None)
        case _:
            return event
