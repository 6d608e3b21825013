"""Turns: everyone declares, then the last to declare acts first (FF-7, FF-8, FF-14, FF-15)."""

import pytest
from msgspec import structs

from domain.systems.freefall import FREEFALL
from domain.systems.freefall import commands as c
from domain.systems.freefall.state import REMEMBERED
from domain.systems.freefall.turn_board import CONFLICTS_MAX
from projections.systems.freefall.sheet import sheet
from tests.domain.freefall.table import Table, tags
from tests.scripted_dice import ScriptedDice

GEAR = c.Prerequisite(kind="specialty", name="infiltration")


@pytest.fixture
def table():
    table = Table()
    table.runner()
    table.runner("noor")
    table.do("gm", c.SetTimeMode(mode="bullet"))
    table.do("gm", c.StartTurn(npcs=[c.Npc("guard")]))
    return table


def declare(table, who, *ids, group=None):
    character = "guard" if who == "gm" else None
    actions = [c.ActionDraft(dice=2, id=id_, tn=11) for id_ in ids]
    return table.do(who, c.DeclareActions(actions=actions, character=character, group=group))


def all_declare(table):
    for who, action in (("gm", "bark"), ("kai", "run"), ("noor", "shoot")):
        declare(table, who, action)
    table.do("gm", c.OrderResolution())


def test_the_last_to_declare_acts_first(table):
    all_declare(table)
    assert table.refusal("kai", c.RollAction(action="run", prerequisite=GEAR)) == "not_your_turn"
    assert table.do("noor", c.RollAction(action="shoot", prerequisite=GEAR))
    assert table.do("kai", c.RollAction(action="run", prerequisite=GEAR))
    assert table.do("gm", c.RollAction(action="bark"))


def test_nothing_resolves_before_everyone_has_declared(table):
    declare(table, "kai", "run")
    assert table.refusal("gm", c.OrderResolution()) == "someone_undeclared"
    assert table.refusal("kai", c.RollAction(action="run", prerequisite=GEAR)) == "not_your_turn"


def test_an_abandoned_action_lets_the_others_go_on(table):
    all_declare(table)
    table.do("noor", c.AbandonAction(action="shoot"))
    assert table.do("kai", c.RollAction(action="run", prerequisite=GEAR))


def test_a_group_shares_a_seat_and_orders_itself(table):
    declare(table, "gm", "bark")
    declare(table, "kai", "run", group="pack")
    [noor] = declare(table, "noor", "shoot", group="pack")
    assert noor.seat == 2
    table.do("gm", c.OrderResolution())
    assert table.do("noor", c.RollAction(action="shoot", prerequisite=GEAR))
    assert table.do("kai", c.RollAction(action="run", prerequisite=GEAR))


def test_conflict_dice_are_read_twice(table):
    all_declare(table)
    sides = [c.Participant("shoot", prerequisite=GEAR), c.Participant("bark", bonus=1)]
    [conflict] = table.do("gm", c.ResolveConflict(participants=sides), [15, 4, 16, 2])
    assert (conflict.first, conflict.highest) == ("bark", {"shoot": 15, "bark": 17})
    assert table.refusal("noor", c.RollAction(action="shoot")) == "not_your_turn"
    [rolled] = table.do("gm", c.RollAction(action="bark"))
    assert (rolled.naturals, rolled.results, rolled.successes) == ([16, 2], [17, 3], 1)
    [rolled, *_] = table.do("noor", c.RollAction(action="shoot"))
    assert (rolled.naturals, rolled.prerequisite) == ([15, 4], "paid")


def test_a_tie_holds_both_until_the_players_decide(table):
    all_declare(table)
    sides = [c.Participant("shoot"), c.Participant("run")]
    table.do("gm", c.ResolveConflict(participants=sides), [15])
    assert table.refusal("noor", c.RollAction(action="shoot", prerequisite=GEAR)) == "tie_undecided"
    assert table.refusal("gm", c.DecideTie(first="run")) == "wrong_decider"
    table.do("noor", c.DecideTie(first="run"))
    assert table.do("kai", c.RollAction(action="run", prerequisite=GEAR))


