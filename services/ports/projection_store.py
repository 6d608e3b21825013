"""Stores projections: folds per audience and the rows of its lists."""

from collections.abc import Mapping, Sequence
from typing import Protocol
from uuid import UUID

from domain.ids import CampaignId
from domain.stored_view_types import Progress, StoredFold, ViewRow
from domain.worker_shares import WHOLE


class ProjectionStore(Protocol):
    """Stores folds and rows of lists, per audience. Every method may raise `DatabaseUnavailable`."""

    async def fold(self, campaign_id: CampaignId, audience: str) -> StoredFold | None:
        """The stored fold for one audience."""
        ...

    async def folds(self, campaign_id: CampaignId) -> list[StoredFold]:
        """All stored folds of a campaign."""
        ...

    async def fold_before(
        self, campaign_id: CampaignId, audience: str, form: str, upto: int, unusable: Sequence[tuple[int, int]]
    ) -> StoredFold | None:
        """The newest fold up to a seq and in none of the `unusable` ranges (first and last seq included)."""
        ...

    async def caught_up(self, campaign_id: CampaignId) -> int:
        """The seq up to which everything is stored."""
        ...

    async def erasures(self, campaign_id: CampaignId) -> int:
        """How many erasures a campaign has had, and invalidations of its views."""
        ...

    async def save(
        self,
        campaign_id: CampaignId,
        caught_up: tuple[int, int],
        folds: list[StoredFold],
        rows: Mapping[str, list[ViewRow]],
        *,
        keep: bool = False,
        erasures: int = 0,
    ) -> bool:
        """Store what was folded from one seq to another, `rows` by audience; False: another worker was faster.

        With `keep`, `fold_before` finds the folds from now on. Also False if there are more `erasures` by now.
        """
        ...

    async def rows(
        self,
        campaign_id: CampaignId,
        audience: str,
        form: str,
        view: str,
        *,
        after: int,
        before: int | None = None,
        upto: int,
        limit: int,
        keys: Sequence[str] = (),
    ) -> tuple[int, list[ViewRow]]:
        """The seq up to which a list is stored in a format (0: it is not), and a page of it, read at one moment.

        The page holds the rows with `after` < seq ≤ `upto` that have all of `keys`, in order; with `before`, the
        last of those with seq < `before`, newest first, as listed at `upto`.
        """
        ...

    async def lagging(
        self,
        first: UUID,
        limit: int,
        *,
        share: bytes = WHOLE,
        events: int = 1,
        quiet: int = 0,
        new: int | None = None,
    ) -> list[CampaignId]:
        """Campaigns in a share, from an id on, that lag by `events`.

        Also those that lag by fewer and had none for `quiet` microseconds, or for `new` (left out, as long) where
        nothing is stored yet.
        """
        ...

    async def of_another_form(self, form: str, limit: int) -> list[CampaignId]:
        """Some campaigns that do not lag, but are stored in another format than this."""
        ...

    async def campaigns(self, after: UUID, limit: int) -> list[CampaignId]:
        """All campaigns, after an id."""
        ...

    async def progress(self, form: str) -> Progress:
        """Projection lag of all campaigns, for readers of this format."""
        ...

    async def invalidate(self, campaign_id: CampaignId) -> None:
        """Invalidate the stored projections of a campaign, so that they are rebuilt."""
        ...

    async def renew(self, campaign_id: CampaignId, form: str) -> bool:
        """Invalidate them unless they are stored or being rebuilt in this format; True if it did."""
        ...
