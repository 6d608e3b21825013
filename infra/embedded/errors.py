"""Failures of embedded engines, and the texts that explain them."""

import signal
from pathlib import Path

LINES_SHOWN = 8


class EngineFailed(Exception):  # noqa: N818 - it states what is the case, as rejections do
    """An embedded engine cannot run; the message is a sentence for the person at the terminal."""


class StartFailed(EngineFailed):
    """An embedded engine did not start this time; another attempt may succeed."""


def ending(code: int) -> str:
    """How a process ended, from its exit code: `exit code 3`, `killed by SIGKILL`."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


def last_lines(log: Path) -> str:
    """The end of an engine's own log, indented, to stand under the sentence."""
    try:
        return own_words(log.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""


def own_words(output: str) -> str:
    """The end of what an engine printed, indented, to stand under the sentence."""
    lines = output.strip().splitlines()
    if not lines:
        return ""
    return "\nIts own last lines:\n" + "\n".join(f"    {line}" for line in lines[-LINES_SHOWN:])
