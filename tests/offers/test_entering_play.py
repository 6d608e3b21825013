"""What may enter play is what somebody does not know yet."""

from domain.campaign.commands import EnterPlay
from domain.offers.offers import Offer
from tests.offers.moments import Moment, moments


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
