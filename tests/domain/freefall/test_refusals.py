"""What the rules refuse: who may not, which one is meant, how many are enough, and choices that cannot be."""

import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.dice import DiceMismatch, TableDice
from domain.systems.freefall import FREEFALL
from domain.systems.freefall import commands as c
from domain.systems.freefall.creation import CHARACTERS_MAX, CLASSES_MAX
from domain.systems.freefall.gear import ITEMS_MAX
from domain.systems.freefall.harm_choices import CALLS_MAX
from domain.systems.freefall.machines import MACHINES_MAX
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.time_modes import CLOCKS_MAX
from tests.domain.freefall.table import ARMOUR, DECK, Table

A = c.Choice(option="A")
REFUSES = re.compile(r"(?:Rejection|Forbidden|Missing|_refuse)\(\s*\"([a-z_]+)\"")


@pytest.fixture
def table():
    return Table()


@pytest.fixture
def kai(table):
    return table.runner()


def many(found: dict[str, Any], count: int, field: str) -> None:
    """Copies of the first thing of a kind, until there are as many."""
    first = next(iter(found.values()))
    for nth in range(count - len(found)):
        copy = deepcopy(first)
        setattr(copy, field, f"copy-{nth}")
        found[f"copy-{nth}"] = copy


# --- enough is enough -------------------------------------------------------------------------------------------


def test_there_is_a_most_of_everything(table, kai):
    state = table.state
    state.classes = {f"class {nth}": [] for nth in range(CLASSES_MAX)}
    assert table.refusal("gm", c.DefineClass(class_="one more", specialties=[])) == "too_many_classes"
    assert table.refusal("gm", c.DefineClasses(preset="v7")) == "too_many_classes"
    state.classes = {}
    items = state.characters[kai].items
    for nth in range(ITEMS_MAX - len(items)):
        items[f"copy-{nth}"] = deepcopy(next(iter(items.values())))
    assert table.refusal("gm", c.AddGear(item=DECK, character=kai)) == "too_much_gear"
    many(state.characters, CHARACTERS_MAX, "character_id")
    newcomer = c.CreateCharacter(name="One more", permanents={"body": 1, "mind": 1, "ghost": 1}, class_="Runner")
    assert table.refusal("gm", newcomer) == "too_many_characters"


def test_there_is_a_most_of_machines_and_clocks(table):
    table.do("gm", c.CreateMachine(name="Mule", frm=3, sys=2))
    many(table.state.machines, MACHINES_MAX, "machine_id")
    assert table.refusal("gm", c.CreateMachine(name="One more", frm=1, sys=1)) == "too_many_machines"
    table.do("gm", c.OpenClock(name="Alarm", size=4))
    many(table.state.clocks, CLOCKS_MAX, "clock_id")
    assert table.refusal("gm", c.OpenClock(name="One more", size=4)) == "too_many_clocks"


def test_no_more_harm_is_called_than_anybody_could_keep_apart(table, kai):
    for _ in range(CALLS_MAX):
        table.do("gm", c.ReceiveHarm(harm_type="psychic", levels=1, character=kai))
    assert table.refusal("gm", c.ReceiveHarm(harm_type="psychic", levels=1, character=kai)) == "too_much_harm"


# --- which one is meant -----------------------------------------------------------------------------------------


def test_what_is_left_out_must_be_clear(table, kai):
    noor = table.runner("noor")
    assert table.refusal("gm", c.RestoreAttribute(attribute="body", amount=1)) == "which_character"
    for name in ("Mule", "Ox"):
        table.do("gm", c.CreateMachine(name=name, frm=3, sys=2))
    assert table.refusal("kai", c.BoardMachine()) == "which_machine"
    for name in ("Alarm", "Fire"):
        table.do("gm", c.OpenClock(name=name, size=4))
    assert table.refusal("gm", c.CloseClock()) == "which_clock"
    for who in (kai, noor):
        table.do("gm", c.ReceiveHarm(harm_type="psychic", levels=1, character=who))
    assert table.refusal("gm", c.WithdrawHarm()) == "which_call"


