"""Events in words that a player understands."""

from collections.abc import Iterable
from typing import Any

from domain.sentences import Sentence
from domain.systems import owner_of_kind
from domain.type_cache import once_per_kind
from projections.awaited import Name
from projections.campaign import narration as campaign
from projections.campaign import narration_history
from projections.campaign.narration_history import AboutAction, Quote, summed_up, unquoted
from projections.languages import render
from projections.system_views import Narrate
from projections.systems import SYSTEM_VIEWS


def told(events: Iterable[Any], name: Name, language: str, quote: Quote = unquoted) -> list[str]:
    """A sentence for each line of these events, in a language; events that only keep the books say nothing."""
    return [render(said, language) for line in summed_up(events) if (said := tell_line(line, name, quote))]


def tell_line(line: list[Any], name: Name, quote: Quote) -> str | Sentence:
    """One line of `summed_up` in words; `quote` tells what happened in other actions that it is about."""
    first = line[0]
    return narration_history.tell(line, quote, name) if isinstance(first, AboutAction) else tell(first, name)


def tell(event: Any, name: Name) -> str | Sentence:
    """One event in words."""
    return _narrator(type(event))(event, name)


@once_per_kind
def _narrator(kind: type) -> Narrate:
    """Who tells the events of a kind."""
    system = owner_of_kind(kind)
    return campaign.tell if system is None else SYSTEM_VIEWS[system.id].narrate
