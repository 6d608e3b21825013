"""`fieldlog bench`: measure Fieldlog on this machine. The benchmarks are with the tests, in a source checkout."""

import subprocess
import sys
from pathlib import Path

import services
from services.cli.errors import EXIT_WILL_NOT, Refused

BENCH = "tests.bench"


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
    """Measure Fieldlog against floors of the same run, and name what falls short.

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
    checkout = Path(services.__file__).parents[1]
    if not (checkout / BENCH.replace(".", "/") / "__main__.py").is_file():
        raise Refused(
            "the measuring is part of the tests, and these are not installed here; run `./run bench` in a "
            "checkout of Fieldlog's source.",
            EXIT_WILL_NOT,
        )
    switches = {
        "--json": json,
        "--quick": quick,
        "--full": full,
        "--peers": peers,
        "--profile": profile,
        "--strict": strict,
    }
    arguments = [*names, *(switch for switch, on in switches.items() if on)]
    if rounds is not None:
        arguments += ["--rounds", str(rounds)]
    if against is not None:
        arguments += ["--against", against]
    return subprocess.call([sys.executable, "-m", BENCH, *arguments], cwd=checkout)  # noqa: S603 — our own module
