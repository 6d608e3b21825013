"""Where the books of a campaign are not right: what accountants keep of that, and what of it readers may know.

That is the same on every page.
"""

from typing import Protocol
from uuid import UUID

import msgspec

from domain.campaign.reconciling import Drift, drift_from_sheets
from domain.ids import CampaignId
from domain.stored import LedgerCheck
from services.reading import Seen


class LedgerChecks(Protocol):
    """What accountants found. Every method may raise `DatabaseAway`."""

    async def unchecked(self, first: UUID, limit: int) -> list[CampaignId]:
        """Campaigns that have gone on since their last check, from an id on."""
        ...

    async def of(self, campaign_id: CampaignId) -> LedgerCheck | None:
        """The last check of a campaign's ledger."""
        ...

    async def save(self, campaign_id: CampaignId, seq: int, balances: bytes, drift: bytes) -> None:
        """Keep a check."""
        ...

    async def drifting(self) -> int:
        """How many campaigns have a ledger that is not right."""
        ...


_drift_decoder = msgspec.json.Decoder(list[Drift])


async def check_of(checks: LedgerChecks, seen: Seen) -> LedgerCheck | None:
    """The accountant's last check up to where the campaign is seen, for GMs: it is about hidden accounts, too."""
    check = await checks.of(seen.campaign_id) if seen.audience.gm else None
    return None if check is None or check.seq > seen.seq else check


def drift_in(check: LedgerCheck) -> list[Drift]:
    """What a check found."""
    return _drift_decoder.decode(check.drift)


def known_drift(seen: Seen, check: LedgerCheck | None) -> list[Drift]:
    """Sheets as they are seen, and what else the accountant found up to there."""
    found = [] if check is None else drift_in(check)
    return [*drift_from_sheets(seen.state), *(each for each in found if each.source != "sheet")]
