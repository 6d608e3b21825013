"""Opens one connection with the limits and settings that all connections of the service have.

The settings come from the login (`migrate` sets them) or, where it has not got them, from a statement of the
connection's own. They are no startup options, which PgBouncer refuses.
"""

import asyncio
import os
import socket
from contextlib import suppress
from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict

from infra.postgres.driver.binary_arrays import teach_arrays
from infra.postgres.driver.statements import source
from infra.postgres.servers import names_several_hosts, url_for_writing

CALL_SECONDS_MAX = 7
"""A call ends after so many seconds, whatever it waits for: a connection, a lock, a disk, a broken network."""

CONNECT_SECONDS_MAX = 3
HOST_SECONDS_MAX = 2
"""Where a URL names several hosts, each gets so many seconds, so that the one that answers is found in time."""

CANCEL_SECONDS_MAX = 0.5
STATEMENT_SECONDS_MAX = 5
LOCK_MILLISECONDS_MAX = 400
"""Well under the second that a recorded time may be off: a caller that waited in vain still has time left."""

_KEEPALIVE: dict[str, Any] = {
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": CALL_SECONDS_MAX * 1000,
}

SETTINGS = {
    "default_transaction_isolation": "read committed",
    "statement_timeout": f"{STATEMENT_SECONDS_MAX}s",
    "lock_timeout": f"{LOCK_MILLISECONDS_MAX}ms",
    "idle_in_transaction_session_timeout": "10s",
    "TimeZone": "UTC",
    "jit": "off",
    "max_parallel_workers_per_gather": "0",
    # Statements are planned once, perhaps on empty tables: only plans that stay right as these grow.
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
}
"""As `current_setting` tells them. What a commit waits for, `synchronous_commit`, is for the server to say."""

_SET = source("set_session").replace(":names", "%(names)s").replace(":values", "%(values)s")


async def connect(url: str, name: str, deadline: float, **settings: str) -> tuple[AsyncConnection[Any], bool]:
    """Open a connection under an application name, with `settings` besides those that all connections have.

    Also returns whether campaigns are shared out to shards there.

    Raises `psycopg.OperationalError` at `deadline` (a moment of the event loop's clock) at the latest, however
    many hosts there are and however long resolving their names takes.
    """
    seconds = HOST_SECONDS_MAX if names_several_hosts(url) else CONNECT_SECONDS_MAX
    given = conninfo_to_dict(url).get("connect_timeout")
    try:
        async with asyncio.timeout_at(deadline):
            connection = await AsyncConnection.connect(
                url_for_writing(url),
                autocommit=True,
                prepare_threshold=0,
                application_name=name,
                client_encoding="UTF8",
                connect_timeout=min(int(given or seconds), seconds),
                **_KEEPALIVE,
            )
    except TimeoutError:
        raise psycopg.OperationalError("connection timeout expired") from None
    is_distributed = await _set(connection, SETTINGS | settings, deadline)
    teach_arrays(connection.adapters)
    return connection, is_distributed


async def _set(connection: AsyncConnection[Any], settings: dict[str, str], deadline: float) -> bool:
    """Set what the login does not bring; whether campaigns are shared out to shards.

    A server that falls silent meanwhile is hung up on at the deadline.
    """
    late = asyncio.get_running_loop().call_at(deadline, hang_up, connection)
    try:
        wanted = {"names": [*settings], "values": [*settings.values()]}
        row = await (await connection.execute(_SET.encode(), wanted, prepare=False)).fetchone()
        return row is not None and bool(row[1])
    except BaseException:
        await connection.close()
        raise
    finally:
        late.cancel()


def hang_up(connection: AsyncConnection[Any]) -> None:
    """Cut a connection that went silent, so that the task waiting on it fails at once."""
    with (
        suppress(psycopg.Error, OSError),  # it is closed already
        socket.socket(fileno=os.dup(connection.fileno())) as line,
    ):
        line.shutdown(socket.SHUT_RDWR)


async def cancel_and_hang_up(connection: AsyncConnection[Any]) -> None:
    """As `hang_up`, but first ask the server to stop what it does. Not for a statement that stores something.

    A server that is told to stop waiting for a standby says that it has committed, and lets others see that.
    """
    with suppress(psycopg.Error, OSError):
        await connection.cancel_safe(timeout=CANCEL_SECONDS_MAX)
    hang_up(connection)
