"""Rolls per person and die, compared with fair dice.

A fold over the events that the reader may see: a hidden roll is not counted for readers it is hidden from. Server
dice and table dice are counted separately, so that one cannot mask the other. A die counts for the person who
rolled it.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from domain.campaign.events import DiceRolled
from domain.campaign.play.free_rolls import low_is_good, rolls
from domain.dice import Origin
from domain.dice.odds import distribution, mean_and_variance
from domain.dice.parser import parse
from domain.ids import AccountId
from domain.recorded_event import RecordedEvent
from domain.sentences import Sentence
from domain.systems.system import JudgedDie, RolledTest
from projections.statistics.significance import (
    BETTER,
    HIGHER,
    LOWER,
    MORE_OFTEN,
    MORE_RARELY,
    WORSE,
    InWords,
    Verdict,
    evenness,
    verdict,
)

SIZES_MAX = 30
"""Die sizes shown per person and origin, those rolled most; only scripts roll more."""

FACES_SIDES_MAX = 100
"""Larger dice are shown without a count per face."""

NOTATIONS_MAX = 10
"""Free rolls whose odds are computed, those rolled most."""


class Streak(Struct, frozen=True):
    """The longest run of one face in a row."""

    face: int
    length: int


class DieStatistics(Struct, frozen=True):
    """All dice of one size. `faces` counts face 1, 2, …; null for dice of more than 100 sides."""

    sides: int
    origin: Origin
    count: int
    sum: int
    mean: float
    expected_mean: float
    faces: list[int] | None
    longest_streak: Streak
    height: Verdict
    evenness: Verdict


class OutcomeStatistics(Struct, frozen=True):
    """How often an outcome occurred, and how often it was expected in the tests whose odds are known."""

    outcome: str
    count: int
    expected: float
    frequency: Verdict


class TestStatistics(Struct, frozen=True):
    """Tests by outcome. `judged` of the `tests` have exact odds, and only those are compared."""

    origin: Origin
    tests: int
    judged: int
    outcomes: list[OutcomeStatistics]


class PersonStatistics(Struct, frozen=True):
    """One person's dice and tests. `height` is how high all dice together fell, by origin.

    `luck` is how good they were for whom they were rolled, as the rules of each roll want its dice high or low.
    """

    account: AccountId
    name: str
    rolls: int
    height: dict[Origin, Verdict]
    luck: dict[Origin, Verdict]
    dice: list[DieStatistics]
    sizes_left_out: int
    tests: list[TestStatistics]


class NotationStatistics(Struct, frozen=True):
    """Free rolls of one expression by all people; the expectation is null where it costs too much to compute."""

    notation: str
    count: int
    mean: float
    expected_mean: float | None
    height: Verdict | None


class RollStatistics(Struct, frozen=True):
    """All rolls after `after`, as of a seq."""

    as_of: int
    after: int
    people: list[PersonStatistics]
    notations: list[NotationStatistics]


class DiceOfEveryone(Struct, frozen=True):
    """All people's dice together: how good they were, by origin, and each size."""

    luck: dict[Origin, Verdict]
    dice: list[DieStatistics]


class _Size(Struct):
    """The counts for dice of one size. `good` is their sum, with the opposite face of those that are good low."""

    good: int = 0
    faces: Counter[int] = field(default_factory=Counter)
    face: int = 0
    run: int = 0
    longest: tuple[int, int] = (0, 0)

    def add(self, die: JudgedDie, *, low_is_good: bool) -> None:
        natural = die.face
        self.good += die.sides + 1 - natural if low_is_good else natural
        self.faces[natural] += 1
        self.run = self.run + 1 if natural == self.face else 1
        self.face = natural
        self.longest = max(self.longest, (self.run, natural))

    def merge(self, other: "_Size") -> None:
        """Add another person's dice; a streak ends with its person."""
        self.good += other.good
        self.faces.update(other.faces)
        self.longest = max(self.longest, other.longest)


