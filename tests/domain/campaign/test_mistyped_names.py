"""Slips of the pen create no money where the group has a chart of accounts."""

from typing import Any
from uuid import uuid4

import pytest
from msgspec import structs

from domain.campaign.commands import PostEntry, SetSetting, StartDowntime
from domain.campaign.messages import escrow as m
from domain.campaign.messages import timers as t
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.downtime import PlanActivity
from domain.campaign.money.ledger import post_entry
from domain.campaign.settings import SettingHelp, described
from domain.command_context import CommandContext
from domain.ids import ActionId
from domain.rejection import Rejection
from domain.systems.frame_state import commands as fs
from projections.languages import render
from tests.campaign_played import CampaignPlayed, person
from tests.domain.frame_state.table import CATALOGUE

CHART = [{"account": "crew", "title": "The kitty"}, {"account": "world:market", "title": "The Salt Market"}]


@pytest.fixture
def table() -> CampaignPlayed:
    found = CampaignPlayed()
    found.do("ana", SetSetting("campaign.chart", CHART))
    found.do("ana", PostEntry("marks", "world:market", "crew", 50, "the advance", new=True))
    return found


def refused(table: CampaignPlayed, who: str, command: Any) -> Rejection:
    with pytest.raises(Rejection) as found:
        table.do(who, command)
    return found.value


def test_an_account_that_the_chart_does_not_know_is_refused_with_the_nearest(table):
    refusal = refused(table, "ana", PostEntry("marks", "crw", "world:market", 5, "rope"))
    assert refusal.code == "unknown_account"
    assert refusal.details["choices"] == [{"account": "crew", "name": "The kitty"}]
    assert str(refusal.message) == (
        "There is no account crw here yet. Did you mean The kitty? To open it, say that it is new."
    )
    assert "The kitty" in render(refusal.message, "fr")


def test_a_currency_that_nobody_has_is_refused_with_the_nearest(table):
    refusal = refused(table, "ana", PostEntry("marsk", "crew", "world:market", 5, "rope"))
    assert (refusal.code, refusal.details["choices"]) == ("unknown_currency", [{"currency": "marks"}])
    assert table.refusal("ana", PostEntry("zzz", "crew", "world:market", 5, "rope")) == "unknown_currency"


def test_new_opens_an_account_and_a_currency_which_are_known_from_then_on(table):
    table.do("ana", PostEntry("scrip", "world:forge", "crew", 5, "a tip", new=True))
    table.do("ana", PostEntry("scrip", "crew", "world:forge", 1, "back"))
    assert table.state.balances["crew"] == {"marks": 50, "scrip": 4}


def test_members_characters_and_what_the_rules_pay_in_are_always_known(table):
    table.do("ana", CATALOGUE)
    mara = table.do("ben", fs.CreatePilot(name="Mara"))[0].pilot_id
    table.do("ana", PostEntry("credits", "world:market", f"player:{person('ben')}", 5, "pay"))
    table.do("ana", PostEntry("marks", "crew", f"pilot:{mara}", 5, "pay"))
    offer = m.OfferTransfer("credits", f"player:{person('ben')}", "crwe", 1, "dues")
    assert table.refusal("ben", offer) == "unknown_account"


def founded_before() -> CampaignPlayed:
    """A campaign from before the rulings."""
    found = CampaignPlayed()
    found.state.rulings = 0
    return found


def test_without_a_chart_what_is_nearly_known_is_asked_for_once():
    """Typos create no money; what is like nothing else is no slip."""
    table = CampaignPlayed()
    table.do("ana", PostEntry("marks", "world:market", "crew", 5, "the advance"))
    table.do("ana", PostEntry("marks", "crew", "world:market", 5, "rope"))
    typo = refused(table, "ana", PostEntry("marks", "crwe", "world:market", 5, "rope"))
    assert (typo.code, typo.details["choices"]) == ("unknown_account", [{"account": "crew", "name": "crew"}])
    assert table.refusal("ana", PostEntry("marsk", "crew", "world:market", 5, "rope")) == "unknown_currency"
    table.do("ana", PostEntry("marks", "crew", "world:markets", 1, "rope", new=True))
    table.do("ana", PostEntry("marks", "world:markets", "crew", 1, "back"))


def test_timers_and_downtime_ask_for_what_is_new_too():
    """Typos create no money."""
    table = CampaignPlayed()
    table.do("ana", PostEntry("marks", "world:docks", "crews", 5, "the advance"))
    rent = t.Post("marks", "crew", "world:docks", 5)
    assert table.refusal("ana", t.ScheduleTimer("Rent", Span(days=1), rent)) == "unknown_account"
    table.do("ana", t.ScheduleTimer("Rent", Span(days=1), structs.replace(rent, new=True)))
    table.do("ana", CATALOGUE)
    mara = table.do("ben", fs.CreatePilot(name="Mara"))[0].pilot_id
    table.do("ana", StartDowntime())
    work = PlanActivity(mara, "work", "Mending nets", Span(days=1), "marks", "crewe", earns=3)
    assert table.refusal("ben", work) == "unknown_account"
    table.do("ben", structs.replace(work, new=True))


def test_what_was_opened_and_undone_leaves_what_came_of_it():
    """What was accepted once is not asked about again where the opening of its account is undone."""
    table = CampaignPlayed()
    table.do("ana", PostEntry("marks", "world:market", "crews", 5, "the advance"))
    later = PostEntry("marks", "crew", "world:market", 5, "rope")
    assert table.refusal("ana", later) == "unknown_account"
    context = CommandContext(later, person("ana"), "gm", ActionId(uuid4()), 0, 0, None)
    assert post_entry(table.state, context, later)


def test_a_campaign_from_before_the_rulings_goes_on_as_it_began():
    table = founded_before()
    table.do("ana", PostEntry("marsk", "crwe", "world:market", 5, "rope"))
    table.do("ana", PostEntry("marsk", f"player:{person('ben')}", "world:market", 5, "rope"))
    assert table.state.balances["crwe"] == {"marsk": -5}
    assert [each.value for each in debts(table)] == ["allowed"]


def test_players_owe_nothing_and_what_is_shared_and_the_world_may():
    table = CampaignPlayed()
    purse = f"player:{person('ben')}"
    assert table.refusal("ana", PostEntry("marks", purse, "crew", 1, "dues", new=True)) == "insufficient_balance"
    table.do("ana", PostEntry("marks", "crew", "world:dock", 5, "fees", new=True))
    assert [(each.value, each.default) for each in debts(table)] == [("shared", "shared")]
    table.do("ana", SetSetting("campaign.debt", "allowed"))
    table.do("ana", PostEntry("marks", purse, "crew", 1, "dues"))
    assert [(each.value, each.default) for each in debts(table)] == [("allowed", "shared")]
    table.do("ana", SetSetting("campaign.debt", None))
    assert table.refusal("ana", PostEntry("marks", purse, "crew", 1, "dues")) == "insufficient_balance"


def debts(table: CampaignPlayed) -> list[SettingHelp]:
    """What the campaign says of its setting about debts."""
    state = table.state
    listed = described([*state.systems], state.changed_settings, state.rulings)
    return [each for each in listed if each.key == "campaign.debt"]
