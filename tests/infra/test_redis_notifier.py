"""The notifier over Redis: heard in other processes, promptly, and in nobody's way while Redis is not there."""

import asyncio
import signal
import time
from contextlib import asynccontextmanager
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
import redis
from structlog.testing import capture_logs

from domain.ids import CampaignId
from infra.embedded.child_process import free_port
from infra.embedded.valkey import EmbeddedValkey
from infra.redis import campaign_news as module
from infra.redis.campaign_news import RedisNotifier
from tests.engines import engine_folder

pytestmark = pytest.mark.anyio

SECONDS_MAX = 20.0
HERE = CampaignId(uuid4())
ELSEWHERE = CampaignId(uuid4())


@pytest.fixture
def own_redis():
    """A Redis that a test may kill; call it to start it again on the same port."""
    with engine_folder() as folder:
        started = []

        def start():
            started.append(EmbeddedValkey.start(folder))
            return started[-1]

        yield start
        for engine in started:
            engine.stop()


@asynccontextmanager
async def heard(notifier, campaign=HERE):
    """A subscription that Redis has agreed to."""
    async with notifier.subscribe(campaign) as subscription:
        await until(lambda: subscription.is_reliable)
        await until_quiet(subscription)
        yield subscription


async def until(holds, seconds_max=SECONDS_MAX):
    deadline = time.monotonic() + seconds_max
    while not holds():
        assert time.monotonic() < deadline, "it never came to that"
        await asyncio.sleep(0.005)


async def until_quiet(subscription):
    while await subscription.wait(0.05):
        pass


def counted_connects(notifier):
    """When it tried to connect, as it goes on."""
    tries = []
    connect = notifier._connection.connect

    async def counted():
        tries.append(time.monotonic())
        await connect()

    notifier._connection.connect = counted
    return tries


def subscribers(url):
    with redis.Redis.from_url(url) as client:
        return {name.decode(): count for name, count in client.pubsub_numsub(*client.pubsub_channels())}


async def test_a_ring_is_heard_in_another_process(redis_url):
    async with RedisNotifier(redis_url) as one, RedisNotifier(redis_url) as other, heard(other) as subscription:
        one.notify(HERE)
        assert await subscription.wait(SECONDS_MAX)


async def test_a_ring_is_heard_only_by_those_who_listen_to_its_campaign(redis_url):
    async with (
        RedisNotifier(redis_url) as one,
        RedisNotifier(redis_url) as other,
        heard(other) as here,
        heard(other, ELSEWHERE) as elsewhere,
    ):
        one.notify(ELSEWHERE)
        assert await elsewhere.wait(SECONDS_MAX)
        assert not await here.wait(0.05)


async def test_whoever_rings_wakes_its_own_listeners_at_once_and_once(redis_url):
    async with RedisNotifier(redis_url) as notifier, heard(notifier) as subscription:
        notifier.notify(HERE)
        assert await subscription.wait(0)
        notifier.notify(ELSEWHERE)
        assert not await subscription.wait(0.1)


async def test_who_follows_a_campaign_hears_what_another_process_tells_and_never_itself(redis_url):
    channel = f"fieldlog:news:{HERE}"
    told: list[bytes] = []
    async with RedisNotifier(redis_url) as one, RedisNotifier(redis_url) as other:
        other.follow(HERE, told.append)
        await until(lambda: subscribers(redis_url).get(channel) == 1)
        other.notify(HERE, b"own")
        one.notify(HERE, b"\0\xff")
        await until(lambda: told)
        one.notify(HERE, b"again")
        await until(lambda: len(told) == 2)
        assert told == [b"\0\xff", b"again"]


async def test_of_two_notifications_that_are_sent_as_one_nothing_is_told(redis_url):
    channel = f"fieldlog:news:{HERE}"
    told: list[bytes] = []
    async with RedisNotifier(redis_url) as one, RedisNotifier(redis_url) as other:
        other.follow(HERE, told.append)
        await until(lambda: subscribers(redis_url).get(channel) == 1)
        one.notify(HERE, b"first")
        one.notify(HERE, b"second")
        await until(lambda: told)
        one.notify(HERE, b"third")
        await until(lambda: len(told) == 2)
        assert told == [b"", b"third"]


