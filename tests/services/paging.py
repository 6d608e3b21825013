"""Reads lists of the API page by page."""

from typing import Any

from tests.services.conftest import Person

FIRST_ID = "00000000-0000-0000-0000-000000000000"
LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff"


def pages(person: Person, path: str, items: str, direction: str, start: Any, **query: Any) -> list[Any]:
    """Everything of a list, page by page."""
    found: list[Any] = []
    edge = start
    while edge is not None:
        page = person.get(path, params={**query, direction: edge}).json()
        assert page["next_after" if direction == "before" else "next_before"] is None
        found += page[items]
        edge = page[f"next_{direction}"]
    return found
