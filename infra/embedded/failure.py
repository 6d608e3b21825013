"""How everything around embedded engines says that it could not."""

from pathlib import Path

LINES_SHOWN = 8


class EngineFailed(Exception):  # noqa: N818 - it states what is the case, as rejections do
    """An embedded engine cannot run; the message is a sentence for the person at the terminal."""


def last_lines(log: Path) -> str:
    """Return the end of an engine's own log, indented, to stand under the sentence."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    except OSError:
        return ""
    if not lines:
        return ""
    return "\nIts own last lines:\n" + "\n".join(f"    {line}" for line in lines[-LINES_SHOWN:])
