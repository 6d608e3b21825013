"""What was created hidden comes into play: a frame, with the asset that it is to its side, or cover (MF-6, MF-23).

Until then it counts for nothing: nobody's points, score, order, vote or turn tells that it is there.
"""

from copy import deepcopy

from msgspec import structs

from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.battles import order_set
from domain.systems.mobile_frame.creation import assets_of
from domain.systems.mobile_frame.entered_events import CoverEntered, Entered, FrameEntered
from domain.systems.mobile_frame.state import Battle, Frame, MobileFrameState, Side
from domain.systems.mobile_frame.tables import POINTS_PER_ASSET


def entered(state: MobileFrameState, subject: str) -> list[Entered | e.ScoreRecalculated | e.TacticalOrderSet]:
    """How it stands now, for who did not know it; of a frame that joins a battle, what it does to the scores.

    The order follows at once between two turns; in a turn, its end says it.
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
    evolve_entered(after, event)
    assert after.battle is not None
    scored = e.ScoreRecalculated(
        player=frame.owner, from_=side.score, to=_side(after.battle, frame).score, reason="frame_entered"
    )
    return [event, scored] if state.battle.stack else [event, scored, order_set(after.battle)]


def _side(battle: Battle, frame: Frame) -> Side:
    """The side of a frame. Points per asset are for the battle: a company that comes later has them plain."""
    return battle.sides.get(frame.owner, Side(ppa=POINTS_PER_ASSET, assets=0))


def evolve_entered(state: MobileFrameState, event: Entered) -> None:
    """It is known and counts from here on; whoever knew it already learns no more of it."""
    if isinstance(event, CoverEntered):
        state.covers.setdefault(event.cover.cover_id, structs.replace(event.cover)).hidden = False
        return
    known = state.frames.get(event.frame.frame_id)
    if known is not None and not known.hidden:
        return
    frame = state.frames.setdefault(event.frame.frame_id, deepcopy(event.frame))
    frame.hidden = False
    state.ppa = {}
    if state.battle is not None and frame.status == "active":
        _join(state, state.battle, frame)


def tell_anew(state: MobileFrameState, event: Entered) -> MobileFrameState:
    """It is as the event tells it, for whoever does not know all of its past."""
    if isinstance(event, CoverEntered):
        state.covers.pop(event.cover.cover_id, None)
        evolve_entered(state, event)
        return state
    known, points = state.frames.pop(event.frame.frame_id, None), state.ppa
    evolve_entered(state, event)
    if known is not None and not known.hidden:
        state.ppa = points  # it counted before
    return state


def _join(state: MobileFrameState, battle: Battle, frame: Frame) -> None:
    """One more asset of its side, which may be new, and one more character in the battle."""
    battle.sides = dict(sorted({**battle.sides, frame.owner: _side(battle, frame)}.items()))
    battle.sides[frame.owner].assets = assets_of(state, frame.owner, kept=True)
    if frame.character is not None:
        battle.characters = sorted({*battle.characters, frame.character})
