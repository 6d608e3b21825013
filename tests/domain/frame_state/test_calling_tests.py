"""Before and after the roll (FS-5, FS-7)."""

import pytest
from msgspec import structs

from domain.rejection import Rejection
from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state import commands as c
from domain.systems.frame_state.state import REMEMBERED, TestDie
from domain.systems.frame_state.test_calls import OPEN_TESTS_MAX
from projections.systems.frame_state.sheet import sheet
from tests.domain.frame_state.table import Table
from tests.domain.system_table import person
from tests.scripted_dice import ScriptedDice

D8 = TestDie(die="d8")
CALL = c.CallTest(mark=5, test_type="reactive", dice=[D8])


@pytest.fixture
def table():
    table = Table()
    table.pilot()
    return table


def test_a_reactive_test_is_started_by_the_handler(table):
    [called] = table.do("handler", CALL)
    assert called.initiator == "handler"


def test_a_proactive_test_is_started_by_the_pilot(table):
    [called] = table.do("handler", c.CallTest(mark=5, test_type="proactive", dice=[D8]))
    assert called.initiator == "pilot"


def test_a_hidden_mark_is_taken_out_for_players(table):
    [called] = table.do("handler", c.CallTest(mark=5, test_type="reactive", dice=[D8], mark_hidden=True))
    assert called.mark == 5
    assert FRAME_STATE.redact(called).mark is None


def test_a_hidden_mark_is_not_on_the_sheet(table):
    table.do("handler", c.CallTest(mark=5, test_type="reactive", dice=[D8], mark_hidden=True))
    [pilot] = table.state.pilots
    assert [test.mark for test in sheet(table.state, pilot).open_tests] == [None]


def test_an_open_mark_is_not_taken_out(table):
    [called] = table.do("handler", CALL)
    assert FRAME_STATE.redact(called) == called


def test_a_proposal_becomes_the_test_it_asked_for(table):
    table.do("mara", c.ProposeTest(dice=[D8], modifiers=[1]))
    [waiting] = table.state.proposals
    [called] = table.do("handler", c.CallTest(mark=6, proposal=waiting.proposal_id))
    assert (called.test_type, called.dice, called.modifiers) == ("proactive", [D8], [1])
    assert table.state.proposals == []


def test_what_a_pilot_proposes_is_proactive(table):
    """Called reactive, the draw and the fumble went against what the pilot began (FS-5)."""
    table.do("mara", c.ProposeTest(dice=[D8]))
    [waiting] = table.state.proposals
    reactive = c.CallTest(mark=6, proposal=waiting.proposal_id, test_type="reactive")
    assert table.refusal("handler", reactive) == "proposal_is_proactive"
    context = structs.replace(table.context("handler", reactive), meant_ids=lambda: [waiting.proposal_id])
    [of_old] = FRAME_STATE.decide(table.state, context, ScriptedDice([]))
    assert of_old.test_type == "reactive"
    [called] = table.do("handler", structs.replace(reactive, test_type="proactive"))
    assert called.initiator == "pilot"


def test_a_newer_proposal_replaces_an_older_one(table):
    table.do("mara", c.ProposeTest(dice=[D8]))
    table.do("mara", c.ProposeTest(dice=[TestDie(die="d4")]))
    assert [each.dice[0].die for each in table.state.proposals] == ["d4"]


def test_the_table_waits_for_the_player_and_for_the_handler(table):
    table.do("handler", CALL)
    table.do("mara", c.ProposeTest(dice=[D8]))
    waiting = [(each.kind, each.waits_for) for each in FRAME_STATE.pending(table.state)]
    assert waiting == [("roll_test", person("mara")), ("call_test", None)]


def test_two_open_tests_want_a_name(table):
    table.do("handler", CALL)
    table.do("handler", CALL)
    assert table.refusal("mara", c.RollTest()) == "which_test"


def test_the_own_open_test_comes_first(table):
    [mara] = table.state.pilots
    jun = table.pilot("jun")
    table.do("handler", c.CallTest(mark=5, test_type="reactive", dice=[D8], pilot=mara))
    table.do("handler", c.CallTest(mark=5, test_type="reactive", dice=[D8], pilot=jun))
    [resolved] = table.do("jun", c.RollTest())
    assert resolved.pilot == jun


def test_nobody_waits_for_more_rolls_than_a_table_can_make(table):
    for _ in range(OPEN_TESTS_MAX):
        table.do("handler", CALL)
    assert table.refusal("handler", CALL) == "too_many_open_tests"


def test_only_the_last_settled_tests_are_remembered(table):
    [first] = table.do("handler", CALL)
    table.do("mara", c.RollTest())
    for _ in range(REMEMBERED):
        table.do("handler", CALL)
        table.do("handler", c.CancelTest())
    assert len(table.state.settled_tests) == REMEMBERED
    assert table.refusal("mara", c.RollTest(test_id=first.test_id)) == "unknown_test"


def test_a_consequence_belongs_to_the_last_roll(table):
    assert table.refusal("handler", c.NarrateConsequence(consequence="Sparks.")) == "test_not_resolved"
    [called] = table.do("handler", CALL)
    table.do("mara", c.RollTest())
    [told] = table.do("handler", c.NarrateConsequence(consequence="Sparks."))
    assert told.test_id == called.test_id


def test_an_unknown_test_has_no_consequence(table):
    command = c.NarrateConsequence(consequence="Sparks.", test_id="test-0")
    assert table.refusal("handler", command) == "unknown_test"


def test_an_old_command_whose_pilot_is_gone_asks_nobody_which_one_is_meant(table):
    """Review, Frame State 5: the preview of an undo gave "Say which pilot you mean" as a reason."""
    for who in ("mara", "jun"):
        table.do(who, c.CreatePilot(name=who.title()))
    award = c.AwardCurrency(amount=5, reason="luck")
    assert table.refusal("handler", award) == "which_pilot"
    context = structs.replace(table.context("handler", award), meant_ids=lambda: ["pilot-0123456789ab"])
    with pytest.raises(Rejection) as refused:
        FRAME_STATE.decide(table.state, context, ScriptedDice([]))
    assert refused.value.code == "other_subject"
