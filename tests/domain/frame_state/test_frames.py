"""Losing, replacing and salvaging a frame (FS-C15 to FS-C17)."""

import msgspec
import pytest
from msgspec import UNSET, structs

from domain.campaign.history.undo import Search
from domain.ids import SystemId
from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state import commands as c
from domain.systems.frame_state.settings import Settings
from projections.systems.frame_state.sheet import sheet
from tests.domain.frame_state.narration import told
from tests.domain.frame_state.table import Table
from tests.domain.plays import told as actions_of
from tests.domain.system_table import kinds
from tests.scripted_dice import ScriptedDice

HERON = c.CreateUnit(kind="frame", name="Heron")


@pytest.fixture
def table():
    """Mara has put 305 credits and two points into a frame, and lost it."""
    table = Table(Settings(salvage="public"))
    table.pilot()
    table.do("mara", c.AdvanceCategory(category="tuning"))
    for _ in range(2):
        table.do("mara", c.AllocatePoint(category="tuning", attribute="armour"))
    table.do("handler", c.LoseFrame(cause="a harbour wall"))
    return table


def frames(table):
    [pilot] = table.state.pilots
    return sheet(table.state, pilot).frames


def test_a_loss_freezes_what_went_into_the_frame(table):
    lost = table.events[-1]
    assert (lost.upgrade_cost_total, lost.upgrade_costs, lost.cause) == (305, {"tuning": 305}, "a harbour wall")


def test_a_new_frame_starts_with_starting_points(table):
    table.do("mara", HERON)
    pool = frames(table)[1].pools["tuning"]
    assert (pool.maximum, pool.unspent, pool.advances) == (20, 20, 0)


def test_the_ledger_goes_over_to_the_new_frame(table):
    table.do("mara", HERON)
    table.do("handler", c.ReplaceFrame())
    old, new = frames(table)
    assert (old.status, old.replaced_by, old.upgrade_cost_total) == ("replaced", new.frame_id, 305)
    assert (new.upgrade_cost_total, new.carried_cost, new.attributes["armour"].invested) == (305, 305, 0)


def test_a_pilots_wish_waits_for_the_handler(table):
    table.do("mara", HERON)
    table.do("mara", c.ReplaceFrame())
    assert [each.kind for each in FRAME_STATE.pending(table.state)] == ["replace_frame"]
    assert frames(table)[0].status == "lost"
    table.do("handler", c.ReplaceFrame())
    assert FRAME_STATE.pending(table.state) == []
    assert frames(table)[0].status == "replaced"


def test_asking_twice_is_asking_once(table):
    table.do("mara", HERON)
    table.do("mara", c.ReplaceFrame())
    assert table.do("mara", c.ReplaceFrame()) == []


def test_the_handler_turns_down_what_a_pilot_asked_and_the_pilot_takes_it_back(table):
    table.do("mara", HERON)
    assert table.refusal("handler", c.ReplaceFrame(decline=True)) == "no_replacement_asked"
    table.do("mara", c.ReplaceFrame())
    [declined] = table.do("handler", c.ReplaceFrame(decline=True))
    assert told(table, [declined]) == ["The Handler does not let Mara replace Frame of mara with Heron"]
    assert table.state.replacements == []
    table.do("mara", c.ReplaceFrame())
    [back] = table.do("mara", c.ReplaceFrame(decline=True))
    assert told(table, [back]) == ["Mara no longer asks to replace Frame of mara with Heron"]
    assert table.state.replacements == []


def test_points_outlive_the_frame_where_a_group_plays_so(table):
    table.settings = Settings(frame_loss="pools_kept")
    table.do("mara", HERON)
    table.do("handler", c.InstallExperimental(attribute="aim_assist", value=1))
    table.do("mara", c.AllocatePoint(category="tuning", attribute="aim_assist"))
    table.do("handler", c.ReplaceFrame())
    old, new = frames(table)
    assert (new.pools["tuning"].maximum, new.pools["tuning"].unspent) == (21, 19)
    assert (new.attributes["armour"].invested, new.attributes["aim_assist"].invested) == (2, 0)
    assert new.attributes["aim_assist"].experimental == [1]
    assert old.attributes["armour"].invested == 0


