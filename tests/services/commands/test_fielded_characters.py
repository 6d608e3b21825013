"""Characters of other systems in a Mobile Frame battle, over HTTP: fielded, fought, and remembered."""

from typing import Any

import pytest

from tests.services.conftest import Person, Table


@pytest.fixture
def mixed(table: Table) -> Table:
    """A campaign of Frame State, Overdrive and Mobile Frame with the same two people."""
    wanted = {"name": "Mixed company", "systems": ["frame_state", "overdrive", "mobile_frame"]}
    founded = table.gm.post("/campaigns", wanted).json()
    seat = Table(table.gm, table.player, founded["campaign_id"])
    code = seat.gm.post(f"{seat.path}/invites", {"role": "player"}).json()["code"]
    assert seat.player.post(f"/invites/{code}/accept").status_code == 201
    seat.act(seat.gm, "frame_state.define_catalogue", preset="playtest1.2")
    return seat


def pilot(seat: Table, frame: str | None = "Heron") -> str:
    """The player's Frame State pilot, in a frame."""
    made = seat.act(seat.player, "frame_state.create_pilot", name="Mara Voss")
    if frame is not None:
        seat.act(seat.player, "frame_state.create_unit", kind="frame", name=frame)
    return str(made["events"][0]["pilot_id"])


def duelist(seat: Table) -> str:
    """The GM's Overdrive character, with a mech."""
    made = seat.act(seat.gm, "overdrive.create_character", name="Odile Brandt")
    character = str(made["events"][0]["character_id"])
    seat.act(seat.gm, "overdrive.create_mech", name="Snuffer", character=character, pairing=PAIRING)
    return character


PAIRING = {"attack": "agility", "defense": "strength", "detection": "intellect", "movement": "will"}


def fielded(seat: Table, who: Person, **fields: Any) -> dict[str, Any]:
    event: dict[str, Any] = seat.act(who, "mobile_frame.register_loadout", **fields)["events"][0]
    return event


def fight(seat: Table, attacker: str, target: str) -> None:
    """One round to doomsday: the attacker destroys the target, which has answered with nothing."""
    for command in ("set_points_per_asset", "start_battle"):
        seat.act(seat.gm, f"mobile_frame.{command}", **({"doomsday": 1} if command == "start_battle" else {}))
    while True:
        [waiting, *_] = seat.gm.get(f"{seat.path}/boards/mobile_frame/battle").json()["waits_for"]
        if waiting["waits_for"] == seat.player.account_id:
            break
        seat.act(seat.gm, "mobile_frame.pass")
    seat.act(seat.player, "mobile_frame.activate_frame", frame=attacker)
    seat.act(seat.player, "mobile_frame.declare_target", target=target, range="direct")
    seat.act(seat.player, "mobile_frame.roll_dicepool", rolled=[[6, 6]] * 4)
    seat.act(seat.player, "mobile_frame.assign_die", action="defense", die=0)
    seat.act(seat.player, "mobile_frame.attack", distance=5, die=3)
    seat.act(seat.gm, "mobile_frame.roll_dicepool", rolled=[[6, 1]] * 2 + [[8, 1]])
    seat.act(seat.gm, "mobile_frame.assign_die", action="defense")
    seat.act(seat.player, "mobile_frame.resolve_attack", situation="open", rolled=[[6, 6]] * 6)
    seat.act(seat.player, "mobile_frame.end_turn")
    seat.act(seat.gm, "mobile_frame.end_round")


def test_a_fielded_character_brings_name_and_owner(mixed):
    mara, odile = pilot(mixed), duelist(mixed)
    heron = fielded(mixed, mixed.player, notation="WWRdRd", character=mara)
    assert (heron["name"], heron["owner"]) == ("Heron", mixed.player.account_id)
    snuffer = fielded(mixed, mixed.gm, notation="WWG8", character=odile)
    assert (snuffer["name"], snuffer["owner"]) == ("Snuffer", mixed.gm.account_id)
    frames = mixed.player.get(f"{mixed.path}/boards/mobile_frame/battle").json()["frames"]
    shown = {each["name"]: (each["owner_name"], each["character"], each["character_name"]) for each in frames}
    assert shown == {"Heron": ("Mara", mara, "Mara Voss"), "Snuffer": ("Ana", odile, "Odile Brandt")}


