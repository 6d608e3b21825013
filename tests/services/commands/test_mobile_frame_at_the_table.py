"""A battle of Mobile Frame goes on when a player leaves (review "rules": Frame State 7, Mobile Frame too)."""

from typing import Any

import pytest

from tests.services.conftest import Table


@pytest.fixture
def battle(table: Table) -> Table:
    """The player's Heron and the GM's Rook; Heron has begun its turn."""
    founded = table.gm.post("/campaigns", {"name": "Low water", "systems": ["mobile_frame"]}).json()
    seat = Table(table.gm, table.player, founded["campaign_id"])
    code = seat.gm.post(f"{seat.path}/invites", {"role": "player"}).json()["code"]
    assert seat.player.post(f"/invites/{code}/accept").status_code == 201
    heron = seat.act(seat.player, "mobile_frame.register_loadout", notation="WWBGRdRd", name="Heron")
    seat.act(seat.gm, "mobile_frame.register_loadout", notation="WWB", name="Rook", owner="Raiders")
    seat.act(seat.gm, "mobile_frame.set_points_per_asset")
    seat.act(seat.gm, "mobile_frame.start_battle")
    while seat.gm.get(f"{seat.path}/boards/mobile_frame/battle").json()["waits_for"][0]["waits_for"] is None:
        seat.act(seat.gm, "mobile_frame.pass")
    seat.act(seat.player, "mobile_frame.activate_frame", frame=heron["events"][0]["frame"])
    return seat


def waits_for(seat: Table) -> list[Any]:
    """Whose word the campaign and the board say is awaited."""
    pending = seat.gm.get(seat.path).json()["pending"]
    board = seat.gm.get(f"{seat.path}/boards/mobile_frame/battle").json()["waits_for"]
    assert [each["waits_for"] for each in pending] == [each["waits_for"] for each in board]
    return [each["waits_for"] for each in board]


def test_what_waits_for_a_removed_player_waits_for_a_gm_who_acts_and_reads_how_to_hand_the_frame_over(battle):
    assert waits_for(battle) == [battle.player.account_id]
    removed = battle.gm.send("DELETE", f"{battle.path}/members/{battle.player.account_id}")
    assert removed.status_code == 204, removed.text
    assert waits_for(battle) == [None]
    board = battle.gm.get(f"{battle.path}/boards/mobile_frame/battle").json()
    assert (
        board["waiting"]
        == "Mara (no longer playing: a GM acts) may declare a target for Heron, then rolls its dice"
    )
    [told] = board["absent"]
    assert told == (
        "Mara no longer plays in this campaign. A GM plays their frames and, once the battle is over, gives them "
        "another owner by “Field a frame”: Heron"
    )
    answer = battle.act(battle.gm, "mobile_frame.roll_dicepool")
    assert [each["waits_for"] for each in answer["pending"]] == [None]


def test_whoever_only_watches_by_now_is_not_waited_for(battle):
    path = f"{battle.path}/members/{battle.player.account_id}"
    assert battle.gm.send("PATCH", path, json={"role": "observer"}).status_code == 200
    assert waits_for(battle) == [None]
    assert battle.gm.send("PATCH", path, json={"role": "player"}).status_code == 200
    assert waits_for(battle) == [battle.player.account_id]


def test_the_board_is_told_in_the_language_of_the_campaign_to_its_last_sentence(battle):
    battle.act(battle.gm, "campaign.set_setting", key="campaign.language", value="fr")
    battle.gm.send("DELETE", f"{battle.path}/members/{battle.player.account_id}")
    board = battle.gm.get(f"{battle.path}/boards/mobile_frame/battle").json()
    [waiting] = board["waits_for"]
    assert waiting["told"] == board["waiting"]
    assert board["waiting"].startswith("Mara (ne joue plus")
    assert board["absent"][0].startswith("Mara ne joue plus dans cette campagne.")
