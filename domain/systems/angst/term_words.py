"""Rulebook terms in sentences."""

from typing import Final

from domain.sentences import Sentence, say
from domain.systems.angst.tables import CoreName

CORE_WORDS: Final[dict[CoreName, Sentence]] = {
    "physical": say("Physical"),
    "mental": say("Mental"),
    "social": say("Social"),
    "resolve": say("Resolve"),
}
"""A Core as the rulebook writes it."""
