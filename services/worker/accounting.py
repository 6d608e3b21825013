"""The accountant: adds up the entries of the log by itself, and compares with the ledger and the sheets.

It goes on from where it stopped, so that a check costs what has happened since. What does not agree is kept as
drift, counted, and shown to everybody who looks at the ledger or the campaign.
"""

import asyncio
from contextlib import suppress
from uuid import UUID

import msgspec
import structlog

from domain.campaign.codec import recorded
from domain.campaign.ledger import add, postings
from domain.campaign.reconciling import Drift, drift_from_log, drift_from_sheets, trial_balance
from domain.campaign.snapshot import FORM, thaw
from domain.campaign.visibility import GM
from domain.ids import CampaignId
from domain.stored import DatabaseAway
from services.lateness import DRIFTING
from services.ports import Entropy, EventLog, LedgerChecks, ViewStore
from services.runtime.readiness import Missed

EVERY_SECONDS = 30.0
CAMPAIGNS_AT_ONCE = 50

log_line = structlog.get_logger("fieldlog.accounting")


class Accounting:
    """Checks the ledgers of campaigns that have gone on since their last check."""

    def __init__(self, log: EventLog, views: ViewStore, checks: LedgerChecks, entropy: Entropy) -> None:
        self._log = log
        self._views = views
        self._checks = checks
        self._entropy = entropy
        self._stop = asyncio.Event()

    def stop(self) -> None:
        """Finish the ledger at hand and end. Call it on the event loop's thread."""
        self._stop.set()

    async def run(self, missed: Missed) -> None:
        """Check until told to stop; the database being away only delays, and is `missed`."""
        while not self._stop.is_set():
            try:
                await self.once()
            except DatabaseAway as away:
                missed(away)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), EVERY_SECONDS)

    async def once(self) -> int:
        """Check a page of ledgers, from a random place on; how many."""
        first = self._entropy.new_id()
        found = await self._checks.unchecked(first, CAMPAIGNS_AT_ONCE)
        if len(found) < CAMPAIGNS_AT_ONCE:
            rest = await self._checks.unchecked(UUID(int=0), CAMPAIGNS_AT_ONCE - len(found))
            found += [campaign_id for campaign_id in rest if campaign_id < first]
        for campaign_id in found:
            if self._stop.is_set():
                break
            await self.check(campaign_id)
        DRIFTING.set(await self._checks.drifting())
        return len(found)

    async def check(self, campaign_id: CampaignId) -> list[Drift]:
        """Check one ledger as of its stored view; where it does not agree."""
        stored = await self._views.fold(campaign_id, GM.key)
        if stored is None or stored.form != FORM:
            return []  # the views are folded anew just now
        state = thaw(stored.content)
        before = await self._checks.of(campaign_id)
        balances: dict[str, dict[str, int]] = {}
        after = 0
        if before is not None and before.seq <= stored.seq:
            after, balances = before.seq, msgspec.json.decode(before.balances, type=dict[str, dict[str, int]])
        async for rows in self._log.stream(campaign_id, after):
            for row in rows:
                if row.seq > stored.seq:
                    break
                for posting in postings(recorded(row).event):
                    add(balances, posting)
        drift = [*drift_from_sheets(state), *drift_from_log(state, balances)]
        drift += [
            Drift("*", currency, total, 0, "trial balance")
            for currency, total in trial_balance(state.balances).items()
            if total
        ]
        await self._checks.save(campaign_id, stored.seq, msgspec.json.encode(balances), msgspec.json.encode(drift))
        if drift:
            log_line.error("ledger_drift", campaign=str(campaign_id), seq=stored.seq, accounts=len(drift))
        return drift
