"""Harm as choices: called by a GM, answered by its owner, level by level (FF-16 to FF-20)."""

import pytest

from domain.systems.freefall import FREEFALL
from domain.systems.freefall import commands as c
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import FreefallState
from projections.systems.freefall.sheet import sheet
from tests.domain.freefall.table import LIMB, Table, tags
from tests.domain.system_table import person

A = c.Choice(option="A")


def B(slot):  # noqa: N802 — the rulebook's letter
    return c.Choice(option="B", slot=slot)


@pytest.fixture
def table():
    return Table()


@pytest.fixture
def kai(table):
    return table.runner()


def test_harm_waits_for_its_owner_and_shows_their_options(table, kai):
    table.do("gm", c.ReceiveHarm(harm_type="physical", levels=4))
    [pending] = FREEFALL.pending(table.state)
    assert (pending.kind, pending.waits_for) == ("receive_harm", person("kai"))
    [view] = sheet(table.state, kai, table.settings).pending_harm
    assert (view.levels, view.spend_max) == (2, 2)
    assert [each.option for each in view.options] == ["A", "C"]
    events = table.do("kai", c.ReceiveHarm(spend=1, choices=[A]))
    assert tags(events) == ["harm_suffered", "attribute_spent", "harm_marked"]
    assert FREEFALL.pending(table.state) == []


def test_a_player_is_warned_before_the_last_slot_turns_permanent(table, kai):
    table.hurt("kai", kai, permanent=2, temporary=1)
    [called] = table.do("gm", c.ReceiveHarm(harm_type="psychic", levels=1))
    assert called.will_oust
    [view] = sheet(table.state, kai, table.settings).pending_harm
    assert [each.will_oust for each in view.options] == [True, False]
    events = table.do("kai", c.ReceiveHarm(choices=[B(3)]))
    assert tags(events)[-1] == "character_ousted"
    assert sheet(table.state, kai, table.settings).status == "ousted"


@pytest.mark.parametrize(
    ("permanent", "temporary", "fewest"), [(0, 0, 6), (0, 3, 3), (1, 0, 4), (1, 1, 3), (2, 1, 1)]
)
def test_a_player_is_warned_when_several_levels_together_could_end_it(table, kai, permanent, temporary, fewest):
    table.hurt("kai", kai, permanent=permanent, temporary=temporary)
    for levels in (fewest - 1, fewest):
        if levels:
            table.do("gm", c.ReceiveHarm(harm_type="psychic", levels=levels))
            [view] = sheet(table.state, kai, table.settings).pending_harm
            assert view.may_oust == (levels == fewest)
            table.do("gm", c.WithdrawHarm())
    choices = [B(slot + 1) for slot in range(permanent, permanent + temporary)]
    for slot in range(permanent + temporary, 3):
        choices += [A, B(slot + 1)]
    assert len(choices) == fewest
    assert tags(table.harm("kai", kai, *choices))[-1] == "character_ousted"


def test_an_ousted_character_waits_for_their_fate_alone(table, kai):
    table.hurt("kai", kai, permanent=3)
    assert [each.kind for each in FREEFALL.pending(table.state)] == ["decide_fate"]
    table.do("kai", c.DecideFate(fate="retired"))
    assert FREEFALL.pending(table.state) == []


def test_a_forced_choice_has_no_empty_slot(table, kai):
    table.hurt("kai", kai, temporary=3)
    table.do("gm", c.ReceiveHarm(harm_type="psychic", levels=1))
    assert table.refusal("kai", c.ReceiveHarm(choices=[A])) == "no_empty_slot"
    broken = table.do("kai", c.ReceiveHarm(choices=[c.Choice(option="C", item=table.item(kai, "Deck"))]))
    assert tags(broken) == ["harm_suffered", "gear_broken"]
    mind = sheet(table.state, kai, table.settings).attributes["mind"]
    assert (mind.permanent, mind.maximum) == (8, 6)


def test_one_harm_may_fill_a_slot_and_turn_it_permanent(table, kai):
    events = table.harm("kai", kai, A, B(1))
    assert tags(events) == ["harm_suffered", "harm_marked", "harm_made_permanent"]
    assert events[1].harm_id == events[2].harm_id


def test_a_hardened_limb_fails_then_breaks_and_recovers_only_from_the_first():
    table = Table()
    kai = table.runner(gear=[LIMB])
    limb = table.item(kai, "Limb")
    fail = c.Choice(option="C", item=limb)
    assert tags(table.harm("kai", kai, fail, harm_type="physical")) == ["harm_suffered", "gear_faulted"]
    assert "gear_self_repaired" in tags(table.do("gm", c.Regroup()))
    assert tags(table.harm("kai", kai, fail, fail, harm_type="physical"))[1:] == ["gear_faulted", "gear_broken"]
    assert "gear_self_repaired" not in tags(table.do("gm", c.Regroup()))


def test_a_roll_waits_while_harm_is_pending(table, kai):
    table.do("gm", c.ReceiveHarm(harm_type="psychic", levels=1))
    roll = c.RollAction(dice=1, tn=11)
    assert table.refusal("kai", roll) == "harm_pending"


def test_a_price_of_harm_may_be_resolved_before_the_roll_comes(table, kai):
    table.do("gm", c.SetTimeMode(mode="bullet"))
    price = c.Prerequisite(kind="harm", harm_type="psychic")
    table.do("kai", c.RollAction(dice=1, tn=11, prerequisite=price))
    assert table.refusal("kai", c.ReceiveHarm(spend=1)) == "more_than_needed"
    table.do("kai", c.ReceiveHarm(choices=[A]))
    [rolled] = table.do("kai", c.RollAction(dice=1, tn=11), [12])
    assert (rolled.prerequisite, rolled.outcome) == ("paid", "basic")
    assert table.refusal("kai", c.RollAction(dice=1, tn=11)) == "prerequisite_not_met"


def test_a_gm_chooses_for_players_only_where_the_table_says_so(kai, table):
    harm = c.ReceiveHarm(harm_type="psychic", levels=1, choices=[A])
    assert table.refusal("gm", harm) == "not_your_choice"
    table.settings = Settings(harm_chooser="anyone")
    assert table.do("gm", harm)


def test_a_struck_mark_does_not_let_a_later_choice_hit_another_harm(table, kai):
    first = len(table.actions) + 1
    table.harm("kai", kai, A)
    table.harm("kai", kai, A)
    table.harm("kai", kai, B(1))
    state = FreefallState()
    for nth, action in enumerate(table.actions):
        for event in action if nth != first else []:
            FREEFALL.evolve(state, event)
    assert [slot.state for slot in state.characters[kai].slots if slot is not None] == ["temporary"]
