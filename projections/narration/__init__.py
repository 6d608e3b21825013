"""Events in words that a player understands."""

from collections.abc import Callable, Iterable
from typing import Any

from domain.ids import SystemId
from domain.sentences import Sentence
from domain.systems import owner_of_kind
from domain.systems.angst import ANGST
from domain.systems.frame_state import FRAME_STATE
from domain.systems.freefall import FREEFALL
from domain.systems.mobile_frame import MOBILE_FRAME
from domain.systems.overdrive import OVERDRIVE
from domain.type_cache import once_per_kind
from projections.languages import render
from projections.narration import angst, campaign, frame_state, freefall, mobile_frame, overdrive, rewrites
from projections.narration.rewrites import AboutAction, Quote, summed_up, unquoted

Name = Callable[[Any], str]
"""Calls an id (of an account, a character, a frame, …) by its name."""

Narrator = Callable[[Any, Name], str | Sentence]

NARRATORS: dict[SystemId, Narrator] = {
    FRAME_STATE.id: frame_state.tell,
    FREEFALL.id: freefall.tell,
    ANGST.id: angst.tell,
    MOBILE_FRAME.id: mobile_frame.tell,
    OVERDRIVE.id: overdrive.tell,
}
"""Who tells the events of which rule system."""


def told(events: Iterable[Any], name: Name, language: str, quote: Quote = unquoted) -> list[str]:
    """A sentence for each line of these events, in a language; events that only keep the books say nothing."""
    return [render(said, language) for line in summed_up(events) if (said := tell_line(line, name, quote))]


def tell_line(line: list[Any], name: Name, quote: Quote) -> str | Sentence:
    """One line of `summed_up` in words; `quote` tells what happened in other actions that it is about."""
    first = line[0]
    return rewrites.tell(line, quote, name) if isinstance(first, AboutAction) else tell(first, name)


def tell(event: Any, name: Name) -> str | Sentence:
    """One event in words."""
    return _narrator(type(event))(event, name)


@once_per_kind
def _narrator(kind: type) -> Narrator:
    """Who tells the events of a kind."""
    system = owner_of_kind(kind)
    return campaign.tell if system is None else NARRATORS[system.id]