def test_advances_beyond_the_limit_are_told_as_lost_where_points_outlive_the_frame(table):
    """Of 1 + 3 paid advances the limit of 3 lets 3 come over; the sentence said "with all its points"."""
    table.settings = Settings(frame_loss="pools_kept")
    table.do("handler", c.AwardCurrency(amount=1000, reason="luck"))
    table.do("mara", HERON)
    for _ in range(3):
        table.do("mara", c.AdvanceCategory(category="tuning"))
    [replaced] = table.do("handler", c.ReplaceFrame())
    assert frames(table)[1].pools["tuning"].advances == 3
    assert replaced.advances_lost == {"tuning": 1}
    [line] = told(table, [replaced])
    assert line == (
        "Heron replaced Frame of mara as the frame of Mara, with its points but for 1 advance of tuning beyond "
        "the limit; upgrades on record: 1,220 credits"
    )


def test_nothing_is_told_as_lost_where_all_advances_come_over(table):
    table.settings = Settings(frame_loss="pools_kept")
    table.do("mara", HERON)
    [replaced] = table.do("handler", c.ReplaceFrame())
    assert replaced.advances_lost is UNSET


def test_a_wreck_pays_for_refits_of_its_successor(table):
    table.do("mara", c.SalvageFrame(wreck_recovered=True))
    table.do("mara", HERON)
    table.do("handler", c.ReplaceFrame())
    table.do("mara", c.AllocatePoint(category="tuning", attribute="armour"))
    spent, *_ = table.do("mara", c.Refit(category="tuning", from_attribute="armour"))
    assert (spent.credit_used, spent.amount) == (30, 1)
    assert frames(table)[1].refit_credit == 0


def test_salvage_after_the_replacement_goes_to_the_new_frame(table):
    table.do("mara", HERON)
    table.do("handler", c.ReplaceFrame())
    wreck, new = frames(table)
    table.do("mara", c.SalvageFrame(wreck_recovered=True, frame=wreck.frame_id))
    assert [frame.refit_credit for frame in frames(table)] == [0, 30]
    assert new.refit_credit == 0


def test_a_wreck_is_salvaged_once(table):
    table.do("mara", c.SalvageFrame(wreck_recovered=True))
    assert table.refusal("mara", c.SalvageFrame(wreck_recovered=True)) == "already_salvaged"


@pytest.fixture
def replaced_and_lost(table):
    """Heron took the wreck's place, had an upgrade of its own for 305, and is lost, too."""
    table.do("mara", HERON)
    table.do("handler", c.ReplaceFrame())
    table.do("mara", c.AdvanceCategory(category="tuning"))
    table.do("handler", c.LoseFrame())
    return table


def test_what_was_salvaged_with_a_wreck_is_not_salvaged_again_with_its_replacement(replaced_and_lost):
    """The ledger of Heron is 610: 305 came over, and those were salvaged."""
    first, second = (each.frame_id for each in frames(replaced_and_lost))
    [credited] = replaced_and_lost.do("mara", c.SalvageFrame(frame=first, wreck_recovered=True))
    assert (credited.amount, credited.credited_to) == (30, second)
    [credited] = replaced_and_lost.do("mara", c.SalvageFrame(frame=second, wreck_recovered=True))
    assert (credited.upgrade_cost_total, credited.amount) == (610, 30)


def test_what_was_salvaged_with_the_replacement_is_not_salvaged_again_with_the_first_wreck(replaced_and_lost):
    first, second = (each.frame_id for each in frames(replaced_and_lost))
    [credited] = replaced_and_lost.do("mara", c.SalvageFrame(frame=second, wreck_recovered=True))
    assert credited.amount == 61
    assert replaced_and_lost.refusal("mara", c.SalvageFrame(frame=first, wreck_recovered=True)) == (
        "already_salvaged"
    )


def test_a_replacement_without_upgrades_of_its_own_is_worth_nothing_after_the_first_wreck(table):
    table.do("mara", c.SalvageFrame(wreck_recovered=True))
    table.do("mara", HERON)
    table.do("handler", c.ReplaceFrame())
    table.do("handler", c.LoseFrame())
    _, second = (each.frame_id for each in frames(table))
    assert table.refusal("mara", c.SalvageFrame(frame=second, wreck_recovered=True)) == "already_salvaged"


def test_another_player_salvages_nothing(table):
    assert table.refusal("jun", c.SalvageFrame(wreck_recovered=True)) == "not_your_pilot"


