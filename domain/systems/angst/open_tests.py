"""Tests between their roll and their end: finding and keeping them, and remembering settled ones.

Codes: no_open_test, which_test, test_finalised, test_cancelled, unknown_test.
"""

from collections.abc import Callable, Sequence

from msgspec import UNSET

from domain.command_context import CommandContext
from domain.mechanics.omitted_ids import the_one
from domain.rejection import Rejection
from domain.sentences import Sentence, either, say
from domain.systems.angst.access import is_own
from domain.systems.angst.events import OpposedTestResolved, TestCancelled, TestResolved, TestRolled
from domain.systems.angst.state import REMEMBERED, Angst, CalledTest, Test
from domain.systems.angst.term_words import CORE_WORDS


def open_test(event: TestRolled) -> Test:
    """The test that a roll opens."""
    return Test(
        test_id=event.test_id,
        character=event.character,
        kind=event.kind,
        core=event.core,
        core_die=event.core_die,
        dice=event.dice,
        modifiers=list(event.modifiers),
        dn=event.dn,
        opposed=event.opposed,
        crucial=event.crucial,
        tap=event.tap.angst if event.tap is not None and event.tap.use == "positive" else None,
        angst=event.angst,
        trigger=event.trigger,
        hidden=event.hidden is True,
        against=None if event.against is UNSET else list(event.against),
        relationship=event.relationship or None,
        supporter=event.supporter or None,
    )


def find_open(state: Angst, context: CommandContext, test_id: str | None, rule: str) -> Test:
    """The open test that a command means: the asker's only one, else the campaign's only one, if it names none.

    Raises `test_finalised` for a test that takes no more spends, also where all are final.
    """
    if test_id is not None:
        test = state.test(test_id)
        if test is None or test.final:
            raise unknown_or_settled(state, test_id, rule)
        return test

    def none() -> Rejection:
        if any(test.final for test in state.tests) or "finalised" in state.settled_tests.values():
            return _finalised(rule)
        return Rejection("no_open_test", "No test is open.", rule=rule)

    waiting = [test for test in state.tests if not test.final]
    own = [test for test in waiting if is_own(state.characters.get(test.character), context)]
    return only_one(state, context, "test_id", own or waiting, rule, none)


def only_one(
    state: Angst,
    context: CommandContext,
    field: str,
    choices: Sequence[Test],
    rule: str,
    none: Callable[[], Rejection],
) -> Test:
    """The only test. Raises `which_test`, or the result of `none` where there is no test."""
    return the_one(
        context,
        field,
        choices,
        code="which_test",
        message=which(state),
        rule=rule,
        describe=described(state),
        none=none,
    )


def described(state: Angst) -> Callable[[Test | CalledTest], dict[str, str]]:
    """A choice as a client may show it."""
    return lambda test: {"test_id": test.test_id, "character": test.character, "name": _who(state, test)}


def which(state: Angst) -> Callable[[Sequence[Test | CalledTest]], Sentence]:
    """The question which of several tests is meant."""

    def ask(several: Sequence[Test | CalledTest]) -> Sentence:
        return say("Which test? {choices}.", choices=either(_name_of(state, test) for test in several))

    return ask


def _name_of(state: Angst, test: Test | CalledTest) -> Sentence:
    """The name of a test among others."""
    core, who = CORE_WORDS[test.core], _who(state, test)
    if test.dn is None:
        return say("{core} of {who}", core=core, who=who)
    return say("{core} of {who} against {dn}", core=core, who=who, dn=test.dn)


def _who(state: Angst, test: Test | CalledTest) -> str:
    character = state.characters.get(test.character)
    return character.name if character is not None else test.character


def _finalised(rule: str) -> Rejection:
    """The rejection of spends on a final test."""
    return Rejection("test_finalised", "That test is final; nothing can be added to it.", rule=rule)


def unknown_or_settled(state: Angst, test_id: str, rule: str) -> Rejection:
    """The rejection of an unknown or settled test."""
    how = state.settled_tests.get(test_id)
    if how == "finalised" or state.test(test_id) is not None:
        return _finalised(rule)
    if how is not None:
        return Rejection("test_cancelled", "That test was called off.", rule=rule)
    return Rejection("unknown_test", "That test is not waiting.", rule=rule)


def test_resolved(state: Angst, event: TestResolved) -> None:
    """Settle the test; an opposed one stays until it is judged."""
    test = state.test(event.test_id)
    if test is not None and test.opposed:
        test.final = True
        return
    settle(state, event.test_id, "finalised")


def opposed_resolved(state: Angst, event: OpposedTestResolved) -> None:
    """Settle both tests, as far as they are known."""
    for test_id in (event.acting, event.opposing):
        if test_id is not None:
            settle(state, test_id, "finalised")


def test_cancelled(state: Angst, event: TestCancelled) -> None:
    """Settle the test as cancelled."""
    settle(state, event.test_id, "cancelled")


def settle(state: Angst, test_id: str, how: str) -> None:
    """Remember how a test ended, for the last few hundred tests."""
    state.called = [test for test in state.called if test.test_id != test_id]
    state.tests = [test for test in state.tests if test.test_id != test_id]
    state.settled_tests.pop(test_id, None)
    state.settled_tests[test_id] = how
    if len(state.settled_tests) > REMEMBERED:
        del state.settled_tests[next(iter(state.settled_tests))]
