"""The odds of a test before the roll: exact probabilities of making its DN (AN-7, AN-8, AN-12).

Counted in whole cases, so that nothing is rounded until the very end. Spends after the roll are not in it.
"""

from collections import Counter

from domain.systems.angst.events import DiceRerolled, Event, TestRolled
from domain.systems.angst.rolls import RolledDie
from domain.systems.angst.tables import BASE_SIDES, EXPLODES_ON, EXTRA_SIDES, sides
from domain.systems.system import JudgedDie, RolledTest, judge_die


def rolls(event: Event) -> list[RolledTest]:
    """The dice of a test, and those that were re-rolled in it. An opposed test has no odds of its own."""
    if not isinstance(event, TestRolled | DiceRerolled):
        return []
    has_exploded = any(die.explosion for die in event.rolled)
    dice = [_judge(die, has_exploded=has_exploded) for die in event.rolled]
    if isinstance(event, DiceRerolled) or event.dn is None:
        return [RolledTest(event.character, dice)]
    outcome = "success" if event.total >= event.dn else "failure"
    return [RolledTest(event.character, dice, outcome, odds(event))]


def _judge(die: RolledDie, *, has_exploded: bool) -> JudgedDie:
    """A Penalty Die is subtracted; a Base Die explodes into another (AN-8, AN-12)."""
    value = -die.natural if die.role == "penalty" else die.natural
    exploded = has_exploded and die.role == "base" and not die.explosion
    return judge_die(die, die.natural, value, exploded=exploded)


def low_is_good(_event: Event, die: JudgedDie) -> bool:
    """A Penalty Die is good low, because it is subtracted (AN-8)."""
    return die.value < 0


def odds(event: TestRolled) -> dict[str, float]:
    """The probabilities of the possible outcomes; they add up to 1."""
    cases = _base(explosive=event.explosive)
    cases = _with(cases, sides(event.core_die), 1)
    cases = _with(cases, EXTRA_SIDES if event.dice.bonus is not None else 0, 1)
    cases = _with(cases, EXTRA_SIDES if event.dice.penalty is not None else 0, -1)
    needed = (event.dn or 0) - sum(modifier.value for modifier in event.modifiers)
    every = sum(cases.values())
    good = sum(count for total, count in cases.items() if total >= needed)
    counts = {"failure": every - good, "success": good}
    return {outcome: count / every for outcome, count in counts.items() if count}


def _base(*, explosive: bool) -> Counter[int]:
    """The Base Die, in thirty-sixths: its second roll, if there is one, never explodes."""
    cases: Counter[int] = Counter()
    for face in range(1, BASE_SIDES + 1):
        if explosive and face == EXPLODES_ON:
            cases.update({face + more: 1 for more in range(1, BASE_SIDES + 1)})
        else:
            cases[face] += BASE_SIDES
    return cases


def _with(cases: Counter[int], faces: int, sign: int) -> Counter[int]:
    """One more die added, or subtracted; a die of no faces changes nothing."""
    if not faces:
        return cases
    sums: Counter[int] = Counter()
    for total, count in cases.items():
        for face in range(1, faces + 1):
            sums[total + sign * face] += count
    return sums
