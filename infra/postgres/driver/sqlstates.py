"""The meaning of PostgreSQL's errors for the caller: one table of SQLSTATEs.

A code of five characters takes precedence over its class of two. An error that is not in the table is a defect of
ours, or of the data, and is raised as it is. See PostgreSQL's appendix "Error Codes".
"""

import re
from enum import Enum, auto

import psycopg


class Meaning(Enum):
    """The meaning of an error. All but DEFECT are raised as `DatabaseUnavailable` or a subclass."""

    DEFECT = auto()
    LOCK_TIMEOUT = auto()
    """Another transaction held a lock, or moved the shard. Nothing was written, and the connection is usable."""

    TOO_LONG = auto()
    """The statement was cancelled, mostly by its time limit. Nothing was written, and the connection is usable."""

    UNPREPARED = auto()
    """The connection has lost our prepared statements. Nothing was executed."""

    UNREACHABLE = auto()
    """The server is stopping, starting, unreachable, or cannot read its files."""

    READ_ONLY = auto()
    """A standby, a demoted primary, or a server that was told to refuse writes."""

    DISK_FULL = auto()
    CROWDED = auto()
    """The server accepts no further connection."""


BY_SQLSTATE = {
    "0A000": Meaning.UNPREPARED,  # a cached plan must not change its result: a migration ran meanwhile
    "08": Meaning.UNREACHABLE,  # connection exceptions
    "25006": Meaning.READ_ONLY,  # read-only transaction
    "25P03": Meaning.UNREACHABLE,  # the server hung up on an idle transaction
    "25P04": Meaning.UNREACHABLE,  # the same by transaction_timeout
    "26000": Meaning.UNPREPARED,  # prepared statement does not exist: behind a pooler, after DISCARD ALL
    "40001": Meaning.LOCK_TIMEOUT,  # serialization failure, also a conflict with recovery on a standby
    "40003": Meaning.UNREACHABLE,  # statement completion unknown
    "40P01": Meaning.LOCK_TIMEOUT,  # deadlock
    "42P05": Meaning.UNPREPARED,  # a pooler gave us a connection with another client's prepared statements
    "53": Meaning.UNREACHABLE,  # insufficient resources, e.g. out of memory
    "53100": Meaning.DISK_FULL,
    "53300": Meaning.CROWDED,
    "55P03": Meaning.LOCK_TIMEOUT,  # lock not available
    "55000": Meaning.UNREACHABLE,  # not in the state it needs, e.g. "recovery is in progress"
    "57": Meaning.UNREACHABLE,  # shutdown, crash, starting up, idle session timeout, database dropped
    "57014": Meaning.TOO_LONG,  # query canceled
    "58": Meaning.UNREACHABLE,  # input and output errors below the server
    "F0": Meaning.UNREACHABLE,  # its configuration or lock file
}

_OF_APPENDS_ELSEWHERE = re.compile(r"while executing command on .*\bappend_batches\(", re.DOTALL)
"""Citus's message where the function that appends, on one node, met something on another one."""

_WHERE_A_SHARD_MOVED = ("23505", "42501")
"""The other node's error if its shard moved there meanwhile. It may have named its campaign, and locked its
head, where the shard was: rows are walled off, or another session has appended them.
"""

_INTERNAL = "XX000"
_NODE_IS_GONE = (
    "failure on connection marked as essential",
    "closed the connection unexpectedly",
    "connection has been closed unexpectedly",
    "could not receive data from server",
    "no connection to the server",
)
"""Citus's name for an error of its own where a connection to one of its nodes broke."""

# libpq gives no SQLSTATE for a failed attempt to connect, only the server's text.
BY_WORDS = (
    ("too many clients", Meaning.CROWDED),
    ("remaining connection slots", Meaning.CROWDED),
    ("too many connections", Meaning.CROWDED),
    ("session is read-only", Meaning.READ_ONLY),
    ("hot standby mode", Meaning.READ_ONLY),
    ("No space left on device", Meaning.DISK_FULL),
)


def meaning_of(error: psycopg.Error) -> Meaning:
    """The meaning of a statement's error."""
    sqlstate = error.sqlstate or error.diag.sqlstate
    if sqlstate in _WHERE_A_SHARD_MOVED and _OF_APPENDS_ELSEWHERE.search(error.diag.context or ""):
        return Meaning.LOCK_TIMEOUT
    if sqlstate == _INTERNAL and any(words in str(error) for words in _NODE_IS_GONE):
        return Meaning.UNREACHABLE
    if sqlstate:
        return BY_SQLSTATE.get(sqlstate) or BY_SQLSTATE.get(sqlstate[:2], Meaning.DEFECT)
    # An error without a code comes from the client library: a broken connection, or arguments it cannot send.
    broken = isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError))
    return Meaning.UNREACHABLE if broken or type(error) is psycopg.DatabaseError else Meaning.DEFECT


def meaning_of_refusal(error: psycopg.Error) -> Meaning:
    """The meaning of a failed attempt to connect: never DEFECT."""
    message = str(error)
    return next((meaning for words, meaning in BY_WORDS if words in message), Meaning.UNREACHABLE)
