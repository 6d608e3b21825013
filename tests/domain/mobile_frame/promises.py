"""What holds after every single event of a battle, whoever plays it and however."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from domain.systems.mobile_frame import MOBILE_FRAME
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.state import MobileFrameState


class Promises:
    """Follows a play from action to action."""

    def __init__(self) -> None:
        self._given: dict[str, set[int]] = {}

    def hold(self, state: MobileFrameState, events: Sequence[Any]) -> None:
        """Fold an action's events onto the state it met, and look after each of them. Changes that state."""
        for event in events:
            self._die_is_used_once(event)
            was = msgspec.json.decode(msgspec.json.encode(state), type=MobileFrameState)
            state = MOBILE_FRAME.evolve(state, event)
            if state.battle is not None and was.battle is not None:
                scores_are_assets_times_points(state, event)
                damage_never_revives(was, state)
        for frame in state.frames.values() if state.battle is not None else ():
            assert (frame.white == 0) == (frame.status == "destroyed")
        if state.battle is not None and state.battle.stack:
            assert state.acting() is not None, "somebody can always go on"

    def _die_is_used_once(self, event: Any) -> None:
        """From one roll to the next no place in the pool is given twice, nor thrown away after it was."""
        if isinstance(event, e.DicepoolRolled):
            self._given[event.frame] = set()
        elif isinstance(event, e.DieAssigned) and event.die is not None:
            given = self._given.setdefault(event.frame, set())
            assert event.die not in given, "a die is used once"
            given.add(event.die)
        elif isinstance(event, e.LeftoverDiceDiscarded):
            assert not self._given.get(event.frame, set()) & set(event.dice)


def scores_are_assets_times_points(state: MobileFrameState, event: Any) -> None:
    """Assets are what stands and what is held; a score that is told is the score."""
    assert state.battle is not None
    for player, side in state.battle.sides.items():
        frames = sum(each.owner == player and each.status == "active" for each in state.in_play())
        stations = sum(each.controller == player for each in state.stations.values())
        assert side.assets == frames + stations
        assert side.score == (frames + stations) * side.ppa
    if isinstance(event, e.ScoreRecalculated):
        assert event.to == state.battle.sides[event.player].score
    if isinstance(event, e.TacticalOrderSet):
        assert event.scores == {player: side.score for player, side in state.battle.sides.items()}


def damage_never_revives(was: MobileFrameState, state: MobileFrameState) -> None:
    """Systems, white dice, rockets and bricks only ever get fewer during a battle."""
    for id_, frame in state.frames.items():
        assert not Counter(frame.systems) - Counter(was.frames[id_].systems)
        assert frame.white <= was.frames[id_].white
        assert frame.rockets <= was.frames[id_].rockets
        assert was.frames[id_].status == "active" or frame.status == "destroyed"
    for id_, cover in was.covers.items():
        assert state.covers[id_].bricks <= cover.bricks
        assert state.covers[id_].height <= cover.height
        assert state.covers[id_].fallen or not cover.fallen
