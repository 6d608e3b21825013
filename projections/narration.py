"""Events as sentences that players read."""

from collections.abc import Iterable
from typing import Any

from domain.sentences import Sentence
from projections.awaited_answers import Name
from projections.campaign_words import narration, narration_history
from projections.campaign_words.narration_history import AboutAction, Quote, summed_up, unquoted
from projections.languages import render
from projections.narration_tables import tellers
from projections.systems import SYSTEM_VIEWS

TELL = tellers(
    *narration.TELL.items(),
    *(pair for views in SYSTEM_VIEWS.values() for pair in views.tellers.items()),
)
"""The teller of every kind of event."""


def narrate(events: Iterable[Any], name: Name, language: str, quote: Quote = unquoted) -> list[str]:
    """The sentences of these events in a language; book-keeping events have none."""
    return [render(sentence, language) for sentence in sentences(events, name, quote)]


def sentences(events: Iterable[Any], name: Name, quote: Quote = unquoted) -> list[str | Sentence]:
    """The same in no language yet."""
    return [sentence for line in summed_up(events) if (sentence := tell_line(line, name, quote))]


def tell_line(line: list[Any], name: Name, quote: Quote) -> str | Sentence:
    """The sentence of one line of `summed_up`; `quote` gives the sentences of other actions that it is about."""
    first = line[0]
    return narration_history.tell(line, quote, name) if isinstance(first, AboutAction) else tell(first, name)


def tell(event: Any, name: Name) -> str | Sentence:
    """The sentence of one event."""
    return TELL[type(event)](event, name)