async def test_while_redis_is_away_it_is_kept_that_there_is_news_and_not_what():
    async with RedisNotifier(f"redis://127.0.0.1:{free_port()}/0") as notifier:
        notifier.notify(HERE, b"away")
        assert notifier._to_publish == {HERE: b""}


async def test_who_follows_a_campaign_no_more_hears_nothing(redis_url):
    channel = f"fieldlog:news:{HERE}"
    told: list[bytes] = []
    async with RedisNotifier(redis_url) as one, RedisNotifier(redis_url) as other, heard(other) as subscription:
        other.follow(HERE, told.append)
        other.unfollow(HERE)
        one.notify(HERE)
        assert await subscription.wait(SECONDS_MAX)
        assert not told
    assert channel not in subscribers(redis_url)


async def test_holds_are_heard_in_other_processes_in_order_and_never_in_their_own(redis_url):
    async with RedisNotifier(redis_url) as one, RedisNotifier(redis_url) as other:
        here, there = [], []
        one.on_hold(lambda campaign, *, begins: here.append((campaign, begins)))
        other.on_hold(lambda campaign, *, begins: there.append((campaign, begins)))
        await until(lambda: subscribers(redis_url).get("fieldlog:holds") == 2)
        one.hold(HERE)
        one.hold(ELSEWHERE)
        one.release(HERE)
        await until(lambda: len(there) == 3)
        assert there == [(HERE, True), (ELSEWHERE, True), (HERE, False)]
        other.hold(HERE)
        await until(lambda: here)
        assert here == [(HERE, True)]


async def test_a_hold_that_cannot_be_read_is_ignored_and_the_next_one_heard(redis_url):
    async with RedisNotifier(redis_url) as one, RedisNotifier(redis_url) as other:
        told = []
        other.on_hold(lambda campaign, *, begins: told.append((campaign, begins)))
        await until(lambda: subscribers(redis_url).get("fieldlog:holds") == 2)
        with redis.Redis.from_url(redis_url) as client:
            for said in (b"", b"x", b"x" * 16, b"x" * 32, b"x" * 34, b"x" * 10_000):
                client.publish("fieldlog:holds", said)
        one.hold(HERE)
        await until(lambda: told)
        assert told == [(HERE, True)]
        assert other._outage._began is None, "its connection holds"


async def test_a_hold_that_was_asked_for_while_redis_was_away_is_forgotten(own_redis):
    engine = own_redis()
    async with RedisNotifier(engine.url) as one, RedisNotifier(engine.url) as other:
        told = []
        other.on_hold(lambda campaign, *, begins: told.append((campaign, begins)))
        await until(lambda: subscribers(engine.url).get("fieldlog:holds") == 2)
        engine.process.kill()
        engine.stop()
        one.hold(HERE)
        engine = own_redis()
        await until(lambda: subscribers(engine.url).get("fieldlog:holds") == 2)
        one.hold(ELSEWHERE)
        await until(lambda: told)
        assert told == [(ELSEWHERE, True)]


async def test_a_thousand_rings_in_a_row_are_few_messages(redis_url):
    async with RedisNotifier(redis_url) as one, RedisNotifier(redis_url) as other, heard(other) as subscription:
        with redis.Redis.from_url(redis_url) as client:
            before = client.info("commandstats").get("cmdstat_publish", {"calls": 0})["calls"]
            for _ in range(1000):
                one.notify(HERE)
            assert await subscription.wait(SECONDS_MAX)
            assert client.info("commandstats")["cmdstat_publish"]["calls"] - before <= 2


async def test_a_campaign_is_subscribed_to_once_however_many_listen_and_not_longer_than_they_do(redis_url):
    channel = f"fieldlog:news:{HERE}"
    async with RedisNotifier(redis_url) as notifier:
        async with heard(notifier):
            async with heard(notifier):
                assert subscribers(redis_url)[channel] == 1
            assert subscribers(redis_url)[channel] == 1
        await until(lambda: channel not in subscribers(redis_url))
        async with heard(notifier) as again:
            assert again.is_reliable


