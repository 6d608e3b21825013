"""Whether this process can serve, from the state of its parts and of the database."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from domain.event_store_types import DatabaseUnavailable
from domain.sentences import say

DATABASE_SECONDS_MAX = 0.7
"""The time limit of the database's check: readiness is answered within a second."""

DETAILS = {
    "database_away": say("The database does not answer."),
    "database_read_only": say("The database takes no writes: it is a standby, or was told to refuse them."),
    "disk_full": say("The database's disk is full."),
    "too_many_connections": say("The database has no room for another connection."),
    "overloaded": say("The service has more to do than it can."),
    "commits_fail": say("The last commit failed by a defect of the service, which its log tells."),
    "commands_wait": say("Commands wait for longer than they should."),
    "no_room_for_file": say("The disk for files that are being imported is full."),
}

Missed: TypeAlias = Callable[[DatabaseUnavailable], None]
"""Called for each round of background work that failed because the database was unavailable."""

Check: TypeAlias = Callable[[float], Awaitable[str | None]]
"""`DatabaseHealth.check`, of which most need no more."""

PartFailure: TypeAlias = Callable[[], str | None]
"""Why a part cannot serve, as a stable code; None: it can. Returns at once and never raises."""


class DatabaseHealth(Protocol):
    """The state of the connection to the database."""

    async def check(self, seconds_max: float) -> str | None:
        """Return within `seconds_max` why the database cannot be used, as a stable code; None if it can."""
        ...

    def is_away(self) -> bool:
        """Whether it is known not to answer: any query fails at once."""
        ...

    def missed(self, failure: DatabaseUnavailable) -> None:
        """Count a request, or a round of background work, that failed because the database was unavailable."""
        ...


class NotReady(Exception):  # noqa: N818 — worded like its answer
    """This process cannot serve now, or cannot take a file; the code says why."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.message = DETAILS.get(code, say("A part of the service has failed."))
        super().__init__(self.message)


class Readiness:
    """Checks each part, then the database: `Readiness(database, handler.failure)`."""

    def __init__(self, database: DatabaseHealth, *parts: PartFailure) -> None:
        self._database = database
        self._parts = parts

    async def require(self) -> None:
        """Return if the process can serve, else raise `NotReady`; within a second either way."""
        failures = [part() for part in self._parts]
        code = await self._database.check(DATABASE_SECONDS_MAX) or next(filter(None, failures), None)
        if code is not None:
            raise NotReady(code)
