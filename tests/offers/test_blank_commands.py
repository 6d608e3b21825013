"""A command that is refused whatever it says is refused as a search would refuse it, without the search."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from msgspec import Struct

from domain.campaign.messages.character_retirement import BringCharacterBack
from domain.campaign.state import Departure
from domain.ids import CharacterId
from domain.offers.command_trials import Trial
from domain.offers.possible_commands import Offer, Offers, commands_of
from domain.offers.possible_commands_cache import KeptOffers
from domain.systems.overdrive.commands import StartCombat
from tests.domain.plays import PLAYS
from tests.offers.compared_offers import in_words
from tests.offers.moments import moments, moments_at_random

STRIDE = 12
"""Each so many moments of a random play are looked at."""


def trials(system: str) -> Iterator[Trial]:
    """The trials of a member of each role at some moments of a random play."""
    for moment in islice(moments_at_random(system, 0), 4, 64, STRIDE):
        people = {role: account for account, role in moment.whole.members.items()}
        yield from (moment.trial(account) for account in people.values())


@pytest.mark.parametrize("system", PLAYS)
def test_without_a_search_a_command_is_refused_as_by_one(system, monkeypatch: pytest.MonkeyPatch):
    asked = [(trial, kind) for trial in trials(system) for kind in commands_of(trial.state)]
    refused = {kind for trial, kind in asked if trial.refusal_of_all(kind) is not None}
    offers = [in_words(offer(trial, kind)) for trial, kind in asked]
    monkeypatch.setattr(Trial, "refusal_of_all", lambda *_: None)
    assert [in_words(offer(trial, kind)) for trial, kind in asked] == offers
    assert len(refused) > 5


def offer(trial: Trial, kind: type[Struct]) -> Offer | None:
    return Offers(trial).offer(kind, {}, (), parts=False)


def test_where_there_is_nothing_to_name_yet_that_is_said_first():
    trial = next(trials("frame_state"))
    assert not trial.state.departures
    player = Trial(trial.state, trial.account, "player", trial.at)
    assert refusal_code(player, BringCharacterBack) == "nothing_to_name"
    trial.state.departures[CharacterId("somebody")] = Departure("dead", None)
    assert refusal_code(player, BringCharacterBack) == "gm_only"


def refusal_code(trial: Trial, kind: type[Struct]) -> str:
    found = offer(trial, kind)
    assert found is not None
    assert found.refusal is not None
    return found.refusal.code


def test_what_a_library_reads_of_a_command_is_no_refusal_of_all():
    """Whether a command names somebody who left the story is found by encoding it."""
    trial = next(trials("overdrive"))
    player = next(account for account, role in trial.state.members.items() if role == "player")
    own = Trial(trial.state, player, "player", trial.at)
    refusal = own.refusal_of_all(StartCombat)
    assert refusal is not None
    assert refusal.code == "not_the_gm"
    own.state.departures[CharacterId("somebody")] = Departure("dead", None)
    assert own.refusal_of_all(StartCombat) is None


def test_an_offer_that_its_role_refuses_is_kept_whatever_happens():
    kept: dict[Any, KeptOffers] = {}
    for moment in islice(moments("overdrive"), 70, 90, 4):
        observers = [account for account, role in moment.whole.members.items() if role == "observer"]
        for account in observers:
            own = kept.setdefault(account, KeptOffers())
            own.follow(moment.trial(account))
            found = own.offer(StartCombat, {}, (), parts=False)
            assert found is not None
            assert found.refusal is not None
            own.rest()
    assert [own.searches for own in kept.values()] == [1]
