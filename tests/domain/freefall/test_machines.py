"""Machines that are damaged and come back, with a pilot and without (FF-6, FF-22; review, FREE/FALL 1)."""

from typing import get_args

import pytest

from domain import lifecycle_events
from domain.systems.freefall import FREEFALL, events
from domain.systems.freefall import commands as c
from domain.systems.freefall.settings import BrokenMachines, Settings
from domain.systems.freefall.state import Binding, FreefallState
from projections.narration import tell
from projections.systems.freefall.boards import turn
from tests.domain.freefall.table import Table, tags
from tests.fold import fold


@pytest.fixture
def table():
    table = Table()
    table.runner()
    return table


def a_machine(table: Table, *, aboard: bool = True) -> str:
    """A walker with FRM 2 and SYS 1, whose controls take 2 Mind."""
    [created] = table.do("gm", c.CreateMachine(name="Walker", frm=2, sys=1, pilot_binding=Binding(mind=2)))
    if aboard:
        table.do("kai", c.BoardMachine())
    return str(created.machine)


def hit(table: Table, levels: int) -> None:
    """The machine takes it all."""
    table.do("gm", c.AllocateMachineHarm(harm_type="physical", levels=levels))
    table.do("kai", c.AllocateMachineHarm(choices=[c.Allocation("machine")] * levels))


def test_a_machine_that_is_named_says_who_leaves_it(table):
    walker = a_machine(table)
    table.runner("noor")
    assert table.refusal("gm", c.LeaveMachine()) == "which_character"
    [left] = table.do("gm", c.LeaveMachine(machine=walker))
    assert left.character == next(iter(table.state.characters))


def test_armour_that_stops_nothing_is_not_told(table):
    walker = a_machine(table)
    table.state.machines[walker].av = {"physical": 2}
    table.do("gm", c.AllocateMachineHarm(harm_type="physical", levels=1))
    for event in table.do("kai", c.AllocateMachineHarm(choices=[c.Allocation("machine")])):
        assert "armour" not in str(tell(event, table.called))


def test_harm_that_only_a_machine_waits_for_is_taken_back_without_naming_it(table):
    a_machine(table)
    [called] = table.do("gm", c.AllocateMachineHarm(harm_type="physical", levels=1))
    assert table.refusal("gm", c.WithdrawHarm(call="harm-unheard-of")) == "unknown_call"
    [withdrawn] = table.do("gm", c.WithdrawHarm())
    assert withdrawn.call_id == called.call_id
    assert table.state.called == []


def test_a_gm_restores_a_machine_by_its_pilot_by_itself_or_because_there_is_only_one(table):
    walker = a_machine(table)
    hit(table, 2)
    kai = next(iter(table.state.characters))
    table.do("gm", c.RestoreAttribute(attribute="frm", amount=1, character=kai))
    table.do("kai", c.LeaveMachine())
    [back] = table.do("gm", c.RestoreAttribute(attribute="frm", amount=9))
    assert (back.machine, back.amount, back.current_after) == (walker, 1, 2)
    table.do("gm", c.CreateMachine(name="Boat", frm=1, sys=1))
    assert table.refusal("gm", c.RestoreAttribute(attribute="frm", amount=1)) == "which_machine"
    assert table.refusal("kai", c.RestoreAttribute(attribute="frm", amount=1, machine=walker)) == "not_the_gm"


def test_a_repair_of_a_machine_is_paid_takes_its_time_and_makes_it_whole(table):
    walker = a_machine(table)
    hit(table, 3)
    assert table.state.machines[walker].state == "broken"
    table.do("gm", c.AwardCredits(amount=100, reason="A job"))
    table.do("gm", c.StartRepair(item=walker, fixer="Jo", due=50, price=60, parts=["a hip joint"]))
    assert table.state.credits == {"crew": 40}
    assert table.refusal("gm", c.StartRepair(item=walker, fixer="Jo", due=50)) == "already_in_repair"
    assert [each.kind for each in FREEFALL.pending(table.state)] == ["record_requirement"]
    table.do("gm", c.RecordRequirement(action="a hip joint"))
    assert FREEFALL.pending(table.state) == []
    happened = tags(table.pass_time(60))
    assert happened == ["gear_repaired", "machine_attribute_restored"]
    machine = table.state.machines[walker]
    assert (machine.state, machine.frm.current, table.state.repairs) == ("functional", 2, {})


def test_a_cancelled_repair_of_a_machine_gives_the_price_back(table):
    walker = a_machine(table)
    hit(table, 1)
    table.do("gm", c.StartRepair(item=walker, fixer="Jo", due=50, price=60))
    table.do("gm", c.CancelRepair())
    assert (table.state.credits, table.state.machines[walker].frm.current) == ({"crew": 0}, 1)


