"""Webhooks and how far each has come: the same promises in PostgreSQL and in memory."""

from collections.abc import AsyncIterator
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import pytest
from msgspec import structs

from domain.ids import CampaignId
from domain.webhooks import Webhook, WebhookCounts
from infra.postgres.driver.database import Database
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.webhook_store import PostgresWebhookStore
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.webhook_store import MemoryWebhookStore
from tests.infra.log_entries import batch_after, new_account, new_campaign, wall_clock

pytestmark = pytest.mark.anyio
MOST = 3


class Store(NamedTuple):
    log: Any
    webhooks: Any

    async def campaign(self) -> CampaignId:
        campaign = new_campaign()
        [result] = await self.log.append([batch_after(campaign)])
        assert result.status == "committed"
        return campaign


@pytest.fixture(params=["memory", "postgres"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    if request.param == "memory":
        log = MemoryEventStore(wall_clock)
        yield Store(log, MemoryWebhookStore(log, wall_clock))
        return
    urls = request.getfixturevalue("database")
    async with Database(urls.service, application_name="webhooks") as connections:
        yield Store(PostgresEventStore(connections), PostgresWebhookStore(connections))


def webhook_of(campaign: CampaignId, nth: int = 0) -> Webhook:
    return Webhook(
        campaign_id=campaign,
        webhook_id=uuid4(),
        form="json",
        kinds=["actions", "scenes"],
        host="example.org",
        sealed=b"\0sealed",
        created_by=new_account(),
        created_at=1_000 + nth,
        delivered=0,
        upto=0,
        waiting=b"",
        attempts=0,
        due_at=1_000 + nth,
        failing_since=None,
        parked_at=None,
        fault=None,
    )


async def test_a_webhook_is_due_while_its_campaign_has_news_for_it(store):
    campaign = await store.campaign()
    webhook = webhook_of(campaign)
    assert await store.webhooks.create(webhook, MOST)
    assert await store.webhooks.of(campaign) == [webhook]
    assert await store.webhooks.due(10) == [webhook]
    head = await store.log.head(campaign)
    told = structs.replace(
        webhook, delivered=head.seq, upto=head.seq, waiting=b"\1", due_at=2_000, bodies_confirmed=3
    )
    assert await store.webhooks.save(told, webhook.due_at)
    assert await store.webhooks.of(campaign) == [told]
    assert await store.webhooks.due(10) == []


async def test_of_two_workers_that_hold_a_webhook_one_loses(store):
    webhook = webhook_of(await store.campaign())
    await store.webhooks.create(webhook, MOST)
    one, other = (structs.replace(webhook, due_at=due) for due in (5_000, 6_000))
    assert await store.webhooks.save(one, webhook.due_at)
    assert not await store.webhooks.save(other, webhook.due_at)
    assert not await store.webhooks.save(webhook_of(webhook.campaign_id), 1_000), "there is no such webhook"


async def test_a_webhook_waits_for_its_moment_and_a_gm(store):
    campaign = await store.campaign()
    webhook = webhook_of(campaign)
    await store.webhooks.create(webhook, MOST)
    far = structs.replace(webhook, due_at=wall_clock() + 60_000_000, attempts=2, failing_since=5, fault="http_500")
    assert await store.webhooks.save(far, webhook.due_at)
    assert await store.webhooks.due(10) == []
    assert await store.webhooks.counts() == WebhookCounts(failing=1, parked=0)
    parked = structs.replace(far, due_at=7_000, parked_at=6_000)
    assert await store.webhooks.save(parked, far.due_at)
    assert await store.webhooks.due(10) == []
    assert await store.webhooks.counts() == WebhookCounts(failing=0, parked=1)
    assert await store.webhooks.retry(campaign, webhook.webhook_id, 8_000)
    again = structs.replace(webhook, due_at=8_000)
    assert await store.webhooks.of(campaign) == [again]
    assert await store.webhooks.due(10) == [again]


async def test_a_campaign_has_no_more_than_some_and_one_that_is_deleted_is_gone(store):
    campaign = await store.campaign()
    webhooks = [webhook_of(campaign, nth) for nth in range(MOST + 1)]
    assert [await store.webhooks.create(webhook, MOST) for webhook in webhooks] == [True] * MOST + [False]
    assert await store.webhooks.of(campaign) == webhooks[:MOST]
    assert not await store.webhooks.create(webhooks[0], MOST + 1), "it is there already"
    assert await store.webhooks.delete(campaign, webhooks[0].webhook_id)
    assert not await store.webhooks.delete(campaign, webhooks[0].webhook_id)
    assert not await store.webhooks.retry(campaign, UUID(int=5), 0)
    assert await store.webhooks.of(campaign) == webhooks[1:MOST]
