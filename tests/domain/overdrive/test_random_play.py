"""Random play: whatever people ask, in whatever order, the promises of the rules hold."""

from collections import Counter
from random import Random

import msgspec
from hypothesis import given

from domain.systems.overdrive import events as e
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.tables import TIERS
from tests.domain.overdrive.random_play import EXAMPLES, SETTINGS, play
from tests.domain.random_play import (
    CHANCES,
    balances,
    every_event_is_told_and_stored,
    facts_fold_in_any_order_and_with_gaps,
    snapshot_goes_on_like_the_state,
)

ROLLS_MIN = {"plain": 4, "duel": 4, "initiative": 4, "movement": 4, "attack": 2, "defense": 1}
"""Rolls of each kind in ten plays, or what follows would prove little about them."""


def test_ten_plays_roll_whatever_scenes_duels_and_fights_roll():
    tables = [play(Settings(), Random(seed)) for seed in range(10)]  # noqa: S311 — play, not secrets
    rolls: Counter[str] = Counter(
        event.kind for table in tables for event in table.events if isinstance(event, e.RollMade)
    )
    assert {kind: rolls[kind] for kind, least in ROLLS_MIN.items() if rolls[kind] < least} == {}


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_overdrive_is_conserved_and_every_balance_is_the_sum_of_its_entries(house_rules, chance):
    table = play(house_rules, chance)
    held = balances(table.events)
    flow: Counter[str] = Counter()
    for event in table.events:
        match event:
            case e.CharacterCreated():
                flow[event.character_id] += event.od_start
            case e.OverdriveGained():
                flow[event.character] += event.amount
            case e.OverdriveRetired():
                flow[event.character] -= event.amount
    for who, character in table.state.characters.items():
        assert character.od.available == held[f"available:{who}", "overdrive"] >= 0
        assert character.od.spent == held[f"spent:{who}", "overdrive"] >= 0
        assert character.od.available + character.od.spent == flow[who]
    assert table.state.tactical_points == held["team:tactical_points", "tactical_points"] >= 0
    reserves = {account: left for (account, _), left in held.items() if account.startswith("reserve:")}
    assert table.state.duel is not None or not any(reserves.values())


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_no_bought_success_lifts_a_tier_and_chains_explode_exactly_on_ones(house_rules, chance):
    table = play(house_rules, chance)
    major, cinematic = TIERS[house_rules.tier_reading]
    for event in table.events:
        if isinstance(event, e.SuccessAdded):
            assert (event.tier == "none") == (event.natural < major)
            assert (event.tier == "cinematic") == (event.natural >= cinematic)
            assert event.total > event.natural
        if isinstance(event, e.RollMade):
            waves = Counter(die.wave for die in event.dice)
            ones = Counter(die.wave for die in event.dice if die.value == 1)
            assert waves[0] == event.pool
            for wave in range(max(waves, default=0) + 1):
                assert waves[wave + 1] == ones[wave]
            assert event.successes == sum(die.value <= event.skill for die in event.dice)


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_counters_and_modes_follow_the_machine_for_any_order_of_damage(house_rules, chance):
    """OD-26: counters, failures and modes are what the damage and the dice say, in any order of play."""
    table = play(house_rules, chance)
    failures: Counter[str] = Counter()
    mode: dict[str, str] = {}
    for event in table.events:
        match event:
            case e.StabilisationRolled():
                tie = event.die == event.against and house_rules.stabilisation_tie == "holds"
                assert event.success == (event.die > event.against or tie)
                mech = event.mech
                normal = mech is not None and mode.get(mech, "normal") == "normal"
                assert event.counter == ("phase" if normal else "fatal")
                if mech is not None:
                    failures[mech] += int(normal and not event.success)
            case e.FatalModeEntered():
                assert failures[event.mech] > house_rules.phase_counters
                mode[event.mech] = "fatal"
            case e.StateRestored() if event.mech is not None:
                if event.mode is not None:
                    mode[event.mech] = event.mode
                if event.failures is not None:
                    failures[event.mech] = event.failures
    for key, machine in table.state.mechs.items():
        assert machine.mode == mode.get(key, "normal")
        assert machine.stabilisation_failures == failures[key]
        assert machine.mode == "fatal" or failures[key] <= house_rules.phase_counters


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_a_snapshot_is_the_states_json_and_stays_small(house_rules, chance):
    table = play(house_rules, chance, 400)
    snapshot_goes_on_like_the_state(table)
    assert len(msgspec.json.encode(table.state)) < 10_000


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_facts_fold_in_any_order_and_with_gaps(house_rules, chance):
    facts_fold_in_any_order_and_with_gaps(play(house_rules, chance), chance)


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_every_event_is_told_and_stored_as_it_is(house_rules, chance):
    every_event_is_told_and_stored(play(house_rules, chance))


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_deciding_again_names_everything_the_same(house_rules, chance):
    seed = chance.randint(0, 10**9)
    first, second = (play(house_rules, Random(seed)) for _ in range(2))  # noqa: S311 — play, not secrets
    assert first.events == second.events
