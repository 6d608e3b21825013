"""Nothing that comes from outside breaks what reads it (invariant 24): half a minute for each target in CI."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS, Planted

ROOT = Path(__file__).parents[2]
FOUND = Path(__file__).parent / "found"
"""What broke something once, in a folder for each target."""

SECONDS = float(os.environ.get("FIELDLOG_FUZZ_SECONDS", "60"))
SEED = os.environ.get("FIELDLOG_FUZZ_SEED", "1")
"""The same each time, so that a change is red for what it changed; `.ci/release` looks further."""

CONTROL_SECONDS_MAX = 240
STARTING_SECONDS_MAX = 120
TAKEN_MIN = 20
NOTHING_BROKE = re.compile(r"^\w+: (\d+) inputs, (\d+) of them taken, nothing broke$", re.MULTILINE)


class Fuzzing:
    """One target in a process of its own; what it says goes to a file, since it says much."""

    def __init__(self, target: str, folder: Path, *options: str) -> None:
        self.found = folder / target
        self.found.mkdir()
        self._log = folder / f"{target}.log"
        command = [
            sys.executable,
            "-m",
            "tests.fuzz",
            target,
            "--seed",
            SEED,
            "--found",
            str(self.found),
            *options,
        ]
        with self._log.open("w") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=ROOT)  # noqa: S603

    def ended(self, seconds_max: float) -> tuple[int, str]:
        """Its exit code, and the end of what it said."""
        try:
            code = self._process.wait(seconds_max)
        finally:
            self._process.kill()
        return code, self._log.read_text(errors="replace")


@pytest.fixture
def atheris() -> None:
    """Wheels of it are there for Linux on x86-64 only. CI, which names the seconds, must not do without."""
    if importlib.util.find_spec("atheris") is None:
        missing = "atheris is missing: .venv/bin/uv pip install --group fuzz, where there is a wheel of it"
        if "FIELDLOG_FUZZ_SECONDS" in os.environ:
            pytest.fail(missing)
        pytest.skip(missing)


@pytest.mark.slow
def test_nothing_breaks_what_reads_it_until_a_fault_is_planted(atheris, tmp_path):
    """All targets side by side. The fault is the negative control: what has been started looks for it as well."""
    options = ("--seconds", str(SECONDS), "--planted", str(CONTROL_SECONDS_MAX))
    running = [Fuzzing(target, tmp_path, *options) for target in TARGETS]
    ended = [each.ended(SECONDS + CONTROL_SECONDS_MAX + STARTING_SECONDS_MAX) for each in running]
    for each, (code, said) in zip(running, ended, strict=True):
        numbers = NOTHING_BROKE.search(said)
        assert numbers, f"mend it, and keep what is in {each.found} in {FOUND}: {said[-4000:]}"
        tried, taken = map(int, numbers.groups())
        assert tried > taken > TAKEN_MIN, said[-4000:]
        assert code != 0, said[-4000:]
        assert Planted.__name__ in said
        assert [*each.found.iterdir()], "what broke it is kept"


@pytest.mark.parametrize("target", TARGETS)
def test_what_was_fuzzed_begins_with_what_is_taken(target):
    assert all(TARGETS[target].holds(seed) for seed in TARGETS[target].seeds())


@pytest.mark.parametrize("target", TARGETS)
def test_what_once_broke_does_not_any_more(target):
    for path in sorted((FOUND / target).glob("*")):
        TARGETS[target].holds(path.read_bytes())
