"""Runs groups of rows and shows what came of them."""

import sys
import time
from contextlib import ExitStack

import uvloop
from msgspec import structs
from rich.console import Console

from services.runtime.freed_memory import keep_started
from tests.bench.actions import actions, one_campaign
from tests.bench.following import followers
from tests.bench.lengths import cold_load, lengths
from tests.bench.memory import memory
from tests.bench.offers import offers
from tests.bench.other_build import other_build, rows_beside
from tests.bench.over_http import over_http
from tests.bench.past import past
from tests.bench.peers import against_peers
from tests.bench.reads import reads
from tests.bench.rebuilding import rebuild
from tests.bench.report import json_line, show
from tests.bench.rows import Row
from tests.bench.scale import scale
from tests.bench.screens import screens
from tests.bench.stage import DEFAULT, FULL, QUICK, Group, Stage
from tests.bench.stored import stored
from tests.bench.table import table
from tests.bench.timers import timers
from tests.bench.undo_search import searches
from tests.bench.undoing import undoing
from tests.bench.verifying import chain
from tests.bench.wear import wear
from tests.bench.where_time_goes import profile_rolls
from tests.bench.workers import workers
from tests.engines import a_postgres_server

GROUPS: dict[str, Group] = {
    "actions": actions,
    "hot": one_campaign,
    "http": over_http,
    "offers": offers,
    "cold": cold_load,
    "lengths": lengths,
    "rebuild": rebuild,
    "followers": followers,
    "memory": memory,
    "chain": chain,
    "timers": timers,
    "undo": undoing,
    "search": searches,
    "wear": wear,
    "stored": stored,
    "web": screens,
    "past": past,
    "reads": reads,
    "scale": scale,
    "workers": workers,
    "table": table,
}
BESIDE_EACH_OTHER = ("table",)
"""Groups that have both builds act in turns; of all others each build measures its own rows, in turns."""
EXIT_SHORT = 1
EXIT_UNKNOWN = 2


def bench(
    *names: str,
    json: bool = False,
    rounds: int | None = None,
    quick: bool = False,
    full: bool = False,
    peers: bool = False,
    profile: bool = False,
    strict: bool = False,
    against: str | None = None,
) -> int:
    """Measure Fieldlog against floors of the same run.

    Parameters
    ----------
    names
        Which groups of rows: actions, hot, http, offers, cold, lengths, rebuild, followers, memory, chain,
        timers, undo, search, wear, stored, web, past, reads, scale, workers, table. None: all.
    json
        JSON lines instead of a table.
    rounds
        How often each figure and its floor are measured in turns; the median counts.
    quick
        Short campaigns and short rounds, for a first look.
    full
        Campaigns of a million events; takes a quarter of an hour.
    peers
        Another library's application too, where it is installed (uv pip install --group bench).
    profile
        Where the time of a roll over HTTP goes, instead of the rows.
    strict
        Exit with 1 when a row falls short.
    against
        Another commit: each figure stands beside that of a build of it, measured in turns.

    """
    unknown = [name for name in names if name not in GROUPS]
    if unknown:
        _say(f"there is no group {unknown[0]!r}; there are {', '.join(GROUPS)}")
        return EXIT_UNKNOWN
    measured = FULL if full else QUICK if quick else DEFAULT
    measured = measured if rounds is None else structs.replace(measured, rounds=rounds)
    rows: list[Row] = []
    with ExitStack() as stack:
        checkout = None if against is None else stack.enter_context(other_build(against))
        groups = _wanted(names, with_peers=peers)
        if checkout is not None:
            rest = [name for name in groups if name not in BESIDE_EACH_OTHER]
            switches = ["--quick"] if quick else ["--full"] if full else []
            rows += rows_beside(checkout, rest, switches, measured.rounds) if rest else []
            groups = {name: group for name, group in groups.items() if name in BESIDE_EACH_OTHER}
        stage = Stage(stack.enter_context(a_postgres_server(durable=True)), measured, _say, checkout)
        if profile:
            uvloop.run(profile_rolls(stage, Console()))
            return 0
        keep_started()  # as the service does before it serves
        rows += uvloop.run(measure(stage, groups))
    if json:
        sys.stdout.writelines(f"{json_line(row)}\n" for row in rows)
    else:
        show(Console(), rows)
    return EXIT_SHORT if strict and not all(row.passed for row in rows) else 0


def _wanted(names: tuple[str, ...], *, with_peers: bool) -> dict[str, Group]:
    groups = {name: group for name, group in GROUPS.items() if not names or name in names}
    return groups | {"peers": against_peers} if with_peers else groups


async def measure(stage: Stage, groups: dict[str, Group]) -> list[Row]:
    """Run groups one after another."""
    rows: list[Row] = []
    for name, group in groups.items():
        began = time.monotonic()
        rows += await group(stage)
        stage.say(f"{name}: {time.monotonic() - began:.0f} s")
    return rows


def _say(line: str) -> None:
    sys.stderr.write(f"… {line}\n")
    sys.stderr.flush()
