"""Before and after the roll: proposing, calling and cancelling tests, and narrating consequences (FS-5).

Codes: invalid_mark, test_without_dice, unknown_attribute, die_or_attribute, not_a_die, not_a_value,
npc_has_no_attributes, test_type_missing, proposal_is_proactive, not_that_pilots_proposal, too_many_open_tests,
no_open_test, which_test, test_already_resolved, test_already_cancelled, test_not_resolved; unknown_test,
unknown_proposal.
"""

from collections.abc import Callable, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.mechanics.omitted_ids import the_one
from domain.rejection import Rejection
from domain.sentences import Sentence, either, join_parts, say
from domain.systems.frame_state.access import find_pilot, require_handler, require_player_of
from domain.systems.frame_state.commands import CallTest, CancelTest, NarrateConsequence, ProposeTest
from domain.systems.frame_state.events import (
    ConsequenceNarrated,
    Event,
    Roller,
    TestCalled,
    TestCancelled,
    TestProposed,
    TestResolved,
)
from domain.systems.frame_state.state import (
    REMEMBERED,
    ROLLERS_REMEMBERED,
    FrameState,
    Modifier,
    Pilot,
    Proposal,
    Settled,
    Test,
    TestDie,
)
from domain.systems.frame_state.term_words import name_of_key
from domain.systems.frame_state.test_modifiers import counted_modifiers, offered_dice, require_dice

OPEN_TESTS_MAX = 100
"""The most open tests, which stops scripts that call tests without end."""


def propose_test(state: FrameState, context: CommandContext, command: ProposeTest) -> list[TestProposed]:
    """FS-C7: a pilot asks for a proactive test."""
    pilot = find_pilot(state, context, command.pilot, "FS-C7")
    require_player_of(pilot, context, "FS-C7")
    _check_structure(state, pilot, command.dice, command.modifiers)
    return [
        TestProposed(
            proposal_id=derive_id("proposal", context.action_id),
            pilot=pilot.pilot_id,
            dice=command.dice,
            modifiers=command.modifiers,
            method=command.method,
            intent=command.intent,
            hidden=context.visibility != "all" or UNSET,
        )
    ]


def call_test(state: FrameState, context: CommandContext, command: CallTest) -> list[TestCalled]:
    """FS-C7: the Handler sets the mark; the roller and the dice may come from a proposal."""
    require_handler(context, "FS-C7")
    proposal = _proposal(state, command)
    roller, pilot = _roller(state, context, command, proposal)
    test_type = command.test_type or ("proactive" if proposal is not None else None)
    if proposal is not None and test_type != "proactive" and not context.decided_before:
        raise Rejection(
            "proposal_is_proactive",
            "A pilot began this, so the test is proactive; call a test of your own for what the Handler begins.",
            rule="FS-5",
        )
    if test_type is None:
        raise Rejection(
            "test_type_missing",
            "Say whether the test is proactive (the pilot starts it) or reactive (the Handler does).",
            rule="FS-5",
        )
    if command.mark < 1:
        raise Rejection("invalid_mark", "A mark is at least 1.", rule="FS-C7")
    dice, modifiers, method = command.dice, command.modifiers, command.method
    if proposal is not None:
        dice = proposal.dice if dice is None else dice
        modifiers = proposal.modifiers if modifiers is None else modifiers
        method = method or proposal.method
    dice, modifiers = dice or [], modifiers or []
    _check_structure(state, pilot, dice, modifiers)
    if len(state.tests) >= OPEN_TESTS_MAX:
        raise Rejection(
            "too_many_open_tests",
            say("{most} tests are waiting to be rolled; roll or call off some first.", most=OPEN_TESTS_MAX),
            rule="FS-C7",
        )
    return [
        TestCalled(
            test_id=derive_id("test", context.action_id),
            pilot=roller[1],
            roller=roller[0],
            test_type=test_type,
            initiator="pilot" if test_type == "proactive" else "handler",
            mark=command.mark,
            dice=dice,
            modifiers=modifiers,
            method=method or "roll",
            mark_hidden=command.mark_hidden,
            proposal=proposal.proposal_id if proposal is not None else None,
            situation=command.situation,
            hidden=context.visibility != "all" or UNSET,
        )
    ]


