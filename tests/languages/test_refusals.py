"""Every refusal that a test meets is looked at by `tests.refusals`: it calls nothing by its id or wire name."""

import pytest

from domain.rejection import Rejection
from domain.sentences import say
from tests.refusals import for_people, not_for_people

FRAMES = {"frame-1": "Heron", "heron": "Heron"}


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ("There is no pilot “pilot-5f0c2a91e3b4”.", ["pilot-5f0c2a91e3b4"]),
        ("pilot:pilot-5f0c2a91e3b4 holds 3 credits.", ["pilot-5f0c2a91e3b4"]),
        (
            "player:8e8b6a6e-0000-4000-8000-000000000000 is busy.",
            ["8e8b6a6e-0000-4000-8000-000000000000"],
        ),
        ("frame-1 is lost.", ["frame-1"]),
        ("Heron (frame-1) is lost.", ["frame-1"]),
        ("The setting mission_costs allows it.", ["mission_costs"]),
        ("The order campaign.roll says so.", ["campaign.roll"]),
        ("Heron is lost.", []),
    ],
)
def test_an_id_in_a_sentence_is_noticed(told, found):
    assert not_for_people(told, FRAMES.get) == found


def test_a_refusal_with_an_id_does_not_pass():
    """Negative control."""
    with pytest.raises(AssertionError, match="as programs do"), for_people(FRAMES.get):
        raise Rejection("lost", say("{frame} is lost.", frame="frame-1"))
    with pytest.raises(Rejection), for_people(FRAMES.get):
        raise Rejection("lost", say("{frame} is lost.", frame="Heron"))
