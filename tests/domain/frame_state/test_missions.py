"""Missions, what they owe and what they cost (FS-C10, FS-W1), and money by hand (FS-C11)."""

import pytest

from domain.campaign.money.ledger import postings
from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state import commands as c
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import REMEMBERED, TestDie
from projections.systems.frame_state.sheet import sheet
from tests.domain.frame_state.narration import told
from tests.domain.frame_state.table import Table

START = c.StartMission(name="Ebb")


@pytest.fixture
def table():
    table = Table()
    table.pilot()
    table.pilot("jun")
    return table


def ids(table):
    """The pilots of Mara and Jun."""
    by_name = {each.name: each.character for each in FRAME_STATE.characters(table.state)}
    return by_name["Mara"], by_name["Jun"]


def pay(table):
    for owed in FRAME_STATE.due_commands(table.state):
        table.do("worker", owed.command)


def test_a_mission_is_everybodys_unless_it_says_whose(table):
    [started] = table.do("handler", START)
    assert started.pilots == sorted(ids(table))


def test_a_mission_binds_only_those_who_are_on_it(table):
    mara, jun = ids(table)
    table.do("handler", c.StartMission(name="Ebb", pilots=[mara]))
    assert sheet(table.state, mara).mission is not None
    assert table.do("jun", c.AdvanceCategory(category="tuning", pilot=jun))


def test_two_missions_run_at_once_for_different_pilots(table):
    for pilot in ids(table):
        table.do("handler", c.StartMission(name="Ebb", pilots=[pilot]))
    assert table.refusal("handler", c.ConcludeMission()) == "which_mission"


def test_nobody_is_on_two_missions(table):
    mara, _ = ids(table)
    table.do("handler", c.StartMission(name="Ebb", pilots=[mara]))
    assert table.refusal("handler", START) == "mission_already_running"


def test_a_conclusion_owes_and_a_worker_pays(table):
    mara, jun = ids(table)
    table.do("handler", START)
    table.do("handler", c.ConcludeMission(payouts={mara: 500, jun: 0}))
    [owed] = FRAME_STATE.due_commands(table.state)
    assert owed.subject == f"{table.state.missions[0].mission_id}:{mara}"
    assert table.state.pilots[mara].currency == 1000
    pay(table)
    assert table.state.pilots[mara].currency == 1500
    assert FRAME_STATE.due_commands(table.state) == []


def test_what_is_owed_names_the_conclusion_as_its_cause(table):
    mara, _ = ids(table)
    table.do("handler", START)
    conclusion = table.context("handler", None).action_id
    table.do("handler", c.ConcludeMission(payouts={mara: 500}))
    assert [owed.cause for owed in FRAME_STATE.due_commands(table.state)] == [conclusion]


def test_a_payout_is_posted_once(table):
    mara, _ = ids(table)
    table.do("handler", START)
    table.do("handler", c.ConcludeMission(payouts={mara: 500}))
    [owed] = FRAME_STATE.due_commands(table.state)
    table.do("worker", owed.command)
    assert table.refusal("worker", owed.command) == "payout_already_posted"


def test_a_payout_is_no_ones_to_post_but_the_workers(table):
    mara, _ = ids(table)
    table.do("handler", START)
    table.do("handler", c.ConcludeMission(payouts={mara: 500}))
    [owed] = FRAME_STATE.due_commands(table.state)
    assert table.refusal("handler", owed.command) == "only_a_worker"


def test_pilots_are_free_again_before_they_are_paid(table):
    mara, jun = ids(table)
    table.do("handler", START)
    table.do("handler", c.ConcludeMission(payouts={mara: 500, jun: 500}))
    assert table.do("mara", c.AdvanceCategory(category="tuning"))
    assert table.do("handler", START)


def test_years_of_missions_leave_a_bounded_memory(table):
    for _ in range(REMEMBERED + 3):
        table.do("handler", START)
        table.do("handler", c.ConcludeMission())
    assert table.state.missions == []
    assert len(table.state.settled_missions) == REMEMBERED


def test_a_mission_keeps_its_name_after_it_is_paid(table):
    [started] = table.do("handler", START)
    table.do("handler", c.ConcludeMission())
    assert FRAME_STATE.name(table.state, started.mission_id) == "Ebb"


def test_mission_costs_are_five_for_each_loss_and_tier(table):
    table.settings = Settings(mission_costs="public")
    mara, jun = ids(table)
    table.do("handler", START)
    costs = {mara: c.CostsDraft(3, [1, 2, 3]), jun: c.CostsDraft()}
    [_, charged] = table.do("handler", c.ConcludeMission(costs=costs))
    assert (charged.pilot, charged.amount) == (mara, 45)


def test_money_by_hand_runs_through_the_world(table):
    mara, _ = ids(table)
    [awarded] = table.do("handler", c.AwardCurrency(amount=5, reason="x", pilot=mara))
    [charged] = table.do("handler", c.ChargeCurrency(amount=7, reason="y", pilot=mara))
    [award], [charge] = postings(awarded), postings(charged)
    assert (award.debit, award.credit, award.reason) == ("world:award", f"pilot:{mara}", "award")
    assert (charge.debit, charge.credit, charge.reason) == (f"pilot:{mara}", "world:charge", "charge")


def test_starting_currency_is_an_entry_too(table):
    table.settings = Settings(starting_currency=40)
    [created] = table.do("ada", c.CreatePilot(name="Ada"))
    [posting] = postings(created)
    assert (posting.debit, posting.amount) == ("world:starting_currency", 40)


def test_tests_that_nobody_rolled_are_off_with_the_mission_and_it_says_whose_and_what(table):
    mara, jun = ids(table)
    table.do("handler", c.StartMission(name="Ebb", pilots=[mara]))
    for pilot in (mara, jun):
        table.do("handler", c.CallTest(pilot=pilot, mark=5, test_type="reactive", dice=[TestDie(die="d8")]))
    table.do("mara", c.ProposeTest(dice=[TestDie(attribute="smarts")], modifiers=[2]))
    events = table.do("handler", c.ConcludeMission())
    assert told(table, events[1:]) == [
        "With the mission “Ebb”, Mara's test of d8 is off",
        "With the mission “Ebb”, the test of smarts +2 that Mara proposed is off",
    ]
    assert [each.pilot for each in table.state.tests] == [jun]
    assert table.state.proposals == []
