"""Undo and redo over HTTP."""

from typing import Any

from tests.services.conftest import Person, Table


def undo(table: Table, who: Person, action: str, what: str = "undo", **body: Any) -> Any:
    return who.post(f"{table.path}/actions/{action}/{what}", body)
