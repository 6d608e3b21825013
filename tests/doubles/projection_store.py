"""Stored views in plain dicts, over the heads of a `MemoryEventStore`."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from msgspec.structs import replace

from domain.event_store_types import Erasure
from domain.ids import CampaignId
from domain.stored_view_types import TAKEN_BACK, Progress, StoredFold, ViewRow
from domain.worker_shares import WHOLE, holds
from tests.doubles.event_store import MemoryEventStore


class MemoryProjectionStore:
    """Keeps folds and rows of views, as PostgreSQL's keeper does."""

    def __init__(self, log: MemoryEventStore) -> None:
        self._log = log
        self._caught_up: dict[CampaignId, int] = {}
        self._folds: dict[CampaignId, dict[str, StoredFold]] = {}
        self._kept: dict[CampaignId, dict[tuple[str, int], StoredFold]] = {}
        self._forms: dict[CampaignId, str] = {}
        self._rows: dict[tuple[CampaignId, str, str], list[ViewRow]] = {}
        log.take_back = self._take_back

    async def fold(self, campaign_id: CampaignId, audience: str) -> StoredFold | None:
        """The stored fold for one audience."""
        return self._living(campaign_id).get(audience)

    async def folds(self, campaign_id: CampaignId) -> list[StoredFold]:
        """All stored folds of a campaign."""
        return list(self._living(campaign_id).values())

    async def fold_before(
        self, campaign_id: CampaignId, audience: str, form: str, upto: int, unusable: Sequence[tuple[int, int]]
    ) -> StoredFold | None:
        """The newest fold up to a seq and in none of the unusable ranges, first and last seq included."""
        kept = {} if campaign_id in self._log.deleted else self._kept.get(campaign_id, {})
        every = [*await self.folds(campaign_id), *kept.values()]
        found = [
            fold
            for fold in every
            if (fold.audience, fold.form) == (audience, form)
            and fold.seq <= upto
            and not any(first <= fold.seq <= last for first, last in unusable)
        ]
        return max(found, key=lambda fold: fold.seq, default=None)

    async def caught_up(self, campaign_id: CampaignId) -> int:
        """The seq up to which everything is stored; 0 for a campaign that is not there."""
        return self._caught_up.get(campaign_id, 0)

    async def erasures(self, campaign_id: CampaignId) -> int:
        """How often something was erased in a campaign."""
        return self._log.erasures[campaign_id]

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

        With `keep` the folds can be found by `fold_before` from now on. False, too, where something was erased
        after so many `erasures`, as they were counted before anything was read.
        """
        if self._caught_up.get(campaign_id, 0) != caught_up[0] or await self._log.head(campaign_id) is None:
            return False
        if self._log.erasures[campaign_id] != erasures:
            return False
        self._caught_up[campaign_id] = caught_up[1]
        self._forms[campaign_id] = folds[0].form if folds else self._forms.get(campaign_id, "")
        self._folds.setdefault(campaign_id, {}).update({fold.audience: fold for fold in folds})
        if keep:
            kept = self._kept.setdefault(campaign_id, {})
            kept.update({(fold.audience, fold.seq): fold for fold in folds})
        for audience, of_audience in rows.items():
            for row in of_audience:
                self._rows.setdefault((campaign_id, audience, row.view), []).append(row)
        return True

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
        """Up to which seq a list is stored in a form (0: it is not), and a page of it; with `before` backwards."""
        fold = self._living(campaign_id).get(audience)
        followed = fold.seq if fold is not None and fold.form == form else 0
        stored = sorted(self._rows.get((campaign_id, audience, view), []), key=lambda row: (row.seq, row.nth))
        listed = [row for row in stored if after < row.seq <= min(followed, upto) and row.since <= upto]
        newest = {row.seq: row.since for row in sorted(listed, key=lambda row: row.since)}
        page = [row for row in listed if row.since == newest[row.seq] and set(keys) <= set(row.keys)]
        if before is not None:
            page = [row for row in reversed(page) if row.seq < before]
        return followed, page[:limit]

    def recorded_at(self, campaign_id: CampaignId) -> int:
        """When the last event of a campaign was recorded."""
        return self._log.heads()[campaign_id].recorded_at

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
        """Campaigns in a share, from an id on, whose views are behind by so many events.

        By fewer, where nothing has been added for `quiet` microseconds, or for `new` where nothing is stored yet.
        """
        now = await self._log.now()
        quiet_since, new_since = now - quiet, now - (quiet if new is None else new)
        since = {each: quiet_since if self._caught_up.get(each) else new_since for each in self._log.heads()}
        lags = {each: head.seq - self._caught_up.get(each, 0) for each, head in self._log.heads().items()}
        found = [
            campaign_id
            for campaign_id, head in self._log.heads().items()
            if campaign_id >= first
            and holds(share, campaign_id)
            and (lags[campaign_id] >= events or (lags[campaign_id] > 0 and head.recorded_at <= since[campaign_id]))
        ]
        return sorted(found)[:limit]

    async def of_another_form(self, form: str, limit: int) -> list[CampaignId]:
        """Some campaigns that are not behind, but stored in another form than this."""
        found = [
            campaign_id
            for campaign_id, head in self._log.heads().items()
            if head.seq <= self._caught_up.get(campaign_id, 0) and self._forms.get(campaign_id, "") != form
        ]
        return sorted(found)[:limit]

    async def campaigns(self, after: UUID, limit: int) -> list[CampaignId]:
        """All campaigns, after an id."""
        return sorted(campaign_id for campaign_id in self._log.heads() if campaign_id > after)[:limit]

    async def progress(self, form: str) -> Progress:
        """How far behind everything is, for whoever reads this form."""
        behind = [
            head.recorded_at
            for campaign_id, head in self._log.heads().items()
            if head.seq > self._caught_up.get(campaign_id, 0)
        ]
        another = await self.of_another_form(form, len(self._log.heads()))
        return Progress(len(behind), min(behind, default=None), len(another))

    def _living(self, campaign_id: CampaignId) -> dict[str, StoredFold]:
        """The stored folds of a campaign; none of one that is deleted."""
        return {} if campaign_id in self._log.deleted else self._folds.get(campaign_id, {})

    async def invalidate(self, campaign_id: CampaignId) -> None:
        """Take back what is stored of a campaign, so that it is folded anew."""
        if campaign_id not in self._log.deleted:
            self._log.erasures[campaign_id] += 1
            self._forget(campaign_id)

    async def renew(self, campaign_id: CampaignId, form: str) -> bool:
        """The same, unless it is stored in this form, or is being folded in it; whether it was taken back."""
        if campaign_id in self._log.deleted or self._forms.get(campaign_id, "") == form:
            return False
        self._log.erasures[campaign_id] += 1
        self._forget(campaign_id)
        self._forms[campaign_id] = form
        return True

    def _forget(self, campaign_id: CampaignId) -> None:
        self._caught_up.pop(campaign_id, None)
        self._folds.pop(campaign_id, None)
        self._kept.pop(campaign_id, None)
        self._forms.pop(campaign_id, None)
        for key in [key for key in self._rows if key[0] == campaign_id]:
            del self._rows[key]

    def _take_back(self, campaign_id: CampaignId, erasure: Erasure) -> None:
        """Let no fold hold what is erased."""
        if erasure.afresh:
            self._forget(campaign_id)
        first = erasure.first_seq
        kept = self._kept.get(campaign_id, {})
        self._kept[campaign_id] = {key: fold for key, fold in kept.items() if fold.seq < first}
        folds = self._folds.get(campaign_id, {})
        self._folds[campaign_id] = {
            audience: replace(fold, form=TAKEN_BACK, content=b"") if fold.seq >= first else fold
            for audience, fold in folds.items()
        }