def _proposal(state: FrameState, command: CallTest) -> Proposal | None:
    """The proposal that a call answers. Raises `unknown_proposal` or `not_that_pilots_proposal`."""
    if command.proposal is None:
        return None
    for proposal in state.proposals:
        if proposal.proposal_id != command.proposal:
            continue
        if command.pilot not in (None, proposal.pilot):
            raise Rejection("not_that_pilots_proposal", "Another pilot proposed that test.", rule="FS-C7")
        return proposal
    raise Rejection("unknown_proposal", "That proposal is no longer waiting.", rule="FS-C7")


def _roller(
    state: FrameState, context: CommandContext, command: CallTest, proposal: Proposal | None
) -> tuple[tuple[Roller, str], Pilot | None]:
    """The roller: an NPC's unit (its roll is refused later), or a pilot with a sheet."""
    if command.pilot is not None and command.pilot in state.units:
        return ("npc", command.pilot), None
    pilot = find_pilot(state, context, proposal.pilot if proposal is not None else command.pilot, "FS-C7")
    return ("pilot", pilot.pilot_id), pilot


def _check_structure(
    state: FrameState, pilot: Pilot | None, dice: Sequence[TestDie], modifiers: Sequence[Modifier]
) -> None:
    """Raise unless this pilot has the dice and modifiers."""
    require_dice(dice)
    offered_dice(state, pilot, dice)
    counted_modifiers(state, pilot, modifiers)


def cancel_test(state: FrameState, context: CommandContext, command: CancelTest) -> list[TestCancelled]:
    """FS-C9: cancel a test, or turn down a proposal."""
    require_handler(context, "FS-C9")
    if any(proposal.proposal_id == command.test_id for proposal in state.proposals):
        assert command.test_id is not None
        return [TestCancelled(test_id=command.test_id)]
    if command.test_id is None and not state.tests and len(state.proposals) == 1:
        context.filled["test_id"] = state.proposals[0].proposal_id
        return [TestCancelled(test_id=state.proposals[0].proposal_id)]
    return [TestCancelled(test_id=find_test(state, context, command.test_id, "FS-C9").test_id)]


def narrate_consequence(
    state: FrameState, context: CommandContext, command: NarrateConsequence
) -> list[ConsequenceNarrated]:
    """FS-7: narrate the consequence of a test; the state does not change."""
    require_handler(context, "FS-7")
    test_ids = [test_id for test_id, how in state.settled_tests.items() if how == "resolved"]
    if command.test_id is None:
        if not test_ids:
            raise Rejection("test_not_resolved", "No test has been rolled yet.", rule="FS-7")
        context.filled["test_id"] = test_ids[-1]
        return [ConsequenceNarrated(test_id=test_ids[-1], consequence=command.consequence)]
    if command.test_id in test_ids:
        return [ConsequenceNarrated(test_id=command.test_id, consequence=command.consequence)]
    if state.test(command.test_id) is None and command.test_id not in state.settled_tests:
        raise Rejection("unknown_test", "There is no such test.", rule="FS-7")
    raise Rejection(
        "test_not_resolved", "That test was not rolled, so it has no consequence to tell.", rule="FS-7"
    )


def find_test(
    state: FrameState,
    context: CommandContext,
    test_id: str | None,
    rule: str,
    own: Callable[[Test], bool] | None = None,
) -> Test:
    """The open test that a command means: the asker's only one, else the campaign's only one, if it names none.

    `own` tells which tests are the asker's; by default those of their pilots.
    """
    if test_id is not None:
        test = state.test(test_id)
        if test is not None:
            return test
        how = state.settled_tests.get(test_id)
        if how is None:
            raise Rejection("unknown_test", "There is no such test.", rule=rule)
        raise Rejection(f"test_already_{how}", _settled(how), rule=rule)
    return the_one(
        context,
        "test_id",
        state.tests,
        own or (lambda test: _rolled_by(state, test, context)),
        code="which_test",
        message=lambda several: _which(state, several),
        rule=rule,
        describe=lambda test: {
            "test_id": test.test_id,
            "pilot": test.pilot,
            "name": state.roller(test.test_id) or test.pilot,
        },
        none=lambda: Rejection("no_open_test", "No test is waiting for a roll.", rule=rule),
    )


