"""A frame's turn from activation to its end (MF-8 to MF-13, MF-16).

Codes: frame_destroyed, already_activated, which_frame, already_rolled, dice_already_rolled,
stations_cannot_be_targeted, own_frame, no_weapon_at_range, unknown_target, target_gone, already_moved,
too_far, cover_blocks_move, cannot_stand_on_cover, spot_comes_last, attack_held_open, may_not_declare,
which_weapon.
"""

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.ids import derive_id
from domain.mechanics.omitted_ids import the_one
from domain.rejection import Rejection
from domain.sentences import either, say, say_many
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.access import (
    find_frame,
    find_turn,
    require_battle,
    require_defense_placed,
    require_in_play,
    require_nothing_pending,
    require_owner,
    speaks_for,
    waits,
)
from domain.systems.mobile_frame.attacks import standing_covers
from domain.systems.mobile_frame.battles import next_to_go, order_set, require_next, require_no_open_turn
from domain.systems.mobile_frame.die_assignment import assigned, held_open, require_open
from domain.systems.mobile_frame.frame_values import can_pass_cover, can_stand_on_cover, ranges_of, weapons_at
from domain.systems.mobile_frame.settings import Settings
from domain.systems.mobile_frame.spot_action import spottable
from domain.systems.mobile_frame.state import (
    Activation,
    Battle,
    Frame,
    MobileFrameState,
    PoolDie,
    Target,
    TargetKind,
)
from domain.systems.mobile_frame.tables import Weapon
from domain.systems.mobile_frame.term_words import RANGES, WEAPONS


def activate_frame(
    state: MobileFrameState, context: CommandContext, command: c.ActivateFrame
) -> list[e.FrameActivated]:
    """MF-C4: activate a frame, once per round, in the order of the scores."""
    battle = require_battle(state, "MF-C4")
    if command.frame is None:
        require_no_open_turn(state, "MF-C4")
        frame = _only_one(state, context, battle)
    else:
        frame = find_frame(state, command.frame, "MF-C4")
    require_owner(frame, context, "MF-C4")
    require_in_play(frame, "MF-C4")
    require_nothing_pending(state, "MF-C4")
    if frame.status != "active":
        raise Rejection("frame_destroyed", say("{frame} is destroyed.", frame=frame.name), rule="MF-C4")
    if frame.activated:
        raise Rejection(
            "already_activated",
            say("{frame} has already had its turn this round.", frame=frame.name),
            rule="MF-C4",
        )
    require_no_open_turn(state, "MF-C4")
    require_next(state, battle, frame.owner, "MF-C4")
    return [
        e.FrameActivated(
            frame=frame.frame_id,
            by="player",
            during=battle.now,
            turn_id=derive_id("turn", context.action_id),
        )
    ]


def _only_one(state: MobileFrameState, context: CommandContext, battle: Battle) -> Frame:
    """The only frame that the asker may activate. Raises `which_frame` or `not_your_turn`."""
    own = [frame for _, frame in sorted(state.frames.items()) if waits(frame) and speaks_for(frame.owner, context)]
    first = next_to_go(state, battle)
    if not any(frame.owner in first for frame in own):
        for own_frame in own:
            require_next(state, battle, own_frame.owner, "MF-C4")
        raise Rejection("not_your_turn", "You have no frame left to activate this round.", rule="MF-C4")
    return the_one(
        context,
        "frame",
        [frame for frame in own if frame.owner in first],
        code="which_frame",
        message=lambda several: say("Which frame? {choices}.", choices=either(frame.name for frame in several)),
        rule="MF-C4",
        describe=lambda frame: {"frame": frame.frame_id, "name": frame.name},
    )


def declare_target(
    state: MobileFrameState, context: CommandContext, command: c.DeclareTarget
) -> list[e.TargetDeclared]:
    """MF-C5: declare the target of an attack before the roll; out of range is legal for now."""
    _, turn, frame = find_turn(state, context, command.frame, "MF-C5")
    if command.target in state.stations:
        raise Rejection("stations_cannot_be_targeted", "A station is never a target.", rule="MF-9")
    kind = _kind(state, frame, command.target)
    if turn.rolled:
        raise Rejection(
            "dice_already_rolled", "The dice have already fallen; a target is declared before.", rule="MF-C5"
        )
    if not turn.may_declare:
        raise Rejection(
            "may_not_declare", "A frame woken by an attack may not declare a target of its own.", rule="MF-A12"
        )
    reached = command.range in ranges_of(frame, turn)
    if not reached or (command.weapon is not None and command.weapon not in weapons_at(frame, command.range)):
        raise Rejection(
            "no_weapon_at_range",
            say("{frame} has no weapon {range}.", frame=frame.name, range=RANGES[command.range]),
            rule="MF-9",
        )
    return [
        e.TargetDeclared(
            frame=frame.frame_id,
            target=command.target,
            kind=kind,
            range=command.range,
            weapon=_weapon(context, command, weapons_at(frame, command.range)),
            turn_id=turn.turn_id,
        )
    ]


