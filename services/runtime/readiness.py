"""Whether this process can serve, by what its parts say of themselves."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from domain.event_store_types import DatabaseUnavailable

DATABASE_SECONDS_MAX = 0.7
"""An answer about the database that takes longer is no yes: readiness itself is answered within a second."""

DETAILS = {
    "database_away": "The database does not answer.",
    "database_read_only": "The database takes no writes: it is a standby, or was told to refuse them.",
    "disk_full": "The database's disk is full.",
    "too_many_connections": "The database has no room for another connection.",
    "commits_fail": "The last commit failed by a defect of the service, which its log tells.",
    "commands_wait": "Commands wait for longer than they should.",
    "no_room_for_file": "The disk for files that are being imported is full.",
}

Missed: TypeAlias = Callable[[DatabaseUnavailable], None]
"""Told of each round of background work that failed because the database was away."""

Check: TypeAlias = Callable[[float], Awaitable[str | None]]
"""`DatabaseHealth.check`, of which most need no more."""

PartFailure: TypeAlias = Callable[[], str | None]
"""What keeps a part from serving, as a stable code; None while it serves. Comes back at once and never raises."""


class DatabaseHealth(Protocol):
    """Knows whether the database can be used."""

    async def check(self, seconds_max: float) -> str | None:
        """Find out, within so many seconds, why the database cannot be used: a stable code, None if it can."""
        ...

    def missed(self, failure: DatabaseUnavailable) -> None:
        """Count a request, or a round of background work, that failed because the database was away."""
        ...


class NotReady(Exception):  # noqa: N818 — worded like its answer
    """This process cannot serve now, or cannot take a file; the code says why."""

    def __init__(self, code: str) -> None:
        super().__init__(DETAILS.get(code, "A part of the service has failed."))
        self.code = code


class Readiness:
    """Asks each part, and then the database: `Readiness(database, handler.failure)`."""

    def __init__(self, database: DatabaseHealth, *parts: PartFailure) -> None:
        self._database = database
        self._parts = parts

    async def require(self) -> None:
        """Come back if the process can serve, else raise `NotReady`; within a second either way."""
        failures = [part() for part in self._parts]
        code = await self._database.check(DATABASE_SECONDS_MAX) or next(filter(None, failures), None)
        if code is not None:
            raise NotReady(code)
