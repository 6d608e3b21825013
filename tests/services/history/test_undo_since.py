"""Undo of all since a moment, or of several actions that are named, as one action that one redo takes back."""

from typing import Any

import pytest

from tests.services.conftest import Person, Table
from tests.services.days import pass_days, schedule
from tests.services.hiding import another_player, hidden
from tests.services.pilots import award, credits_of, earn_and_spend, mara
from tests.services.undoing import everything, undo

__all__ = ["mara"]


def seq_of(table: Table, action: str) -> int:
    seq: int = table.gm.get(f"{table.path}/actions/{action}").json()["events"][-1]["seq"]
    return seq


def undo_since(table: Table, who: Person, **body: Any) -> Any:
    return who.post(f"{table.path}/undo_since", body)


def ids(actions: list[Any]) -> list[str]:
    return [action["action_id"] for action in actions]


def test_all_since_a_moment_goes_as_one_action_and_one_redo_brings_it_back(table: Table, mara: str):
    kept = award(table, mara, 40)
    then = everything(table, table.player)
    earned, bought = earn_and_spend(table, mara)
    note = table.act(table.player, "campaign.add_note", text="What a day.")["action_id"]
    now = everything(table, table.player)
    gone = undo_since(table, table.gm, after=seq_of(table, kept), reason="a dream")
    assert gone.status_code == 201, gone.text
    assert [(event["action_id"], event["because"]) for event in gone.json()["events"]] == [
        (action, "asked") for action in (earned, bought, note)
    ]
    assert [event.get("reason") for event in gone.json()["events"]] == ["a dream", None, None]
    assert everything(table, table.player) == then
    back = undo(table, table.gm, note, "redo")
    assert [event["action_id"] for event in back.json()["events"]] == [earned, bought, note]
    assert everything(table, table.player) == now
    again = undo(table, table.gm, back.json()["action_id"])
    assert [event["action_id"] for event in again.json()["events"]] == [earned, bought, note]
    assert everything(table, table.player) == then
    assert undo(table, table.gm, again.json()["action_id"]).status_code == 201
    assert everything(table, table.player) == now
    assert undo(table, table.gm, gone.json()["action_id"], "redo").status_code == 201, "the undo counts again"
    assert everything(table, table.player) == then


def test_the_preview_says_what_goes_and_what_stays_and_changes_nothing(table: Table, mara: str):
    kept = award(table, mara, 40)
    gone = award(table, mara, 7)
    before = award(table, mara, 9)
    undo_of_it = undo(table, table.gm, before).json()["action_id"]
    another_player(table)
    now = everything(table, table.gm)
    shown = undo_since(table, table.gm, after=seq_of(table, kept), dry_run=True)
    assert shown.status_code == 200, shown.text
    preview = shown.json()
    assert ids(preview["undone"]) == [gone]
    assert undo_of_it in ids(preview["stays"])
    assert any("joined" in " ".join(action["summary"]) for action in preview["stays"])
    assert {action["because"] for action in preview["stays"]} == {"stays"}
    assert everything(table, table.gm) == now
    done = undo_since(table, table.gm, after=seq_of(table, kept), shown=preview["shown"])
    assert [event["action_id"] for event in done.json()["events"]] == [gone]
    award(table, mara, 1)
    stale = undo_since(table, table.gm, after=seq_of(table, kept), shown=preview["shown"])
    assert (stale.status_code, stale.json()["code"]) == (409, "confirm_cascade")


def test_some_that_are_named_go_together_and_take_along_what_rests_on_them(table: Table, mara: str):
    first, second = award(table, mara, 7), award(table, mara, 9)
    earned, bought = earn_and_spend(table, mara)
    refused = undo_since(table, table.gm, action_ids=[first, earned])
    assert (refused.status_code, refused.json()["code"]) == (409, "has_dependents")
    assert ids(refused.json()["details"]["dependents"]) == [bought]
    gone = undo_since(table, table.gm, action_ids=[earned, first, first], cascade=True)
    assert [(event["action_id"], event["because"]) for event in gone.json()["events"]] == [
        (first, "asked"),
        (earned, "asked"),
        (bought, "depends"),
    ]
    assert credits_of(table, mara) == 109
    assert undo_since(table, table.gm, action_ids=[second, first]).json()["code"] == "already_undone"


