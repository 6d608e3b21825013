"""Generators, run at once."""

from collections.abc import Generator
from typing import TypeVar

Result = TypeVar("Result")


def finished(steps: Generator[object, None, Result]) -> Result:
    """Run a generator to its end; returns its result. Raises what it raises."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result
