"""A request for an undo stays open while what it is about is away, whatever took that along."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.services.conftest import Table
from tests.services.transfers import brought, export, forked
from tests.services.undoing import undo

REASON = "a slip of the pen"


def waiting(table: Table) -> list[str]:
    """The undos that GMs are asked for."""
    pending = table.gm.get(table.path).json()["pending"]
    return [each["subject"] for each in pending if each["kind"] == "undo_request"]


def sentences(table: Table, action: str) -> str:
    told: dict[str, Any] = table.gm.get(f"{table.path}/actions/{action}").json()
    return " ".join(told["action"]["summary"])


def catalogue_and_request(table: Table) -> tuple[str, str]:
    """A catalogue, and a pilot that rests on it, whose player asks to undo it."""
    defined = table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")["action_id"]
    made = table.act(table.player, "frame_state.create_pilot", name="Noa")["action_id"]
    assert undo(table, table.player, made, "undo-request", reason=REASON).status_code == 201
    return defined, made


def test_a_request_comes_back_with_its_action_and_is_told(table):
    defined, made = catalogue_and_request(table)
    assert waiting(table) == [made]
    for _ in range(2):
        assert undo(table, table.gm, defined, cascade=True).status_code == 201
        assert waiting(table) == []
        assert undo(table, table.gm, made, "undo-request/decline").status_code == 404
        redone = undo(table, table.gm, defined, "redo", cascade=True)
        assert redone.status_code == 201, redone.text
        assert waiting(table) == [made]
        assert f"{table.player.name} asks to undo" in sentences(table, redone.json()["action_id"])
    assert undo(table, table.player, made, "undo-request/decline").status_code == 201
    assert waiting(table) == []


def test_a_request_that_was_answered_does_not_come_back(table):
    defined, made = catalogue_and_request(table)
    assert undo(table, table.gm, made, "undo-request/decline").status_code == 201
    assert undo(table, table.gm, defined, cascade=True).status_code == 201
    assert undo(table, table.gm, defined, "redo", cascade=True).status_code == 201
    assert waiting(table) == []


def test_an_undo_that_is_taken_back_leaves_its_request_open(table):
    _, made = catalogue_and_request(table)
    assert undo(table, table.gm, made).status_code == 201
    assert undo(table, table.gm, made, "redo").status_code == 201
    assert waiting(table) == [made]


def imported(table: Table) -> Table:
    return brought(table.gm, export(table, table.gm), people=json.dumps({"Ana": "Ana", "Mara": "Mara"}))


COPIES: dict[str, Callable[[Table], Table]] = {"itself": lambda table: table, "import": imported, "fork": forked}


@pytest.mark.parametrize("copy", COPIES)
def test_the_reason_of_a_request_comes_back_with_it_and_goes_with_its_authors_words(table, copy):
    defined, made = catalogue_and_request(table)
    for _ in range(2):
        assert undo(table, table.gm, defined, cascade=True).status_code == 201
        there = COPIES[copy](table)
        redone = undo(there, there.gm, defined, "redo", cascade=True, reason="it was right")
        assert redone.status_code == 201, redone.text
        assert waiting(there) == [made]
        again = sentences(there, redone.json()["action_id"])
        assert again.count(REASON) == 1, again
        assert again.count("it was right") == 1, again
        table = there
    asked = next(
        each["recorded"]["action_id"] for each in events(there) if each["type"] == "campaign.undo_requested"
    )
    author = there.player if copy == "itself" else there.gm
    gone = author.send("DELETE", f"{there.path}/actions/{asked}/texts")
    assert (gone.status_code, gone.json()["texts"]) == (200, 3), gone.text
    for page in ("events?limit=500", "actions?limit=500", "export"):
        read = there.gm.get(f"{there.path}/{page}").text
        assert REASON not in read
        assert "it was right" in read
    assert there.gm.get(f"{there.path}/verify").json()["sound"] is True


def events(table: Table) -> list[Any]:
    found: list[Any] = table.gm.get(f"{table.path}/events", params={"limit": 500}).json()["events"]
    return found
