"""Fuzz one target for some seconds: 0 if nothing breaks, else what broke stands in the folder that is named.

python -m tests.fuzz import --seconds 600 --found /tmp/found
"""

import argparse
import os
import sys
from hashlib import sha1
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic

import atheris

from tests.fuzz.mutating import mutated

with atheris.instrument_imports(include=["domain", "projections", "services"]):
    from tests.fuzz.targets import TARGETS

INPUT_BYTES_MAX = 30_000
INPUT_SECONDS_MAX = 10
MEMORY_MB_MAX = 2_000


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.fuzz")
    asked.add_argument("target", choices=TARGETS)
    asked.add_argument("--seconds", type=float, default=60)
    asked.add_argument("--seed", type=int, default=0, help="0: another each time")
    asked.add_argument("--found", type=Path, default=Path.cwd(), help="where to keep what breaks")
    asked.add_argument("--planted", type=float, default=0, help="so many seconds more with a fault that breaks")
    given = asked.parse_args()
    target = TARGETS[given.target]
    holds, planted = target.holds, given.planted
    tried = taken = 0
    until = 0.0

    def one(made: bytes) -> None:
        nonlocal holds, planted, tried, taken, until
        if not tried:
            until = monotonic() + given.seconds
        tried += 1
        try:
            taken += holds(made)
        except BaseException:
            # Under load libFuzzer has ended without writing it; this is the name that it would give it.
            (given.found / f"crash-{sha1(made).hexdigest()}").write_bytes(made)  # noqa: S324
            raise
        if monotonic() > until:
            print(f"{given.target}: {tried} inputs, {taken} of them taken, nothing broke", flush=True)  # noqa: T201
            if not planted:
                os._exit(0)  # libFuzzer's own end would hide the numbers
            holds, planted, until = target.planted, 0, monotonic() + planted

    def changed(made: bytes, size_max: int, seed: int) -> bytes:
        return mutated(made, size_max, Random(seed), atheris.Mutate)  # noqa: S311

    with TemporaryDirectory() as corpus:
        for nth, seed in enumerate(target.seeds()):
            Path(corpus, f"seed-{nth}").write_bytes(seed)
        options = [
            f"-seed={given.seed}",
            f"-max_len={INPUT_BYTES_MAX}",
            f"-timeout={INPUT_SECONDS_MAX}",
            f"-rss_limit_mb={MEMORY_MB_MAX}",
            f"-artifact_prefix={given.found}/",
            "-print_final_stats=1",
        ]
        atheris.Setup([sys.argv[0], *options, corpus], one, custom_mutator=changed)
        atheris.Fuzz()


main()
