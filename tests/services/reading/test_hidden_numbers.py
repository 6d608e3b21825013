"""Hidden rolls are numbered through, whoever makes them: players read no number of their own."""

import io
from typing import Any

from services.transfer.uploaded_export import verified
from tests.services.conftest import Person, Table
from tests.services.hiding import another_player, hidden


def own_roll(table: Table) -> Any:
    """The player rolls 2d6 for their own eyes and the GMs'; the answer."""
    own = f"account:{table.player.account_id}"
    body = {"command": {"type": "campaign.roll", "notation": "2d6"}, "visibility": own, "note": "for luck"}
    rolled = table.player.post(f"{table.path}/actions", body, headers={"Idempotency-Key": "roll"})
    assert rolled.status_code == 201, rolled.text
    return rolled.json()


def proofs(table: Table, who: Person, action: str) -> set[str]:
    """The proofs of an action's dice, in its entry and in the list of events."""
    entry = who.get(f"{table.path}/actions/{action}").json()
    listed = who.get(f"{table.path}/events").json()["events"]
    events = [*entry["events"], *(each for each in listed if each["recorded"]["action_id"] == action)]
    return {die["proof"] for event in events for die in event["dice"]}


def test_a_player_does_not_count_the_gms_rolls_by_the_number_of_their_own(table: Table):
    for _ in range(3):
        hidden(table, "campaign.roll", notation="d6")
    answers = [own_roll(table) for _ in range(2)]
    assert answers[0] == answers[1]
    rolled = answers[0]
    assert [die["proof"] for die in rolled["events"][0]["dice"]] == ["hidden", "hidden"]
    assert proofs(table, table.player, rolled["action_id"]) == {"hidden"}
    assert "for luck" in table.player.get(f"{table.path}/actions/{rolled['action_id']}").text
    exported = table.player.get(f"{table.path}/export")
    assert "hidden:1:" not in exported.text
    found = verified(io.BytesIO(exported.content))
    assert (found.fault, found.dice and found.dice.faults) == (None, [])
    report = table.player.get(f"{table.path}/verify").json()
    assert (report["sound"], report["dice"]["waiting"]) == (True, 2)
    assert proofs(table, table.gm, rolled["action_id"]) == {"hidden:1:3:0", "hidden:1:3:1"}, "negative control"
    assert "hidden:1:3:0" in table.gm.get(f"{table.path}/export").text, "negative control"


def test_a_proof_opens_the_number_to_whom_it_is_shown_and_they_recompute_the_dice(table: Table):
    hidden(table, "campaign.roll", notation="d6")
    action = own_roll(table)["action_id"]
    hidden(table, "campaign.prove_hidden_roll", epoch=1, roll=1)
    assert proofs(table, table.player, action) == {"hidden"}, "it was proved to GMs alone"
    own = f"account:{table.player.account_id}"
    hidden(table, "campaign.prove_hidden_roll", seen_by=own, epoch=1, roll=1)
    assert proofs(table, table.player, action) == {"hidden:1:1:0", "hidden:1:1:1"}
    assert table.player.get(f"{table.path}/verify").json()["dice"]["recomputed"] == 2
    found = verified(io.BytesIO(table.player.get(f"{table.path}/export").content))
    assert found.dice is not None
    assert (found.fault, found.dice.recomputed, found.dice.faults) == (None, 2, [])


def test_another_rolls_proof_opens_no_number(table: Table):
    hidden(table, "campaign.roll", notation="d6")
    action = own_roll(table)["action_id"]
    table.act(table.gm, "campaign.prove_hidden_roll", epoch=1, roll=0)
    assert proofs(table, table.player, action) == {"hidden"}


def test_a_seed_and_a_reveal_open_the_number(table: Table):
    other = another_player(table)
    action = own_roll(table)["action_id"]
    table.act(table.gm, "campaign.end_dice_epoch")
    assert proofs(table, table.player, action) == {"hidden"}
    table.act(table.gm, "campaign.reveal_hidden_dice", epoch=1)
    assert proofs(table, table.player, action) == {"hidden:1:0:0", "hidden:1:0:1"}
    own = f"account:{table.player.account_id}"
    later = hidden(table, "campaign.roll", who=table.player, seen_by=own, notation="d4")
    assert proofs(table, table.player, later) == {"hidden"}
    table.act(table.gm, "campaign.reveal_action", action_id=later)
    for who in (table.player, other):
        assert proofs(table, who, later) == {"hidden:2:0:0"}
