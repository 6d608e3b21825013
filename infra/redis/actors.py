"""The Dramatiq actors. Their messages only wake a worker; the work itself is found in PostgreSQL."""

from collections.abc import Callable

import dramatiq
from dramatiq import Broker

ACTORS = {"catch_up": "campaign.catch_up", "timers": "campaign.fire_timers"}
"""The actor's name for each queue that has wake-up messages."""

MESSAGE_AGE_MS = 60_000
"""An older message is useless: by then a worker has looked without it."""


def register(broker: Broker, queue: str, look: Callable[[], object]) -> None:
    """Declare the actor that calls `look` for a queue."""

    @dramatiq.actor(
        broker=broker, actor_name=ACTORS[queue], queue_name=queue, max_retries=0, max_age=MESSAGE_AGE_MS
    )
    def answer() -> None:
        look()


def wake_up(queue: str) -> dramatiq.Message[None]:
    """A wake-up message for a queue's actor."""
    return dramatiq.Message(queue_name=queue, actor_name=ACTORS[queue], args=(), kwargs={}, options={})
