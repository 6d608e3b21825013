"""Values derived from a frame's systems: its ranges, its crossing and climbing, its spotting."""

from collections.abc import Iterable

from domain.systems.mobile_frame.loadout import BONUS, LoadoutDie
from domain.systems.mobile_frame.state import Activation, Frame, PoolDie
from domain.systems.mobile_frame.tables import LETTER_OF, RANGE_OF, Range, Weapon

RANGES: tuple[Range, ...] = ("hand", "direct", "artillery")
"""From near to far."""


def weapon_ranges(frame: Frame) -> list[Range]:
    """The ranges that a frame has weapons for; hand to hand needs none (MF-14)."""
    return _ranges(frame.dice)


def ranges_of(frame: Frame, turn: Activation) -> list[Range]:
    """The ranges a frame can attack at in its turn: always by hand, else with a weapon or a rolled red die."""
    reach = _ranges([*frame.dice, *turn.pool])
    return [range_ for range_ in RANGES if range_ == "hand" or range_ in reach]


def _ranges(dice: Iterable[LoadoutDie | PoolDie]) -> list[Range]:
    reach = {RANGE_OF[die.range] for die in dice if die.range is not None}
    return [range_ for range_ in RANGES if range_ in reach]


def weapons_at(frame: Frame, range_: Range) -> list[Weapon]:
    """The weapons of a frame that reach exactly this range."""
    letters = {die.range for die in frame.dice}
    return [weapon for weapon, letter in LETTER_OF.items() if letter in letters and RANGE_OF[letter] == range_]


def can_pass_cover(frame: Frame) -> bool:
    """Whether it moves through cover freely (MF-13)."""
    return "movement" in frame.systems or BONUS in frame.dice


def can_stand_on_cover(frame: Frame, *, bonus_d8_on_cover: bool) -> bool:
    """Whether it can stop on top of cover (MF-13, MF-A16)."""
    return "movement" in frame.systems or (bonus_d8_on_cover and BONUS in frame.dice)


def spotting_level(frame: Frame) -> int:
    """How many spotting systems it has (MF-16)."""
    return frame.systems.count("spotting")
