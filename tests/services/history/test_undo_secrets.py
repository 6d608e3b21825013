"""Undo tells nobody what is hidden from them, and gives players no more than they may do (invariant 23)."""

from tests.services.conftest import Table
from tests.services.days import balances, board, pass_days, schedule
from tests.services.hiding import all_read_by, another_player, bought_in_secret, hidden
from tests.services.pilots import award, credits_of, earn_and_spend, mara
from tests.services.undoing import undo

__all__ = ["mara"]


def test_what_goes_along_hidden_with_an_open_action_stays_hidden_in_every_telling(table: Table, mara: str):
    earned = award(table, mara, 800)
    secret = bought_in_secret(table, mara)
    undone = undo(table, table.gm, earned, cascade=True).json()
    assert [event["because"] for event in undone["events"]] == ["asked", "depends"]
    read = all_read_by(table, another_player(table), secret, undone["action_id"])
    assert "Undone: Mara was paid 800 credits" in read
    assert "Undone with it" not in read
    assert "more that followed" not in read
    assert "advance_category" not in read
    assert "advance category" not in read


def test_an_open_action_is_not_found_by_what_is_hidden_in_it(table: Table, mara: str):
    """Whatever was undone would be listed by whether that touched something hidden."""
    earned = award(table, mara, 800)
    bought_in_secret(table, mara)
    other = another_player(table)
    undone = undo(table, table.gm, earned, cascade=True).json()["action_id"]
    events = other.get(f"{table.path}/actions/{undone}").json()["events"]
    assert [each["type"] for each in events] == ["campaign.action_undone", "campaign.hidden"]
    for kind, found in (("campaign.hidden", []), ("campaign.action_undone", [undone])):
        for more in ({}, {"text": "Undone"}):
            page = other.get(f"{table.path}/actions", params={"type": kind, **more}).json()["actions"]
            assert [each["action_id"] for each in page] == found, (kind, more)


def test_the_request_for_an_undo_does_not_tell_how_much_went_hidden(table: Table, mara: str):
    earned = award(table, mara, 800)
    bought_in_secret(table, mara)
    key = {"Idempotency-Key": "k"}
    path, body = f"{table.path}/actions/{earned}/undo", {"cascade": True, "confirm": 1, "reason": "a slip"}
    first, again = (table.gm.post(path, body, headers=key) for _ in range(2))
    assert (first.status_code, again.json()) == (201, first.json())
    other = table.gm.post(path, body | {"confirm": 2}, headers=key)
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")
    read = all_read_by(table, another_player(table)) + table.gm.get(f"{table.path}/export").text
    assert "campaign.undo_action" in read
    assert "a slip" in read
    for said in ('"cascade":true', '"confirm":1'):
        assert said not in read.replace("\\", "")


def test_an_open_roll_does_not_tell_of_a_hidden_one_that_was_undone(table: Table):
    first = hidden(table, "campaign.roll", notation="d6")
    undo(table, table.gm, first)
    again = table.act(table.gm, "campaign.roll", notation="d6")
    assert [event["type"] for event in again["events"]] == ["campaign.dice_rolled"]
    assert again["events"][0]["dice"][0]["proof"] == "open:1:0", "nor does its die fall openly"


def test_a_hidden_roll_does_not_settle_an_open_one_that_was_undone(table: Table):
    first = table.act(table.gm, "campaign.roll", notation="d6")["action_id"]
    undo(table, table.gm, first)
    hidden(table, "campaign.roll", notation="d6")
    again = table.act(table.gm, "campaign.roll", notation="d6")
    assert [event["type"] for event in again["events"]] == ["campaign.dice_rolled", "campaign.dice_came_back"]
    assert again["events"][0]["dice"][0]["proof"] == "open:1:0"


def test_who_may_not_read_an_action_hears_nothing_of_the_request_to_undo_it(table: Table):
    other = another_player(table)
    own = f"account:{table.player.account_id}"
    secret = hidden(table, "campaign.roll", who=table.player, seen_by=own, notation="d6")
    assert undo(table, table.player, secret, "undo-request", reason="wrong die").status_code == 201
    declined = undo(table, other, secret, "undo-request/decline")
    assert (declined.status_code, declined.json()["code"]) == (404, "action_not_found")
    assert undo(table, table.gm, secret, "undo-request/decline", reason="your mole is lucky").status_code == 201
    assert "your mole" in all_read_by(table, table.player)
    assert "your mole" not in all_read_by(table, other)


