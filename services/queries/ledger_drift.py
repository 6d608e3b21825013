"""Where the books of a campaign are not right: what accountants keep of that, and what of it readers may know.

That is the same on every page.
"""

import msgspec

from domain.campaign.money.reconciliation import Drift, drift_from_sheets
from domain.event_store_types import LedgerCheck
from services.ports.ledger_check_store import LedgerCheckStore
from services.queries.campaign_reader import VisibleCampaign

_drift_decoder = msgspec.json.Decoder(list[Drift])


async def check_of(checks: LedgerCheckStore, seen: VisibleCampaign) -> LedgerCheck | None:
    """The accountant's last check up to where the campaign is seen, for GMs: it is about hidden accounts, too."""
    check = await checks.of(seen.campaign_id) if seen.audience.gm else None
    return None if check is None or check.seq > seen.seq else check


def drift_in(check: LedgerCheck) -> list[Drift]:
    """What a check found."""
    return _drift_decoder.decode(check.drift)


def known_drift(seen: VisibleCampaign, check: LedgerCheck | None) -> list[Drift]:
    """Sheets as they are seen, and what else the accountant found up to there."""
    found = [] if check is None else drift_in(check)
    return [*drift_from_sheets(seen.state), *(each for each in found if each.source != "sheet")]