class _Tests(Struct):
    """The counts for one person's tests."""

    tests: int = 0
    judged_tests: int = 0
    counted: Counter[str] = field(default_factory=Counter)
    judged_counted: Counter[str] = field(default_factory=Counter)
    expected: dict[str, float] = field(default_factory=dict)
    variance: dict[str, float] = field(default_factory=dict)

    def add(self, test: RolledTest) -> None:
        if test.outcome is None:
            return
        self.tests += 1
        self.counted[test.outcome] += 1
        if test.odds is None:
            return
        self.judged_tests += 1
        self.judged_counted[test.outcome] += 1
        for outcome, chance in test.odds.items():
            self.expected[outcome] = self.expected.get(outcome, 0.0) + chance
            self.variance[outcome] = self.variance.get(outcome, 0.0) + chance * (1 - chance)


class _Sums(Struct):
    """Totals of one notation."""

    count: int = 0
    total: int = 0


class RollTally:
    """The fold: events in, statistics out. Its size is bounded by die sizes and faces, not by the log."""

    def __init__(self) -> None:
        self._sizes: dict[AccountId, dict[tuple[Origin, int], _Size]] = {}
        self._tests: dict[AccountId, dict[Origin, _Tests]] = {}
        self._notations: dict[str, _Sums] = {}

    def add(self, record: RecordedEvent) -> None:
        """Count one event as its reader sees it. Dice that no account rolled count for no person."""
        if record.actor is None:
            return
        for test in rolls(record.event):
            if test.retold:
                continue
            for die in test.dice:
                self._count(record.actor, die, low_is_good=low_is_good(record.event, die))
            if test.dice:
                by_origin = self._tests.setdefault(record.actor, {})
                by_origin.setdefault(test.dice[0].origin, _Tests()).add(test)
        if isinstance(record.event, DiceRolled):
            sums = self._notations.setdefault(record.event.notation, _Sums())
            sums.count += 1
            sums.total += record.event.total

    def _count(self, account: AccountId, die: JudgedDie, *, low_is_good: bool) -> None:
        sizes = self._sizes.setdefault(account, {})
        sizes.setdefault((die.origin, die.sides), _Size()).add(die, low_is_good=low_is_good)

    def statistics(
        self, as_of: int, after: int, name: Callable[[Any], str], in_words: InWords = str
    ) -> RollStatistics:
        """Everything counted so far, with people's names."""
        people = [self._person(account, name(account), in_words) for account in self._sizes]
        most = sorted(self._notations.items(), key=lambda item: (-item[1].count, item[0]))[:NOTATIONS_MAX]
        return RollStatistics(
            as_of=as_of,
            after=after,
            people=sorted(people, key=lambda person: (person.name, str(person.account))),
            notations=[_notation(notation, sums, in_words) for notation, sums in most],
        )

    def everyone(self, in_words: InWords = str) -> DiceOfEveryone:
        """The dice counted so far, of all people together."""
        sizes: dict[tuple[Origin, int], _Size] = {}
        for by_size in self._sizes.values():
            for size, counted in by_size.items():
                sizes.setdefault(size, _Size()).merge(counted)
        return DiceOfEveryone(_lucks(sizes, in_words), _dice(sizes, in_words))

    def _person(self, account: AccountId, name: str, in_words: InWords) -> PersonStatistics:
        sizes = self._sizes[account]
        dice = _dice(sizes, in_words)
        return PersonStatistics(
            account=account,
            name=name,
            rolls=sum(size.faces.total() for size in sizes.values()),
            height=_heights(sizes, in_words),
            luck=_lucks(sizes, in_words),
            dice=dice,
            sizes_left_out=len(sizes) - len(dice),
            tests=[
                _outcomes(origin, tests, in_words)
                for origin, tests in sorted(self._tests.get(account, {}).items())
                if tests.tests
            ],
        )


def _expected_mean(sides: int) -> float:
    return (sides + 1) / 2


def _variance(sides: int) -> float:
    """The variance of one fair die."""
    return (sides**2 - 1) / 12


