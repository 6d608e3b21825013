"""What hosts did, in a list."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID

from domain.host_actions import HostAction
from domain.ids import AccountId, CampaignId


class MemoryHostActionStore:
    """Keeps what hosts did. `clock` gives microseconds UTC."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._done: list[HostAction] = []

    async def note(
        self,
        host_action_id: UUID,
        done_by: str,
        command: str,
        *,
        account: AccountId | None = None,
        campaign: CampaignId | None = None,
        refusal: str | None = None,
    ) -> None:
        """Keep a new host action, done now."""
        now = datetime.fromtimestamp(0, UTC) + timedelta(microseconds=self._clock())
        self._done.append(HostAction(host_action_id, now, done_by, command, account, campaign, refusal))

    async def latest(self, before: UUID | None, limit: int) -> list[HostAction]:
        """List host actions, the last first; those before one of them."""
        ids = [each.host_action_id for each in self._done]
        if before is not None and before not in ids:
            return []
        upto = len(ids) if before is None else ids.index(before)
        return self._done[:upto][::-1][:limit]
