"""A notifier for all processes at the same Redis; without Redis it notifies only this process.

One connection carries everything: notifications go out as `PUBLISH` on a channel per campaign, and each campaign
is subscribed to once per process. Redis may go away and come back at any moment. Meanwhile notifications are kept,
each campaign once, without what they tell, and sent afterwards; subscriptions are woken as soon as Redis has them
again, since something may have been missed.
"""

import asyncio
import math
import random
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from secrets import token_bytes
from time import monotonic
from typing import Self
from uuid import UUID

import structlog
from redis.asyncio import ConnectionPool
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as LineBroken
from redis.exceptions import RedisError

from domain.ids import CampaignId
from infra.in_process.campaign_news import InProcessNotifier, InProcessSubscription
from infra.outage_log import Outage

CHANNEL = b"fieldlog:news:"
"""Followed by the campaign's id. The message begins with its sender, which has notified its own subscriptions."""

HOLDS = b"fieldlog:holds"
"""One channel for all campaigns. The message names its sender, the campaign, and whether its hold begins."""

SENDER_BYTES = 8
HOLD_BYTES = SENDER_BYTES + 16 + 1
"""Of a message about a hold: its sender, the campaign's id, and whether it begins."""

ANSWER_SECONDS_MAX = 2.0
PING_SECONDS = 1.0
UNANSWERED_MAX = 2
"""After so many unanswered pings the connection is dead: the other end may have vanished without closing it."""

PAUSE_SECONDS_MIN = 0.05
PAUSE_SECONDS_MAX = 2.0
CLOSE_SECONDS_MAX = 0.5
UNSENT_HOLDS_MAX = 100
UNPUBLISHED_MAX = 10_000
"""Unsent campaigns kept for Redis; beyond that notifications are lost, which only delays readers."""

log = structlog.get_logger("fieldlog.redis")


