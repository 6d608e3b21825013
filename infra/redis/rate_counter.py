"""A rate counter for all processes at the same Redis, and for this one alone while Redis is unavailable."""

from time import time
from typing import Self

import structlog

from infra.in_process.rate_counter import InProcessRateCounter
from infra.outage_log import Outage
from infra.redis.circuit_breaker import CircuitBreaker, client_of

PREFIX = "fieldlog:rate:"

log = structlog.get_logger("fieldlog.redis")


class RedisRateCounter:
    """Use as `async with RedisRateCounter(url)`."""

    def __init__(self, url: str) -> None:
        self._redis = client_of(url)
        self._here = InProcessRateCounter()
        self._breaker = CircuitBreaker(Outage(log, "rates_counted_here_only", "rates_counted_everywhere"))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._redis.aclose()

    async def count(self, key: str, window_seconds: int) -> tuple[int, int]:
        """Count one more. Returns the count in the current window and the seconds until the next window."""
        here, again_in = await self._here.count(key, window_seconds)
        window = f"{PREFIX}{key}:{int(time()) // window_seconds}"

        async def ask() -> int:
            async with self._redis.pipeline(transaction=True) as both:
                both.incr(window)
                both.expire(window, window_seconds + 1)
                everywhere, _ = await both.execute()
            return int(everywhere)

        return max(here, await self._breaker.ask(ask) or 0), again_in

    async def remember(self, key: str, seconds: int) -> None:
        """Remember a key for so many seconds, in this process at least."""
        await self._here.remember(key, seconds)

        async def ask() -> int:
            return int(bool(await self._redis.set(PREFIX + key, 1, ex=seconds)))

        await self._breaker.ask(ask)

    async def remembers(self, key: str) -> bool:
        """Whether a key is remembered in this process or, if Redis answers, in any."""
        if await self._here.remembers(key):
            return True

        async def ask() -> int:
            return int(await self._redis.exists(PREFIX + key))

        return bool(await self._breaker.ask(ask))
