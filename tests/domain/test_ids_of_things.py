"""Every id that a command of a system gives to a thing is known as the id of a thing."""

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from domain.ids import derive_id, is_born
from tests.domain.plays import PLAYS

PLAYS_EACH = 6
NTH_MAX = 8


def texts_in(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for key, inner in part.items():
            yield from (*texts_in(key), *texts_in(inner))
    elif isinstance(part, list):
        for inner in part:
            yield from texts_in(inner)


def ids_given(system: str) -> set[str]:
    """The ids that the commands of random plays derived for things."""
    found = set()
    for nth in range(PLAYS_EACH):
        table = PLAYS[system](Random(f"{system} {nth}"))  # noqa: S311 — a play that can be played again
        for place, events in enumerate(table.actions):
            if place not in table.asks:
                continue
            for text in texts_in(msgspec.to_builtins(events)):
                kind = text.rpartition("-")[0]
                if text in {derive_id(kind, table.asks[place].action_id, n) for n in range(NTH_MAX)}:
                    found.add(text)
    return found


def unknown_kinds(ids: set[str], is_known: Callable[[str], object]) -> set[str]:
    return {each.rpartition("-")[0] for each in ids if not is_known(each)}


@pytest.mark.parametrize("system", PLAYS)
def test_every_id_that_a_command_gives_to_a_thing_is_known_as_one(system):
    ids = ids_given(system)
    assert ids
    assert unknown_kinds(ids, is_born) == set()


def test_a_form_that_knows_kinds_of_one_word_only_is_found_out():
    ids = ids_given("mobile_frame")
    assert unknown_kinds(ids, re.compile("[a-z_]+-[0-9a-f]{12}").fullmatch) == {"mobile-frame"}


@pytest.mark.parametrize("text", ["", "frame", "long-rifle", "frame-5f0c2a91e3b", "-5f0c2a91e3b4"])
def test_other_words_are_no_ids(text):
    assert not is_born(text)
