"""The calendar feeds of members: the same promises in PostgreSQL and in memory."""

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import pytest

from domain.event_store_types import MembershipChange
from infra.postgres.calendar_feed_store import PostgresCalendarFeedStore
from infra.postgres.driver.database import Database
from infra.postgres.event_store import PostgresEventStore
from tests.doubles.calendar_feed_store import MemoryCalendarFeedStore
from tests.doubles.event_store import MemoryEventStore
from tests.infra.log_entries import batch_after, head_at, new_account, new_campaign, wall_clock

pytestmark = pytest.mark.anyio
FIRST, SECOND = b"1" * 32, b"2" * 32


class Store(NamedTuple):
    log: Any
    feeds: Any


@pytest.fixture(params=["memory", "postgres"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    if request.param == "memory":
        log = MemoryEventStore(wall_clock)
        yield Store(log, MemoryCalendarFeedStore(log, wall_clock))
        return
    urls = request.getfixturevalue("database")
    async with Database(urls.service, application_name="calendar feeds") as connections:
        yield Store(PostgresEventStore(connections), PostgresCalendarFeedStore(connections))


async def test_a_feed_is_found_by_its_secret_until_it_has_another_or_none_or_its_member_leaves(store):
    campaign, ana, mara = new_campaign(), new_account(), new_account()
    seats = [MembershipChange(ana, "gm"), MembershipChange(mara, "player")]
    first = batch_after(campaign, members=seats)
    assert [result.status for result in await store.log.append([first])] == ["committed"]
    feeds = store.feeds
    assert await feeds.made_at(campaign, mara) is None
    assert await feeds.of_account(mara) == {}
    assert await feeds.replace(campaign, mara, FIRST)
    assert await feeds.reader_of(campaign, FIRST) == mara
    assert await feeds.reader_of(new_campaign(), FIRST) is None
    assert await feeds.replace(campaign, mara, SECOND)
    assert [await feeds.reader_of(campaign, secret) for secret in (FIRST, SECOND)] == [None, mara]
    assert await feeds.of_account(mara) == {campaign: await feeds.made_at(campaign, mara)}
    assert await feeds.made_at(campaign, ana) is None
    assert await feeds.replace(campaign, mara, None)
    assert await feeds.reader_of(campaign, SECOND) is None
    assert await feeds.made_at(campaign, mara) is None
    assert not await feeds.replace(campaign, new_account(), FIRST), "no member"
    assert await feeds.replace(campaign, mara, FIRST)
    left = batch_after(campaign, head_at(first.events[-1]), members=[MembershipChange(mara, None)])
    assert [result.status for result in await store.log.append([left])] == ["committed"]
    assert await feeds.reader_of(campaign, FIRST) is None
    assert await feeds.of_account(mara) == {}
