"""What clients wrote down: what they asked, under which key, and what they were told. Lines are only added."""

import json
import threading
from pathlib import Path
from typing import Any


class Journal:
    """A file of JSON lines; `told` counts what clients were told."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("a", encoding="utf-8")
        self._alone = threading.Lock()
        self.told = 0

    def write(self, what: str, **fields: Any) -> None:
        """Add a line, which is handed to the operating system before this returns."""
        line = json.dumps({"what": what, **fields}) + "\n"
        with self._alone:
            self.told += what == "told"
            self._file.write(line)
            self._file.flush()

    def close(self) -> None:
        """Add no more."""
        self._file.close()


def read(path: Path) -> list[dict[str, Any]]:
    """All lines, in the order in which they were written."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
