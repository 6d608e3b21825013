"""The odds of a test before the roll: exact probabilities of making its DN (AN-7, AN-8, AN-12).

Counted in whole cases, so that nothing is rounded until the very end. The odds of a roll are without what may be
spent after it; those of dice that are rolled again (AN-15) start from the faces that stay.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from domain.systems.angst.dice_pool import ORDER, on_the_table
from domain.systems.angst.events import DiceRerolled, Event, StoryPointsSpent, TestRolled
from domain.systems.angst.rolls import RolledDie
from domain.systems.angst.state import Angst, Test
from domain.systems.angst.tables import BASE_SIDES, EXPLODES_ON, EXTRA_SIDES, SPEND_MAX, sides
from domain.systems.system import JudgedDie, RolledTest, Way, judge_die


def rolls(event: Event) -> list[RolledTest]:
    """The dice of a test, and those that were re-rolled in it. The odds of others rest on the state, too."""
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
    needed = (event.dn or 0) - sum(modifier.value for modifier in event.modifiers)
    return _outcomes(reaching(_roles(event), sides(event.core_die), needed, explosive=event.explosive))


def _outcomes(chance: Fraction) -> dict[str, float]:
    chances = {"failure": 1 - chance, "success": chance}
    return {outcome: float(likely) for outcome, likely in chances.items() if likely}


def odds_of_action(state: Angst, events: Sequence[Event]) -> dict[str, float] | None:
    """The odds of dice rolled again, and of a test against an opposing one that is final; else None."""
    chance: Fraction | None = None
    for event in events:
        if isinstance(event, TestRolled) and event.dn is None:
            needed = _opposing_total(state, event.against or [])
            if needed is not None:
                needed -= sum(modifier.value for modifier in event.modifiers)
                chance = reaching(_roles(event), sides(event.core_die), needed, explosive=event.explosive)
        elif isinstance(event, DiceRerolled):
            test = state.test(event.test_id)
            chance = None if test is None else _chance_again(state, test, event.rerolled)
    return None if chance is None else _outcomes(chance)


def ways(state: Angst, events: Sequence[Event]) -> list[Way]:
    """The best dice of a test to roll again, for each number of Story Points that its character has."""
    spent = next((event for event in events if isinstance(event, StoryPointsSpent)), None)
    again = next((event for event in events if isinstance(event, DiceRerolled)), None)
    test = None if again is None else state.test(again.test_id)
    if spent is None or test is None:
        return []
    there = [role for role in ORDER if role in on_the_table(test)]
    best: list[Way] = []
    for price in range(1, min(SPEND_MAX, spent.left + spent.amount, len(there)) + 1):
        chances = [(_chance_again(state, test, dice), dice) for dice in combinations(there, price)]
        candidates = [(chance, dice) for chance, dice in chances if chance is not None]
        if candidates:
            chance, dice = max(candidates, key=lambda pair: pair[0])
            best.append(Way({"dice": [*dice]}, float(chance)))
    return best


def _chance_again(state: Angst, test: Test, roles: Collection[str]) -> Fraction | None:
    """The chance that a test is made when some of its dice are rolled again; None where no DN is known."""
    needed = test.dn if test.dn is not None else _opposing_total(state, test.against or [])
    if needed is None:
        return None
    dice = test.dice
    faces = {"base": sum(dice.base), "core": dice.core, "bonus": dice.bonus or 0, "penalty": -(dice.penalty or 0)}
    stays = sum(face for role, face in faces.items() if role not in roles)
    needed -= stays + test.total - dice.total
    return reaching(frozenset(roles), sides(test.core_die), needed, explosive=True)


def _opposing_total(state: Angst, against: Sequence[str]) -> int | None:
    """The total that an opposed test has to reach, where it can only act against one test, which is final."""
    tests = [test for test in map(state.test, against) if test is not None and test.final]
    return tests[0].total if len(tests) == len(against) == 1 else None


def _roles(event: TestRolled) -> frozenset[str]:
    """The dice that a test rolls."""
    there = {"base": True, "core": True, "bonus": event.dice.bonus is not None}
    there["penalty"] = event.dice.penalty is not None
    return frozenset(role for role, is_there in there.items() if is_there)


@lru_cache(maxsize=1024)
def reaching(roles: frozenset[str], core_sides: int, needed: int, *, explosive: bool) -> Fraction:
    """The chance that the dice of these roles come to so much."""
    cases = _base(explosive=explosive) if "base" in roles else Counter({0: 1})
    cases = _with(cases, core_sides if "core" in roles else 0, 1)
    cases = _with(cases, EXTRA_SIDES if "bonus" in roles else 0, 1)
    cases = _with(cases, EXTRA_SIDES if "penalty" in roles else 0, -1)
    return Fraction(sum(count for total, count in cases.items() if total >= needed), sum(cases.values()))


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
