"""How everything around embedded engines says that it could not."""

import signal
from pathlib import Path

LINES_SHOWN = 8


class EngineFailed(Exception):  # noqa: N818 - it states what is the case, as rejections do
    """An embedded engine cannot run; the message is a sentence for the person at the terminal."""


class StartFailed(EngineFailed):
    """An embedded engine did not start this time; nothing says that the next time will go the same way."""


def ending(code: int) -> str:
    """Say how a process ended, from the code that its parent got: `exit code 3`, `killed by SIGKILL`."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


def last_lines(log: Path) -> str:
    """Return the end of an engine's own log, indented, to stand under the sentence."""
    try:
        return own_words(log.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""


def own_words(said: str) -> str:
    """Return the end of what an engine said, indented, to stand under the sentence."""
    lines = said.strip().splitlines()
    if not lines:
        return ""
    return "\nIts own last lines:\n" + "\n".join(f"    {line}" for line in lines[-LINES_SHOWN:])
