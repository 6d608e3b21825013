"""What members read of proofs, and that nothing which was changed in the database stays unseen."""

from typing import Any
from uuid import UUID

import psycopg
import pytest
from litestar.testing import TestClient

from infra.machine.service_key import AesSeedCipher
from services.settings import Settings
from tests.applications import an_application
from tests.engines import DICE_KEY
from tests.services.conftest import PASSWORD, Table
from tests.services.forged_log import changed


def rolled(answer: dict[str, Any]) -> list[dict[str, Any]]:
    dice: list[dict[str, Any]] = answer["events"][0]["dice"]
    return dice


def verified(table: Table, who: Any = None) -> dict[str, Any]:
    response = (who or table.gm).get(f"{table.path}/verify")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def test_seeds_are_committed_to_before_and_public_after(table):
    before = table.player.get(f"{table.path}/dice").json()
    assert before["open_dice"] == 0
    [epoch] = before["epochs"]
    assert (epoch["epoch"], epoch["ended"], epoch["seed"], epoch["hidden_seed"]) == (1, None, None, None)
    dice = rolled(table.act(table.player, "campaign.roll", notation="3d20"))
    assert [die["proof"] for die in dice] == ["open:1:0", "open:1:1", "open:1:2"]
    ended = table.act(table.gm, "campaign.end_dice_epoch")
    assert ended["summary"] == ["Dice epoch 1 ended, and its seed is public now"]
    after = table.player.get(f"{table.path}/dice").json()
    assert [each["epoch"] for each in after["epochs"]] == [2, 1]
    assert after["epochs"][1] == epoch | {"ended": "asked", "seed": ended["events"][0]["seed"]}
    assert after["as_of"] == table.seq()


def test_how_much_was_rolled_in_secret_only_gms_read(table):
    for _ in range(3):
        secret = {"command": {"type": "campaign.roll", "notation": "2d6"}, "visibility": "gm"}
        assert table.gm.post(f"{table.path}/actions", secret).status_code == 201
    table.act(table.gm, "campaign.roll", notation="4d6")
    table.act(table.gm, "campaign.end_dice_epoch")
    table.act(table.gm, "campaign.reveal_hidden_dice", epoch=1)
    assert table.gm.get(f"{table.path}/dice").json()["hidden_rolls"] == 0
    assert table.player.get(f"{table.path}/dice").json()["hidden_rolls"] is None
    assert verified(table)["dice"]["recomputed"] == 10
    assert verified(table, table.player)["dice"]["recomputed"] == 4


def test_a_whole_evening_verifies(table):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "campaign.roll", notation="4d6kh3")
    table.act(table.player, "campaign.roll", notation="2d6", rolled=[[6, 1], [6, 2]])
    table.act(table.gm, "campaign.end_dice_epoch")
    table.act(table.player, "campaign.roll", notation="d100")
    found = verified(table)
    assert found["sound"] is True
    assert found["bad_seq"] is None
    assert found["events"] == table.seq()
    assert found["dice"] == {"recomputed": 4, "waiting": 1, "unproven": 0, "table": 2, "faults": []}


