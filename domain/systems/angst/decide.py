"""Decides commands: the rules module for each type of command."""

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.mechanics.dispatch import Decide, decide_command, without_dice
from domain.systems.angst import (
    angst_tests,
    creation,
    opposed_tests,
    outcomes,
    recovery,
    spendables,
    spends,
    story_effects,
    test_calls,
)
from domain.systems.angst import commands as c
from domain.systems.angst.events import Event
from domain.systems.angst.state import Angst

DECIDE: Decide[Angst, Event] = {
    **without_dice(
        {
            c.DefineAngstTypes: creation.define_angst_types,
            c.CreateCharacter: creation.create_character,
            c.CallTest: test_calls.call_test,
            c.CancelTest: test_calls.cancel_test,
            c.AddLifeExperience: spends.add_life_experience,
            c.FinaliseTest: outcomes.finalise_test,
            c.BuyAngstPurge: angst_tests.buy_angst_purge,
            c.ResolveOpposed: opposed_tests.resolve_opposed,
            c.ReachMilestone: story_effects.reach_milestone,
            c.RecordPositiveEvent: story_effects.record_positive_event,
            c.SetRelationship: story_effects.set_relationship,
            c.AwardStoryPoints: spendables.award_story_points,
            c.SetCore: recovery.set_core,
            c.RecoverCore: recovery.recover_core,
        }
    ),
    c.MakeTest: test_calls.make_test,
    c.RerollDice: spends.reroll_dice,
    c.AvoidAngst: angst_tests.avoid_angst,
    c.PurgeAngst: angst_tests.purge_angst,
}


def decide(state: Angst, context: CommandContext, dice: Dice) -> list[Event]:
    """The events of a command. Raises `Rejection`; never changes the state."""
    return decide_command(DECIDE, state, context, dice, "AN-C1")
