"""Whatever is offered is accepted in truth, or refused for something hidden; in every recorded story."""

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random

import pytest
from msgspec import structs

from domain.ids import AccountId
from domain.offers.command_trials import Trial
from domain.offers.field_choices import ChoiceSearch
from domain.offers.possible_commands import Offers
from services.cli.demo.recording import recorded_names
from tests.offers.filling import Outcomes, given_in_truth
from tests.offers.moments import STORIES, Moment, moments
from tests.sampling import slow_but

LONG = [name for name in recorded_names() if name != "undo"]
EVERY, KINDS, WHOLE = 30, 25, 10
"""Which actions of a story are looked at, how many types of commands, and which actions for every member."""


def outcomes(story: str, asked: Iterable[tuple[Moment, AccountId]], kinds_max: int = 1_000) -> Outcomes:
    """What comes of all that is offered to members at moments of a story."""
    found = Outcomes.none()
    for moment, account in asked:
        chance = Random(f"{story} {moment.nth} {account}")  # noqa: S311 — so that it can be found again
        found.add(given_in_truth(moment, account, chance, kinds_max))
    return found


def some_of(story: str, every: int) -> Iterator[tuple[Moment, AccountId]]:
    """One member in turn, at some moments of a story."""
    for moment in moments(story):
        if moment.nth % every == every - 1:
            members = sorted(moment.whole.members)
            yield moment, members[moment.nth // every % len(members)]


def everybody(story: str) -> Iterator[tuple[Moment, AccountId]]:
    """Every member, at every tenth action of a story."""
    for moment in moments(story):
        if moment.nth % WHOLE == 0:
            yield from ((moment, account) for account in sorted(moment.whole.members))


def told(found: Outcomes) -> str:
    """How many commands of each kind were accepted, or refused and why; and what was filled in in them."""
    codes = [f"{command} {code}: {times}" for (command, code), times in sorted(found.counted.items())]
    return "\n".join([*codes, *(f"{what}: {times}" for what, times in sorted(found.filled.items()))])


@pytest.mark.slow
@pytest.mark.parametrize("story", LONG)
def test_some_of_what_is_offered_is_accepted(story):
    """Of long stories, all that is offered to everybody is for a release."""
    found = outcomes(story, some_of(story, EVERY), KINDS)
    sys.stdout.write(told(found))
    assert found.wrong == []
    assert found.counted.total() > 0


@pytest.mark.parametrize("story", slow_but(STORIES, in_release=LONG))
def test_whatever_is_offered_to_any_member_is_accepted(story):
    found = outcomes(story, everybody(story))
    sys.stdout.write(told(found))
    assert found.wrong == []


def test_a_refusal_that_is_withheld_is_found(monkeypatch):
    """Negative control."""
    monkeypatch.setattr(Trial, "refusal", lambda *_: (None, []))
    assert outcomes("mobile_frame", islice(some_of("mobile_frame", EVERY), 2)).wrong


def test_an_example_that_lacks_a_field_is_found(monkeypatch):
    """Negative control."""
    offered = Offers.offer

    def without_example(self, kind, given, choices_of=None):
        offer = offered(self, kind, given, choices_of)
        return offer if offer is None or not given else structs.replace(offer, example=None)

    monkeypatch.setattr(Offers, "offer", without_example)
    assert outcomes("mobile_frame", islice(some_of("mobile_frame", EVERY), 2)).wrong


def test_bounds_that_the_rules_do_not_allow_now_are_found(monkeypatch):
    """Negative control: what decoding allows is offered, and no example is found for an end of that."""
    monkeypatch.setattr(ChoiceSearch, "bounds", lambda *_, **__: ())
    wrong = outcomes("mobile_frame", islice(some_of("mobile_frame", 5), 8, 9)).wrong
    assert any(each.endswith("mobile_frame.spot with {'distance': 10000}: no example") for each in wrong)
