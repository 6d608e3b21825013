"""The odds of a test before the roll: exact probabilities of its outcomes (FS-6).

The highest die is kept, so it is enough to know, for every result, how likely all dice are to stay at or below
it, with and without an ace among them.
"""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from domain.systems.frame_state.events import Event, TestResolved
from domain.systems.frame_state.tables import ACE_BONUS, Outcome, TestType, outcome
from domain.systems.system import RolledTest, judge_die


def rolls(event: Event) -> list[RolledTest]:
    """The dice of a resolved test; none for one that took the average."""
    if not isinstance(event, TestResolved) or not event.dice:
        return []
    best = [die.result for die in event.dice].index(event.kept)
    return [
        RolledTest(
            roller=event.pilot if event.roller == "pilot" else None,
            dice=[
                judge_die(die, die.natural, die.result, is_kept=nth == best) for nth, die in enumerate(event.dice)
            ],
            outcome=event.outcome,
            odds=odds(event),
        )
    ]


def odds(event: TestResolved) -> dict[str, float]:
    """The probability of every possible outcome of the test; they add up to 1.

    Counted in whole cases, of which there are as many as the product of all sides: nothing is rounded until the
    very end.
    """
    flat = sum(modifier.value for modifier in event.modifiers if modifier.source != "ace")
    dice = [DieOdds(die.sides, die.bonus) for die in event.dice]
    chances = odds_of(dice, flat, event.mark, event.test_type, may_ace=event.roller == "pilot")
    return {came_out: chance for came_out, chance in chances.items()}  # noqa: C416 — `dict` would keep their type


class DieOdds(NamedTuple):
    """A die before it falls: its sides, and the bonus to its result."""

    sides: int
    bonus: int


def odds_of(
    dice: Sequence[DieOdds], flat: int, mark: int, test_type: TestType, *, may_ace: bool
) -> dict[Outcome, float]:
    """The same for dice that have not fallen, with `flat` added to the highest; an NPC's never ace (FS-A14)."""
    results = sorted({face + die.bonus for die in dice for face in range(1, die.sides + 1)})
    cases: dict[Outcome, int] = {}
    without_before = all_before = 0
    for highest in results:
        up_to = prod(_faces_up_to(die, highest, aces=True) for die in dice)
        without = prod(_faces_up_to(die, highest, aces=not may_ace) for die in dice)
        plain = without - without_before
        aced = up_to - all_before - plain
        for count, score in ((plain, highest + flat), (aced, highest + flat + ACE_BONUS)):
            came_out = outcome(test_type, score - mark)
            cases[came_out] = cases.get(came_out, 0) + count
        without_before, all_before = without, up_to
    every = prod(die.sides for die in dice)
    return {came_out: count / every for came_out, count in sorted(cases.items()) if count}


def _faces_up_to(die: DieOdds, result: int, *, aces: bool) -> int:
    """How many faces of a die give at most this result; its highest face only if aces are wanted."""
    return max(0, min(result - die.bonus, die.sides if aces else die.sides - 1))