def test_the_gm_fields_for_the_player_and_a_character_without_a_machine_lends_its_name(mixed):
    mara = pilot(mixed, frame=None)
    frame = fielded(mixed, mixed.gm, notation="WW", character=mara)
    assert (frame["name"], frame["owner"]) == ("Mara Voss", mixed.player.account_id)
    renamed = fielded(mixed, mixed.player, notation="WWB", frame=frame["frame"], name="Egret")
    assert (renamed["name"], renamed["character"]) == ("Egret", mara)


def test_nobody_fields_what_is_not_theirs_or_not_there(mixed):
    odile = duelist(mixed)
    refused = mixed.refused(mixed.player, "mobile_frame.register_loadout", notation="WW", character=odile)
    assert refused == (403, "not_your_character")
    for who in (mixed.player, mixed.gm):
        refused = mixed.refused(who, "mobile_frame.register_loadout", notation="WW", character="pilot-nobody")
        assert refused == (422, "unknown_character")


def test_a_battle_stands_in_the_campaign_in_the_recap_and_in_the_records(mixed):
    mara, odile = pilot(mixed), duelist(mixed)
    heron = fielded(mixed, mixed.player, notation="WWRdRd", character=mara)["frame"]
    snuffer = fielded(mixed, mixed.gm, notation="WWG8", character=odile)["frame"]
    assert mixed.gm.get(mixed.path).json()["results"] == []
    mixed.act(mixed.gm, "campaign.start_session", title="The causeway")
    fight(mixed, heron, snuffer)

    for reader in (mixed.gm, mixed.player):
        [result] = reader.get(mixed.path).json()["results"]
        assert (result["system"], result["kind"]) == ("mobile_frame", "battle")
        standings = [(each["name"], each["score"], each["won"]) for each in result["standings"]]
        assert standings == [("Mara", 4, True), ("Ana", 0, False)]
        assert result["characters"] == sorted([mara, odile])

    recap = mixed.player.get(f"{mixed.path}/recap").json()
    assert "Snuffer, a frame of Ana, was destroyed" in recap["highlights"]
    assert "Doomsday after round 1: Mara won. Mara (4), Ana (0)" in recap["highlights"]

    [battle] = record(mixed, mara)["battles"]
    assert (battle["battle_id"], battle["frame_name"]) == (result["subject"], "Heron")
    assert (battle["won"], battle["score"], battle["rounds"], battle["destroyed"]) == (True, 4, 1, 1)
    assert (battle["attacks"], battle["damage_dice"], battle["lost"], battle["fell"]) == (1, 6, 0, False)
    assert battle["started"]["session"] == battle["ended"]["session"] == 1
    lost = record(mixed, odile)
    assert (lost["won"], lost["fell"], lost["battles"][0]["lost"], lost["battles"][0]["score"]) == (0, 1, 2, 0)


def record(seat: Table, character: str) -> dict[str, Any]:
    """What other systems wrote of a character."""
    elsewhere = seat.player.get(f"{seat.path}/sheets/{character}/record").json()["elsewhere"]
    assert [*elsewhere] == ["mobile_frame"]
    told: dict[str, Any] = elsewhere["mobile_frame"]
    return told


def test_who_was_never_in_a_battle_has_nothing_elsewhere(mixed):
    mara = pilot(mixed)
    fielded(mixed, mixed.player, notation="WWRdRd", character=mara)
    assert mixed.player.get(f"{mixed.path}/sheets/{mara}/record").json()["elsewhere"] == {}
