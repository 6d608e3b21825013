"""Dramatiq on Redis: wake-up messages from the API, and the thread that receives them in a worker."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
from functools import partial

import dramatiq
import structlog

from infra.outage_log import Outage
from infra.redis.actors import ACTORS, register, wake_up
from infra.redis.broker import WakeUpBroker, answer_wake_up, claim_wake_up, make_broker
from infra.redis.worker_notifier import WorkerNotifier
from services.settings import Settings

WORKER_THREADS = 1
"""An actor only wakes the event loop, which does the work itself."""

POLL_MS_MAX = 100
"""How often an idle consumer asks Redis; with the library's second, messages would be no faster than polling."""

STOP_MS_MAX = 1_000
"""A thread that waits for Redis to come back is not waited for: it holds nothing to lose."""

log_line = structlog.get_logger("fieldlog.doorbell")


@asynccontextmanager
async def worker_notifier(settings: Settings) -> AsyncIterator[WorkerNotifier]:
    """The notifier of workers after a commit, until the end; does nothing if no Redis is set."""
    with ExitStack() as stack:
        broker: WakeUpBroker | None = None
        if settings.redis_url is not None:
            broker = stack.enter_context(closing(make_broker(settings.redis_url)))
            for queue in ACTORS:
                broker.declare_queue(queue)

        def send() -> None:
            for queue in ACTORS:
                if broker is not None and claim_wake_up(broker, queue):
                    broker.enqueue(wake_up(queue))

        notifier = WorkerNotifier(send, Outage(log_line, "doorbell_silent", "doorbell_heard"))
        try:
            yield notifier
        finally:
            await notifier.close()


@contextmanager
def answering_wake_ups(settings: Settings, looks: Mapping[str, Callable[[], object]]) -> Iterator[None]:
    """Run a Dramatiq worker that calls `looks[queue]` (from a thread of its own) at every message.

    Redis may be unavailable at any time, from the start too: the worker's consumers reconnect by themselves.
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


def _answered(broker: WakeUpBroker, queue: str, look: Callable[[], object]) -> None:
    answer_wake_up(broker, queue)
    look()
