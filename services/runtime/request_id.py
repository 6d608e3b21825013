"""The id of the request that is being answered: told in its answer, and in what is logged of it."""

import secrets
from contextvars import ContextVar

BYTES = 8

_current: ContextVar[str] = ContextVar("request_id", default="")


def begin_request() -> str:
    """A new id, which holds from now on for this request."""
    new_id = secrets.token_hex(BYTES)
    _current.set(new_id)
    return new_id


def request_id() -> str:
    """The id of the request at hand; empty outside of one."""
    return _current.get()
