"""Opens one connection with the limits and settings that all connections of the service have."""

import asyncio
import os
import socket
from contextlib import suppress
from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict

from infra.postgres.driver.binary_arrays import teach_arrays

CALL_SECONDS_MAX = 7
"""A call ends after so many seconds, whatever it waits for: a connection, a lock, a disk, a broken network."""

CONNECT_SECONDS_MAX = 3
HOST_SECONDS_MAX = 2
"""Where a URL names several hosts, each gets so many seconds, so that the one that answers is found in time."""

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

_SETTINGS = {
    "default_transaction_isolation": "read\\ committed",
    "statement_timeout": f"{STATEMENT_SECONDS_MAX}s",
    "lock_timeout": f"{LOCK_MILLISECONDS_MAX}ms",
    "idle_in_transaction_session_timeout": "10s",
    "client_encoding": "UTF8",
    "timezone": "UTC",
    "jit": "off",
    "max_parallel_workers_per_gather": "0",
    # Statements are planned once, perhaps on empty tables: only plans that stay right as these grow.
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
}


async def connect(url: str, name: str, deadline: float, **settings: str) -> AsyncConnection[Any]:
    """Open a connection under an application name, with `settings` besides those that all connections have.

    Raises `psycopg.OperationalError` at `deadline` (a moment of the event loop's clock) at the latest, however
    many hosts there are and however long resolving their names takes.
    """
    given = conninfo_to_dict(url)
    several = "," in f"{given.get('host') or ''}{given.get('hostaddr') or ''}"
    seconds = HOST_SECONDS_MAX if several else CONNECT_SECONDS_MAX
    options = " ".join(f"-c {setting}={value}" for setting, value in (_SETTINGS | settings).items())
    try:
        async with asyncio.timeout_at(deadline):
            connection = await AsyncConnection.connect(
                url,
                autocommit=True,
                prepare_threshold=0,
                application_name=name,
                connect_timeout=min(int(given.get("connect_timeout") or seconds), seconds),
                options=f"{given.get('options') or ''} {options}".strip(),
                **_KEEPALIVE,
            )
    except TimeoutError:
        raise psycopg.OperationalError("connection timeout expired") from None
    teach_arrays(connection.adapters)
    return connection


def hang_up(connection: AsyncConnection[Any]) -> None:
    """Cut a connection that went silent, so that the task waiting on it fails at once."""
    with (
        suppress(psycopg.Error, OSError),  # it is closed already
        socket.socket(fileno=os.dup(connection.fileno())) as line,
    ):
        line.shutdown(socket.SHUT_RDWR)
