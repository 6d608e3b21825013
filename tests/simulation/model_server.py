"""A PostgreSQL server as its clients meet it, on the simulated loop: connections, answers, outages, crowding."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from types import SimpleNamespace
from typing import Any, Literal
from unittest.mock import patch

import psycopg
from psycopg.pq import TransactionStatus

State = Literal["up", "starting", "silent", "read only"]

TURNS_OF_CONNECTING = 8
"""A line, TLS, and signing in: so often one waits for the server, and the event loop has to come round."""

TURN_SECONDS = 0.0006
ANSWER_SECONDS_MAX = 0.004


class ModelServer:
    """Answers while it is up. `connections_max`: more are refused."""

    def __init__(self, chance: Random, connections_max: int) -> None:
        self.state: State = "up"
        self.changed = asyncio.Event()
        self._connections_max = connections_max
        self._connections: set[ModelConnection] = set()
        self._chance = chance

    def break_off(self, state: State) -> None:
        """End every connection, as a crash does, and be in another state from now on."""
        for connection in [*self._connections]:
            connection.hang_up()
        self.become(state)

    def become(self, state: State) -> None:
        """Change what new questions meet, and those that wait for an answer."""
        self.state = state
        self.changed.set()
        self.changed = asyncio.Event()

    async def connect(self, _: str, *, connect_timeout: float, **__: Any) -> "ModelConnection":
        """As psycopg's: the seconds are those of a clock on the wall, whatever the event loop does meanwhile."""
        now = asyncio.get_running_loop().time
        until = now() + connect_timeout
        connection = ModelConnection(self)
        for _turn in range(TURNS_OF_CONNECTING):
            await asyncio.sleep(TURN_SECONDS)
            if now() >= until:
                raise psycopg.errors.ConnectionTimeout("connection timeout expired")
        try:
            async with asyncio.timeout_at(until):
                await connection.meet()
        except TimeoutError:
            raise psycopg.errors.ConnectionTimeout("connection timeout expired") from None
        if len(self._connections) >= self._connections_max:
            raise psycopg.errors.TooManyConnections("sorry, too many clients already")
        self._connections.add(connection)
        return connection

    async def answer(self, connection: "ModelConnection", *, writes: bool) -> None:
        """Answer a question, or fail as the server's state has it."""
        await asyncio.sleep(self._chance.uniform(0.0, ANSWER_SECONDS_MAX))
        await connection.meet()
        if writes and self.state == "read only":
            raise psycopg.errors.ReadOnlySqlTransaction("cannot execute INSERT in a read-only transaction")

    def forget(self, connection: "ModelConnection") -> None:
        """Have room for another connection."""
        self._connections.discard(connection)


class ModelConnection:
    """What the driver uses of psycopg's connection."""

    def __init__(self, server: ModelServer) -> None:
        self.pgconn = SimpleNamespace(transaction_status=TransactionStatus.IDLE)
        self.adapters = None
        self._server = server
        self._is_broken = False

    async def meet(self) -> None:
        """Wait while the server is silent; raise if it is gone."""
        while self._server.state == "silent" and not self._is_broken:
            await self._server.changed.wait()
        if self._is_broken:
            raise psycopg.OperationalError("the connection was closed")
        if self._server.state == "starting":
            raise psycopg.errors.CannotConnectNow("the database system is starting up")

    async def execute(self, _: bytes | str, __: Any = None, **___: Any) -> SimpleNamespace:
        """Answer what a new connection sets, or one of the watchdog's questions: whether writes are refused."""
        await self._server.answer(self, writes=False)

        async def fetchone() -> tuple[bool, bool]:
            return self._server.state == "read only", False

        return SimpleNamespace(fetchone=fetchone)

    def hang_up(self) -> None:
        """Break the connection."""
        self._is_broken = True
        self._server.forget(self)
        self._server.become(self._server.state)

    async def close(self) -> None:
        """Give the connection back."""
        self._server.forget(self)


class ModelSession:
    """As `infra.postgres.driver.session.Session`: every statement writes."""

    def __init__(self, connection: ModelConnection, *, is_distributed: bool) -> None:
        self.connection = connection
        self.is_distributed = is_distributed

    async def execute(self, _: Any, __: Any, row: Callable[..., Any]) -> list[Any]:
        """One row."""
        await self.connection._server.answer(self.connection, writes=True)
        return [row((1,))]


async def _cancel_and_hang_up(connection: ModelConnection) -> None:
    connection.hang_up()


@contextmanager
def in_place_of_postgres(server: ModelServer) -> Iterator[None]:
    """Let the driver meet the model wherever it would call psycopg."""
    driver = "infra.postgres.driver"
    with (
        patch(f"{driver}.connector.AsyncConnection.connect", server.connect),
        patch(f"{driver}.connector.teach_arrays"),
        patch(f"{driver}.connector.hang_up", ModelConnection.hang_up),
        patch(f"{driver}.connection.Session", ModelSession),
        patch(f"{driver}.server_watchdog.hang_up", ModelConnection.hang_up),
        patch(f"{driver}.server_watchdog.cancel_and_hang_up", _cancel_and_hang_up),
    ):
        yield
