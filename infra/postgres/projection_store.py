"""Stored projections in PostgreSQL, each with the seq that it has reached."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from psycopg.types.numeric import Int8

from domain.ids import CampaignId
from domain.stored_view_types import Progress, StoredFold, ViewRow
from domain.worker_shares import WHOLE
from infra.postgres.driver.binary_arrays import BigintArray, BytesArray, IntegerArray, TextArray
from infra.postgres.driver.database import Database
from infra.postgres.driver.row_factories import column, row_as
from infra.postgres.driver.statements import SQL
from infra.postgres.list_segments import (
    SEGMENT_EVENTS,
    AddedRows,
    Place,
    StoredSegment,
    change_segments,
    marks_of,
    pack_rows,
    unpacked,
)

SEGMENTS_AT_FIRST, SEGMENTS_AT_MOST = 4, 64
"""How many segments a page reads at first; if few rows match, twice as many each time, up to the second."""


class PostgresProjectionStore:
    """Stores folds and rows of lists. Every method may raise `DatabaseUnavailable`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def fold(self, campaign_id: CampaignId, audience: str) -> StoredFold | None:
        """The stored fold for one audience."""
        return await self._database.read_one(
            SQL["read_fold"], row_as(StoredFold), campaign=campaign_id, audience=audience
        )

    async def folds(self, campaign_id: CampaignId) -> list[StoredFold]:
        """All stored folds of a campaign."""
        return await self._database.read(SQL["read_folds"], row_as(StoredFold), campaign=campaign_id)

    async def fold_before(
        self, campaign_id: CampaignId, audience: str, form: str, upto: int, unusable: Sequence[tuple[int, int]]
    ) -> StoredFold | None:
        """The newest fold up to a seq and in none of the `unusable` ranges (first and last seq included)."""
        return await self._database.read_one(
            SQL["read_fold_before"],
            row_as(StoredFold),
            campaign=campaign_id,
            audience=audience,
            form=form,
            last=Int8(upto),
            unusable_from=BigintArray([first for first, _ in unusable]),
            unusable_to=BigintArray([last for _, last in unusable]),
        )

    async def caught_up(self, campaign_id: CampaignId) -> int:
        """The seq up to which everything is stored; 0 if there is no such campaign."""
        return await self._database.read_one(SQL["read_caught_up"], column(int), campaign=campaign_id) or 0

    async def erasures(self, campaign_id: CampaignId) -> int:
        """How many erasures a campaign has had, and invalidations of its views."""
        return await self._database.read_one(SQL["read_erasures"], column(int), campaign=campaign_id) or 0

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

        With `keep`, `fold_before` finds the folds from now on. Also False if texts were erased or views
        invalidated since `erasures` were counted, which the caller does before it reads anything.
        """
        # Audiences with identical rows share one list, which is packed once.
        lists = {id(of_audience): of_audience for of_audience in rows.values()}
        shared = {list_id: pack_rows(of_audience) for list_id, of_audience in lists.items()}
        added = {audience: shared[id(of_audience)] for audience, of_audience in rows.items()}
        segments = await self._change_lists(campaign_id, caught_up[0], added)
        saved = await self._database.execute(
            SQL["save_views"],
            tuple,
            campaign=campaign_id,
            caught_up_from=Int8(caught_up[0]),
            caught_up_to=Int8(caught_up[1]),
            keep=keep,
            erasures=Int8(erasures),
            fold_audiences=TextArray([fold.audience for fold in folds]),
            fold_seqs=BigintArray([fold.seq for fold in folds]),
            fold_forms=TextArray([fold.form for fold in folds]),
            fold_contents=BytesArray([fold.content for fold in folds]),
            audiences=TextArray([segment.audience for segment in segments]),
            views=TextArray([segment.view for segment in segments]),
            numbers=BigintArray([segment.number for segment in segments]),
            # An array of arrays cannot be unnested: these are passed as texts.
            readers=TextArray([",".join(segment.readers) for segment in segments]),
            marks=TextArray([",".join(map(str, segment.marks)) for segment in segments]),
            contents=BytesArray([segment.content for segment in segments]),
        )
        return bool(saved)

    async def _change_lists(
        self, campaign_id: CampaignId, caught_up_from: int, added: Mapping[str, Mapping[Place, AddedRows]]
    ) -> list[StoredSegment]:
        """The segments that change when audiences get these rows, as they are to be stored."""
        places = sorted({place for of_audience in added.values() for place in of_audience})
        # Nothing is stored of what comes after, nor of a campaign that is followed from its beginning.
        old = [place for place in places if caught_up_from > 0 and place[1] <= caught_up_from // SEGMENT_EVENTS]
        stored: defaultdict[Place, list[StoredSegment]] = defaultdict(list)
        for segment in await self._segments(campaign_id, old) if old else []:
            stored[segment.view, segment.number].append(segment)
        return [
            segment
            for place in places
            for segment in change_segments(
                place,
                stored[place],
                {audience: of_audience[place] for audience, of_audience in added.items() if place in of_audience},
            )
        ]

    async def _segments(self, campaign_id: CampaignId, places: list[Place]) -> list[StoredSegment]:
        """The rows that are stored at these places, and maybe at others."""
        return await self._database.read(
            SQL["read_segments_of"],
            row_as(StoredSegment),
            campaign=campaign_id,
            views=TextArray(sorted({view for view, _ in places})),
            numbers=BigintArray(sorted({number for _, number in places})),
        )

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
        query = SQL["read_view_segments"] if before is None else SQL["read_view_segments_backwards"]
        end = upto + 1 if before is None else min(before, upto + 1)
        first, last = (after + 1) // SEGMENT_EVENTS, (end - 1) // SEGMENT_EVENTS
        while True:
            segments = await self._database.read(
                query,
                tuple,
                campaign=campaign_id,
                audience=audience,
                form=form,
                view=view,
                first=Int8(first),
                last=Int8(last),
                most=Int8(most),
                marks=IntegerArray(marks_of(keys)),
            )
            followed = segments[0][0]
            if page and followed < stored:
                return 0, []
            stored = min(stored or followed, followed)
            for _, number, content in segments:
                if number is not None:
                    rows = [
                        row for row in unpacked(view, content, keys, after, min(upto, stored)) if row.seq < end
                    ]
                    page += rows if before is None else reversed(rows)
                    first, last = (number + 1, last) if before is None else (first, number - 1)
            if len(segments) < most or len(page) >= limit:
                return stored, page[:limit]
            most = min(2 * most, SEGMENTS_AT_MOST)

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
        """Campaigns in a share, from an id on, whose projections lag by at least `events`.

        Also those that lag by fewer, if nothing was added for `quiet` microseconds, or for `new` where nothing is
        stored yet.
        """
        return await self._database.read(
            SQL["read_behind"],
            column(CampaignId),
            first=first,
            share=share,
            events=Int8(events),
            quiet=Int8(quiet),
            new=Int8(quiet if new is None else new),
            most=Int8(limit),
        )

    async def of_another_form(self, form: str, limit: int) -> list[CampaignId]:
        """Some campaigns that do not lag, but are stored in another format than this."""
        return await self._database.read(
            SQL["read_of_another_form"], column(CampaignId), form=form, most=Int8(limit)
        )

    async def campaigns(self, after: UUID, limit: int) -> list[CampaignId]:
        """All campaigns, after an id."""
        return await self._database.read(SQL["read_campaigns"], column(CampaignId), after=after, most=Int8(limit))

    async def progress(self, form: str) -> Progress:
        """Projection lag of all campaigns, for readers of this format."""
        return (await self._database.read(SQL["read_progress"], row_as(Progress), form=form))[0]

    async def invalidate(self, campaign_id: CampaignId) -> None:
        """Invalidate the stored projections of a campaign, so that they are rebuilt."""
        await self._database.execute(SQL["forget_views"], tuple, campaign=campaign_id, form="")

    async def renew(self, campaign_id: CampaignId, form: str) -> bool:
        """Invalidate them unless they are stored or being rebuilt in this format; True if it did."""
        return bool(await self._database.execute(SQL["forget_views"], tuple, campaign=campaign_id, form=form))
