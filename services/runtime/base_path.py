"""Below which path of its host the service lies, such as `/fieldlog`; empty: it has the whole host.

Within the service every address begins at the root. The base path is taken off what is asked for, and put before
what is told. It is a context variable of the request, so that nothing on the way has to hand it on.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_BASE: ContextVar[str] = ContextVar("base_path", default="")


@contextmanager
def below(base: str) -> Iterator[None]:
    """Within it addresses are told below that path."""
    before = _BASE.set(base)
    try:
        yield
    finally:
        _BASE.reset(before)


def base_path() -> str:
    """The path before an address of the service in an answer: without a slash at its end, or empty."""
    return _BASE.get()


def within(base: str, path: str) -> str:
    """A path as the service knows it, with the base path or without: proxies may have taken it off already."""
    return path.removeprefix(base) if path.startswith(f"{base}/") else path
