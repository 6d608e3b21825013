"""Who joins a campaign, who sees it listed, and how it is deleted and restored."""

from typing import Any

from tests.services.conftest import Person, Table


def joined(table: Table, name: str, role: str = "player") -> Person:
    late = Person(table.gm.client, name)
    code = table.gm.post(f"{table.path}/invites", {"role": role}).json()["code"]
    assert late.post(f"/invites/{code}/accept").status_code == 201
    return late


def told(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


def listed(person: Person, **query: Any) -> list[tuple[str, bool]]:
    page = person.get("/campaigns", params=query).json()
    return [(each["campaign_id"], each["archived"]) for each in page["campaigns"]]


def delete(table: Table, *, by: Person | None = None, **body: Any) -> Any:
    return (by or table.gm).send("DELETE", table.path, json={"name": "Iron Rain", **body})


def restore(table: Table) -> Any:
    return table.gm.post(f"{table.path}/restore")
