"""Entries by hand, and the accounts that they may not touch."""

import pytest

from domain.campaign.commands import PostEntry
from domain.campaign.play.characters import account_name
from domain.ids import SystemId
from domain.systems import SYSTEMS
from tests.campaign_played import CampaignPlayed


@pytest.mark.parametrize(
    ("system", "account"),
    [
        ("overdrive", "team:tactical_points"),
        ("overdrive", "reserve:duel-1.b"),
        ("frame_state", "frame:frame-1"),
        ("freefall", "crew"),
        ("freefall", "crew:ravens"),
        ("freefall", "escrow:treatment-1"),
    ],
)
def test_what_the_rules_keep_is_moved_by_no_hand_in_either_direction(system, account):
    played = CampaignPlayed(system)
    for debit, credit in ((account, "world:gift"), ("world:gift", account)):
        entry = PostEntry(currency="tactical_points", debit=debit, credit=credit, amount=3, reason="a gift")
        assert played.refusal("ana", entry) == "account_of_the_rules"


def test_what_no_system_of_the_campaign_keeps_is_the_groups_own():
    played = CampaignPlayed("overdrive")
    played.do(
        "ana", PostEntry(currency="credits", debit="crew", credit="team:fund", amount=3, reason="rent", new=True)
    )
    assert played.state.balances["team:fund"] == {"credits": 3}
    assert not any(SYSTEMS[SystemId("angst")].owns_account(account) for account in ("crew", "team:fund"))


@pytest.mark.parametrize(
    ("account", "named"),
    [
        ("reserve:duel-35144eb67ede.b", "That account"),
        ("escrow:entry-9904054ce669", "That account"),
        ("world:old_bank", "old bank"),
        ("crew", "crew"),
    ],
)
def test_an_account_of_what_has_no_name_is_not_called_by_its_id(account, named):
    assert str(account_name(CampaignPlayed("overdrive").state, account)) == named
