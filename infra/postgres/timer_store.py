"""Timers in PostgreSQL: what campaigns owe themselves, found when it is due and given to one worker at a time."""

from collections.abc import Sequence
from typing import Any

from psycopg.types.numeric import Int4, Int8

from domain.event_store_types import NEVER, Backlog, DueTimer, KeptTimer, Timer
from domain.ids import ActionId, CampaignId
from infra.postgres.driver.binary_arrays import BigintArray, TextArray, UuidArray
from infra.postgres.driver.database import Database
from infra.postgres.driver.statements import statement

LEASE_MICROSECONDS = 5_000_000
"""How long a worker has for what it claimed; if it dies, somebody else has it after that."""

ATTEMPTS_MAX = 5
AGAIN_MICROSECONDS = 1_000_000
"""Before the second attempt; twice as long before each later one."""

_CLAIM = statement("claim_timers")
_READ = statement("read_timers")
_FAIL = statement("fail_timer")
_RETRY = statement("retry_timer")
_REPLACE = statement("replace_timers")
_BACKLOG = statement("read_backlog")


class PostgresTimerStore:
    """Reads and claims timers; the log writes them. Every method may raise `DatabaseUnavailable`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, limit: int) -> tuple[int, list[DueTimer]]:
        """Take what is due, oldest first, and the database's clock (microseconds UTC; 0 where nothing is due)."""
        found = await self._database.execute(_CLAIM, tuple, most=Int8(limit), lease=Int8(LEASE_MICROSECONDS))
        return max((now for *_, now in found), default=0), [DueTimer(*row) for *row, _ in found]

    async def of(self, campaign_id: CampaignId) -> list[KeptTimer]:
        """All timers of a campaign, those that are due soonest first."""
        return await self._database.read(_READ, _kept, campaign=campaign_id)

    async def failed(self, campaign_id: CampaignId, cause: ActionId, subject: str, error: str) -> int:
        """Count a failure; how often it failed so far (0: there is no such timer, or it is parked already)."""
        found = await self._database.execute(
            _FAIL,
            _first,
            campaign=campaign_id,
            cause=cause,
            subject=subject,
            error=error,
            again=Int8(AGAIN_MICROSECONDS),
            most=Int4(ATTEMPTS_MAX),
        )
        return found[0] if found else 0

    async def retry(self, campaign_id: CampaignId, cause: ActionId, subject: str) -> bool:
        """Let a timer that failed be tried again at once; False: it is not there, or did not fail."""
        found = await self._database.execute(_RETRY, _first, campaign=campaign_id, cause=cause, subject=subject)
        return bool(found)

    async def replace(self, campaign_id: CampaignId, seq: int, timers: list[Timer]) -> bool:
        """Make a campaign's timers these; False: its log does not end at `seq` any more.

        What stays as it was keeps its failures and its place, and wakes up where it slept and shall not.
        """
        found = await self._database.execute(
            _REPLACE,
            _first,
            campaign=campaign_id,
            seq=Int8(seq),
            causes=UuidArray([timer.cause for timer in timers]),
            subjects=TextArray([timer.subject for timer in timers]),
            clocks=TextArray([timer.clock for timer in timers]),
            dues=BigintArray([timer.due for timer in timers]),
            wakes=BigintArray([timer.wake_at for timer in timers]),
            never=Int8(NEVER),
        )
        return bool(found)

    async def backlog(self) -> Backlog:
        """What should have happened by now, and what is parked."""
        return (await self._database.read(_BACKLOG, _backlog, never=Int8(NEVER)))[0]


def _kept(row: Sequence[Any]) -> KeptTimer:
    return KeptTimer(Timer(*row[:5]), *row[5:])


def _backlog(row: Sequence[Any]) -> Backlog:
    return Backlog(*row)


def _first(row: Sequence[Any]) -> Any:
    return row[0]
