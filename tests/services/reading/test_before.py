"""Characters who left the story: they stand under before, act no more, and can come back."""

from typing import Any

import pytest

from tests.services.conftest import Table, table_at
from tests.services.hiding import all_read_by, hidden
from tests.services.pilots import award, credits_of, mara
from tests.services.undoing import everything, undo

__all__ = ["mara"]

RETIRE, BACK = "campaign.retire_character", "campaign.bring_character_back"


def fates(table: Table, **params: Any) -> dict[str, str | None]:
    sheets = table.player.get(f"{table.path}/sheets", params=params).json()["sheets"]
    return {sheet["name"]: sheet.get("fate") for sheet in sheets}


def player_of(table: Table, pilot: str) -> Any:
    sheets = table.gm.get(f"{table.path}/sheets").json()["sheets"]
    return next(sheet["player"] for sheet in sheets if sheet["character"] == pilot)


def test_who_left_the_story_acts_no_more_is_not_offered_and_comes_back(table: Table, mara: str):
    proposes = {"dice": [{"attribute": "sharpness"}]}
    table.act(table.player, "frame_state.propose_test", **proposes)
    assert table.refused(table.player, RETIRE, character=mara, fate="gone") == (403, "gm_only")
    gone = table.act(table.gm, RETIRE, character=mara, fate="dead", reason="The airlock.")
    assert gone["summary"][0] == "Mara is dead: The airlock."
    assert fates(table) == {"Mara": "dead"}
    assert player_of(table, mara) is None
    for who in (table.player, table.gm):
        refused = table.refused(who, "frame_state.propose_test", pilot=mara, **proposes)
        assert refused == (422, "character_retired")
    assert table.refused(table.gm, "frame_state.award_currency", pilot=mara, amount=1, reason="x")[1] == (
        "character_retired"
    )
    table.act(table.player, "frame_state.create_pilot", name="Moth")
    told = table.act(table.player, "frame_state.propose_test", **proposes)["summary"]
    assert "Moth" in told[0], "the only one left is meant"
    offers = table.gm.get(f"{table.path}/commands").json()["commands"]
    assert [
        offer["command"]
        for offer in offers
        if offer["command"].startswith("frame_state.") and mara in str(offer["example"])
    ] == []
    acts = table.gm.get(f"{table.path}/sheets/{mara}").json()["acts"]
    commands = {act["command"] for place in acts.values() for act in place}
    assert BACK in commands
    assert [command for command in commands if command.startswith("frame_state.")] == []
    assert table.refused(table.gm, "campaign.assign_character", character=mara, player=table.player.account_id)[
        1
    ] == ("character_retired")
    assert table.refused(table.player, BACK, character=mara) == (403, "gm_only")
    table.act(table.gm, BACK, character=mara)
    assert fates(table) == {"Mara": None, "Moth": None}
    assert player_of(table, mara) == table.player.account_id
    assert table.refused(table.gm, BACK, character=mara)[1] == "not_retired"


def test_what_is_for_everybody_leaves_out_who_left(client: Any):
    table = table_at(client, system="angst")
    cores = dict.fromkeys(("physical", "mental", "social", "resolve"), "d6")
    ids = [
        table.act(table.gm, "angst.create_character", name=name, cores=cores)["events"][0]["character"]
        for name in ("Noa", "Jory")
    ]
    table.act(table.gm, RETIRE, character=ids[0], fate="gone")
    reached = table.act(table.gm, "angst.reach_milestone")
    assert reached["events"][0]["characters"] == [ids[1]]


def test_a_purse_goes_to_nobody_who_is_not_there(table: Table, mara: str):
    award(table, mara, 40)
    for nobody in ("pilot:pilot-000000000000", "member:nope", "escrow:foo"):
        refused = table.refused(table.gm, RETIRE, character=mara, fate="gone", purse_to=nobody)
        assert refused == (422, "unknown_account")
    table.act(table.gm, RETIRE, character=mara, fate="gone", purse_to="bank")
    assert table.refused(table.gm, RETIRE, character=mara, fate="gone", purse_to="bank")[1] == "already_retired"


