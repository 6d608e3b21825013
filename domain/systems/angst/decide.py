"""From commands to facts: which chapter answers which command."""

from typing import assert_never

from domain.command_context import Asked
from domain.dice import Dice
from domain.rejection import Forbidden
from domain.systems.angst import (
    angst_tests,
    creation,
    ledger,
    opposed,
    outcomes,
    recovery,
    spends,
    story,
    test_calls,
)
from domain.systems.angst import commands as c
from domain.systems.angst.events import Event
from domain.systems.angst.state import Angst


def decide(state: Angst, asked: Asked, dice: Dice) -> list[Event]:
    """What a command makes happen. Raises `Rejection`; never changes the state."""
    if asked.role == "observer":
        raise Forbidden("observers_only_watch", "Observers watch; they do not act.", rule="AN-C1")
    return [*_answer(state, asked, dice)]


def _answer(state: Angst, asked: Asked, dice: Dice) -> list[Event]:
    command: c.AnyCommand = asked.command
    match command:
        case c.DefineAngstTypes():
            return [*creation.define_angst_types(state, asked, command)]
        case c.CreateCharacter():
            return [*creation.create_character(state, asked, command)]
        case c.CallTest():
            return [*test_calls.call_test(state, asked, command)]
        case c.CancelTest():
            return [*test_calls.cancel_test(state, asked, command)]
        case c.MakeTest():
            return test_calls.make_test(state, asked, command, dice)
        case c.RerollDice():
            return [*spends.reroll_dice(state, asked, command, dice)]
        case c.AddLifeExperience():
            return [*spends.add_life_experience(state, asked, command)]
        case c.FinaliseTest():
            return outcomes.finalise_test(state, asked, command)
        case c.AvoidAngst():
            return angst_tests.avoid_angst(state, asked, command, dice)
        case c.PurgeAngst():
            return angst_tests.purge_angst(state, asked, command, dice)
        case c.BuyAngstPurge():
            return [*angst_tests.buy_angst_purge(state, asked, command)]
        case c.ResolveOpposed():
            return opposed.resolve_opposed(state, asked, command)
        case c.ReachMilestone():
            return [*story.reach_milestone(state, asked, command)]
        case c.RecordPositiveEvent():
            return [*story.record_positive_event(state, asked, command)]
        case c.SetRelationship():
            return [*story.set_relationship(state, asked, command)]
        case c.AwardStoryPoints():
            return [*ledger.award_story_points(state, asked, command)]
        case c.SetCore():
            return [*recovery.set_core(state, asked, command)]
        case c.RecoverCore():
            return [*recovery.recover_core(state, asked, command)]
        case _:
            assert_never(command)
