"""Opens one connection with the limits and settings that all connections of the service have.

The settings come from the login (`migrate` sets them) or, where it has not got them, from a statement of the
connection's own. They are no startup options, which PgBouncer refuses.
"""

import os
import socket
from contextlib import suppress
from functools import partial
from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict

from infra.postgres.database_url_servers import names_several_hosts, url_for_writing
from infra.postgres.driver.binary_arrays import teach_arrays
from infra.postgres.driver.statements import source
from infra.postgres.driver.wait_limits import Patience

CALL_SECONDS_MAX = 7
"""A call ends after so many seconds, whatever it waits for: a connection, a lock, a disk, a broken network."""

CONNECT_SECONDS_MAX = 3
HOST_SECONDS_MAX = 2
"""Where a URL names several hosts, each gets so many seconds, so that the one that answers is found in time."""

FROZEN_SECONDS_MAX = 60
"""So many of the clock on the wall may pass on each host where the event loop hardly comes round."""

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
"""As `current_setting` tells them. The wait of a commit, `synchronous_commit`, is for the server to set."""

_SET = source("set_session").replace(":names", "%(names)s").replace(":values", "%(values)s")


async def connect(url: str, name: str, patience: Patience, **settings: str) -> tuple[AsyncConnection[Any], bool]:
    """Open a connection under an application name, with `settings` besides those that all connections have.

    Also returns whether campaigns are shared out to shards there.

    Raises `psycopg.OperationalError` when the patience is at its end, however many hosts there are and however
    long resolving their names takes.
    """
    seconds = HOST_SECONDS_MAX if names_several_hosts(url) else CONNECT_SECONDS_MAX
    timeout = conninfo_to_dict(url).get("connect_timeout")
    seconds = min(int(timeout or seconds), seconds)
    lost = patience.lost
    try:
        connection = await _open(url, name, patience, seconds)
    except psycopg.errors.ConnectionTimeout:
        if patience.lost - lost < seconds / 2:
            raise
        # psycopg counts by a clock on the wall; it was the event loop that did not come round
        connection = await _open(url, name, patience, FROZEN_SECONDS_MAX)
    is_distributed = await _set(connection, SETTINGS | settings, patience)
    teach_arrays(connection.adapters)
    return connection, is_distributed


async def _open(url: str, name: str, patience: Patience, seconds: int) -> AsyncConnection[Any]:
    """Sign in to the first host that answers; each has so many seconds."""
    try:
        async with patience.limit():
            return await AsyncConnection.connect(
                url_for_writing(url),
                autocommit=True,
                prepare_threshold=0,
                application_name=name,
                client_encoding="UTF8",
                connect_timeout=seconds,
                **_KEEPALIVE,
            )
    except TimeoutError:
        raise psycopg.OperationalError("connection timeout expired") from None


async def _set(connection: AsyncConnection[Any], settings: dict[str, str], patience: Patience) -> bool:
    """Set what the login does not bring; whether campaigns are shared out to shards.

    A server that falls silent meanwhile is hung up on when the patience is at its end.
    """
    wait = patience.wait(partial(hang_up, connection))
    try:
        arguments = {"names": [*settings], "values": [*settings.values()]}
        row = await (await connection.execute(_SET.encode(), arguments, prepare=False)).fetchone()
        return row is not None and bool(row[1])
    except BaseException:
        await connection.close()
        raise
    finally:
        wait.cancel()


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
