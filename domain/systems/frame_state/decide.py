"""Decides commands: the rules module for each type of command."""

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.mechanics.dispatch import Decide, decide_command, without_dice
from domain.systems.frame_state import (
    advancement,
    catalogue,
    creation,
    frame_loss,
    ledger,
    missions,
    point_buy,
    resolution,
    table_seats,
    test_calls,
)
from domain.systems.frame_state import commands as c
from domain.systems.frame_state.events import Event
from domain.systems.frame_state.state import FrameState

DECIDE: Decide[FrameState, Event] = {
    **without_dice(
        {
            c.CallTest: test_calls.call_test,
            c.DefineCatalogue: catalogue.define_catalogue,
            c.AssignRole: table_seats.assign_role,
            c.CreatePilot: creation.create_pilot,
            c.CreateUnit: creation.create_unit,
            c.AllocatePoint: point_buy.allocate_point,
            c.ProposeTest: test_calls.propose_test,
            c.CancelTest: test_calls.cancel_test,
            c.NarrateConsequence: test_calls.narrate_consequence,
            c.StartMission: missions.start_mission,
            c.ConcludeMission: missions.conclude_mission,
            c.PostPayout: missions.post_payout,
            c.AwardCurrency: ledger.award_currency,
            c.ChargeCurrency: ledger.charge_currency,
            c.AdvanceCategory: advancement.advance_category,
            c.Refit: point_buy.refit,
            c.InstallExperimental: point_buy.install_experimental,
            c.LoseFrame: frame_loss.lose_frame,
            c.ReplaceFrame: frame_loss.replace_frame,
            c.SalvageFrame: frame_loss.salvage_frame,
        }
    ),
    c.RollTest: resolution.roll_test,
}


def decide(state: FrameState, context: CommandContext, dice: Dice) -> list[Event]:
    """The events of a command. Raises `Rejection`; never changes the state."""
    return decide_command(DECIDE, state, context, dice, "FS-1")
