"""Members see who is here: who has a live feed open, in whatever process, until it is closed or breaks off."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import anyio
import pytest
import redis

from domain.ids import AccountId, CampaignId
from domain.presence import Here
from infra.embedded.child_process import free_port
from infra.in_process.presence import InProcessPresence
from infra.redis.presence import KEY, RedisPresence
from services.reading.live_feed import Pace
from services.reading.presence import Presence
from tests.services.conftest import Person, table_at
from tests.services.live_api import Follower, api, eventually
from tests.web.browser import Browser

QUICK = Pace(presence_seconds=0.05, look_seconds=0.05)
CAMPAIGN = CampaignId(UUID(int=7))
ANA, BEN = AccountId(UUID(int=1)), AccountId(UUID(int=2))


@pytest.fixture
def follow() -> Iterator[Any]:
    """Follow live until the test is over."""
    followers: list[Follower] = []

    def begin(*where: Any, **how: Any) -> Follower:
        followers.append(Follower(*where, **how))
        return followers[-1]

    yield begin
    for each in followers:
        each.hang_up()


def names(person: Person, path: str) -> list[str]:
    return [each["name"] for each in person.get(f"{path}/presence").json()["present"]]


def last_told(feed: Follower) -> list[str] | None:
    told = [each.data for each in feed.told if each.event == "presence"]
    return [each["name"] for each in told[-1]["present"]] if told else None


def test_who_opens_a_feed_is_here_until_it_is_closed(database, follow):
    with api(database.service, pace=QUICK) as running:
        table = table_at(running.client)
        assert names(table.gm, table.path) == []
        anas = follow(running, table.gm, table.path)
        assert eventually(lambda: names(table.player, table.path) == ["Ana"])
        assert eventually(lambda: last_told(anas) == ["Ana"])
        maras, again = (follow(running, table.player, table.path) for _ in range(2))
        assert eventually(lambda: sorted(last_told(anas) or ()) == ["Ana", "Mara"])
        maras.hang_up()
        assert eventually(lambda: running.feeds_open() == 2)
        assert sorted(names(table.gm, table.path)) == ["Ana", "Mara"]
        again.hang_up()
        assert eventually(lambda: last_told(anas) == ["Ana"])
        assert names(table.gm, table.path) == ["Ana"]


def test_who_was_removed_is_not_here(database, follow):
    with api(database.service, pace=QUICK) as running:
        table = table_at(running.client)
        follow(running, table.player, table.path)
        assert eventually(lambda: names(table.gm, table.path) == ["Mara"])
        gone = table.gm.send("DELETE", f"{table.path}/members/{table.player.account_id}")
        assert gone.status_code == 204
        assert names(table.gm, table.path) == []
        assert table.player.get(f"{table.path}/presence").status_code == 404


def test_those_at_another_process_are_here_too(database, redis_url, follow):
    first = api(database.service, redis_url, pace=QUICK)
    second = api(database.service, redis_url, pace=QUICK)
    with first as here, second as there:
        table = table_at(here.client)
        anas = follow(here, table.gm, table.path)
        maras = follow(there, table.player, table.path)
        assert eventually(lambda: sorted(last_told(anas) or ()) == ["Ana", "Mara"])
        assert eventually(lambda: sorted(last_told(maras) or ()) == ["Ana", "Mara"])
        maras.hang_up()
        assert eventually(lambda: last_told(anas) == ["Ana"])


@pytest.mark.anyio
async def test_a_feed_that_is_not_renewed_is_over_when_its_time_is():
    now = [100.0]
    feeds = InProcessPresence(lambda: now[0])
    await feeds.renew(CAMPAIGN, ANA, "a", 90, 30)
    await feeds.renew(CAMPAIGN, ANA, "b", 95, 30)
    await feeds.renew(CAMPAIGN, BEN, "c", 80, 5)
    assert await feeds.present(CAMPAIGN) == {ANA: Here(90), BEN: Here(80)}
    now[0] += 5
    assert await feeds.present(CAMPAIGN) == {ANA: Here(90)}
    await feeds.close(CAMPAIGN, ANA, "a")
    assert await feeds.present(CAMPAIGN) == {ANA: Here(95)}
    await feeds.close(CAMPAIGN, ANA, "b")
    assert await feeds.present(CAMPAIGN) == {}


@pytest.mark.anyio
async def test_a_feed_is_closed_for_all_though_the_kept_connection_broke(redis_url):
    async with RedisPresence(redis_url) as one:
        await one.renew(CAMPAIGN, ANA, "a", 90, 30)
        with redis.Redis.from_url(redis_url) as operator:
            operator.client_kill_filter(_type="normal", skipme=True)
        await one.close(CAMPAIGN, ANA, "a")
    async with RedisPresence(redis_url) as other:
        assert await other.present(CAMPAIGN) == {}


@pytest.mark.anyio
async def test_redis_is_told_again_of_a_feed_that_was_closed_while_it_did_not_hear(redis_url):
    key = KEY.format(campaign=CAMPAIGN)
    async with RedisPresence(redis_url, unavailable_seconds=0.05) as one:
        with redis.Redis.from_url(redis_url) as operator:
            await one.renew(CAMPAIGN, ANA, "a", 90, 30)
            operator.rename(key, f"{key}:elsewhere")
            operator.set(key, "no feeds")  # closing one of them is refused
            await one.close(CAMPAIGN, ANA, "a")
            operator.rename(f"{key}:elsewhere", key)
            assert await anyio.to_thread.run_sync(eventually, lambda: not operator.exists(key))
    async with RedisPresence(redis_url) as other:
        assert await other.present(CAMPAIGN) == {}


@pytest.mark.anyio
async def test_redis_knows_the_feeds_of_all_and_forgets_those_whose_time_is_over(redis_url):
    async with RedisPresence(redis_url) as one, RedisPresence(redis_url) as other:
        await one.renew(CAMPAIGN, ANA, "a", 90, 30)
        await other.renew(CAMPAIGN, BEN, "b", 80, 30)
        await other._redis.hset(KEY.format(campaign=CAMPAIGN), f"{BEN}:died", "70:71")
        for each in (one, other):
            assert await each.present(CAMPAIGN) == {ANA: Here(90), BEN: Here(80)}
        await other.close(CAMPAIGN, BEN, "b")
        assert await one.present(CAMPAIGN) == {ANA: Here(90)}
        assert await one._redis.hlen(KEY.format(campaign=CAMPAIGN)) == 1
        await one.close(CAMPAIGN, ANA, "a")


@pytest.mark.anyio
async def test_without_redis_those_of_this_process_are_here():
    async with RedisPresence(f"redis://127.0.0.1:{free_port()}/0") as feeds:
        await feeds.renew(CAMPAIGN, ANA, "a", 90, 30)
        assert await feeds.present(CAMPAIGN) == {ANA: Here(90)}
        await feeds.close(CAMPAIGN, ANA, "a")
        assert await feeds.present(CAMPAIGN) == {}


@pytest.mark.anyio
async def test_who_has_a_window_in_sight_at_any_process_does_not_look_elsewhere(redis_url):
    """The windows of two browsers are served by two processes; a third asks."""
    async with (
        RedisPresence(redis_url) as first,
        RedisPresence(redis_url) as second,
        RedisPresence(redis_url) as third,
    ):
        one, other = Presence(first), Presence(second)

        async def is_here() -> list[Here | None]:
            return [(await each.present(CAMPAIGN)).get(ANA) for each in (first, second, third)]

        async with one.feed_open(CAMPAIGN, ANA, looks_elsewhere=True):
            assert [each is not None and each.looks_elsewhere for each in await is_here()] == [True] * 3
            async with other.feed_open(CAMPAIGN, ANA):
                assert [each is not None and each.looks_elsewhere for each in await is_here()] == [False] * 3
                async with one.feed_open(CAMPAIGN, BEN, looks_elsewhere=True):
                    people = await third.present(CAMPAIGN)
                    assert {who: here.looks_elsewhere for who, here in people.items()} == {ANA: False, BEN: True}
            assert [each is not None and each.looks_elsewhere for each in await is_here()] == [True] * 3
        assert await is_here() == [None] * 3


def test_who_looks_elsewhere_at_one_process_is_shown_so_by_another(database, redis_url, follow):
    first = api(database.service, redis_url, pace=QUICK)
    second = api(database.service, redis_url, pace=QUICK)
    with first as here, second as there:
        table = table_at(here.client)
        anas = follow(here, table.gm, table.path)

        def maras() -> list[bool]:
            told = [each.data["present"] for each in anas.told if each.event == "presence"]
            return [each["looks_elsewhere"] for each in told[-1] if each["name"] == "Mara"] if told else []

        def window(running: Any, what: str) -> Any:
            browser = Browser(running.client).sign_in(table.player.name)
            return follow(running, browser, "", query=f"?{what}", root="")

        behind = window(there, f"beside={table.campaign_id}")
        assert behind.status == 200
        assert eventually(lambda: maras() == [True])
        in_sight = window(here, f"follow={table.campaign_id}:0")
        assert in_sight.status == 200
        assert eventually(lambda: maras() == [False])
        in_sight.hang_up()
        assert eventually(lambda: maras() == [True])
        behind.hang_up()
        assert eventually(lambda: maras() == [])
