"""Decides commands: the rules module for each type of command."""

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.mechanics.dispatch import Decide, decide_command, without_dice
from domain.systems.mobile_frame import (
    attacks,
    battles,
    creation,
    die_assignment,
    resolution,
    spot_action,
    station_capture,
    turns,
)
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame.events import Event
from domain.systems.mobile_frame.state import MobileFrameState

DECIDE: Decide[MobileFrameState, Event] = {
    **without_dice(
        {
            c.RegisterLoadout: creation.register_loadout,
            c.WithdrawFrame: creation.withdraw_frame,
            c.PlaceCover: creation.place_cover,
            c.PlaceStation: creation.place_station,
            c.MeasureStation: creation.measure_station,
            c.SetPointsPerAsset: creation.set_points_per_asset,
            c.StartBattle: battles.start_battle,
            c.ActivateFrame: turns.activate_frame,
            c.DeclareTarget: turns.declare_target,
            c.AssignDie: die_assignment.assign_die,
            c.Move: turns.move,
            c.DeclaredAttack: attacks.attack,
            c.AbortAttack: attacks.abort_attack,
            c.NameSituation: attacks.name_situation,
            c.ChooseLoss: resolution.choose_loss,
            c.RemoveBricks: resolution.remove_bricks,
            c.Spot: spot_action.spot,
            c.EndTurn: turns.end_turn,
            c.CaptureStation: station_capture.capture_station,
            c.SetTacticalOrder: battles.set_tactical_order,
            c.Pass: battles.pass_turn,
            c.EndRound: battles.end_round,
        }
    ),
    c.RollDicepool: turns.roll_dicepool,
    c.ResolveAttack: resolution.resolve_attack,
}


def decide(state: MobileFrameState, context: CommandContext, dice: Dice) -> list[Event]:
    """The events of a command. Raises `Rejection`; never changes the state."""
    return decide_command(DECIDE, state, context, dice, "MF-8")
