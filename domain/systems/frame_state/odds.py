"""What was likely before a test's dice fell: exact odds of its outcomes (FS-6).

The highest die is kept, so it is enough to know, for every result, how likely all dice are to stay at or
below it, with and without an ace among them.
"""

from math import prod

from domain.dice import Die
from domain.systems.frame_state.events import Event, TestResolved
from domain.systems.frame_state.rolls import RolledDie
from domain.systems.frame_state.tables import ACE_BONUS, outcome
from domain.systems.system import RolledTest


def rolls(event: Event) -> list[RolledTest]:
    """The dice of a resolved test. One that took the average rolled nothing, and had no luck."""
    if not isinstance(event, TestResolved) or not event.dice:
        return []
    return [
        RolledTest(
            character=event.pilot if event.roller == "pilot" else None,
            dice=[Die(die.sides, die.natural, die.origin, die.proof) for die in event.dice],
            outcome=event.outcome,
            odds=odds(event),
        )
    ]


def odds(event: TestResolved) -> dict[str, float]:
    """The probability of every outcome that the test could have had; they add up to 1.

    Counted in whole cases, of which there are as many as the product of all sides: nothing is rounded until
    the very end.
    """
    may_ace = event.roller == "pilot"  # an NPC's dice never ace (FS-A14)
    flat = sum(modifier.value for modifier in event.modifiers if modifier.source != "ace")
    results = sorted({face + die.bonus for die in event.dice for face in range(1, die.sides + 1)})
    cases: dict[str, int] = {}
    without_before = all_before = 0
    for kept in results:
        up_to = prod(_faces_up_to(die, kept, aces=True) for die in event.dice)
        without = prod(_faces_up_to(die, kept, aces=not may_ace) for die in event.dice)
        plain = without - without_before
        aced = up_to - all_before - plain
        for count, score in ((plain, kept + flat), (aced, kept + flat + ACE_BONUS)):
            came_out = outcome(event.test_type, score - event.mark)
            cases[came_out] = cases.get(came_out, 0) + count
        without_before, all_before = without, up_to
    every = prod(die.sides for die in event.dice)
    return {came_out: count / every for came_out, count in sorted(cases.items()) if count}


def _faces_up_to(die: RolledDie, result: int, *, aces: bool) -> int:
    """How many faces of a die give at most this result; its highest face only if aces are wanted."""
    return max(0, min(result - die.bonus, die.sides if aces else die.sides - 1))
