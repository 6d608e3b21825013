"""Money in two steps: set aside, then posted or given back; between people only with consent (invariant 12)."""

from typing import Any

import pytest

from domain.campaign.commands import PostEntry, SetSetting
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.escrow import OfferTransfer, PostPending, VoidPending
from domain.campaign.messages.timers import Post, ScheduleTimer
from domain.campaign.money.reconciliation import drift_from_log, drift_from_sheets, trial_balance
from domain.campaign.play.characters import characters
from domain.systems.angst import commands as angst
from domain.systems.frame_state import commands as frame_state
from tests.domain.angst.table import CORES
from tests.services.calendar_played import CalendarPlayed, person


@pytest.fixture
def table() -> CalendarPlayed:
    """Ben plays Mara and Cleo plays Ines, with 100 credits each."""
    found = CalendarPlayed()
    found.do("ana", frame_state.DefineCatalogue(preset="playtest1.2"))
    found.do("ben", frame_state.CreatePilot(name="Mara"))
    found.do("cleo", frame_state.CreatePilot(name="Ines"))
    return found


def pilot(table: CalendarPlayed, name: str) -> Any:
    system = next(iter(table.state.systems.values()))
    return next(each for each in system.pilots.values() if each.name == name)


def purse(table: CalendarPlayed, name: str) -> str:
    return f"pilot:{pilot(table, name).pilot_id}"


def offer(table: CalendarPlayed, amount: int = 30, **fields: Any) -> OfferTransfer:
    wanted = {"debit": purse(table, "Mara"), "credit": purse(table, "Ines")} | fields
    return OfferTransfer("credits", amount=amount, reason="for the fuel", **wanted)


def currencies(table: CalendarPlayed) -> tuple[int, int]:
    return pilot(table, "Mara").currency, pilot(table, "Ines").currency


def held(table: CalendarPlayed) -> str:
    [entry] = table.state.pending_entries
    return entry


def balance(table: CalendarPlayed, account: str) -> int:
    return table.state.balances.get(account, {}).get("credits", 0)


def is_sound(table: CalendarPlayed) -> bool:
    """Everything adds up, and sheets and ledger say the same."""
    zero = all(total == 0 for total in trial_balance(table.state.balances).values())
    return zero and drift_from_sheets(table.state) == []


def test_what_is_offered_is_set_aside_until_the_other_agrees(table):
    table.do("ben", offer(table))
    assert currencies(table) == (70, 100)
    assert balance(table, f"escrow:{held(table)}") == 30
    table.do("cleo", PostPending(held(table)))
    assert currencies(table) == (70, 130)
    assert table.state.pending_entries == {}
    assert is_sound(table)


@pytest.mark.parametrize("who", ["ben", "cleo", "ana"])
def test_either_of_the_two_and_gms_can_leave_it(table, who):
    table.do("ben", offer(table))
    table.do(who, VoidPending(held(table)))
    assert currencies(table) == (100, 100)
    assert is_sound(table)


@pytest.mark.parametrize("who", ["cleo", "ana"])
def test_whoever_is_paid_agrees_or_a_gm_for_them_and_nobody_else(table, who):
    table.do("ben", offer(table))
    assert table.refusal("ben", PostPending(held(table))) == "not_yours_to_agree"
    table.do(who, PostPending(held(table)))
    assert currencies(table) == (70, 130)
    entry = "entry-of-nobody"
    assert table.refusal("cleo", PostPending(entry)) == "unknown_entry"
    assert table.refusal("ben", VoidPending(entry)) == "unknown_entry"


def test_one_gives_only_what_is_ones_own_and_only_what_one_has(table):
    assert table.refusal("cleo", offer(table)) == "not_your_account"
    assert table.refusal("ben", offer(table, debit="crew")) == "not_your_account"
    assert table.refusal("ben", offer(table, amount=101)) == "insufficient_balance"
    assert table.refusal("ben", offer(table, credit=purse(table, "Mara"))) == "same_account"
    table.do("ben", offer(table, amount=80))
    assert table.refusal("ben", offer(table, amount=30)) == "insufficient_balance", "80 are set aside already"


def test_what_the_rules_cannot_move_is_refused_before_anything_is_set_aside(table):
    other = OfferTransfer("refit_credit", purse(table, "Mara"), purse(table, "Ines"), 1, "no such purse")
    table.state.balances[purse(table, "Mara")]["refit_credit"] = 5
    assert table.refusal("ben", other) == "account_on_a_sheet"


