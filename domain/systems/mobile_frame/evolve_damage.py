"""Applies damage events to frames, cover and the attack (MF-17 to MF-22).

Nothing here adds: systems, white dice and bricks only decrease during a battle.
"""

from domain.mechanics.dispatch import Evolve, each_of, only_told
from domain.systems.mobile_frame import attack_events as a
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.attacks import attack_over
from domain.systems.mobile_frame.loadout import BONUS, has_ranged, less_white, without
from domain.systems.mobile_frame.state import Choice, MobileFrameState
from domain.systems.mobile_frame.station_capture import count_assets
from domain.systems.mobile_frame.tables import COVER_HEIGHT_MIN

DamageEvent = (
    a.SpotConsumed
    | a.DamageRolled
    | a.CoverDamaged
    | a.CoverDestroyed
    | a.StrayShotIgnored
    | a.DamageDealt
    | a.StationAbandoned
    | a.SystemLost
    | a.WhiteDieLost
    | a.FrameDestroyed
    | e.ScoreRecalculated
    | a.ChoicePending
)


def _clear_choice(state: MobileFrameState, subject: str) -> None:
    """Remove the pending choice that was made."""
    battle = state.battle
    if battle is not None and battle.choice is not None and battle.choice.subject == subject:
        battle.choice = None


def _spot_consumed(state: MobileFrameState, event: a.SpotConsumed) -> None:
    target = state.frames.get(event.target)
    if target is not None:
        target.spot = None


def _cover_damaged(state: MobileFrameState, event: a.CoverDamaged) -> None:
    _clear_choice(state, event.cover)
    cover = state.covers.get(event.cover)
    if cover is None:
        return
    cover.bricks = max(0, cover.bricks - event.bricks_removed)
    cover.height = min(max(0, cover.height - event.height_lost), cover.bricks)
    if cover.height < COVER_HEIGHT_MIN:
        cover.fallen = True


def _cover_destroyed(state: MobileFrameState, event: a.CoverDestroyed) -> None:
    if event.cover in state.covers:
        state.covers[event.cover].fallen = True


def _station_abandoned(state: MobileFrameState, event: a.StationAbandoned) -> None:
    _clear_choice(state, event.frame)
    frame = state.frames.get(event.frame)
    if frame is not None and event.station in frame.station_distances:
        frame.station_distances[event.station] += event.moved


def _system_lost(state: MobileFrameState, event: a.SystemLost) -> None:
    _clear_choice(state, event.frame)
    frame = state.frames.get(event.frame)
    if frame is None or event.system not in frame.systems:
        return
    ranged = has_ranged(frame.systems)
    frame.systems.remove(event.system)
    frame.dice = without(frame.dice, event.system, frame.systems.count(event.system))
    if frame.bonus_d8 and ranged and not has_ranged(frame.systems) and BONUS not in frame.dice:
        frame.dice.append(BONUS)


def _white_die_lost(state: MobileFrameState, event: a.WhiteDieLost) -> None:
    _clear_choice(state, event.frame)
    frame = state.frames.get(event.frame)
    if frame is not None:
        frame.dice = less_white(frame.dice, event.lost)


def _frame_destroyed(state: MobileFrameState, event: a.FrameDestroyed) -> None:
    """Remove dice, markers and the owner's asset; the frame's open turn ends with its attacker's."""
    frame, turn = state.frames.get(event.frame), state.activation(event.frame)
    if turn is not None:
        turn.pool, turn.attack = [], None
    if frame is None or frame.status == "destroyed":
        return
    frame.status = "destroyed"
    frame.systems, frame.dice = [], []
    frame.defense, frame.spot, frame.station_distances = None, None, {}
    count_assets(state, event.owner, event.assets_change)


def _choice_pending(state: MobileFrameState, event: a.ChoicePending) -> None:
    if state.battle is not None:
        state.battle.choice = Choice(
            event.kind, event.attacker, event.subject, event.player, event.unresolved, event.choice_id
        )


EVOLVE: Evolve[MobileFrameState] = {
    a.SpotConsumed: _spot_consumed,
    a.DamageRolled: attack_over,
    a.CoverDamaged: _cover_damaged,
    a.CoverDestroyed: _cover_destroyed,
    a.StationAbandoned: _station_abandoned,
    a.SystemLost: _system_lost,
    a.WhiteDieLost: _white_die_lost,
    a.FrameDestroyed: _frame_destroyed,
    a.ChoicePending: _choice_pending,
    # The result is an event of its own.
    **each_of(a.StrayShotIgnored | a.DamageDealt | e.ScoreRecalculated, only_told),
}
"""The events of a resolution."""
