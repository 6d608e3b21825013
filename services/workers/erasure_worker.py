"""Carries out the erasures that accounts asked for, and continues interrupted ones."""

import structlog

from domain.event_store_types import DatabaseUnavailable
from services.accounts.erase_account import LEASE_SECONDS, continue_erasure
from services.application import Application
from services.workers.polling_worker import PollingWorker

log_line = structlog.get_logger("fieldlog.erasing")


class ErasureWorker(PollingWorker):
    """Erases what accounts asked for, one erasure after the other."""

    again_seconds = 2.0

    def __init__(self, application: Application) -> None:
        super().__init__()
        self._application = application

    async def round(self) -> float:
        """Run every erasure that is due."""
        while not self._stopping and await self.once():
            pass
        return self.again_seconds

    async def once(self) -> bool:
        """Continue one erasure that is due; False: there is none.

        A failed erasure is left alone until its claim has expired.
        """
        erasure = await self._application.account_erasures.claim(LEASE_SECONDS)
        if erasure is None:
            return False
        try:
            has_ended = await continue_erasure(self._application.for_accounts, erasure, self.is_stopping)
        except DatabaseUnavailable:
            raise
        except Exception:
            log_line.exception("erasing_failed", account=str(erasure.account_id), what=erasure.what)
        else:
            if has_ended:
                log_line.info("erased", account=str(erasure.account_id), what=erasure.what)
        return True
