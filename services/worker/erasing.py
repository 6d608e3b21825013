"""Accounts that go: what they asked to have erased is found by itself, and gone on with wherever it stopped."""

import asyncio
from contextlib import suppress

import structlog

from domain.stored import DatabaseAway
from services.account_erasing import LEASE_SECONDS, go_on
from services.house import House
from services.runtime.readiness import Missed

EVERY_SECONDS = 2.0

log_line = structlog.get_logger("fieldlog.erasing")


class Erasing:
    """Erases what accounts asked for, one after the other."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._stop = asyncio.Event()

    def stop(self) -> None:
        """Finish the campaign at hand and end. Call it on the event loop's thread."""
        self._stop.set()

    async def run(self, missed: Missed) -> None:
        """Erase until told to stop; the database being away only delays, and is `missed`."""
        while not self._stop.is_set():
            try:
                while not self._stop.is_set() and await self.once():
                    pass
            except DatabaseAway as away:
                missed(away)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), EVERY_SECONDS)

    async def once(self) -> bool:
        """Go on with one erasure whose time has come; False: there is none.

        What fails is left alone until its claim is over.
        """
        erasure = await self._house.account_erasures.claim(LEASE_SECONDS)
        if erasure is None:
            return False
        try:
            done = await go_on(self._house, erasure, self._stop.is_set)
        except DatabaseAway:
            raise
        except Exception:
            log_line.exception("erasing_failed", account=str(erasure.account_id), what=erasure.what)
        else:
            if done:
                log_line.info("erased", account=str(erasure.account_id), what=erasure.what)
        return True