@pytest.mark.parametrize("to", ["crew", "pilot"])
def test_a_gm_settles_the_purse_and_the_books_balance(table: Table, mara: str, to: str):
    award(table, mara, 40)
    heir = table.act(table.gm, "frame_state.create_pilot", name="Moth")["events"][0]["pilot_id"]
    table.act(
        table.gm,
        "campaign.post_entry",
        currency="salt",
        debit="world:sea",
        credit="crew",
        amount=1,
        reason="x",
        new=True,
    )
    table.act(
        table.gm,
        "campaign.post_entry",
        currency="salt",
        debit="crew",
        credit=f"pilot:{mara}",
        amount=1,
        reason="x",
    )
    before = everything(table, table.player)
    account = "crew" if to == "crew" else f"pilot:{heir}"
    gone = table.act(table.gm, RETIRE, character=mara, fate="gone", purse_to=account)["action_id"]
    heirs = "crew" if to == "crew" else "Moth"
    assert f"Mara has left the story, and {heirs} gets the purse" in str(
        table.gm.get(f"{table.path}/actions/{gone}").json()["action"]["summary"]
    )
    assert credits_of(table, mara) == 0
    held = {
        (each["account"], each["currency"]): each["balance"]
        for each in table.gm.get(f"{table.path}/ledger/accounts").json()["accounts"]
    }
    assert held[account, "salt"] == 1
    assert held[account, "credits"] == (140 if to == "crew" else 240)
    assert table.gm.get(f"{table.path}/verify").status_code == 200
    assert table.gm.get(table.path).json().get("alarm") is None
    assert table.refused(table.gm, RETIRE, character=mara, fate="gone")[1] == "already_retired"
    assert undo(table, table.gm, gone).status_code == 201
    assert everything(table, table.player) == before
    assert undo(table, table.gm, gone, "redo").status_code == 201
    assert fates(table)["Mara"] == "gone"


def test_what_a_character_does_in_downtime_stops_and_timers_about_them_are_cancelled(table: Table, mara: str):
    table.act(table.gm, "campaign.start_downtime")
    table.act(
        table.player, "campaign.plan_activity", character=mara, kind="train", title="Drill", takes={"days": 2}
    )
    remind = {"type": "remind"}
    table.act(table.gm, "campaign.schedule_timer", title="Pay", after={"days": 1}, character=mara, effect=remind)
    table.act(table.gm, "campaign.schedule_timer", title="Bell", after={"days": 1}, effect=remind)
    told = table.act(table.gm, RETIRE, character=mara, fate="gone")["summary"]
    assert told[0] == "Mara has left the story"
    assert any("Drill" in line for line in told)
    assert [timer["title"] for timer in table.gm.get(f"{table.path}/timers").json()["timers"]] == ["Bell"]


def test_nobody_learns_that_a_hidden_one_left_before_it_enters_play(table: Table, mara: str):
    made = hidden(table, "frame_state.create_pilot", name="Wraith")
    pilot = table.gm.get(f"{table.path}/actions/{made}").json()["events"][0]["pilot_id"]
    gone = hidden(table, RETIRE, character=pilot, fate="dead", reason="Nobody saw it.")
    read = all_read_by(table, table.player, made, gone)
    assert "Wraith" not in read
    assert "Nobody saw" not in read
    assert fates(table) == {"Mara": None}
    assert table.refused(table.player, RETIRE, character=pilot, fate="dead")[1] in ("gm_only", "unknown_character")
    table.act(table.gm, "campaign.enter_play", subject=pilot)
    assert fates(table) == {"Mara": None, "Wraith": "dead"}


def test_a_copy_of_the_campaign_and_its_past_know_who_left(table: Table, mara: str):
    seq = table.act(table.gm, RETIRE, character=mara, fate="gone")["events"][0]["seq"]
    copied = table.gm.send("POST", "/campaigns/import", content=table.gm.get(f"{table.path}/export").content)
    assert copied.status_code == 201, copied.text
    copy = Table(table.gm, table.gm, copied.json()["campaign_id"])
    assert fates(copy) == {"Mara": "gone"}
    assert fates(table, at=seq - 1) == {"Mara": None}
