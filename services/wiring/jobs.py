"""Dramatiq fitted to its Redis: the doorbells that the API rings, and the worker that answers them."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
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


@asynccontextmanager
async def worker_doorbell(settings: Settings) -> AsyncIterator[Doorbell]:
    """What the API rings after a commit, until the end; silent where no Redis is named."""
    with ExitStack() as stack:
        broker: DoorbellBroker | None = None
        if settings.redis_url is not None:
            broker = stack.enter_context(closing(make_broker(settings.redis_url)))
            for queue in ACTORS:
                broker.declare_queue(queue)

        def send() -> None:
            for queue in ACTORS:
                if broker is not None and claim_ring(broker, queue):
                    broker.enqueue(doorbell(queue))

        bell = Doorbell(send, Outage(log_line, "doorbell_silent", "doorbell_heard"))
        try:
            yield bell
        finally:
            await bell.close()


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
