"""Things that may be hidden in Angst. The end of a test that others know of is open; sheets may change hidden."""

from typing import Any

from domain.hideable_commands import ALWAYS, NEVER, WITH_SUBJECT, Hiding, between
from domain.systems.angst import commands as c
from domain.systems.angst.state import Angst


def _stands_alone(command: c.MakeTest) -> bool:
    """Whether a command answers no called test."""
    brings_its_own = command.dn is not None or (command.opposed and command.core is not None)
    return command.test_id is None and brings_its_own


HIDING: dict[type, Hiding] = {
    c.DefineAngstTypes: NEVER,
    c.CreateCharacter: ALWAYS,
    c.CallTest: ALWAYS,
    c.CancelTest: WITH_SUBJECT,
    c.MakeTest: Hiding("with_subject", ("test_id",), _stands_alone),
    c.RerollDice: WITH_SUBJECT,
    c.AddLifeExperience: WITH_SUBJECT,
    c.FinaliseTest: WITH_SUBJECT,
    c.AvoidAngst: ALWAYS,
    c.PurgeAngst: ALWAYS,
    c.BuyAngstPurge: ALWAYS,
    c.ResolveOpposed: between("acting.test_id", "opposing.test_id"),
    c.ReachMilestone: ALWAYS,
    c.RecordPositiveEvent: ALWAYS,
    c.SetRelationship: ALWAYS,
    c.AwardStoryPoints: ALWAYS,
    c.SetCore: ALWAYS,
    c.RecoverCore: ALWAYS,
}


def meant_ids(state: Angst, command: Any) -> list[str]:
    """The tests that a command without an id may mean."""
    match command:
        case c.MakeTest(test_id=None):
            return [test.test_id for test in state.called]
        case c.CancelTest(test_id=None):
            return [*(test.test_id for test in state.called), *(test.test_id for test in state.tests)]
        case c.RerollDice(test_id=None) | c.AddLifeExperience(test_id=None) | c.FinaliseTest(test_id=None):
            return [test.test_id for test in state.tests]
        case _:
            return []