def test_a_tool_counts_in_the_clash_as_in_the_roll(table):
    kai = next(id_ for id_, each in table.state.characters.items() if each.name == "Kai")
    hack = c.ActionDraft(dice=1, id="hack", tag="hack", tn=11)
    table.do("kai", c.DeclareActions(actions=[hack]))
    declare(table, "noor", "shoot")
    declare(table, "gm", "bark")
    table.do("gm", c.OrderResolution())
    sides = [c.Participant("hack"), c.Participant("bark", bonus=1)]
    [conflict] = table.do("gm", c.ResolveConflict(participants=sides), [15, 15, 3])
    assert (conflict.highest, conflict.gear_bonuses) == ({"hack": 17, "bark": 16}, {"hack": 2})
    deck = c.Prerequisite(kind="gear", item=table.item(kai, "Deck"))
    [rolled] = table.do("kai", c.RollAction(action="hack", prerequisite=deck))
    assert (rolled.results, rolled.bonus) == ([17], 2)


def test_a_natural_one_in_a_clash_without_declarations_is_flagged_too():
    table = Table()
    sides = [c.Participant("crowd", 1, npc=True), c.Participant("wind", 2, npc=True)]
    table.do("gm", c.ResolveConflict(participants=sides), [12, 8, 2])
    assert table.refusal("gm", c.IntroduceComplication(text="A sail tears.")) == "no_failure_and_no_flag"
    [conflict] = table.do("gm", c.ResolveConflict(participants=sides), [12, 1, 8])
    [complication] = table.do("gm", c.IntroduceComplication(text="A sail tears."))
    assert complication.roll == conflict.conflict_id


def test_a_complication_decided_again_is_of_the_roll_that_it_was_of():
    """A later roll, which had one already, must not take its place."""
    table = Table()
    sides = [c.Participant("crowd", 1, npc=True), c.Participant("wind", 2, npc=True)]
    first, later = (table.do("gm", c.ResolveConflict(participants=sides), [12, 1, 8])[0] for _ in range(2))
    [of_later] = table.do("gm", c.IntroduceComplication(text="A sail tears."))
    tears = c.IntroduceComplication(text="A mast breaks.")
    context = structs.replace(table.context("gm", tears), meant_ids=list)
    [of_first] = table.do("gm", tears)
    assert (of_later.roll, of_first.roll) == (later.conflict_id, first.conflict_id)
    again = structs.replace(context, outcome=[of_first], filled={})
    assert FREEFALL.decide(table.state, again, ScriptedDice([])) == [of_first]


def test_harm_in_the_middle_of_a_turn_costs_dice_from_the_next(table):
    kai = next(iter(table.state.characters))
    who = "kai" if table.state.characters[kai].name == "Kai" else "noor"
    table.harm(who, kai, c.Choice(option="A"))
    view = sheet(table.state, kai, table.settings)
    assert view.turn is not None
    assert (view.turn.dice_pool, view.dice_pool) == (5, 4)
    assert [each.dice_pool for each in table.do("gm", c.StartTurn())].count(4) == 1


def test_leaving_bullet_time_clears_the_board(table):
    table.do("gm", c.SetTimeMode(mode="narrative"))
    assert table.state.board is None
    assert tags(table.do("kai", c.RollAction(dice=1, tn=11))) == ["action_rolled"]


def test_years_of_rolls_and_turns_leave_a_bounded_memory(table):
    table.do("gm", c.SetTimeMode(mode="narrative"))
    for _ in range(REMEMBERED + 3):
        table.do("kai", c.RollAction(dice=1, tn=11))
        table.do("gm", c.ResolveConflict(participants=[c.Participant("a", 1), c.Participant("b", 1)]))
    assert len(table.state.rolls) == REMEMBERED
    assert len(table.state.conflicts) == CONFLICTS_MAX


def test_what_was_accepted_before_the_rulings_on_tools_and_tns_is_decided_again_as_it_was():
    """Review, FREE/FALL 2 and 3: they change what is accepted from now on, not what is undone and redone."""
    table = Table()
    kai = table.runner()
    bare = c.RollAction(dice=1, tn=11, prerequisite=c.Prerequisite(kind="gear", item=table.item(kai, "Deck")))
    table.do("gm", c.SetTimeMode(mode="bullet"))
    assert table.refusal("kai", bare) == "prerequisite_not_met"
    again = structs.replace(table.context("kai", bare), meant_ids=list)
    assert [each.successes for each in FREEFALL.decide(table.state, again, ScriptedDice([12]))] == [1]


def test_an_order_is_set_once_a_turn():
    """It may not be sent again while its actions resolve."""
    table = Table()
    table.runner()
    table.do("gm", c.SetTimeMode(mode="bullet"))
    table.do("gm", c.StartTurn())
    table.do("kai", c.DeclareActions(actions=[c.ActionDraft(dice=2), c.ActionDraft(dice=1)]))
    table.do("gm", c.OrderResolution())
    assert table.refusal("gm", c.OrderResolution()) == "order_already_set"
