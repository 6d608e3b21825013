"""Stores what hosts did by the command line."""

from typing import Protocol
from uuid import UUID

from domain.host_actions import HostAction
from domain.ids import AccountId, CampaignId


class HostActionStore(Protocol):
    """Stores what hosts did; nothing is changed or deleted. Every method may raise `DatabaseUnavailable`."""

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
        """Insert a new host action, done now."""
        ...

    async def latest(self, before: UUID | None, limit: int) -> list[HostAction]:
        """Host actions, the last first; those before one of them."""
        ...
