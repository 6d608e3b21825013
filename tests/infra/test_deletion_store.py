"""What the store of deleted campaigns promises, in PostgreSQL and in memory: nothing finds them."""

from typing import Any, NamedTuple
from uuid import UUID

import psycopg
import pytest
from msgspec import structs

from domain.campaign.storage.snapshot import FORM
from domain.event_store_types import MembershipChange, Timer
from domain.stored_view_types import StoredFold
from infra.postgres.deletion_store import PostgresDeletionStore
from infra.postgres.driver.database import Database
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.projection_store import PostgresProjectionStore
from infra.postgres.timer_store import PostgresTimerStore
from tests.doubles.deletion_store import MemoryDeletionStore
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.projection_store import MemoryProjectionStore
from tests.doubles.timer_store import MemoryTimerStore
from tests.infra.log_entries import (
    answer_to,
    answer_under,
    batch_after,
    head_at,
    new_account,
    new_campaign,
    wall_clock,
)

pytestmark = pytest.mark.anyio
DAY = 86_400_000_000
BEFORE_ALL = UUID(int=0)


class Stores(NamedTuple):
    """What a campaign is kept in."""

    log: Any
    deletions: Any
    views: Any
    timers: Any


@pytest.fixture(params=["memory", "postgres"])
async def stores(request):
    if request.param == "memory":
        log = MemoryEventStore(wall_clock)
        yield Stores(
            log,
            MemoryDeletionStore(log, wall_clock),
            MemoryProjectionStore(log),
            MemoryTimerStore(log, wall_clock),
        )
        return
    async with Database(request.getfixturevalue("database").service, readers=2) as connections:
        yield Stores(
            PostgresEventStore(connections),
            PostgresDeletionStore(connections),
            PostgresProjectionStore(connections),
            PostgresTimerStore(connections),
        )


async def played(stores, gm, player=None, key=None):
    """A campaign with something in it; its last batch."""
    campaign = new_campaign()
    members = [MembershipChange(gm, "gm"), *([MembershipChange(player, "player")] if player else [])]
    answers = [answer_to(gm, key)] if key else None
    batch = batch_after(campaign, events=3, texts=b"{}", members=members, answers=answers)
    due = Timer(batch.events[0].action_id, "payout", "now", 0, wall_clock() - 1)
    batch = structs.replace(batch, timers=[due])
    [outcome] = await stores.log.append([batch])
    assert outcome.status == "committed"
    return batch


async def found(stores, batch, gm, key):
    """Everything that anybody asks for."""
    log, views = stores.log, stores.views
    campaign, action = batch.campaign_id, batch.events[0].action_id
    return [
        await log.head(campaign),
        await log.since(campaign, 0),
        await log.tail(campaign, 0),
        *await log.tails([(campaign, 0)], 10),
        [page async for page in log.stream(campaign)],
        [page async for page in log.facts(campaign)],
        await answer_under(log, campaign, gm, key),
        await log.actions(campaign, [action]),
        await log.seq_at(campaign, 2**60),
        await log.campaigns_of(gm),
        await views.folds(campaign),
        await views.lagging(BEFORE_ALL, 10),
        await views.campaigns(BEFORE_ALL, 10),
        (await views.progress(FORM)).campaigns_behind,
        (await stores.timers.backlog()).due,
    ]


async def test_what_is_deleted_is_found_by_nothing_and_comes_back_as_it_was(stores):
    gm = new_account()
    batch = await played(stores, gm, key="once")
    campaign = batch.campaign_id
    assert await stores.views.save(campaign, (0, 2), [StoredFold("gm", 2, FORM, b"{}")], {})
    before = await found(stores, batch, gm, "once")
    assert all(before)
    deletion = await stores.deletions.delete(campaign, gm, "Iron Rain", 30 * DAY, rested=False)
    assert (deletion.name, deletion.deleted_by, deletion.rested) == ("Iron Rain", gm, False)
    assert deletion.gone_at - deletion.deleted_at == 30 * DAY
    assert abs(deletion.deleted_at - wall_clock()) < 60_000_000
    assert not any(await found(stores, batch, gm, "once"))
    assert await stores.timers.claim(10) == (0, [])
    assert not await stores.views.save(campaign, (2, 3), [StoredFold("gm", 3, FORM, b"{}")], {})
    assert not await stores.timers.replace(campaign, 3, [])
    assert await stores.deletions.restore(campaign, gm) is False
    assert await found(stores, batch, gm, "once") == before
    assert len((await stores.timers.claim(10))[1]) == 1


async def test_nothing_is_appended_to_what_is_deleted(stores):
    gm = new_account()
    batch = await played(stores, gm)
    later = batch_after(batch.campaign_id, head_at(batch.events[-1]))
    await stores.deletions.delete(batch.campaign_id, gm, "Iron Rain", DAY, rested=False)
    other = batch_after(new_campaign())
    assert [outcome.status for outcome in await stores.log.append([later, other])] == ["gone", "committed"]
    await stores.deletions.restore(batch.campaign_id, gm)
    assert [outcome.status for outcome in await stores.log.append([later])] == ["committed"]


async def test_only_its_gms_delete_restore_and_list_it(stores):
    gm, player, stranger = new_account(), new_account(), new_account()
    campaign = (await played(stores, gm, player)).campaign_id
    for nobody in (player, stranger):
        assert await stores.deletions.delete(campaign, nobody, "x", DAY, rested=True) is None
    deletion = await stores.deletions.delete(campaign, gm, "Iron Rain", DAY, rested=True)
    assert await stores.deletions.delete(campaign, gm, "again", DAY, rested=True) is None
    for nobody in (player, stranger):
        assert await stores.deletions.restore(campaign, nobody) is None
        assert await stores.deletions.of(nobody, None, 10) == []
    assert await stores.deletions.of(gm, None, 10) == [deletion]
    assert await stores.deletions.restore(campaign, gm) is True
    assert await stores.deletions.restore(campaign, gm) is None
    assert await stores.deletions.of(gm, None, 10) == []


async def test_deleted_campaigns_are_listed_in_pages_and_told_from_others(stores):
    gm = new_account()
    campaigns = sorted([(await played(stores, gm)).campaign_id for _ in range(5)])
    for campaign in campaigns[:4]:
        await stores.deletions.delete(campaign, gm, "x", DAY, rested=False)
    first = await stores.deletions.of(gm, None, 3)
    rest = await stores.deletions.of(gm, first[-1].campaign_id, 3)
    assert [each.campaign_id for each in first + rest] == campaigns[:4]
    nowhere = new_campaign()
    assert sorted(await stores.deletions.deleted_among([*campaigns, nowhere])) == sorted([*campaigns[:4], nowhere])


@pytest.mark.one_database("hosts look through deleted campaigns in all shards")
async def test_what_deleted_campaigns_were_called_is_behind_the_second_wall(database):
    """Invariant 21."""
    async with Database(database.service, readers=1) as connections:
        gm = new_account()
        log = PostgresEventStore(connections)
        batch = batch_after(new_campaign(), members=[MembershipChange(gm, "gm")])
        await log.append([batch])
        await PostgresDeletionStore(connections).delete(batch.campaign_id, gm, "Iron Rain", DAY, rested=False)
    with psycopg.connect(database.service) as connection:
        assert connection.execute("SELECT * FROM campaign_deletions").fetchall() == []
        named = f"{{{batch.campaign_id}}}"
        connection.execute("SELECT set_config('fieldlog.campaigns', %s, true)", [named])
        assert len(connection.execute("SELECT * FROM campaign_deletions").fetchall()) == 1
