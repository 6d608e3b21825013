"""Acting over HTTP: what is accepted, what is refused, and that nothing is lost or done twice.

All of it also with a Redis that was named and never answers (invariant 16).
"""

import threading
from uuid import uuid4

import pytest

from infra.embedded.child_process import free_port
from tests.sampling import slow_but
from tests.services.conftest import OPERATOR, Person
from tests.services.pilots import CATALOGUE, with_pilot


@pytest.fixture(params=slow_but(["none", "silent"], "none"))
def api_redis(request: pytest.FixtureRequest) -> str | None:
    return None if request.param == "none" else f"redis://127.0.0.1:{free_port()}/0"


def test_an_action_answers_with_its_events_in_words_and_where_the_log_ends(table):
    answer = table.act(table.gm, "campaign.start_scene", name="The hangar")
    assert answer["seq"] == table.seq()
    assert [event["type"] for event in answer["events"]] == ["campaign.scene_started"]
    assert answer["summary"] == ["Scene: The hangar"]
    assert len(answer["head_hash"]) == 64


def test_the_same_key_gives_the_first_answer_again_and_acts_once(table):
    """Invariant 2."""
    before = table.seq()
    first = table.act(table.gm, "campaign.add_note", text="once", headers={"Idempotency-Key": "a"})
    again = table.act(table.gm, "campaign.add_note", text="once", headers={"Idempotency-Key": "a"})
    assert again == first
    assert table.seq() == before + 1


def test_a_retry_of_a_command_that_can_no_longer_be_decided_still_gets_its_first_answer(table):
    pilot = with_pilot(table)
    table.act(table.gm, "frame_state.call_test", pilot=pilot, test_type="proactive", mark=3, dice=[{"die": "d8"}])
    roll = {"rolled": [[8, 5]], "headers": {"Idempotency-Key": "roll"}}
    first = table.act(table.player, "frame_state.roll_test", **roll)
    assert table.act(table.player, "frame_state.roll_test", **roll) == first


def test_the_same_key_with_another_body_is_refused(table):
    """Invariant 3."""
    table.act(table.gm, "campaign.add_note", text="one", headers={"Idempotency-Key": "a"})
    refusal = table.refused(table.gm, "campaign.add_note", text="two", headers={"Idempotency-Key": "a"})
    assert refusal == (409, "idempotency_key_reused")


def test_keys_of_two_people_have_nothing_to_do_with_each_other(table):
    table.act(table.gm, "campaign.add_note", text="one", headers={"Idempotency-Key": "a"})
    table.act(table.player, "campaign.add_note", text="two", headers={"Idempotency-Key": "a"})


def test_a_decision_on_an_old_state_is_refused_and_told_where_the_log_is(table):
    stale = table.try_to(table.gm, "campaign.add_note", text="late", headers={"If-Match": '"1"'})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale_if_match")
    assert stale.json()["details"] == {"seq": table.seq()}
    table.act(table.gm, "campaign.add_note", text="in time", headers={"If-Match": f'"{table.seq()}"'})


def test_a_refused_command_appends_nothing(table):
    before = table.seq()
    assert table.refused(table.player, "campaign.start_session") == (403, "gm_only")
    assert table.refused(table.gm, "campaign.end_session") == (422, "no_session")
    assert table.refused(table.gm, "frame_state.roll_test")[0] == 422
    assert table.seq() == before


def test_a_rule_that_refuses_is_named(table):
    problem = table.try_to(table.gm, "campaign.start_session").json()
    assert (problem["code"], problem["rule"]) == ("pilot_required", "FS-1")


def test_dice_that_no_rule_asked_for_are_refused(table):
    assert table.refused(table.gm, "campaign.add_note", text="dice?", rolled=[[6, 1]]) == (422, "dice_mismatch")


def test_a_group_that_rolls_its_own_dice_is_not_given_the_servers(table):
    pilot = with_pilot(table)
    table.act(table.gm, "campaign.set_setting", key="campaign.dice_origins", value="table")
    table.act(table.gm, "frame_state.call_test", pilot=pilot, test_type="proactive", mark=3, dice=[{"die": "d8"}])
    assert table.refused(table.player, "frame_state.roll_test") == (422, "table_dice_wanted")
    table.act(table.gm, "campaign.set_setting", key="campaign.dice_origins", value="server")
    assert table.refused(table.player, "frame_state.roll_test", rolled=[[8, 1]]) == (422, "table_dice_not_allowed")
    table.act(table.player, "frame_state.roll_test")


