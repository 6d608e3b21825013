"""The turn board: seats as they were taken, the order that follows from them, and what everybody waits for."""

from typing import Any

import pytest
from msgspec import structs

from domain.systems.freefall import commands as c
from domain.systems.freefall.events import ResolutionOrdered
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Attack
from projections.narration import tell
from projections.systems.freefall.boards import TurnBoard, turn
from tests.domain.freefall.table import Table
from tests.domain.system_table import person

GEAR = c.Prerequisite(kind="specialty", name="infiltration")


@pytest.fixture
def table():
    table = Table()
    table.runner()
    table.runner("noor")
    table.do("gm", c.SetTimeMode(mode="bullet"))
    table.do("gm", c.StartTurn(npcs=[c.Npc("guard")]))
    return table


def seen(table: Table) -> TurnBoard:
    names: dict[Any, str] = {person(who): who.title() for who in ("kai", "noor")}
    names |= {id_: each.name for id_, each in table.state.characters.items()}
    return turn(table.state, lambda thing: names.get(thing, str(thing)), table.settings)


def declare(table, who, id_, character=None):
    actions = [c.ActionDraft(dice=2, id=id_, tn=11)]
    table.do(who, c.DeclareActions(actions=actions, character=character))


def all_declare(table):
    declare(table, "gm", "bark", "guard")
    declare(table, "noor", "shoot")
    declare(table, "kai", "run")
    table.do("gm", c.OrderResolution())


def test_an_order_of_a_turn_that_an_undo_took_away_leaves_the_turn_of_now_as_it_is(table):
    all_declare(table)
    [ordered] = [event for event in table.events if isinstance(event, ResolutionOrdered)]
    table.happened([structs.replace(ordered, turn_id="an earlier turn", order=ordered.order[::-1])])
    assert table.state.board.order == ordered.order


def test_the_faster_side_of_a_conflict_acts_now_whatever_its_seat(table):
    all_declare(table)
    table.do("gm", c.ResolveConflict([c.Participant("run"), c.Participant("bark")]), [3, 4, 9, 9])
    assert [each.name for each in seen(table).seats if each.acts_now] == ["guard"]
    assert seen(table).acting == ["guard"]
    assert table.refusal("kai", c.RollAction(action="run", prerequisite=GEAR)) == "not_your_turn"
    table.do("gm", c.RollAction(action="bark"))
    assert [each.name for each in seen(table).seats if each.acts_now] == ["Kai"]


def test_nobody_acts_while_a_tie_of_the_seat_that_is_up_is_undecided(table):
    all_declare(table)
    table.do("gm", c.ResolveConflict([c.Participant("run"), c.Participant("bark")]), [9, 4, 9, 2])
    view = seen(table)
    assert (view.phase, view.acting) == ("resolving", [])


def test_a_simple_action_is_done_once_its_seat_is_up(table):
    def status() -> dict[str, str]:
        return {action.id: action.status for each in seen(table).seats for action in each.actions}

    for who, character in (("gm", "guard"), ("noor", None), ("kai", None)):
        simple = c.ActionDraft(dice=1, id=f"walk of {who}", kind="simple")
        rolled = c.ActionDraft(dice=1, id=f"roll of {who}", tn=11)
        table.do(who, c.DeclareActions(actions=[simple, rolled], character=character))
    assert {*status().values()} == {"declared"}
    table.do("gm", c.OrderResolution())
    assert [each for each, told in status().items() if told == "done"] == ["walk of kai"]
    table.do("kai", c.RollAction(action="roll of kai", prerequisite=GEAR))
    assert [each for each, told in status().items() if told == "done"] == ["walk of noor", "walk of kai"]


