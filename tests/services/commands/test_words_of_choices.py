"""Choices by the words that are shown of them, over HTTP; the log holds wire values."""

import json

import pytest

from tests.services.conftest import Table
from tests.services.pilots import mara

__all__ = ["mara"]


@pytest.fixture
def battle(table: Table) -> Table:
    """The player's Heron has its turn against the GM's Rook; everything was asked for in words."""
    founded = table.gm.post("/campaigns", {"name": "Basse mer", "systems": ["mobile_frame"]}).json()
    seat = Table(table.gm, table.player, founded["campaign_id"])
    code = seat.gm.post(f"{seat.path}/invites", {"role": "player"}).json()["code"]
    assert seat.player.post(f"/invites/{code}/accept").status_code == 201
    seat.act(seat.player, "mobile_frame.register_loadout", notation="WWBGRdRd", name="Heron")
    seat.act(
        seat.gm, "mobile_frame.register_loadout", systems=["Défense", "ARTILLERY"], name="Rook", owner="Raiders"
    )
    seat.act(seat.gm, "mobile_frame.set_points_per_asset")
    seat.act(seat.gm, "mobile_frame.start_battle")
    while seat.gm.get(f"{seat.path}/boards/mobile_frame/battle").json()["waits_for"][0]["waits_for"] is None:
        seat.act(seat.gm, "mobile_frame.pass")
    seat.act(seat.player, "mobile_frame.activate_frame", frame="Heron")
    return seat


def test_an_attack_is_made_in_words_of_either_language_and_stored_as_ever(battle):
    said = {"target": "rook", "range": "à portée de TIR direct", "weapon": "Direct fire weapon"}
    declared = battle.act(battle.player, "mobile_frame.declare_target", **said)["events"][0]
    assert (declared["range"], declared["weapon"]) == ("direct", "weapon:direct")
    battle.act(battle.player, "mobile_frame.roll_dicepool")
    given = battle.act(battle.player, "mobile_frame.assign_die", action="Défense")["events"][0]
    assert given["action"] == "defense"
    export = battle.gm.get(f"{battle.path}/export").text
    lines = [json.loads(line) for line in export.splitlines()]
    requests = [json.loads(line["command"])["command"] for line in lines if line.get("command")]
    [request] = [request for request in requests if request["type"] == "mobile_frame.declare_target"]
    assert (request["range"], request["weapon"]) == ("direct", "weapon:direct"), "not even what was asked"
    assert not [word for word in ("TIR direct", "Direct fire", "Défense") if word in export]


def test_a_repetition_in_the_other_language_is_the_same_request(battle):
    key = {"Idempotency-Key": "the same attack"}
    for word in ("Direct range", "À portée de tir direct", "direct"):
        answer = battle.try_to(
            battle.player, "mobile_frame.declare_target", target="rook", range=word, headers=key
        )
        assert answer.status_code == 201, answer.text
    otherwise = {"target": "rook", "range": "Hand range", "headers": key}
    refused = battle.refused(battle.player, "mobile_frame.declare_target", **otherwise)
    assert refused == (409, "idempotency_key_reused")


def test_another_word_is_refused_as_ever(battle):
    refused = battle.try_to(battle.player, "mobile_frame.declare_target", target="rook", range="next door")
    assert refused.status_code == 400
    assert "/command/range" in refused.text


def test_a_part_of_a_command_is_asked_about_in_words_too(battle):
    asked = {"command": {"type": "mobile_frame.declare_target", "range": "tir direct"}}
    assert battle.player.post(f"{battle.path}/commands", asked).status_code == 400
    asked["command"]["range"] = "à portée de tir direct"
    fields = battle.player.post(f"{battle.path}/commands", asked).json()["command"]["fields"]
    [weapon] = [field for field in fields if field["name"] == "weapon"]
    assert "weapon:direct" in [choice["value"] for choice in weapon["choices"]]


def test_a_request_with_a_query_is_read_in_the_same_way(table):
    said = {"type": "campaign.set_setting", "key": "Ce que les joueurs peuvent annuler", "value": "Rien"}
    tried = table.gm.post(f"{table.path}/actions?dry_run=true", {"command": said})
    assert (tried.status_code, tried.json()["possible"]) == (200, True)
    [changed] = table.act(table.gm, said.pop("type"), **said)["events"]
    assert (changed["key"], changed["value"]) == ("campaign.player_undo", "nothing")


def test_categories_and_attributes_go_by_the_words_of_either_language(table, mara):
    """These are no enumeration: what a catalogue calls them is known when the name of a pilot is."""
    for category, attribute in (("Compétences", "acuite"), ("SKILLS", "Sharpness")):
        said = {"category": category, "attribute": attribute, "pilot": "mara"}
        [spent, *_] = table.act(table.player, "frame_state.allocate_point", **said)["events"]
        assert (spent["category"], spent["attribute"]) == ("skills", "sharpness")
    unknown = table.refused(table.player, "frame_state.allocate_point", category="skills", attribute="Hauteur")
    assert unknown == (422, "unknown_attribute")