def test_settings_are_typed_and_known(table):
    refused = table.refused
    assert refused(table.gm, "campaign.set_setting", key="campaign.nope", value=1) == (422, "unknown_setting")
    wrong = {"key": "frame_state.refit_scope", "value": "everywhere"}
    assert refused(table.gm, "campaign.set_setting", **wrong) == (422, "setting_invalid")
    assert refused(table.player, "campaign.set_setting", key="x", value=1) == (403, "gm_only")


def test_observers_only_read(table, client):
    observer = Person(client, "Olga")
    code = table.gm.post(f"{table.path}/invites", {"role": "observer"}).json()["code"]
    observer.post(f"/invites/{code}/accept")
    assert observer.get(table.path).json()["your_role"] == "observer"
    assert table.refused(observer, "campaign.add_note", text="me too") == (403, "observers_only_read")


def test_a_foreign_campaign_looks_like_one_that_does_not_exist(table, client):
    """Invariant 21."""
    stranger = Person(client, "Sven")
    for path in ("", "/actions", "/events", "/sheets", "/members", "/ledger/accounts", "/ledger/entries"):
        foreign = stranger.get(table.path + path)
        nowhere = stranger.get(f"/campaigns/{uuid4()}{path}")
        assert (foreign.status_code, foreign.json()) == (nowhere.status_code, nowhere.json())
        assert foreign.json()["code"] == "campaign_not_found"
    assert table.refused(stranger, "campaign.add_note", text="hi") == (404, "campaign_not_found")


