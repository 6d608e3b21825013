"""Entering play: a frame, with the asset that it is to its side, or cover (MF-6, MF-23).

Until then it counts for nothing: points, scores, order, votes and turns do not tell that it exists.
"""

from collections.abc import Collection
from copy import deepcopy

from msgspec import structs

from domain.mechanics.dispatch import Evolve
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.battles import order_set
from domain.systems.mobile_frame.creation import assets_of
from domain.systems.mobile_frame.entrance_events import CoverEntered, EntranceEvent, FrameEntered
from domain.systems.mobile_frame.state import Battle, Frame, MobileFrameState, Side
from domain.systems.mobile_frame.tables import POINTS_PER_ASSET


def entrance_events(
    state: MobileFrameState, subject: str
) -> list[EntranceEvent | e.ScoreRecalculated | e.TacticalOrderSet]:
    """The events that tell how a hidden thing is now; for a frame in a battle, also its effect on scores.

    Between two turns the new order follows at once; in a turn, with its end.
    """
    if (cover := state.covers.get(subject)) is not None:
        return [CoverEntered(structs.replace(cover, hidden=False))]
    if (frame := state.frames.get(subject)) is None:
        return []
    event = FrameEntered(structs.replace(deepcopy(frame), hidden=False))
    if not frame.hidden or state.battle is None:
        return [event]
    side = _side(state.battle, frame)
    after = deepcopy(state)
    _frame_entered(after, event)
    assert after.battle is not None
    scored = e.ScoreRecalculated(
        player=frame.owner, from_=side.score, to=_side(after.battle, frame).score, reason="frame_entered"
    )
    return [event, scored] if state.battle.stack else [event, scored, order_set(after.battle)]


def may_enter(state: MobileFrameState) -> Collection[str]:
    """The ids of all things that `entrance_events` tells of."""
    return {*state.covers, *state.frames}


def _side(battle: Battle, frame: Frame) -> Side:
    """The side of a frame. A company that joins during a battle has plain points per asset."""
    return battle.sides.get(frame.owner, Side(ppa=POINTS_PER_ASSET, assets=0))


def _cover_entered(state: MobileFrameState, event: CoverEntered) -> None:
    state.covers.setdefault(event.cover.cover_id, structs.replace(event.cover)).hidden = False


def _frame_entered(state: MobileFrameState, event: FrameEntered) -> None:
    """Add the frame where it was not known; it counts from here on."""
    known_frame = state.frames.get(event.frame.frame_id)
    if known_frame is not None and not known_frame.hidden:
        return
    frame = state.frames.setdefault(event.frame.frame_id, deepcopy(event.frame))
    frame.hidden = False
    state.ppa = {}
    if state.battle is not None and frame.status == "active":
        _join(state, state.battle, frame)


def _join(state: MobileFrameState, battle: Battle, frame: Frame) -> None:
    """Add an asset to its side, which may be new, and a character to the battle."""
    battle.sides = dict(sorted({**battle.sides, frame.owner: _side(battle, frame)}.items()))
    battle.sides[frame.owner].assets = assets_of(state, frame.owner, keeps_damage=True)
    if frame.character is not None:
        battle.characters = sorted({*battle.characters, frame.character})


EVOLVE: Evolve[MobileFrameState] = {CoverEntered: _cover_entered, FrameEntered: _frame_entered}
"""Add a thing where it was not known, for everyone."""


def evolve_reentered(state: MobileFrameState, event: EntranceEvent) -> MobileFrameState:
    """Replace the thing by what the event tells, because its past may not all be known."""
    if isinstance(event, CoverEntered):
        state.covers.pop(event.cover.cover_id, None)
        _cover_entered(state, event)
        return state
    known_frame, points = state.frames.pop(event.frame.frame_id, None), state.ppa
    _frame_entered(state, event)
    if known_frame is not None and not known_frame.hidden:
        state.ppa = points  # it counted before
    return state
