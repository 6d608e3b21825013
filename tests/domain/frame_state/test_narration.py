"""Frame State in words that players read."""

import pytest

from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state import commands as c
from domain.systems.frame_state import events as e
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import AttributeModifier, TestDie
from tests.domain.frame_state.narration import told
from tests.domain.frame_state.table import Table

D4, D8 = TestDie(die="d4"), TestDie(die="d8")
AIM = TestDie(attribute="aim_assist")


@pytest.fixture
def table():
    table = Table(Settings(salvage="public"))
    table.pilot()
    return table


def rolled(table, faces, *, mark, dice=(D8,), modifiers=(), method="roll"):
    call = c.CallTest(mark=mark, test_type="proactive", dice=list(dice), modifiers=list(modifiers), method=method)
    table.do("handler", call)
    return told(table, table.do("mara", c.RollTest(), faces))[0]


def test_a_roll_is_one_line(table):
    assert rolled(table, [6], mark=5, modifiers=[1]) == "Mara rolled d8: 6 +1 for 7 against 5: critical"


def test_dropped_dice_and_the_ace_are_told(table):
    line = rolled(table, [4, 3], mark=6, dice=[D4, D8])
    assert line == "Mara rolled d4: 4 and d8: 3, keeping 4 and dropping 3, with an ace (+2), for 6 against 6: hit"


def test_attributes_are_named_with_what_they_bring(table):
    table.do("mara", c.AllocatePoint(category="tuning", attribute="aim_assist"))
    table.do("mara", c.AllocatePoint(category="tuning", attribute="armour"))
    table.do("handler", c.InstallExperimental(attribute="aim_assist", value=2))
    line = rolled(table, [3], mark=9, dice=[AIM], modifiers=[AttributeModifier("armour"), -1])
    assert line == "Mara rolled d4: 3+2 (aim assist) +1 (armour) -1 for 5 against 9: miss"


def test_with_experimental_parts_every_die_keeps_its_face_bonus_and_order(table):
    """Review, Frame State 5."""
    table.do("mara", c.AllocatePoint(category="tuning", attribute="aim_assist"))
    table.do("handler", c.InstallExperimental(attribute="aim_assist", value=3))
    line = rolled(table, [7, 2, 5], mark=9, dice=[D8, AIM, D8])
    assert line == (
        "Mara rolled d8: 7, d4: 2+3 (aim assist) and d8: 5, keeping 7 and dropping 5 and 5, for 7 against 9: miss"
    )


def test_a_test_that_is_called_off_and_what_came_of_one_name_whose(table):
    """Review, Frame State 5."""
    table.pilot("jun")
    jun = next(each for each, pilot in table.state.pilots.items() if pilot.name == "Jun")
    call = c.CallTest(mark=5, test_type="reactive", dice=[D8], pilot=jun)
    table.do("handler", call)
    assert told(table, table.do("handler", c.CancelTest())) == ["Jun's test was called off"]
    table.do("handler", call)
    table.do("jun", c.RollTest(), [3])
    [line] = told(table, table.do("handler", c.NarrateConsequence(consequence="Sparks.")))
    assert line == "What came of Jun's test: Sparks."
    [proposed] = table.do("jun", c.ProposeTest(dice=[D8]))
    turned_down = table.do("handler", c.CancelTest(test_id=proposed.proposal_id))
    assert told(table, turned_down) == ["The test that Jun proposed was turned down"]


def test_what_is_long_past_is_told_of_nobody(table):
    assert told(
        table, [e.TestCancelled("test-0123456789ab"), e.ConsequenceNarrated("test-0123456789ab", "Sparks.")]
    ) == [
        "A test was called off",
        "What came of it: Sparks.",
    ]


def test_one_credit_is_no_credits(table):
    lines = told(table, table.do("handler", c.AwardCurrency(amount=1, reason="luck")))
    assert lines == ["Mara was paid 1 credit (luck) and has 1,001"]


def test_an_average_is_told_as_one(table):
    line = rolled(table, [1], mark=5, dice=[D4, D8], method="avg")
    assert line == "Mara took the average of d4: 3 and d8: 5, keeping 5 and dropping 3, for 5 against 5: hit"


def test_a_blank_die_is_told(table):
    line = rolled(table, [1], mark=2, dice=[AIM], modifiers=[1])
    assert line == "Mara had no die to roll, only +1, for 1 against 2: miss"


def test_where_nothing_counts_nothing_is_listed(table):
    line = rolled(table, [1], mark=2, dice=[AIM])
    assert line == "Mara had no die to roll, for 0 against 2: miss"


def test_a_payout_of_nothing_is_not_told_as_owed(table):
    [pilot] = table.state.pilots
    table.do("handler", c.StartMission(name="Ebb"))
    lines = told(table, table.do("handler", c.ConcludeMission(payouts={pilot: 0})))
    assert lines == ["The mission “Ebb” was concluded"]


def test_a_hidden_mark_is_not_told(table):
    hidden = c.CallTest(mark=77, test_type="reactive", dice=[D8], mark_hidden=True)
    [line] = told(table, table.do("handler", hidden))
    assert line == "Mara has to react, a reactive test of d8 against a hidden mark"


def test_an_advance_is_told_with_its_price(table):
    lines = told(table, table.do("mara", c.AdvanceCategory(category="tuning", explanation="new parts")))
    assert lines == [
        "Mara paid 305 credits for an advance of tuning and has 695 left",
        "Mara advanced tuning to 21 points, 21 of them unspent (new parts)",
        "Upgrades of Frame of mara have cost 305 credits so far",
    ]


def test_a_mission_is_told_from_start_to_pay(table):
    [pilot] = table.state.pilots
    lines = told(table, table.do("handler", c.StartMission(name="Ebb")))
    lines += told(table, table.do("handler", c.ConcludeMission(payouts={pilot: 500})))
    [owed] = FRAME_STATE.due_commands(table.state)
    lines += told(table, table.do("worker", owed.command))
    assert lines == [
        "The mission “Ebb” began with Mara",
        "The mission “Ebb” was concluded, owing 500 credits to Mara",
        "Mara was paid 500 credits for the mission “Ebb” and has 1,500",
    ]


def test_a_loss_and_a_new_start_are_told(table):
    lines = told(table, table.do("handler", c.LoseFrame(cause="a harbour wall")))
    lines += told(table, table.do("mara", c.CreateUnit(kind="frame", name="Heron")))
    lines += told(table, table.do("mara", c.ReplaceFrame()))
    lines += told(table, table.do("handler", c.ReplaceFrame()))
    assert lines == [
        "Mara lost Frame of mara: a harbour wall",
        "Mara climbed into a new frame, Heron",
        "Mara asks to replace Frame of mara with Heron",
        "Heron replaced Frame of mara as the frame of Mara; upgrades on record: 0 credits",
    ]


def test_debts_are_told_as_debts(table):
    lines = told(table, table.do("handler", c.ChargeCurrency(amount=1200, reason="a harbour wall")))
    assert lines == ["Mara was charged 1,200 credits (a harbour wall) and owes 200"]