def test_a_treatment_must_be_named_where_several_run(table, kai):
    table.hurt("kai", kai, permanent=2)
    for slot in (1, 2):
        table.do("gm", c.StartTreatment(slot=slot, method="clinic", due=0))
    for command in (c.CompleteTreatment(), c.CancelTreatment(), c.RecordRequirement(action="a favour")):
        assert table.refusal("gm", command) == "which_treatment"


# --- choices: too many, too few, impossible, by the wrong person ------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (c.ReceiveHarm(), "one_choice_per_level"),
        (c.ReceiveHarm(choices=[]), "one_choice_per_level"),
        (c.ReceiveHarm(choices=[A]), "one_choice_per_level"),
        (c.ReceiveHarm(choices=[A, A, A]), "one_choice_per_level"),
        (c.ReceiveHarm(choices=[A, c.Choice()]), "one_choice_per_level"),
        (c.ReceiveHarm(choices=[A, A], spend=1), "one_choice_per_level"),
        (c.ReceiveHarm(spend=3), "more_than_needed"),
        (c.ReceiveHarm(spend=7), "insufficient_attribute"),
        (c.ReceiveHarm(spend=-1), "insufficient_attribute"),
        (c.ReceiveHarm(choices=[c.Choice(option="B", slot=1), A]), "slot_not_temporary"),
        (c.ReceiveHarm(choices=[A, c.Choice(option="B", slot=2)]), "slot_not_temporary"),
        (c.ReceiveHarm(choices=[A, c.Choice(option="B", slot=0)]), "slot_not_temporary"),
        (c.ReceiveHarm(choices=[A, c.Choice(option="B")]), "slot_not_temporary"),
        (c.ReceiveHarm(choices=[A, c.Choice(option="C")]), "item_not_bound_to_attribute"),
        (c.ReceiveHarm(choices=[A, c.Choice(option="C", item="a spoon")]), "item_not_bound_to_attribute"),
        (c.ReceiveHarm(call="call-of-nobody", choices=[A, A]), "unknown_call"),
        (c.ReceiveHarm(harm_type="psychic", choices=[A, A]), "harm_incomplete"),
        (c.AllocateMachineHarm(choices=[]), "no_harm_pending"),
    ],
)
def test_choices_that_do_not_fit_the_harm_are_refused_and_it_still_waits(table, kai, answer, code):
    table.do("gm", c.ReceiveHarm(harm_type="psychic", levels=2, character=kai))
    assert table.refusal("kai", answer) == code
    assert [each.kind for each in FREEFALL.pending(table.state)] == ["receive_harm"]


def test_breaking_the_same_thing_twice_is_no_choice(table, kai):
    deck = c.Choice(option="C", item=table.item(kai, "Deck"))
    table.do("gm", c.ReceiveHarm(harm_type="psychic", levels=2))
    assert table.refusal("kai", c.ReceiveHarm(choices=[deck, deck])) == "item_already_broken"


def test_nobody_but_its_owner_answers_harm(table, kai):
    noor = table.runner("noor")
    table.do("gm", c.ReceiveHarm(harm_type="psychic", levels=1, character=kai))
    assert table.refusal("noor", c.ReceiveHarm(choices=[A], character=kai)) == "not_your_choice"
    assert table.refusal("gm", c.ReceiveHarm(choices=[A], character=kai)) == "not_your_choice"
    assert table.refusal("observer", c.ReceiveHarm(choices=[A], character=kai)) == "observers_only_watch"
    assert table.refusal("kai", c.ReceiveHarm(harm_type="psychic", levels=1, character=noor)) == "harm_not_called"
    assert table.refusal("noor", c.WithdrawHarm()) == "not_the_gm"


def test_a_table_that_plays_by_type_turns_the_same_type_permanent_first():
    table = Table(Settings(permanent_type="same"))
    kai = table.runner(gear=())
    table.harm("kai", kai, A, harm_type="psychic")
    table.harm("kai", kai, A, harm_type="physical")
    table.do("gm", c.ReceiveHarm(harm_type="physical", levels=1))
    assert table.refusal("kai", c.ReceiveHarm(choices=[c.Choice(option="B", slot=1)])) == "harm_type_differs"
    assert table.do("kai", c.ReceiveHarm(choices=[c.Choice(option="B", slot=2)]))


