"""Dramatiq fitted to its Redis: the doorbell that the API rings, and the worker that answers it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import dramatiq

from infra.broker import answer_ring, claim_ring, make_broker
from services.settings import Settings
from services.worker.actors import QUEUE, doorbell, register_catch_up
from services.worker.doorbell import Doorbell

WORKER_THREADS = 1
"""The actor only wakes the event loop; the work itself happens there."""

POLL_MS_MAX = 100
"""An idle consumer asks Redis so often; with the library's second, a doorbell were no quicker than the sweep."""

STOP_MS_MAX = 1_000
"""A thread that waits for Redis to come back is not waited for: it has nothing to lose."""


def worker_doorbell(settings: Settings) -> Doorbell:
    """What the API rings after a commit; silent where no Redis is named."""
    if settings.redis_url is None:
        return Doorbell(lambda: None)
    broker = make_broker(settings.redis_url)
    broker.declare_queue(QUEUE)

    def send() -> None:
        if claim_ring(broker, QUEUE):
            broker.enqueue(doorbell())

    return Doorbell(send)


@contextmanager
def answering_doorbells(settings: Settings, look: Callable[[], None]) -> Iterator[None]:
    """A Dramatiq worker that calls `look` (from a thread of its own) at every doorbell, until the end.

    Redis may be away at any time, from the start too: the worker's consumers connect anew by themselves.
    """
    if settings.redis_url is None:
        yield
        return
    broker = make_broker(settings.redis_url)

    def answered() -> None:
        answer_ring(broker)
        look()

    register_catch_up(broker, answered)
    worker = dramatiq.Worker(broker, worker_threads=WORKER_THREADS, worker_timeout=POLL_MS_MAX)
    worker.start()
    try:
        yield
    finally:
        worker.stop(timeout=STOP_MS_MAX)
        broker.close()
