"""Purges deleted campaigns, as the owner of the tables."""

from typing import Protocol

from domain.ids import CampaignId


class PurgeStore(Protocol):
    """A purge's work in the database. Every method may raise the database's own errors."""

    def collect_aborted_imports(self) -> None:
        """Mark the remains of aborted imports as deleted, unless the import may still be running."""
        ...

    def note_deletions(self, grace_days: int) -> None:
        """Note newly deleted campaigns: each is kept for `grace_days` from now on."""
        ...

    def deletions(self, grace_days: int) -> list[tuple[CampaignId, str | None, int, bool]]:
        """All deleted campaigns, oldest first: id, name, when each may be purged, and whether that is now.

        Remains of an import have no name.
        """
        ...

    def purge(self, campaign_id: CampaignId, done_by: str) -> int | None:
        """Delete every row of a campaign at once, and note by whom; how many. None: it is not to be purged."""
        ...
