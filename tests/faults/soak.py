"""A soak: the whole service for hours under a light steady load, and what it wears.

`python -m tests.faults.soak` exits with 1 where a process of the service grows by 1 MiB an hour or more, keeps
more and more files open, dies, or answers by a 5xx. FIELDLOG_SOAK_MINUTES says how long (120).
"""

import asyncio
import os
import secrets
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import NamedTuple

from infra.embedded.child_process import free_port
from infra.embedded.postgres import running_urls
from infra.embedded.valkey import running_url
from services.cli import listen_address
from services.wiring.database_engines import remove_home
from tests.engines import engine_folder
from tests.faults.steady_load import SteadyLoad
from tests.faults.wear import (
    MIB,
    SLOPE_MAX,
    ProcessSample,
    StoreSample,
    calm,
    children,
    growth_of_files,
    look_at_process,
    look_at_stores,
    slope_per_hour,
)
from tests.services.processes import Program, eventually

TABLES = 3
HOT_BYTES = MIB
"""The service's memory for campaigns kept folded: full of older evenings long before the warm-up is over."""
SAMPLES_PER_STRETCH = 12
STRETCHES_MIN = 40
STRETCH_SECONDS_MAX = 60.0
WARM_UP = 0.25
"""Which part of the time is left out: caches fill to their bounds, and the allocator takes what it will need."""

SERVICES = ("serve",)
SETTINGS = {"hot_bytes": str(HOT_BYTES), "password_kib": None, "dice_key": None, "views_quiet_seconds": None}
"""All else is as it is when nobody sets anything."""


BYTES = ("wal_bytes", "log_bytes", "database_bytes")


class Soaked(NamedTuple):
    """What was measured: processes by name, the engines at the end of the warm-up and at the end."""

    processes: dict[str, list[ProcessSample]]
    before: StoreSample
    after: StoreSample
    hours: float
    deaths: list[str]


class Soak:
    """A service that runs, and the looks at it."""

    def __init__(self, program: Program, home: Path, seconds: float) -> None:
        self._program = program
        self._seconds = seconds
        self.stretch = min(STRETCH_SECONDS_MAX, seconds / STRETCHES_MIN)
        urls = running_urls(home / "postgres")
        assert urls is not None
        self._database_url = urls.superuser
        self._redis_url = running_url(home / "valkey")
        self._pids = self._services()
        assert set(self._pids) == set(SERVICES), self._pids
        self._deaths: list[str] = []

    def _services(self) -> dict[str, int]:
        running = children(self._program.process.pid)
        return {name: pid for pid, words in running.items() for name in SERVICES if name in words}

    def look_at_stores(self) -> StoreSample:
        """Measure the engines now."""
        return look_at_stores(self._database_url, self._redis_url)

    async def watch(self, load: SteadyLoad) -> Soaked:
        """Look until the time is over, telling once a stretch."""
        began = time.monotonic()
        processes: dict[str, list[ProcessSample]] = {name: [] for name in SERVICES}
        before = warm = None
        told = 0
        while (at := time.monotonic() - began) < self._seconds:
            self._look(processes, at)
            if before is None and at >= WARM_UP * self._seconds:
                before, warm = await asyncio.to_thread(self.look_at_stores), at
            if at // self.stretch >= told:
                told += 1
                say(f"{at / 60:6.1f} min: {_now(processes)}, {sum(load.answers.values())} answers, {load.fed} fed")
            await asyncio.sleep(self.stretch / SAMPLES_PER_STRETCH)
        assert before is not None
        assert warm is not None
        settled = {
            name: calm([sample for sample in samples if sample.at >= warm], self.stretch)
            for name, samples in processes.items()
        }
        after = await asyncio.to_thread(self.look_at_stores)
        return Soaked(settled, before, after, (at - warm) / 3600, self._deaths)

    def _look(self, processes: dict[str, list[ProcessSample]], at: float) -> None:
        assert self._program.process.poll() is None, self._program.said()[-5_000:]
        for name, pid in self._services().items():
            if self._pids[name] != pid:
                self._deaths.append(f"{name} died within {at:.0f} s")
                self._pids[name] = pid
            processes[name].append(look_at_process(pid, at))


