"""Gives freed memory back to the system: glibc keeps most of it, a fifth of what an idle process has."""

import asyncio
import ctypes
import gc

EVERY_SECONDS = 60.0

_trim = getattr(ctypes.CDLL(None), "malloc_trim", lambda _: None)  # others than glibc have none


def keep_started() -> None:
    """Keep all objects made until now for good, and give back the memory that only the start needed.

    Kept objects are not scanned for garbage again: that would block all requests for 0.1 s.
    """
    gc.collect()
    gc.freeze()
    _trim(0)


async def keep_giving_back() -> None:
    """Give back, once a minute, what has become free; a millisecond of work."""
    while True:
        await asyncio.sleep(EVERY_SECONDS)
        _trim(0)
