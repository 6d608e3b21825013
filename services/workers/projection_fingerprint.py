"""A fingerprint of everything stored of a campaign's projections: equal fingerprints, equal bytes."""

from collections.abc import AsyncIterator
from hashlib import sha256

from msgspec import Struct

from domain.ids import CampaignId
from domain.stored_view_types import StoredFold, ViewRow
from projections.campaign import chronicle, ledger
from services.ports.projection_store import ProjectionStore

PAGE = 1_000
VIEWS = (chronicle.VIEW, ledger.VIEW)


class ViewsDigest(Struct, frozen=True):
    """SHA-256 (hexadecimal) of all folds and rows as of `seq`."""

    seq: int
    sha256: str


async def views_digest(views: ProjectionStore, campaign_id: CampaignId) -> ViewsDigest:
    """The fingerprint of the stored projections."""
    digest = sha256()
    folds = sorted(await views.folds(campaign_id), key=lambda fold: fold.audience)
    for fold in folds:
        digest.update(f"{fold.audience}\0{fold.seq}\0{fold.form}\0".encode() + fold.content)
        for view in VIEWS:
            async for row in _rows(views, campaign_id, fold, view):
                digest.update(f"{view}\0{row.seq}\0{row.nth}\0{row.keys}\0".encode() + row.content)
    return ViewsDigest(max((fold.seq for fold in folds), default=0), digest.hexdigest())


async def _rows(
    views: ProjectionStore, campaign_id: CampaignId, fold: StoredFold, view: str
) -> AsyncIterator[ViewRow]:
    """Every row of a list, page by page; the rows of one event stay together."""
    after, most = 0, PAGE
    while most:
        _, page = await views.rows(
            campaign_id, fold.audience, fold.form, view, after=after, upto=fold.seq, limit=most
        )
        full = len(page) == most
        whole = [row for row in page if not full or row.seq < page[-1].seq]
        for row in whole:
            yield row
        after = whole[-1].seq if whole else after
        most = (most if whole else most * 2) if full else 0
