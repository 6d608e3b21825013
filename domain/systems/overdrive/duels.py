"""Duels: both roll, then each pays for successes in turn until one folds (OD-18, OD-C17).

Codes: duel_in_progress, no_duel, duelist_incomplete, not_your_turn, insufficient_overdrive,
raise_must_exceed, unknown_roll.
"""

from copy import copy

from msgspec import UNSET, structs

from domain.asked import Asked
from domain.dice import Dice
from domain.ids import born
from domain.rejection import Rejection
from domain.sentences import say, say_many
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.asking import (
    find_character,
    require_gm,
    require_no_combat,
    require_player_or_gm,
    require_somebody,
    whose_turn_is_meant,
)
from domain.systems.overdrive.points import move, require_overdrive
from domain.systems.overdrive.rolling import Plan, make, plan
from domain.systems.overdrive.state import Duel, Duelist, OverdriveState
from domain.systems.overdrive.tables import Side

OTHER: dict[Side, Side] = {"a": "b", "b": "a"}


def start_duel(state: OverdriveState, asked: Asked, command: c.StartDuel, dice: Dice) -> list[e.Event]:
    """OD-C17: both roll, the initiator first; the trailing side speaks first (OD-A19)."""
    require_somebody(state, asked, "OD-C17")
    require_no_combat(state, "OD-C17")
    if state.duel is not None:
        raise Rejection("duel_in_progress", "One duel at a time: this one has to be decided.", rule="OD-18")
    drafts: dict[Side, c.DuelistDraft] = {"a": command.sides[0], "b": command.sides[1]}
    named = [each.character for each in drafts.values() if each.character is not None]
    if len(set(named)) < len(named):
        raise Rejection("duelist_incomplete", "A duel has two different sides.", rule="OD-18")
    if not asked.is_gm:
        _their_own(state, asked, named)
    sides: dict[Side, Duelist] = {
        side: _unseen(state, asked, draft, draft.roll_id)
        for side, draft in drafts.items()
        if draft.roll_id is not None
    }
    if any(each.character in named for each in sides.values()):
        raise Rejection("duelist_incomplete", "A duel has two different sides.", rule="OD-18")
    plans = {side: _planned(state, asked, draft) for side, draft in drafts.items() if side not in sides}
    events: list[e.Event] = []
    for nth, (side, planned) in enumerate(plans.items()):
        fallen = make(planned, asked, dice, nth)
        events += fallen
        successes = next(each.successes for each in fallen if isinstance(each, e.RollMade))
        who = planned.character
        sides[side] = Duelist(
            name=who.name if who is not None else drafts[side].name or "",
            character=who.character_id if who is not None else None,
            successes=successes,
            od=0 if who is not None else drafts[side].od,
        )
    turn: Side = "b" if sides["b"].successes < sides["a"].successes else "a"
    return [*events, e.DuelStarted(born("duel", asked.action_id), sides, turn, stakes=command.stakes)]


def _their_own(state: OverdriveState, asked: Asked, named: list[str]) -> None:
    """A player starts a duel that one of their own characters fights."""
    people = [find_character(state, asked, each, "OD-C17") for each in named]
    if not any(each.player_id == asked.account for each in people):
        require_gm(asked, "OD-C17")


def _unseen(state: OverdriveState, asked: Asked, draft: c.DuelistDraft, roll_id: str) -> Duelist:
    """A side that rolled hidden before, and its name for all. Raises `unknown_roll`, `duelist_incomplete`."""
    require_gm(asked, "OD-C17")
    rolled = next((each for each in state.rolls.values() if each.roll_id == roll_id), None)
    if rolled is None or rolled.kind != "plain":
        raise Rejection("unknown_roll", "There is no such roll that is not over yet.", rule="OD-C17")
    if draft.name is None or draft.character is not None:
        raise Rejection("duelist_incomplete", "Say what the table calls the hidden side.", rule="OD-18")
    return Duelist(draft.name, rolled.character, rolled.successes, hidden=True, roll_id=roll_id)


