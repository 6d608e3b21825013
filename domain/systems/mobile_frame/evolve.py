"""From facts to state: which chapter lets which fact have happened."""

from typing import assert_never

from domain.systems.mobile_frame import action_dice, attacks, battles, creation, damage, entrance, stations, turns
from domain.systems.mobile_frame import attack_events as a
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.entered_events import CoverEntered, FrameEntered
from domain.systems.mobile_frame.state import MobileFrameState


def evolve(state: MobileFrameState, event: e.Event) -> MobileFrameState:  # noqa: PLR0915 — one line per event
    """Apply one stored fact, in place. Never fails: what is missing is passed over."""
    match event:
        case e.LoadoutRegistered():
            creation.registered(state, event)
        case e.FrameWithdrawn():
            creation.withdrawn(state, event)
        case e.CoverPlaced():
            creation.cover_placed(state, event)
        case e.StationPlaced():
            creation.station_placed(state, event)
        case e.StationMeasured():
            creation.station_measured(state, event)
        case FrameEntered() | CoverEntered():
            entrance.evolve_entered(state, event)
        case e.PointsPerAssetSet():
            creation.points_set(state, event)
        case e.BattleStarted():
            battles.started(state, event)
        case e.TacticalOrderSet():
            battles.tactical(state)
        case e.CombatOrderEntered():
            turns.combat_order_entered(state)
        case e.TurnPassed():
            battles.passed(state, event)
        case e.RoundEnded():
            battles.round_ended(state, event)
        case e.ExtraRoundGranted():
            battles.extra_round(state)
        case e.BattleEnded():
            battles.ended(state, event)
        case e.StationCaptured():
            stations.captured(state, event)
        case e.FrameActivated():
            turns.activated(state, event)
        case e.TargetDeclared():
            turns.target_declared(state, event)
        case e.DicepoolRolled():
            turns.dicepool_rolled(state, event)
        case e.DieAssigned():
            action_dice.die_assigned(state, event)
        case e.RocketSpent():
            action_dice.rocket_spent(state, event)
        case e.DefensePlaced():
            action_dice.defense_placed(state, event)
        case e.FrameMoved():
            turns.moved(state, event)
        case e.SpotPlaced():
            action_dice.spot_placed(state, event)
        case e.SpotForgone():
            action_dice.spotted(state, event.frame)
        case e.TurnEnded():
            turns.turn_ended(state, event)
        case e.TurnResumed():
            turns.turn_resumed(state, event)
        case e.LeftoverDiceDiscarded():
            pass  # unused dice count for nothing; the turn's end takes them away
        case _:
            _of_an_attack(state, event)
    return state


def _of_an_attack(state: MobileFrameState, event: e.AttackEvent | e.ScoreRecalculated) -> None:
    """What attacks do, up to the last white die."""
    match event:
        case a.AttackForgone():
            attacks.attack_over(state, event.frame)
        case a.AttackAborted():
            attacks.aborted(state, event)
        case a.AttackCommitted():
            attacks.committed(state, event)
        case a.SituationNamed():
            attacks.situation_named(state, event)
        case (
            a.SpotConsumed()
            | a.DamageRolled()
            | a.CoverDamaged()
            | a.CoverDestroyed()
            | a.StrayShotIgnored()
            | a.DamageDealt()
            | a.StationAbandoned()
            | a.SystemLost()
            | a.WhiteDieLost()
            | a.FrameDestroyed()
            | a.ChoicePending()
            | e.ScoreRecalculated()
        ):
            damage.apply(state, event)
        case _:
            assert_never(event)
