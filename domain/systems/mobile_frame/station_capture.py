"""Stations: their capture, and its effect on the scores (MF-7, MF-23, MF-C14).

Codes: contested, no_frame_at_station, not_at_station, frame_destroyed.
"""

from domain.command_context import CommandContext
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.access import (
    find_frame,
    find_station,
    require_battle,
    require_in_play,
    require_nothing_pending,
    speaks_for,
)
from domain.systems.mobile_frame.state import Battle, MobileFrameState, Side
from domain.systems.mobile_frame.tables import HAND_UNITS, ScoreReason


def capture_station(
    state: MobileFrameState, context: CommandContext, command: c.CaptureStation
) -> list[e.StationCaptured | e.ScoreRecalculated]:
    """MF-C14: the only player with a frame in hand range captures the station."""
    battle = require_battle(state, "MF-C14")
    station = find_station(state, context, command.station, "MF-C14")
    frames = [find_frame(state, frame_id, "MF-C14") for frame_id in command.frames]
    if frames and not any(speaks_for(frame.owner, context) for frame in frames):
        raise Forbidden("not_your_frame", "None of these frames is yours.", rule="MF-C14")
    require_nothing_pending(state, "MF-C14")
    for frame in frames:
        require_in_play(frame, "MF-C14")
        if frame.status != "active":
            raise Rejection("frame_destroyed", say("{frame} is destroyed.", frame=frame.name), rule="MF-C14")
        if frame.station_distances.get(station.station_id, HAND_UNITS) > HAND_UNITS:
            too_far = say(
                "{frame} was last measured more than 1 unit from {station}.",
                frame=frame.name,
                station=station.name,
            )
            raise Rejection("not_at_station", too_far, rule="MF-C14")
    near = [
        frame
        for frame in state.in_play()
        if frame.status == "active"
        and frame.frame_id not in {own.frame_id for own in frames}
        and frame.station_distances.get(station.station_id, HAND_UNITS + 1) <= HAND_UNITS
    ]
    if len({frame.owner for frame in [*frames, *near]}) > 1:
        raise Rejection(
            "contested",
            say("{station} is contested: frames of two companies are within 1 unit.", station=station.name),
            rule="MF-C14",
        )
    if not frames:
        raise Rejection("no_frame_at_station", "Name the frames within 1 unit of the station.", rule="MF-C14")
    player = frames[0].owner
    if station.controller == player:
        return []  # it is theirs already, so nothing changes
    change = {player: 1}
    if station.controller is not None:
        change[station.controller] = -1
    captured = e.StationCaptured(
        station=station.station_id,
        player=player,
        previous=station.controller,
        assets_change=change,
        captured_by=context.action_id,
        frames=[frame.frame_id for frame in frames],
        during=battle.now,
    )
    reasons: dict[str, ScoreReason] = {player: "station_captured"}
    if station.controller is not None:
        reasons[station.controller] = "station_lost"
    return [captured, *(_recalculated(battle, who, change[who], why) for who, why in reasons.items())]


def _recalculated(battle: Battle, player: str, change: int, reason: ScoreReason) -> e.ScoreRecalculated:
    """MF-W1: the event of a score before and after."""
    side = battle.sides.get(player, Side(ppa=0, assets=0))
    return e.ScoreRecalculated(player=player, from_=side.score, to=side.score + change * side.ppa, reason=reason)


def captured(state: MobileFrameState, event: e.StationCaptured) -> None:
    """Give the station, which is an asset, to its new holder, and take it from its present one.

    The present one may differ from the one at the time, because an older capture may have been undone. Between
    two turns the new order holds at once, and players who passed are asked again. The capturing frames are near
    it.
    """
    for frame_id in event.frames:
        if frame_id in state.frames:
            state.frames[frame_id].station_distances.setdefault(event.station, HAND_UNITS)
    station = state.stations.get(event.station)
    if station is None or station.controller == event.player:
        return
    if station.controller is not None:
        count_assets(state, station.controller, -1)
    count_assets(state, event.player, event.assets_change.get(event.player, 1))
    station.controller = event.player
    if state.battle is not None and not state.battle.stack:
        state.battle.passed, state.battle.order_due = [], event.captured_by


def count_assets(state: MobileFrameState, player: str, change: int) -> None:
    """Change a player's number of assets, at least to 0."""
    side = state.battle.sides.get(player) if state.battle is not None else None
    if side is not None:
        side.assets = max(0, side.assets + change)