def test_an_attack_says_whom(table):
    attack = c.ActionDraft(dice=2, id="shoot", tn=11, attack=Attack(dv=2, target="guard"))
    declare(table, "gm", "bark", "guard")
    [declared] = table.do("noor", c.DeclareActions(actions=[attack]))
    declare(table, "kai", "run")
    table.do("gm", c.OrderResolution())
    table.do("kai", c.RollAction(action="run", prerequisite=GEAR))
    *_, hit = table.do("noor", c.RollAction(action="shoot", prerequisite=GEAR, attack=Attack(dv=2)), [15, 3])
    assert hit.target == "guard"
    assert "an attack on guard" in str(tell(declared, table.called))
    assert str(tell(hit, table.called)) == "Noor hit guard for 2 levels of physical harm"


def test_one_roll_has_one_complication(table):
    all_declare(table)
    table.do("kai", c.RollAction(action="run", prerequisite=GEAR), [2, 3])
    table.do("gm", c.IntroduceComplication(text="The rope snaps"))
    roll = table.state.rolls[-1].roll_id
    assert table.refusal("gm", c.IntroduceComplication(text="And the lamp goes out")) == "no_failure_and_no_flag"
    again = c.IntroduceComplication(text="And the lamp goes out", roll=roll)
    assert table.refusal("gm", again) == "already_complicated"


def test_seats_stand_in_the_order_of_declaration_and_the_undeclared_after_them(table):
    declare(table, "noor", "shoot")
    view = seen(table)
    assert (view.mode, view.scale, view.phase) == ("bullet", 16, "declaring")
    first, *others = view.seats
    assert (first.name, first.seat, first.resolves) == ("Noor", 1, None)
    assert {each.name for each in others} == {"Kai", "guard"}
    assert len(view.undeclared) == 2
    assert {(each.kind, each.name, each.waits_for_name) for each in view.waits_for} == {
        ("declare_actions", "Kai", "Kai"),
        ("declare_actions", "guard", None),
    }


def test_the_order_of_resolution_is_that_of_declaration_backwards(table):
    all_declare(table)
    view = seen(table)
    assert [each.name for each in view.seats] == ["guard", "Noor", "Kai"]
    assert [each.resolves for each in view.seats] == [3, 2, 1]
    assert [each.acts_now for each in view.seats] == [False, False, True]
    assert view.resolution == [each.actor for each in reversed(view.seats)]
    assert (view.phase, view.undeclared) == ("resolving", [])
    assert [(each.kind, each.subject, each.waits_for_name) for each in view.waits_for] == [
        ("roll_action", "run", "Kai")
    ]
    table.do("kai", c.RollAction(action="run", prerequisite=GEAR))
    assert [each.acts_now for each in seen(table).seats] == [False, True, False]
    table.do("noor", c.RollAction(action="shoot", prerequisite=GEAR))
    table.do("gm", c.RollAction(action="bark"))
    view = seen(table)
    assert (view.phase, view.acting) == ("done", [])
    assert [action.status for each in view.seats for action in each.actions] == ["rolled"] * 3


def test_a_tie_waits_for_its_players_with_both_sides_dice(table):
    all_declare(table)
    table.do("gm", c.ResolveConflict(participants=[c.Participant("shoot"), c.Participant("run")]), [15])
    [conflict] = seen(table).conflicts
    assert (conflict.tie, conflict.decided_by, conflict.first) == (True, "players", None)
    assert [(side.name, side.tied, side.naturals) for side in conflict.sides] == [
        ("Noor", True, [15, 15]),
        ("Kai", True, [15, 15]),
    ]
    table.do("noor", c.DecideTie(first="run"))
    [conflict] = seen(table).conflicts
    assert conflict.first_name == "Kai"


def tied(table, *sides):
    """The GM has some NPCs meet, each with one die, and all dice show the same; the conflict."""
    [rolled] = table.do("gm", c.ResolveConflict([c.Participant(each, dice=1, npc=True) for each in sides]), [7])
    assert rolled.tied == [*sides]
    return rolled.conflict_id


