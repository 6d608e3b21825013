"""Dice that come back after an undo."""

import io
from typing import Any

from services.transfer.uploaded_export import verified
from tests.services.conftest import Person, Table


def faces(acted: Any) -> list[Any]:
    """The dice of a free roll."""
    dice: list[Any] = acted["events"][0]["dice"]
    return dice


def roll(table: Table, who: Person, notation: str, **request: Any) -> Any:
    body = {"command": {"type": "campaign.roll", "notation": notation}, **request}
    answer = who.post(f"{table.path}/actions", body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def verify(table: Table, who: Person) -> Any:
    answer = who.get(f"{table.path}/verify").json()
    assert answer["sound"], answer
    exported = verified(io.BytesIO(who.get(f"{table.path}/export").content))
    assert exported.fault is None
    assert exported.dice is not None
    assert exported.dice.faults == []
    return answer["dice"]
