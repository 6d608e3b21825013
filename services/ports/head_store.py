"""Heads of campaigns, stored outside the database."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from domain.event_store_types import Head
from domain.ids import CampaignId


class HeadStore(Protocol):
    """Stores heads outside the database; `is_durable`: it does store them."""

    is_durable: bool

    def campaigns(self) -> Iterable[CampaignId]:
        """The campaigns whose head is stored."""
        ...

    def last(self, campaign_id: CampaignId) -> Head | None:
        """The newest stored head; None: there is none."""
        ...

    def keep(self, heads: Mapping[CampaignId, Head]) -> None:
        """Store the heads that are newer than the stored ones. Raises OSError."""
        ...

    def forget(self, campaign_id: CampaignId) -> None:
        """Delete the stored head of a campaign."""
        ...
