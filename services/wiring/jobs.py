"""Dramatiq fitted to its Redis: the doorbells that the API rings, and the worker that answers them."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

import dramatiq
import structlog

from infra.broker import DoorbellBroker, answer_ring, claim_ring, make_broker
from infra.outage import Outage
from services.settings import Settings
from services.worker.actors import ACTORS, doorbell, register
from services.worker.doorbell import Doorbell

WORKER_THREADS = 1
"""An actor only wakes the event loop; the work itself happens there."""

POLL_MS_MAX = 100
"""An idle consumer asks Redis so often; with the library's second, a doorbell were no quicker than the sweep."""

STOP_MS_MAX = 1_000
"""A thread that waits for Redis to come back is not waited for: it has nothing to lose."""

log_line = structlog.get_logger("fieldlog.doorbell")


def worker_doorbell(settings: Settings) -> Doorbell:
    """What the API rings after a commit; silent where no Redis is named."""
    outage = Outage(log_line, "doorbell_silent", "doorbell_heard")
    if settings.redis_url is None:
        return Doorbell(lambda: None, outage)
    broker = make_broker(settings.redis_url)
    for queue in ACTORS:
        broker.declare_queue(queue)

    def send() -> None:
        for queue in ACTORS:
            if claim_ring(broker, queue):
                broker.enqueue(doorbell(queue))

    return Doorbell(send, outage)


@contextmanager
def answering_doorbells(settings: Settings, looks: Mapping[str, Callable[[], object]]) -> Iterator[None]:
    """A Dramatiq worker that calls `looks[queue]` (from a thread of its own) at every doorbell, until the end.

    Redis may be away at any time, from the start too: the worker's consumers connect anew by themselves.
    """
    if settings.redis_url is None or not looks:
        yield
        return
    broker = make_broker(settings.redis_url)
    for queue, look in looks.items():
        register(broker, queue, partial(_answered, broker, queue, look))
    worker = dramatiq.Worker(broker, worker_threads=WORKER_THREADS, worker_timeout=POLL_MS_MAX)
    worker.start()
    try:
        yield
    finally:
        worker.stop(timeout=STOP_MS_MAX)
        broker.close()


def _answered(broker: DoorbellBroker, queue: str, look: Callable[[], object]) -> None:
    answer_ring(broker, queue)
    look()
