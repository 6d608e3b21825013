"""Keeping children alive: started again when they die, given up when they keep dying."""

import contextlib
import select
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Self

from services.cli.refusal import EXIT_WILL_NOT, Refused

QUICK_SECONDS = 10.0
QUICK_DEATHS_MAX = 5
BACKOFF_SECONDS = (0.1, 0.3, 1.0, 2.0)


class StopAsked(BaseException):
    """Somebody asked this process to stop while it was starting up."""


class Bell:
    """Signals, as something to wait for.

    While things start up, a request to stop is raised as StopAsked, which unwinds whatever was under way.
    Once `answer_later` is set it only shows in `asked`. The death of a child ends a wait early.
    """

    def __init__(self) -> None:
        self.asked = False
        self.answer_later = False
        self._ear, self._mouth = socket.socketpair()
        self._ear.setblocking(False)
        self._mouth.setblocking(False)

    def __enter__(self) -> Self:
        signal.set_wakeup_fd(self._mouth.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._stop)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # the way out is bounded in time and must not be torn
        signal.set_wakeup_fd(-1)
        self._ear.close()
        self._mouth.close()

    def wait(self, seconds: float) -> None:
        """Return after that time, or as soon as a signal came."""
        select.select([self._ear], [], [], seconds)
        with contextlib.suppress(BlockingIOError):
            while self._ear.recv(4096):
                pass

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self.asked = True
        if not self.answer_later:
            raise StopAsked


class Kept:
    """One child that is to run for as long as its keeper does."""

    def __init__(
        self, name: str, start: Callable[[], subprocess.Popen[bytes]], process: subprocess.Popen[bytes]
    ) -> None:
        self.name = name
        self.process = process
        self._start = start
        self._since = time.monotonic()
        self._quick_deaths = 0
        self._again_at: float | None = None

    def look(self, say: Callable[[str], None]) -> bool:
        """Start the child again if it died and its pause is over; True when that happened just now.

        Raises Refused when it died five times in quick succession, or says itself that it will not run.
        """
        now = time.monotonic()
        if self._again_at is None:
            code = self.process.poll()
            if code is None:
                return False
            self._died(code, now, say)
        if self._again_at is None or now < self._again_at:
            return False
        self._again_at = None
        self.process = self._start()
        self._since = time.monotonic()
        return True

    def seconds_to_wait(self, longest: float) -> float:
        """Return how long to sleep before looking again, if no signal comes."""
        if self._again_at is None:
            return longest
        return max(0.0, min(longest, self._again_at - time.monotonic()))

    def _died(self, code: int, now: float, say: Callable[[str], None]) -> None:
        if code == EXIT_WILL_NOT:
            raise Refused(f"{self.name} will not run; its reason stands above.")
        self._quick_deaths = self._quick_deaths + 1 if now - self._since < QUICK_SECONDS else 1
        if self._quick_deaths >= QUICK_DEATHS_MAX:
            raise Refused(
                f"{self.name} died {QUICK_DEATHS_MAX} times in quick succession, last with "
                f"{_in_words(code)}; everything is stopped."
            )
        pause = BACKOFF_SECONDS[min(self._quick_deaths, len(BACKOFF_SECONDS)) - 1]
        self._again_at = now + pause
        say(f"{self.name} died ({_in_words(code)}); starting it again in {pause:g} s")


def _in_words(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    with contextlib.suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"
