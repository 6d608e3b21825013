"""Where projections are stored: folds of an audience and the rows of its lists."""

from collections.abc import Mapping, Sequence
from typing import Protocol
from uuid import UUID

from domain.ids import CampaignId
from domain.projection_types import Progress, StoredFold, ViewRow


class ProjectionStore(Protocol):
    """Stored views: folds per audience and lists of rows. Every method may raise `DatabaseUnavailable`."""

    async def fold(self, campaign_id: CampaignId, audience: str) -> StoredFold | None:
        """The stored fold for one audience."""
        ...

    async def folds(self, campaign_id: CampaignId) -> list[StoredFold]:
        """All stored folds of a campaign."""
        ...

    async def fold_before(
        self, campaign_id: CampaignId, audience: str, form: str, upto: int, unusable: Sequence[tuple[int, int]]
    ) -> StoredFold | None:
        """The newest fold up to a seq and in none of the unusable ranges, first and last seq included."""
        ...

    async def caught_up(self, campaign_id: CampaignId) -> int:
        """The seq up to which everything is stored."""
        ...

    async def erasures(self, campaign_id: CampaignId) -> int:
        """How often something was erased in a campaign."""
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
        """Store what was folded from one seq to another, `rows` by audience; False: somebody was faster.

        With `keep`, `fold_before` finds the folds from now on. False, too, if there are more `erasures` by now.
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
        upto: int,
        limit: int,
        keys: Sequence[str] = (),
    ) -> tuple[int, list[ViewRow]]:
        """Up to which seq a list is stored in a form (0: it is not), and a page of it, both of one moment.

        The page holds the rows with `after` < seq ≤ `upto` that carry all of `keys`, in order.
        """
        ...

    async def behind(self, first: UUID, limit: int, *, events: int = 1, quiet: int = 0) -> list[CampaignId]:
        """Campaigns, from an id on, whose views are so far behind, or less and quiet for so many microseconds."""
        ...

    async def of_another_form(self, form: str, limit: int) -> list[CampaignId]:
        """Some campaigns that are not behind, but stored in another form than this."""
        ...

    async def campaigns(self, after: UUID, limit: int) -> list[CampaignId]:
        """All campaigns, after an id."""
        ...

    async def progress(self, form: str) -> Progress:
        """How far behind everything is, for whoever reads this form."""
        ...

    async def forget(self, campaign_id: CampaignId) -> None:
        """Take back what is stored of a campaign, so that it is folded anew."""
        ...

    async def renew(self, campaign_id: CampaignId, form: str) -> bool:
        """The same, unless it is stored in this form, or is being folded in it; whether it was taken back."""
        ...