def _weapon(context: CommandContext, command: c.DeclareTarget, reaching: list[Weapon]) -> Weapon | None:
    """The weapon that an attack is declared with: as named, else the only one that reaches; None if none does.

    Raises `which_weapon` where several do.
    """
    if command.weapon is not None or not reaching:
        return command.weapon
    if context.decided_before and len(reaching) > 1:
        return None  # it was chosen after the dice
    return the_one(
        context,
        "weapon",
        reaching,
        code="which_weapon",
        message=lambda several: say(
            "Which weapon? {choices}.", choices=either(WEAPONS[weapon] for weapon in several)
        ),
        rule="MF-9",
        describe=str,
    )


def _kind(state: MobileFrameState, frame: Frame, target: str) -> TargetKind:
    """The kind of a target. Raises `own_frame`, `target_gone` or `unknown_target`."""
    hostile, cover = state.frames.get(target), state.covers.get(target)
    if hostile is not None:
        require_in_play(hostile, "MF-9")
        if hostile.owner == frame.owner:
            raise Rejection(
                "own_frame", say("{frame} is on the same side as its attacker.", frame=hostile.name), rule="MF-9"
            )
        if hostile.status != "active":
            raise Rejection("target_gone", say("{frame} is destroyed.", frame=hostile.name), rule="MF-9")
        return "frame"
    if cover is None:
        raise Rejection(
            "unknown_target",
            "That is neither a frame nor cover on this field.",
            rule="MF-9",
            choices=[*(enemy.frame_id for enemy in spottable(state, frame)), *standing_covers(state)],
        )
    require_in_play(cover, "MF-9")
    if cover.fallen:
        raise Rejection("target_gone", say("{cover} is rubble.", cover=cover.name), rule="MF-9")
    return "cover"


def roll_dicepool(
    state: MobileFrameState, context: CommandContext, command: c.RollDicepool, dice: Dice
) -> list[e.DicepoolRolled]:
    """MF-C6: roll the whole pool, left to right."""
    _, turn, frame = find_turn(state, context, command.frame, "MF-C6")
    if turn.rolled:
        raise Rejection(
            "already_rolled", say("{frame} has already rolled its dice this turn.", frame=frame.name), rule="MF-10"
        )
    rolled_dice = []
    for loadout_die in frame.dice:
        die = dice.roll(loadout_die.sides)
        rolled_dice.append(
            e.RolledPoolDie(
                loadout_die.color, loadout_die.sides, loadout_die.range, die.natural, die.origin, die.proof
            )
        )
    return [e.DicepoolRolled(frame=frame.frame_id, dice=rolled_dice, turn_id=turn.turn_id)]


def move(
    state: MobileFrameState, context: CommandContext, command: c.Move
) -> list[e.DieAssigned | e.DefensePlaced | e.TurnResumed | e.RocketSpent | e.FrameMoved]:
    """MF-C8, MF-13: up to the die's face in units."""
    _, turn, frame = find_turn(state, context, command.frame, "MF-C8")
    require_defense_placed(turn, "MF-C8")
    if turn.moved:
        raise Rejection(
            "already_moved", say("{frame} has already moved this turn.", frame=frame.name), rule="MF-C8"
        )
    if turn.spotted:
        raise Rejection("spot_comes_last", "Spotting comes last: this turn has no more move.", rule="MF-8")
    if turn.attack is not None and not context.decided_before:
        raise held_open(state, turn.attack.target, "MF-14")
    giving = assigned(turn, frame, "movement", command.die) if command.die is not None else []
    units = turn.pool[command.die].value if command.die is not None else turn.value("movement")
    if command.distance > units:
        raise Rejection(
            "too_far",
            say_many("{frame} moves up to {n} unit.", "{frame} moves up to {n} units.", units, frame=frame.name),
            rule="MF-13",
        )
    if command.through_cover and not can_pass_cover(frame):
        raise Rejection(
            "cover_blocks_move", say("{frame} has to go around cover.", frame=frame.name), rule="MF-13"
        )
    settings: Settings = context.settings
    if command.stand_on_cover and not can_stand_on_cover(frame, bonus_d8_on_cover=settings.bonus_d8_on_cover):
        raise Rejection(
            "cannot_stand_on_cover", "Only a movement system lets a frame stand on cover.", rule="MF-A16"
        )
    distances = {
        station: units for station, units in command.station_distances.items() if station in state.stations
    }
    event = e.FrameMoved(
        frame=frame.frame_id,
        distance=command.distance,
        through_cover=command.through_cover,
        on_cover=command.stand_on_cover,
        bonus_d8_on_cover=settings.bonus_d8_on_cover,
        station_distances=distances,
        turn_id=turn.turn_id,
    )
    return [*giving, event]


