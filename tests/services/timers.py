"""Timers, as tests set them."""

from typing import Any

from tests.services.conftest import Person, Table

POISON = {
    "type": "order",
    "command": {"type": "frame_state.award_currency", "amount": 1, "reason": "y"},
}


def board(who: Person, table: Table) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = who.get(f"{table.path}/timers").json()["timers"]
    return found


def schedule(table: Table, title: str, **fields: Any) -> Any:
    wanted = {"after": {"days": 1}} | fields
    return table.act(table.gm, "campaign.schedule_timer", title=title, **wanted)
