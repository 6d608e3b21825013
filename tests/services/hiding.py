"""Actions that some may not read, and who reads what of them."""

from typing import Any

from tests.services.conftest import Person, Table


def hidden(table: Table, command: str, *, who: Person | None = None, seen_by: str = "gm", **fields: Any) -> str:
    """An action of the GM's that the table reads as a placeholder."""
    body = {"command": {"type": command, **fields}, "visibility": seen_by}
    response = (who or table.gm).post(f"{table.path}/actions", body)
    assert response.status_code == 201, response.text
    action: str = response.json()["action_id"]
    return action


def all_read_by(table: Table, who: Person, *actions: str) -> str:
    """Everything that the routes about the past tell somebody."""
    paths = ["/actions", "/events", "/diff?from=0", "/ledger/entries", *(f"/actions/{each}" for each in actions)]
    return "\n".join(who.get(f"{table.path}{path}").text for path in paths)


def another_player(table: Table) -> Person:
    code = table.gm.post(f"{table.path}/invites", {"role": "player"}).json()["code"]
    other = Person(table.player.client, "Jun")
    assert other.post(f"/invites/{code}/accept").status_code == 201
    return other


def bought_in_secret(table: Table, mara: str) -> str:
    """The player buys an advance that only they and the GMs read of."""
    own = f"account:{table.player.account_id}"
    return hidden(
        table, "frame_state.advance_category", who=table.player, seen_by=own, pilot=mara, category="skills"
    )
