"""Looks for garbage seldom, and gives freed memory back: glibc keeps most of it, a fifth of an idle process."""

import ctypes
import gc

EVERY_SECONDS = 60.0
NEW_OBJECTS_MAX = 10_000
"""So many new objects stand before garbage is looked for among them, where Python's own number is 700.

Nearly all that a request makes is freed at once, and what is kept for its reader is scanned again and again.
"""

_trim = getattr(ctypes.CDLL(None), "malloc_trim", lambda _: None)  # others than glibc have none


def keep_started() -> None:
    """Keep all objects made until now for good, and give back the memory that only the start needed.

    From now on garbage is looked for less often. Kept objects are not scanned for it again: that would block all
    requests for 0.1 s.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS_MAX)
    _trim(0)


async def keep_giving_back() -> None:
    """Give back, once a minute, what has become free; a millisecond of work."""
    import asyncio  # noqa: PLC0415 - `up` has no event loop, and uses this module

    while True:
        await asyncio.sleep(EVERY_SECONDS)
        _trim(0)
