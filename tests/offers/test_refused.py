"""Whatever is refused for certain is refused, however the rest is filled in."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random

import pytest
from msgspec import Struct

from domain.ids import AccountId
from domain.offers import command_search
from domain.offers.possible_commands import Offer, commands_of
from tests.domain.plays import PLAYS
from tests.offers.made_up import MadeUp
from tests.offers.moments import STORIES, Moment, moments, moments_at_random

EVERY = 20
COMMANDS = 8
"""So many commands are made up for everything that is refused."""


def accepted(some: Iterable[Moment], counted: Counter[str]) -> Iterator[str]:
    """Commands that are accepted though they were refused for certain; counts those that were made up."""
    for moment in some:
        if moment.nth % EVERY == EVERY - 1:
            members = sorted(moment.whole.members)
            account = members[moment.nth // EVERY % len(members)]
            for kind in commands_of(moment.whole):
                yield from _accepted(moment, account, kind, counted)


def _accepted(moment: Moment, account: AccountId, kind: type[Struct], counted: Counter[str]) -> Iterator[str]:
    offer = moment.offers(account).offer(kind, {}, parts=False)
    made_up = MadeUp(kind, moment.trial(account), Random(moment.nth))  # noqa: S311 — so that it can be found again
    for kept in _refused(offer) if offer is not None else ():
        for _ in range(COMMANDS):
            said = made_up.said(kept)
            counted[str(kind.__struct_config__.tag)] += 1
            if made_up.refusal(said) is None:
                yield f"{moment.nth}, {moment.role(account)}: {said} with {kept}"


def _refused(offer: Offer) -> Iterator[dict[str, object]]:
    """What a command says that is refused for certain: nothing at all, or one choice."""
    if offer.possible == "no" and offer.certain:
        yield {}
    for (name, *_), choices in offer.choices.items():
        yield from ({name: each.value} for each in choices if each.refusal is not None)


def at_random(system: str) -> Iterator[Moment]:
    """A system's own random play."""
    return moments_at_random(system, 5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("play", "of"), [*((each, moments) for each in STORIES), *((each, at_random) for each in PLAYS)]
)
def test_what_is_refused_for_certain_is_refused_however_it_is_filled_in(play, of):
    counted: Counter[str] = Counter()
    assert [*islice(accepted(of(play), counted), 5)] == []
    sys.stdout.write(f"{play}: {counted.total()} made up of {len(counted)} kinds\n")


def test_a_search_that_gives_up_and_calls_that_certain_is_found(monkeypatch):
    """Negative control: nothing is tried but the first values and those that a refusal's fields are changed to."""
    monkeypatch.setattr(command_search._Search, "_is_refuted", lambda *_: True)
    assert [*islice(accepted(moments("mobile_frame"), Counter()), 1)]
