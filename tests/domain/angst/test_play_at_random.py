"""Random play: whatever people ask, in whatever order, the promises of the rules hold."""

from collections import Counter
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.systems.angst import ANGST
from domain.systems.angst import commands as c
from domain.systems.angst.settings import Settings
from domain.systems.angst.state import OFFERS_MAX, REMEMBERED, Angst
from domain.systems.angst.tables import rank
from tests.domain.angst.random_play import EXAMPLES, SETTINGS, play
from tests.domain.random_play import (
    CHANCES,
    balances,
    every_event_is_told_and_stored,
    facts_fold_in_any_order_and_with_gaps,
    snapshot_goes_on_like_the_state,
    without,
)
from tests.fold import fold

UNTOLD = ("angst.session_started", "angst.scene_started", "angst.scene_ended", "angst.purge_offered")
"""They say something only of those who can act again, and of offers that nothing else tells."""


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_at_most_one_bonus_and_one_penalty_die_and_never_both(house_rules, chance):
    for event in play(house_rules, chance).events:
        if event.__struct_config__.tag == "angst.test_rolled":
            roles = Counter(die.role for die in event.rolled)
            assert roles["bonus"] + roles["penalty"] <= 1
            assert (event.dice.bonus is not None) == (roles["bonus"] == 1)
            assert (event.dice.penalty is not None) == (roles["penalty"] == 1)


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_an_exploded_die_never_explodes_again(house_rules, chance):
    for event in play(house_rules, chance).events:
        if event.__struct_config__.tag in ("angst.test_rolled", "angst.dice_rerolled"):
            assert len(event.dice.base) in (1, 2)
            assert event.dice.base[0] == 6 or len(event.dice.base) == 1
            assert sum(die.explosion for die in event.rolled) <= 1
            assert sum(die.role == "base" for die in event.rolled) <= 2


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_nothing_is_spent_on_a_test_after_its_end(house_rules, chance):
    over: set[str] = set()
    table = play(house_rules, chance)
    for event in table.events:
        match event.__struct_config__.tag:
            case "angst.test_resolved":
                assert event.test_id not in over
                over.add(event.test_id)
            case "angst.dice_rerolled" | "angst.life_experience_spent":
                assert event.test_id not in over
    for test in over & {*table.state.settled_tests, *(each.test_id for each in table.state.tests)}:
        for spend in (c.RerollDice(dice=["base"], test_id=test), c.AddLifeExperience(amount=1, test_id=test)):
            assert table.refusal("gm", spend) in ("test_finalised", "test_cancelled")


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_cores_stay_between_d0_and_what_they_are_rated(house_rules, chance):
    for character in play(house_rules, chance).state.characters.values():
        for core in character.cores.values():
            assert core.lost.nondeadly >= 0
            assert core.lost.deadly >= 0
            assert core.lost.nondeadly + core.lost.deadly <= rank(core.rated)
            for kind in ("nondeadly", "deadly"):
                running = [clock.get(kind) is not None for clock in (core.anchor, core.due_at)]
                assert sum(running) <= (1 if core.lost.get(kind) else 0)
        assert all(points > 0 for points in character.angst.values())


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_sheet_and_ledger_agree_even_when_an_earlier_action_is_struck(house_rules, chance):
    table = play(house_rules, chance)
    struck = chance.randrange(4, len(table.actions))  # what comes before made the catalogue and the people
    for events in (table.events, without(table, struck)):
        held = balances(events)
        characters = fold(ANGST.evolve, Angst(), events).characters
        assert {currency for _, currency in held} == {"story_points"}
        assert all(
            each.story_points == held[f"character:{who}", "story_points"] for who, each in characters.items()
        )
    for character in table.state.characters.values():
        assert character.story_points >= 0
        assert 0 <= character.life_experience.current <= character.life_experience.max


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
    state = fold(ANGST.evolve, Angst(), without(table, struck))
    assert len(state.characters) <= len(table.state.characters)


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_every_event_is_told_and_stored_as_it_is(house_rules, chance):
    every_event_is_told_and_stored(play(house_rules, chance), UNTOLD)


@pytest.mark.slow
def test_a_long_play_keeps_its_state_small():
    state = play(Settings(), Random(7), moves=6000).state  # noqa: S311 — a play, not a secret
    assert len(state.settled_tests) <= REMEMBERED
    assert len(state.called) + len(state.tests) <= 100
    assert all(len(each.purge_offers) <= OFFERS_MAX for each in state.characters.values())
    assert len(msgspec.json.encode(state)) < 100_000
