"""Where the books of a campaign are not right, as far as a reader may know: the same on every page."""

import msgspec

from domain.campaign.reconciling import Drift, drift_from_sheets
from domain.stored import LedgerCheck
from services.ports import LedgerChecks
from services.reading import Seen

_drift_decoder = msgspec.json.Decoder(list[Drift])


async def check_of(checks: LedgerChecks, seen: Seen) -> LedgerCheck | None:
    """The accountant's last check, for GMs: it is about hidden accounts, too."""
    return await checks.of(seen.campaign_id) if seen.audience.gm else None


def drift_in(check: LedgerCheck) -> list[Drift]:
    """What a check found."""
    return _drift_decoder.decode(check.drift)


def known_drift(seen: Seen, check: LedgerCheck | None) -> list[Drift]:
    """Sheets as they are seen, and what else the accountant found up to there."""
    found = drift_in(check) if check is not None and check.seq <= seen.seq else []
    return [*drift_from_sheets(seen.state), *(each for each in found if each.source != "sheet")]
