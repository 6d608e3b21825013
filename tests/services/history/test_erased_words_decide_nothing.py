"""What the rules paid with words in it, and what was bought with that, stand when the words are erased."""

from typing import Any

import pytest

from domain.campaign.history import redecided_outcome
from tests.services.conftest import Table
from tests.services.pilots import mara
from tests.services.timers import schedule
from tests.services.undoing import undo

__all__ = ["mara"]

WAGES = {
    "type": "post",
    "currency": "credits",
    "debit": "world:guild",
    "credit": "crew",
    "amount": 50,
    "new": True,
}


@pytest.fixture
def slip(table: Table, mara: str) -> str:
    """A note, before wages are paid by a timer whose words are erased later; a coat is bought with them."""
    noted = table.act(table.gm, "campaign.add_note", text="A slip of the pen.")
    timed = schedule(table, "Wages", effect=WAGES, after={"days": 1})
    table.act(table.gm, "campaign.advance_calendar", by={"days": 2})
    coat = {"debit": "crew", "credit": "world:tailor", "currency": "credits", "amount": 40, "reason": "A coat"}
    table.act(table.gm, "campaign.offer_transfer", **coat, new=True)
    erased = table.gm.send("DELETE", f"{table.path}/actions/{timed['action_id']}/texts")
    assert erased.status_code == 200, erased.text
    return str(noted["action_id"])


def gone(table: Table, slip: str) -> list[Any]:
    preview = undo(table, table.gm, slip, dry_run=True)
    assert preview.status_code == 200, preview.text
    return [action["action_id"] for action in preview.json()["undone"] if action["because"] != "asked"]


def test_an_undo_before_them_takes_nothing_along(table: Table, slip: str):
    assert gone(table, slip) == []
    undone = undo(table, table.gm, slip)
    assert undone.status_code == 201, undone.text
    assert undo(table, table.gm, slip, "redo").status_code == 201


def test_where_words_are_compared_it_does(table: Table, slip: str, monkeypatch):
    """The control."""
    monkeypatch.setattr(redecided_outcome, "erase_in", lambda _: None)
    assert gone(table, slip) != []
