"""Loadouts: systems, their dice, and the notation `WWRdRd` (MF-3, MF-4).

Code: bad_notation.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import cast

from msgspec import Struct

from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.mobile_frame.tables import (
    COLOR_OF_SYSTEM,
    WEAPON_LETTERS,
    WHITE_DICE,
    Color,
    Letter,
    System,
)


class LoadoutDie(Struct, frozen=True):
    """A die that a frame brings; `range` is a red die's letter, `r` a rocket's."""

    color: Color
    sides: int = 6
    range: Letter | None = None


BONUS = LoadoutDie("green", 8)
"""The bonus die of a frame without a ranged weapon system (MF-3)."""

ROCKET = LoadoutDie("red", 8, "r")
RANGED: tuple[System, ...] = ("weapon:direct", "weapon:artillery")

_COLORS: dict[str, Color] = {"W": "white", "B": "blue", "Y": "yellow", "G": "green", "R": "red"}
_LETTERS: dict[Color, str] = {color: letter for letter, color in _COLORS.items()}
_DIE = re.compile(r"W|B|Y|G8?|R8?[hdar]")
_LOADOUT = re.compile(rf"(?:{_DIE.pattern})*")


def parsed(notation: str) -> list[LoadoutDie]:
    """The dice of a notation, left to right. Raises `bad_notation`."""
    if _LOADOUT.fullmatch(notation) is None:
        raise Rejection(
            "bad_notation",
            say(
                "“{notation}” is no loadout; write dice like WWBYG8RdRd, with a range after every R.",
                notation=notation,
            ),
            rule="MF-4",
        )
    dice = []
    for word in _DIE.findall(notation):
        letter = cast("Letter", word[-1]) if word[0] == "R" else None
        dice.append(LoadoutDie(_COLORS[word[0]], 8 if "8" in word else 6, letter))
    if not 1 <= sum(die.color == "white" for die in dice) <= WHITE_DICE:
        raise Rejection("bad_notation", "A loadout has two white dice, or at least one.", rule="MF-3")
    return dice


def letters_of(color: Color, range_: Letter | None) -> str:
    """A die by its colour and range, of any size: `W`, `Rd`."""
    return f"{_LETTERS[color]}{range_ or ''}"


def notation_of(dice: Iterable[LoadoutDie]) -> str:
    """The notation of dice; `parsed` reads it."""
    return "".join(
        f"{_LETTERS[die.color]}{'8' if die.sides == BONUS.sides else ''}{die.range or ''}" for die in dice
    )


def dice_of(systems: Sequence[System], rockets: int, *, bonus_d8: bool) -> list[LoadoutDie]:
    """The dicepool of an undamaged frame (MF-3)."""
    count = Counter(systems)
    dice = [LoadoutDie("white")] * WHITE_DICE
    for system, color in COLOR_OF_SYSTEM.items():
        dice += [LoadoutDie(color)] * count[system]
    if bonus_d8 and not has_ranged(systems):
        dice.append(BONUS)
    for letter, system in WEAPON_LETTERS.items():
        if count[system]:
            dice += [LoadoutDie("red", 6, letter)] * 2
            dice += [LoadoutDie("red", 8, letter)] * (count[system] - 1)
    return [*dice, *[ROCKET] * rockets]


def systems_of(dice: Iterable[LoadoutDie]) -> list[System]:
    """The systems for dice: a weapon's first brings d6s, one or two, every further one a d8."""
    count = Counter(dice)
    systems: list[System] = []
    for system, color in COLOR_OF_SYSTEM.items():
        systems += [system] * count[LoadoutDie(color)]
    for letter, system in WEAPON_LETTERS.items():
        first = (count[LoadoutDie("red", 6, letter)] + 1) // 2
        systems += [system] * (first + count[LoadoutDie("red", 8, letter)])
    return systems


def has_ranged(systems: Iterable[System]) -> bool:
    """Whether there is a direct or artillery weapon system; rockets do not count."""
    return any(system in RANGED for system in systems)


def without(dice: list[LoadoutDie], system: System, systems_left: int) -> list[LoadoutDie]:
    """The dice after losing a system; `systems_left` of its type remain. The last die is removed first."""
    if system in COLOR_OF_SYSTEM:
        return _less(dice, LoadoutDie(COLOR_OF_SYSTEM[system]), 1)
    letter = next(letter for letter, weapon in WEAPON_LETTERS.items() if weapon == system)
    if systems_left == 0:
        return [die for die in dice if die.range != letter]
    big = LoadoutDie("red", 8, letter)
    return _less(dice, big, 1) if big in dice else _less(dice, LoadoutDie("red", 6, letter), 2)


def _less(dice: list[LoadoutDie], die: LoadoutDie, count: int) -> list[LoadoutDie]:
    """Without the last dice of a kind, as far as there are any."""
    kept_dice = []
    for other in reversed(dice):
        if other == die and count > 0:
            count -= 1
        else:
            kept_dice.append(other)
    return kept_dice[::-1]


def less_white(dice: list[LoadoutDie], count: int) -> list[LoadoutDie]:
    """Without white dice."""
    return _less(dice, LoadoutDie("white"), count)


def less_rockets(dice: list[LoadoutDie], count: int) -> list[LoadoutDie]:
    """Without rockets, big ones first."""
    for _ in range(count):
        rocket = ROCKET if ROCKET in dice else LoadoutDie("red", 6, "r")
        dice = _less(dice, rocket, 1)
    return dice
