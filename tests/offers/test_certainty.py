"""How often what is refused is not certain, because the search for a way was given up."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

from domain.ids import AccountId
from domain.offers import field_choices
from domain.offers.possible_commands import Offer, commands_of
from tests.domain.plays import PLAYS
from tests.offers.moments import STORIES, Moment, moments, moments_at_random

EVERY = 9
"""Which actions are looked at."""

COMMANDS_MAX, CHOICES_MAX = 0.001, 0.005
"""How many of the commands and of the choices that are refused are not certain, at the most."""


def one_in_turn(some: Iterable[Moment]) -> Iterator[tuple[Moment, AccountId]]:
    """One member in turn, at some moments."""
    for moment in some:
        if moment.nth % EVERY == EVERY - 1:
            members = sorted(moment.whole.members)
            yield moment, members[moment.nth // EVERY % len(members)]


def refused(some: Iterable[Moment]) -> tuple[Counter[str], Counter[str]]:
    """How many commands and choices are refused to members, and how many of these not for certain."""
    counted: Counter[str] = Counter()
    unsure: Counter[str] = Counter()
    for moment, account in one_in_turn(some):
        asked = moment.offers(account)
        for kind in commands_of(moment.whole):
            offer = asked.offer(kind, {}, parts=False)
            if offer is not None:
                counted += Counter(commands=offer.possible == "no", choices=len(_refused(offer)))
                unsure += Counter(commands=not offer.certain, choices=_refused(offer).count(False))
    return counted, unsure


def _refused(offer: Offer) -> list[bool]:
    """Of each choice that no way of filling in the rest was found for whether it is certain that there is none."""
    found = [each for several in offer.choices.values() for each in several]
    return [each.certain for each in found if each.refusal is not None or not each.certain]


@pytest.mark.slow
def test_a_search_is_seldom_given_up():
    plays = [*(moments(story) for story in STORIES), *(moments_at_random(system, 3) for system in PLAYS)]
    counted: Counter[str] = Counter()
    unsure: Counter[str] = Counter()
    for play in plays:
        here, not_certain = refused(play)
        counted, unsure = counted + here, unsure + not_certain
    sys.stdout.write(f"not certain: {dict(unsure)} of {dict(counted)}\n")
    assert counted["commands"] > 5000
    assert counted["choices"] > 2000
    assert unsure["commands"] <= COMMANDS_MAX * counted["commands"]
    assert unsure["choices"] <= CHOICES_MAX * counted["choices"]


def test_what_is_given_up_is_not_certain(monkeypatch):
    """Negative control: a search that may try next to nothing."""
    monkeypatch.setattr(field_choices, "TRIES_OF_CHOICE", 1)
    _, unsure = refused(moments("mobile_frame"))
    assert unsure["choices"] > 0
