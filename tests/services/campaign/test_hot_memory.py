"""Memory for folded campaigns stays within its bound, also for campaigns that grew from nothing."""

import sys
from uuid import uuid4

import pytest

from domain.campaign.evolve import evolve
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import decode_event
from domain.event_store_types import EventBatch
from domain.hash_chain import GENESIS
from domain.ids import AccountId, CampaignId
from infra.machine.entropy import machine_clock
from services.campaign.audience_fold import fold_facts
from services.campaign.loaded_campaign import RECENT_KEYS_MAX, LoadedCampaign
from services.campaign.lru_cache import LruCache, size_of
from services.campaign.name_resolver import NameResolver
from services.campaign.visible_campaign import CampaignReader
from tests.bench.campaigns import a_script
from tests.doubles.account_stores import MemoryAccountStore
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.projection_store import MemoryProjectionStore

pytestmark = pytest.mark.anyio


async def test_what_is_read_counts_as_what_it_weighs_however_short_it_is():
    script = a_script(AccountId(uuid4()), AccountId(uuid4()), pilots=5, stretches=1)
    log = MemoryEventStore(machine_clock)
    campaigns = [CampaignId(uuid4()) for _ in range(10)]
    for campaign_id in campaigns:
        await log.append([EventBatch(campaign_id, 0, GENESIS, list(script.rows(campaign_id)))])
    one = size_of(fold_facts(CampaignState(), script.rows(campaigns[0])))
    reader = CampaignReader(
        log, MemoryProjectionStore(log), NameResolver(MemoryAccountStore(machine_clock)), bytes_max=4 * one
    )
    for campaign_id in campaigns:
        await reader.see(campaign_id, script.gm)  # keeps the table's fold beside the GM's
    assert len(reader.folds._entries) == 2


async def test_a_campaign_that_grows_is_weighed_again_long_before_it_is_large():
    script = a_script(AccountId(uuid4()), AccountId(uuid4()), pilots=5, stretches=1)
    campaign_id = CampaignId(uuid4())
    hot = LoadedCampaign.new()
    kept: LruCache[LoadedCampaign] = LruCache(2**30)
    kept.keep(campaign_id, hot)
    for row in script.rows(campaign_id):
        hot.become(evolve(hot.state, decode_event(row)), 1)
        hot.committed([row])
        kept.keep(campaign_id, hot)
    assert kept._bytes >= size_of(hot.state) / 3


def test_the_idempotency_keys_that_a_campaign_remembers_count_as_what_they_weigh():
    hot = LoadedCampaign.new()
    before = hot.size()
    account = uuid4().int
    for _ in range(RECENT_KEYS_MAX):
        hot.remember((account, str(uuid4())))
    taken = sys.getsizeof(hot.recent_keys) + sum(
        sys.getsizeof(own_key) + sys.getsizeof(own_key[1]) for own_key in hot.recent_keys
    )
    assert taken <= hot.size() - before < 2 * taken