def test_a_machines_levels_are_all_allocated_by_its_pilot(table, kai):
    table.runner("noor")
    table.do("gm", c.CreateMachine(name="Mule", frm=1, sys=1))
    table.do("kai", c.BoardMachine())
    table.do("gm", c.AllocateMachineHarm(harm_type="physical", levels=2))
    machine, myself = c.Allocation(to="machine"), c.Allocation(to="pilot", choice=A)
    for allocations in ([], [machine], [machine, myself, myself], [machine, c.Allocation(to="pilot")]):
        assert table.refusal("kai", c.AllocateMachineHarm(choices=allocations)) == "one_choice_per_level"
    assert table.refusal("noor", c.AllocateMachineHarm(choices=[machine, myself])) == "not_your_choice"
    assert table.refusal("kai", c.ReceiveHarm(choices=[A, A])) == "no_harm_pending"
    assert table.do("kai", c.AllocateMachineHarm(choices=[machine, myself]))
    spend = c.Allocation(to="pilot", choice=c.Choice(spend=True))
    table.do("gm", c.RestoreAttribute(attribute="ghost", amount=1, character=kai))
    table.do("gm", c.AllocateMachineHarm(harm_type="compromise", levels=1))
    assert table.refusal("kai", c.AllocateMachineHarm(choices=[machine])) == "machine_cannot_absorb"
    assert table.do("kai", c.AllocateMachineHarm(choices=[spend]))


# --- dice that do not fit ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "typed", [[], [(20, 12)], [(20, 12), (20, 3), (20, 4)], [(20, 12), (6, 3)], [(20, 12), (20, 21)], [(20, 0)]]
)
def test_table_dice_must_be_those_of_the_roll(table, kai, typed):
    dice = TableDice(typed)

    def rolled() -> None:
        FREEFALL.decide(table.state, table.context("kai", c.RollAction(dice=2, tn=11)), dice)
        dice.finish()

    with pytest.raises(DiceMismatch):
        rolled()


def test_refused_before_the_first_die_falls(table, kai):
    """What is not allowed is refused although the dice typed would not fit either."""
    assert table.refusal("kai", c.RollAction(dice=9, tn=11)) == "pool_exceeded"
    noor = table.runner("noor")
    assert table.refusal("kai", c.RollAction(dice=1, tn=11, character=noor)) == "not_your_character"
    assert table.refusal("kai", c.RollAction(dice=1)) == "tn_missing"


@pytest.mark.parametrize(
    "body",
    [
        {"type": "freefall.receive_harm", "harm_type": "boredom", "levels": 1},
        {"type": "freefall.receive_harm", "harm_type": "psychic", "levels": 0},
        {"type": "freefall.receive_harm", "choices": [{"option": "D"}]},
        {"type": "freefall.receive_harm", "choices": [{"option": "A", "really": True}]},
        {"type": "freefall.set_time_mode", "mode": "slow"},
        {"type": "freefall.roll_action", "dice": 0, "tn": 11},
        {"type": "freefall.define_classes", "preset": "v8"},
        {"type": "freefall.add_gear", "item": {"name": "Plate", "binding": {"body": -1}}},
        {"type": "freefall.decide_fate", "fate": "promoted"},
    ],
)
def test_a_command_that_means_nothing_cannot_be_read(body):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(body, FREEFALL.commands)


def test_every_code_that_the_rules_refuse_with_is_tried_in_a_test_or_a_vector():
    here = Path(__file__).parent
    rules = (here.parents[2] / "domain" / "systems" / "freefall").glob("*.py")
    tried = "".join(
        path.read_text("utf-8")
        for path in (*here.glob("*.py"), *(here.parent / "vectors").glob("freefall*.jsonl"))
    )
    codes = {code for path in rules for code in REFUSES.findall(path.read_text("utf-8"))}
    assert len(codes) > 100
    assert {code for code in codes if f'"{code}"' not in tried} == set()


def test_gear_of_others_is_not_found_with_them(table, kai):
    noor = table.runner("noor", gear=[ARMOUR])
    armour = table.item(noor, "Armour")
    assert table.refusal("kai", c.Unequip(item=armour, character=kai)) == "unknown_item"
    assert table.refusal("kai", c.Unequip(item=armour)) == "not_your_character"
