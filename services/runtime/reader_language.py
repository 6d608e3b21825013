"""The language of the reader behind a request: the account's, else that of `Accept-Language`.

Beside it the account's time zone, and the watching link by which one reads without an account.

It is a context variable of the request, so that nothing on the way has to hand it on. A worker's job has no
reader. A queue of commands serves many requests: a command carries the language itself.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from datetime import tzinfo
from typing import Any

from msgspec import Struct

from domain.campaign.settings import language_of
from domain.sentences import ENGLISH, Sentence
from projections.languages import render
from services.runtime.time_zones import zone_called


class Reader(Struct):
    """The reader that a request is from; `language` is None until they have said any."""

    language: str | None = None
    time_zone: tzinfo | None = None
    watching_code: str = ""
    """The code of the watching link; empty: there is none."""


_READER: ContextVar[Reader | None] = ContextVar("reader", default=None)


def begin_reading(language: str | None) -> None:
    """From here on a request is answered, to who understands that language."""
    _READER.set(Reader(language))


def prefer(language: str | None) -> None:
    """The account behind the request wants this language; None: it does not mind."""
    reader = _READER.get()
    if reader is not None and language is not None:
        reader.language = language


def prefer_time_of(time_zone: str | None) -> None:
    """The account behind the request wants times of this time zone; None: it does not mind."""
    reader = _READER.get()
    if reader is not None:
        reader.time_zone = zone_called(time_zone)


def watch_by(code: str) -> None:
    """From here on the request reads by the watching link with this code."""
    reader = _READER.get()
    if reader is not None:
        reader.watching_code = code


def watching_code() -> str:
    """The code of the watching link by which this request reads; empty: there is none."""
    reader = _READER.get()
    return "" if reader is None else reader.watching_code


def reader_time_zone() -> tzinfo | None:
    """The time zone in which this request is answered; None: its reader has not said any."""
    reader = _READER.get()
    return None if reader is None else reader.time_zone


def reader_language() -> str | None:
    """The language in which this request is answered; None: that of the campaign that it is about."""
    reader = _READER.get()
    return None if reader is None else reader.language


def told_to_reader(sentence: str | Sentence) -> str:
    """A sentence of the service's own in the language of the reader; in English where they have not said any."""
    return render(sentence, reader_language() or ENGLISH)


def language_for_reader(changed_settings: Mapping[str, Any]) -> str:
    """The reader's language, else that of a campaign with these changed settings."""
    return reader_language() or language_of(changed_settings)
