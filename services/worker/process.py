"""A worker process, from its start to its graceful stop."""

import asyncio
import signal
from collections.abc import Collection
from functools import partial

import structlog

from services.projector.projector import Projector
from services.settings import Settings
from services.wiring.application import open_application
from services.wiring.dramatiq_setup import answering_wake_ups
from services.worker.answer_retention_worker import AnswerRetentionWorker
from services.worker.erasure_worker import ErasureWorker
from services.worker.ledger_audit_worker import LedgerAuditWorker
from services.worker.metrics_server import serve_metrics
from services.worker.projection_worker import ProjectionWorker
from services.worker.queues import QUEUES
from services.worker.timer_worker import TimerWorker

log_line = structlog.get_logger("fieldlog.worker")


async def work(settings: Settings, queues: Collection[str] = QUEUES) -> None:
    """Do the jobs of these queues until TERM or Ctrl-C; then finish the current campaign and stop."""
    loop = asyncio.get_running_loop()
    async with open_application(settings) as application:
        projection_worker = ProjectionWorker(
            application.views,
            Projector(application.log, application.views, application.handler),
            application.entropy,
            application.database.check,
            quiet_seconds=settings.views_quiet_seconds,
        )
        timer_worker = TimerWorker(application.timers, application.handler)
        audit_worker = LedgerAuditWorker(
            application.log, application.views, application.ledger_checks, application.entropy
        )
        by_queue: dict[
            str, list[ProjectionWorker | TimerWorker | LedgerAuditWorker | ErasureWorker | AnswerRetentionWorker]
        ] = {
            "catch_up": [projection_worker],
            "timers": [timer_worker],
            "accounting": [audit_worker],
            "erasing": [
                ErasureWorker(application),
                AnswerRetentionWorker(application.log, application.views, settings.answers_days),
            ],
        }
        jobs = [job for queue in queues for job in by_queue[queue]]
        wakes = {"catch_up": projection_worker.wake, "timers": timer_worker.wake}
        looks = {queue: partial(loop.call_soon_threadsafe, wakes[queue]) for queue in wakes if queue in queues}
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, lambda: [job.stop() for job in jobs])
        if settings.worker_metrics_port and settings.metrics_token is not None:
            serve_metrics(settings.host, settings.worker_metrics_port, settings.metrics_token)
        with answering_wake_ups(settings, looks):
            log_line.info("worker_ready", redis=settings.redis_url is not None, queues=list(queues))
            await asyncio.gather(*(job.run(application.database.missed) for job in jobs))
        log_line.info("worker_stopped")
