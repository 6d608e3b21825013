"""Counting for all processes at the same Redis, and in this one alone while Redis is unavailable."""

from collections.abc import Awaitable, Callable
from time import monotonic, time
from typing import Self

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from infra.in_process.rate_counter import InProcessRateCounter
from infra.outage import Outage

PREFIX = "fieldlog:rate:"
ANSWER_SECONDS_MAX = 0.5
UNAVAILABLE_SECONDS = 5.0
"""After a failure Redis is left alone so long: nobody who signs in shall wait for it again and again."""

log = structlog.get_logger("fieldlog.redis")


class RedisRateCounter:
    """Use as `async with RedisRateCounter(url)`."""

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(
            url,
            socket_timeout=ANSWER_SECONDS_MAX,
            socket_connect_timeout=ANSWER_SECONDS_MAX,
            retry=Retry(NoBackoff(), 0),
        )
        self._here = InProcessRateCounter()
        self._unavailable_until = 0.0
        self._outage = Outage(log, "rates_counted_here_only", "rates_counted_everywhere")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._redis.aclose()

    async def count(self, key: str, window_seconds: int) -> tuple[int, int]:
        """Count one more; how many there were in this window, and in how many seconds the next begins."""
        here, again_in = await self._here.count(key, window_seconds)
        window = f"{PREFIX}{key}:{int(time()) // window_seconds}"

        async def ask() -> int:
            async with self._redis.pipeline(transaction=True) as both:
                both.incr(window)
                both.expire(window, window_seconds + 1)
                everywhere, _ = await both.execute()
            return int(everywhere)

        return max(here, await self._asked(ask) or 0), again_in

    async def remember(self, key: str, seconds: int) -> None:
        """Remember a key for so long, in this process for certain."""
        await self._here.remember(key, seconds)

        async def ask() -> int:
            return int(bool(await self._redis.set(PREFIX + key, 1, ex=seconds)))

        await self._asked(ask)

    async def remembers(self, key: str) -> bool:
        """Whether a key is remembered here or, as far as Redis answers, anywhere."""
        if await self._here.remembers(key):
            return True

        async def ask() -> int:
            return int(await self._redis.exists(PREFIX + key))

        return bool(await self._asked(ask))

    async def _asked(self, ask: Callable[[], Awaitable[int]]) -> int | None:
        """What Redis says; None while it is unavailable."""
        if monotonic() < self._unavailable_until:
            return None
        try:
            answer = await ask()
        except (RedisError, OSError) as failure:
            self._unavailable_until = monotonic() + UNAVAILABLE_SECONDS
            self._outage.missed(failure)
            return None
        self._outage.end()
        return answer
