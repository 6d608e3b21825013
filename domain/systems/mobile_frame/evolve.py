"""Applies events: the rules module for each type of event."""

from domain.mechanics.dispatch import Evolve, only_told
from domain.systems.mobile_frame import attack_events as a
from domain.systems.mobile_frame import (
    attacks,
    battles,
    creation,
    die_assignment,
    entrance,
    evolve_damage,
    spot_action,
    station_capture,
    turns,
)
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.state import MobileFrameState

EVOLVE: Evolve[MobileFrameState] = {
    e.LoadoutRegistered: creation.registered,
    e.FrameRenamed: creation.renamed,
    e.FrameHandedOver: creation.handed_over,
    e.FrameCrewed: creation.crewed,
    e.FrameWithdrawn: creation.withdrawn,
    e.CoverPlaced: creation.cover_placed,
    e.StationPlaced: creation.station_placed,
    e.StationMeasured: creation.station_measured,
    **entrance.EVOLVE,
    e.PointsPerAssetSet: creation.points_set,
    e.BattleStarted: battles.started,
    e.TacticalOrderSet: battles.tactical,
    e.CombatOrderEntered: turns.combat_order_entered,
    e.TurnPassed: battles.passed,
    e.RoundEnded: battles.round_ended,
    e.ExtraRoundGranted: battles.extra_round,
    e.BattleEnded: battles.ended,
    e.StationCaptured: station_capture.captured,
    e.FrameActivated: turns.activated,
    e.TargetDeclared: turns.target_declared,
    e.DicepoolRolled: turns.dicepool_rolled,
    e.DieAssigned: die_assignment.die_assigned,
    e.RocketSpent: die_assignment.rocket_spent,
    e.DefensePlaced: die_assignment.defense_placed,
    e.FrameMoved: turns.move_frame,
    e.SpotPlaced: spot_action.spot_placed,
    e.SpotForgone: spot_action.spotted,
    e.TurnEnded: turns.turn_ended,
    e.TurnResumed: turns.turn_resumed,
    e.LeftoverDiceDiscarded: only_told,  # removed at the end of the turn
    a.AttackForgone: attacks.attack_over,
    a.AttackAborted: attacks.aborted,
    a.AttackCommitted: attacks.committed,
    a.SituationNamed: attacks.situation_named,
    **evolve_damage.EVOLVE,
}


def evolve(state: MobileFrameState, event: e.Event) -> MobileFrameState:
    """Apply one stored event, in place. Never fails: an event about a missing thing changes nothing."""
    EVOLVE[type(event)](state, event)
    return state