def test_a_broken_machine_stays_with_what_the_setting_says():
    for broken_machines in get_args(BrokenMachines):
        table = Table(Settings(broken_machines=broken_machines))
        table.runner()
        walker = a_machine(table)
        hit(table, 3)
        table.follow(lifecycle_events.DowntimeEnded(downtime_id="d"))
        assert (table.state.machines[walker].state == "functional") is (broken_machines == "restore")


def test_downtime_passes_over_a_machine_that_is_with_a_fixer(table):
    walker = a_machine(table)
    hit(table, 1)
    table.do("gm", c.StartRepair(item=walker, fixer="Jo", due=50))
    table.follow(lifecycle_events.DowntimeEnded(downtime_id="d"))
    assert table.state.machines[walker].frm.current == 1


def test_a_machine_on_a_fixers_bench_is_not_boarded(table):
    walker = a_machine(table)
    hit(table, 1)
    table.do("kai", c.LeaveMachine())
    table.do("gm", c.StartRepair(item=walker, fixer="Jo", due=50))
    assert table.refusal("kai", c.BoardMachine()) == "machine_under_repair"
    table.game_time = 50
    table.do("gm", c.CompleteRepair(item=walker))
    table.do("kai", c.BoardMachine())


def test_a_machine_on_a_fixers_bench_does_not_fight_whoever_sits_in_it(table):
    """Gear there helps nobody either: no points of the machine, no harm that it takes for its pilot."""
    walker = a_machine(table)
    hit(table, 1)
    table.do("gm", c.StartRepair(item=walker, fixer="Jo", due=50))
    pays = c.Prerequisite(kind="spend", attribute="frm")
    assert table.refusal("kai", c.RollAction(tn=11, dice=1, prerequisite=pays)) == "prerequisite_not_met"
    table.do("gm", c.AllocateMachineHarm(harm_type="physical", levels=1))
    to_it = c.AllocateMachineHarm(choices=[c.Allocation("machine")])
    assert table.refusal("kai", to_it) == "machine_cannot_absorb"
    [waits] = [each for each in turn(table.state, str, table.settings).waits_for if not each.optional]
    assert "which Walker cannot take" in str(waits.told)
    assert waits.answers


def test_a_repair_mends_no_machine_that_stays_a_wreck_and_gives_the_price_back():
    """A machine that broke while it was repaired, where a broken one stays so."""
    table = Table(Settings(broken_machines="repair"))
    table.runner()
    walker = a_machine(table)
    table.do("gm", c.AwardCredits(amount=100, reason="pay"))
    hit(table, 3)
    table.do("gm", c.StartRepair(item=walker, fixer="Jo", due=50, price=40))
    table.settings = Settings(broken_machines="never")
    table.game_time = 50
    assert tags(table.do("worker", c.CompleteRepair(item=walker))) == ["repair_cancelled"]
    assert (table.state.machines[walker].state, table.state.credits["crew"]) == ("broken", 100)


def test_machines_stand_on_the_board_boarded_or_not(table):
    walker = a_machine(table, aboard=False)
    [stands] = turn(table.state, str, table.settings).machines
    assert (stands.machine_id, stands.name, stands.pilot, stands.state) == (walker, "Walker", None, "functional")
    table.do("kai", c.BoardMachine())
    hit(table, 1)
    table.do("gm", c.StartRepair(item=walker, fixer="Jo", due=50))
    [stands] = turn(table.state, str, table.settings).machines
    assert stands.pilot == next(iter(table.state.characters))
    assert (stands.frm.current, stands.frm.permanent, stands.repair_due) == (1, 2, 50)
    assert stands.pilot_binding == {"mind": 2}


def test_a_broken_machine_waits_for_no_one_without_a_pilot(table):
    walker = a_machine(table)
    kai = next(iter(table.state.characters))
    table.do("gm", c.AllocateMachineHarm(harm_type="physical", levels=1))
    table.state = FREEFALL.evolve(table.state, events.CharacterOusted(character=kai))
    assert [each.kind for each in FREEFALL.pending(table.state)] == ["decide_fate"]
    assert table.state.machines[walker].pilot is None


def test_a_timer_may_restore_a_machine_as_a_downtime_activity_orders_it(table):
    a_machine(table)
    hit(table, 1)
    ordered = c.RestoreAttribute(attribute="frm", amount=1)
    assert type(ordered) in FREEFALL.unattended
    [back] = table.do("worker", ordered)
    assert back.current_after == 2


def test_what_broke_and_was_mended_folds_the_same_whatever_is_struck(table):
    walker = a_machine(table)
    hit(table, 3)
    table.do("gm", c.StartRepair(item=walker, fixer="Jo", due=5))
    table.pass_time(9)
    for struck in range(len(table.actions)):
        standing = [each for nth, action in enumerate(table.actions) if nth != struck for each in action]
        state = fold(FREEFALL.evolve, FreefallState(), standing)
        for machine in state.machines.values():
            assert 0 <= machine.frm.current <= machine.frm.permanent
