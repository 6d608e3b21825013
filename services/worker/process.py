"""A worker process, from its start to its graceful stop."""

import asyncio
import signal
from collections.abc import Collection
from functools import partial

import structlog

from services.catch_up import CatchUp
from services.settings import Settings
from services.wiring.house import open_house
from services.wiring.jobs import answering_doorbells
from services.worker.accounting import Accounting
from services.worker.actors import QUEUES
from services.worker.answer_retention import AnswerRetention
from services.worker.erasing import Erasing
from services.worker.firing import Firing
from services.worker.metrics_server import serve_metrics
from services.worker.sweep import Sweep

log_line = structlog.get_logger("fieldlog.worker")


async def work(settings: Settings, queues: Collection[str] = QUEUES) -> None:
    """Do the jobs of these queues until TERM or Ctrl-C; then finish the campaign at hand and stop."""
    loop = asyncio.get_running_loop()
    async with open_house(settings) as house:
        sweep = Sweep(
            house.views,
            CatchUp(house.log, house.views, house.handler),
            house.entropy,
            house.database.check,
            quiet_seconds=settings.views_quiet_seconds,
        )
        firing = Firing(house.timers, house.handler)
        accounting = Accounting(house.log, house.views, house.ledger_checks, house.entropy)
        by_queue: dict[str, list[Sweep | Firing | Accounting | Erasing | AnswerRetention]] = {
            "catch_up": [sweep],
            "timers": [firing],
            "accounting": [accounting],
            "erasing": [Erasing(house), AnswerRetention(house.log, house.views, settings.answers_days)],
        }
        jobs = [job for queue in queues for job in by_queue[queue]]
        rings = {"catch_up": sweep.ring, "timers": firing.ring}
        looks = {queue: partial(loop.call_soon_threadsafe, rings[queue]) for queue in rings if queue in queues}
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, lambda: [job.stop() for job in jobs])
        if settings.worker_metrics_port and settings.metrics_token is not None:
            serve_metrics(settings.host, settings.worker_metrics_port, settings.metrics_token)
        with answering_doorbells(settings, looks):
            log_line.info("worker_ready", redis=settings.redis_url is not None, queues=list(queues))
            await asyncio.gather(*(job.run(house.database.missed) for job in jobs))
        log_line.info("worker_stopped")
