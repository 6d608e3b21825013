"""Random play: whatever people ask, in whatever order, the promises of the rules hold."""

from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from domain.systems.freefall import FREEFALL
from domain.systems.freefall.attributes import max_current
from domain.systems.freefall.state import REMEMBERED, FreefallState
from tests.domain.freefall.random_play import EXAMPLES, SETTINGS, play
from tests.domain.random_play import (
    CHANCES,
    balances,
    every_event_is_told_and_stored,
    facts_fold_in_any_order_and_with_gaps,
    snapshot_goes_on_like_the_state,
    without,
)
from tests.fold import fold

UNTOLD = ("freefall.downtime_started", "freefall.downtime_ended", "freefall.scene_left_behind")


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_attributes_pools_bindings_and_harm_keep_their_promises(house_rules, chance):
    state = play(house_rules, chance).state
    assert len(state.rolls) <= REMEMBERED
    assert len(state.conflicts) <= 20


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_every_balance_is_the_sum_of_its_entries_and_escrow_holds_what_is_agreed(house_rules, chance):
    table = play(house_rules, chance)
    held: Counter[str] = Counter()
    for (account, _), amount in balances(table.events).items():
        held[account] += amount
    assert table.state.credits.get("crew", 0) == held["crew"]
    work: list[Any] = [*table.state.treatments.items(), *table.state.repairs.items()]
    agreed = {f"escrow:{id_}": each.price for id_, each in work if each.payer is not None}
    in_escrow = {account: amount for account, amount in held.items() if account.startswith("escrow:") and amount}
    assert in_escrow == agreed


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_a_snapshot_is_the_states_json_and_goes_on_like_the_state(house_rules, chance):
    snapshot_goes_on_like_the_state(play(house_rules, chance))


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_facts_fold_in_any_order_and_with_gaps(house_rules, chance):
    facts_fold_in_any_order_and_with_gaps(play(house_rules, chance), chance)


@EXAMPLES
@given(SETTINGS, CHANCES, st.data())
def test_a_struck_action_leaves_the_later_ones_folding(house_rules, chance, data):
    table = play(house_rules, chance)
    struck = data.draw(st.integers(0, len(table.actions) - 1))
    state = fold(FREEFALL.evolve, FreefallState(), without(table, struck))
    for character in state.characters.values():
        for attribute, points in character.attributes.items():
            assert 0 <= points.current <= max_current(state, character, attribute)


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_every_event_is_told_and_stored_as_it_is(house_rules, chance):
    every_event_is_told_and_stored(play(house_rules, chance), UNTOLD)
