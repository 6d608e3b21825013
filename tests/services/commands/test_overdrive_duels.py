"""Duels over HTTP: a side waits for its own player, and for a GM once that player is gone."""

from typing import Any

import pytest

from tests.services.conftest import Person, Table


class Square(Table):
    """Mara and Jun, each with a player, and a GM who looks on."""

    def __init__(self, table: Table) -> None:
        founded = table.gm.post("/campaigns", {"name": "Harrow", "systems": ["overdrive"]}).json()
        super().__init__(table.gm, table.player, founded["campaign_id"])
        self.other = Person(table.gm.client, "Jun's player")
        for who in (self.player, self.other):
            code = self.gm.post(f"{self.path}/invites", {"role": "player"}).json()["code"]
            assert who.post(f"/invites/{code}/accept").status_code == 201
        made = [
            self.act(who, "overdrive.create_character", name=name, stats={"will": 2}, od_start=3)
            for who, name in ((self.player, "Mara"), (self.other, "Jun"))
        ]
        self.mara, self.jun = (each["events"][0]["character_id"] for each in made)
        self.account = self.other.account_id

    def challenge(self) -> Any:
        mara = {"character": self.mara, "use": "stat:will", "skill": "social"}
        return self.act(
            self.player, "overdrive.start_duel", sides=[mara, {"character": self.jun}], stakes="the keys"
        )

    def pending(self, who: Person) -> list[tuple[str, str, Any]]:
        view = who.get(self.path).json()["pending"]
        return [(each["kind"], each["subject"], each["waits_for"]) for each in view]

    def story(self, who: Person) -> Any:
        return who.get(f"{self.path}/boards/overdrive/story").json()


@pytest.fixture
def square(table: Table) -> Square:
    return Square(table)


def test_a_challenged_player_rolls_with_what_the_board_offers(square):
    square.challenge()
    for who in (square.gm, square.player, square.other):
        assert square.pending(who) == [("roll_duel", square.jun, square.account)]
        assert [each["told"] for each in square.story(who)["waits_for"]] == [
            "Jun rolls for the duel, or backs out"
        ]
    [entry] = square.story(square.other)["waits_for"]
    answer = entry["answers"][0]["command"]
    rolled = square.act(square.other, answer.pop("type"), **answer)
    assert [each["type"] for each in rolled["events"]][-1] == "overdrive.duel_started"
    assert square.pending(square.gm)[0][0] in {"duel_raise", "duel_fold"}


def test_what_waits_for_a_removed_player_waits_for_a_gm_who_may_act_and_is_told_how_to_go_on(square):
    square.challenge()
    assert square.gm.send("DELETE", f"{square.path}/members/{square.account}").status_code == 204
    assert square.pending(square.gm) == [("roll_duel", square.jun, None)]
    board = square.story(square.gm)
    [entry] = board["waits_for"]
    assert (entry["waits_for"], entry["kind"]) == (None, "roll_duel")
    assert "a GM answers instead, or hands the character to another member" in entry["told"]
    answer = entry["answers"][0]["command"]
    square.act(square.gm, answer.pop("type"), **answer)


def test_a_challenge_is_undone_with_the_roll_that_answered_it(square):
    challenge = square.challenge()["action_id"]
    square.act(square.other, "overdrive.roll_duel", use="stat:will", skill="social")
    refused = square.gm.post(f"{square.path}/actions/{challenge}/undo", {"reason": "not today"})
    assert (refused.status_code, refused.json()["code"]) == (409, "has_dependents")
    undone = square.gm.post(f"{square.path}/actions/{challenge}/undo", {"reason": "not today", "cascade": True})
    assert undone.status_code == 201, undone.text
    assert square.pending(square.gm) == []
    assert square.story(square.gm)["duel"] is None
