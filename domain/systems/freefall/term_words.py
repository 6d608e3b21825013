"""Rulebook terms in sentences."""

from collections.abc import Mapping
from typing import Final

from domain.sentences import Sentence, join_parts, say, term
from domain.systems.freefall.tables import ATTRIBUTES, CLASSES, AttributeName, HarmType, MachineAttribute

HARMS: Final[dict[HarmType, Sentence]] = {
    "physical": say("physical harm"),
    "psychic": say("psychic harm"),
    "compromise": say("compromise harm"),
}

CLASS_WORDS: Final = frozenset(
    word
    for classes in CLASSES.values()
    for class_, specialties in classes.items()
    for word in (class_, *specialties)
)
"""Classes and specialties of published rulebooks; a group may have others."""

SURGERY = "surgery"
"""The need of a repair inside a body, besides its parts."""


ATTRIBUTE_WORDS: Final[dict[str, Sentence]] = {"body": say("Body"), "mind": say("Mind"), "ghost": say("Ghost")}


def attribute_word(attribute: AttributeName | MachineAttribute) -> str | Sentence:
    """The name of a character's attribute, or of a machine's: FRM and SYS are the same in all languages."""
    return ATTRIBUTE_WORDS.get(attribute, attribute.upper())


def points_word(points: Mapping[AttributeName, int]) -> Sentence:
    """Points by attribute in words: `2 Body and 1 Mind`."""
    listed = [attribute for attribute in ATTRIBUTES if points.get(attribute)]
    return join_parts(
        say("{n} {attribute}", n=points[attribute], attribute=attribute_word(attribute)) for attribute in listed
    )


def class_word(name: str) -> str | Sentence:
    """The name of a class or a specialty; a group's own stay as written."""
    return term(name) if name in CLASS_WORDS else name


def needed(thing: str) -> str | Sentence:
    """The name of a need of unfinished work: surgery, or the group's own words."""
    return say("surgery") if thing == SURGERY else thing