def end_turn(
    state: MobileFrameState, context: CommandContext, command: c.EndTurn
) -> list[e.LeftoverDiceDiscarded | e.TurnEnded | e.TurnResumed | e.TacticalOrderSet]:
    """MF-C13: discard unused dice; a frame that waited for this one goes on."""
    battle, turn, frame = find_turn(state, context, command.frame, "MF-C13")
    if frame.status == "active":
        require_defense_placed(turn, "MF-C13")
        require_open(state, turn)
    events: list[e.LeftoverDiceDiscarded | e.TurnEnded | e.TurnResumed | e.TacticalOrderSet] = [
        e.LeftoverDiceDiscarded(
            frame=frame.frame_id, dice=[place for place, die in enumerate(turn.pool) if not die.used]
        ),
        e.TurnEnded(frame=frame.frame_id, turn_id=turn.turn_id),
    ]
    waiting = [other for other in reversed(battle.stack) if other is not turn]
    for other in waiting:
        below = state.frames.get(other.frame)
        if below is not None and below.status == "active":
            return [*events, e.TurnResumed(frame=other.frame)]
        events.append(e.TurnEnded(frame=other.frame, turn_id=other.turn_id))  # destroyed while it waited (MF-21)
    return [*events, order_set(battle)]


def activated(state: MobileFrameState, event: e.FrameActivated) -> None:
    """Begin a turn; an attacker that woke the frame waits for its defence."""
    if event.frame in state.frames:
        state.frames[event.frame].activated = True
    if state.battle is None or state.activation(event.frame) is not None:
        return
    attacker = state.activation(event.attacker) if event.attacker is not None else None
    if attacker is not None:
        attacker.waits_for = event.frame
    state.battle.order_due = None
    turn = Activation(event.frame, event.by, event.attacker, may_declare=event.may_declare, turn_id=event.turn_id)
    state.battle.stack.append(turn)


def combat_order_entered(state: MobileFrameState, _event: e.CombatOrderEntered) -> None:
    """Set the order to that of the attacks."""
    if state.battle is not None:
        state.battle.order = "combat"


def target_declared(state: MobileFrameState, event: e.TargetDeclared) -> None:
    """Set the target of the attack."""
    turn = state.activation(event.frame)
    if turn is not None:
        turn.target = Target(event.target, event.kind, event.range, event.weapon)


def dicepool_rolled(state: MobileFrameState, event: e.DicepoolRolled) -> None:
    """Set the rolled dice."""
    turn = state.activation(event.frame)
    if turn is not None:
        turn.rolled = True
        turn.pool = [PoolDie(die.color, die.sides, die.range, die.value) for die in event.dice]


def move_frame(state: MobileFrameState, event: e.FrameMoved) -> None:
    """Set the distances to stations; those measured before are dropped if the frame moved."""
    turn, frame = state.activation(event.frame), state.frames.get(event.frame)
    if turn is not None:
        turn.moved = True
    if frame is not None:
        kept_distances = frame.station_distances if event.distance == 0 else {}
        frame.station_distances = {**kept_distances, **event.station_distances}


def turn_ended(state: MobileFrameState, event: e.TurnEnded) -> None:
    """Remove the turn from the stack."""
    if state.battle is not None:
        state.battle.stack = [turn for turn in state.battle.stack if turn.frame != event.frame]


def turn_resumed(state: MobileFrameState, event: e.TurnResumed) -> None:
    """Continue the turn of a frame that waited."""
    turn = state.activation(event.frame)
    if turn is None or state.battle is None:
        return
    turn.waits_for = None
    for other in state.battle.stack:
        if other is not turn and other.attacker == event.frame:
            other.waits_for = event.frame