def _planned(state: OverdriveState, asked: Asked, draft: c.DuelistDraft) -> Plan:
    """One side's roll. Raises `duelist_incomplete`."""
    if draft.character is None:
        if draft.name is None:
            raise Rejection("duelist_incomplete", "Name a side, or say which character it is.", rule="OD-18")
        return Plan(
            kind="duel",
            skill=draft.skill_value,
            score=draft.pool,
            bonus_dice=draft.bonus_dice,
            penalty_dice=draft.penalty_dice,
        )
    character = find_character(state, asked, draft.character, "OD-C17")
    if draft.use is None or draft.skill is None:
        raise Rejection(
            "duelist_incomplete", say("Say with what {name} rolls.", name=character.name), rule="OD-18"
        )
    wanted = c.RollInitiative(
        bonus_dice=draft.bonus_dice, penalty_dice=draft.penalty_dice, invoke_relation=draft.invoke_relation
    )
    return plan(state, asked, character, wanted, "duel", draft.use, draft.skill)


def _to_speak(state: OverdriveState, asked: Asked, by: Side | None, rule: str) -> tuple[Duel, Side]:
    """The duel, and the side whose turn it is. Raises `no_duel` or `not_your_turn`."""
    duel = state.duel
    if duel is None:
        raise Rejection("no_duel", "There is no duel going on.", rule=rule)
    who = {each.character: side for side, each in duel.sides.items() if each.character is not None}
    now = duel.sides[duel.turn].character
    meant = whose_turn_is_meant(state, asked, who, now)
    side = by or (who[meant] if meant is not None and meant != now else duel.turn)
    asked.filled["by"] = side
    character = state.characters.get(duel.sides[side].character or "")
    if character is not None:
        require_player_or_gm(character, asked, rule)
    else:
        require_gm(asked, rule)
    if side != duel.turn:
        raise Rejection(
            "not_your_turn", say("It is {name}'s turn to speak.", name=duel.sides[duel.turn].name), rule=rule
        )
    return duel, side


def duel_raise(state: OverdriveState, asked: Asked, command: c.DuelRaise) -> list[e.DuelRaised]:
    """OD-C17: as many successes as Overdrive, and more than the other side has (OD-A19).

    What a hidden side has nobody can be held to: a refusal would tell.
    """
    duel, side = _to_speak(state, asked, command.by, "OD-C17")
    duelist, other = duel.sides[side], duel.sides[OTHER[side]]
    character = state.characters.get(duelist.character or "")
    available = character.od.available if character is not None else duelist.od
    require_overdrive(duelist.name, available, command.amount, "OD-18")
    total = duelist.successes + command.amount
    if asked.settings.duel_raise == "overtake" and not other.hidden and total <= other.successes:
        raise Rejection(
            "raise_must_exceed",
            say_many(
                "A raise must go past {n} success; else fold.",
                "A raise must go past {n} successes; else fold.",
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
            duel_raise=asked.settings.duel_raise,
            character=duelist.character,
            name=duelist.name,
            line=command.line,
            hidden=duelist.hidden,
        )
    ]


def duel_fold(state: OverdriveState, asked: Asked, command: c.DuelFold) -> list[e.DuelLost]:
    """OD-C17: the first to fold loses."""
    duel, side = _to_speak(state, asked, command.by, "OD-C17")
    return [
        e.DuelLost(
            duel_id=duel.duel_id,
            loser=side,
            winner=OTHER[side],
            loser_name=duel.sides[side].name,
            winner_name=duel.sides[OTHER[side]].name,
            returned={key: each.od for key, each in sorted(duel.sides.items()) if each.od},
        )
    ]


def started(state: OverdriveState, event: e.DuelStarted) -> None:
    """A duel goes on."""
    sides = {side: copy(each) for side, each in event.sides.items()}
    state.duel = Duel(event.duel_id, sides, event.turn, event.stakes)
    used = {each.roll_id for each in sides.values() if each.roll_id is not UNSET}
    state.rolls = {key: each for key, each in state.rolls.items() if each.roll_id not in used}


def raised(state: OverdriveState, event: e.DuelRaised) -> None:
    """Paid from the character's points, or from the reserve."""
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
    """The duel is over."""
    if state.duel is not None and state.duel.duel_id == event.duel_id:
        state.duel = None


def redact(event: e.Event) -> e.Event:
    """The event as players read it: that a hidden side is there and speaks, and nothing of what it has."""
    match event:
        case e.DuelStarted() if any(each.hidden for each in event.sides.values()):
            sides = {
                side: Duelist(each.name, None, 0, hidden=True) if each.hidden else each
                for side, each in event.sides.items()
            }
            return structs.replace(event, sides=sides)
        case e.DuelRaised() if event.hidden:
            return structs.replace(event, amount=0, total=0, character=None)
        case _:
            return event