async def test_without_redis_from_the_start_it_rings_here_and_says_that_it_does_not_hear_all():
    with capture_logs() as said:
        async with (
            RedisNotifier(f"redis://127.0.0.1:{free_port()}/0") as notifier,
            notifier.subscribe(HERE) as subscription,
        ):
            notifier.notify(HERE)
            assert await subscription.wait(0)
            assert not subscription.is_reliable
            tries = counted_connects(notifier)
            await until(lambda: said and len(tries) >= 3)
            began = time.monotonic()
        assert time.monotonic() - began < 1
    assert [line["event"] for line in said] == ["redis_away"]


async def test_while_redis_is_away_it_tries_less_and_less_often(monkeypatch):
    notifier = RedisNotifier(f"redis://127.0.0.1:{free_port()}/0")
    tries = counted_connects(notifier)
    monkeypatch.setattr(module, "PAUSE_SECONDS_MAX", 0.4)
    async with notifier:
        await until(lambda: len(tries) >= 6)
    assert tries[5] - tries[0] >= 0.7 * (0.05 + 0.1 + 0.2 + 0.4 + 0.4)


@pytest.mark.slow
async def test_redis_may_die_and_come_back_and_what_was_rung_meanwhile_is_heard_then(own_redis):
    with capture_logs() as said:
        engine = own_redis()
        async with (
            RedisNotifier(engine.url) as one,
            RedisNotifier(engine.url) as other,
            heard(other) as subscription,
        ):
            engine.process.kill()
            await until(lambda: not subscription.is_reliable)
            assert not await subscription.wait(0.05)
            one.notify(HERE)
            engine.stop()
            again = await asyncio.to_thread(own_redis)
            assert urlsplit(again.url).port == urlsplit(engine.url).port
            assert await subscription.wait(SECONDS_MAX), "whoever is subscribed again may have missed something"
            await until(lambda: subscription.is_reliable and one._to_publish == {})
            await until_quiet(subscription)
            one.notify(HERE)
            assert await subscription.wait(SECONDS_MAX)
    events = [line["event"] for line in said]
    assert events.count("redis_away") == 2, "once for each of the two bells"
    assert events.count("redis_back") == 2


@pytest.mark.slow
async def test_a_redis_that_hangs_is_noticed_within_seconds(own_redis):
    engine = own_redis()
    async with RedisNotifier(engine.url) as notifier, heard(notifier) as subscription:
        engine.process.send_signal(signal.SIGSTOP)
        try:
            began = time.monotonic()
            await until(lambda: not subscription.is_reliable)
            assert time.monotonic() - began < 5
        finally:
            engine.process.send_signal(signal.SIGCONT)
        await until(lambda: subscription.is_reliable)


async def test_a_line_that_is_cut_is_made_anew(redis_url):
    async with RedisNotifier(redis_url) as one, RedisNotifier(redis_url) as other, heard(other) as subscription:
        with redis.Redis.from_url(redis_url) as client:
            client.client_kill_filter(_type="pubsub")
        await until(lambda: not subscription.is_reliable)
        await until(lambda: subscription.is_reliable)
        await until_quiet(subscription)
        one.notify(HERE)
        assert await subscription.wait(SECONDS_MAX)


async def test_flushing_redis_harms_nothing(redis_url):
    async with RedisNotifier(redis_url) as one, RedisNotifier(redis_url) as other, heard(other) as subscription:
        with redis.Redis.from_url(redis_url) as client:
            client.flushdb()
        one.notify(HERE)
        assert await subscription.wait(SECONDS_MAX)


async def test_what_was_rung_last_is_sent_before_it_closes(redis_url):
    async with RedisNotifier(redis_url) as other, heard(other) as subscription:
        async with RedisNotifier(redis_url) as one, heard(one):
            one.notify(HERE)
        assert await subscription.wait(SECONDS_MAX)


async def test_after_it_closed_it_still_rings_here(redis_url):
    notifier = RedisNotifier(redis_url)
    async with notifier:
        pass
    async with notifier.subscribe(HERE) as subscription:
        notifier.notify(HERE)
        assert await subscription.wait(0)