def test_a_hidden_roll_is_proved_by_a_gm_alone(table):
    secret = {"command": {"type": "campaign.roll", "notation": "2d20"}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", secret).status_code == 201
    assert table.refused(table.player, "campaign.prove_hidden_roll", epoch=1, roll=0) == (403, "gm_only")
    assert table.refused(table.gm, "campaign.prove_hidden_roll", epoch=1, roll=1) == (422, "unknown_hidden_roll")
    assert table.refused(table.gm, "campaign.prove_hidden_roll", epoch=9, roll=0) == (422, "unknown_dice_epoch")
    assert table.refused(table.gm, "campaign.reveal_hidden_dice", epoch=1) == (422, "dice_epoch_open")
    table.act(table.gm, "campaign.prove_hidden_roll", epoch=1, roll=0)
    assert verified(table)["dice"]["recomputed"] == 2


def test_a_face_that_was_changed_in_the_database_is_found_even_in_a_chain_that_was_made_anew(table, database):
    """Invariants 7 and 19: whoever owns the database can forge every hash, but no die."""
    roll = table.act(table.player, "campaign.roll", notation="1d20")
    table.act(table.gm, "campaign.end_dice_epoch")
    assert verified(table)["sound"] is True
    seq, face = roll["events"][0]["seq"], rolled(roll)[0]["natural"]
    other = face % 20 + 1

    def forge(body: bytes) -> bytes:
        return body.replace(b'"natural":%d,"value":%d' % (face, face), b'"natural":%d,"value":%d' % (other, other))

    changed(database, table.campaign_id, seq, forge, rechained=False)
    found = verified(table)
    assert (found["sound"], found["bad_seq"]) == (False, seq)
    changed(database, table.campaign_id, seq, lambda body: body, rechained=True)
    found = verified(table)
    assert (found["sound"], found["bad_seq"]) == (False, None)
    assert found["dice"]["faults"] == [{"seq": seq, "fault": "wrong_face", "about": "open:1:0"}]


def test_garbage_in_a_chain_that_was_made_anew_is_named(table, database):
    """Invariant 24."""
    roll = table.act(table.player, "campaign.roll", notation="1d20")
    seq = roll["events"][0]["seq"]
    changed(database, table.campaign_id, seq, lambda body: body[:-3], rechained=True)
    response = table.gm.get(f"{table.path}/verify")
    assert response.status_code < 500
    if response.status_code == 200:
        assert response.json()["dice"]["faults"][0]["fault"] == "unreadable"


def test_seeds_are_encrypted_in_the_database_and_another_process_goes_on_with_them(table, database):
    table.act(table.player, "campaign.roll", notation="3d6")
    with psycopg.connect(database.owner) as owner:
        [(epoch, sealed)] = owner.execute("SELECT epoch, sealed FROM dice_seeds").fetchall()
    seeds = AesSeedCipher(bytes.fromhex(DICE_KEY)).decrypt(UUID(table.campaign_id), epoch, sealed)
    assert seeds is not None
    assert seeds.commitment.hex() == table.gm.get(f"{table.path}/dice").json()["epochs"][0]["commitment"]
    assert seeds.open_seed not in sealed
    settings = Settings(database_url=database.service, dice_key=DICE_KEY, password_kib=64)
    with an_application(settings) as app, TestClient(app) as other:
        command = {"command": {"type": "campaign.roll", "notation": "1d6"}}
        path = f"/api{table.path}/actions"
        dice = rolled(other.post(path, json=command, headers=table.gm.headers).json())
    assert dice[0]["proof"] == "open:1:3"
    assert dice[0]["natural"] == seeds.open_dice(3).roll(6).natural


@pytest.mark.parametrize("command", ["campaign.roll", "campaign.end_dice_epoch"])
def test_a_service_with_another_key_rolls_no_dice_and_says_why(table, database, command):
    settings = Settings(database_url=database.service, dice_key="0" * 64, password_kib=64)
    with an_application(settings) as app, TestClient(app) as other:
        fields = {"notation": "1d6"} if command == "campaign.roll" else {}
        body: dict[str, Any] = {"command": {"type": command, **fields}}
        refused = other.post(f"/api{table.path}/actions", json=body, headers=table.gm.headers)
        assert (refused.status_code, refused.json()["code"]) == (422, "dice_key_missing")
        typed = {"command": {"type": "campaign.roll", "notation": "1d6"}, "dice": [[6, 4]]}
        assert other.post(f"/api{table.path}/actions", json=typed, headers=table.gm.headers).status_code == 201


def test_nobody_else_reads_proofs(table, client):
    stranger = client.post("/api/accounts", json={"name": "Zoe", "password": PASSWORD}).json()["token"]
    for path in ("dice", "verify"):
        response = client.get(f"/api{table.path}/{path}", headers={"Authorization": f"Bearer {stranger}"})
        assert (response.status_code, response.json()["code"]) == (404, "campaign_not_found")


def test_no_undo_gives_anyone_new_dice(table):
    """Invariant 20, in the running service, in stored views and in a process that knows nothing yet."""
    roll = table.act(table.player, "campaign.roll", notation="2d20")
    assert [die["proof"] for die in rolled(roll)] == ["open:1:0", "open:1:1"]
    undone = table.gm.post(f"{table.path}/actions/{roll['action_id']}/undo", {})
    assert undone.status_code == 201, undone.text
    assert table.player.get(f"{table.path}/dice").json()["open_dice"] == 2
    again = rolled(table.act(table.player, "campaign.roll", notation="3d20"))
    assert [die["proof"] for die in again] == ["open:1:0", "open:1:1", "open:1:2"]
    assert again[:2] == rolled(roll)
    assert table.player.get(f"{table.path}/dice").json()["open_dice"] == 3
    table.act(table.gm, "campaign.end_dice_epoch")
    assert verified(table)["dice"] == {"recomputed": 5, "waiting": 0, "unproven": 0, "table": 0, "faults": []}


def test_an_end_of_an_epoch_cannot_be_undone(table):
    ended = table.act(table.gm, "campaign.end_dice_epoch")
    refused = table.gm.post(f"{table.path}/actions/{ended['action_id']}/undo", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_undoable")


def test_another_process_goes_on_behind_the_dice_of_an_action_that_was_undone(table, database):
    roll = table.act(table.player, "campaign.roll", notation="2d20")
    assert table.gm.post(f"{table.path}/actions/{roll['action_id']}/undo", {}).status_code == 201
    settings = Settings(database_url=database.service, dice_key=DICE_KEY, password_kib=64)
    with an_application(settings) as app, TestClient(app) as other:
        command = {"command": {"type": "campaign.roll", "notation": "1d6"}}
        answer = other.post(f"/api{table.path}/actions", json=command, headers=table.gm.headers).json()
        assert rolled(answer)[0]["proof"] == "open:1:2"
        command = {"command": {"type": "campaign.roll", "notation": "2d20"}}
        answer = other.post(f"/api{table.path}/actions", json=command, headers=table.player.headers).json()
        assert rolled(answer) == rolled(roll)
