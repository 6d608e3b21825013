"""Missions and tests of Frame State in words."""

from domain.sentences import Sentence, say, say_many
from domain.systems.frame_state.state import Modifier, TestDie
from domain.systems.frame_state.tables import Outcome
from domain.systems.frame_state.term_words import money, name_of_key
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


def board_sentence(board: MissionBoard) -> Sentence:
    """The board in a sentence: the tests that wait, else the missions that run."""
    if board.open_tests:
        return say_many("{n} test waits for its roll", "{n} tests wait for their roll", len(board.open_tests))
    if board.missions:
        return say_many("{n} mission is running", "{n} missions are running", len(board.missions))
    return say("No mission is running, and no test waits.")


def mark(test: TestStands, words: Words) -> str:
    """The mark that a test is made against, as far as its reader knows."""
    if test.mark is None:
        return words.say(say("against a hidden mark"))
    return words.say(say("against {mark}", mark=test.mark))


def hidden_mark(test: TestStands, words: Words) -> str | None:
    """That a mark is hidden, if it is."""
    return words.field(TestStands, "mark_hidden") if test.mark_hidden else None


def die(offer: DieStands, words: Words, *at: str) -> Passage:
    """A die with what it is of: "servos d8+1"; `at` are the steps to it."""
    bonus = Figure(f"+{offer.bonus}" if offer.bonus else "", *at, "bonus")
    title = words.say(name_of_key(offer.attribute)) + " " if offer.attribute else ""
    return passage(title, Figure(f"d{offer.sides}", *at, "sides"), bonus)


def modifier_total(test: TestStands, words: Words, *at: str) -> Passage:
    """The sum of a test's modifiers: "+2 (plating)"; `at` are the steps to the test."""
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
        Figure(f"{words.value(TestStands, 'odds', outcome)} {words.percent(odds[outcome])}", *at, "odds", outcome)
        for outcome in OUTCOMES
        if outcome in odds
    ]


def test(test: TestStands, words: Words) -> str:
    """A test in full."""
    kind = words.value(TestStands, "test_type", test.test_type).lower()
    dice = (die(offer, words) for offer in test.offers)
    return in_a_line(
        test.roller.name,
        kind,
        mark(test, words),
        hidden_mark(test, words),
        *dice,
        modifier_total(test, words),
        *chances(test, words),
        test.situation,
    )


def proposal(proposal: ProposalStands, words: Words) -> str:
    """A proposal in full."""
    return words.say(
        say("{pilot} proposes a test of {dice}", pilot=proposal.pilot.name, dice=proposed(proposal, words))
    )


def proposed(proposal: ProposalStands, words: Words) -> Passage:
    """The dice and modifiers of a proposal."""
    at = ("proposals", item(proposal.proposal_id))
    dice = (test_die(one, words, *at, "dice", item(nth), "die") for nth, one in enumerate(proposal.dice))
    return in_a_line(*dice, _modifiers(proposal, words, *at))


def payout(payout: PayoutStands, words: Words) -> str:
    """The pay that a pilot is owed."""
    paid = say(
        "{pilot} is owed {credits} for “{mission}”",
        pilot=payout.pilot.name,
        credits=money(payout.amount),
        mission=payout.name,
    )
    return words.say(paid)


def due(due: FrameDue, words: Words) -> str:
    """The price that a pilot owes for a new frame."""
    return words.say(
        say(
            "{pilot} owes {credits} for {frame}",
            pilot=due.pilot.name,
            credits=money(due.price),
            frame=due.new.name,
        )
    )


def replacement(replacement: ReplacementStands, words: Words) -> str:
    """A request to replace a lost frame."""
    sentence = say(
        "{pilot} wants to replace {old} with {new}",
        pilot=replacement.pilot.name,
        old=replacement.old.name,
        new=replacement.new_name,
    )
    return words.say(sentence)


def test_die(die: TestDie, words: Words, *at: str) -> str:
    """A die as it was asked for; `at` are the steps to it."""
    return words.say(name_of_key(die.attribute)) if die.attribute is not None else Figure(str(die.die), *at)


def _modifiers(test: TestStands | ProposalStands, words: Words, *at: str) -> Passage:
    """The modifiers of a test as they were asked for; `at` are the steps to it."""
    return in_a_line(
        *(modifier(one, words, *at, "modifiers", item(nth)) for nth, one in enumerate(test.modifiers))
    )


def modifier(modifier: Modifier, words: Words, *at: str) -> str:
    """A modifier as it was asked for; `at` are the steps to it."""
    return (
        Figure(signed(modifier), *at) if isinstance(modifier, int) else words.say(name_of_key(modifier.attribute))
    )
