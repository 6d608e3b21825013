"""Rulebook terms in sentences, and amounts of money."""

from collections.abc import Iterable
from typing import Final

from domain.sentences import Part, Sentence, in_a_row, say, say_many, term

PRESET_WORDS: Final[dict[str, Sentence]] = {
    "skills": say("skills"),
    "tuning": say("tuning"),
    "weapons": say("weapons"),
    "expansions": say("expansions"),
    "weapon_limit": say("weapon limit"),
    "sharpness": say("sharpness"),
    "smarts": say("smarts"),
    "synergy": say("synergy"),
}
"""The names of the presets' categories and attributes."""


def called(key: str) -> Sentence:
    """The name of a category or an attribute; those of a group's own catalogue stay as written."""
    return PRESET_WORDS.get(key) or term(key)


def listed(keys: Iterable[str]) -> Sentence:
    """The names of several categories or attributes."""
    parts: list[Part] = [called(key) for key in keys]
    return in_a_row(parts)


def money(amount: int) -> Sentence:
    """An amount of currency."""
    return say_many("{n} credit", "{n} credits", amount)
