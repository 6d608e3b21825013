"""Copies what was taken away to outside the database, and takes it away again from a restored older one.

A database that was restored does not know of what was erased, deleted or revoked after the backup. A process that
kept a journal does: it repeats all of that before it serves anybody, and goes on comparing while it runs.
"""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID

import structlog

from domain.event_store_types import DatabaseUnavailable
from domain.ids import AccountId, CampaignId
from domain.rejection import Rejection
from domain.withdrawals import Withdrawal
from services.ports.withdrawal_store import WithdrawalJournal, WithdrawalStore

KEEP_SECONDS = 5.0
"""Things taken away so shortly before a loss of the database may come back with an older one."""

SETTLE_MICROSECONDS = 60_000_000
"""A note is written before its transaction is committed: for so long earlier ones may still appear."""

PAGE = 1_000
LAST_SECONDS_MAX = 2.0

Remove = Callable[[CampaignId, AccountId, bool], Awaitable[None]]
"""Removes a member, if they are one; True: as another's doing. May raise `Rejection`."""

log_line = structlog.get_logger("fieldlog.withdrawals")
_FIRST = UUID(int=0)


class WithdrawalKeeper:
    """Compares a journal with the database's notes, in both directions."""

    def __init__(self, store: WithdrawalStore, journal: WithdrawalJournal, remove: Remove) -> None:
        self._store = store
        self._journal = journal
        self._remove = remove
        self._newest: Withdrawal | None = None

    async def repeat(self) -> int:
        """Take away again what the database does not know of; returns how much. Raises `DatabaseUnavailable`."""
        withdrawals = await asyncio.to_thread(self._journal.read)
        self._newest = withdrawals[-1] if withdrawals else None
        unknown: set[UUID] = set()
        for start in range(0, len(withdrawals), PAGE):
            unknown |= await self._store.unknown(
                [withdrawal.withdrawal_id for withdrawal in withdrawals[start : start + PAGE]]
            )
        missing = [withdrawal for withdrawal in withdrawals if withdrawal.withdrawal_id in unknown]
        came_back = {
            (withdrawal.campaign, withdrawal.subject): withdrawal.noted_at
            for withdrawal in withdrawals
            if withdrawal.kind == "joined"
        }
        count = 0
        for withdrawal in missing:
            is_out = (
                withdrawal.kind == "member"
                and came_back.get((withdrawal.campaign, withdrawal.subject), 0) < withdrawal.noted_at
            )
            if not is_out or await self._removed(withdrawal):
                await self._store.repeat(withdrawal)
                count += 1
        if count:
            log_line.warning("taken_away_again", count=count)
        return count

    async def keep(self) -> None:
        """Copy what was taken away since. Raises `DatabaseUnavailable` and OSError."""
        if self._newest is not None and await self._store.unknown([self._newest.withdrawal_id]):
            await self.repeat()
        at = 0 if self._newest is None else self._newest.noted_at - SETTLE_MICROSECONDS
        after = _FIRST
        while True:
            page = await self._store.after(at, after, PAGE)
            if page:
                await asyncio.to_thread(self._journal.add, page)
                at, after, self._newest = page[-1].noted_at, page[-1].withdrawal_id, page[-1]
            if len(page) < PAGE:
                return

    async def keep_on(self) -> None:
        """Do so every few seconds, until cancelled."""
        while True:
            try:
                await self.keep()
            except (DatabaseUnavailable, OSError) as failure:
                log_line.warning("withdrawals_not_kept", reason=str(failure))
            await asyncio.sleep(KEEP_SECONDS)

    async def keep_now(self) -> None:
        """Do so once more at the end, unless the database has no time for it."""
        try:
            async with asyncio.timeout(LAST_SECONDS_MAX):
                await self.keep()
        except (DatabaseUnavailable, OSError, TimeoutError) as failure:
            log_line.warning("withdrawals_not_kept", reason=str(failure))

    async def _removed(self, lost: Withdrawal) -> bool:
        """Remove a member again; False: it has to be tried later."""
        assert lost.campaign is not None
        assert lost.subject is not None
        try:
            await self._remove(CampaignId(lost.campaign), AccountId(lost.subject), "removed" in lost.stays)
        except Rejection as refusal:
            log_line.warning("removal_delayed", campaign=str(lost.campaign), code=refusal.code)
            return refusal.code == "campaign_not_found"
        return True
