"""Offers that are kept because nothing that was looked at is otherwise are those that would be found anew."""

import os
from collections.abc import Iterable, Iterator
from itertools import count, islice
from typing import Any

import pytest

from domain.campaign.commands import AdoptCharacter
from domain.campaign.messages.character_arrivals import AgreeToArrival
from domain.campaign.state import Arrival
from domain.ids import SystemId
from domain.offers import possible_commands_cache
from domain.offers.command_trials import Trial
from domain.offers.possible_commands import Offers, commands_of
from domain.offers.possible_commands_cache import KeptOffers
from domain.offers.state_read_tracker import StateReads
from domain.systems.frame_state.commands import RollTest
from domain.systems.freefall.commands import CreateCharacter
from projections.command_forms import CommandWords, KeptWords
from tests.domain.plays import PLAYS
from tests.offers.compared_offers import in_words
from tests.offers.moments import STORIES, Moment, moments, moments_at_random
from tests.sampling import RELEASE

MOMENTS = int(os.environ.get("FIELDLOG_KEPT_MOMENTS", "12"))
PLAYS_QUICK = ("frame_state", "mobile_frame")
MOMENTS_QUICK = 5
"""The slow tests play the same ones and those of the other systems, and go on."""
MOMENTS_SLOW = (20 if RELEASE else 3) * MOMENTS
STRIDE = 1 if RELEASE else 8
"""Each so many moments of a story are compared: to find all offers anew for everybody takes seconds."""
RENAMED_EVERY = 3
KEPT_MIN = 0.2
"""A smaller part of the offers that is kept would prove little."""


def words_at(moment: Moment, trial: Trial) -> CommandWords:
    """The words at a moment; from time to time somebody and something gets another name."""
    return CommandWords(lambda thing: f"{thing} {moment.nth // RENAMED_EVERY}", "en", trial.state.systems)


