"""Undo in random play of every system: what is struck is as if it had never been, and comes back whole.

Each system's own random play is told again as actions of a campaign; then random actions of it are undone, with
what depends on them, and redone (invariant 11).
"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.campaign.storage.snapshot import encode_state
from domain.campaign.subjects import born_in, rested_on
from domain.ids import ActionId
from tests.domain.plays import PLAYS, folded, searched, told
from tests.sampling import slow_but

EXAMPLES = settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@pytest.mark.parametrize("system", slow_but(PLAYS, "frame_state", "freefall"))
@EXAMPLES
@given(chance=st.randoms(use_true_random=True))
def test_a_play_decided_again_is_the_same_and_what_is_undone_has_never_been_and_comes_back(system, chance):
    start, actions = told(system, PLAYS[system](chance))
    whole = encode_state(folded(start, actions))
    again = searched(start, actions, None, set(), set())
    assert [(lost.action.command, str(lost.refusal)) for lost in again.to_undo] == []
    assert [action.command for action in again.affected] == []
    assert encode_state(again.state) == whole
    gone: set[ActionId] = set()
    taken_back: list[set[ActionId]] = []
    for _ in range(4):
        standing = [each for each in actions if each.action_id not in gone]
        if not standing:
            break
        search = searched(start, actions, chance.choice(standing).action_id, set(), gone)
        struck = {each.action.action_id for each in search.to_undo}
        gone |= struck
        taken_back.append(struck)
        standing = [each for each in actions if each.action_id not in gone]
        assert encode_state(search.state) == encode_state(folded(start, standing))
        unborn = {
            each
            for action in actions
            if action.action_id in gone
            for each in born_in(action.action_id, action.events)
        }
        assert not [each.command for each in standing if each.undoable and rested_on(each.events) & unborn]
    for struck in reversed(taken_back):
        search = searched(start, actions, None, struck, gone)
        assert search.first_refusal is None
        assert not search.to_undo
        assert {each.action_id for each in search.restored} == struck
        gone -= struck
    assert encode_state(search.state) == whole
