"""The rulebook's ladders and numbers (AN-1, AN-3, AN-10, AN-16, AN-W1)."""

from typing import Final, Literal

DieName = Literal["d0", "d4", "d6", "d8", "d10", "d12"]
CoreName = Literal["physical", "mental", "social", "resolve"]
Kind = Literal["nondeadly", "deadly"]
Trigger = Literal["comfort", "positive_event", "milestone", "tap"]
OfferTrigger = Literal["positive_event", "milestone", "tap"]
TestKind = Literal["test", "avoid", "purge"]
Side = Literal["acting", "opposing"]

LADDER: Final[tuple[DieName, ...]] = ("d0", "d4", "d6", "d8", "d10", "d12")
"""Every size a Core die can have, from the one that rolls nothing upwards (AN-1)."""

CORES: Final[tuple[CoreName, ...]] = ("physical", "mental", "social", "resolve")
KINDS: Final[tuple[Kind, ...]] = ("deadly", "nondeadly")
CRUCIAL_CORES: Final = ("physical", "resolve")
"""The Cores that can take a character out of a scene (AN-21)."""

BASE_SIDES: Final = 6
EXTRA_SIDES: Final = 4
"""The Bonus Die and the Penalty Die."""

EXPLODES_ON: Final = 6
DIRECT_SUPPORT_MAX: Final = 2
SPEND_MAX: Final = 3
"""How many Story Points or Life Experience one test takes of each (AN-15)."""

PURGE_PRICE: Final = 2
ANGST_DN: Final = 7
OVERWHELMED_FROM: Final = 4
HARD_FAILURE: Final = 6
"""Failing a gradual crucial test by this much costs two steps (AN-A23)."""

PERIOD_HOURS: Final[dict[Kind, int]] = {"nondeadly": 1, "deadly": 168}
"""How long one step takes to come back (AN-W1)."""

HOUR_SECONDS: Final = 3600
DAY_HOURS: Final = 24

MODIFIERS: Final[dict[str, int]] = {
    "Critical A": 2,
    "A": 2,
    "B": 1,
    "C": 0,
    "D": -1,
    "F": -2,
    "Critical F": -2,
}
"""The bonus of a Relationship grade to a test, with or without a plus or minus (AN-3)."""

BANDS: Final = (
    (3, 5, "easy"),
    (6, 8, "average"),
    (9, 11, "hard"),
    (12, 14, "very hard"),
    (15, 17, "extreme"),
)


def sides(die: DieName) -> int:
    """How many faces a die has; 0 for the one that rolls nothing."""
    return int(die[1:])


def rank(die: DieName) -> int:
    """How many steps a die stands above d0."""
    return LADDER.index(die)


def at_rank(steps: int) -> DieName:
    """The die so many steps above d0; the ladder ends at both ends (AN-A2, AN-A3)."""
    return LADDER[max(0, min(steps, len(LADDER) - 1))]


def parsed_grade(spelling: str) -> str | None:
    """A Relationship grade in its one spelling, e.g. `CritA`, `critical a` → `Critical A`; None if it is none.

    A plus or minus behind it stays (AN-A6); the typographic minus is read as the plain one.
    """
    text = spelling.strip().replace("\u2212", "-")
    sign = text[-1] if text[-1:] in ("+", "-") else ""
    letters = "".join(text.removesuffix(sign).split()).lower()
    critical = letters.startswith("crit") and len(letters) > 1
    letter = letters.removeprefix("critical").removeprefix("crit").upper() if critical else letters.upper()
    grade = f"Critical {letter}" if critical else letter
    return grade + sign if grade in MODIFIERS else None


def grade_modifier(grade: str) -> int:
    """The bonus of a grade to a test; 0 for an unknown one (AN-3)."""
    return MODIFIERS.get(grade.rstrip("+-"), 0)


def overwhelming(total: int) -> int:
    """The penalty of so many points of Angst in all: 4 → -1, 5 → -2 and so on, without end (AN-A12, AN-A13)."""
    return -(total - OVERWHELMED_FROM + 1) if total >= OVERWHELMED_FROM else 0


def angst_dn(points: int) -> int:
    """The DN of an Angst test on a type that has so many points (AN-16)."""
    return ANGST_DN + points


def band(dn: int) -> str | None:
    """The rulebook's name for a DN; None outside 3 to 17 (AN-7, AN-A29)."""
    return next((label for low, high, label in BANDS if low <= dn <= high), None)
