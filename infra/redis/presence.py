"""The members with an open live feed in any process at the same Redis; in this one while Redis is unavailable."""

import asyncio
from time import time
from typing import Any, Self
from uuid import UUID

import structlog

from domain.ids import AccountId, CampaignId
from domain.presence import ELSEWHERE, Here
from infra.in_process.presence import InProcessPresence, by_account
from infra.outage_log import Outage
from infra.redis.circuit_breaker import UNAVAILABLE_SECONDS, CircuitBreaker, client_of

KEY = "fieldlog:here:{campaign}"
"""A hash: `<account>:<feed>` → `<since>:<until>`, both seconds UTC. It expires with its last feed."""

log = structlog.get_logger("fieldlog.redis")


class RedisPresence:
    """Use as `async with RedisPresence(url)`."""

    def __init__(self, url: str, unavailable_seconds: float = UNAVAILABLE_SECONDS) -> None:
        self._redis = client_of(url)
        self._here = InProcessPresence()
        outage = Outage(log, "presence_known_here_only", "presence_known_everywhere")
        self._breaker = CircuitBreaker(outage, unavailable_seconds)
        self._unavailable_seconds = unavailable_seconds
        self._unheard: set[tuple[CampaignId, str]] = set()
        self._repeating: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._repeating is not None:
            self._repeating.cancel()
            await asyncio.gather(self._repeating, return_exceptions=True)
        await self._redis.aclose()

    async def renew(
        self, campaign_id: CampaignId, account: AccountId, feed: str, since: int, seconds: int
    ) -> None:
        """Say that a feed is open since a moment, and will be for so long."""
        await self._here.renew(campaign_id, account, feed, since, seconds)
        key = KEY.format(campaign=campaign_id)

        async def ask() -> bool:
            async with self._redis.pipeline(transaction=True) as both:
                both.hset(key, f"{account}:{feed}", f"{since}:{int(time()) + seconds}")
                both.expire(key, seconds)
                await both.execute()
            return True

        await self._breaker.ask(ask)

    async def close(self, campaign_id: CampaignId, account: AccountId, feed: str) -> None:
        """Say that a feed is closed; again later, if Redis does not hear it."""
        await self._here.close(campaign_id, account, feed)
        feed_key = (campaign_id, f"{account}:{feed}")
        self._unheard.add(feed_key)
        await self._say_closed(feed_key)
        if self._unheard and (self._repeating is None or self._repeating.done()):
            self._repeating = asyncio.create_task(self._repeat())

    async def _say_closed(self, feed_key: tuple[CampaignId, str]) -> None:
        campaign_id, whose = feed_key

        async def ask() -> bool:
            await self._redis.hdel(KEY.format(campaign=campaign_id), whose)
            return True

        if await self._breaker.ask(ask):
            self._unheard.discard(feed_key)

    async def _repeat(self) -> None:
        """Say what Redis has not heard, until it has heard everything."""
        while self._unheard:
            await asyncio.sleep(self._unavailable_seconds)
            for feed_key in [*self._unheard]:
                await self._say_closed(feed_key)

    async def present(self, campaign_id: CampaignId) -> dict[AccountId, Here]:
        """The members with an open feed, since when the oldest of theirs is, and whether they look elsewhere."""
        here = await self._here.present(campaign_id)

        async def ask() -> list[tuple[AccountId, Here]]:
            key, now = KEY.format(campaign=campaign_id), time()
            fields: Any = await self._redis.hgetall(key)
            told = [
                (whose, int(since), int(until))
                for whose, span in fields.items()
                for since, until in [span.split(b":")]
            ]
            if over := [whose for whose, _, until in told if until <= now]:
                await self._redis.hdel(key, *over)
            return [(_account_in(whose), _here(whose, since)) for whose, since, until in told if until > now]

        elsewhere = await self._breaker.ask(ask) or []
        return by_account([*here.items(), *elsewhere])


def _account_in(whose: bytes) -> AccountId:
    return AccountId(UUID(whose.partition(b":")[0].decode()))


def _here(whose: bytes, since: int) -> Here:
    return Here(since, whose.endswith(ELSEWHERE.encode()))
