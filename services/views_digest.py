"""A fingerprint of everything stored of a campaign's views: equal fingerprints, equal bytes."""

from hashlib import sha256

from msgspec import Struct

from domain.ids import CampaignId
from projections import chronicle, ledger
from services.ports import ViewStore

PAGE = 1_000
VIEWS = (chronicle.VIEW, ledger.VIEW)


class ViewsDigest(Struct, frozen=True):
    """SHA-256 (hexadecimal) of all folds and rows as of `seq`."""

    seq: int
    sha256: str


async def views_digest(views: ViewStore, campaign_id: CampaignId) -> ViewsDigest:
    """Fingerprint what is stored now."""
    digest = sha256()
    folds = sorted(await views.folds(campaign_id), key=lambda fold: fold.audience)
    for fold in folds:
        digest.update(f"{fold.audience}\0{fold.seq}\0{fold.form}\0".encode() + fold.content)
        for view in VIEWS:
            after = 0
            while True:
                _, rows = await views.rows(
                    campaign_id, fold.audience, fold.form, view, after=after, upto=fold.seq, limit=PAGE
                )
                if not rows:
                    break
                for row in rows:
                    digest.update(f"{view}\0{row.seq}\0{row.nth}\0{row.keys}\0".encode() + row.content)
                after = rows[-1].seq
    return ViewsDigest(max((fold.seq for fold in folds), default=0), digest.hexdigest())