def test_only_the_handler_takes_a_frame_away(table):
    table.do("mara", HERON)
    assert table.refusal("mara", c.LoseFrame()) == "not_the_handler"


def test_several_machines_want_a_name(table):
    table.do("mara", HERON)
    table.pilot("jun")
    assert table.refusal("handler", c.LoseFrame()) == "which_frame"


def test_a_preset_price_is_paid_when_the_frame_is_replaced():
    table = Table()
    table.do("handler", c.DefineCatalogue(preset="playtest1.2"))
    table.pilot()
    table.do("handler", c.LoseFrame())
    table.do("mara", HERON)
    assert table.refusal("mara", c.ReplaceFrame()) == "insufficient_currency"
    table.do("handler", c.AwardCurrency(amount=2000, reason="a loan"))
    spent, replaced = table.do("handler", c.ReplaceFrame())
    assert (spent.amount, spent.reason, spent.balance_after) == (3000, "new_frame", 100)
    assert replaced.frame_loss == "pools_lost"


@pytest.fixture
def bereft():
    """Mara has lost a frame in a campaign where a new one costs 3,000, and has 100 and 1,000 credits."""
    table = Table()
    table.do("handler", c.DefineCatalogue(preset="playtest1.2"))
    table.pilot()
    table.do("handler", c.LoseFrame())
    return table


EBB = c.StartMission(name="Ebb")


def test_a_frame_that_follows_a_lost_one_is_due_and_blocks_the_next_mission(bereft):
    """Review, Frame State 3: the price of a new frame cannot be avoided."""
    bereft.do("mara", HERON)
    assert frames(bereft)[1].price_due == 3000
    assert bereft.refusal("handler", EBB) == "new_frame_unpaid"
    bereft.do("handler", c.AwardCurrency(amount=2000, reason="a loan"))
    bereft.do("handler", c.ReplaceFrame())
    assert frames(bereft)[1].price_due == 0
    bereft.do("handler", EBB)


def test_nothing_is_due_for_a_frame_that_was_lost_unpaid(bereft):
    """Its price stood on the sheet for ever; what is flown now has a price of its own."""
    bereft.do("mara", HERON)
    bereft.do("handler", c.LoseFrame())
    bereft.do("mara", c.CreateUnit(kind="frame", name="Tern"))
    assert [each.price_due for each in frames(bereft)] == [0, 0, 3000]


def test_a_frame_that_is_paid_for_is_not_charged_again_after_its_pilot_moved(bereft):
    """`price_due: 0` of a sheet became unknown, so that 3,000 were charged twice."""
    bereft.settings = Settings(new_frame="charged")
    bereft.do("handler", c.AwardCurrency(amount=5000, reason="a loan"))
    bereft.do("mara", HERON)
    [pilot] = bereft.state.pilots
    there = Table(Settings(new_frame="charged"))
    there.do("handler", c.DefineCatalogue(preset="playtest1.2"))
    brought = msgspec.json.decode(msgspec.json.encode(sheet(bereft.state, pilot)))
    there.happened(FRAME_STATE.adopt(there.state, brought, there.context("handler", None)))
    assert kinds(there.do("handler", c.ReplaceFrame())) == ["FrameReplaced"]
    del brought["frames"][1]["price_due"]
    elsewhere = Table(Settings(new_frame="charged"))
    elsewhere.do("handler", c.DefineCatalogue(preset="playtest1.2"))
    elsewhere.happened(FRAME_STATE.adopt(elsewhere.state, brought, elsewhere.context("handler", None)))
    assert kinds(elsewhere.do("handler", c.ReplaceFrame())) == ["CurrencySpent", "FrameReplaced"]


def test_others_fly_without_whoever_owes_for_a_frame(bereft):
    jun = bereft.pilot("jun")
    bereft.do("mara", HERON)
    assert bereft.refusal("handler", EBB) == "new_frame_unpaid"
    bereft.do("handler", c.StartMission(name="Ebb", pilots=[jun]))


def test_a_frame_that_follows_a_lost_one_is_charged_where_a_group_plays_so(bereft):
    """Review, Frame State 3."""
    bereft.settings = Settings(new_frame="charged")
    assert bereft.refusal("mara", HERON) == "insufficient_currency"
    bereft.do("handler", c.AwardCurrency(amount=2000, reason="a loan"))
    created, spent = bereft.do("mara", HERON)
    assert (spent.amount, spent.reason, spent.frame) == (3000, "new_frame", created.frame_id)
    bereft.do("handler", EBB)
    [replaced] = bereft.do("handler", c.ReplaceFrame())
    assert (replaced.new, frames(bereft)[1].price_due) == (created.frame_id, 0)