def test_the_tie_is_decided_that_is_named_or_else_the_newest_with_that_side_in_it(table):
    """FF-C10."""
    first, second = tied(table, "ash", "birch"), tied(table, "ash", "cedar")
    third = tied(table, "dogwood", "elm")
    assert table.refusal("gm", c.DecideTie(first="fir")) == "not_tied"
    assert table.refusal("gm", c.DecideTie(first="cedar", conflict=first)) == "not_tied"
    assert table.refusal("gm", c.DecideTie(first="ash", conflict=third)) == "not_tied"
    [decided] = table.do("gm", c.DecideTie(first="birch"))
    assert (decided.conflict_id, decided.first) == (first, "birch"), "the newer ones are not of birch"
    fourth = tied(table, "ash", "birch")
    [decided] = table.do("gm", c.DecideTie(first="ash"))
    assert (decided.conflict_id, decided.decided_by) == (fourth, "gm")
    fifth = tied(table, "cedar", "elm")
    [decided] = table.do("gm", c.DecideTie(first="cedar", conflict=second))
    assert decided.conflict_id == second
    assert {each.conflict_id: each.first for each in table.state.conflicts if each.first is None} == {
        third: None,
        fifth: None,
    }
    for conflict, side in ((third, "elm"), (fifth, "elm")):
        table.do("gm", c.DecideTie(first=side, conflict=conflict))
    assert table.refusal("gm", c.DecideTie(first="elm")) == "no_conflict"


def test_a_player_does_not_decide_a_tie_of_npcs_nor_a_gm_one_of_players(table):
    """FF-15."""
    tied(table, "ash", "birch")
    assert table.refusal("kai", c.DecideTie(first="ash")) == "wrong_decider"
    all_declare(table)
    table.do("gm", c.ResolveConflict(participants=[c.Participant("run"), c.Participant("bark")]), [15])
    assert table.refusal("gm", c.DecideTie(first="run")) == "wrong_decider"
    assert table.refusal("noor", c.DecideTie(first="run")) == "wrong_decider"
    [decided] = table.do("kai", c.DecideTie(first="bark"))
    assert decided.decided_by == "players"


def test_harm_on_its_way_shows_every_way_to_take_it(table):
    kai = next(id_ for id_, each in table.state.characters.items() if each.name == "Kai")
    table.hurt("kai", kai, permanent=2)
    table.do("gm", c.ReceiveHarm(harm_type="physical", levels=3, character=kai))
    [pending] = seen(table).pending_harm
    assert (pending.name, pending.harm.levels) == ("Kai", 1)
    assert [each.option for each in pending.harm.options] == ["A", "C"]
    [waiting] = [each for each in seen(table).waits_for if each.kind == "receive_harm"]
    assert (waiting.name, waiting.waits_for_name) == ("Kai", "Kai")


def test_whoever_left_the_story_is_not_waited_for(table):
    kai = next(id_ for id_, each in table.state.characters.items() if each.name == "Kai")
    table.hurt("kai", kai, permanent=3)
    view = seen(table)
    assert next(each for each in view.seats if each.name == "Kai").status == "ousted"
    assert kai not in view.undeclared
    assert {each.kind for each in view.waits_for if each.subject == kai} == {"decide_fate"}


def test_options_are_those_of_the_table_that_plays_by_type():
    table = Table(Settings(permanent_type="same"))
    kai = table.runner(gear=())
    table.harm("kai", kai, c.Choice(option="A"), harm_type="psychic")
    table.harm("kai", kai, c.Choice(option="A"), harm_type="physical")
    table.do("gm", c.ReceiveHarm(harm_type="physical", levels=1, character=kai))
    [pending] = seen(table).pending_harm
    assert [(each.option, each.slot) for each in pending.harm.options] == [("A", None), ("B", 2)]


def test_outside_bullet_time_nobody_sits_and_clocks_still_run(table):
    table.do("gm", c.SetTimeMode(mode="action"))
    table.do("gm", c.OpenClock(name="Lockdown", size=6))
    view = seen(table)
    assert (view.mode, view.scale, view.phase, view.turn_id, view.seats) == ("action", 4, "no_turn", None, [])
    assert [(each.name, each.filled, each.size) for each in view.clocks] == [("Lockdown", 0, 6)]
