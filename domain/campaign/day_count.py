"""The arithmetic of calendars: from the count of a day to its year, month and weekday, and back.

Every year is reached in the same few steps, however far off it is: the leap years before it are counted by closed
form, as numbers that some intervals divide and others do not.
"""

from bisect import bisect_right
from fractions import Fraction
from math import gcd
from typing import Literal

from msgspec import Struct

YEARS_MAX = 1_000
"""The most years that one calendar remembers."""

Restart = Literal["never", "month", "year"]


class LeapRule(Struct, frozen=True):
    """Intervals of years from the most special to the least: the first that divides a year decides.

    `400,!100,4` says every 4th year, not every 100th, yet every 400th. Intervals count from the year `offset`;
    those with a `+` count from 0. Without a year 0 the year -1 counts as 0, -2 as -1, and so on.
    """

    intervals: str
    offset: int = 0

    def terms(self) -> list[tuple[int, int, int]]:
        """The leap years as sets of years `residue` modulo `modulus`, each added or taken away: `(sign, m, r)`."""
        above: list[tuple[int, int]] = []
        terms: dict[tuple[int, int], int] = {}
        for interval in self.intervals.split(","):
            modulus = int(interval.lstrip("!+"))
            own = (modulus, (0 if "+" in interval else self.offset) % modulus)
            if "!" not in interval:
                for sign, common in _exceptions(own, above):
                    terms[common] = terms.get(common, 0) + sign
            above.append(own)
        return [(sign, modulus, residue) for (modulus, residue), sign in terms.items() if sign]

    def holds(self, year: int) -> bool:
        """Whether a year, counted with a year 0, is a leap year."""
        for interval in self.intervals.split(","):
            if (year - (0 if "+" in interval else self.offset)) % int(interval.lstrip("!+")) == 0:
                return "!" not in interval
        return False


def _exceptions(own: tuple[int, int], above: list[tuple[int, int]]) -> list[tuple[int, tuple[int, int]]]:
    """The years of one interval but for those of the intervals above it, by inclusion and exclusion."""
    sets = [(1, own)]
    for other in above:
        both = [(-sign, common) for sign, years in sets if (common := _meet(years, other)) is not None]
        sets += both
    return sets


def _meet(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int] | None:
    """The years that are in both of two sets, as `(modulus, residue)`; None: there are none."""
    (first, residue), (second, other_residue) = one, other
    common = gcd(first, second)
    if (other_residue - residue) % common:
        return None
    steps = (other_residue - residue) // common * pow(first // common, -1, second // common) % (second // common)
    modulus = first // common * second
    return modulus, (residue + first * steps) % modulus


class ExtraDays(Struct, frozen=True):
    """Days that a month, counted from 0, has in leap years.

    With a `name`, they are a festival `after` a day of it (None: at its end).
    """

    month: int
    rule: LeapRule
    days: int
    name: str
    after: int | None
    outside_week: bool

    @property
    def is_apart(self) -> bool:
        """Whether the days differ from those of their month by more than their number."""
        return bool(self.name) or self.outside_week


class MonthDays(Struct, frozen=True):
    """A month as it is counted."""

    days: int
    outside_week: bool
    """Whether the week pauses in it."""
    first_day: int
    """The number of its first day."""
    first_weekday: int | None
    """The weekday with which it always begins, from 0; None: the week runs on."""


class Stretch(Struct, frozen=True):
    """Days of a year that follow one another in the same month, and are alike."""

    start: int
    """Days of the year before it."""
    length: int
    month: int
    """From 0."""
    first: int
    """The number that its first day has."""
    name: str
    """The festival that it is; empty: it is part of the month."""
    in_week: bool
    week_before: int
    """Days of the week in the year before it, or where the week begins with the month, in the month."""


class YearPlan(Struct, frozen=True):
    """The days of a kind of year."""

    days: int
    week_days: int
    starts: list[int]
    stretches: list[Stretch]


class Day(Struct, frozen=True):
    """A day of a calendar."""

    year: int
    """Counted with a year 0."""
    month: int
    """From 0."""
    day: int
    """As it is written."""
    weekday: int | None
    """From 0."""
    festival: str
    """The name of a leap day that has one."""


