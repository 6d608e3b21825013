"""`…/dice/saved`: dice that a member keeps by name, whom nobody else reads."""

from typing import Any

from tests.services.conftest import Person, Table


def saved(table: Table, who: Person) -> list[tuple[str, str]]:
    return [(roll["name"], roll["notation"]) for roll in who.get(f"{table.path}/dice/saved").json()["rolls"]]


def save(table: Table, who: Person, name: str, notation: str, **more: Any) -> Any:
    return who.post(f"{table.path}/dice/saved", {"name": name, "notation": notation, **more})


def delete(table: Table, who: Person, name: str) -> Any:
    return who.send("DELETE", f"{table.path}/dice/saved", params={"name": name})


def test_dice_are_saved_renamed_changed_and_deleted_by_name(table):
    mara = table.player
    assert save(table, mara, " Sword ", "/r 1d20+5").json() == {"name": "Sword", "notation": "1d20+5"}
    assert save(table, mara, "Stats/All?", "6 4d6d1").json()["notation"] == "6#4d6dl1"
    assert save(table, mara, "sword", "1d20+6").status_code == 200
    assert save(table, mara, "Long sword", "1d20+6", was="Sword").status_code == 200
    assert saved(table, mara) == [("Long sword", "1d20+6"), ("Stats/All?", "6#4d6dl1")]
    assert delete(table, mara, "stats/all?").status_code == 204
    assert saved(table, mara) == [("Long sword", "1d20+6")]
    assert delete(table, mara, "stats/all?").status_code == 204
    refused = save(table, mara, "Axe", "1d6", was="Spear")
    assert (refused.status_code, refused.json()["code"]) == (404, "saved_roll_not_found")
    assert save(table, mara, "Axe", "four dice").json()["code"] == "notation_invalid"
    assert save(table, mara, "\n", "2d6").status_code == 400


def test_saved_dice_keep_what_they_meant_and_are_rolled_as_they_are_written(table):
    assert save(table, table.player, "Pool", "8d6>5", dialect="roll20").json()["notation"] == "8d6>=5"
    table.act(table.gm, "campaign.set_setting", key="campaign.notation", value="avrae")
    [(name, notation)] = saved(table, table.player)
    told = table.act(table.player, "campaign.roll", notation=notation, dialect="fieldlog", label=name)
    assert (told["events"][0]["notation"], told["events"][0]["label"]) == ("8d6>=5", "Pool")
    lately = table.player.get(f"{table.path}/dice/saved").json()["lately"]
    assert lately == [{"notation": "8d6>=5", "label": "Pool"}]
    assert table.gm.get(f"{table.path}/dice/saved").json()["lately"] == []


def test_nobody_else_reads_them_and_the_log_knows_nothing(table):
    before = table.seq
    save(table, table.player, "Treason", "1d20+9")
    assert saved(table, table.gm) == []
    read_as = f"/c/{table.campaign_id}/as/{table.player.account_id}/table"
    assert "Treason" not in table.gm.client.get(read_as, headers=table.gm.headers).text
    assert table.seq == before
    assert "Treason" not in table.gm.get(f"{table.path}/export").text
    assert "Treason" not in table.player.get(f"{table.path}/export").text
    stranger = Person(table.gm.client, "Nobody")
    answer = stranger.get(f"{table.path}/dice/saved")
    assert (answer.status_code, answer.json()["code"]) == (404, "campaign_not_found")


def test_an_accounts_data_has_them(table):
    save(table, table.player, "Sword", "1d20+5")
    [campaign] = table.player.get("/accounts/me/data").json()["campaigns"]
    assert campaign["saved_rolls"] == [{"name": "Sword", "notation": "1d20+5"}]
    [campaign] = table.gm.get("/accounts/me/data").json()["campaigns"]
    assert campaign["saved_rolls"] == []
