"""The dice that Angst offers for Cores are those that its rules take."""

import pytest

from domain.offers.possible_commands import Offer
from domain.systems.angst.commands import CreateCharacter, SetCore
from domain.systems.angst.tables import LADDER
from tests.offers.moments import moments_at_random

NTH = 9
"""The action before which a GM asks."""


@pytest.fixture(scope="module")
def offers() -> dict[type, Offer]:
    moment = next(moment for moment in moments_at_random("angst", 1) if moment.nth == NTH)
    gm = next(account for account, role in moment.whole.members.items() if role == "gm")
    found = {kind: moment.offers(gm).offer(kind, {}) for kind in (CreateCharacter, SetCore)}
    return {kind: offer for kind, offer in found.items() if offer is not None}


def test_a_new_characters_cores_are_offered_every_die_but_the_one_that_rolls_nothing(offers):
    ratings = offers[CreateCharacter].choices["cores", "item"]
    assert [choice.value for choice in ratings] == [*LADDER[1:]]
    assert {choice.refusal for choice in ratings} == {None}


def test_a_gm_may_set_a_core_to_d0_as_a_loss_does(offers):
    [none] = (choice for choice in offers[SetCore].choices["effective",] if choice.value == "d0")
    assert none.refusal is None
