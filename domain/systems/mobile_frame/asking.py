"""Who may ask for what, and what a command means when it leaves an id out.

Codes: not_the_gm, not_your_frame, observers_only_watch (forbidden); unknown_frame, unknown_station,
no_station, which_station, no_battle, battle_started, no_turn, not_this_frames_turn, pending_choice,
roll_first, defense_first, not_in_play.
"""

from domain.asked import Asked
from domain.mechanics.choose import the_one
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from domain.systems.mobile_frame.state import Activation, Battle, Cover, Frame, MobileFrameState, Station


def require_gm(asked: Asked, rule: str) -> None:
    """Only a GM, or the campaign itself. Raises `not_the_gm`."""
    if not asked.is_gm:
        raise Forbidden("not_the_gm", "Only the GM may do that.", rule=rule)


def speaks_for(player: str, asked: Asked) -> bool:
    """Whether the asker is this player, or a GM."""
    return asked.is_gm or str(asked.account) == player


def require_owner(frame: Frame, asked: Asked, rule: str) -> None:
    """The frame's owner or a GM. Raises `not_your_frame`."""
    if not speaks_for(frame.owner, asked):
        raise Forbidden(
            "not_your_frame",
            say("{frame} is not your frame; only its owner may do that.", frame=frame.name),
            rule=rule,
        )


def find_frame(state: MobileFrameState, frame: str, rule: str) -> Frame:
    """A frame by its id. Raises `unknown_frame`."""
    found = state.frames.get(frame)
    if found is None:
        raise Rejection("unknown_frame", "There is no such frame here.", rule=rule)
    return found


def require_in_play(thing: Frame | Cover, rule: str) -> None:
    """Something that not everybody knows of takes no part in a battle. Raises `not_in_play`.

    An open command that names it has brought it into play before.
    """
    if thing.hidden:
        raise Rejection(
            "not_in_play",
            say("{thing} is hidden: let it enter play first.", thing=thing.name),
            rule=rule,
        )


def find_station(state: MobileFrameState, asked: Asked, station: str | None, rule: str) -> Station:
    """A station by its id; left out, the only one. Raises `unknown_station`, `no_station`, `which_station`."""
    if station is not None:
        found = state.stations.get(station)
        if found is None:
            raise Rejection("unknown_station", "There is no such station here.", rule=rule)
        return found
    return the_one(
        asked,
        "station",
        [state.stations[each] for each in sorted(state.stations)],
        code="which_station",
        message=say("Say which station you mean."),
        rule=rule,
        describe=lambda each: each.station_id,
        none=lambda: Rejection("no_station", "There is no station on this field.", rule=rule),
    )


def require_battle(state: MobileFrameState, rule: str) -> Battle:
    """The battle that runs. Raises `no_battle`."""
    if state.battle is None:
        raise Rejection("no_battle", "No battle is being fought; the GM starts one first.", rule=rule)
    return state.battle


def require_no_battle(state: MobileFrameState, rule: str) -> None:
    """Raises `battle_started` while a battle runs."""
    if state.battle is not None:
        raise Rejection("battle_started", "The battle has started; this has to wait for its end.", rule=rule)


def require_nothing_pending(state: MobileFrameState, rule: str) -> None:
    """Raises `pending_choice` while the damage of an attack waits for somebody's choice."""
    if state.battle is not None and state.battle.choice is not None:
        choice = state.battle.choice
        raise Rejection(
            "pending_choice",
            "An attack is being resolved and waits for a choice first.",
            rule=rule,
            kind=choice.kind,
            subject=choice.subject,
            player=choice.player,
        )


def find_turn(
    state: MobileFrameState, asked: Asked, frame: str | None, rule: str
) -> tuple[Battle, Activation, Frame]:
    """The turn that goes on, for its owner or the GM.

    Raises `no_battle`, `no_turn`, `unknown_frame`, `not_your_frame`, `not_this_frames_turn`, `pending_choice`.
    """
    battle = require_battle(state, rule)
    acting = state.acting()
    if acting is None or acting.frame not in state.frames:
        raise Rejection("no_turn", "No frame is taking its turn; activate one first.", rule=rule)
    if frame is None:
        frame = asked.filled["frame"] = acting.frame
    meant = find_frame(state, frame, rule)
    require_owner(meant, asked, rule)
    if meant.frame_id != acting.frame:
        raise Rejection(
            "not_this_frames_turn",
            say(
                "{frame} has to wait: {acting} is taking its turn.",
                frame=meant.name,
                acting=state.frames[acting.frame].name,
            ),
            rule=rule,
        )
    require_nothing_pending(state, rule)
    return battle, acting, meant


def require_defense_placed(turn: Activation, rule: str) -> None:
    """Dice are rolled and defence comes first (MF-8). Raises `roll_first` or `defense_first`."""
    if not turn.rolled:
        raise Rejection("roll_first", "Roll the whole dicepool first.", rule=rule)
    if "defense" not in turn.assigned:
        raise Rejection("defense_first", "Give defence a die, or none, before anything else happens.", rule=rule)


def waits(frame: Frame | None) -> bool:
    """Whether a frame still has its turn of this round before it; a hidden one has none."""
    return frame is not None and frame.status == "active" and not (frame.activated or frame.hidden)
