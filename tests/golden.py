"""Golden files: what was found once, kept as JSON beside the test, and where what is found now differs from it.

FIELDLOG_WRITE_GOLDEN=1 in the environment of a test run writes the files again; read the diff before committing.
"""

import json
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

WRITE = "FIELDLOG_WRITE_GOLDEN"
SHOWN_MAX = 5
LEAF_CHARACTERS_MAX = 160
_MISSING = object()


def is_writing() -> bool:
    """Whether golden files are to be written, and not only compared."""
    return os.environ.get(WRITE) == "1"


def read(path: Path) -> Any:
    """The content of a golden file; an empty object where there is none yet."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write(path: Path, found: Any, *, width: int = 0) -> None:
    """Write a golden file, keys sorted; lists and objects that fit into `width` characters stand on one line."""
    path.write_text(_pretty(found, width) + "\n", encoding="utf-8")


def _pretty(value: Any, width: int, indent: str = "\n") -> str:
    """JSON as `json.dumps(indent=1)` writes it, where it does not fit on one line."""
    line = json.dumps(value, ensure_ascii=False, sort_keys=True)
    if not value or not isinstance(value, dict | list) or len(line) <= width:
        return line
    inner = indent + " "
    if isinstance(value, list):
        return "[" + ",".join(inner + _pretty(each, width, inner) for each in value) + indent + "]"
    items = (
        f"{json.dumps(key, ensure_ascii=False)}: {_pretty(value[key], width, inner)}" for key in sorted(value)
    )
    return "{" + ",".join(inner + item for item in items) + indent + "}"


def compare(path: Path, found: Any, *, width: int = 0) -> None:
    """Raises AssertionError where `found` is not what the golden file holds; when writing, writes it instead."""
    if is_writing():
        write(path, found, width=width)
    told = report(read(path), found)
    assert told is None, f"{path.name}: {told}"


def report(kept: Any, found: Any) -> str | None:
    """The first differences, one a line, and how to accept them; None: there are none."""
    several = list(differences(kept, found))
    if not several:
        return None
    rest = len(several) - SHOWN_MAX
    lines = [*islice(several, SHOWN_MAX), *([f"… and {rest} more"] if rest > 0 else [])]
    return "\n".join([f"{len(several)} differences", *lines, f"If they are meant: {WRITE}=1 and this test again."])


def differences(kept: Any, found: Any, path: str = "") -> Iterator[str]:
    """Where two JSON values differ, in order of their paths: `paths./health/ready.get: kept …, found …`."""
    if isinstance(kept, dict) and isinstance(found, dict):
        keys = sorted({*kept, *found})
        pairs = [(f"{path}.{key}", kept.get(key, _MISSING), found.get(key, _MISSING)) for key in keys]
    elif isinstance(kept, list) and isinstance(found, list):
        places = range(max(len(kept), len(found)))
        pairs = [(f"{path}[{at}]", _at(kept, at), _at(found, at)) for at in places]
    elif type(kept) is not type(found) or kept != found:
        yield f"{path.removeprefix('.')}: kept {_shown(kept)}, found {_shown(found)}"
        return
    else:
        return
    for inner, one, other in pairs:
        yield from differences(one, other, inner)


def _at(items: list[Any], at: int) -> Any:
    return items[at] if at < len(items) else _MISSING


def _shown(value: Any) -> str:
    """A value in one line that can be read."""
    if value is _MISSING:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= LEAF_CHARACTERS_MAX else f"{text[:LEAF_CHARACTERS_MAX]}…"