def test_a_group_may_leave_the_price_to_the_replacement(bereft):
    bereft.settings = Settings(new_frame="on_replacement")
    bereft.do("mara", HERON)
    bereft.do("handler", EBB)


def test_a_first_frame_costs_nothing(bereft):
    bereft.settings = Settings(new_frame="charged")
    [pilot] = bereft.do("jun", c.CreatePilot(name="Jun"))
    assert [type(each).__name__ for each in bereft.do("jun", c.CreateUnit(kind="frame", name="Tern"))] == [
        "FrameCreated"
    ]
    bereft.do("handler", c.StartMission(name="Ebb", pilots=[pilot.pilot_id]))


def test_a_mission_of_old_still_counts_where_a_frame_was_not_paid_for(bereft):
    """What was recorded before is undone and redone as before: no ruling of later refuses it."""
    bereft.do("mara", HERON)
    context = structs.replace(bereft.context("handler", EBB), meant_ids=lambda: [*bereft.state.pilots])
    [started] = FRAME_STATE.decide(bereft.state, context, ScriptedDice([]))
    assert started.pilots == [*bereft.state.pilots]


def test_experimental_parts_in_a_blank_die_are_idle_until_it_has_one(table):
    """Review, Frame State 6: they gave nothing and were shown as a bonus."""
    table.do("mara", HERON)
    [installed] = table.do("handler", c.InstallExperimental(attribute="aim_assist", value=3))
    blank = frames(table)[1].attributes["aim_assist"]
    assert (blank.offer, blank.bonus, blank.idle, blank.experimental) == ("\u2013", 0, True, [3])
    assert installed.offer == "\u2013"
    table.do("mara", c.AllocatePoint(category="tuning", attribute="aim_assist"))
    bought = frames(table)[1].attributes["aim_assist"]
    assert (bought.offer, bought.bonus, bought.idle) == ("d4", 3, False)


def without(table, command):
    """What is undone with the first action of a kind, and the two frames then."""
    start, actions = actions_of("frame_state", table)
    going = next(each for each in actions if each.command == f"frame_state.{command}")
    search = Search(start, set(), {going.action_id}, set())
    for action in actions:
        search.take(action)
    struck = [each.action.command.removeprefix("frame_state.") for each in search.to_undo]
    return struck, [*search.state.systems[SystemId("frame_state")].frames.values()]


@pytest.fixture
def salvaged(table):
    """Heron has the ledger of the wreck and 30 of salvage, with which it was refitted twice, for 31 each."""
    table.do("mara", HERON)
    table.do("handler", c.ReplaceFrame())
    table.do("mara", c.SalvageFrame(wreck_recovered=True, frame=frames(table)[0].frame_id))
    for attribute in ("armour", "armour"):
        table.do("mara", c.AllocatePoint(category="tuning", attribute=attribute))
    for _ in range(2):
        table.do("mara", c.Refit(category="tuning", from_attribute="armour", to_attribute="aim_assist"))
    return table


def test_what_an_upgrade_was_worth_later_goes_with_it(salvaged):
    """The heir kept a ledger of 305 and the refit that 30 of salvage had paid for."""
    struck, (wreck, heron) = without(salvaged, "advance_category")
    assert struck == ["advance_category", "replace_frame", "salvage_frame", "refit"]
    assert (wreck.status, wreck.upgrade_cost_total, wreck.refit_credit) == ("lost", 0, 0)
    assert (heron.upgrade_cost_total, heron.carried_cost, heron.refit_credit) == (0, 0, 0)


def test_what_was_paid_without_the_salvage_stays_when_a_refit_gives_it_back(salvaged):
    struck, (_, heron) = without(salvaged, "refit")
    assert struck == ["refit"]
    assert heron.refit_credit == 30


def test_the_credit_that_a_salvage_brought_goes_with_what_it_paid_for(salvaged):
    struck, frames_then = without(salvaged, "salvage_frame")
    assert struck == ["salvage_frame", "refit"]
    assert [each.refit_credit for each in frames_then] == [0, 0]
