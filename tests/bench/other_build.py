"""A build of another commit, to measure beside this one."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from tests.bench.report import Line
from tests.bench.rows import Goal, Rounds, Row
from tests.bench.serving import ROOT, python_of
from tests.engines import DatabaseUrls, PostgresServer


@contextmanager
def other_build(commit: str) -> Iterator[Path]:
    """A checkout of a commit, with a Python and the packages that it names; it is removed afterwards."""
    with TemporaryDirectory(prefix="fieldlog-bench-") as folder:
        checkout = Path(folder) / "checkout"
        _git("worktree", "add", "--quiet", "--detach", str(checkout), commit)
        try:
            environ = os.environ | {"FIELDLOG_PYTHON": os.path.realpath(sys.executable)}  # the one that runs this
            subprocess.run([str(checkout / "run"), "--version"], check=True, stdout=sys.stderr, env=environ)  # noqa: S603
            yield checkout
        finally:
            _git("worktree", "remove", "--force", str(checkout))


@contextmanager
def database_of(checkout: Path, server: PostgresServer) -> Iterator[DatabaseUrls]:
    """A fresh database as a build makes it: an older one refuses what a newer one has migrated."""
    urls = server.empty_database()
    try:
        environ = os.environ | {"FIELDLOG_DATABASE_URL": urls.service, "FIELDLOG_OWNER_URL": urls.owner}
        command = [python_of(checkout), "-m", "services.cli", "migrate"]
        subprocess.run(command, cwd=checkout, check=True, stdout=subprocess.DEVNULL, env=environ)  # noqa: S603
        yield urls
    finally:
        server.drop_database(urls)


def rows_beside(checkout: Path, names: Iterable[str], switches: list[str], rounds: int) -> list[Row]:
    """The rows of some groups here, with those of the other build as their floors, measured in turns."""
    compared: dict[tuple[str, str], Rounds] = {}
    for _ in range(rounds):
        here, there = (
            {(line.name, line.floor_name): line for line in _lines(build, names, switches)}
            for build in (ROOT, checkout)
        )
        for key, line in here.items():
            if key in there and there[key].figure:
                goal = Goal(1.0, better="more" if line.better == "more" else "less")
                own = compared.setdefault(key, Rounds(line.name, line.unit, "the other build", goal))
                own.add(line.figure, there[key].figure)
    return [own.row() for own in compared.values()]


def _lines(checkout: Path, names: Iterable[str], switches: list[str]) -> list[Line]:
    command = [python_of(checkout), "-m", "tests.bench", *names, "--json", "--rounds", "1", *switches]
    lines = subprocess.run(command, cwd=checkout, check=True, stdout=subprocess.PIPE).stdout.splitlines()  # noqa: S603
    return [msgspec.json.decode(line, type=Line) for line in lines]


def _git(*arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=ROOT, check=True, stdout=sys.stderr)  # noqa: S603, S607
