"""Dramatiq over Redis, tuned so that a killed worker's wake-up message is redelivered within seconds.

With the library's defaults a message of a killed worker comes back only after minutes, because maintenance runs by
chance once in a thousand fetches and waits a minute of heartbeats (both measured). And while Redis is away, the
library logs it every three seconds for each queue; here it is logged once.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from time import monotonic
from typing import Any

import redis
import structlog
from dramatiq.broker import Consumer, MessageProxy
from dramatiq.brokers.redis import RedisBroker
from dramatiq.errors import ConnectionClosed

from infra.outage_log import Outage

HEARTBEAT_MS = 5_000
MAINTENANCE_EVERY_FETCH = 1_000_000
SOCKET_SECONDS_MAX = 2.0
BACK_SECONDS = 0.5
WAKE_UP_KEY = "fieldlog:rung:{queue}"
WAKE_UP_MS = 1_000
"""A message that no worker took for a second may be sent again; until then one is enough."""

WAITING_MAX = 4
"""Messages kept in a queue while no worker runs: they must not fill Redis."""

log_line = structlog.get_logger("fieldlog.worker")


class RedisState:
    """Whether Redis answers; logged once when it stops and once when it is back. Safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._outage = Outage(log_line, "doorbells_unheard", "doorbells_heard_again")
        self._failed_at = 0.0

    def failed(self, failure: Exception) -> None:
        """Note that Redis did not answer."""
        with self._lock:
            self._failed_at = monotonic()
            self._outage.missed(failure)

    def answered(self) -> None:
        """Note that Redis answered. In an outage connections break one by one: a late success is no recovery."""
        with self._lock:
            if monotonic() - self._failed_at > BACK_SECONDS:
                self._outage.end()


class WakeUpBroker(RedisBroker):
    """A broker whose consumers treat every failure of Redis as a broken connection, and log each outage once."""

    def __init__(self, client: redis.Redis) -> None:
        super().__init__(  # type: ignore[no-untyped-call]
            client=client,
            namespace="fieldlog",
            heartbeat_timeout=HEARTBEAT_MS,
            maintenance_chance=MAINTENANCE_EVERY_FETCH,
        )
        self._state = RedisState()

    def close(self) -> None:
        """Disconnect; later uses connect again."""
        self.client.close()

    def consume(self, queue_name: str, prefetch: int = 1, timeout: int = 5000) -> Consumer:
        """A consumer of a queue."""
        logging.getLogger(f"dramatiq.worker.ConsumerThread({queue_name})").setLevel(logging.CRITICAL + 1)
        return _QuietConsumer(super().consume(queue_name, prefetch, timeout), self._state)


class _QuietConsumer(Consumer):
    """The library's consumer reconnects after `ConnectionClosed`, but treats a timeout as a defect."""

    def __init__(self, inner: Consumer, state: RedisState) -> None:
        self._inner = inner
        self._state = state

    def __next__(self) -> MessageProxy | None:
        with self._watched():
            message: MessageProxy | None = next(self._inner)
        self._state.answered()
        return message

    def ack(self, message: MessageProxy) -> None:
        with self._watched():
            self._inner.ack(message)

    def nack(self, message: MessageProxy) -> None:
        with self._watched():
            self._inner.nack(message)

    def requeue(self, messages: Any) -> None:
        # While Redis is away, a stopping worker cannot return its messages: maintenance does so later.
        with suppress(ConnectionClosed), self._watched():
            self._inner.requeue(messages)

    def close(self) -> None:
        self._inner.close()

    @contextmanager
    def _watched(self) -> Iterator[None]:
        try:
            yield
        except (redis.RedisError, ConnectionClosed) as failure:
            self._state.failed(failure)
            raise ConnectionClosed(failure) from None  # type: ignore[no-untyped-call]


def make_broker(redis_url: str) -> WakeUpBroker:
    """A broker that connects when first used; until then an unreachable Redis is no error."""
    return WakeUpBroker(
        redis.Redis.from_url(
            redis_url, socket_connect_timeout=SOCKET_SECONDS_MAX, socket_timeout=SOCKET_SECONDS_MAX
        )
    )


def claim_wake_up(broker: WakeUpBroker, queue: str) -> bool:
    """Whether a message should be sent: False while an unanswered one is on its way. Raises `redis.RedisError`."""
    key = WAKE_UP_KEY.format(queue=queue)
    return bool(broker.client.set(key, b"1", nx=True, px=WAKE_UP_MS)) and broker.do_qsize(queue) < WAITING_MAX


def answer_wake_up(broker: WakeUpBroker, queue: str) -> None:
    """Allow the next notification to send a message again. While Redis is away, that takes a second."""
    with suppress(redis.RedisError):
        broker.client.delete(WAKE_UP_KEY.format(queue=queue))
