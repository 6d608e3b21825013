"""Trying a mutant: the tests run on a copy of the tree in which it stands."""

import os
import shutil
import signal
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from typing import Literal

from msgspec import Struct

from tests.mutation.mutants import Mutant

KEPT = shutil.ignore_patterns("__pycache__", ".*", "*.egg-info", "build")

PLUGINS = ("anyio.pytest_plugin", "_hypothesis_pytestplugin", "tests.mutation.unshrunk")
OPTIONS = (*(part for plugin in PLUGINS for part in ("-p", plugin)), "--hypothesis-seed=0")
"""Other plugins stay out, for every run would import them. What hypothesis tries is the same in every run, so that
a mutant that survived does so again."""

PRELOADED = (
    "pytest",
    "hypothesis.strategies",
    "litestar.testing",
    "psycopg",
    "redis.asyncio",
    "dramatiq",
    "httpx",
)
"""What most runs import, and what is none of ours: a run is a fork of a process that has it already."""

SECONDS_MIN = 30.0
SLOWER_MAX = 4.0
"""A mutant may take so many times as long as the tests without it; then it counts as noticed: it hangs."""

Outcome = Literal["killed", "timeout", "survived"]

_forks = get_context("forkserver")


def preload() -> None:
    """Have runs begin with `PRELOADED`, which pays where there are many. Call it before the first."""
    _forks.set_forkserver_preload([*PRELOADED])


class Broken(Exception):  # noqa: N818 — it is about the tests
    """The tests fail without any mutant, or do not even run: they could tell nothing."""


class Run(Struct, frozen=True):
    """How the tests ended: `by` names the first that failed, `seconds` is how long it took."""

    outcome: Outcome
    seconds: float
    by: str = ""


class Tree:
    """A copy of a tree, in which mutants stand one at a time.

    It is made in `folder`, which must be there. Its tests run with these options of pytest, and with `environment`
    on top of what there is.
    """

    def __init__(
        self,
        root: Path,
        folder: Path,
        environment: Mapping[str, str] | None = None,
        options: Sequence[str] = OPTIONS,
    ) -> None:
        self.root = folder / "tree"
        self._said = folder / "said"
        self._environment = {**(environment or {}), "PYTHONPATH": str(self.root)}
        self._options = options
        self._seconds: dict[tuple[str, ...], float] = {}
        shutil.copytree(root, self.root, ignore=KEPT)

    def measure(self, tests: Sequence[str]) -> float:
        """How long these tests take without a mutant, in seconds. Raises `Broken` where they fail."""
        found = self._seconds.get((*tests,))
        if found is None:
            ended = self._run(tests, None)
            if ended.outcome != "survived":
                said = self._said.read_text(errors="replace")
                raise Broken(f"{ended.by or 'something'} fails without a mutant: {said[-2000:]}")
            found = self._seconds[*tests,] = ended.seconds
        return found

    def try_out(self, mutant: Mutant, tests: Sequence[str]) -> Run:
        """Run tests on a mutant until one fails."""
        limit = max(SECONDS_MIN, SLOWER_MAX * self.measure(tests))
        path = self.root / mutant.path
        before = path.stat()
        source = path.read_text("utf-8")
        try:
            path.write_text(mutant.applied(source), "utf-8")
            return self._run(tests, limit)
        finally:
            path.write_text(source, "utf-8")
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def _run(self, tests: Sequence[str], limit: float | None) -> Run:
        """Run tests in a process of their own; without a limit on a tree without a mutant."""
        brief = ["-x", "-q", "--no-header", "--tb=line", "-p", "no:cacheprovider"]
        arguments = [*brief, *self._options, "-m", "not slow", *tests]
        shutil.rmtree(self.root / ".hypothesis", ignore_errors=True)
        told = (str(self.root), str(self._said), arguments, self._environment, limit is None)
        began = monotonic()
        process = _forks.Process(target=_tests, args=told)
        process.start()
        process.join(limit)
        seconds = monotonic() - began
        if process.exitcode is None:
            assert process.pid is not None
            os.killpg(process.pid, signal.SIGKILL)
            process.join()
            return Run("timeout", seconds)
        if process.exitcode == 0:
            return Run("survived", seconds)
        said = self._said.read_text(errors="replace")
        failed = next((line for line in said.splitlines() if line.startswith(("FAILED ", "ERROR "))), "")
        by = failed.partition(" ")[2].partition(" - ")[0]
        if not by and process.exitcode > 0 and "INTERNALERROR" not in said:
            raise Broken(f"no test ran: {said[-2000:]}")  # which would be no merit of theirs
        return Run("killed", seconds, by)


def _tests(root: str, said: str, arguments: list[str], environment: dict[str, str], may_compile: bool) -> None:
    """Run pytest in a tree, and end this process as pytest ends.

    `may_compile`: what is compiled may be kept, as nothing that is compiled with a mutant in it must be.
    """
    os.setsid()
    with Path(said).open("w") as out:
        os.dup2(out.fileno(), 1)
        os.dup2(out.fileno(), 2)
    os.chdir(root)
    os.environ.update(environment, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    if not may_compile:
        os.environ["PYTHONDONTWRITEBYTECODE"] = "never"  # at "1" conftest.py keeps it elsewhere
        sys.dont_write_bytecode = True
    for name in [name for name in sys.modules if Path(root, name.partition(".")[0]).is_dir()]:
        del sys.modules[name]  # of the tree that this process came from
    sys.path[0:0] = [root]
    import pytest  # noqa: PLC0415 — where it is preloaded, it is there already

    ended = int(pytest.main(arguments))
    sys.stdout.flush()
    os._exit(ended)