def test_characters_of_every_system_own_the_campaigns_own_currencies():
    """Review, Angst 3: a character of Angst has marks, given by hand, by transfer and by a timer."""
    table = CalendarPlayed("angst")
    for who, name in (("ben", "Noa"), ("cleo", "Jory")):
        table.do(who, angst.CreateCharacter(name=name, cores=CORES, story_points=3))
    accounts = {each.name: f"character:{each.character}" for each in characters(table.state)}
    noa, jory = accounts["Noa"], accounts["Jory"]
    table.do("ana", PostEntry("marks", "world:patron", noa, 20, "for the lantern", new=True))
    assert table.refusal("cleo", OfferTransfer("marks", noa, jory, 5, "mine")) == "not_your_account"
    table.do("ben", OfferTransfer("marks", noa, jory, 5, "for the tea", new=True))
    assert table.refusal("ben", PostPending(held(table))) == "not_yours_to_agree"
    table.do("cleo", PostPending(held(table)))
    wage = Post("marks", "world:watch", jory, 2, new=True)
    table.do("ana", ScheduleTimer(title="Wages", after=Span(hours=1), clock="game", effect=wage))
    assert [table.state.balances[each]["marks"] for each in (noa, jory)] == [15, 5]
    assert table.refusal("ben", OfferTransfer("story_points", noa, jory, 1, "luck")) == "account_on_a_sheet"
    assert table.refusal("ana", PostEntry("story_points", "world:luck", noa, 1, "luck")) == "account_on_a_sheet"
    assert is_sound(table)


def test_a_pilot_owns_other_money_than_what_is_on_the_sheet(table):
    table.do("ana", PostEntry("marks", "world:patron", purse(table, "Mara"), 20, "for the lantern", new=True))
    table.do("ben", OfferTransfer("marks", purse(table, "Mara"), purse(table, "Ines"), 5, "for the tea", new=True))
    table.do("cleo", PostPending(held(table)))
    assert table.state.balances[purse(table, "Ines")] == {"credits": 100, "marks": 5}
    assert is_sound(table)


def test_what_goes_to_nobody_in_particular_a_gm_agrees_to(table):
    table.do("ben", offer(table, credit="world:dock", new=True))
    assert table.refusal("cleo", PostPending(held(table))) == "not_yours_to_agree"
    table.do("ana", PostPending(held(table)))
    assert balance(table, "world:dock") == 30


def test_members_have_purses_of_their_own_too(table):
    own = f"player:{person('ben')}"
    table.do("ana", PostEntry("snacks", "world:shop", own, 5, "the kitty", new=True))
    table.do("ben", OfferTransfer("snacks", own, f"player:{person('cleo')}", 2, "chips", new=True))
    table.do("cleo", PostPending(held(table)))
    assert table.state.balances[f"player:{person('cleo')}"] == {"snacks": 2}


def test_a_gm_sets_aside_and_posts_or_voids(table):
    aside = PostEntry("credits", "world:patron", "crew", 500, "the advance", pending=True, new=True)
    table.do("ana", aside)
    assert balance(table, "crew") == 0
    assert table.refusal("ben", PostPending(held(table))) == "not_yours_to_agree"
    table.do("ana", PostPending(held(table)))
    assert balance(table, "crew") == 500
    table.do("ana", aside)
    table.do("ana", VoidPending(held(table)))
    assert (balance(table, "crew"), balance(table, "world:patron")) == (500, -500)


def test_no_hand_reaches_into_what_is_set_aside(table):
    table.do("ben", offer(table))
    grab = PostEntry("credits", f"escrow:{held(table)}", "crew", 5, "mine")
    assert table.refusal("ana", grab) == "account_in_escrow"


def test_accounts_go_below_zero_only_where_the_group_lets_them(table):
    spend = PostEntry("credits", "crew", "world:dock", 10, "fees", new=True)
    table.do("ana", spend)
    assert balance(table, "crew") == -10
    table.do("ana", SetSetting("campaign.debt", "refused"))
    assert table.refusal("ana", spend) == "insufficient_balance"
    chart = [{"account": "crew", "title": "The crew's purse", "debt": True}]
    table.do("ana", SetSetting("campaign.chart", chart))
    table.do("ana", spend)
    assert balance(table, "crew") == -20
    assert (
        table.refusal("ana", PostEntry("credits", "fund", "world:dock", 1, "fees", new=True))
        == "insufficient_balance"
    )
    assert is_sound(table)


def test_a_group_may_keep_purses_from_debt_and_let_what_is_shared_owe(table):
    table.do("ana", SetSetting("campaign.debt", "shared"))
    table.do("ana", PostEntry("marks", "crew", "world:dock", 10, "fees", new=True))
    for account in (f"player:{person('ben')}", purse(table, "Mara")):
        assert table.refusal("ana", PostEntry("marks", account, "crew", 1, "dues")) == "insufficient_balance"
    assert is_sound(table)


def test_upkeep_that_nobody_can_pay_stays_due(table):
    table.do("ana", SetSetting("campaign.debt", "refused"))
    table.do("ana", ScheduleTimer("Upkeep", Span(days=1), Post("credits", "crew", "world:dock", 10, new=True)))
    assert table.pass_days(days=1) == []
    assert [failure.code for _, failure in table.failed] == ["insufficient_balance"]


def test_drift_between_sheet_ledger_and_log_is_found(table):
    """Negative control of the accountant."""
    assert drift_from_sheets(table.state) == []
    pilot(table, "Mara").currency += 7
    [drift] = drift_from_sheets(table.state)
    assert (drift.account, drift.ledger, drift.other) == (purse(table, "Mara"), 100, 107)
    [lost] = drift_from_log(
        table.state, {key: each for key, each in table.state.balances.items() if "world" in key}
    )[:1]
    assert (lost.ledger, lost.other, lost.source) == (100, 0, "log")
