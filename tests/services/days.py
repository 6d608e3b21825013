"""Days that pass in a campaign, timers that are due in them, and what those come to."""

from typing import Any

from tests.services.conftest import Person, Table

UPKEEP = {
    "type": "post",
    "currency": "credits",
    "debit": "crew",
    "credit": "world:dock",
    "amount": 20,
    "new": True,
}


def pass_days(table: Table, days: int) -> str:
    action: str = table.act(table.gm, "campaign.advance_calendar", by={"days": days})["action_id"]
    return action


def schedule(table: Table, **fields: Any) -> Any:
    wanted = {"title": "Dock fees", "effect": UPKEEP, "after": {"days": 1}} | fields
    return table.act(table.gm, "campaign.schedule_timer", **wanted)


def board(table: Table, **params: Any) -> list[tuple[str, int]]:
    timers = table.player.get(f"{table.path}/timers", params=params).json()["timers"]
    return [(each["title"], each["game_time"]) for each in timers]


def balances(table: Table, who: Person | None = None) -> dict[str, int]:
    accounts = (who or table.gm).get(f"{table.path}/ledger/accounts").json()["accounts"]
    return {each["account"]: each["balance"] for each in accounts if each["balance"]}
