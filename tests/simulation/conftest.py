"""Which seeds are played, and what all of them together came to."""

import os
from collections import Counter
from typing import Any

import pytest

QUICK = 24
"""Seeds that every run of the quick tests plays."""

SEEDS = int(os.environ.get("FIELDLOG_SIMULATIONS", "200"))
"""Seeds that the slow tests play, the quick ones among them."""

CHUNK = 8
"""Seeds that one test plays, so that several processes can share them."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, help="play this seed of the simulation, and no other")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for name, first, end in (("quick_seeds", 0, QUICK), ("slow_seeds", QUICK, SEEDS)):
        if name in metafunc.fixturenames:
            one = metafunc.config.getoption("seed", None)
            chunks = [range(start, min(start + CHUNK, end)) for start in range(first, end, CHUNK)]
            if one is not None:
                chunks = [range(one, one + 1)] if name == "quick_seeds" else []
            metafunc.parametrize(name, chunks, ids=[f"{each.start}-{each.stop - 1}" for each in chunks])


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What the tests counted, whichever process they ran in."""
    counted: Counter[str] = Counter()
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, []):
            counted.update(dict(report.user_properties).get("simulation", {}))
    if counted:
        terminalreporter.section("simulation")
        for name, number in sorted(counted.items()):
            terminalreporter.write_line(f"{number:>9,} {name}")
