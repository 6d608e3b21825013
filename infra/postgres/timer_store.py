"""Timers in PostgreSQL, claimed by one worker at a time when they are due."""

from collections.abc import Sequence
from typing import Any

from psycopg.types.numeric import Int4, Int8

from domain.event_store_types import NEVER, Backlog, DueTimer, KeptTimer, Timer
from domain.ids import ActionId, CampaignId
from domain.worker_shares import WHOLE
from infra.postgres.driver.binary_arrays import BigintArray, TextArray, UuidArray
from infra.postgres.driver.database import Database
from infra.postgres.driver.row_factories import column, row_as
from infra.postgres.driver.statements import SQL

LEASE_MICROSECONDS = 5_000_000
"""How long a worker holds a claim; if it dies, another worker gets the timer after that."""

CLAIMS_MAX = 10
"""So often a worker chooses again where others were quicker; the remaining timers wait for its next round."""

ATTEMPTS_MAX = 5
AGAIN_MICROSECONDS = 1_000_000
"""The wait before the second attempt; it doubles with each later one."""


class PostgresTimerStore:
    """Reads and claims timers; appends write them. Every method may raise `DatabaseUnavailable`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, limit: int, share: bytes = WHOLE, *, late: int = 0) -> tuple[int, list[DueTimer]]:
        """Claim due timers, oldest first, and return them after the database's clock.

        Only those in a share, and only if they are `late` by so many microseconds. The clock is in microseconds
        UTC, 0 if nothing is due.
        """
        for _ in range(CLAIMS_MAX):
            rows = await self._database.execute(
                SQL["claim_timers"],
                tuple,
                most=Int8(limit),
                lease=Int8(LEASE_MICROSECONDS),
                share=share,
                late=Int8(late),
            )
            if rows or not await self._database.is_distributed() or not await self._is_left(share, late):
                break  # else others were quicker with what was chosen, and something is left
        due = [DueTimer(*row) for *row, _ in rows]
        return max((now for *_, now in rows), default=0), sorted(due, key=lambda timer: -timer.late)

    async def of(self, campaign_id: CampaignId) -> list[KeptTimer]:
        """All timers of a campaign, soonest first."""
        return await self._database.read(SQL["read_timers"], _timer_of, campaign=campaign_id)

    async def failed(self, campaign_id: CampaignId, cause: ActionId, subject: str, error: str) -> int:
        """Count a failure; returns how many there were (0: there is no such timer, or it is parked already)."""
        return (
            await self._database.execute_one(
                SQL["fail_timer"],
                column(int),
                campaign=campaign_id,
                cause=cause,
                subject=subject,
                error=error,
                again=Int8(AGAIN_MICROSECONDS),
                most=Int4(ATTEMPTS_MAX),
            )
            or 0
        )

    async def retry(self, campaign_id: CampaignId, cause: ActionId, subject: str) -> bool:
        """Make a failed timer due again at once; False: there is none, or it did not fail."""
        rows = await self._database.execute(
            SQL["retry_timer"], tuple, campaign=campaign_id, cause=cause, subject=subject
        )
        return bool(rows)

    async def replace(self, campaign_id: CampaignId, seq: int, timers: list[Timer]) -> bool:
        """Replace a campaign's timers; False: its log does not end at `seq` any more.

        Unchanged timers keep their failures and their lease. One that sleeps although it should not is woken.
        """
        rows = await self._database.execute(
            SQL["replace_timers"],
            tuple,
            campaign=campaign_id,
            seq=Int8(seq),
            causes=UuidArray([timer.cause for timer in timers]),
            subjects=TextArray([timer.subject for timer in timers]),
            clocks=TextArray([timer.clock for timer in timers]),
            dues=BigintArray([timer.due for timer in timers]),
            wakes=BigintArray([timer.wake_at for timer in timers]),
            never=Int8(NEVER),
        )
        return bool(rows)

    async def backlog(self, share: bytes = WHOLE) -> Backlog:
        """How many timers are due and parked, and how long it is until the next one, everywhere and in a share."""
        rows = await self._database.read(SQL["read_backlog"], row_as(Backlog), never=Int8(NEVER), share=share)
        return rows[0]

    async def _is_left(self, share: bytes, late: int) -> bool:
        next_in = (await self.backlog(share)).next_in_share
        return next_in is not None and next_in <= -late


def _timer_of(row: Sequence[Any]) -> KeptTimer:
    return KeptTimer(Timer(*row[:5]), *row[5:])
