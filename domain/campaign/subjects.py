"""Subjects of events: the things of a campaign, whose ids are derived from the action that created them."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import structs

from domain.ids import ActionId, derive_id, ids_of_action

_THING = re.compile(rb"[a-z_]+(?:-[a-z_]+)*-[0-9a-f]{12}")
_ACCOUNT = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_END = re.compile(rb"-[0-9a-f]{12}(?![0-9a-f-])")
"""The last part of every id. An expression that begins with one character is found many times as fast."""
_CHARACTERS = b"0123456789abcdefghijklmnopqrstuvwxyz_-"
_ID_MAX = 128
"""The characters that an id may have; its kind is a word or two of ours."""
BORN_MAX = 64
"""The most things of a kind that one action creates and that are told apart from others."""
_LIKELY_MAX = 8
"""The things of a kind that are looked for where many actions are searched."""
_FIRSTBORN_KEPT_MAX = 16_384
"""The size of the cache, at some 800 bytes an answer: readers of a chronicle ask the same again and again."""

_encoder = msgspec.json.Encoder()


def subjects_in(events: list[Any]) -> set[str]:
    """The ids of all things that are named in these events."""
    return named_in(_encoder.encode(events))


def named_in(*stored: bytes) -> set[str]:
    """The ids of all things that are named in a stored event."""
    return {word.decode() for part in stored for word, is_thing in ids_in(part) if is_thing}


def ids_in(text: bytes) -> Iterator[tuple[bytes, bool]]:
    """The ids in a text, in its order, each with whether it is a thing's; the others are accounts'.

    They are whole words. Of a word that is an id up to several places, the longest one counts.
    """
    start, longest = -1, None
    for end in _END.finditer(text):
        before = text[max(0, end.end() - _ID_MAX) : end.end()]
        word = before[len(before.rstrip(_CHARACTERS)) :]
        if end.end() - len(word) != start and longest is not None:
            yield longest
            longest = None
        start = end.end() - len(word)
        is_thing = _THING.fullmatch(word) is not None
        if len(word) < _ID_MAX and (is_thing or _ACCOUNT.fullmatch(word)):
            longest = word, is_thing
    if longest is not None:
        yield longest


def rested_on(events: list[Any]) -> set[str]:
    """The ids of all things without which these events are about something else.

    Not counted are people who are named `in_passing`, by such fields of an event: they may be gone.
    """
    return subjects_in([_without_passing(event) for event in events])


def _without_passing(event: Any) -> Any:
    passing = getattr(event, "in_passing", ())
    return structs.replace(event, **dict.fromkeys(passing)) if passing else event


def born_in(action_id: ActionId, events: list[Any]) -> set[str]:
    """The ids of the things that the action created."""
    subjects = subjects_in(events)
    kinds = {subject.rpartition("-")[0] for subject in subjects}
    born: set[str] = set()
    for part in ids_of_action(action_id):
        born |= subjects & {derive_id(kind, part, nth) for kind in kinds for nth in range(BORN_MAX)}
    return born


def is_born_in(subject: str, action_id: ActionId) -> bool:
    """Whether a subject is one of the first things of its kind that an action created."""
    return subject in _firstborn(subject.rpartition("-")[0], action_id)


@lru_cache(maxsize=_FIRSTBORN_KEPT_MAX)
def _firstborn(kind: str, action_id: ActionId) -> frozenset[str]:
    return frozenset(derive_id(kind, part, nth) for part in ids_of_action(action_id) for nth in range(_LIKELY_MAX))