def report(soaked: Soaked, load: SteadyLoad) -> list[str]:
    """Print the figures; what is wrong with them."""
    wrong = list(soaked.deaths)
    for name, samples in soaked.processes.items():
        slope, files = slope_per_hour(samples), growth_of_files(samples)
        first, last = samples[0], samples[-1]
        say(
            f"{name}: RSS {first.rss_bytes / MIB:.1f} → {last.rss_bytes / MIB:.1f} MiB, slope {slope:+.2f} MiB/h; "
            f"open files {first.open_files} → {last.open_files}, growth {files}"
        )
        if slope >= SLOPE_MAX:
            wrong.append(f"{name} grows by {slope:.2f} MiB an hour")
        if files:
            wrong.append(f"{name} keeps {files} files more open than in the beginning")
    before, after = soaked.before, soaked.after
    events = after.events - before.events
    wal, log, database = (getattr(after, name) - getattr(before, name) for name in BYTES)
    per = max(events, 1)
    say(
        f"{events} events in {soaked.hours:.2f} h ({load.evenings} evenings): {log / per:.0f} bytes of log, "
        f"{database / per:.0f} of database with the log and all else, and {wal / per:.0f} of WAL per event"
    )
    if None not in (before.valkey_disk_bytes, after.valkey_disk_bytes):
        say(
            f"Valkey: file {before.valkey_disk_bytes} → {after.valkey_disk_bytes} bytes, "
            f"memory {before.valkey_memory_bytes} → {after.valkey_memory_bytes} bytes"
        )
    say(f"answers: {dict(sorted(load.answers.items()))}; {load.fed} events by live feeds")
    wrong += [f"clients got {said!r} {times} times" for said, times in load.failures().items()]
    return wrong


def soak(seconds: float) -> list[str]:
    """Run for so many seconds; what is wrong with what the service wears."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fieldlog-soak-")))
        home = stack.enter_context(engine_folder())
        stack.callback(remove_home, home)
        port = free_port()
        program = Program(folder, "up", home=str(home), port=str(port), **SETTINGS)
        stack.callback(program.stop, seconds_max=30.0)
        ready = lambda: program.has_said("Fieldlog is ready")  # noqa: E731 - a condition to wait for
        assert eventually(ready), program.said()
        assert listen_address.status("127.0.0.1", port, "/health/ready") == 200
        seed = int(os.environ.get("FIELDLOG_FIRE_SEED") or secrets.randbelow(10**6))
        say(f"seed {seed}, {seconds / 60:g} minutes on port {port}")
        load = SteadyLoad(f"http://127.0.0.1:{port}", TABLES, Random(seed))  # noqa: S311 - a load to repeat
        measured = asyncio.run(_measured(Soak(program, home, seconds), load, seconds))
        return report(measured, load)


async def _measured(soaking: Soak, load: SteadyLoad, seconds: float) -> Soaked:
    playing = asyncio.create_task(load.run(seconds))
    soaked = await soaking.watch(load)
    await playing
    return soaked


def _now(processes: dict[str, list[ProcessSample]]) -> str:
    return ", ".join(
        f"{name} {samples[-1].rss_bytes / MIB:.1f} MiB {samples[-1].open_files} files"
        for name, samples in processes.items()
        if samples
    )


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)  # noqa: T201 - what the command is for


def main() -> int:
    """Soak; 1 where something is wrong."""
    minutes = float(os.environ.get("FIELDLOG_SOAK_MINUTES") or 120)
    wrong = soak(60 * minutes)
    for sentence in wrong:
        say(f"WRONG: {sentence}")
    say("wrong" if wrong else "all is well")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
