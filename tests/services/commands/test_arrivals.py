"""A player asks to bring a character in, and a GM agrees: over HTTP, open and hidden, undone and done again."""

from typing import Any

import pytest

from tests.services.conftest import Person, Table
from tests.services.hiding import another_player

WORDS = "Ran from home."
SHEET = {"name": "Jun", "currency": 999_999, "background": WORDS}


@pytest.fixture
def hangar(table: Table) -> Table:
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    return table


def asked(table: Table, who: Person, visibility: str = "all") -> Any:
    body = {
        "command": {"type": "campaign.adopt_character", "system": "frame_state", "sheet": SHEET},
        "visibility": visibility,
    }
    done = who.post(f"{table.path}/actions", body)
    assert done.status_code == 201, done.text
    return done.json()


def pilots(table: Table, who: Person) -> list[str]:
    return [each["name"] for each in who.get(f"{table.path}/sheets").json()["sheets"]]


def possible(table: Table, who: Person) -> dict[str, Any]:
    found: dict[str, Any] = who.get(f"{table.path}/commands").json()
    return found


def names(found: dict[str, Any]) -> set[str]:
    return {each["command"] for each in found["commands"]}


def test_a_gm_reads_what_comes_along_and_agrees(hangar):
    done = asked(hangar, hangar.player)
    arrival = done["events"][0]["arrival"]
    assert pilots(hangar, hangar.player) == []
    [waits] = possible(hangar, hangar.gm)["waiting"]
    assert "999,999 credits" in waits["sentence"]
    assert {"campaign.agree_to_arrival", "campaign.decline_arrival"} <= names(possible(hangar, hangar.gm))
    offered = names(possible(hangar, hangar.player))
    assert "campaign.decline_arrival" in offered
    assert "campaign.agree_to_arrival" not in offered
    assert hangar.refused(hangar.player, "campaign.agree_to_arrival", arrival=arrival) == (403, "gm_only")
    hangar.act(hangar.gm, "campaign.agree_to_arrival", arrival=arrival)
    assert pilots(hangar, hangar.player) == ["Jun"]


def test_what_is_asked_hidden_is_agreed_to_hidden(hangar):
    jun = another_player(hangar)
    done = asked(hangar, hangar.player, f"account:{hangar.player.account_id}")
    arrival = done["events"][0]["arrival"]
    hangar.act(hangar.gm, "campaign.agree_to_arrival", arrival=arrival)
    assert pilots(hangar, hangar.player) == pilots(hangar, hangar.gm) == ["Jun"]
    assert pilots(hangar, jun) == []
    assert "Jun" not in jun.get(f"{hangar.path}/chronicle").text


def test_the_undo_of_the_agreement_lets_it_wait_again_and_that_of_the_asking_takes_both(hangar):
    done = asked(hangar, hangar.player)
    arrival = done["events"][0]["arrival"]
    for _ in range(2):
        agreed = hangar.act(hangar.gm, "campaign.agree_to_arrival", arrival=arrival)["action_id"]
        undone = hangar.gm.post(f"{hangar.path}/actions/{agreed}/undo", {})
        assert undone.status_code == 201, undone.text
        assert pilots(hangar, hangar.gm) == []
        assert len(possible(hangar, hangar.gm)["waiting"]) == 1
    hangar.act(hangar.gm, "campaign.agree_to_arrival", arrival=arrival)
    undone = hangar.gm.post(f"{hangar.path}/actions/{done['action_id']}/undo", {"cascade": True})
    assert undone.status_code == 201, undone.text
    assert pilots(hangar, hangar.gm) == []
    assert possible(hangar, hangar.gm)["waiting"] == []


def test_an_earlier_undo_leaves_adoptions_as_they_were_before_the_setting_changed(hangar):
    noted = hangar.act(hangar.gm, "campaign.add_note", text="Rain.")["action_id"]
    hangar.act(hangar.gm, "campaign.set_setting", key="campaign.adoption_approval", value="none")
    asked(hangar, hangar.player)
    hangar.act(hangar.gm, "campaign.set_setting", key="campaign.adoption_approval", value=None)
    arrival = asked(hangar, hangar.player)["events"][0]["arrival"]
    hangar.act(hangar.gm, "campaign.agree_to_arrival", arrival=arrival)
    undone = hangar.gm.post(f"{hangar.path}/actions/{noted}/undo", {}).json()
    assert [each["type"] for each in undone["events"]] == ["campaign.action_undone"]


def test_the_words_of_a_sheet_are_its_players_also_where_a_gm_agreed(hangar):
    done = asked(hangar, hangar.player)
    arrival = done["events"][0]["arrival"]
    agreed = hangar.act(hangar.gm, "campaign.agree_to_arrival", arrival=arrival)["action_id"]
    assert WORDS in hangar.gm.get(f"{hangar.path}/actions/{agreed}").text
    jun = another_player(hangar)
    refused = jun.send("DELETE", f"{hangar.path}/actions/{agreed}/texts")
    assert refused.json()["code"] == "not_your_words"
    gone = hangar.player.send("DELETE", f"{hangar.path}/actions/{done['action_id']}/texts")
    assert gone.status_code == 200, gone.text
    for action in (agreed, done["action_id"]):
        assert WORDS not in hangar.gm.get(f"{hangar.path}/actions/{action}").text
    assert hangar.gm.get(f"{hangar.path}/verify").json()["sound"]
