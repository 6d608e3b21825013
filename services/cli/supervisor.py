"""Supervises child processes: restarts them when they die, gives up when they keep dying."""

import contextlib
import math
import select
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import NamedTuple, Self

from services.cli.errors import EXIT_TRY_AGAIN, EXIT_WILL_NOT, Refused
from services.wiring.database_engines import EngineFailed, StartFailed, ending, stop_child

LOOK_SECONDS = 1.0
"""How often children are looked at, signals aside."""

STOP_SECONDS_MAX = 8.0

QUICK_SECONDS = 10.0
"""A child that ran for so long is stable: its next failure counts as the first."""


class StopAsked(BaseException):
    """A stop was requested during the start."""


class SignalWaiter:
    """Signals, as something to wait for.

    During the start, a request to stop is raised as StopAsked, which unwinds the current work. Once `stops_later`
    is set it only shows in `stop_asked`. The death of a child ends a wait early.
    """

    def __init__(self) -> None:
        self.stop_asked = False
        self.stops_later = False
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)

    def __enter__(self) -> Self:
        signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._stop)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # the shutdown is bounded in time and must not be interrupted
        signal.set_wakeup_fd(-1)
        self._reader.close()
        self._writer.close()

    def wait(self, seconds: float) -> None:
        """Return after that time, or as soon as a signal came."""
        select.select([self._reader], [], [], seconds)
        with contextlib.suppress(BlockingIOError):
            while self._reader.recv(4096):
                pass

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self.stop_asked = True
        if not self.stops_later:
            raise StopAsked


class Patience(NamedTuple):
    """How often, and for how long, a dying child is restarted."""

    pauses: tuple[float, ...]
    """In seconds; the last one again and again."""

    quick_deaths_max: float = math.inf
    seconds_max: float = math.inf
    is_needed: bool = True
    """If it cannot run, all others stop: an engine that reports that it will never start ends everything."""


SERVICE = Patience((0.1, 0.3, 1.0, 2.0), quick_deaths_max=5)
POSTGRES = Patience((0.1, 0.3, 1.0, 2.0, 5.0), seconds_max=60)
VALKEY = Patience((0.1, 0.3, 1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 60.0), is_needed=False)


class SupervisedProcess:
    """One child that should run for as long as its supervisor; the first look starts it."""

    def __init__(self, name: str, start: Callable[[], subprocess.Popen[bytes]], patience: Patience) -> None:
        self.name = name
        self.process: subprocess.Popen[bytes] | None = None
        self.times_started = 0
        self.is_awaited = False
        """It was started again, and has not been seen to run yet."""

        self._start = start
        self._patience = patience
        self._since = 0.0
        self._again_at = -math.inf
        self._troubles = self._deaths = 0
        self._troubled_since = 0.0
        self._last_failure = ""

    def look(self, say: Callable[[str], None]) -> bool:
        """Start the child if it does not run and its pause is over; True if it was started now.

        Tells `say` when it dies, and once for each reason why it does not start. Raises Refused when the
        supervisor's patience is over, or when the child reports that it will not run; EngineFailed when it is
        needed and can never start.
        """
        if self.process is not None:
            code = self.process.poll()
            if code is None:
                return False
            self._died(code, say)
        if time.monotonic() < self._again_at:
            return False
        try:
            self.process = self._start()
        except EngineFailed as failed:
            if self._patience.is_needed and not isinstance(failed, StartFailed):
                raise
            self._did_not_start(str(failed), say)
            return False
        self.times_started += 1
        self._since = time.monotonic()
        self._last_failure = ""
        return True

    def seconds_to_wait(self, longest: float) -> float:
        """The seconds to sleep before looking again, if no signal comes."""
        if self.process is not None:
            return longest
        return max(0.0, min(longest, self._again_at - time.monotonic()))

    def stop(self, seconds_max: float) -> None:
        """Stop it, and kill it after `seconds_max`; the next look starts it, and does not count a death."""
        if self.process is not None:
            stop_child(self.process, signal.SIGTERM, seconds_max)
        self.process = None
        self._again_at = -math.inf

    def _died(self, code: int, say: Callable[[str], None]) -> None:
        self.process = None
        if code == EXIT_WILL_NOT:
            raise Refused(f"{self.name} will not run; its reason stands above.", EXIT_WILL_NOT)
        if time.monotonic() - self._since >= QUICK_SECONDS:
            self._troubles = self._deaths = 0
        # The service it waits for may come back: the failure is not counted against the child.
        pause = self._pause(ending(code), counts=code != EXIT_TRY_AGAIN)
        without = "" if self._patience.is_needed else "Fieldlog goes on without it, "
        say(f"{self.name} died ({ending(code)}); {without}starting it again in {pause:g} s")

    def _did_not_start(self, reason: str, say: Callable[[str], None]) -> None:
        self._pause(reason, counts=True)
        sentence = reason.partition("\n")[0]
        if sentence != self._last_failure:
            self._last_failure = sentence
            say(reason)
            goes_on = (
                "is tried again" if self._patience.is_needed else "is tried again; Fieldlog goes on without it"
            )
            say(f"{self.name} {goes_on}")

    def _pause(self, reason: str, *, counts: bool) -> float:
        """The pause before the next start, in seconds. Raises Refused."""
        now, patience = time.monotonic(), self._patience
        if self._troubles == 0:
            self._troubled_since = now
        self._troubles += 1
        self._deaths += counts
        if self._deaths >= patience.quick_deaths_max:
            raise Refused(
                f"{self.name} died {self._deaths} times in quick succession, last with {reason}; "
                "everything is stopped."
            )
        if now - self._troubled_since >= patience.seconds_max:
            raise Refused(
                f"{self.name} did not come back within {patience.seconds_max:g} s; everything is stopped. "
                f"Last: {reason}"
            )
        pause = patience.pauses[min(self._troubles, len(patience.pauses)) - 1]
        self._again_at = now + pause
        return pause


def stop_together(children: list[SupervisedProcess]) -> None:
    """Stop these children; the next look starts them."""
    for one in children:  # signals all of them before waiting for the first
        if one.process is not None:
            with contextlib.suppress(ProcessLookupError):
                one.process.send_signal(signal.SIGTERM)
    for one in children:
        one.stop(STOP_SECONDS_MAX)
