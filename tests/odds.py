"""The odds of every system beside those of icepool, which knows nothing of us: `python -m tests.odds`.

Each function compares at least 10,000 probabilities; exact ones as fractions.
"""

import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import accumulate, combinations, combinations_with_replacement, product
from typing import Any, TypeAlias

import icepool

from domain.dice.odds import distribution
from domain.dice.parser import parse
from domain.systems.angst.odds import reaching
from domain.systems.frame_state.odds import DieOdds, odds_of
from domain.systems.freefall.odds import first
from domain.systems.mobile_frame.odds import Counting, hits, hits_of_best
from domain.systems.overdrive.odds import at_least, opposed

Case: TypeAlias = tuple[object, Fraction | float, Fraction]
"""What is asked, our answer, and icepool's."""
D6: Any = icepool.d6
NOTHING: Any = icepool.Die([0])


def overdrive() -> Iterator[Case]:
    """Successes of pools whose ones explode in chains, counted up to a limit."""
    most = 20

    def counted(successes: int) -> int:
        return min(successes, most)

    for skill in range(1, 6):
        die: Any = icepool.Die([most])
        for _ in range(most):
            die = D6.map({face: int(face <= skill) for face in range(2, 7)} | {1: (die + 1).map(counted)})
        pool = NOTHING
        for dice in range(101):
            for least in range(most + 1):
                yield (dice, skill, least), at_least(dice, skill, least), pool.probability(">=", least)
            pool = (pool + die).map(counted)


def overdrive_duels() -> Iterator[Case]:
    """One pool against another: how likely it brings more successes, to twelve places of a sum without an end."""
    pools: dict[tuple[int, int], dict[int, int]] = {}
    for skill in range(1, 6):
        die: Any = icepool.Die([0])
        for _ in range(24):
            die = D6.map({face: int(face <= skill) for face in range(2, 7)} | {1: die + 1})
        pool = NOTHING
        for dice in range(21):
            pools[dice, skill] = dict(pool.items())
            pool += die
    most = max(max(pool) for pool in pools.values())
    below = {
        side: [0, *accumulate(pool.get(number, 0) for number in range(most + 1))] for side, pool in pools.items()
    }
    for (one, own), (other, less) in product(pools.items(), below.items()):
        right = Fraction(sum(many * less[number] for number, many in own.items()), sum(own.values()) * less[-1])
        yield (one, other), round(opposed(one, other), 12), round(right, 12)


def frame_state() -> Iterator[Case]:
    """Outcomes of tests: the highest die, and two for an ace on any, against a mark."""
    pools = [pool for n in (1, 2, 3) for pool in combinations_with_replacement((4, 6, 8, 10, 12), n)]
    for pool, bonus, may_ace in product(pools, (0, 1, 3), (False, True)):
        best: Any = icepool.Die([(0, 0)])
        for size in pool:
            faces = {face: (face + bonus, int(may_ace and face == size)) for face in range(1, size + 1)}
            best = icepool.map(_better, best, icepool.d(size).map(faces), star=False)
        score = best.map(lambda fallen: fallen[0] + 2 * fallen[1], star=False)
        for mark, (kind, names) in product(range(2, 12), OUTCOMES.items()):
            right = (score + 1 - mark).map(lambda short: max(-2, min(2, short))).map(names)
            ours = odds_of([DieOdds(size, bonus) for size in pool], 1, mark, kind, may_ace=may_ace)
            for name in right:
                yield (pool, bonus, may_ace, mark, kind, name), ours[name], right.probability("==", name)


OUTCOMES: dict[Any, Any] = {
    "proactive": {-2: "miss", -1: "miss", 0: "hit", 1: "hit", 2: "critical"},
    "reactive": {-2: "fumble", -1: "miss", 0: "miss", 1: "hit", 2: "hit"},
}


def _better(one: Any, other: Any) -> tuple[int, int]:
    """The higher of two results, with an ace where either has one."""
    return max(one[0], other[0]), max(one[1], other[1])


def angst() -> Iterator[Case]:
    """Dice of a test that are rolled, or rolled again, against what is still needed."""
    for explosive in (False, True):
        base = D6.explode(depth=1) if explosive else D6
        for core in (0, 4, 6, 8, 10, 12):
            sizes = {
                "base": base,
                "core": icepool.d(core) if core else NOTHING,
                "bonus": icepool.d4,
                "penalty": -icepool.d4,
            }
            for roles in (each for count in range(1, 5) for each in combinations(sizes, count)):
                total = sum((sizes[role] for role in roles), NOTHING)
                for needed in range(-8, 52):
                    ours = reaching(frozenset(roles), core, needed, explosive=explosive)
                    yield (roles, core, needed, explosive), ours, total.probability(">=", needed)


