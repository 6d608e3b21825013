"""Whatever was done in a recorded story was offered to who did it, field by field, as they knew the campaign."""

import sys
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from domain.offers.field_choices import Choice, ChoiceSearch
from domain.offers.possible_commands import Offers
from domain.rejection import Rejection
from domain.systems.freefall.turn_commands import ResolveConflict
from tests.offers.moments import STORIES, Moment, moments, moments_at_random
from tests.offers.walking import walked


def not_offered(some: Iterable[Moment]) -> list[str]:
    """What was done at some moments without being offered; also says how much was done of each kind."""
    counted: Counter[str] = Counter()
    missed: list[str] = []
    for moment in some:
        if moment.asked is not None and moment.action.actor is not None:
            found = walked(moment.offers(moment.action.actor), moment.asked)
            missed += [f"{moment.nth} {moment.action.command} {each}" for each in found]
            counted[str(moment.asked.__struct_config__.tag)] += 1
    sys.stdout.write("\n".join(f"{command} walked: {times}" for command, times in sorted(counted.items())))
    return missed


@pytest.mark.slow
@pytest.mark.parametrize("story", STORIES)
def test_every_command_of_a_story_was_offered_to_who_gave_it_field_by_field(story):
    assert not_offered(moments(story)) == []


def test_a_conflict_of_sides_without_a_sheet_is_offered_though_every_character_has_harm_to_resolve():
    [moment] = (moment for moment in moments_at_random("freefall", 28) if type(moment.asked) is ResolveConflict)
    assert not_offered([moment]) == []


def test_a_story_holds_what_members_ask_for():
    asked = [moment for moment in moments("mobile_frame") if moment.asked is not None]
    assert len(asked) > 200
    assert {moment.role(moment.action.actor) for moment in asked if moment.action.actor} == {"gm", "player"}


# --- controls: mistakes that have to be found -----------------------------------------------------------------


def test_a_choice_that_is_left_out_is_found(monkeypatch):
    """Negative control."""
    found: Any = Offers.offer

    def without_the_last(self, kind, given, choices_of=None):
        offer = found(self, kind, given, choices_of)
        for choices in offer.choices.values():
            del choices[-1:]
        return offer

    monkeypatch.setattr(Offers, "offer", without_the_last)
    assert any(" lists no " in each for each in not_offered(moments("mobile_frame")))


def test_a_choice_that_is_refused_without_a_reason_is_found(monkeypatch):
    """Negative control."""
    found: Any = Offers.offer

    def refusing(self, kind, given, choices_of=None):
        offer = found(self, kind, given, choices_of)
        for choices in offer.choices.values():
            choices[:] = [Choice(each.value, Rejection("no_reason", "No.")) for each in choices]
        return offer

    monkeypatch.setattr(Offers, "offer", refusing)
    assert any(" refuses " in each for each in not_offered(moments("mobile_frame")))


def test_bounds_that_are_too_narrow_are_found(monkeypatch):
    """Negative control."""
    monkeypatch.setattr(ChoiceSearch, "_first", lambda *_: 0)
    assert any(" not from 0 to 0" in each for each in not_offered(moments("mobile_frame")))
