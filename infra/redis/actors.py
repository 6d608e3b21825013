"""The Dramatiq actors. Their messages only wake a worker: what there is to do stands in PostgreSQL."""

from collections.abc import Callable

import dramatiq
from dramatiq import Broker

ACTORS = {"catch_up": "campaign.catch_up", "timers": "campaign.fire_timers"}
"""The actor of each queue that has wake-up messages."""

MESSAGE_AGE_MS = 60_000
"""An older message says nothing that a worker does not find by itself."""


def register(broker: Broker, queue: str, look: Callable[[], object]) -> None:
    """The actor that looks for what there is to do in a queue."""

    @dramatiq.actor(
        broker=broker, actor_name=ACTORS[queue], queue_name=queue, max_retries=0, max_age=MESSAGE_AGE_MS
    )
    def answer() -> None:
        look()


def wake_up(queue: str) -> dramatiq.Message[None]:
    """A wake-up message for a queue's actor."""
    return dramatiq.Message(queue_name=queue, actor_name=ACTORS[queue], args=(), kwargs={}, options={})
