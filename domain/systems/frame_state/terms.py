"""The rulebook's words that sentences name, and amounts of money."""

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
"""What the presets call their categories and attributes."""


def called(key: str) -> Sentence:
    """A category or an attribute as people read it; those of a group's own catalogue are as it wrote them."""
    return PRESET_WORDS.get(key) or term(key)


def listed(keys: Iterable[str]) -> Sentence:
    """Several of them."""
    parts: list[Part] = [called(key) for key in keys]
    return in_a_row(parts)


def money(amount: int) -> Sentence:
    """An amount of currency."""
    return say_many("{n} credit", "{n} credits", amount)
