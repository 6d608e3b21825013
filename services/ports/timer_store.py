"""Where timers are stored that workers claim when they are due."""

from typing import Protocol

from domain.event_store_types import (
    Backlog,
    DueTimer,
    KeptTimer,
    Timer,
)
from domain.ids import ActionId, CampaignId


class TimerStore(Protocol):
    """What campaigns owe themselves, as appends wrote it. Every method may raise `DatabaseUnavailable`."""

    async def claim(self, limit: int) -> tuple[int, list[DueTimer]]:
        """Take what is due, oldest first, and the database's clock (microseconds UTC; 0 where nothing is due)."""
        ...

    async def of(self, campaign_id: CampaignId) -> list[KeptTimer]:
        """All timers of a campaign."""
        ...

    async def failed(self, campaign_id: CampaignId, cause: ActionId, subject: str, error: str) -> int:
        """Count a failure; how often it failed so far (0: there is no such timer, or it is parked already)."""
        ...

    async def retry(self, campaign_id: CampaignId, cause: ActionId, subject: str) -> bool:
        """Let a timer that failed be tried again at once; False: it is not there, or did not fail."""
        ...

    async def replace(self, campaign_id: CampaignId, seq: int, timers: list[Timer]) -> bool:
        """Make a campaign's timers these; False: its log does not end at `seq` any more."""
        ...

    async def backlog(self) -> Backlog:
        """What should have happened by now, and what is parked."""
        ...
