"""Permission to give commands, and the ids that a command leaves out.

Codes: not_the_gm, not_your_frame, observers_only_watch (forbidden); unknown_frame, unknown_station,
no_station, which_station, no_battle, battle_started, no_turn, not_this_frames_turn, pending_choice,
roll_first, defense_first, not_in_play.
"""

from domain.command_context import CommandContext
from domain.mechanics.omitted_ids import the_one
from domain.rejection import Forbidden, Rejection
from domain.sentences import Sentence, either, say
from domain.systems.mobile_frame.state import (
    Activation,
    Battle,
    Choice,
    Cover,
    Frame,
    MobileFrameState,
    Station,
    account_of,
)


def require_gm(context: CommandContext, rule: str) -> None:
    """Raise `not_the_gm` unless a GM or the campaign itself asks."""
    if not context.is_gm:
        raise Forbidden("not_the_gm", "Only a GM may do that.", rule=rule)


def speaks_for(player: str, context: CommandContext) -> bool:
    """Whether this player, or a GM, asks."""
    return context.is_gm or str(context.account) == player


def absent(state: MobileFrameState, context: CommandContext) -> set[str]:
    """The owners of frames who may no longer act in the campaign: a GM acts for them."""
    if context.members is None:
        return set()
    able = {str(account) for account, role in context.members.items() if role != "observer"}
    owners = {frame.owner for frame in state.frames.values()}
    return {owner for owner in owners if account_of(owner) is not None and owner not in able}


def require_owner(frame: Frame, context: CommandContext, rule: str) -> None:
    """Raise `not_your_frame` unless the frame's owner or a GM asks."""
    if not speaks_for(frame.owner, context):
        raise Forbidden(
            "not_your_frame",
            say("{frame} is not your frame; only its owner or a GM may do that.", frame=frame.name),
            rule=rule,
        )


def find_frame(state: MobileFrameState, frame: str, rule: str) -> Frame:
    """A frame by its id. Raises `unknown_frame`."""
    known_frame = state.frames.get(frame)
    if known_frame is None:
        raise Rejection("unknown_frame", "No frame here has that id.", rule=rule)
    return known_frame


def require_in_play(thing: Frame | Cover, rule: str) -> None:
    """Raise `not_in_play` for a hidden thing, which takes no part in a battle.

    An open command that names such a thing has brought it into play before.
    """
    if thing.hidden:
        raise Rejection(
            "not_in_play",
            say("{thing} is hidden: let it enter play first.", thing=thing.name),
            rule=rule,
        )


def find_station(state: MobileFrameState, context: CommandContext, station: str | None, rule: str) -> Station:
    """The station of this id, or the only one. Raises `unknown_station`, `no_station`, `which_station`."""
    if station is not None:
        known_station = state.stations.get(station)
        if known_station is None:
            raise Rejection("unknown_station", "No station on this field has that id.", rule=rule)
        return known_station
    return the_one(
        context,
        "station",
        [state.stations[station_id] for station_id in sorted(state.stations)],
        code="which_station",
        message=lambda several: say(
            "Which station? {choices}.", choices=either(candidate.name for candidate in several)
        ),
        rule=rule,
        describe=lambda candidate: candidate.station_id,
        none=lambda: Rejection("no_station", "There is no station on this field.", rule=rule),
    )


def require_battle(state: MobileFrameState, rule: str) -> Battle:
    """The running battle. Raises `no_battle`."""
    if state.battle is None:
        raise Rejection("no_battle", "No battle is being fought; the GM starts one first.", rule=rule)
    return state.battle


def require_no_battle(state: MobileFrameState, rule: str) -> None:
    """Raise `battle_started` while a battle runs."""
    if state.battle is not None:
        raise Rejection(
            "battle_started", "A battle is being fought; this has to wait until it is over.", rule=rule
        )


def require_nothing_pending(state: MobileFrameState, rule: str) -> None:
    """Raise `pending_choice` while the damage of an attack waits for a choice."""
    choice = state.choice()
    if choice is not None:
        raise Rejection(
            "pending_choice",
            _first(state, choice),
            rule=rule,
            kind=choice.kind,
            subject=choice.subject,
            player=choice.player,
        )


def _first(state: MobileFrameState, choice: Choice) -> Sentence:
    """The frame and the player of a choice that comes before anything else."""
    if choice.kind == "loss":
        return say(
            "First the owner of {frame}, or a GM, chooses what it loses.", frame=state.frames[choice.subject].name
        )
    return say(
        "First the owner of {attacker}, or a GM, says how high {cover} still stands.",
        attacker=state.frames[choice.attacker].name,
        cover=state.covers[choice.subject].name,
    )


def find_turn(
    state: MobileFrameState, context: CommandContext, frame: str | None, rule: str
) -> tuple[Battle, Activation, Frame]:
    """The current turn, for its owner or a GM; `frame`, if given, must be its frame.

    Raises `no_battle`, `no_turn`, `unknown_frame`, `not_your_frame`, `not_this_frames_turn`, `pending_choice`.
    """
    battle = require_battle(state, rule)
    acting = state.acting()
    if acting is None or acting.frame not in state.frames:
        raise Rejection("no_turn", "No frame is taking its turn; activate one first.", rule=rule)
    if frame is None:
        frame = context.filled["frame"] = acting.frame
        own = _own_that_waits(state, context, battle)
        if own is not None and not speaks_for(state.frames[frame].owner, context):
            raise Forbidden("not_your_frame", _has_to_wait(state, own, acting), rule=rule)
    known_frame = find_frame(state, frame, rule)
    require_owner(known_frame, context, rule)
    if known_frame.frame_id != acting.frame:
        raise Rejection("not_this_frames_turn", _has_to_wait(state, known_frame, acting), rule=rule)
    require_nothing_pending(state, rule)
    return battle, acting, known_frame


def _own_that_waits(state: MobileFrameState, context: CommandContext, battle: Battle) -> Frame | None:
    """A frame of the asker whose turn waits for another's."""
    turns = (state.frames.get(turn.frame) for turn in reversed(battle.stack))
    return next((frame for frame in turns if frame is not None and speaks_for(frame.owner, context)), None)


def _has_to_wait(state: MobileFrameState, frame: Frame, acting: Activation) -> Sentence:
    """The rejection that names the frame whose turn goes on before this frame's."""
    now = state.frames[acting.frame].name
    if acting.attacker == frame.frame_id and "defense" not in acting.assigned:
        return say("{frame} has to wait until {acting} has set its defence.", frame=frame.name, acting=now)
    return say("{frame} has to wait: {acting} is taking its turn.", frame=frame.name, acting=now)


def require_defense_placed(turn: Activation, rule: str) -> None:
    """Raise `roll_first` or `defense_first` unless dice are rolled and the defence is placed (MF-8)."""
    if not turn.rolled:
        raise Rejection("roll_first", "Roll the whole dicepool first.", rule=rule)
    if "defense" not in turn.assigned:
        raise Rejection("defense_first", "First give defence a die, or none.", rule=rule)


def waits(frame: Frame | None) -> bool:
    """Whether a frame has not had its turn of this round yet; False for a hidden one."""
    return frame is not None and frame.status == "active" and not (frame.activated or frame.hidden)
