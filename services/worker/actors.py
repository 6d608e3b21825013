"""The Dramatiq actors. Their messages are doorbells without payload: what there is to do stands in PostgreSQL."""

from collections.abc import Callable

import dramatiq
from dramatiq import Broker

ACTORS = {"catch_up": "campaign.catch_up", "timers": "campaign.fire_timers"}
"""Who answers the doorbells of each queue that has any."""

QUEUES = (*ACTORS, "accounting", "erasing")
"""The jobs of workers. Nobody rings for the last two: nothing makes a check of a ledger urgent, or an erasure."""

MESSAGE_AGE_MS = 60_000
"""An older doorbell says nothing that a worker does not find by itself."""


def register(broker: Broker, queue: str, look: Callable[[], object]) -> None:
    """The actor that looks for what there is to do in a queue."""

    @dramatiq.actor(
        broker=broker, actor_name=ACTORS[queue], queue_name=queue, max_retries=0, max_age=MESSAGE_AGE_MS
    )
    def answer() -> None:
        look()


def doorbell(queue: str) -> dramatiq.Message[None]:
    """A message for a queue's actor."""
    return dramatiq.Message(queue_name=queue, actor_name=ACTORS[queue], args=(), kwargs={}, options={})
