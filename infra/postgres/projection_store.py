"""Stored projections in PostgreSQL, each with the seq that it has reached."""

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
"""An array of arrays cannot be unnested, so the keys of a segment are passed as one text."""

SEGMENTS_AT_FIRST, SEGMENTS_AT_MOST = 4, 64
"""How many segments a page reads at first; if few rows match, twice as many each time, up to the second."""

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
_READ_VIEW_SEGMENTS_BACKWARDS = statement("read_view_segments_backwards")
_SAVE_VIEWS = statement("save_views")
_FORGET_VIEWS = statement("forget_views")


class PostgresProjectionStore:
    """Stores folds and rows of lists. Every method may raise `DatabaseUnavailable`."""

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
        """The newest fold up to a seq and in none of the `unusable` ranges (first and last seq included)."""
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
        """The seq up to which everything is stored; 0 if there is no such campaign."""
        found = await self._database.read(_READ_CAUGHT_UP, _first, campaign=campaign_id)
        return found[0] if found else 0

    async def erasures(self, campaign_id: CampaignId) -> int:
        """How many erasures a campaign has had."""
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
        """Store what was folded from one seq to another, `rows` by audience; False: another worker was faster.

        With `keep`, `fold_before` finds the folds from now on. Also False if texts were erased since `erasures`
        were counted, which the caller does before it reads anything.
        """
        # Audiences with identical rows share one list.
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
        before: int | None = None,
        upto: int,
        limit: int,
        keys: Sequence[str] = (),
    ) -> tuple[int, list[ViewRow]]:
        """The seq up to which a list is stored in a format (0: it is not), and a page of it.

        The newest rows come first where `before` is given. When the list is invalidated while it is read, nothing
        of it is stored.
        """
        page: list[ViewRow] = []
        stored, most = 0, SEGMENTS_AT_FIRST
        query = _READ_VIEW_SEGMENTS if before is None else _READ_VIEW_SEGMENTS_BACKWARDS
        end = upto + 1 if before is None else min(before, upto + 1)
        first, last = (after + 1) // SEGMENT_EVENTS, (end - 1) // SEGMENT_EVENTS
        while True:
            found = await self._database.read(
                query,
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
            if page and followed < stored:
                return 0, []
            stored = min(stored or followed, followed)
            for _, number, parts in found:
                if number is not None:
                    rows = [row for row in unpacked(view, parts, keys, after, min(upto, stored)) if row.seq < end]
                    page += rows if before is None else reversed(rows)
                    first, last = (number + 1, last) if before is None else (first, number - 1)
            if len(found) < most or len(page) >= limit:
                return stored, page[:limit]
            most = min(2 * most, SEGMENTS_AT_MOST)

    async def lagging(self, first: UUID, limit: int, *, events: int = 1, quiet: int = 0) -> list[CampaignId]:
        """Campaigns, from an id on, whose projections lag by at least `events`.

        Also those that lag by fewer, if nothing was added for `quiet` microseconds.
        """
        return await self._database.read(
            _READ_BEHIND, _first, first=first, events=Int8(events), quiet=Int8(quiet), most=Int8(limit)
        )

    async def of_another_form(self, form: str, limit: int) -> list[CampaignId]:
        """Some campaigns that do not lag, but are stored in another format than this."""
        return await self._database.read(_READ_OF_ANOTHER_FORM, _first, form=form, most=Int8(limit))

    async def campaigns(self, after: UUID, limit: int) -> list[CampaignId]:
        """All campaigns, after an id."""
        return await self._database.read(_READ_CAMPAIGNS, _first, after=after, most=Int8(limit))

    async def progress(self, form: str) -> Progress:
        """Projection lag of all campaigns, for readers of this format."""
        return (await self._database.read(_READ_PROGRESS, lambda row: Progress(*row), form=form))[0]

    async def invalidate(self, campaign_id: CampaignId) -> None:
        """Invalidate the stored projections of a campaign, so that they are rebuilt."""
        await self._database.execute(_FORGET_VIEWS, _first, campaign=campaign_id, form="")

    async def renew(self, campaign_id: CampaignId, form: str) -> bool:
        """Invalidate them unless they are stored or being rebuilt in this format; True if it did."""
        return bool(await self._database.execute(_FORGET_VIEWS, _first, campaign=campaign_id, form=form))


def _fold(row: Sequence[Any]) -> StoredFold:
    return StoredFold(*row)


def _first(row: Sequence[Any]) -> Any:
    return row[0]