def test_many_people_acting_at_once_leave_a_log_without_gaps_and_lose_nothing(table):
    """Invariants 1, 4 and 5, through the whole service."""
    before = table.seq()
    answers: list[int] = []

    def play(name: str) -> None:
        answers.extend(table.act(table.gm, "campaign.add_note", text=f"{name} {n}")["seq"] for n in range(10))

    players = [threading.Thread(target=play, args=(str(n),)) for n in range(8)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    assert sorted(answers) == list(range(before + 1, before + 81))
    listed = table.gm.get(f"{table.path}/events?after={before}&limit=500").json()["events"]
    assert [event["seq"] for event in listed] == sorted(answers)


def test_a_hidden_action_is_one_placeholder_for_those_who_may_not_see_it(table):
    """Invariant 23."""
    body = {"command": {"type": "campaign.add_note", "text": "the mole is Pell"}, "visibility": "gm"}
    hidden = table.gm.post(f"{table.path}/actions", body).json()
    for path in ("/actions", "/events", f"/actions/{hidden['action_id']}", ""):
        assert "Pell" not in table.player.get(table.path + path).text
    entry = table.player.get(f"{table.path}/actions?after={hidden['seq'] - 1}").json()["actions"][0]
    assert entry["type"] is None
    assert entry["actor"] is None
    assert entry["summary"] == ["Something happened that you cannot see"]
    assert "Pell" in table.gm.get(f"{table.path}/actions").text


def test_something_shown_to_one_member_alone_is_read_by_them_and_the_gm(table, client):
    third = Person(client, "Tom")
    code = table.gm.post(f"{table.path}/invites", {"role": "player"}).json()["code"]
    third.post(f"/invites/{code}/accept")
    body = {
        "command": {"type": "campaign.add_note", "text": "you recognise the pilot"},
        "visibility": f"account:{table.player.account_id}",
    }
    assert table.gm.post(f"{table.path}/actions", body).status_code == 201
    assert "recognise" in table.player.get(f"{table.path}/actions").text
    assert "recognise" in table.gm.get(f"{table.path}/actions").text
    assert "recognise" not in third.get(f"{table.path}/actions").text


def test_a_removed_member_can_neither_read_nor_act(table):
    assert table.gm.send("DELETE", f"{table.path}/members/{table.player.account_id}").status_code == 204
    assert table.player.get(table.path).json()["code"] == "campaign_not_found"
    assert table.refused(table.player, "campaign.add_note", text="still here") == (404, "campaign_not_found")
    assert table.player.get("/campaigns").json()["campaigns"] == []


def test_a_removed_member_is_not_even_told_old_answers_again(table):
    kept = {"text": "secret", "headers": {"Idempotency-Key": "mine"}}
    table.act(table.player, "campaign.add_note", **kept)
    table.gm.send("DELETE", f"{table.path}/members/{table.player.account_id}")
    assert table.refused(table.player, "campaign.add_note", **kept) == (404, "campaign_not_found")


def test_a_campaign_always_keeps_a_gm(table):
    own = f"{table.path}/members/{table.gm.account_id}"
    assert table.gm.send("DELETE", own).json()["code"] == "last_gm"
    assert table.gm.send("PATCH", own, json={"role": "player"}).json()["code"] == "last_gm"
    other = f"{table.path}/members/{table.player.account_id}"
    assert table.player.send("PATCH", other, json={"role": "gm"}).json()["code"] == "gm_only"
    assert table.gm.send("PATCH", other, json={"role": "gm"}).json()["role"] == "gm"
    assert table.gm.send("PATCH", own, json={"role": "player"}).json()["role"] == "player"


def test_a_character_can_be_handed_to_another_member(table):
    pilot = with_pilot(table)
    table.act(table.gm, "campaign.assign_character", character=pilot, player=table.gm.account_id)
    assert table.gm.get(f"{table.path}/sheets").json()["sheets"][0]["player_name"] == "Ana"
    unknown = {"character": "pilot-nobody", "player": None}
    assert table.refused(table.gm, "campaign.assign_character", **unknown) == (422, "unknown_character")


def test_a_seat_and_a_pilot_go_to_members_only(table):
    stranger = str(uuid4())
    table.act(table.gm, "frame_state.define_catalogue", categories=CATALOGUE)
    for command, fields in (("create_pilot", {"name": "Nobody"}), ("assign_role", {"role": "pilot"})):
        refusal = table.refused(table.gm, f"frame_state.{command}", player=stranger, **fields)
        assert refusal == (422, "unknown_member")


def test_money_moves_by_double_entry_and_always_adds_up_to_zero(table):
    pilot = with_pilot(table)
    table.act(table.gm, "frame_state.award_currency", pilot=pilot, amount=500, reason="salvage rights")
    move = {"currency": "credits", "debit": "world:market", "credit": "crew", "amount": 70, "reason": "parts sold"}
    table.act(table.gm, "campaign.post_entry", **move, new=True)
    accounts = table.gm.get(f"{table.path}/ledger/accounts").json()["accounts"]
    assert {row["account"]: row["balance"] for row in accounts}[f"pilot:{pilot}"] == 500
    assert sum(row["balance"] for row in accounts) == 0
    on_a_sheet = {**move, "debit": f"pilot:{pilot}"}
    assert table.refused(table.gm, "campaign.post_entry", **on_a_sheet) == (422, "account_on_a_sheet")
    of_a_frame = {**move, "debit": "frame:frame-1"}
    assert table.refused(table.gm, "campaign.post_entry", **of_a_frame) == (422, "account_of_the_rules")
    entries = table.gm.get(f"{table.path}/ledger/entries?account=crew").json()["entries"]
    assert [(entry["amount"], entry["note"]) for entry in entries] == [(70, "parts sold")]


def test_pages_follow_each_other_without_gaps(table):
    for n in range(7):
        table.act(table.gm, "campaign.add_note", text=f"note {n}")
    seqs: list[int] = []
    after: int | None = 0
    while after is not None:
        page = table.gm.get(f"{table.path}/actions?limit=3&after={after}").json()
        seqs += [entry["seq"] for entry in page["actions"]]
        after = page["next_after"]
    assert seqs == sorted(set(seqs))
    assert len([seq for seq in seqs if seq > table.seq() - 7]) == 7


def test_the_chronicle_is_filtered_by_person_kind_character_and_text(table):
    pilot = with_pilot(table)
    table.act(table.player, "campaign.add_note", text="the Hangar doors are stuck")

    def found(**filters: str) -> int:
        query = "&".join(f"{name}={value}" for name, value in filters.items())
        return len(table.gm.get(f"{table.path}/actions?{query}").json()["actions"])

    assert found(text="hangar") == 1
    assert found(actor=table.player.account_id) == 3
    assert found(type="frame_state.create_pilot") == 1
    assert found(type="frame_state.pilot_created") == 1
    assert found(character=pilot) == 1
    assert found(text="nothing like it") == 0


def test_members_come_late_and_leave_early(table):
    with_pilot(table)
    table.act(table.gm, "campaign.start_session", present=[table.gm.account_id])
    late = {"account": table.player.account_id, "present": True}
    assert table.act(table.player, "campaign.mark_attendance", **late)["summary"] == [
        "Mara joined the play session"
    ]
    assert table.act(table.player, "campaign.mark_attendance", **late)["events"] == []
    assert table.player.account_id in table.gm.get(table.path).json()["session"]["present"]
    other = {"account": table.gm.account_id, "present": False}
    assert table.refused(table.player, "campaign.mark_attendance", **other) == (403, "gm_only")
    table.act(table.gm, "campaign.end_session")
    assert table.refused(table.gm, "campaign.mark_attendance", **late) == (422, "no_session")


def test_how_far_views_are_behind_is_measured(table):
    assert "fieldlog_campaigns_behind 1.0" in table.gm.client.get("/metrics", headers=OPERATOR).text


def test_a_note_that_says_nothing_is_refused_as_its_page_refuses_it(table):
    assert table.refused(table.gm, "campaign.add_note", text=" \n\t") == (422, "note_empty")
