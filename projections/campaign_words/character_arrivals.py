"""Everything that would come along with a character that a player asks to bring in."""

from collections.abc import Iterable
from typing import Any

import msgspec

from domain.ids import SystemId
from domain.sentences import Sentence, say
from domain.systems import SYSTEMS
from projections.systems import SYSTEM_VIEWS


def asks_to_bring(player: str, character: str, system: SystemId, facts: Iterable[dict[str, Any]]) -> Sentence:
    """A player's request to bring in a character, with all that would come along."""
    brought = _brought(system, facts)
    return say(
        "{player} asks to bring in {character}, with {brought}",
        player=player,
        character=character,
        brought=brought,
    )


def _brought(system: SystemId, facts: Iterable[dict[str, Any]]) -> Sentence:
    """The same words as the chronicle has for a character that came in.

    Facts of an older version that can no longer be read are not told one by one.
    """
    brings = SYSTEM_VIEWS[system].brings
    first = next(iter(facts), None)
    if brings is None or first is None:
        return say("what is on the sheet")
    try:
        return brings(msgspec.convert(first, SYSTEMS[system].events))
    except msgspec.ValidationError:
        return say("what is on the sheet")
