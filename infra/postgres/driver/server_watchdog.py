"""Detects whether the server can serve: from the results of calls, and by asking it on a connection of its own.

While a call is outstanding for a second or more the server is asked. If that stays unanswered too, it is taken for
silent: all outstanding calls are hung up, and new ones fail at once, while it is asked again and again. A write
failure (read-only, disk full) stands until a write of the watchdog's own on a fresh connection succeeds.
"""

import asyncio
import math
from typing import Any, NamedTuple

import psycopg
import structlog
from psycopg import AsyncConnection

from domain.event_store_types import DatabaseBusy, DatabaseUnavailable
from infra.outage_log import Outage
from infra.postgres.driver.connector import CALL_SECONDS_MAX, cancel_and_hang_up, connect, hang_up
from infra.postgres.driver.sqlstates import Meaning, meaning_of, meaning_of_refusal
from infra.postgres.driver.statements import source
from infra.postgres.driver.wait_limits import Patience

SUSPECT_SECONDS = 1.0
"""The watchdog asks the server when a call is outstanding for so long, and again each time it has passed."""

SILENCE_SECONDS_MAX = 2.0
"""A server that does not answer the watchdog's question for so long is taken for silent."""

CLOSE_SECONDS_MAX = 0.5
"""An answer is waited for so long in the end: a client that goes while it signs in stays at the server for a
minute, in the way of a `DROP DATABASE`.
"""

PAUSE_SECONDS_MIN, PAUSE_SECONDS_MAX = 0.05, 0.5
"""The pauses between questions in an outage: within a second of its return the server is known to serve."""

QUIET_SECONDS = 1.0
"""An outage is over when no call failed for so long: failures in quick succession are logged as one."""

_IS_READ_ONLY = source("probe_read_only").strip().encode()
_WRITE = source("probe_write").strip().encode()
_WAITS_FOR_STANDBY = source("waits_for_standby").strip().encode()

log_line = structlog.get_logger("fieldlog.database")


class Trouble(NamedTuple):
    """Why the database cannot be used: a stable code, and the failure."""

    code: str
    met: str


CODES = {
    Meaning.UNREACHABLE: "database_away",
    Meaning.READ_ONLY: "database_read_only",
    Meaning.DISK_FULL: "disk_full",
    Meaning.CROWDED: "too_many_connections",
}
AWAY = CODES[Meaning.UNREACHABLE]
OVERLOADED = "overloaded"
"""The code of what is no trouble of the server's: this process has more to do than it can."""

ELSEWHERE = {AWAY, CODES[Meaning.READ_ONLY]}
"""After a trouble with these codes the server may be another one. A full server keeps its connections."""


class Call:
    """An outstanding call on a connection, until `end`."""

    def __init__(self, watchdog: "Watchdog", connection: AsyncConnection[Any], patience: Patience) -> None:
        self.connection = connection
        self.hung_up = False
        self._wait = patience.wait(self.hang_up, watchdog.suspect, SUSPECT_SECONDS)

    def end(self) -> None:
        """Note that the call is over."""
        self._wait.cancel()

    def hang_up(self) -> None:
        """Cut the call's connection because no answer comes."""
        self.hung_up = True
        hang_up(self.connection)


