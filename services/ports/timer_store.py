"""Stores the timers that workers claim when they are due."""

from typing import Protocol

from domain.event_store_types import (
    Backlog,
    DueTimer,
    KeptTimer,
    Timer,
)
from domain.ids import ActionId, CampaignId
from domain.worker_shares import WHOLE


class TimerStore(Protocol):
    """The timers of campaigns, as appends wrote them. Every method may raise `DatabaseUnavailable`."""

    async def claim(self, limit: int, share: bytes = WHOLE, *, late: int = 0) -> tuple[int, list[DueTimer]]:
        """Claim due timers, oldest first, and return them after the database's clock.

        Only those in a share, and only if they are `late` by so many microseconds. The clock is in microseconds
        UTC, 0 if nothing is due.
        """
        ...

    async def of(self, campaign_id: CampaignId) -> list[KeptTimer]:
        """All timers of a campaign."""
        ...

    async def failed(self, campaign_id: CampaignId, cause: ActionId, subject: str, error: str) -> int:
        """Count a failure; returns how many there were (0: there is no such timer, or it is parked already)."""
        ...

    async def retry(self, campaign_id: CampaignId, cause: ActionId, subject: str) -> bool:
        """Make a failed timer due again at once; False: there is none, or it did not fail."""
        ...

    async def replace(self, campaign_id: CampaignId, seq: int, timers: list[Timer]) -> bool:
        """Replace a campaign's timers; False: its log does not end at `seq` any more."""
        ...

    async def backlog(self, share: bytes = WHOLE) -> Backlog:
        """How many timers are due and parked, and how long it is until the next one, everywhere and in a share."""
        ...
