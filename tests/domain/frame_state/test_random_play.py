"""Random play: whatever people ask, in whatever order, the promises of the rules hold."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state.attributes import unspent
from domain.systems.frame_state.state import FrameState
from tests.domain.frame_state.random_play import EXAMPLES, SETTINGS, play
from tests.domain.random_play import (
    CHANCES,
    balances,
    every_event_is_told_and_stored,
    facts_fold_in_any_order_and_with_gaps,
    snapshot_goes_on_like_the_state,
    without,
)
from tests.fold import fold


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_no_play_overdraws_a_pool_or_lifts_an_attribute_past_its_ceiling(house_rules, chance):
    state = play(house_rules, chance).state
    assert state.catalogue is not None
    builds = [pilot.build for pilot in state.pilots.values()]
    builds += [frame.build for frame in state.frames.values()]
    for build in builds:
        for id_, category in state.catalogue.categories.items():
            if id_ in build.pools:
                assert unspent(build, id_, category) >= 0
                assert 0 <= build.pools[id_].advances <= category.advance_limit
            for key, attribute in category.attributes.items():
                reached = attribute.base + build.invested.get(key, 0)
                beyond = house_rules.beyond_d12_bonus and id_ == "tuning" and attribute.type == "die"
                assert beyond or reached <= 5


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_every_balance_is_the_sum_of_its_entries(house_rules, chance):
    table = play(house_rules, chance)
    held = balances(table.events)
    for pilot in table.state.pilots.values():
        assert pilot.currency == held[f"pilot:{pilot.pilot_id}", "credits"]
    for frame in table.state.frames.values():
        assert frame.refit_credit == held[f"frame:{frame.frame_id}", "refit_credit"]


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_a_ledger_is_the_sum_of_what_was_recorded_and_carried(house_rules, chance):
    table = play(house_rules, chance)
    recorded: Counter[str] = Counter()
    for event in table.events:
        tag = event.__struct_config__.tag
        if tag == "frame_state.upgrade_cost_recorded":
            recorded[event.frame] += event.amount
        if tag == "frame_state.frame_replaced":
            recorded[event.new] += event.carried_amount
    for frame in table.state.frames.values():
        assert frame.upgrade_cost_total == recorded[frame.frame_id]
        assert frame.upgrade_cost_total == frame.carried_cost + sum(frame.upgrade_costs.values())


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
    state = fold(FRAME_STATE.evolve, FrameState(), without(table, struck))
    for frame in state.frames.values():
        assert all(points >= 0 for points in frame.build.invested.values())
    assert len(state.pilots) <= len(table.state.pilots)


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_every_event_is_told_and_stored_as_it_is(house_rules, chance):
    every_event_is_told_and_stored(play(house_rules, chance))
