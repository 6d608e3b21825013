"""Dramatiq over Redis, tuned so that a killed worker's doorbell is heard again within seconds.

With the library's defaults a message of a killed worker comes back only after minutes, because maintenance
runs by chance once in a thousand fetches and waits a minute of heartbeats (both measured).
"""

import redis
from dramatiq.brokers.redis import RedisBroker

HEARTBEAT_MS = 5_000
MAINTENANCE_EVERY_FETCH = 1_000_000
SOCKET_SECONDS_MAX = 2.0
RUNG_KEY = "fieldlog:rung"
RUNG_MS = 1_000
"""A doorbell that nobody answered for a second may be rung again; until then one message is enough."""


def make_broker(redis_url: str) -> RedisBroker:
    """A broker that connects when first used; Redis being away is no error before that."""
    client = redis.Redis.from_url(
        redis_url, socket_connect_timeout=SOCKET_SECONDS_MAX, socket_timeout=SOCKET_SECONDS_MAX
    )
    return RedisBroker(  # type: ignore[no-untyped-call]
        client=client,
        namespace="fieldlog",
        heartbeat_timeout=HEARTBEAT_MS,
        maintenance_chance=MAINTENANCE_EVERY_FETCH,
    )


def claim_ring(broker: RedisBroker) -> bool:
    """Whether a message is due: False while one is on its way unanswered. Raises `redis.RedisError`."""
    return bool(broker.client.set(RUNG_KEY, b"1", nx=True, px=RUNG_MS))


def answer_ring(broker: RedisBroker) -> None:
    """The next ring sends a message again."""
    broker.client.delete(RUNG_KEY)
