"""However many characters there are, a form is answered after a bounded number of tries."""

from uuid import NAMESPACE_URL, uuid5

import pytest
from msgspec import structs

from domain.campaign import aggregate
from domain.campaign.commands import AdoptCharacter
from domain.campaign.evolve import evolve
from domain.campaign.state import CampaignState
from domain.ids import AccountId, ActionId, SystemId
from domain.offers import command_search, field_choices
from domain.offers.command_trials import Trial
from domain.offers.possible_commands import Offer, Offers
from domain.systems import SYSTEMS
from domain.systems.angst.commands import AvoidAngst, MakeTest, PurgeAngst
from tests.offers.moments import unproven

CROWD = 14
ANGST = SystemId("angst")
GM = AccountId(uuid5(NAMESPACE_URL, "gm"))


def trial_of(state: CampaignState) -> Trial:
    return Trial(state, GM, "gm", 0)


@pytest.fixture(scope="module")
def crowd() -> CampaignState:
    """A campaign with many characters."""
    state = CampaignState(systems={ANGST: SYSTEMS[ANGST].state()}, members={GM: "gm"})
    for nth in range(CROWD):
        [sheet] = SYSTEMS[ANGST].candidates["sheet"](state.systems[ANGST], {}, trial_of(state).context(None))
        command = AdoptCharacter(system=ANGST, sheet={**sheet, "name": f"Somebody {nth}"})
        context = trial_of(state).context(command)
        context = structs.replace(context, action_id=ActionId(uuid5(NAMESPACE_URL, str(nth))))
        for event in aggregate.decide(state, context, unproven()):
            state = evolve(state, event)
    assert len(state.systems[ANGST].characters) == CROWD
    return state


def answered(state: CampaignState, kind: type) -> tuple[Offer, int]:
    """The form of a command with the choices of all its parts, and how many tries it took."""
    trial = trial_of(state)
    offer = Offers(trial).offer(kind, {})
    assert offer is not None
    return offer, trial.tries


@pytest.mark.parametrize("kind", [MakeTest, AvoidAngst, PurgeAngst])
def test_a_form_is_answered_after_a_bounded_number_of_tries(crowd, kind):
    offer, tries = answered(crowd, kind)
    listed = sum(map(len, offer.choices.values()))
    tries_of_choices = field_choices.TRIES_OF_OFFER + field_choices.TRIES_OF_CHOICE
    assert tries <= command_search.TRIES_MAX + tries_of_choices + listed


def test_a_refusal_keeps_nothing_of_the_try_that_it_came_of(crowd):
    refusal, _ = trial_of(crowd).refusal(AvoidAngst(candidates=[]))
    assert refusal is not None
    assert refusal.__traceback__ is None


def test_where_the_tries_of_a_form_are_used_up_what_is_left_is_not_certain(crowd, monkeypatch):
    monkeypatch.setattr(field_choices, "TRIES_OF_OFFER", 0)
    offer, _ = answered(crowd, MakeTest)
    unsure = [each for several in offer.choices.values() for each in several if not each.certain]
    assert unsure
    assert [each for each in unsure if each.refusal is not None] == []
    assert offer.example is not None
