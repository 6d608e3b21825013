"""A row of the table: what was measured, beside what it is measured against."""

import math
import statistics
from collections.abc import Awaitable, Callable
from typing import Literal

from msgspec import Struct

Measure = Callable[[], Awaitable[float]]


class Goal(Struct, frozen=True):
    """What a ratio of figure to floor should be: at least `reach`, or where less is better at most."""

    reach: float
    aim: float | None = None
    better: Literal["more", "less"] = "more"

    def met_by(self, ratio: float) -> bool:
        """Whether the reach is met; the aim is only named."""
        return ratio >= self.reach if self.better == "more" else ratio <= self.reach


class Row(Struct, frozen=True):
    """One measured row. `ratio` is the median of the rounds' own ratios, `figure` and `floor` are medians.

    The two may differ a little: rounds are minutes apart on a machine that others use too, and only
    within a round are figure and floor neighbours.
    """

    name: str
    unit: str
    floor_name: str
    floor: float
    figure: float
    ratio: float
    goal: Goal

    @property
    def passed(self) -> bool:
        """Whether the reach is met."""
        return self.goal.met_by(self.ratio)

    @property
    def is_sound(self) -> bool:
        """Whether these are numbers that mean something."""
        return all(math.isfinite(each) and each >= 0 for each in (self.floor, self.figure, self.ratio))


class Rounds:
    """The pairs of figure and floor that the rounds of one row gave."""

    def __init__(self, name: str, unit: str, floor_name: str, goal: Goal) -> None:
        self._name = name
        self._unit = unit
        self._floor_name = floor_name
        self._goal = goal
        self._pairs: list[tuple[float, float]] = []

    def add(self, figure: float, floor: float) -> None:
        """One more round."""
        self._pairs.append((figure, floor))

    def row(self) -> Row:
        """The medians of all rounds."""
        return Row(
            name=self._name,
            unit=self._unit,
            floor_name=self._floor_name,
            floor=statistics.median(floor for _, floor in self._pairs),
            figure=statistics.median(figure for figure, _ in self._pairs),
            ratio=statistics.median(figure / floor for figure, floor in self._pairs),
            goal=self._goal,
        )


class BenchWrong(Exception):  # noqa: N818 - it states what is the case, as rejections do
    """What was measured did something wrong: its speed means nothing. The message says what."""


def require(holds: bool, otherwise: str) -> None:
    """Raise `BenchWrong` unless something that must be so is so."""
    if not holds:
        raise BenchWrong(otherwise)
