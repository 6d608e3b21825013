"""Which mutants are tried, and what became of them."""

import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

from msgspec import Struct

from tests.mutation.areas import ROOT, Area
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.trial import Run

EQUIVALENT: dict[str, str] = {
    each["key"]: each["reason"]
    for each in tomllib.loads(Path(__file__).with_name("equivalent.toml").read_text("utf-8"))["mutant"]
}
"""Mutants that no test can notice, by key, each with the reason."""

VERDICTS = ("killed", "survived", "equivalent")


class Trial(Struct, frozen=True):
    """What became of a mutant; `reason` is there where it is known that no test can notice it."""

    area: str
    mutant: Mutant
    run: Run
    reason: str = ""

    @property
    def verdict(self) -> str:
        """One word for it."""
        if self.run.outcome != "survived":
            return "killed"
        return "equivalent" if self.reason else "survived"

    def told(self) -> list[str]:
        """Lines that say where the mutant is and what noticed it; of a survivor also its change and its key."""
        by = self.run.outcome if self.run.outcome == "timeout" else self.run.by or self.reason
        where = f"{self.mutant.path}:{self.mutant.line}"
        lines = [f"{self.verdict:10} {self.area:12} {where} {self.run.seconds:5.1f} s  {by}"]
        if self.verdict == "survived":
            lines += [self.mutant.diff((ROOT / self.mutant.path).read_text("utf-8")), f"  key: {self.mutant.key}"]
        return lines


def sample(name: str, area: Area, seed: int, size: int) -> list[Mutant]:
    """The mutants to try: the same for the same seed and source, whatever other areas are tried."""
    found = every(area)
    return Random(f"{seed}:{name}").sample(found, min(size, len(found)))  # noqa: S311


def every(area: Area) -> list[Mutant]:
    """All mutants of an area, by path and place."""
    return [mutant for path in area.paths() for mutant in mutants_of(path, (ROOT / path).read_text("utf-8"))]


def figures(trials: Sequence[Trial]) -> tuple[list[str], bool]:
    """A table of verdicts by area, and whether any mutant survived that is not listed as equivalent."""
    counted = Counter((trial.area, trial.verdict) for trial in trials)
    lines = [f"{'area':14}" + "".join(f"{verdict:>12}" for verdict in VERDICTS)]
    lines += [
        f"{name:14}" + "".join(f"{counted[name, verdict]:12}" for verdict in VERDICTS)
        for name in dict.fromkeys(trial.area for trial in trials)
    ]
    return lines, any(trial.verdict == "survived" for trial in trials)