class Compared:
    """Everybody's offers, kept from one moment to the next, beside those that are found anew."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.asked = 0
        self.kept: dict[Any, KeptOffers] = {}
        self.kept_words: dict[Any, KeptWords] = {}

    def follow(self, moments: Iterable[Moment]) -> "Compared":
        """Compare at each of the moments, up to the first where something is wrong."""
        for moment in moments:
            if self.wrong:
                break
            for account in moment.whole.members:
                for choices in (None, ()) if moment.nth % 2 else ((),):
                    self._compare(moment, account, choices)
        return self

    @property
    def share_kept(self) -> float:
        return 1 - sum(each.searches for each in self.kept.values()) / self.asked

    @property
    def unkept(self) -> int:
        return sum(each.unkept for each in self.kept.values())

    def _compare(self, moment: Moment, account: Any, choices: Any) -> None:
        trial = moment.trial(account)
        kept, fresh = self.kept.setdefault(account, KeptOffers()), Offers(trial)
        kept_words, words = self.kept_words.setdefault(account, KeptWords()), words_at(moment, trial)
        kept.follow(trial)
        for kind in commands_of(trial.state):
            self.asked += 1
            offer = kept.offer(kind, {}, choices, parts=False)
            if in_words(offer) != in_words(fresh.offer(kind, {}, choices, parts=False)):
                self.wrong.append(f"{moment.nth} {moment.role(account)} {kind.__name__} {choices}")
            if offer is not None and kept_words.offer(words, offer, "", choices) != words.offer(offer, ""):
                self.wrong.append(f"the words of {moment.nth} {moment.role(account)} {kind.__name__} {choices}")
        kept.rest()


def at_random(system: str, moments_max: int) -> Iterator[Moment]:
    """Moments of random plays, each of which begins in another way than the last one ended."""
    plays = (moments_at_random(system, nth) for nth in count())
    return islice((moment for play in plays for moment in islice(play, 40)), moments_max)


@pytest.mark.parametrize("system", PLAYS_QUICK)
def test_after_every_action_of_random_play_what_is_kept_is_what_would_be_found(system):
    compared = Compared().follow(at_random(system, MOMENTS_QUICK))
    assert compared.wrong == []
    assert compared.share_kept > KEPT_MIN


@pytest.mark.slow
@pytest.mark.parametrize("system", PLAYS)
def test_so_it_is_in_long_random_play(system):
    compared = Compared().follow(at_random(system, MOMENTS_SLOW))
    assert compared.wrong == []
    assert compared.share_kept > KEPT_MIN


@pytest.mark.slow
@pytest.mark.parametrize("story", STORIES)
def test_so_it_is_in_stories_with_hidden_things_undo_settings_and_time(story):
    assert Compared().follow(islice(moments(story), 0, None, STRIDE)).wrong == []


@pytest.mark.parametrize("story", ["undo", "secrets"])
def test_so_it_is_where_something_is_hidden_and_where_something_is_undone(story):
    assert Compared().follow(islice(moments(story), 30, 30 + MOMENTS)).wrong == []


@pytest.mark.parametrize("system", [system for system in PLAYS if system != "mobile_frame"])
def test_a_character_that_asks_to_come_in_may_be_let_in_by_what_is_kept_as_well(system):
    """Its sheet is a part of the state that is read by a library."""
    agreed = 0
    for moment in islice(at_random(system, MOMENTS), MOMENTS // 2, None):
        people = {role: account for account, role in moment.whole.members.items()}
        trial = moment.trial(people["gm"])
        asked = Offers(trial).offer(AdoptCharacter, {}, (), parts=False)
        if asked is None or asked.example is None:
            continue
        sheet, of = asked.example["sheet"], SystemId(asked.example["system"])
        trial.state.arrivals["arrival-1"] = Arrival("arrival-1", of, people["player"], "Somebody", sheet, [])
        kept = KeptOffers()
        kept.follow(trial)
        offers = [each.offer(AgreeToArrival, {}, (), parts=False) for each in (kept, Offers(trial))]
        assert in_words(offers[0]) == in_words(offers[1])
        agreed += offers[0] is not None and offers[0].possible != "no"
    assert agreed


def test_an_offer_whose_read_is_forgotten_would_be_wrong(monkeypatch: pytest.MonkeyPatch):
    def forgetful(before: bytes | None, now: bytes | None) -> tuple[tuple[Any, ...], ...]:
        return tuple(key for key in changes(before, now) if "tests" not in key)

    changes = possible_commands_cache._changes
    monkeypatch.setattr(possible_commands_cache, "_changes", forgetful)
    kept = KeptOffers()
    for moment in moments("frame_state"):
        gms = [account for account, role in moment.whole.members.items() if role == "gm"]
        if not gms or not moment.whole.systems:
            continue
        trial = moment.trial(gms[0])
        kept.follow(trial)
        offers = [of.offer(RollTest, {}, (), parts=False) for of in (kept, Offers(trial))]
        if in_words(offers[0]) != in_words(offers[1]):
            return
        kept.rest()
    pytest.fail("it stays right without its reads")


def test_values_of_fields_whose_reads_are_forgotten_would_be_wrong(monkeypatch: pytest.MonkeyPatch):
    def forgetful(_: StateReads, work: Any) -> tuple[Any, frozenset[int]]:
        return work(), frozenset()

    monkeypatch.setattr(StateReads, "apart", forgetful)
    assert Compared().follow(at_random("overdrive", MOMENTS)).wrong != []


def test_time_that_goes_on_leaves_offers_that_do_not_ask_for_it():
    moment = next(moment for moment in moments("freefall") if moment.whole.systems)
    gm = next(account for account, role in moment.whole.members.items() if role == "gm")
    kept, trial = KeptOffers(), moment.trial(gm)
    for hours in range(3):
        trial.state.game_time += hours
        kept.follow(Trial(trial.state, gm, "gm", trial.at + hours))
        kept.offer(CreateCharacter, {}, (), parts=False)
        kept.rest()
    assert kept.searches == 1


@pytest.mark.slow
def test_words_whose_names_are_forgotten_would_be_wrong(monkeypatch: pytest.MonkeyPatch):
    def forgetful(words: CommandWords, question: Any) -> Any:
        return plain(CommandWords(words._name_of, "en", words._systems), question)

    plain = CommandWords.look_up
    monkeypatch.setattr(CommandWords, "look_up", forgetful)
    assert any(wrong.startswith("the words") for wrong in Compared().follow(at_random("overdrive", 6)).wrong)
