"""Lines that show what a command is doing and how long it has been running."""

import contextlib
import sys
import time
from collections.abc import Iterator


class Steps:
    """Prints one line for each step done; at a terminal the step under way is shown as it runs."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._live = sys.stdout.isatty()

    @property
    def seconds(self) -> float:
        """How long it has been since the first step began."""
        return time.monotonic() - self._started

    def say(self, text: str = "") -> None:
        """Print one line with the time; an empty one without."""
        self.show(f"[{self.seconds:4.1f} s] {text}" if text else "")

    def show(self, text: str) -> None:
        """Print a line as it is."""
        sys.stdout.write(text + "\n")
        sys.stdout.flush()

    @contextlib.contextmanager
    def step(self, doing: str) -> Iterator[None]:
        """Show a step as running until the block ends; its result is printed by say()."""
        if not self._live:
            self.say(doing)
            yield
            return
        from rich.console import Console  # noqa: PLC0415 - only a terminal needs it, and it is slow to load

        with Console().status(doing):
            yield
