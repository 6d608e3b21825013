"""Missions and tests of Frame State in words."""

from domain.sentences import Sentence, say, say_many
from domain.systems.frame_state.state import Modifier, TestDie
from domain.systems.frame_state.tables import Outcome
from domain.systems.frame_state.terms import called, money
from projections.drawings.board_parts import Words, in_a_line
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


def die(offer: DieStands, words: Words) -> str:
    """A die with what it is of: "servos d8+1"."""
    bonus = f"+{offer.bonus}" if offer.bonus else ""
    return f"{words.say(called(offer.attribute)) + ' ' if offer.attribute else ''}d{offer.sides}{bonus}"


def added(test: TestStands, words: Words) -> str:
    """What the modifiers of a test come to: "+2 plating"."""
    sources = ", ".join(modifier(each, words) for each in test.modifiers)
    return f"{signed(test.added)} ({sources})" if test.modifiers else ""


def signed(value: int) -> str:
    """A number with its sign."""
    return f"{value:+}".replace("-", "\u2212")


def chances(test: TestStands, words: Words) -> list[str]:
    """How likely each outcome is: "Hit 42%"."""
    odds = test.odds or {}
    return [
        f"{words.value(TestStands, 'odds', each)} {words.percent(odds[each])}" for each in OUTCOMES if each in odds
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
    dice = in_a_line(*(wanted(one, words) for one in each.dice), *(modifier(one, words) for one in each.modifiers))
    return words.say(say("{pilot} proposes a test of {dice}", pilot=each.pilot.name, dice=dice))


def proposed(each: ProposalStands, words: Words) -> str:
    """The dice and modifiers of a proposal."""
    return in_a_line(*(wanted(one, words) for one in each.dice), *(modifier(one, words) for one in each.modifiers))


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


def wanted(each: TestDie, words: Words) -> str:
    """A die as it was asked for."""
    return words.say(called(each.attribute)) if each.attribute is not None else str(each.die)


def modifier(each: Modifier, words: Words) -> str:
    """A modifier as it was asked for."""
    return signed(each) if isinstance(each, int) else words.say(called(each.attribute))