def freefall() -> Iterator[Case]:
    """Three sides of a conflict: how likely the first has the highest result alone."""
    sides = [(dice, bonus) for dice in range(1, 6) for bonus in range(-2, 4)]
    highest: dict[Any, Any] = {(dice, bonus): icepool.d20.highest(dice) + bonus for dice, bonus in sides}
    beats = {side: {most: own.probability(">", most) for most in range(-1, 24)} for side, own in highest.items()}
    for two in combinations_with_replacement(sides, 2):
        others = icepool.highest(highest[two[0]], highest[two[1]])
        likely = {most: others.probability("==", most) for most in others}
        for one in sides:
            right = sum((beats[one][most] * chance for most, chance in likely.items()), Fraction())
            yield (one, two), first((one, *two))[0], right


def mobile_frame() -> Iterator[Case]:
    """Hits of damage dice on a target that stands behind something."""
    for fours in (0, 1):
        faces = {1: (0, 0, 0), 2: (0, 0, 0), 3: (0, 0, 0), 4: (fours, 0, 0), 5: (0, 1, 0), 6: (0, 0, 1)}
        die = D6.map({face: icepool.Vector(counts) for face, counts in faces.items()})
        dice = die
        for count in range(1, 21):
            for stops in (None, *range(21)):
                right = dice.map(_through(stops), star=False)
                ours = hits(count, Counting(1, fours=fours, fives=1, stops=stops))
                for number in right:
                    yield (count, fours, stops, number), ours[str(number)], right.probability("==", number)
            dice += die
    for straight in (2, 3):
        die = D6.map({face: int(face > 6 - straight) for face in range(1, 7)})
        damage = [NOTHING, *(number @ die for number in range(1, 20))]
        for pool in (each for n in range(1, 5) for each in combinations_with_replacement((6, 8), n)):
            best = icepool.highest([*map(icepool.d, pool)])
            for more in range(-9, 9):
                right = best.map({face: damage[max(0, face + more)] for face in best})
                ours = hits_of_best(pool, more, straight)
                for number in right:
                    yield (pool, more, straight, number), ours[str(number)], right.probability("==", number)


def _through(stops: int | None) -> Callable[[Any], int]:
    """The hits on the target where what is before it takes so many fours and fives."""

    def through(counts: Any) -> int:
        four, five, six = map(int, counts)
        return six + (0 if stops is None else max(0, five - max(0, stops - four)))

    return through


def free_rolls() -> Iterator[Case]:
    """Totals of dice in notation: sums, the highest and the lowest, successes."""
    for sides in (4, 6, 8, 10, 12, 20):
        die: Any = icepool.d(sides)
        for count in range(1, 13):
            expressions = {f"{count}d{sides}": count @ die}
            expressions[f"{count}d{sides}>={sides - 1}"] = count @ icepool.coin(2, sides)
            for kept in range(1, min(count, 6)):
                expressions[f"{count}d{sides}kh{kept}"] = die.highest(count, kept)
                expressions[f"{count}d{sides}kl{kept}+{sides}"] = die.lowest(count, kept) + sides
            for notation, right in expressions.items():
                ours = distribution(parse(notation)) or {}
                for total in sorted({*ours, *(int(each) for each in right)}):
                    yield (notation, total), ours.get(total, Fraction()), right.probability("==", total)


SYSTEMS: dict[str, Callable[[], Iterator[Case]]] = {
    "overdrive": overdrive,
    "overdrive_duels": overdrive_duels,
    "frame_state": frame_state,
    "angst": angst,
    "freefall": freefall,
    "mobile_frame": mobile_frame,
    "free_rolls": free_rolls,
}


def compared(cases: Iterator[Case]) -> tuple[int, list[Case]]:
    """How many answers were compared, and those that differ; a float has to be the one nearest to the truth."""
    count, differing = 0, []
    for case in cases:
        count += 1
        _, ours, right = case
        if ours != (float(right) if isinstance(ours, float) else right):
            differing.append(case)
    return count, differing


def main() -> None:
    """Print how many answers each system was asked for, and how many differ."""
    for name, cases in SYSTEMS.items():
        count, differing = compared(cases())
        sys.stdout.write(f"{name}: {count} cases, {len(differing)} differ{''.join(map(str, differing[:3]))}\n")


if __name__ == "__main__":
    main()
