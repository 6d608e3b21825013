"""Answers to requests of long ago are let go: what repeats one of these is told which action it was."""

import asyncio
from contextlib import suppress
from uuid import UUID

import structlog

from domain.ids import AccountId, CampaignId
from domain.stored import DatabaseAway
from services.ports import EventLog, ViewStore
from services.runtime.readiness import Missed

EVERY_SECONDS = 86_400.0
AGAIN_SECONDS = 60.0
"""How long a round is put off that the database did not let through."""

CAMPAIGNS_AT_ONCE = 50
KEYS_AT_ONCE = 1_000
DAY_MICROSECONDS = 86_400_000_000
_BEFORE_ALL = UUID(int=0)

log_line = structlog.get_logger("fieldlog.answers")


class AnswerRetention:
    """Goes through all campaigns once a day, some keys at a time."""

    def __init__(self, log: EventLog, views: ViewStore, days: int) -> None:
        self._log = log
        self._views = views
        self._days = days
        self._done_before = 0
        self._stop = asyncio.Event()

    def stop(self) -> None:
        """Finish the keys at hand and end. Call it on the event loop's thread."""
        self._stop.set()

    async def run(self, missed: Missed) -> None:
        """Trim until told to stop; the database being away only delays, and is `missed`."""
        while not self._stop.is_set():
            wait = EVERY_SECONDS
            try:
                await self.once()
            except DatabaseAway as away:
                missed(away)
                wait = AGAIN_SECONDS
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), wait)

    async def once(self) -> int:
        """Trim what has become old enough since the last round, at first all; how many campaigns had any of it."""
        before = await self._log.now() - self._days * DAY_MICROSECONDS
        after, trimmed = _BEFORE_ALL, 0
        while not self._stop.is_set() and (page := await self._views.campaigns(after, CAMPAIGNS_AT_ONCE)):
            after = page[-1]
            for campaign_id in page:
                trimmed += await self._trim(campaign_id, before)
        if not self._stop.is_set():
            self._done_before = before
        return trimmed

    async def _trim(self, campaign_id: CampaignId, before: int) -> bool:
        done, old = [await self._log.seq_at(campaign_id, moment) for moment in (self._done_before, before - 1)]
        place: tuple[AccountId, str] | None = (AccountId(_BEFORE_ALL), "")
        if done >= old:
            return False
        while place is not None and not self._stop.is_set():
            place = await self._log.trim_answers(campaign_id, before, place, KEYS_AT_ONCE)
        log_line.info("answers_trimmed", campaign=str(campaign_id))
        return True
