"""What is kept to fold a campaign again with, and what need not be folded for each audience, after random play."""

from collections import Counter
from random import Random

import pytest

from domain.campaign.due_commands import due_commands, key_of
from domain.campaign.evolve import evolve
from domain.campaign.knowledge.audience_states import MERELY_TOLD, decides
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import decode_event
from domain.campaign.storage.snapshot import encode_state
from tests.simulation.run import at_random, conditions_of, run
from tests.simulation.simulation import Simulation

SEEDS = (0, 1, 5, 8)


def played(seed: int, spoil) -> None:
    conditions = conditions_of(Random(f"conditions {seed}"))  # noqa: S311 — chance from a seed is what is wanted
    run(seed, conditions, at_random, spoil=spoil)


@pytest.mark.parametrize("seed", SEEDS)
def test_folding_again_gives_the_bytes_of_the_log_for_every_audience(seed):
    """After it, memory is compared with folds of the whole log, as after all play."""
    folded: Counter[str] = Counter()

    def fold_again(simulation: Simulation) -> None:
        for process in simulation.processes.values():
            for campaign_id in process.cache.campaigns():
                loaded = process.cache.get(campaign_id)
                if loaded is None or loaded.head.seq == 0:
                    continue  # it was never founded
                before = encode_state(loaded.state), {each: decides(known) for each, known in knows(loaded)}
                loaded.fold_again()
                after = encode_state(loaded.state), {each: decides(known) for each, known in knows(loaded)}
                assert after == before
                assert loaded.seq == loaded.head.seq
                assert loaded.schedule.all(loaded.state) == {
                    key_of(each): each for each in due_commands(loaded.state)
                }
                folded["campaigns"] += 1
                folded["audiences"] += len(before[1])

    def knows(loaded):
        return loaded.knowledge.by_audience.items()

    played(seed, fold_again)
    assert folded["campaigns"]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_merely_told_changes_nothing_that_decisions_rest_on(seed):
    told: Counter[type] = Counter()

    def compare(simulation: Simulation) -> None:
        for rows in simulation.database.log._events.values():
            state = CampaignState()
            for row in rows:
                event = decode_event(row)
                if type(event) not in MERELY_TOLD:
                    state = evolve(state, event)
                    continue
                before = decides(state)
                state = evolve(state, event)
                assert decides(state) == before
                told[type(event)] += 1

    played(seed, compare)
    assert told