class DayCount:
    """The arithmetic of one calendar. A day is counted from the first day of the year `origin`, which is 0."""

    def __init__(
        self,
        months: list[MonthDays],
        extras: list[ExtraDays],
        *,
        origin: int,
        week: int,
        first_weekday: int,
        restarts: Restart,
    ) -> None:
        self._months, self._extras = months, extras
        self._week, self._first_weekday, self._restarts = week, first_weekday, restarts
        self._plans: dict[int, YearPlan] = {}
        self._years: dict[int, tuple[int, int, YearPlan]] = {}
        common = self._plan(0)
        self._days, self._week_days = common.days, common.week_days
        self._leaps = [
            (extra.rule.terms(), extra.days, 0 if self._pauses(extra) else extra.days) for extra in extras
        ]
        mean = Fraction(self._days) + sum(
            Fraction(sign * days, modulus) for terms, days, _ in self._leaps for sign, modulus, _ in terms
        )
        self._numerator, self._denominator = mean.numerator, mean.denominator
        self._first_day, self._first_week_day = self._before(origin)

    def _pauses(self, extra: ExtraDays) -> bool:
        return extra.outside_week or self._months[extra.month].outside_week

    def plan_of(self, year: int) -> YearPlan:
        """The days of a year."""
        return self._year(year)[2]

    def start_of(self, year: int) -> int:
        """The count of a year's first day."""
        return self._year(year)[0] - self._first_day

    def day(self, count: int) -> Day:
        """The day with this count."""
        absolute = count + self._first_day
        year = absolute * self._denominator // self._numerator
        before, week_before, plan = self._years.get(year) or self._year(year)
        while not before <= absolute < before + plan.days:
            year += -1 if absolute < before else 1
            before, week_before, plan = self._year(year)
        within = absolute - before
        stretch = plan.stretches[bisect_right(plan.starts, within) - 1]
        nth = within - stretch.start
        return Day(
            year, stretch.month, stretch.first + nth, self._weekday(stretch, nth, week_before), stretch.name
        )

    def count(self, year: int, month: int, day: int) -> int | None:
        """The count of a day of a month; None: that year has no such day."""
        for stretch in self.plan_of(year).stretches:
            if stretch.month == month and stretch.first <= day < stretch.first + stretch.length:
                return self.start_of(year) + stretch.start + day - stretch.first
        return None

    def days_of(self, year: int, month: int) -> tuple[int, int] | None:
        """The numbers of a month's first and last day in a year; None: it has no days then."""
        stretches = [stretch for stretch in self.plan_of(year).stretches if stretch.month == month]
        return (stretches[0].first, stretches[-1].first + stretches[-1].length - 1) if stretches else None

    def _weekday(self, stretch: Stretch, nth: int, week_before: int) -> int | None:
        if not self._week or not stretch.in_week:
            return None
        day = stretch.week_before + nth
        own = self._months[stretch.month].first_weekday
        if own is not None:
            return (own + day) % self._week
        if self._restarts == "month":
            return day % self._week
        if self._restarts == "year":
            return (self._first_weekday + day) % self._week
        return (self._first_weekday + week_before - self._first_week_day + day) % self._week

    def _year(self, year: int) -> tuple[int, int, YearPlan]:
        """The days and the days of the week before a year, and its plan; the years of late are remembered."""
        year_start = self._years.get(year)
        if year_start is None:
            mask = 0
            for place, extra in enumerate(self._extras):
                if extra.rule.holds(year):
                    mask |= 1 << place
            year_start = (*self._before(year), self._plan(mask))
            if len(self._years) >= YEARS_MAX:
                self._years.clear()
            self._years[year] = year_start
        return year_start

    def _before(self, year: int) -> tuple[int, int]:
        """The days, and the days of the week, from the year 0 to the first day of a year."""
        days, week_days = year * self._days, year * self._week_days
        for terms, more, more_in_week in self._leaps:
            leaps = sum(sign * ((year - residue + modulus - 1) // modulus) for sign, modulus, residue in terms)
            days += more * leaps
            week_days += more_in_week * leaps
        return days, week_days

    def _plan(self, mask: int) -> YearPlan:
        plan = self._plans.get(mask)
        if plan is None:
            plan = self._plans[mask] = self._new_plan(mask)
        return plan

    def _new_plan(self, mask: int) -> YearPlan:
        stretches: list[Stretch] = []
        start = week_days = 0
        for nth, month in enumerate(self._months):
            anew = self._restarts == "month" or month.first_weekday is not None
            of_week = 0
            number = month.first_day
            for length, name, in_week in self._pieces(nth, mask):
                stretches.append(
                    Stretch(start, length, nth, number, name, in_week, of_week if anew else week_days)
                )
                start, number = start + length, number + length
                if in_week:
                    week_days, of_week = week_days + length, of_week + length
        return YearPlan(start, week_days, [stretch.start for stretch in stretches], stretches)

    def _pieces(self, nth: int, mask: int) -> list[tuple[int, str, bool]]:
        """The parts of a month in a kind of year: days, the festival they are, and whether the week goes on."""
        month = self._months[nth]
        extras = [extra for place, extra in enumerate(self._extras) if extra.month == nth and mask >> place & 1]
        length = month.days + sum(extra.days for extra in extras if not extra.is_apart)
        apart = sorted(
            (length if extra.after is None else min(extra.after, length), place)
            for place, extra in enumerate(extras)
            if extra.is_apart
        )
        pieces: list[tuple[int, str, bool]] = []
        end = 0
        for after, place in apart:
            pieces.append((after - end, "", not month.outside_week))
            pieces.append((extras[place].days, extras[place].name, not self._pauses(extras[place])))
            end = after
        pieces.append((length - end, "", not month.outside_week))
        return [piece for piece in pieces if piece[0] > 0]
