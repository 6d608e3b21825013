"""Drift in a campaign's ledger, and the part of it that a reader may know; the same on every page."""

import msgspec

from domain.campaign.money.reconciliation import Drift, drift_from_sheets
from domain.event_store_types import LedgerCheck
from services.ports.ledger_check_store import LedgerCheckStore
from services.queries.campaign_reader import VisibleCampaign

_drift_decoder = msgspec.json.Decoder(list[Drift])


async def check_of(checks: LedgerCheckStore, seen: VisibleCampaign) -> LedgerCheck | None:
    """The last audit up to the reader's seq, for GMs only: it includes hidden accounts."""
    check = await checks.of(seen.campaign_id) if seen.audience.gm else None
    return None if check is None or check.seq > seen.seq else check


def drift_in(check: LedgerCheck) -> list[Drift]:
    """The drift that an audit found."""
    return _drift_decoder.decode(check.drift)


def known_drift(seen: VisibleCampaign, check: LedgerCheck | None) -> list[Drift]:
    """Drift between the ledger and the sheets as the reader sees them, and drift that the audit found."""
    found = [] if check is None else drift_in(check)
    return [*drift_from_sheets(seen.state), *(each for each in found if each.source != "sheet")]
