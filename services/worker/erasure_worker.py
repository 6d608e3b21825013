"""Accounts that go: what they asked to have erased is found by itself, and gone on with wherever it stopped."""

import structlog

from domain.event_store_types import DatabaseUnavailable
from services.application import Application
from services.privacy.erase_account import LEASE_SECONDS, go_on
from services.worker.polling_worker import PollingWorker

log_line = structlog.get_logger("fieldlog.erasing")


class ErasureWorker(PollingWorker):
    """Erases what accounts asked for, one after the other."""

    again_seconds = 2.0

    def __init__(self, application: Application) -> None:
        super().__init__()
        self._application = application

    async def round(self) -> float:
        """Erase everything whose time has come."""
        while not self._stopping and await self.once():
            pass
        return self.again_seconds

    async def once(self) -> bool:
        """Go on with one erasure whose time has come; False: there is none.

        What fails is left alone until its claim is over.
        """
        erasure = await self._application.account_erasures.claim(LEASE_SECONDS)
        if erasure is None:
            return False
        try:
            done = await go_on(self._application, erasure, self.is_stopping)
        except DatabaseUnavailable:
            raise
        except Exception:
            log_line.exception("erasing_failed", account=str(erasure.account_id), what=erasure.what)
        else:
            if done:
                log_line.info("erased", account=str(erasure.account_id), what=erasure.what)
        return True
