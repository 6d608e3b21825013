"""From commands to facts: which chapter answers which command."""

from typing import assert_never

from domain.command_context import Asked
from domain.dice import Dice
from domain.rejection import Forbidden
from domain.systems.frame_state import (
    advancement,
    catalogue,
    creation,
    frames,
    ledger,
    missions,
    point_buy,
    resolution,
    seats,
    test_calls,
)
from domain.systems.frame_state import commands as c
from domain.systems.frame_state.events import Event
from domain.systems.frame_state.state import FrameState


def decide(state: FrameState, asked: Asked, dice: Dice) -> list[Event]:
    """What a command makes happen. Raises `Rejection`; never changes the state."""
    if asked.role == "observer":
        raise Forbidden("observers_only_watch", "Observers watch; they do not act.", rule="FS-1")
    return [*_answer(state, asked, dice)]


def _answer(state: FrameState, asked: Asked, dice: Dice) -> list[Event]:
    command: c.AnyCommand = asked.command
    match command:
        # Cases are tried from the top, and most that a table does are tests.
        case c.CallTest():
            return [*test_calls.call_test(state, asked, command)]
        case c.RollTest():
            return [*resolution.roll_test(state, asked, command, dice)]
        case c.DefineCatalogue():
            return [*catalogue.define_catalogue(state, asked, command)]
        case c.AssignRole():
            return [*seats.assign_role(state, asked, command)]
        case c.CreatePilot():
            return [*creation.create_pilot(state, asked, command)]
        case c.CreateUnit():
            return [*creation.create_unit(state, asked, command)]
        case c.AllocatePoint():
            return [*point_buy.allocate_point(state, asked, command)]
        case c.ProposeTest():
            return [*test_calls.propose_test(state, asked, command)]
        case c.CancelTest():
            return [*test_calls.cancel_test(state, asked, command)]
        case c.NarrateConsequence():
            return [*test_calls.narrate_consequence(state, asked, command)]
        case c.StartMission():
            return [*missions.start_mission(state, asked, command)]
        case c.ConcludeMission():
            return [*missions.conclude_mission(state, asked, command)]
        case c.PostPayout():
            return [*missions.post_payout(state, asked, command)]
        case c.AwardCurrency():
            return [*ledger.award_currency(state, asked, command)]
        case c.ChargeCurrency():
            return [*ledger.charge_currency(state, asked, command)]
        case c.AdvanceCategory():
            return [*advancement.advance_category(state, asked, command)]
        case c.Refit():
            return [*point_buy.refit(state, asked, command)]
        case c.InstallExperimental():
            return [*point_buy.install_experimental(state, asked, command)]
        case c.LoseFrame():
            return [*frames.lose_frame(state, asked, command)]
        case c.ReplaceFrame():
            return [*frames.replace_frame(state, asked, command)]
        case c.SalvageFrame():
            return [*frames.salvage_frame(state, asked, command)]
        case _:
            assert_never(command)
