"""A worker, in a process of its own or beside the API, from its start to its graceful stop."""

import asyncio
import secrets
import signal
from collections.abc import AsyncIterator, Collection, Iterable
from contextlib import asynccontextmanager
from functools import partial

import structlog

from services.application import Application
from services.runtime.readiness import Missed
from services.settings import Settings
from services.wiring.application import open_application
from services.wiring.dramatiq_setup import answering_wake_ups
from services.wiring.web_access import web_sender
from services.workers.answer_retention_worker import AnswerRetentionWorker
from services.workers.campaign_shares import Shares, everything
from services.workers.erasure_worker import ErasureWorker
from services.workers.ledger_audit_worker import LedgerAuditWorker
from services.workers.metrics_server import serve_metrics
from services.workers.polling_worker import PollingWorker
from services.workers.projection_worker import ProjectionWorker
from services.workers.projector import Projector
from services.workers.push_call_worker import CallWorker
from services.workers.queues import QUEUES, SHARED
from services.workers.timer_worker import TimerWorker
from services.workers.webhook_worker import WebhookWorker

AGAIN_SECONDS = 1.0
"""The pause after a job beside the API failed by a defect."""

WOKEN = ("catch_up", "timers")
"""The queues whose first job is woken after commits; the others look by themselves."""

log_line = structlog.get_logger("fieldlog.worker")


async def work(settings: Settings, queues: Collection[str] = QUEUES) -> None:
    """Do the jobs of these queues until TERM or Ctrl-C; then finish the current campaign and stop."""
    loop = asyncio.get_running_loop()
    name = secrets.token_hex(4)
    async with open_application(settings, name, [queue for queue in SHARED if queue in queues]) as application:
        shares = Shares(name, application.workers)
        by_queue = _jobs(application, settings, shares)
        jobs = [job for queue in queues for job in by_queue[queue]]
        looks = {
            queue: partial(loop.call_soon_threadsafe, by_queue[queue][0].wake)
            for queue in WOKEN
            if queue in queues
        }
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, _stop, jobs)
        if settings.worker_metrics_port and settings.metrics_token is not None:
            serve_metrics(settings.host, settings.worker_metrics_port, settings.metrics_token)
        with answering_wake_ups(settings, looks):
            log_line.info("worker_ready", redis=settings.redis_url is not None, queues=list(queues))
            async with shares.keep_current():
                await asyncio.gather(*(job.run(application.database.missed) for job in jobs))
        log_line.info("worker_stopped")


@asynccontextmanager
async def working_beside(application: Application, settings: Settings) -> AsyncIterator[None]:
    """Do the jobs of all queues on this event loop; at the end, finish the current campaign and stop."""
    by_queue = _jobs(application, settings, None)
    jobs = [job for jobs_of_queue in by_queue.values() for job in jobs_of_queue]
    application.worker_looks.extend(by_queue[queue][0].wake for queue in WOKEN)
    running = [asyncio.create_task(_run_on(job, application.database.missed)) for job in jobs]
    try:
        yield
    finally:
        application.worker_looks.clear()
        _stop(jobs)
        await asyncio.gather(*running)


def _jobs(application: Application, settings: Settings, shares: Shares | None) -> dict[str, list[PollingWorker]]:
    """The jobs of each queue, for shares of the campaigns or for all of them."""
    catch_up, timers, accounting = (
        everything if shares is None else partial(shares.of, queue) for queue in SHARED
    )
    sender = web_sender(settings)
    return {
        "catch_up": [
            ProjectionWorker(
                application.views,
                Projector(application.log, application.views, application.handler),
                application.entropy,
                application.database.check,
                quiet_seconds=settings.views_quiet_seconds,
                share=catch_up,
            )
        ],
        "timers": [TimerWorker(application.timers, application.handler, timers)],
        "accounting": [
            LedgerAuditWorker(
                application.log, application.views, application.ledger_checks, application.entropy, accounting
            )
        ],
        "webhooks": [WebhookWorker(application, sender), CallWorker(application, sender)],
        "erasing": [
            ErasureWorker(application),
            AnswerRetentionWorker(application.log, application.views, settings.answers_days),
        ],
    }


async def _run_on(job: PollingWorker, missed: Missed) -> None:
    """Run a job until it is stopped. A defect is logged and ends neither the other jobs nor the API."""
    while not job.is_stopping():
        try:
            await job.run(missed)
        except Exception:
            log_line.exception("job_failed", job=type(job).__name__)
            await asyncio.sleep(AGAIN_SECONDS)


def _stop(jobs: Iterable[PollingWorker]) -> None:
    for job in jobs:
        job.stop()
