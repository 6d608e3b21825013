"""A circuit breaker for Redis: questions have a short time limit, and while Redis is unavailable none is asked."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as ConnectionBroken
from redis.exceptions import RedisError

from infra.outage_log import Outage

ANSWER_SECONDS_MAX = 0.5
UNAVAILABLE_SECONDS = 1.0
"""After a failure Redis is not asked for so long, so that requests do not wait for it again and again."""

Answer = TypeVar("Answer")


def client_of(url: str) -> Redis:
    """A client whose questions a `CircuitBreaker` asks. A kept connection that broke is opened again at once.

    One breaks where a caller is cancelled in the middle of a question, as a feed is whose client hangs up. The
    client has no time limits of its own: a write of redis-py with one may lose such a cancelling on Python 3.11.
    """
    return Redis.from_url(
        url,
        socket_timeout=None,
        socket_connect_timeout=None,
        retry=Retry(NoBackoff(), 1, supported_errors=(ConnectionBroken,)),
    )


class CircuitBreaker:
    """Asks, and leaves Redis alone for a while after it did not answer. Then one question tries it; others wait.

    A question that was asked before the last answer, and fails later, is no reason to leave it alone.
    """

    def __init__(self, outage: Outage, unavailable_seconds: float = UNAVAILABLE_SECONDS) -> None:
        self._outage = outage
        self._unavailable_seconds = unavailable_seconds
        self._is_available = True
        self._tries_again_at = 0.0
        self._answered_at = 0.0

    async def ask(self, ask: Callable[[], Awaitable[Answer]]) -> Answer | None:
        """Redis's answer; None while it is unavailable."""
        clock = asyncio.get_running_loop().time
        asked_at = clock()
        if not self._is_available:
            if asked_at < self._tries_again_at:
                return None
            self._tries_again_at = asked_at + self._unavailable_seconds  # meanwhile no other question tries
        try:
            async with asyncio.timeout(ANSWER_SECONDS_MAX):
                answer = await ask()
        except (RedisError, OSError) as failure:
            if asked_at >= self._answered_at:
                self._is_available = False
                self._tries_again_at = clock() + self._unavailable_seconds
            self._outage.missed(failure)
            return None
        self._is_available = True
        self._answered_at = clock()
        self._outage.end()
        return answer
