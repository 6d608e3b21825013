"""Drift in a campaign's ledger, and the part of it that a reader may know; the same on every page."""

import msgspec

from domain.campaign.money.reconciliation import Drift, drift_from_set_aside, drift_from_sheets
from domain.event_store_types import LedgerCheck
from services.campaign.visible_campaign import VisibleCampaign
from services.ports.ledger_check_store import LedgerCheckStore

_drift_decoder = msgspec.json.Decoder(list[Drift])


async def check_of(checks: LedgerCheckStore, campaign: VisibleCampaign) -> LedgerCheck | None:
    """The last audit up to the reader's seq, for GMs only: it includes hidden accounts."""
    check = await checks.of(campaign.campaign_id) if campaign.audience.gm else None
    return None if check is None or check.seq > campaign.seq else check


def drift_in(check: LedgerCheck) -> list[Drift]:
    """The drift that an audit found."""
    return _drift_decoder.decode(check.drift)


def known_drift(campaign: VisibleCampaign, check: LedgerCheck | None) -> list[Drift]:
    """Drift between the ledger and the sheets as the reader sees them, and drift that the audit found."""
    audited = [] if check is None else drift_in(check)
    now = drift_from_sheets(campaign.state)
    if campaign.audience.gm:  # others may not know all that is set aside
        now += drift_from_set_aside(campaign.state)
    return [*now, *(drift for drift in audited if drift.source not in ("sheet", "set aside"))]
