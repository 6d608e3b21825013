"""Renames: what was told before is told in the names of its time, and what stands now in the new ones."""

from typing import Any

import pytest

from tests.services.conftest import Table
from tests.services.hiding import all_read_by, another_player, hidden
from tests.services.pilots import award
from tests.services.undoing import everything, undo


@pytest.fixture
def vega(table: Table) -> str:
    """A pilot of the player's, who is called otherwise than anybody at the table."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    pilot: str = table.act(table.player, "frame_state.create_pilot", name="Vega")["events"][0]["pilot_id"]
    return pilot


def lines(table: Table, **params: Any) -> list[str]:
    actions = table.player.get(f"{table.path}/actions", params={"limit": 500, **params}).json()["actions"]
    return [line for action in actions for line in action["summary"]]


def roster(table: Table, **params: Any) -> list[str]:
    sheets = table.player.get(f"{table.path}/sheets", params=params).json()["sheets"]
    return [sheet["name"] for sheet in sheets]


@pytest.fixture
def renamed(table: Table, vega: str) -> str:
    """Vega, paid as Vega, then called Moth, then paid again: the action that renamed her."""
    award(table, vega, 7)
    action: str = table.act(table.player, "campaign.rename", thing="Vega", name="Moth")["action_id"]
    award(table, vega, 9)
    return action


def test_a_line_says_the_name_of_its_time_and_a_sheet_the_present_one(table: Table, renamed: str, vega: str):
    told = lines(table)
    assert "Vega is called Moth from now on" in told
    before, after = told[: told.index("Vega is called Moth from now on")], told[-1]
    assert "Vega" in before[-1]
    assert "Moth" not in " ".join(before)
    assert "Moth" in after
    assert "Vega" not in after
    assert roster(table) == ["Moth"]
    assert "Vega" not in table.player.get(f"{table.path}/ledger/accounts").text
    why = table.player.get(f"{table.path}/sheets/{vega}/why", params={"path": "currency"}).json()["moves"]
    assert [("Vega" in move["told"], "Moth" in move["told"]) for move in why[-2:]] == [
        (True, False),
        (False, True),
    ]
    record = table.player.get(f"{table.path}/actions/{renamed}").json()["action"]
    assert record["summary"] == ["Vega is called Moth from now on"]


def test_a_search_finds_what_happened_by_either_name(table: Table, renamed: str, vega: str):
    assert renamed
    by_old, by_new = lines(table, text="vega"), lines(table, text="MOTH")
    assert by_old == by_new
    assert len(by_old) == 4, "made, paid, renamed, paid"
    by_id = lines(table, character=vega)
    assert by_id == by_old


def test_a_rename_goes_and_comes_back_whole_and_the_past_is_read_as_it_was(table: Table, renamed: str):
    seq = table.gm.get(f"{table.path}/actions/{renamed}").json()["events"][0]["seq"]
    now, told = everything(table, table.player), lines(table)
    assert roster(table, at=seq - 1) == ["Vega"]
    undone = undo(table, table.gm, renamed)
    assert undone.status_code == 201, undone.text
    assert roster(table) == ["Vega"]
    assert "Vega" in lines(table)[-2]
    assert roster(table, at=seq) == ["Moth"]
    assert undo(table, table.gm, renamed, "redo").status_code == 201
    assert everything(table, table.player) == now
    assert lines(table)[: len(told)] == told


@pytest.mark.parametrize("way", ["fork", "import"])
def test_a_copy_tells_the_names_of_their_time_too(table: Table, renamed: str, way: str):
    assert renamed
    if way == "fork":
        copied = table.gm.post(f"{table.path}/fork", {"name": "Iron Hail"})
    else:
        export = table.gm.get(f"{table.path}/export").content
        copied = table.gm.send("POST", "/campaigns/import", content=export)
    assert copied.status_code == 201, copied.text
    copy = Table(table.gm, table.gm, copied.json()["campaign_id"])
    assert [line for line in lines(copy) if line in lines(table)][-3:] == lines(table)[-3:]
    assert roster(copy) == ["Moth"]
    assert len(lines(copy, text="vega")) == 4


def test_only_who_it_belongs_to_and_gms_may_rename_and_names_are_as_long_as_at_first(table: Table, vega: str):
    other = another_player(table)
    rename = "campaign.rename"
    assert table.refused(other, rename, thing=vega, name="X") == (403, "not_yours_to_name")
    assert table.refused(table.player, rename, name="Ours") == (403, "gm_only")
    assert table.refused(table.player, rename, thing="pilot-000000000000", name="X") == (422, "unknown_thing")
    assert table.try_to(table.player, rename, thing=vega, name="x" * 81).status_code == 400
    assert table.try_to(table.player, rename, thing=vega, name=" \t").status_code in (400, 422)
    assert table.act(table.player, rename, thing=vega, name="Vega")["events"] == []
    assert table.act(table.gm, rename, thing=vega, name="x" * 80)["events"][0]["name"] == "x" * 80


def test_the_campaign_a_session_and_a_scene_have_new_titles_wherever_they_stand(table: Table, vega: str):
    started = table.act(table.gm, "campaign.start_session", title="The Long Tow")["events"][0]["session_id"]
    scene = table.act(table.gm, "campaign.start_scene", name="Dok")["events"][0]["scene_id"]
    award(table, vega, 3)
    table.act(table.gm, "campaign.rename", thing="Dok", name="Dock")
    table.act(table.gm, "campaign.end_session")
    table.act(table.gm, "campaign.rename", thing=started, name="The Short Tow")
    table.act(table.gm, "campaign.rename", name="Iron Rain II")
    recap = table.player.get(f"{table.path}/recap").json()
    assert recap["session"]["title"] == "The Short Tow"
    assert recap["parts"][0]["title"].endswith("Scene: Dock")
    told = lines(table)
    assert "Scene: Dok" in told
    assert any("“The Long Tow”" in line for line in told)
    assert table.player.get(table.path).json()["name"] == "Iron Rain II"
    assert "Iron Rain II" in [each["name"] for each in table.player.get("/campaigns").json()["campaigns"]]
    assert table.refused(table.player, "campaign.rename", thing=scene, name="X") == (403, "not_yours_to_name")


def test_a_hidden_ones_names_reach_nobody_from_whom_it_is_hidden(table: Table):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    made = hidden(table, "frame_state.create_pilot", name="Wraith")
    pilot = table.gm.get(f"{table.path}/actions/{made}").json()["events"][0]["pilot_id"]
    again = hidden(table, "campaign.rename", thing=pilot, name="Spectre")
    assert table.refused(table.player, "campaign.rename", thing=pilot, name="X") == (422, "unknown_thing")
    assert table.refused(table.player, "campaign.rename", thing="Wraith", name="X") == (422, "unknown_thing")
    read = all_read_by(table, table.player, made, again)
    assert "Wraith" not in read
    assert "Spectre" not in read
    for word in ("wraith", "spectre"):
        assert table.player.get(f"{table.path}/actions", params={"text": word}).json()["actions"] == []
        assert len(table.gm.get(f"{table.path}/actions", params={"text": word}).json()["actions"]) == 2
    table.act(table.gm, "campaign.rename", thing=pilot, name="Ghost")
    told = lines(table)
    assert "Spectre is called Ghost from now on" in told
    assert "Wraith" not in all_read_by(table, table.player), "the name of before it entered play"


def test_a_rename_is_offered_where_the_name_stands(table: Table, vega: str):
    acts = table.player.get(f"{table.path}/sheets/{vega}").json()["acts"]
    [renames] = [act for act in acts["pilot_id"] if act["command"] == "campaign.rename"]
    assert {field["name"]: field["default"] for field in renames["fields"]} == {"name": None, "thing": vega}
    offers = table.player.get(f"{table.path}/commands").json()["commands"]
    [offer] = [offer for offer in offers if offer["command"] == "campaign.rename"]
    assert offer["possible"] == "depends", "a name is still to be given"
