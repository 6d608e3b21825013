"""`fieldlog worker`: background work on a database that is migrated already. Run one or several."""

import asyncio
import os

from services.cli.serve import require_fit, require_key
from services.log_output import configure_log_output
from services.settings import read_settings
from services.worker.process import work


def worker() -> int:
    """Keep stored views close to the log and post what campaigns owe, until told to stop."""
    settings = read_settings(os.environ)
    require_fit(settings)
    require_key(settings)
    configure_log_output(settings.log)
    asyncio.run(work(settings))
    return 0
