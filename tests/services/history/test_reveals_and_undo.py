"""What is undone and revealed, in either order, is told to everybody as it is told to GMs."""

import io

from services.transfer.uploaded_export import verified
from tests.services.conftest import Table
from tests.services.hiding import another_player, hidden
from tests.services.pilots import mara
from tests.services.revealing import entry, follow, refusal, reveal
from tests.services.undoing import undo

__all__ = ["mara"]


def test_a_struck_action_is_revealed_with_its_undo(table: Table, mara: str):
    secret = hidden(table, "frame_state.award_currency", pilot=mara, amount=700, reason="a bribe")
    undone = undo(table, table.gm, secret, reason="second thoughts").json()["action_id"]
    assert refusal(table, undone) == (422, "revealed_with_its_action")
    follow(table)
    reveal(table, secret)
    for stored in (False, True):
        if stored:
            follow(table)
        read = entry(table, table.player, secret)
        assert (read["type"], read["undone_in"]) == ("frame_state.award_currency", undone)
        told = ["Undone: Mara was paid 700 credits (a bribe) and has 800 (second thoughts)"]
        assert entry(table, table.player, undone)["summary"] == told
        entries = table.player.get(f"{table.path}/ledger/entries").json()["entries"]
        assert [each["amount"] for each in entries] == [100, 700, 700]
        assert table.player.get(f"{table.path}/sheets/{mara}").json()["sheet"]["currency"] == 100
    assert undo(table, table.gm, secret, "redo").status_code == 201
    assert table.player.get(f"{table.path}/sheets/{mara}").json()["sheet"]["currency"] == 800
    assert verified(io.BytesIO(table.player.get(f"{table.path}/export").content)).check.hidden == 0


def test_a_revealed_action_is_undone_openly(table: Table, mara: str):
    secret = hidden(table, "frame_state.award_currency", pilot=mara, amount=700, reason="a bribe")
    reveal(table, secret)
    preview = undo(table, table.gm, secret, dry_run=True).json()
    assert [each["action_id"] for each in preview["undone"]] == [secret]
    undone = undo(table, table.gm, secret).json()
    assert table.player.get(f"{table.path}/sheets/{mara}").json()["sheet"]["currency"] == 100
    read = entry(table, table.player, undone["action_id"])
    assert (read["type"], read["visibility"]) == ("campaign.undo_action", "all")
    assert entry(table, table.player, secret)["undone_in"] == undone["action_id"]


def test_a_player_asks_to_undo_what_was_revealed_for_everybody_to_read(table: Table):
    secret = hidden(table, "campaign.roll", seen_by=f"account:{table.player.account_id}", notation="d6")
    assert undo(table, table.player, secret, "undo-request", reason="why").status_code == 201
    reveal(table, secret)
    other = another_player(table)
    assert "Mara asks to undo" in str(other.get(f"{table.path}/actions").json())
    assert other.get(table.path).json()["pending"] == table.gm.get(table.path).json()["pending"]
    assert undo(table, table.gm, secret, "undo-request/decline").status_code == 201
    assert "Not undone" in str(other.get(f"{table.path}/actions").json()["actions"][-1]["summary"])


def test_the_dice_of_a_roll_that_was_undone_and_revealed_come_back_openly(table: Table):
    secret = hidden(table, "campaign.roll", notation="d6")
    undo(table, table.gm, secret)
    reveal(table, secret)
    again = table.act(table.gm, "campaign.roll", notation="d6")
    assert [event["type"] for event in again["events"]] == ["campaign.dice_rolled", "campaign.dice_came_back"]
    assert again["events"][0]["dice"][0]["proof"] == "hidden:1:0:0", "by now, everybody knows this die"
