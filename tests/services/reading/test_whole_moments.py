"""A moment of the past is the end of an action: nothing can be read, forked or exported in the middle of one."""

from typing import Any

import pytest

from services.campaign import visible_campaign as campaign_reader
from tests.services.conftest import Table
from tests.services.pilots import mara
from tests.services.timers import schedule
from tests.services.transfers import brought, export, forked, lines_of
from tests.services.undoing import undo

__all__ = ["mara"]

WAGES = {
    "type": "post",
    "currency": "credits",
    "debit": "world:guild",
    "credit": "crew",
    "amount": 27,
    "new": True,
}


@pytest.fixture
def paid(table: Table, mara: str) -> Table:
    """A table whose timer paid, and whose money was set aside, paid out, and set aside again by an undo."""
    schedule(table, "Wages", effect=WAGES, after={"days": 1})
    table.act(table.gm, "campaign.advance_calendar", by={"days": 2})
    offer = table.act(
        table.player,
        "campaign.offer_transfer",
        debit=f"pilot:{mara}",
        credit="crew",
        currency="credits",
        amount=27,
        reason="A round",
    )
    entry = next(event["entry_id"] for event in offer["events"] if "entry_id" in event)
    agreed = table.act(table.gm, "campaign.post_pending", entry=entry)
    assert undo(table, table.gm, agreed["action_id"]).status_code == 201
    declined = table.act(table.gm, "campaign.void_pending", entry=entry)
    assert undo(table, table.gm, declined["action_id"]).status_code == 201
    return table


def ends(table: Table) -> dict[int, int]:
    """The last seq of the action of each seq."""
    spans = table.gm.get(f"{table.path}/actions", params={"limit": 500}).json()["actions"]
    return {seq: span["last_seq"] for span in spans for seq in range(span["seq"], span["last_seq"] + 1)}


def inner(table: Table) -> list[int]:
    """Every seq that is not the last of its action."""
    return [seq for seq, end in ends(table).items() if seq != end]


def books(table: Table, at: int) -> Any:
    return table.gm.get(f"{table.path}/ledger/accounts", params={"at": at}).json()


def test_every_seq_means_the_end_of_its_action_and_the_books_are_right_there(paid: Table):
    assert len(inner(paid)) > 5
    for seq, end in ends(paid).items():
        told = books(paid, seq)
        assert (told["as_of"], told["drift"]) == (end, [])
        assert set(told["trial_balance"].values()) <= {0}
        assert paid.player.get(f"{paid.path}/timers", params={"at": seq}).json()["as_of"] == end


def test_money_is_not_set_aside_for_nothing_in_a_fork_or_an_export_of_any_seq(paid: Table):
    for seq in inner(paid):
        end = ends(paid)[seq]
        whole = [line for line in lines_of(export(paid, paid.gm, upto=end)) if "seq" in line]
        assert [line for line in lines_of(export(paid, paid.gm, upto=seq)) if "seq" in line] == whole
    last = inner(paid)[-1]
    for copy in (forked(paid, at=last), brought(paid.gm, export(paid, paid.gm, upto=last))):
        told = books(copy, copy.seq())
        assert told["drift"] == []
        assert paid.gm.get(copy.path).json()["alarms"] == []


def test_a_comparison_of_two_seqs_compares_two_whole_actions(paid: Table):
    for seq in inner(paid):
        told = paid.gm.get(f"{paid.path}/diff", params={"from": 1, "to": seq}).json()
        assert told == paid.gm.get(f"{paid.path}/diff", params={"from": 1, "to": ends(paid)[seq]}).json()


def test_an_import_that_an_earlier_version_cut_within_an_action_is_told(paid: Table, monkeypatch):
    """The control: of a log that ends there some money is set aside for nothing."""
    seqs = inner(paid)

    async def seq_itself(_: Any, __: Any, seq: int) -> int:
        return seq

    with monkeypatch.context() as earlier:
        earlier.setattr(campaign_reader, "action_end", seq_itself)
        files = [export(paid, paid.gm, upto=seq) for seq in seqs]
    alarms = [paid.gm.get(brought(paid.gm, file).path).json()["alarms"] for file in files]
    assert any(alarms)
    assert {alarm for told in alarms for alarm in told} == {
        "An entry of the ledger has 27 credits set aside, and should have 0",
        "An entry of the ledger has 0 credits set aside, and should have 27",
    }
