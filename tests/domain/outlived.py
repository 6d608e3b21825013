"""What a state still holds of a scene, a fight, a battle, a round or a turn that is over, in words for a failure.

Each system says it of its own state: after every action of a play nothing of that is left.
"""

from collections.abc import Callable, Iterator
from typing import Any

from domain.systems.freefall.state import FreefallState
from domain.systems.mobile_frame.state import MobileFrameState
from domain.systems.overdrive import events as od
from domain.systems.overdrive.rolls import OF_FIGHTS
from domain.systems.overdrive.state import Character, Mech, OverdriveState


def outlived_in_overdrive(state: OverdriveState, events: list[Any]) -> Iterator[str]:
    """Of fights that are over, of turns that are, and of those who cannot fight any more."""
    fighters = {who for event in events if isinstance(event, od.CombatEnded) for who in event.participants}
    if state.combat is None:
        fighters |= {"nobody"}
        yield from (f"a roll: {roll.kind}" for roll in state.rolls.values() if roll.kind in OF_FIGHTS)
        yield from _cooling(state)
        people = state.characters.values()
        yield from ("stunned" for character in people if character.status == "stunned")
        yield from ("a loss to choose" for character in people if character.pending_loss is not None)
        mechs = [mech for mech in state.mechs.values() if mech.pilot in fighters]
        yield from ("a configuration" for mech in mechs if "active" in mech.configs.values())
        yield from ("a roll of a fighter" for roll in state.rolls.values() if roll.character in fighters)
        return
    combat = state.combat
    protectors = [who for who, fighter in combat.participants.items() if fighter.protecting is not None]
    yield from ("a protection" for who in protectors if not state.is_fit(who))
    if isinstance(events[-1], od.CombatTurnStarted):
        fighters_now = combat.participants.values()
        yield from ("an attack" for _ in [combat.attack] if combat.attack is not None)
        yield from ("movement points" for fighter in fighters_now if fighter.pm or fighter.quadrant_changed)
        yield from ("an extra action" for fighter in fighters_now if fighter.cinematic_actions)
        yield from ("a used action" for fighter in fighters_now if fighter.movement_used or fighter.attack_used)
        yield from ("a heading" for fighter in fighters_now if fighter.heading is not None)


def _cooling(state: OverdriveState) -> Iterator[str]:
    holders: list[Character | Mech] = [*state.characters.values(), *state.mechs.values()]
    weapons = [weapon for holder in holders for weapon in holder.weapons.values()]
    yield from ("a weapon that cools" for weapon in weapons if weapon.fired_turn is not None)


def outlived_in_freefall(state: FreefallState, _events: list[Any]) -> Iterator[str]:
    """Of turns and scenes that are over, and of those who are out of the story."""
    board = state.board
    turn = board.turn_id if board is not None else None
    yield from ("a turn outside bullet time" for _ in [board] if board is not None and state.mode != "bullet")
    yield from ("a conflict" for conflict in state.conflicts if conflict.turn_id not in (None, turn))
    open_actions = {action.id for action in (board.actions if board is not None else ())}
    over = {roll.roll_id for roll in state.rolls if roll.over}
    for call in state.called:
        if call.action is not None and call.action not in open_actions:
            yield "the price of an action"
        if call.roll in over:
            yield "the price of a success"
    out = {who for who, character in state.characters.items() if character.status == "ousted"}
    yield from ("harm of who is ousted" for call in state.called if call.character in out)
    yield from ("a called roll of who is ousted" for who in state.called_rolls if who in out)
    yield from ("a machine of who is ousted" for machine in state.machines.values() if machine.pilot in out)
    yield from ("a treatment of who is ousted" for work in state.treatments.values() if work.character in out)
    temporary = {
        harm.harm_id
        for character in state.characters.values()
        for harm in character.slots
        if harm is not None and harm.state == "temporary"
    }
    asked = state.recovery.harms.values() if state.recovery is not None else ()
    yield from ("a question about harm" for ids in asked for harm_id in ids if harm_id not in temporary)


def outlived_in_mobile_frame(state: MobileFrameState, events: list[Any]) -> Iterator[str]:
    """Of battles, rounds and turns that are over, and of frames that are destroyed."""
    battle = state.battle
    frames = state.frames.values()
    if battle is None:
        yield from ("an activation" for frame in frames if frame.activated)
        yield from ("a marker" for frame in frames if (frame.defense, frame.spot) != (None, None))
    elif not battle.stack:
        yield from ("a choice" for _ in [battle.choice] if battle.choice is not None)
    destroyed = [frame for frame in frames if frame.status == "destroyed"]
    yield from ("a marker of a wreck" for frame in destroyed if (frame.defense, frame.spot) != (None, None))
    yield from ("a distance of a wreck" for frame in destroyed if frame.station_distances)
    measured = {station for frame in frames for station in frame.station_distances}
    yield from (f"a distance to a station: {station}" for station in measured if station not in state.stations)
    if battle is None:
        return
    if any(type(event).__name__ == "RoundEnded" for event in events):
        yield from ("an activation" for frame in frames if frame.activated)
        yield from ("a pass" for _ in battle.passed)
    turns = {turn.frame for turn in battle.stack}
    yield from ("a turn of a frame that is gone" for who in turns if who not in state.frames)


OUTLIVED: dict[str, Callable[[Any, list[Any]], Iterator[str]]] = {
    "freefall": outlived_in_freefall,
    "mobile_frame": outlived_in_mobile_frame,
    "overdrive": outlived_in_overdrive,
}
