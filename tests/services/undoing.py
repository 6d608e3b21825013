"""Undo and redo over HTTP."""

from typing import Any

from tests.services.conftest import Person, Table

NOT_COMPARED = {"as_of", "pending"}


def everything(table: Table, who: Person) -> Any:
    """All views of a member, without what tells how long the log is."""
    roster = who.get(f"{table.path}/sheets").json()["sheets"]
    return {
        "campaign": {k: v for k, v in who.get(table.path).json().items() if k not in NOT_COMPARED},
        "sheets": [who.get(f"{table.path}/sheets/{each['character']}").json()["sheet"] for each in roster],
        "accounts": who.get(f"{table.path}/ledger/accounts").json()["accounts"],
    }


def undo(table: Table, who: Person, action: str, what: str = "undo", **body: Any) -> Any:
    return who.post(f"{table.path}/actions/{action}/{what}", body)
