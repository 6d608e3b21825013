"""Who has a live feed open in any process at the same Redis; in this one alone while Redis is unavailable."""

from time import time
from typing import Any, Self
from uuid import UUID

import structlog

from domain.ids import AccountId, CampaignId
from infra.in_process.presence import InProcessPresence, oldest
from infra.outage import Outage
from infra.redis.circuit_breaker import CircuitBreaker, impatient

KEY = "fieldlog:here:{campaign}"
"""A hash: `<account>:<feed>` → `<since>:<until>`, both seconds UTC. It expires with its last feed."""

log = structlog.get_logger("fieldlog.redis")


class RedisPresence:
    """Use as `async with RedisPresence(url)`."""

    def __init__(self, url: str) -> None:
        self._redis = impatient(url)
        self._here = InProcessPresence()
        self._breaker = CircuitBreaker(Outage(log, "presence_known_here_only", "presence_known_everywhere"))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
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

        await self._breaker.asked(ask)

    async def close(self, campaign_id: CampaignId, account: AccountId, feed: str) -> None:
        """Say that a feed is closed."""
        await self._here.close(campaign_id, account, feed)

        async def ask() -> bool:
            await self._redis.hdel(KEY.format(campaign=campaign_id), f"{account}:{feed}")
            return True

        await self._breaker.asked(ask)

    async def present(self, campaign_id: CampaignId) -> dict[AccountId, int]:
        """Who has a feed open, and since when the oldest of theirs is."""
        here = await self._here.present(campaign_id)

        async def ask() -> list[tuple[AccountId, int]]:
            key, now = KEY.format(campaign=campaign_id), time()
            found: Any = await self._redis.hgetall(key)
            told = [
                (whose, int(since), int(until))
                for whose, span in found.items()
                for since, until in [span.split(b":")]
            ]
            if over := [whose for whose, _, until in told if until <= now]:
                await self._redis.hdel(key, *over)
            return [(_account_in(whose), since) for whose, since, until in told if until > now]

        elsewhere = await self._breaker.asked(ask) or []
        return oldest([*here.items(), *elsewhere])


def _account_in(whose: bytes) -> AccountId:
    return AccountId(UUID(whose.partition(b":")[0].decode()))