def test_the_reason_of_a_redo_is_told_to_whoever_may_read_what_it_is_about(table: Table, mara: str):
    earned = award(table, mara, 800)
    secret = bought_in_secret(table, mara)
    undo(table, table.gm, earned, cascade=True)
    assert undo(table, table.gm, secret, "redo", reason="the mole needs it").status_code == 201
    assert "the mole needs it" in all_read_by(table, table.gm)
    assert "the mole needs it" not in all_read_by(table, another_player(table))


def test_players_redo_only_what_they_undid_themselves(table: Table, mara: str):
    noted = table.act(table.player, "campaign.add_note", text="a")["action_id"]
    undo(table, table.gm, noted)
    refused = undo(table, table.player, noted, "redo")
    assert (refused.status_code, refused.json()["code"]) == (403, "not_your_undo")
    assert undo(table, table.gm, noted, "redo").status_code == 201
    assert undo(table, table.player, noted).status_code == 201
    assert undo(table, table.player, noted, "redo").status_code == 201


def test_a_player_does_not_bring_back_a_reward_by_redoing_what_it_paid_for(table: Table, mara: str):
    earned, bought = earn_and_spend(table, mara)
    undo(table, table.gm, earned, cascade=True)
    before = credits_of(table, mara)
    assert undo(table, table.player, bought, "redo").status_code == 403
    assert credits_of(table, mara) == before


def test_what_a_redo_makes_due_happens_openly_though_something_else_is_hidden(table: Table):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    hidden(table, "frame_state.create_pilot", name="The mole")
    timer = schedule(table)["action_id"]
    day = pass_days(table, 1)
    undo(table, table.gm, day)
    undo(table, table.gm, timer)
    undo(table, table.gm, day, "redo")
    assert undo(table, table.gm, timer, "redo").status_code == 201
    table.act(table.gm, "campaign.add_note", text="whatever happens next")
    assert board(table) == []
    fired = [
        each
        for each in table.player.get(f"{table.path}/events").json()["events"]
        if each["type"] == "campaign.timer_fired"
    ]
    assert len(fired) == 2
    assert balances(table, table.player) == {"crew": -20, "world:dock": 20}


def test_declining_tells_nobody_that_something_hidden_is_there(table: Table):
    other = another_player(table)
    own = f"account:{table.player.account_id}"
    secret = hidden(table, "campaign.roll", who=table.player, seen_by=own, notation="d6")
    assert undo(table, table.player, secret, "undo-request").status_code == 201
    for visibility in ("all", "gm", "blind", own, f"account:{other.account_id}"):
        answers = [
            other.post(
                f"{table.path}/actions",
                {"command": {"type": "campaign.decline_undo", "action_id": action}, "visibility": visibility},
            )
            for action in (secret, "0b9f8a52-5a0a-4f0f-8f2a-0f6d2f4d9d10")
        ]
        hidden_one, nonexistent = ((each.status_code, each.json()) for each in answers)
        assert hidden_one == nonexistent
        assert hidden_one[1]["code"] == "action_not_found"


def test_an_undo_request_is_declined_for_whoever_reads_the_action_whatever_is_asked(table: Table):
    noted = table.act(table.player, "campaign.add_note", text="x")["action_id"]
    undo(table, table.player, noted, "undo-request")
    wish = {"command": {"type": "campaign.decline_undo", "action_id": noted}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", wish).status_code == 201
    assert table.player.get(table.path).json()["pending"] == []
    assert table.gm.post(f"{table.path}/actions", wish).json()["code"] == "no_undo_request"


def test_a_player_is_not_told_that_something_hidden_depends_on_what_they_would_undo(table: Table):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    created = table.act(table.player, "frame_state.create_pilot", name="Mara")
    pilot, made = created["events"][0]["pilot_id"], created["action_id"]
    hidden(table, "frame_state.award_currency", pilot=pilot, amount=5, reason="x")
    for dry_run in (False, True):
        refused = undo(table, table.player, made, dry_run=dry_run)
        assert (refused.status_code, refused.json()["code"]) == (422, "not_possible_now")
