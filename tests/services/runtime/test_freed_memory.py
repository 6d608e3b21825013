"""Memory that is free goes back to the system."""

import ctypes
import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.runtime import freed_memory

MIB = 2**20


def resident_bytes() -> int:
    said = Path("/proc/self/statm").read_text(encoding="ascii")
    return int(said.split()[1]) * 4096


PYTHONS_OWN = (700, 10, 10)


@pytest.fixture(autouse=True)
def as_python_does() -> Iterator[None]:
    """Begin with Python's own thresholds; other tests go on with theirs, and with all that was made kept."""
    theirs = gc.get_threshold()
    gc.set_threshold(*PYTHONS_OWN)
    yield
    gc.set_threshold(*theirs)
    gc.freeze()


def test_garbage_is_looked_for_less_often_once_all_has_started():
    freed_memory.keep_started()
    gc.unfreeze()
    assert gc.get_threshold()[0] > PYTHONS_OWN[0]


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="this C library gives back by itself")
def test_what_was_freed_below_something_kept_goes_back():
    ctypes.CDLL(None).malloc_trim(0)  # free memory of earlier tests would be taken first
    before = resident_bytes()
    many = [bytearray(2_000) for _ in range(32 * MIB // 2_000)]
    kept = bytearray(2_000)
    many.clear()
    assert resident_bytes() > before + 16 * MIB, "the system keeps it by itself"
    freed_memory.keep_started()
    gc.unfreeze()  # a test goes on for long
    assert resident_bytes() < before + 8 * MIB
    assert kept
