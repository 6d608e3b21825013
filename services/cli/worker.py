"""`fieldlog worker`: background work on a database that is migrated already. Run one or several."""

import asyncio
import os

from services.cli.errors import EXIT_BAD_SETTING, Refused
from services.cli.serve import require_fit, require_key, warn_without_heads
from services.runtime.logging_setup import configure_log_output
from services.settings import read_settings
from services.workers.process import work
from services.workers.queues import QUEUES


def worker(*, queues: str = ",".join(QUEUES)) -> int:
    """Keep stored views close to the log and post what campaigns owe, until told to stop.

    Parameters
    ----------
    queues
        The jobs that this worker does, with commas between: catch_up, timers, accounting, webhooks, erasing. Left
        out, all.

    """
    queue_names = dict.fromkeys(name.strip() for name in queues.split(","))
    if unknown := [name for name in queue_names if name not in QUEUES]:
        raise Refused(f"{unknown[0]!r} is no queue; there are {', '.join(QUEUES)}.", EXIT_BAD_SETTING)
    settings = read_settings(os.environ)
    require_fit(settings)
    require_key(settings)
    configure_log_output(settings.log)
    warn_without_heads(settings)
    asyncio.run(work(settings, queue_names))
    return 0