def _sum(size: _Size) -> int:
    return sum(face * count for face, count in size.faces.items())


def _dice(sizes: dict[tuple[Origin, int], _Size], in_words: InWords) -> list[DieStatistics]:
    """The sizes that were rolled most."""
    most = sorted(sizes.items(), key=lambda item: (-item[1].faces.total(), item[0]))[:SIZES_MAX]
    sizes_in_order = sorted(most, key=lambda item: item[0])
    return [_die(origin, sides, size, in_words) for (origin, sides), size in sizes_in_order]


def _die(origin: Origin, sides: int, size: _Size, in_words: InWords) -> DieStatistics:
    count, total = size.faces.total(), _sum(size)
    length, face = size.longest
    expected = count * _expected_mean(sides)
    return DieStatistics(
        sides=sides,
        origin=origin,
        count=count,
        sum=total,
        mean=round(total / count, 4),
        expected_mean=_expected_mean(sides),
        faces=[size.faces[side] for side in range(1, sides + 1)] if sides <= FACES_SIDES_MAX else None,
        longest_streak=Streak(face, length),
        height=verdict(count, total - expected, count * _variance(sides), HIGHER, LOWER, in_words),
        evenness=evenness(size.faces, sides, in_words),
    )


def _heights(sizes: dict[tuple[Origin, int], _Size], in_words: InWords) -> dict[Origin, Verdict]:
    """How high all dice of one person fell together."""
    return _together(
        {key: (size.faces.total(), _sum(size)) for key, size in sizes.items()}, HIGHER, LOWER, in_words
    )


def _lucks(sizes: dict[tuple[Origin, int], _Size], in_words: InWords) -> dict[Origin, Verdict]:
    """How good all dice of one person were together."""
    return _together(
        {key: (size.faces.total(), size.good) for key, size in sizes.items()}, BETTER, WORSE, in_words
    )


def _together(
    sums: dict[tuple[Origin, int], tuple[int, int]], more: Sentence, less: Sentence, in_words: InWords
) -> dict[Origin, Verdict]:
    """The verdicts on counts and sums by origin and size, each size measured in its own standard deviations."""
    counts: Counter[Origin] = Counter()
    strayed: dict[Origin, float] = {}
    for (origin, sides), (count, total) in sums.items():
        counts[origin] += count
        deviation = (total - count * _expected_mean(sides)) / _variance(sides) ** 0.5
        strayed[origin] = strayed.get(origin, 0.0) + deviation
    return {
        origin: verdict(counts[origin], strayed[origin], counts[origin], more, less, in_words)
        for origin in sorted(counts)
    }


def _outcomes(origin: Origin, tests: _Tests, in_words: InWords) -> TestStatistics:
    return TestStatistics(
        origin=origin,
        tests=tests.tests,
        judged=tests.judged_tests,
        outcomes=[
            OutcomeStatistics(
                outcome=outcome,
                count=tests.counted[outcome],
                expected=round(tests.expected.get(outcome, 0.0), 4),
                frequency=verdict(
                    tests.judged_tests,
                    tests.judged_counted[outcome] - tests.expected.get(outcome, 0.0),
                    tests.variance.get(outcome, 0.0),
                    MORE_OFTEN,
                    MORE_RARELY,
                    in_words,
                ),
            )
            for outcome in sorted(tests.counted.keys() | tests.expected.keys())
        ],
    )


def _notation(notation: str, sums: _Sums, in_words: InWords) -> NotationStatistics:
    odds = distribution(parse(notation))
    mean = sums.total / sums.count
    if odds is None:
        return NotationStatistics(notation, sums.count, round(mean, 4), None, None)
    expected, variance = mean_and_variance(odds)
    deviation = sums.total - sums.count * expected
    height = verdict(sums.count, deviation, sums.count * variance, HIGHER, LOWER, in_words)
    return NotationStatistics(notation, sums.count, round(mean, 4), round(expected, 4), height)
