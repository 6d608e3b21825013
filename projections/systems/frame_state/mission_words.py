"""Missions and tests of Frame State in words."""

from domain.sentences import Sentence, say, say_many
from domain.systems.frame_state.state import Modifier, TestDie
from domain.systems.frame_state.tables import Outcome
from domain.systems.frame_state.terms import called, money
from projections.drawings.board_parts import Figure, Passage, Words, in_a_line, item, passage
from projections.systems.frame_state.boards import (
    DieStands,
    FrameDue,
    MissionBoard,
    PayoutStands,
    ProposalStands,
    ReplacementStands,
    TestStands,
)

OUTCOMES: tuple[Outcome, ...] = ("fumble", "miss", "hit", "critical")
"""From the worst to the best."""


def told(board: MissionBoard) -> Sentence:
    """The board in a sentence: the tests that wait, else the missions that run."""
    if board.open_tests:
        return say_many("{n} test waits for its roll", "{n} tests wait for their roll", len(board.open_tests))
    if board.missions:
        return say_many("{n} mission is running", "{n} missions are running", len(board.missions))
    return say("No mission is running, and no test waits.")


def mark(test: TestStands, words: Words) -> str:
    """What a test is made against, as far as its reader knows."""
    if test.mark is None:
        return words.say(say("against a hidden mark"))
    return words.say(say("against {mark}", mark=test.mark))


def hidden(test: TestStands, words: Words) -> str | None:
    """That a mark is hidden, if it is."""
    return words.field(TestStands, "mark_hidden") if test.mark_hidden else None


def die(offer: DieStands, words: Words, *at: str) -> Passage:
    """A die with what it is of: "servos d8+1"; `at` are the steps to it."""
    bonus = Figure(f"+{offer.bonus}" if offer.bonus else "", *at, "bonus")
    named = words.say(called(offer.attribute)) + " " if offer.attribute else ""
    return passage(named, Figure(f"d{offer.sides}", *at, "sides"), bonus)


def added(test: TestStands, words: Words, *at: str) -> Passage:
    """What the modifiers of a test come to: "+2 (plating)"; `at` are the steps to the test."""
    if not test.modifiers:
        return passage()
    return passage(Figure(signed(test.added), *at, "added"), " (", _modifiers(test, words, *at), ")")


def signed(value: int) -> str:
    """A number with its sign."""
    return f"{value:+}".replace("-", "\u2212")


def chances(test: TestStands, words: Words, *at: str) -> list[Figure]:
    """How likely each outcome is: "Hit 42%"; `at` are the steps to the test."""
    odds = test.odds or {}
    return [
        Figure(f"{words.value(TestStands, 'odds', each)} {words.percent(odds[each])}", *at, "odds", each)
        for each in OUTCOMES
        if each in odds
    ]


def test(each: TestStands, words: Words) -> str:
    """A test in full."""
    kind = words.value(TestStands, "test_type", each.test_type).lower()
    dice = (die(offer, words) for offer in each.offers)
    return in_a_line(
        each.roller.name,
        kind,
        mark(each, words),
        hidden(each, words),
        *dice,
        added(each, words),
        *chances(each, words),
        each.situation,
    )


def proposal(each: ProposalStands, words: Words) -> str:
    """A proposal in full."""
    return words.say(say("{pilot} proposes a test of {dice}", pilot=each.pilot.name, dice=proposed(each, words)))


def proposed(each: ProposalStands, words: Words) -> Passage:
    """The dice and modifiers of a proposal."""
    at = ("proposals", item(each.proposal_id))
    dice = (wanted(one, words, *at, "dice", item(nth), "die") for nth, one in enumerate(each.dice))
    return in_a_line(*dice, _modifiers(each, words, *at))


def payout(each: PayoutStands, words: Words) -> str:
    """What a pilot is owed."""
    paid = say(
        "{pilot} is owed {credits} for “{mission}”",
        pilot=each.pilot.name,
        credits=money(each.amount),
        mission=each.name,
    )
    return words.say(paid)


def due(each: FrameDue, words: Words) -> str:
    """What a pilot owes for a new frame."""
    return words.say(
        say(
            "{pilot} owes {credits} for {frame}",
            pilot=each.pilot.name,
            credits=money(each.price),
            frame=each.new.name,
        )
    )


def replacement(each: ReplacementStands, words: Words) -> str:
    """A request to replace a lost frame."""
    asked = say(
        "{pilot} wants to replace {old} with {new}", pilot=each.pilot.name, old=each.old.name, new=each.new_name
    )
    return words.say(asked)


def wanted(each: TestDie, words: Words, *at: str) -> str:
    """A die as it was asked for; `at` are the steps to it."""
    return words.say(called(each.attribute)) if each.attribute is not None else Figure(str(each.die), *at)


def _modifiers(each: TestStands | ProposalStands, words: Words, *at: str) -> Passage:
    """The modifiers of a test as they were asked for; `at` are the steps to it."""
    return in_a_line(
        *(modifier(one, words, *at, "modifiers", item(nth)) for nth, one in enumerate(each.modifiers))
    )


def modifier(each: Modifier, words: Words, *at: str) -> str:
    """A modifier as it was asked for; `at` are the steps to it."""
    return Figure(signed(each), *at) if isinstance(each, int) else words.say(called(each.attribute))
