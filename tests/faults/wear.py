"""What a running service wears: memory, open files, and bytes in its engines, read from outside of it."""

from pathlib import Path
from typing import NamedTuple

import psycopg
import redis

MIB = 1024 * 1024
SLOPE_MAX = 1.0
"""Growth of memory from which on a soak fails, in MiB an hour."""


class ProcessSample(NamedTuple):
    """One look at a process: when (seconds), its resident bytes, and how many files it has open."""

    at: float
    rss_bytes: int
    open_files: int


class StoreSample(NamedTuple):
    """One look at the engines: events so far, bytes of WAL ever written, of the events and what people wrote, of
    the whole database, of Valkey on disk and in memory; the last two are None while Valkey does not answer.
    """

    events: int
    wal_bytes: int
    log_bytes: int
    database_bytes: int
    valkey_disk_bytes: int | None
    valkey_memory_bytes: int | None


def children(pid: int) -> dict[int, list[str]]:
    """The processes that a process started, with their command lines."""
    found = {}
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split():
        try:
            found[int(child)] = Path(f"/proc/{child}/cmdline").read_text("utf-8").split("\0")
        except OSError:
            continue  # it ended meanwhile
    return found


def look_at_process(pid: int, at: float) -> ProcessSample:
    """Measure a process now. Raises OSError when it is gone."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    [kilobytes] = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:")]
    return ProcessSample(at, int(kilobytes) * 1024, len(list(Path(f"/proc/{pid}/fd").iterdir())))


def look_at_stores(database_url: str, redis_url: str | None) -> StoreSample:
    """Measure both engines now."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        row = connection.execute(
            "SELECT coalesce(sum(seq), 0), pg_current_wal_lsn() - '0/0',"
            " pg_total_relation_size('events') + pg_total_relation_size('personal_text'),"
            " pg_database_size(current_database()) FROM campaign_heads"
        ).fetchone()
    assert row is not None
    disk = memory = None
    if redis_url is not None:
        with redis.Redis.from_url(redis_url) as client:
            told = client.info("all")
            memory = int(told["used_memory"])
            disk = int(told.get("aof_current_size", 0))
    events, wal, log, database = map(int, row)
    return StoreSample(events, wal, log, database, disk, memory)


def calm(samples: list[ProcessSample], every_seconds: float) -> list[ProcessSample]:
    """The least of each stretch of so many seconds: what a request takes for its while is no growth."""
    stretches: dict[int, list[ProcessSample]] = {}
    for sample in samples:
        stretches.setdefault(int(sample.at // every_seconds), []).append(sample)
    return [
        ProcessSample(
            stretch * every_seconds,
            min(sample.rss_bytes for sample in held),
            min(sample.open_files for sample in held),
        )
        for stretch, held in sorted(stretches.items())
    ]


def slope_per_hour(samples: list[ProcessSample]) -> float:
    """Growth of memory by least squares, in MiB an hour; 0 for fewer than two samples."""
    if len(samples) < 2:
        return 0.0
    mean_at = sum(sample.at for sample in samples) / len(samples)
    mean_bytes = sum(sample.rss_bytes for sample in samples) / len(samples)
    spread = sum((sample.at - mean_at) ** 2 for sample in samples)
    together = sum((sample.at - mean_at) * (sample.rss_bytes - mean_bytes) for sample in samples)
    return together / spread * 3600 / MIB


def growth_of_files(samples: list[ProcessSample]) -> int:
    """By how many open files the last quarter stays above everything in the first one; 0 where it does not."""
    quarter = len(samples) // 4
    if quarter == 0:
        return 0
    first = max(sample.open_files for sample in samples[:quarter])
    last = min(sample.open_files for sample in samples[-quarter:])
    return max(0, last - first)
