"""The ledger audit: adds up the entries of the log separately, and compares them with ledger and sheets.

If a campaign has new events, the audit continues from where it stopped, so that its cost depends on the new
events. In turn, all are added up from the beginning again: a row may have been changed in the database despite its
protection. Differences are stored as drift, counted, and shown in the ledger and the campaign view.
"""

from collections.abc import Callable
from uuid import UUID

import msgspec
import structlog
from prometheus_client import Counter

from domain.campaign.money.ledger import add, moved_by, postings_of
from domain.campaign.money.reconciliation import (
    Drift,
    drift_from_log,
    drift_from_set_aside,
    drift_from_sheets,
    drift_from_zero,
)
from domain.campaign.secrecy.audience import GM
from domain.campaign.storage.event_codec import EVENT_TYPES, decode_event
from domain.campaign.storage.snapshot import FORM, decode_state
from domain.event_store_types import DatabaseUnavailable
from domain.ids import CampaignId
from domain.worker_shares import WHOLE, holds
from services.ports.clock_and_randomness import Entropy
from services.ports.event_store import EventStore
from services.ports.ledger_check_store import LedgerCheckStore
from services.ports.projection_store import ProjectionStore
from services.runtime.lag_metrics import DRIFTING
from services.workers.campaign_shares import everything
from services.workers.polling_worker import PollingWorker

CAMPAIGNS_AT_ONCE = 50

LEFT_MICROSECONDS = 60_000_000
"""A campaign that had no events for so long is for all: the worker that it is left to has had two rounds."""

EVENTS_AGAIN_MAX = 40_000
"""Events added up again in each round: all that a small service has, and a fraction of a second."""

EVENTS_OF_A_CHECK = 100
"""The cost of a check besides reading the log, expressed in events."""

NOWHERE = b"[]"
"""The stored drift if there is none."""

CHECKED = Counter("fieldlog_ledgers_checked", "Ledgers that this worker compared with sheets and log")

Balances = dict[str, dict[str, int]]

_balances_decoder = msgspec.json.Decoder(Balances)
log_line = structlog.get_logger("fieldlog.accounting")