def _which(state: FrameState, several: Sequence[Test]) -> Sentence:
    """The question which of several tests is meant."""
    tests = []
    for test in several:
        dice = join_parts(
            [die.die if die.die is not None else name_of_key(str(die.attribute)) for die in test.dice]
        )
        tests.append(say("{dice} of {who}", dice=dice, who=state.roller(test.test_id) or test.pilot))
    return say("Which test? {choices}.", choices=either(tests))


def _settled(how: Settled) -> Sentence:
    """The rejection of a test that is not open any more."""
    if how == "resolved":
        return say("That test is already resolved.")
    return say("That test is already called off.")


def _rolled_by(state: FrameState, test: Test, context: CommandContext) -> bool:
    """Whether a test's pilot is the asker's."""
    pilot = state.pilots.get(test.pilot)
    return pilot is not None and pilot.player_id is not None and pilot.player_id == context.account


def test_proposed(state: FrameState, event: TestProposed) -> None:
    """Set the pilot's only proposal."""
    waiting = [proposal for proposal in state.proposals if proposal.pilot != event.pilot]
    fresh = Proposal(
        proposal_id=event.proposal_id,
        pilot=event.pilot,
        dice=list(event.dice),
        modifiers=list(event.modifiers),
        method=event.method,
        intent=event.intent,
        hidden=event.hidden is True,
    )
    state.proposals = [*waiting, fresh]
    _remember(state, event.proposal_id, event.pilot)


def test_called(state: FrameState, event: TestCalled) -> None:
    """Add the test, and remove the proposal that it answers."""
    if event.proposal is not None:
        state.proposals = [proposal for proposal in state.proposals if proposal.proposal_id != event.proposal]
    if state.test(event.test_id) is not None or event.test_id in state.settled_tests:
        return
    state.tests.append(
        Test(
            test_id=event.test_id,
            pilot=event.pilot,
            roller=event.roller,
            test_type=event.test_type,
            mark=event.mark,
            mark_hidden=event.mark_hidden,
            dice=list(event.dice),
            modifiers=list(event.modifiers),
            method=event.method,
            situation=event.situation,
            hidden=event.hidden is True,
        )
    )
    _remember(state, event.test_id, event.pilot)


def _remember(state: FrameState, test_id: str, roller: str) -> None:
    """Remember the roller of a test or proposal, for later sentences about it."""
    state.rollers.pop(test_id, None)
    state.rollers[test_id] = roller
    if len(state.rollers) > ROLLERS_REMEMBERED:
        del state.rollers[next(iter(state.rollers))]


def test_resolved(state: FrameState, event: TestResolved) -> None:
    """Remember the test as rolled."""
    _settle(state, event.test_id, "resolved")


def test_cancelled(state: FrameState, event: TestCancelled) -> None:
    """Remember the test as cancelled; a proposal is removed."""
    if any(proposal.proposal_id == event.test_id for proposal in state.proposals):
        state.proposals = [proposal for proposal in state.proposals if proposal.proposal_id != event.test_id]
        return
    _settle(state, event.test_id, "cancelled")


def _settle(state: FrameState, test_id: str, how: Settled) -> None:
    """Remember how a test ended, for the last few hundred tests."""
    state.tests = [test for test in state.tests if test.test_id != test_id]
    state.settled_tests.pop(test_id, None)
    state.settled_tests[test_id] = how
    if len(state.settled_tests) > REMEMBERED:
        del state.settled_tests[next(iter(state.settled_tests))]


def redact(event: Event) -> Event:
    """The event without a hidden mark, which only the Handler sees until the test is resolved."""
    if isinstance(event, TestCalled) and event.mark_hidden:
        return replace(event, mark=None)
    return event