def test_many_are_undone_only_with_their_number(table: Table, mara: str):
    kept = seq_of(table, award(table, mara, 1))
    for _ in range(21):
        award(table, mara, 1)
    refused = undo_since(table, table.gm, after=kept)
    assert (refused.json()["code"], refused.json()["details"]["count"]) == ("confirm_cascade", 21)
    assert undo_since(table, table.gm, after=kept, confirm=20).json()["code"] == "confirm_cascade"
    assert undo_since(table, table.gm, after=kept, confirm=21).status_code == 201


def test_what_was_undone_again_meanwhile_stays_so_when_the_rest_of_a_redo_is_undone(table: Table, mara: str):
    first, second, third = (award(table, mara, amount) for amount in (7, 9, 11))
    undo_since(table, table.gm, action_ids=[first, second, third])
    back = undo(table, table.gm, first, "redo").json()["action_id"]
    undo(table, table.gm, first)
    gone = undo(table, table.gm, back)
    assert [event["action_id"] for event in gone.json()["events"]] == [second, third]


def test_what_happened_by_itself_is_undone_with_what_caused_it_and_not_alone(table: Table, mara: str):
    schedule(table)
    passed = pass_days(table, 2)
    [fired] = [
        action["action_id"]
        for action in table.gm.get(f"{table.path}/actions").json()["actions"]
        if action["type"] == "campaign.fire_timer"
    ]
    refused = undo_since(table, table.gm, action_ids=[fired])
    assert (refused.status_code, refused.json()["code"]) == (409, "happened_by_itself")
    gone = undo_since(table, table.gm, action_ids=[fired, passed])
    assert {event["action_id"]: event["because"] for event in gone.json()["events"]} == {
        passed: "asked",
        fired: "caused",
    }


def test_what_is_asked_for_wrongly_is_refused_and_says_why(table: Table, mara: str):
    last = seq_of(table, award(table, mara, 1))
    for who, body, wanted in (
        (table.player, {"after": 1}, (403, "gm_only")),
        (table.gm, {"after": last}, (409, "nothing_to_undo")),
        (table.gm, {"after": last + 1}, (404, "moment_not_reached")),
        (table.gm, {}, (422, "one_of_both")),
        (table.gm, {"after": 1, "action_ids": [mara]}, (422, "one_of_both")),
        (table.gm, {"action_ids": [mara]}, (404, "action_not_found")),
        (table.gm, {"after": -1}, (400, "malformed")),
    ):
        refused = undo_since(table, who, **body)
        assert (refused.status_code, refused.json()["code"]) == wanted, body


def test_an_action_is_never_cut_in_two_wherever_the_moment_lies(table: Table, mara: str):
    notes = [{"type": "campaign.add_note", "text": text} for text in ("One.", "Two.")]
    several = table.gm.post(f"{table.path}/actions", {"commands": notes}).json()
    assert several["seq"] > 1
    last = award(table, mara, 1)
    gone = undo_since(table, table.gm, after=seq_of(table, several["action_id"]) - 1)
    assert [event["action_id"] for event in gone.json()["events"]] == [last]


@pytest.mark.parametrize("hidden_first", [True, False])
def test_the_others_read_of_what_they_knew_and_not_of_what_was_hidden(table: Table, mara: str, hidden_first):
    kept, other = seq_of(table, award(table, mara, 1)), another_player(table)
    acts = [lambda: hidden(table, "campaign.add_note", text="A secret."), lambda: award(table, mara, 7)]
    for act in acts if hidden_first else reversed(acts):
        act()
    before = credits_of(table, mara)
    gone = undo_since(table, table.gm, after=kept, reason="a dream").json()["action_id"]
    assert credits_of(table, mara) == before - 7
    read = other.get(f"{table.path}/actions/{gone}").text
    assert "Undone: Mara was paid 7 credits" in read
    assert "a dream" in read
    assert "secret" not in read


def test_what_has_entered_play_since_stays_and_so_does_what_made_it(table: Table, mara: str):
    kept = seq_of(table, award(table, mara, 1))
    made = hidden(table, "frame_state.create_pilot", name="Vex")
    seen = table.act(table.gm, "campaign.add_note", text="Who is that?")["action_id"]
    pilot = table.gm.get(f"{table.path}/actions/{made}").json()["events"][0]["pilot_id"]
    table.act(table.gm, "campaign.enter_play", subject=pilot)
    preview = undo_since(table, table.gm, after=kept, dry_run=True).json()
    gone = undo_since(table, table.gm, after=kept).json()
    assert [event["action_id"] for event in gone["events"]] == ids(preview["undone"])
    assert ids(preview["undone"]) == [seen]
    assert made in ids(preview["stays"])
    assert pilot in another_player(table).get(f"{table.path}/sheets").text
