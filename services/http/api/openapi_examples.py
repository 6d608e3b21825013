"""Examples in the OpenAPI document: requests and answers of recorded campaigns.

`tests/stories/test_openapi_examples.py` writes the file, and checks it against the document.
"""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

FILE = Path(__file__).with_name("openapi_examples.json")


class Example(Struct, frozen=True, omit_defaults=True):
    """A request and its answer; a read has no `request`."""

    status: int
    response: Any
    request: Any = None


def examples() -> dict[str, dict[str, Example]]:
    """By operation and by the campaign that they are from."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, dict[str, Example]])


def illustrate(operation: dict[str, Any], by_name: dict[str, Example]) -> None:
    """Put examples where an operation's body and answers are described."""
    for name, example in by_name.items():
        if example.request is not None:
            _add(operation["requestBody"]["content"], name, example.request)
        _add(operation["responses"][str(example.status)]["content"], name, example.response)


def _add(content: dict[str, Any], name: str, value: Any) -> None:
    [described] = content.values()
    described.setdefault("examples", {})[name] = {"value": value}
