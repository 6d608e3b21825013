"""Stored views in PostgreSQL, each saved together with how far it has followed the log."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from psycopg.types.numeric import Int8

from domain.ids import CampaignId
from domain.projection_types import Progress, StoredFold, ViewRow
from infra.postgres.driver.binary_arrays import BigintArray, BytesArray, TextArray
from infra.postgres.driver.database import Database
from infra.postgres.driver.statements import statement
from infra.postgres.list_segments import SEGMENT_EVENTS, packed, unpacked

KEY_SEPARATOR = "\x1f"
"""An array of arrays cannot be unnested, so the keys of a segment travel as one text."""

SEGMENTS_AT_FIRST, SEGMENTS_AT_MOST = 4, 64
"""How many a page begins with; where it finds little in them it reads on, twice as many each time, up to this."""

_READ_FOLDS = statement("read_folds")
_READ_FOLD = statement("read_fold")
_READ_FOLD_BEFORE = statement("read_fold_before")
_READ_CAUGHT_UP = statement("read_caught_up")
_READ_ERASURES = statement("read_erasures")
_READ_BEHIND = statement("read_behind")
_READ_OF_ANOTHER_FORM = statement("read_of_another_form")
_READ_CAMPAIGNS = statement("read_campaigns")
_READ_PROGRESS = statement("read_progress")
_READ_VIEW_SEGMENTS = statement("read_view_segments")
_SAVE_VIEWS = statement("save_views")
_FORGET_VIEWS = statement("forget_views")


class PostgresProjectionStore:
    """Keeps folds and rows of views. Every method may raise `DatabaseUnavailable`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def fold(self, campaign_id: CampaignId, audience: str) -> StoredFold | None:
        """The stored fold for one audience."""
        found = await self._database.read(_READ_FOLD, _fold, campaign=campaign_id, audience=audience)
        return found[0] if found else None

    async def folds(self, campaign_id: CampaignId) -> list[StoredFold]:
        """All stored folds of a campaign."""
        return await self._database.read(_READ_FOLDS, _fold, campaign=campaign_id)

    async def fold_before(
        self, campaign_id: CampaignId, audience: str, form: str, upto: int, unusable: Sequence[tuple[int, int]]
    ) -> StoredFold | None:
        """The newest fold up to a seq and in none of the unusable ranges, first and last seq included."""
        found = await self._database.read(
            _READ_FOLD_BEFORE,
            _fold,
            campaign=campaign_id,
            audience=audience,
            form=form,
            last=Int8(upto),
            unusable_from=BigintArray([first for first, _ in unusable]),
            unusable_to=BigintArray([last for _, last in unusable]),
        )
        return found[0] if found else None

    async def caught_up(self, campaign_id: CampaignId) -> int:
        """The seq up to which everything is stored; 0 for a campaign that is not there."""
        found = await self._database.read(_READ_CAUGHT_UP, _first, campaign=campaign_id)
        return found[0] if found else 0

    async def erasures(self, campaign_id: CampaignId) -> int:
        """How often something was erased in a campaign."""
        found = await self._database.read(_READ_ERASURES, _first, campaign=campaign_id)
        return found[0] if found else 0

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
        # Audiences that see the same share one list.
        shared = {id(of_audience): packed(of_audience) for of_audience in rows.values()}
        parts = [(audience, part) for audience, of_audience in rows.items() for part in shared[id(of_audience)]]
        saved = await self._database.execute(
            _SAVE_VIEWS,
            _first,
            campaign=campaign_id,
            caught_up_from=Int8(caught_up[0]),
            caught_up_to=Int8(caught_up[1]),
            keep=keep,
            erasures=Int8(erasures),
            fold_audiences=TextArray([fold.audience for fold in folds]),
            fold_seqs=BigintArray([fold.seq for fold in folds]),
            fold_forms=TextArray([fold.form for fold in folds]),
            fold_contents=BytesArray([fold.content for fold in folds]),
            audiences=TextArray([audience for audience, _ in parts]),
            views=TextArray([part.view for _, part in parts]),
            numbers=BigintArray([part.number for _, part in parts]),
            keys=TextArray([KEY_SEPARATOR.join(part.keys) for _, part in parts]),
            parts=BytesArray([part.rows for _, part in parts]),
        )
        return bool(saved)

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
        """Up to which seq a list is stored in a form (0: it is not), and a page of it.

        When it is taken back in the midst of this, the page ends with what was read of it before.
        """
        page: list[ViewRow] = []
        reached, most = 0, SEGMENTS_AT_FIRST
        first, last = (after + 1) // SEGMENT_EVENTS, upto // SEGMENT_EVENTS
        while True:
            found = await self._database.read(
                _READ_VIEW_SEGMENTS,
                tuple,
                campaign=campaign_id,
                audience=audience,
                form=form,
                view=view,
                first=Int8(first),
                last=Int8(last),
                most=Int8(most),
                keys=TextArray(keys),
            )
            followed = found[0][0]
            for _, number, parts in found:
                if number is not None:
                    page += unpacked(view, parts, keys, after, min(upto, followed))
                    first = number + 1
            if len(found) < most:
                return max(reached, followed), page[:limit]
            reached = max(reached, min(followed, first * SEGMENT_EVENTS - 1))
            if len(page) >= limit:
                return followed, page[:limit]
            most = min(2 * most, SEGMENTS_AT_MOST)

    async def behind(self, first: UUID, limit: int, *, events: int = 1, quiet: int = 0) -> list[CampaignId]:
        """Campaigns, from an id on, whose views are behind by so many events.

        By fewer, where nothing has been added for `quiet` microseconds.
        """
        return await self._database.read(
            _READ_BEHIND, _first, first=first, events=Int8(events), quiet=Int8(quiet), most=Int8(limit)
        )

    async def of_another_form(self, form: str, limit: int) -> list[CampaignId]:
        """Some campaigns that are not behind, but stored in another form than this."""
        return await self._database.read(_READ_OF_ANOTHER_FORM, _first, form=form, most=Int8(limit))

    async def campaigns(self, after: UUID, limit: int) -> list[CampaignId]:
        """All campaigns, after an id."""
        return await self._database.read(_READ_CAMPAIGNS, _first, after=after, most=Int8(limit))

    async def progress(self, form: str) -> Progress:
        """How far behind everything is, for whoever reads this form."""
        return (await self._database.read(_READ_PROGRESS, _progress, form=form))[0]

    async def forget(self, campaign_id: CampaignId) -> None:
        """Take back what is stored of a campaign, so that it is folded anew."""
        await self._database.execute(_FORGET_VIEWS, _first, campaign=campaign_id, form="")

    async def renew(self, campaign_id: CampaignId, form: str) -> bool:
        """The same, unless it is stored in this form, or is being folded in it; whether it was taken back."""
        return bool(await self._database.execute(_FORGET_VIEWS, _first, campaign=campaign_id, form=form))


def _fold(row: Sequence[Any]) -> StoredFold:
    return StoredFold(*row)


def _progress(row: Sequence[Any]) -> Progress:
    return Progress(*row)


def _first(row: Sequence[Any]) -> Any:
    return row[0]