class RedisNotifier:
    """Use as `async with RedisNotifier(url)`, or call `start` and `close`; else it notifies only this process."""

    def __init__(self, url: str) -> None:
        pool = ConnectionPool.from_url(url)
        settings = {
            **pool.connection_kwargs,
            "protocol": 3,  # lets one connection both publish and be subscribed
            "socket_timeout": None,  # limits are set below, as a write of redis-py's would lose a cancelling
            "socket_connect_timeout": None,
            "retry": Retry(NoBackoff(), 0),  # the loop below knows what to subscribe to again
            "health_check_interval": 0,
        }
        self._connection: AbstractConnection = pool.connection_class(**settings)
        self._here = InProcessNotifier()
        self._followed: dict[CampaignId, Callable[[bytes], None]] = {}
        self._me = token_bytes(SENDER_BYTES)
        self._to_publish: dict[CampaignId, bytes] = {}
        self._is_connected = False
        self._holds: list[bytes] = []
        self._heard_hold: Callable[..., None] | None = None
        self._confirmed: set[CampaignId] = set()
        self._subscriptions_changed = False
        self._work = asyncio.Event()
        self._closing = asyncio.Event()
        self._unanswered = 0
        self._outage = Outage(log, "redis_away", "redis_back")
        self._running: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to connect; returns at once, with or without Redis."""
        self._closing.clear()
        self._running = asyncio.create_task(self._stay_connected())

    async def close(self) -> None:
        """Send the remaining notifications if that is quickly done, and disconnect."""
        running, self._running = self._running, None
        self._closing.set()
        self._work.set()
        if running is not None:
            await asyncio.wait({running}, timeout=CLOSE_SECONDS_MAX)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def notify(self, campaign_id: CampaignId, news: bytes = b"") -> None:
        """Notify the campaign's subscriptions: here at once, in other processes soon.

        Of two notifications that are sent as one, nothing is told.
        """
        self._here.notify(campaign_id)
        if self._running is not None and len(self._to_publish) < UNPUBLISHED_MAX:
            is_told = self._is_connected and campaign_id not in self._to_publish
            self._to_publish[campaign_id] = news if is_told else b""
            self._work.set()

    def follow(self, campaign_id: CampaignId, heard: Callable[[bytes], None]) -> None:
        """Call `heard` at each notification of the campaign by another process, with what that tells."""
        self._followed[campaign_id] = heard
        self._note_change()

    def unfollow(self, campaign_id: CampaignId) -> None:
        """Follow the campaign no longer."""
        if self._followed.pop(campaign_id, None) is not None:
            self._note_change()

    def hold(self, campaign_id: CampaignId) -> None:
        """Ask all other processes to hold the campaign's queue for a moment."""
        self._tell_of_hold(campaign_id, begins=True)

    def release(self, campaign_id: CampaignId) -> None:
        """Tell them to hold it no longer."""
        self._tell_of_hold(campaign_id, begins=False)

    def on_hold(self, heard: Callable[..., None]) -> None:
        """Call `heard` whenever another process asks to hold a queue, or no longer."""
        self._heard_hold = heard

    def _tell_of_hold(self, campaign_id: CampaignId, *, begins: bool) -> None:
        if self._running is not None and len(self._holds) < UNSENT_HOLDS_MAX:
            self._holds.append(self._me + campaign_id.bytes + (b"\1" if begins else b"\0"))
            self._work.set()

    @asynccontextmanager
    async def subscribe(self, campaign_id: CampaignId) -> AsyncIterator["RedisSubscription"]:
        """Subscribe to the campaign's news; woken once when Redis has subscribed, as news may have been missed."""
        async with self._here.subscribe(campaign_id) as subscription:
            self._note_change()
            try:
                yield RedisSubscription(self, campaign_id, subscription)
            finally:
                self._note_change()

    def is_reliable_for(self, campaign_id: CampaignId) -> bool:
        """Whether notifications for this campaign from every process arrive at the moment."""
        return campaign_id in self._confirmed

    def _note_change(self) -> None:
        self._subscriptions_changed = True
        self._work.set()

    async def _stay_connected(self) -> None:
        """Connect, work until the connection breaks, and again, with longer and longer pauses."""
        pause = PAUSE_SECONDS_MIN
        while not self._closing.is_set():
            began = monotonic()
            try:
                async with asyncio.timeout(ANSWER_SECONDS_MAX):
                    await self._connection.connect()  # type: ignore[no-untyped-call]
                await self._exchange()
            except* Exception as failures:  # noqa: BLE001 — after any failure, the next line may hold
                self._outage.missed(failures.exceptions[0])
            finally:
                self._is_connected = False
                self._to_publish = dict.fromkeys(self._to_publish, b"")
                self._confirmed.clear()
                with suppress(RedisError, OSError):
                    await self._connection.disconnect(nowait=True)
            if monotonic() - began > PAUSE_SECONDS_MAX:
                pause = PAUSE_SECONDS_MIN
            with suppress(TimeoutError):
                async with asyncio.timeout(pause * random.uniform(0.7, 1.0)):  # noqa: S311 — spreads processes out
                    await self._closing.wait()
            pause = min(pause * 2, PAUSE_SECONDS_MAX)

    async def _exchange(self) -> None:
        """Send and receive on the connection until it breaks, or until this notifier is closed."""
        self._unanswered = 0
        async with asyncio.TaskGroup() as both:
            hearing = both.create_task(self._hear())
            await self._speak()
            hearing.cancel()

    async def _hear(self) -> None:
        while True:
            message = await self._connection.read_response(timeout=math.inf, push_request=True)
            self._unanswered = 0
            self._outage.end()
            match message:
                case [b"message", bytes(channel), bytes(said)] if channel == HOLDS:
                    self._hear_hold(said)
                case [b"subscribe", bytes(channel), _] if channel == HOLDS:
                    pass
                case [b"message", bytes(channel), bytes(said)] if not said.startswith(self._me):
                    self._heard(_campaign_of(channel), said[SENDER_BYTES:])
                case [b"subscribe", bytes(channel), _]:
                    self._confirmed.add(_campaign_of(channel))
                    self._here.notify(_campaign_of(channel))
                case _:
                    pass  # answers to PING and PUBLISH, own messages, goodbyes to channels

    def _hear_hold(self, payload: bytes) -> None:
        if len(payload) != HOLD_BYTES:
            return  # no process of Fieldlog says that
        who, campaign, begins = payload[:SENDER_BYTES], payload[SENDER_BYTES:-1], payload[-1:]
        if who != self._me and self._heard_hold is not None:
            self._heard_hold(CampaignId(UUID(bytes=campaign)), begins=begins == b"\1")

    def _heard(self, campaign_id: CampaignId, news: bytes) -> None:
        self._here.notify(campaign_id)
        if (heard := self._followed.get(campaign_id)) is not None:
            heard(news)

    async def _speak(self) -> None:
        subscribed: set[CampaignId] = set()
        self._subscriptions_changed = True
        self._is_connected = True
        self._holds.clear()  # the questions asked while Redis was away are over
        await self._send([(b"SUBSCRIBE", HOLDS)])
        pinged_at = -math.inf
        while True:
            self._work.clear()
            if self._subscriptions_changed:
                self._subscriptions_changed = False
                channels = self._here.subscribed_to() | self._followed.keys()
                self._confirmed &= channels
                await self._send((b"UNSUBSCRIBE", _channel(campaign)) for campaign in subscribed - channels)
                await self._send((b"SUBSCRIBE", _channel(campaign)) for campaign in channels - subscribed)
                subscribed = channels
            holds, self._holds = self._holds, []
            await self._send((b"PUBLISH", HOLDS, hold) for hold in holds)
            to_publish, self._to_publish = self._to_publish, {}
            await self._send(
                (b"PUBLISH", _channel(campaign), self._me + news) for campaign, news in to_publish.items()
            )
            if self._closing.is_set():
                return
            if monotonic() - pinged_at >= PING_SECONDS:
                if self._unanswered >= UNANSWERED_MAX:
                    raise LineBroken("Redis does not answer any more.")
                await self._send([(b"PING",)])
                pinged_at = monotonic()
                self._unanswered += 1
            with suppress(TimeoutError):
                async with asyncio.timeout(PING_SECONDS):
                    await self._work.wait()

    async def _send(self, commands: Iterable[tuple[bytes, ...]]) -> None:
        chunks = self._connection.pack_commands(commands)
        if chunks:
            async with asyncio.timeout(ANSWER_SECONDS_MAX):
                await self._connection.send_packed_command(chunks, check_health=False)


class RedisSubscription:
    """One subscription. A notification that arrives between two waits is remembered."""

    def __init__(
        self, notifier: RedisNotifier, campaign_id: CampaignId, subscription: InProcessSubscription
    ) -> None:
        self._notifier = notifier
        self._campaign_id = campaign_id
        self._subscription = subscription

    @property
    def is_reliable(self) -> bool:
        """Whether Redis is connected and has this subscription."""
        return self._notifier.is_reliable_for(self._campaign_id)

    async def wait(self, seconds_max: float) -> bool:
        """Return at the next notification or after `seconds_max`; True if there was a notification."""
        return await self._subscription.wait(seconds_max)


def _channel(campaign_id: CampaignId) -> bytes:
    return CHANNEL + str(campaign_id).encode()


def _campaign_of(channel: bytes) -> CampaignId:
    return CampaignId(UUID(channel.removeprefix(CHANNEL).decode()))
