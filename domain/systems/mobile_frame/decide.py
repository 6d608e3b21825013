"""From commands to facts: which chapter answers which command."""

from typing import assert_never

from domain.command_context import Asked
from domain.dice import Dice
from domain.rejection import Forbidden
from domain.systems.mobile_frame import action_dice, attacks, battles, creation, resolution, stations, turns
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame.events import Event
from domain.systems.mobile_frame.state import MobileFrameState


def decide(state: MobileFrameState, asked: Asked, dice: Dice) -> list[Event]:
    """What a command makes happen. Raises `Rejection`; never changes the state."""
    if asked.role == "observer":
        raise Forbidden("observers_only_watch", "Observers watch; they do not act.", rule="MF-8")
    return [*_answer(state, asked, dice)]


def _answer(state: MobileFrameState, asked: Asked, dice: Dice) -> list[Event]:
    command: c.AnyCommand = asked.command
    match command:
        case c.RegisterLoadout():
            return [*creation.register_loadout(state, asked, command)]
        case c.WithdrawFrame():
            return [*creation.withdraw_frame(state, asked, command)]
        case c.PlaceCover():
            return [*creation.place_cover(state, asked, command)]
        case c.PlaceStation():
            return [*creation.place_station(state, asked, command)]
        case c.MeasureStation():
            return [*creation.measure_station(state, asked, command)]
        case c.SetPointsPerAsset():
            return [*creation.set_points_per_asset(state, asked, command)]
        case c.StartBattle():
            return [*battles.start_battle(state, asked, command)]
        case c.ActivateFrame():
            return [*turns.activate_frame(state, asked, command)]
        case c.DeclareTarget():
            return [*turns.declare_target(state, asked, command)]
        case c.RollDicepool():
            return [*turns.roll_dicepool(state, asked, command, dice)]
        case c.AssignDie():
            return [*action_dice.assign_die(state, asked, command)]
        case c.Move():
            return [*turns.move(state, asked, command)]
        case c.DeclaredAttack():
            return [*attacks.attack(state, asked, command)]
        case c.AbortAttack():
            return [*attacks.abort_attack(state, asked, command)]
        case c.NameSituation():
            return [*attacks.name_situation(state, asked, command)]
        case c.ResolveAttack():
            return [*resolution.resolve_attack(state, asked, command, dice)]
        case c.ChooseLoss():
            return [*resolution.choose_loss(state, asked, command)]
        case c.RemoveBricks():
            return [*resolution.remove_bricks(state, asked, command)]
        case c.Spot():
            return [*action_dice.spot(state, asked, command)]
        case c.EndTurn():
            return [*turns.end_turn(state, asked, command)]
        case c.CaptureStation():
            return [*stations.capture_station(state, asked, command)]
        case c.SetTacticalOrder():
            return [*battles.set_tactical_order(state, asked, command)]
        case c.Pass():
            return [*battles.pass_turn(state, asked, command)]
        case c.EndRound():
            return [*battles.end_round(state, asked, command)]
        case _:
            assert_never(command)
