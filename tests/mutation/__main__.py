"""Try a seeded sample of mutants by area, and say which of them no test notices: 1 if there are any.

python -m tests.mutation                            every area, 20 mutants each
python -m tests.mutation ledger undo --size 50 --seed 7
python -m tests.mutation ledger --like is_by_hand   those whose key has these words in it, however many
"""

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

from tests.engines import a_postgres_server
from tests.mutation.areas import AREAS, QUICK, READ_SOURCE, ROOT, Area
from tests.mutation.mutants import Mutant
from tests.mutation.trial import Run, Tree, preload
from tests.mutation.verdicts import EQUIVALENT, Trial, every, figures, sample

IN_PROCESS = ("-p", "tests.mutation.in_process")
WITH_ENGINES = ("tests/services", "tests/web", "tests/infra")


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.mutation")
    asked.add_argument("areas", nargs="*", metavar="area", help=f"some of: {', '.join(AREAS)}")
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--size", type=int, default=20, help="mutants in each area")
    asked.add_argument("--like", default="", help="instead of a sample: those whose key has these words in it")
    asked.add_argument("--beside", type=int, default=1, help="mutants tried at once")
    asked.add_argument(
        "--likely", action="store_true", help="go without tests that need engines, and the wider ones"
    )
    given = asked.parse_args()
    if unknown := {*given.areas} - {*AREAS}:
        asked.error(f"no area is called {', '.join(sorted(unknown))}")
    preload()
    chosen = {name: AREAS[name] for name in given.areas or AREAS}
    trials: list[Trial] = []
    with trees(given.beside) as free, ThreadPoolExecutor(given.beside) as workers:

        def one(name: str, mutant: Mutant) -> Trial:
            tree = free.get()
            try:
                run = try_out(tree, chosen[name], mutant, wider=not given.likely)
            finally:
                free.put(tree)
            return Trial(name, mutant, run, EQUIVALENT.get(mutant.key, ""))

        def wanted(name: str) -> list[Mutant]:
            if not given.like:
                return sample(name, chosen[name], given.seed, given.size)
            return [each for each in every(chosen[name]) if given.like in each.key]

        for each in [workers.submit(one, name, mutant) for name in chosen for mutant in wanted(name)]:
            trials.append(each.result())
            say(*trials[-1].told())
    lines, is_red = figures(trials)
    say("", f"seed {given.seed}", *lines)
    return int(is_red)


def try_out(tree: Tree, area: Area, mutant: Mutant, *, wider: bool) -> Run:
    """Run the likely tests on a mutant, first without engines, and the wider ones if it survives those."""
    likely = area.likely()
    groups = [[*IN_PROCESS, *tests] for tests in likely]
    if wider and mutant.key not in EQUIVALENT:
        groups += [tests for tests in likely if tests[0].startswith(WITH_ENGINES)]
        groups.append([*QUICK, *(f"--ignore={path}" for path in READ_SOURCE)])
    seconds = 0.0
    for tests in groups:
        run = tree.try_out(mutant, tests)
        seconds += run.seconds
        if run.outcome != "survived":
            break
    return Run(run.outcome, seconds, run.by)


@contextmanager
def trees(number: int) -> Iterator["SimpleQueue[Tree]"]:
    """So many copies of this tree, to be taken and put back; all tests are given one PostgreSQL."""
    with TemporaryDirectory(prefix="fieldlog-mutants-") as folder, a_postgres_server() as server:
        environment = {"FIELDLOG_TEST_DATABASE_URL": server.superuser_url}
        free: SimpleQueue[Tree] = SimpleQueue()
        for nth in range(number):
            place = Path(folder, str(nth))
            place.mkdir()
            free.put(Tree(ROOT, place, environment))
        yield free


def say(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