class Watchdog:
    """One for all connections of a process to one database.

    `wants_standby`: warn where the server confirms commits that no standby has, at the start and after an outage,
    when it may be another server.
    """

    def __init__(self, url: str, name: str, *, wants_standby: bool = False) -> None:
        self.generation = 0
        """Connections opened in an earlier generation are not used again: they may lead to the wrong server."""

        self._url = url
        self._name = name
        self._wants_standby = wants_standby
        self._outage = Outage(log_line, "database_away", "database_back")
        self._overload = Outage(log_line, "overloaded", "overload_over")
        self._alone = Outage(log_line, "standby_missing", "standby_back")
        self._trouble: Trouble | None = None
        self._calls: set[Call] = set()
        self._connection: AsyncConnection[Any] | None = None
        self._connecting = False
        self._hung_up = False
        self._asking: asyncio.Task[None] | None = None
        self._recovering: asyncio.Task[None] | None = None
        self._doubts = 0
        self._doubts_settled = 0
        self._missed_at = -math.inf

    # --- calls ---------------------------------------------------------------------------------------------

    def is_away(self) -> bool:
        """Whether the server is known not to answer."""
        return self._trouble is not None and self._trouble.code == AWAY

    def require_answers(self) -> None:
        """Raise DatabaseUnavailable at once while the server is known not to answer."""
        if self._trouble is not None and self._trouble.code == AWAY:
            raise DatabaseUnavailable(f"PostgreSQL cannot be reached: {self._trouble.met}")

    def begin(self, connection: AsyncConnection[Any], patience: Patience) -> Call:
        """Watch a call until the patience is at its end."""
        if self._asking is None:
            self._ask()  # now, so that its own connection leads to the same server
        call = Call(self, connection, patience)
        self._calls.add(call)
        return call

    def end(self, call: Call) -> None:
        """Stop watching a call."""
        call.end()
        self._calls.discard(call)

    def suspect(self) -> None:
        """Ask the server, because a call has waited long."""
        self._ask()

    def met(self, meaning: Meaning, failure: object, generation: int) -> None:
        """Note a call's failure on a connection of a generation; asks the server whether it still holds."""
        self._doubt()
        if meaning is Meaning.UNREACHABLE and generation == self.generation:
            self.generation += 1  # mostly the others broke as well
        if meaning in (Meaning.READ_ONLY, Meaning.DISK_FULL):
            self._become(Trouble(CODES[meaning], str(failure)))
        self._recover()

    def refused(self, failure: psycopg.Error) -> None:
        """Note a failed attempt to connect."""
        self._doubt()
        self._become(Trouble(CODES[meaning_of_refusal(failure)], str(failure)))
        self._recover()

    def missed(self, failure: DatabaseUnavailable) -> None:
        """Count a request, or a round of background work, that failed because the database was unavailable.

        Asks the server by a write whether it is well: the cause that kept others waiting may be the locks of a
        commit that waits for a standby, and no call of ours need fail of that. While a trouble is known, the
        request most likely failed of that without asking the server. Such a failure is no news, and an outage
        that counted it would last as long as clients ask. One that had to wait for too long says that this
        process is overloaded, until none of them fails any more.
        """
        if self._trouble is None:
            self._doubt()
        self._missed_at = _from_now(0)
        is_overload = self._trouble is None and isinstance(failure, DatabaseBusy)
        (self._overload if is_overload else self._outage).missed(failure)
        self._recover()

    # --- asking --------------------------------------------------------------------------------------------

    async def check(self, seconds_max: float) -> Trouble | None:
        """Return within `seconds_max` why the database cannot be used; None if it can."""
        if self._trouble is None:
            patience = Patience(seconds_max)
            waiting = patience.wait(lambda: None)
            answers, _ = await asyncio.wait({self._ask()}, timeout=seconds_max)
            waiting.cancel()
            if not answers and patience.lost > seconds_max / 2:
                return Trouble(OVERLOADED, f"the event loop was kept for {patience.lost:.1f} s")
            if not answers:
                return Trouble(AWAY, f"no answer within {seconds_max:g} s")
        if self._trouble is None and self._overload.is_on:
            return Trouble(OVERLOADED, "requests wait in vain for a connection")
        return self._trouble

    async def close(self) -> None:
        """Stop asking, after an answer that comes soon."""
        for task, seconds_max in ((self._recovering, 0.0), (self._asking, CLOSE_SECONDS_MAX)):
            if task is not None:
                await asyncio.wait({task}, timeout=seconds_max)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        await self._drop_connection()

    def _ask(self) -> "asyncio.Task[None]":
        """The question that is being asked, or else a new one."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask_once())
        return self._asking

    def _recover(self) -> None:
        if self._recovering is None or self._recovering.done():
            self._recovering = asyncio.create_task(self._ask_until_well())

    async def _ask_until_well(self) -> None:
        pause = PAUSE_SECONDS_MIN
        while True:
            await asyncio.wait({self._ask()})
            if not self._in_doubt() and _from_now(-QUIET_SECONDS) >= self._missed_at:
                break
            await asyncio.sleep(pause)
            pause = min(2 * pause, PAUSE_SECONDS_MAX)
        self._outage.end()
        self._overload.end()

    async def _ask_once(self) -> None:
        """Ask the server for its state; a call's newer failure counts more."""
        doubts, self._hung_up = self._doubts, False
        answering = asyncio.create_task(self._answer())
        try:
            await asyncio.wait({answering})
        finally:
            if self._connection is None or self._connecting:
                answering.cancel()
            elif not answering.done():
                self._hung_up = True
                hang_up(self._connection)  # cancelling would first ask the server to stop
            await asyncio.wait({answering})
        trouble = answering.result()
        if trouble is not None:
            self._is_in(trouble)
        elif doubts == self._doubts:
            self._doubts_settled = doubts
            self._become(None)

    def _is_in(self, trouble: Trouble) -> None:
        self._doubt()
        self._become(trouble)
        if trouble.code == AWAY:
            for call in self._calls:
                call.hang_up()
        self._recover()

    async def _answer(self) -> Trouble | None:
        # In doubt on a fresh connection: another may lead to another server.
        fresh = self._connection is None or self._in_doubt()
        for is_last in (False, True):
            if fresh:
                try:
                    await self._connect_again()
                except psycopg.Error as refused:
                    return Trouble(CODES[meaning_of_refusal(refused)], str(refused))
            try:
                return await self._question()
            except psycopg.Error as failure:
                meaning = meaning_of(failure)
                if meaning is Meaning.DEFECT:
                    log_line.exception("database_probe_refused")
                    return None  # it answers; a forbidden question says nothing about other calls
                if is_last or self._hung_up or meaning is not Meaning.UNREACHABLE:
                    return Trouble(CODES.get(meaning, AWAY), str(failure))
            fresh = True  # the line alone may have broken: another tells
        raise AssertionError

    async def _connect_again(self) -> None:
        """Open another connection, then close the one before: a server without room for two has to show."""
        self._connecting = True
        try:
            # Little memory, so that the rows of the test query go to the disk.
            connection, _ = await connect(self._url, self._name, Patience(CALL_SECONDS_MAX), work_mem="64kB")
        finally:
            self._connecting = False
        await self._drop_connection()
        self._connection = connection
        if self._wants_standby:
            await self._look_for_standby(connection)

    async def _look_for_standby(self, connection: AsyncConnection[Any]) -> None:
        if await self._is_true(connection, _WAITS_FOR_STANDBY):
            self._alone.end()
        else:
            self._alone.begin("PostgreSQL confirms commits that no standby has: losing this server loses them")

    async def _question(self) -> Trouble | None:
        assert self._connection is not None
        question = _WRITE if self._in_doubt() else _IS_READ_ONLY
        if await self._is_true(self._connection, question):
            return Trouble(CODES[Meaning.READ_ONLY], "it takes no writes")
        return None

    async def _is_true(self, connection: AsyncConnection[Any], question: bytes) -> bool:
        """Ask the server; while it is silent it is taken for away, and hung up on."""

        async def ask() -> bool:
            row = await (await connection.execute(question, prepare=False)).fetchone()
            return row is not None and bool(row[0])

        answer = asyncio.create_task(ask())
        while not await Patience(SILENCE_SECONDS_MAX).outlasts(answer):
            self._hung_up = True
            self._is_in(Trouble(AWAY, f"it has been silent for {SILENCE_SECONDS_MAX:g} s"))
            # One that waits for a standby would stay there: many of them fill the server.
            await cancel_and_hang_up(connection)
        return answer.result()

    # --- what is known -------------------------------------------------------------------------------------

    def _doubt(self) -> None:
        self._doubts += 1

    def _in_doubt(self) -> bool:
        return self._doubts != self._doubts_settled

    def _become(self, trouble: Trouble | None) -> None:
        codes = {trouble and trouble.code, self._trouble and self._trouble.code}
        if len(codes) > 1 and codes & ELSEWHERE:
            self.generation += 1
        self._trouble = trouble
        if trouble is not None:
            self._outage.begin(trouble.met, code=trouble.code)

    async def _drop_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


def _from_now(seconds: float) -> float:
    return asyncio.get_running_loop().time() + seconds
