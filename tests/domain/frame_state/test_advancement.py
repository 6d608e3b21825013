"""Advancement and the upgrade ledger (FS-11, FS-12)."""

import pytest

from domain.systems.frame_state import commands as c
from domain.systems.frame_state.settings import Settings
from projections.systems.frame_state.sheet import sheet
from tests.domain.frame_state.table import Table

TUNING = c.AdvanceCategory(category="tuning")
SKILLS = c.AdvanceCategory(category="skills")


@pytest.fixture
def table():
    table = Table()
    table.pilot()
    return table


def seen(table):
    [pilot] = table.state.pilots
    return sheet(table.state, pilot)


def test_an_advance_costs_its_price_and_gives_a_point(table):
    table.do("mara", TUNING)
    pool = seen(table).frames[0].pools["tuning"]
    assert (seen(table).currency, pool.maximum, pool.unspent, pool.advances_left) == (695, 21, 21, 2)


def test_the_price_does_not_rise(table):
    assert [table.do("mara", TUNING)[0].amount for _ in range(3)] == [305, 305, 305]


def test_a_category_is_advanced_a_finite_number_of_times(table):
    for _ in range(3):
        table.do("mara", TUNING)
    assert table.refusal("mara", TUNING) == "advance_limit_reached"


def test_the_ledger_of_the_frame_grows_in_sum_and_by_category(table):
    table.do("mara", TUNING)
    [*_, recorded] = table.do("mara", TUNING)
    frame = seen(table).frames[0]
    assert recorded.total_after == frame.upgrade_cost_total == 610
    assert frame.upgrade_costs == {"tuning": 610}


def test_a_pilots_category_leaves_the_ledger_alone(table):
    assert len(table.do("mara", SKILLS)) == 2
    assert seen(table).frames[0].upgrade_cost_total == 0


def test_what_one_cannot_pay_one_does_not_get(table):
    table.do("mara", SKILLS)
    assert table.refusal("mara", SKILLS) == "insufficient_currency"
    assert seen(table).currency == 100


def test_nothing_is_advanced_on_a_mission(table):
    table.do("handler", c.StartMission(name="Ebb"))
    assert table.refusal("mara", TUNING) == "mission_in_progress"


def test_the_handler_does_not_buy_for_a_player(table):
    assert table.refusal("handler", TUNING) == "not_your_pilot"


def test_the_handler_buys_for_a_pilot_without_player(table):
    [pilot] = table.state.pilots
    table.state.pilots[pilot].player_id = None
    assert table.do("handler", TUNING)
    assert table.refusal("mara", TUNING) == "not_your_pilot"


def test_without_a_frame_its_categories_wait(table):
    table.do("handler", c.LoseFrame())
    assert table.refusal("mara", TUNING) == "no_active_frame"


def test_debts_come_first_where_missions_cost(table):
    table.settings = Settings(mission_costs="public")
    table.do("handler", c.ChargeCurrency(amount=1200, reason="a harbour wall"))
    assert table.refusal("mara", TUNING) == "in_debt"


def test_an_unknown_category_names_the_known_ones(table):
    assert table.refusal("mara", c.AdvanceCategory(category="magic")) == "unknown_category"
