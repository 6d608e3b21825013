"""Shares of campaigns: whole, even, and mostly the same when workers come and go."""

from uuid import UUID

import pytest

from domain.ids import CampaignId
from domain.worker_shares import PORTIONS, WHOLE, holds, share_of
from tests.sampling import slow_but

WORKERS = [f"worker {nth}" for nth in range(300)]
CAMPAIGNS = [CampaignId(UUID(int=portion)) for portion in range(PORTIONS)]


def held(share: bytes) -> set[CampaignId]:
    return {each for each in CAMPAIGNS if holds(share, each)}


def shares(*workers: str) -> dict[str, set[CampaignId]]:
    return {each: held(share_of(each, workers)) for each in workers}


@pytest.mark.parametrize("count", slow_but([1, 2, 3, 7, 8, 100, 300], 1, 2, 3, 7, 8, in_release=[300]))
def test_every_campaign_is_in_one_share_and_none_is_larger_than_it_must_be(count):
    found = shares(*WORKERS[:count]).values()
    assert set().union(*found) == {*CAMPAIGNS}
    assert sum(map(len, found)) == PORTIONS
    assert max(map(len, found)) == -(-PORTIONS // count)


def test_a_worker_that_is_alone_has_everything():
    assert share_of("anybody", ["anybody"]) == WHOLE


def test_workers_that_know_of_the_same_ones_agree_in_whatever_order_they_heard_of_them():
    assert share_of("a", ["a", "b", "c"]) == share_of("a", ["c", "b", "a"])


@pytest.mark.parametrize("gone", WORKERS[:8])
def test_what_a_worker_leaves_behind_is_shared_by_the_others_who_keep_most_of_what_they_had(gone):
    before = shares(*WORKERS[:8])
    after = shares(*(each for each in WORKERS[:8] if each != gone))
    stay = sum(len(before[each] & after[each]) for each in after)
    assert stay >= 0.75 * (PORTIONS - len(before[gone]))
