"""The Dramatiq actors. Their messages are doorbells without payload: what there is to do stands in PostgreSQL."""

from collections.abc import Callable

import dramatiq
from dramatiq import Broker

CATCH_UP = "campaign.catch_up"
QUEUE = "catch_up"
MESSAGE_AGE_MS = 60_000
"""An older doorbell says nothing that the sweep does not find by itself."""


def register_catch_up(broker: Broker, look: Callable[[], None]) -> None:
    """The actor that looks for campaigns whose stored views are behind."""

    @dramatiq.actor(broker=broker, actor_name=CATCH_UP, queue_name=QUEUE, max_retries=0, max_age=MESSAGE_AGE_MS)
    def catch_up() -> None:
        look()


def doorbell() -> dramatiq.Message[None]:
    """A message for `campaign.catch_up`."""
    return dramatiq.Message(queue_name=QUEUE, actor_name=CATCH_UP, args=(), kwargs={}, options={})
