"""Expires old answers: a repetition of such a request is told only which action it was."""

from uuid import UUID

import structlog

from domain.ids import AccountId, CampaignId
from services.ports.event_store import EventStore
from services.ports.projection_store import ProjectionStore
from services.workers.polling_worker import PollingWorker

EVERY_SECONDS = 86_400.0
AGAIN_SECONDS = 60.0
"""How long a round is put off after the database was unavailable."""

CAMPAIGNS_AT_ONCE = 50
KEYS_AT_ONCE = 1_000
DAY_MICROSECONDS = 86_400_000_000
_BEFORE_ALL = UUID(int=0)

log_line = structlog.get_logger("fieldlog.answers")


class AnswerRetentionWorker(PollingWorker):
    """Goes through all campaigns once a day, some keys at a time."""

    again_seconds = AGAIN_SECONDS

    def __init__(self, log: EventStore, views: ProjectionStore, days: int) -> None:
        super().__init__()
        self._log = log
        self._views = views
        self._days = days
        self._done_before = 0

    async def round(self) -> float:
        """Expire the answers that have become old enough."""
        await self.once()
        return EVERY_SECONDS

    async def once(self) -> int:
        """Expire answers that became old since the last round, at first all.

        Returns how many campaigns had any.
        """
        before = await self._log.now() - self._days * DAY_MICROSECONDS
        after, trimmed = _BEFORE_ALL, 0
        while not self._stopping and (page := await self._views.campaigns(after, CAMPAIGNS_AT_ONCE)):
            after = page[-1]
            for campaign_id in page:
                trimmed += await self._trim(campaign_id, before)
        if not self._stopping:
            self._done_before = before
        return trimmed

    async def _trim(self, campaign_id: CampaignId, before: int) -> bool:
        begin, old = [await self._log.seq_at(campaign_id, moment) for moment in (self._done_before, before - 1)]
        place: tuple[AccountId, str] | None = (AccountId(_BEFORE_ALL), "")
        if begin >= old:
            return False
        while place is not None and not self._stopping:
            place = await self._log.trim_answers(campaign_id, before, place, KEYS_AT_ONCE)
        log_line.info("answers_trimmed", campaign=str(campaign_id))
        return True