class LedgerAuditWorker(PollingWorker):
    """Checks the ledgers of campaigns that have gone on since their last check."""

    again_seconds = 30.0

    def __init__(
        self,
        log: EventStore,
        views: ProjectionStore,
        checks: LedgerCheckStore,
        entropy: Entropy,
        share: Callable[[], bytes] = everything,
    ) -> None:
        super().__init__()
        self._log = log
        self._views = views
        self._checks = checks
        self._entropy = entropy
        self._share = share
        self._again_after = UUID(int=0)
        self._again_events = 0

    async def round(self) -> float:
        """Check ledgers with new events, and some of the others."""
        await self.once()
        await self.again()
        return self.again_seconds

    async def once(self) -> int:
        """Check all ledgers with new events in this worker's share, and those that were left; returns how many."""
        share = self._share()
        checked = await self._check_all(share, 0)
        if share != WHOLE:
            checked += await self._check_all(WHOLE, LEFT_MICROSECONDS)
        DRIFTING.set(await self._checks.drifting())
        return checked

    async def _check_all(self, share: bytes, quiet: int) -> int:
        checked = 0
        while not self._stopping:
            page = await self._page(share, quiet)
            count = await self._checked(page, afresh=False)
            checked += count
            if count == 0 or len(page) < CAMPAIGNS_AT_ONCE:
                break
        return checked

    async def again(self) -> int:
        """Add up ledgers of the share from the beginning again, continuing the last round; returns how many.

        A round ends with the last campaign, or after so many events; events read beyond the limit count in the
        next rounds.
        """
        checked = 0
        self._again_events = min(0, self._again_events) + EVENTS_AGAIN_MAX
        while page := await self._next_again():
            for campaign_id in page:
                if self._again_events <= 0 or self._stopping:
                    break
                self._again_after = campaign_id
                if holds(self._share(), campaign_id):
                    checked += await self._checked([campaign_id], afresh=True)
        DRIFTING.set(await self._checks.drifting())
        return checked

    async def _next_again(self) -> list[CampaignId]:
        """The campaigns that follow in this round; none at its end."""
        if self._again_events <= 0 or self._stopping:
            return []
        page = await self._views.campaigns(self._again_after, CAMPAIGNS_AT_ONCE)
        if not page:
            self._again_after = UUID(int=0)
        return page

    async def _page(self, share: bytes, quiet: int) -> list[CampaignId]:
        """Some campaigns with new events: from a random id on, and around to it again."""
        first = self._entropy.new_id()
        campaign_ids = await self._checks.unchecked(first, CAMPAIGNS_AT_ONCE, share, quiet=quiet)
        if len(campaign_ids) < CAMPAIGNS_AT_ONCE:
            room = CAMPAIGNS_AT_ONCE - len(campaign_ids)
            rest = await self._checks.unchecked(UUID(int=0), room, share, quiet=quiet)
            campaign_ids += [campaign_id for campaign_id in rest if campaign_id < first]
        return campaign_ids

    async def _checked(self, page: list[CampaignId], *, afresh: bool) -> int:
        """Check these; returns how many could be checked."""
        checked = 0
        for campaign_id in page:
            if self._stopping:
                break
            try:
                checked += await self.check(campaign_id, afresh=afresh) is not None
            except DatabaseUnavailable:
                raise
            except Exception:
                # An unreadable campaign must not stop the others.
                log_line.exception("ledger_unreadable", campaign=str(campaign_id))
        return checked

    async def check(self, campaign_id: CampaignId, *, afresh: bool = False) -> list[Drift] | None:
        """Check one ledger as of its stored fold; returns its drift. None: the fold is just being made.

        Continues from the last check, or `afresh` from the beginning. An unchanged result is not stored again, and
        drift is logged only when it changes.
        """
        stored_fold = await self._views.fold(campaign_id, GM.key)
        if stored_fold is None or stored_fold.form != FORM:
            return None
        before = await self._checks.of(campaign_id)
        after, balances = 0, Balances()
        if before is not None and before.seq <= stored_fold.seq and not afresh:
            after, balances = before.seq, _balances_decoder.decode(before.balances)
        if afresh:
            self._again_events -= stored_fold.seq + EVENTS_OF_A_CHECK
        reached = await self._add_up(campaign_id, after, stored_fold.seq, balances)
        if reached < stored_fold.seq and await self._log.head(campaign_id) is None:
            return None  # the campaign was deleted meanwhile
        CHECKED.inc()
        state = decode_state(stored_fold.content)
        drift = [
            *drift_from_sheets(state),
            *drift_from_set_aside(state),
            *drift_from_log(state, balances),
            *drift_from_zero(state),
        ]
        summed, drift_json = msgspec.json.encode(balances), msgspec.json.encode(drift)
        if before is None or (before.seq, before.balances, before.drift) != (stored_fold.seq, summed, drift_json):
            await self._checks.save(campaign_id, stored_fold.seq, summed, drift_json)
        if drift_json != (NOWHERE if before is None else before.drift):
            tell = log_line.error if drift else log_line.info
            tell("ledger_drift", campaign=str(campaign_id), seq=stored_fold.seq, accounts=len(drift))
        return drift

    async def _add_up(self, campaign_id: CampaignId, after: int, upto: int, balances: Balances) -> int:
        """Add a campaign's entries after a seq to the balances; returns the last seq that was read."""
        # The whole past is read as facts, which takes a third of the time.
        pages = self._log.stream(campaign_id, after) if after else self._log.facts(campaign_id)
        async for rows in pages:
            for row in rows:
                if row.seq > upto:
                    break
                after = row.seq
                if moved_by(EVENT_TYPES[row.kind]) is not None:
                    for posting in postings_of(decode_event(row)):
                        add(balances, posting)
            if after >= upto:
                break
        return after
