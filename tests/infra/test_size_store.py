"""What the store of sizes promises, in PostgreSQL and in memory: saving views measures what came."""

import pytest

from domain.campaign.storage.snapshot import FORM
from domain.event_store_types import MembershipChange
from domain.stored_view_types import StoredFold
from infra.postgres.deletion_store import PostgresDeletionStore
from infra.postgres.driver.database import Database
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.projection_store import PostgresProjectionStore
from infra.postgres.size_store import PostgresSizeStore
from tests.doubles.deletion_store import MemoryDeletionStore
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.projection_store import MemoryProjectionStore
from tests.doubles.size_store import OVERHEAD, MemorySizeStore
from tests.infra.log_entries import batch_after, head_at, new_account, new_campaign, wall_clock

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "postgres"])
async def stores(request):
    if request.param == "memory":
        log = MemoryEventStore(wall_clock)
        views = MemoryProjectionStore(log)
        yield log, views, MemorySizeStore(log, views), MemoryDeletionStore(log, wall_clock)
        return
    async with Database(request.getfixturevalue("database").service, readers=2) as connections:
        yield (
            PostgresEventStore(connections),
            PostgresProjectionStore(connections),
            PostgresSizeStore(connections),
            PostgresDeletionStore(connections),
        )


async def test_a_campaign_takes_what_its_events_hold_once_its_views_are_saved(stores):
    log, views, sizes, deletions = stores
    campaign, gm, player = new_campaign(), new_account(), new_account()
    members = [MembershipChange(gm, "gm"), MembershipChange(player, "player")]
    first = batch_after(campaign, body=b"x" * 100, texts=b"y" * 50, members=members)
    await log.append([first])
    assert await sizes.large(1) == {}
    command = len(first.events[0].command or b"")
    size = OVERHEAD + 100 + 50 + command

    async def saved(start, end):
        erasures = await views.erasures(campaign)
        assert await views.save(campaign, (start, end), [StoredFold("gm", end, FORM, b"s")], {}, erasures=erasures)

    await saved(0, 1)
    assert await sizes.large(1) == await sizes.large(size) == {campaign: size}
    assert await sizes.large(size + 1) == {}
    await log.append([batch_after(campaign, head_at(first.events[-1]), events=2)])
    assert await sizes.led_by(gm) == size
    await saved(1, 3)
    grown = (await sizes.large(1))[campaign]
    assert grown == size + 2 * (OVERHEAD + 2 + command)
    assert (await sizes.led_by(gm), await sizes.led_by(player)) == (grown, 0)
    await views.invalidate(campaign)
    await saved(0, 3)
    assert await sizes.large(1) == {campaign: grown}, "what is folded again is not counted again"
    await deletions.delete(campaign, gm, "x", 86_400_000_000, rested=False)
    assert await sizes.large(1) == {}
    assert await sizes.led_by(gm) == grown
