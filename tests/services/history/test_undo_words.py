"""An undo says what happened, in the campaign's words: one line however much went, and nothing that is hidden."""

import re
from typing import Any

import pytest

from tests.services.conftest import Person, Table
from tests.services.hiding import another_player, bought_in_secret
from tests.services.pilots import award, mara
from tests.services.undoing import undo

__all__ = ["mara"]

ID = re.compile(r"\b[a-z_]+-[0-9a-f]{12}\b|[0-9a-f]{8}-[0-9a-f]{4}-")


def entry(table: Table, who: Person, action: str) -> Any:
    return who.get(f"{table.path}/actions/{action}").json()["action"]


def paid_often(table: Table) -> str:
    """A pilot who is paid 35 times: the action that made her."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    made = table.act(table.player, "frame_state.create_pilot", name="Mara")
    for amount in range(1, 36):
        award(table, made["events"][0]["pilot_id"], amount)
    action: str = made["action_id"]
    return action


@pytest.mark.parametrize(
    ("language", "begins", "ends"),
    [
        ("en", "Undone: A new pilot reports for duty: Mara", " … and 32 more that followed from it"),
        ("fr", "Annulé\u00a0: Nouveau pilote\u00a0: Mara", " … et 32 autres qui en découlaient"),
    ],
)
def test_what_many_actions_followed_from_is_one_line_and_each_of_them_is_read_by_name(
    table, language, begins, ends
):
    table.act(table.gm, "campaign.set_setting", key="campaign.language", value=language)
    made = paid_often(table)
    undone = undo(table, table.gm, made, cascade=True, confirm=35, reason="Jun").json()
    [told] = undone["summary"]
    assert told.startswith(begins)
    assert told.endswith(ends)
    assert told.count("(Jun)") == 1
    assert not ID.search(told)
    assert entry(table, table.player, undone["action_id"])["summary"] == [told]
    chronicle = table.player.get(f"{table.path}/actions", params={"limit": 500}).json()["actions"]
    struck = [each for each in chronicle if each["undone_in"] == undone["action_id"]]
    assert len(struck) == 36
    assert [each["summary"] for each in struck if ID.search(str(each["summary"]))] == []
    page = table.player.get(f"{table.path}/actions", params={"after": struck[-1]["seq"] - 1}).json()["actions"]
    assert page[0]["summary"] == struck[-1]["summary"], "also where the page begins after she was made"
    compared = table.gm.get(f"{table.path}/diff", params={"from": struck[-1]["seq"]}).json()["actions"]
    assert compared[-1]["summary"] == [told]
    preview = undo(table, table.gm, made, "redo", dry_run=True).json()["redone"]
    assert [each["summary"] for each in preview] == [each["summary"] for each in struck]


def test_a_redo_says_what_came_back_and_a_request_what_it_asks_for(table: Table, mara: str):
    earned = award(table, mara, 800)
    table.act(table.player, "frame_state.advance_category", pilot=mara, category="skills")
    answer = undo(table, table.player, earned, "undo-request").json()
    [told] = entry(table, table.gm, answer["action_id"])["summary"]
    assert told == "Mara asks to undo: Mara was paid 800 credits (a find) and has 900"
    assert answer["summary"] == [told]
    declined = undo(table, table.gm, earned, "undo-request/decline").json()["summary"]
    [stays] = table.gm.get(f"{table.path}/actions").json()["actions"][-1]["summary"]
    assert stays.endswith("it was asked for: Mara was paid 800 credits (a find) and has 900")
    assert declined == [stays]
    undone = undo(table, table.gm, earned, cascade=True).json()["summary"]
    assert len(undone) == 1
    redone = undo(table, table.gm, earned, "redo").json()
    assert redone["summary"] == [
        undone[0].replace("Undone:", "Redone:").replace("Undone with it", "Redone with it")
    ]
    assert entry(table, table.gm, redone["action_id"])["summary"] == redone["summary"]


def test_nobody_is_told_what_went_hidden_nor_how_much_it_was(table: Table, mara: str):
    earned = award(table, mara, 800)
    bought_in_secret(table, mara)
    other = another_player(table)
    undone = undo(table, table.gm, earned, cascade=True).json()["action_id"]
    told = [entry(table, who, undone)["summary"] for who in (table.gm, table.player, other)]
    assert "Undone with it: Mara" in told[0][0]
    assert told[0] == told[1], "the one who bought it"
    assert told[2] == [
        "Undone: Mara was paid 800 credits (a find) and has 900",
        "Something happened that you cannot see",
    ]


def recap(table: Table) -> Any:
    return table.player.get(f"{table.path}/recap").json()


def test_a_recap_has_one_line_for_an_undo_and_none_once_it_is_redone(table: Table, mara: str):
    earned = award(table, mara, 800)
    table.act(table.player, "frame_state.advance_category", pilot=mara, category="skills")
    table.act(table.gm, "campaign.start_session")
    as_nothing_had_been = recap(table)["text"]
    undone = undo(table, table.gm, earned, cascade=True).json()["summary"]
    assert recap(table)["parts"][0]["sentences"] == undone
    undo(table, table.gm, earned, "redo")
    assert recap(table)["text"] == as_nothing_had_been
    undo(table, table.gm, earned, cascade=True)
    assert recap(table)["parts"][0]["sentences"] == undone


def test_what_an_earlier_session_left_is_told_as_undone_or_redone(table: Table, mara: str):
    earned = award(table, mara, 800)
    table.act(table.gm, "campaign.start_session")
    [undone] = undo(table, table.gm, earned).json()["summary"]
    table.act(table.gm, "campaign.end_session")
    table.act(table.gm, "campaign.start_session")
    [redone] = undo(table, table.gm, earned, "redo").json()["summary"]
    assert undone in table.player.get(f"{table.path}/recap", params={"session": 1}).json()["text"]
    assert recap(table)["parts"][0]["sentences"] == [redone]


def test_words_that_are_erased_are_not_quoted_to_who_asks_for_the_undo_again(table: Table):
    note = table.act(table.player, "campaign.add_note", text="Zibeline")["action_id"]
    path, key = f"{table.path}/actions/{note}/undo", {"Idempotency-Key": "k"}
    assert table.gm.post(path, {}, headers=key).json()["summary"] == ["Undone: Note: Zibeline"]
    assert table.player.send("DELETE", f"{table.path}/actions/{note}/texts").status_code == 200
    again = table.gm.post(path, {}, headers=key)
    assert (again.status_code, again.json()["summary"]) == (201, ["Undone: an earlier action"])
    assert "Zibeline" not in table.gm.get(f"{table.path}/actions").text


def test_a_long_quotation_ends_before_the_name_of_a_member(table: Table):
    note = table.act(table.gm, "campaign.add_note", text=f"{'x' * 191} Mara was here")["action_id"]
    [told] = undo(table, table.gm, note).json()["summary"]
    assert told == f"Undone: Note: {'x' * 191}…"


def test_an_answer_that_is_kept_quotes_nothing_that_could_be_erased_later(table: Table):
    note = table.act(table.player, "campaign.add_note", text="Zibeline")["action_id"]
    undo(table, table.player, note, "undo-request")
    wish, key = {"command": {"type": "campaign.decline_undo", "action_id": note}}, {"Idempotency-Key": "k"}
    first = table.gm.post(f"{table.path}/actions", wish, headers=key)
    assert table.player.send("DELETE", f"{table.path}/actions/{note}/texts").status_code == 200
    again = table.gm.post(f"{table.path}/actions", wish, headers=key)
    assert (first.status_code, again.status_code) == (201, 201)
    assert "Zibeline" not in again.text


def test_words_that_are_erased_are_not_quoted_where_their_action_was_only_affected(table: Table):
    days = table.act(table.gm, "campaign.advance_calendar", by={"days": 2})["action_id"]
    rest = table.act(table.gm, "campaign.start_downtime", reason="Zibeline rests", span={"days": 3})["action_id"]
    path, key = f"{table.path}/actions/{days}/undo", {"Idempotency-Key": "k"}
    first = table.gm.post(path, {"cascade": True}, headers=key)
    assert "Zibeline" in first.text
    assert table.gm.send("DELETE", f"{table.path}/actions/{rest}/texts").json()["texts"] == 1
    again = table.gm.post(path, {"cascade": True}, headers=key)
    assert again.status_code == 201
    assert "Zibeline" not in again.text
