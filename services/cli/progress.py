"""Lines that show what a command is doing and how long it has been running."""

import contextlib
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Self

SHOW_EVERY_SECONDS = 1.0
LINE_EVERY_SECONDS = 10.0
"""Where the output is no terminal but perhaps a log."""


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


class Progress:
    """Tells on standard error how far a command has come that takes longer than a second; use as `with`.

    At a terminal it is one line that changes every second, elsewhere a new line every ten.
    """

    def __init__(self, doing: str) -> None:
        self.doing = doing
        self._come = ""
        self._live = sys.stderr.isatty()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._tell, daemon=True)

    def reached(self, count: int, of: int | None = None, what: str = "events") -> None:
        """Say from now on that so many are done."""
        self._come = f", {count} {what}" if of is None else f", {count} of {of} {what}"

    def went_on(self, doing: str, count: int, of: int) -> None:
        """Say from now on that something else is being done, and how much of it is; 0: that is not known."""
        self.doing = doing
        self._come = (f", {count:,} of {of:,}" if of else f", {count:,}") if count else ""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _tell(self) -> None:
        started, has_written = time.monotonic(), False
        every = SHOW_EVERY_SECONDS if self._live else LINE_EVERY_SECONDS
        while not self._over.wait(every):
            line = f"{self.doing}{self._come}, {time.monotonic() - started:.0f} s"
            with contextlib.suppress(OSError):  # its reader has gone
                self._write(line)
            has_written = True
        if has_written and self._live:
            with contextlib.suppress(OSError):
                sys.stderr.write("\r\033[K")
                sys.stderr.flush()

    def _write(self, line: str) -> None:
        if self._live:  # cut to the terminal's width: a line that wraps cannot be overwritten
            line = f"\r\033[K{line[: shutil.get_terminal_size().columns - 1]}"
        sys.stderr.write(line if self._live else f"… {line}\n")
        sys.stderr.flush()
