"""What may enter play is what somebody does not know yet."""

from itertools import islice

import msgspec
import pytest

from domain.campaign.commands import EnterPlay
from domain.campaign.secrecy.entrance import things_named
from domain.offers.possible_commands import Offer
from domain.offers.possible_commands_cache import KeptOffers
from domain.systems import SYSTEMS
from tests.domain.plays import PLAYS
from tests.offers.moments import Moment, moments, moments_at_random


def offered(moment: Moment) -> Offer:
    """Entering play, as it is offered to the GM."""
    gm = next(account for account, role in moment.whole.members.items() if role == "gm")
    found = moment.offers(gm).offer(EnterPlay, {})
    assert found is not None
    return found


def test_what_everybody_knows_is_refused():
    *_, last = moments("frame_state")
    offer = offered(last)
    assert offer.possible == "no"
    assert offer.refusal is not None
    assert offer.refusal.code == "not_hidden"


def test_something_hidden_is_offered_and_only_that():
    found = [offered(moment) for moment in moments("secrets") if moment.nth]
    possible = [each for each in found if each.possible == "depends"]
    assert possible
    for offer in possible:
        refused = {choice.value: choice.refusal for choice in offer.choices["subject",]}
        assert offer.example is not None
        assert refused[offer.example["subject"]] is None
        assert {each.code for each in refused.values() if each is not None} <= {"not_hidden"}


@pytest.mark.parametrize("system", PLAYS)
def test_a_rule_system_names_exactly_the_things_that_may_enter(system):
    for moment in islice(moments_at_random(system, 0), 10, 90, 20):
        named = set[str]()
        for own, inner in moment.whole.systems.items():
            rules, plain = SYSTEMS[own], msgspec.to_builtins(inner)
            ids = {
                *things_named(plain),
                *(key for part in plain.values() if isinstance(part, dict) for key in part),
            }
            assert {id_ for id_ in ids if rules.entrance_events(inner, id_)} == {*rules.may_enter(inner)}
            named |= {*rules.may_enter(inner)}
        assert named


def test_a_roll_more_leaves_what_may_enter_play_as_it_was():
    """In Overdrive rolls are kept by who made them, and so are no things of their own."""
    kept, fight = KeptOffers(), [*islice(moments("overdrive"), 76, 84)]
    for moment in fight:
        player = next(account for account, role in moment.whole.members.items() if role == "player")
        kept.follow(moment.trial(player))
        found = kept.offer(EnterPlay, {}, (), parts=False)
        assert found is not None
        assert found.refusal is not None
        assert found.refusal.code == "not_yours_to_show"
        kept.rest()
    assert kept.searches < len(fight)
