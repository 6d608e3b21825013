"""Hand a campaign over, leave it, archive it: over HTTP, for everybody in it."""

from typing import Any
from uuid import UUID

import pytest

from domain.ids import CampaignId
from tests.services.campaign_keeping import joined, listed, told
from tests.services.conftest import Person, Table
from tests.services.pilots import with_pilot

READABLE = ("members", "actions", "events", "sheets", "ledger/accounts", "timers", "verify", "export")
ARCHIVED = (409, "campaign_archived")


def roles(table: Table, reader: Person) -> dict[str, str]:
    members = reader.get(f"{table.path}/members").json()["members"]
    return {each["name"]: each["role"] for each in members}


def test_a_key_whose_request_nobody_can_tell_any_more_hands_nothing_over_unless_it_did(table):
    key, path = {"Idempotency-Key": "k"}, f"{table.path}/handover"
    heir = {"account": table.player.account_id}
    body = {"command": {"type": "campaign.add_note", "text": "Jun was here"}}
    noted = table.gm.post(f"{table.path}/actions", body, headers=key).json()["action_id"]
    assert told(table.gm.post(path, heir, headers=key)) == (409, "idempotency_key_reused")
    assert table.gm.send("DELETE", f"{table.path}/actions/{noted}/texts").status_code == 200
    assert told(table.gm.post(path, heir, headers=key)) == (409, "idempotency_key_reused")
    assert roles(table, table.player) == {"Ana": "gm", "Mara": "player"}
    other = {"Idempotency-Key": "another"}
    handed = [table.gm.post(path, heir, headers=other) for _ in range(2)]
    assert [each.status_code for each in handed] == [200, 200]
    assert handed[0].content == handed[1].content


# --- handing over and leaving ----------------------------------------------------------------------------------


def test_a_gm_hands_the_campaign_over_and_stays_a_player(table):
    seq = table.seq()
    handed = table.gm.post(f"{table.path}/handover", {"account": table.player.account_id})
    assert handed.status_code == 200
    assert handed.json()["as_of"] == seq + 3
    assert roles(table, table.player) == {"Ana": "player", "Mara": "gm"}
    events = table.gm.get(f"{table.path}/events", params={"after": seq}).json()["events"]
    assert len({event["recorded"]["action_id"] for event in events}) == 1, "both or neither"
    assert table.gm.send("DELETE", f"{table.path}/members/{table.gm.account_id}").status_code == 204


@pytest.mark.parametrize(
    ("account", "answer"),
    [
        ("gm", (422, "already_yours")),
        ("stranger", (404, "unknown_member")),
        ("observer", (422, "observers_only_read")),
        ("nonsense", (400, "malformed")),
    ],
)
def test_it_is_handed_only_to_somebody_who_plays(table, account, answer):
    people = {
        "gm": table.gm.account_id,
        "stranger": Person(table.gm.client, "Tom").account_id,
        "observer": joined(table, "Olaf", "observer").account_id,
    }
    refusal = table.gm.post(f"{table.path}/handover", {"account": people.get(account, account)})
    assert told(refusal) == answer
    assert roles(table, table.gm)["Ana"] == "gm"
    by_a_player = table.player.post(f"{table.path}/handover", {"account": table.player.account_id})
    assert told(by_a_player) == (403, "gm_only")


def test_the_last_gm_is_told_what_to_do_before_leaving(table):
    own = f"{table.path}/members/{table.gm.account_id}"
    refusal = table.gm.send("DELETE", own)
    assert told(refusal) == (409, "last_gm")
    assert "hand it over" in refusal.json()["detail"]
    assert table.player.send("DELETE", f"{table.path}/members/{table.player.account_id}").status_code == 204
    alone = table.gm.send("DELETE", own)
    assert told(alone) == (409, "last_gm")
    assert "archive it or delete it" in alone.json()["detail"]


def test_the_characters_of_who_leaves_wait_for_a_gm_to_hand_them_on(table):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    pilot = table.act(table.player, "frame_state.create_pilot", name="Vex")["events"][0]["pilot_id"]
    sam = joined(table, "Sam")
    table.player.send("DELETE", f"{table.path}/members/{table.player.account_id}")
    [entry] = table.gm.get(table.path).json()["characters"]
    assert (entry["character"], entry["player"]) == (pilot, table.player.account_id)
    table.act(table.gm, "campaign.assign_character", character=pilot, player=sam.account_id)
    assert table.gm.get(table.path).json()["characters"][0]["player_name"] == "Sam"


# --- archived ---------------------------------------------------------------------------------------------------


def test_an_archived_campaign_is_read_as_before_and_nothing_may_be_done_in_it(table):
    noted = table.act(table.player, "campaign.add_note", text="x")["action_id"]
    undone = table.act(table.player, "campaign.add_note", text="y")["action_id"]
    assert table.gm.post(f"{table.path}/actions/{undone}/undo", {}).status_code == 201
    code = table.gm.post(f"{table.path}/invites", {"uses_max": 1}).json()["code"]
    assert table.gm.get(table.path).json()["archived"] is False
    put_away = table.gm.post(f"{table.path}/archive")
    assert (put_away.status_code, put_away.json()["archived"]) == (200, True)
    late = Person(table.gm.client, "Tom")
    past = f"{table.path}/actions"
    asked = [
        table.try_to(table.player, "campaign.add_note", text="still here"),
        table.try_to(table.gm, "campaign.start_downtime"),
        table.gm.post(f"{past}/{noted}/undo", {}),
        table.gm.post(f"{past}/{noted}/undo", {"dry_run": True}),
        table.gm.post(f"{past}/{undone}/redo", {}),
        table.player.post(f"{past}/{noted}/undo-request", {}),
        table.player.post(f"{past}/{noted}/undo-request/decline", {}),
        table.gm.post(f"{table.path}/invites", {}),
        late.post(f"/invites/{code}/accept"),
        table.gm.post(f"{table.path}/timers/nothing/retry"),
        table.gm.post(f"{table.path}/handover", {"account": table.player.account_id}),
        table.gm.send("PATCH", f"{table.path}/members/{table.player.account_id}", json={"role": "gm"}),
        table.gm.send("DELETE", f"{table.path}/members/{table.player.account_id}"),
    ]
    assert [told(answer) for answer in asked] == [ARCHIVED] * len(asked)
    for view in ("", *(f"/{name}" for name in READABLE)):
        assert table.player.get(f"{table.path}{view}").status_code == 200, view
    assert table.gm.get(f"{table.path}/verify").json()["bad_seq"] is None
    assert table.gm.post(f"{table.path}/fork", {}).status_code == 201
    assert table.player.post(f"{table.path}/unarchive").status_code == 403
    assert table.gm.post(f"{table.path}/unarchive").json()["archived"] is False
    table.act(table.player, "campaign.add_note", text="we are back")
    assert late.post(f"/invites/{code}/accept").status_code == 201, "nobody had used it up"
    told_of = [entry["summary"] for entry in table.gm.get(past).json()["actions"]]
    assert ["The campaign was archived"] in told_of
    assert ["The campaign was taken up again"] in told_of


def test_a_key_from_before_gives_its_answer_again(table):
    kept = {"text": "x", "headers": {"Idempotency-Key": "once"}}
    first = table.act(table.player, "campaign.add_note", **kept)
    table.gm.post(f"{table.path}/archive")
    assert table.act(table.player, "campaign.add_note", **kept) == first


def test_nothing_waits_for_anybody_in_an_archived_campaign(table):
    """Nobody could answer; taken up again, the same waits as before."""
    called = {"test_type": "proactive", "mark": 5, "dice": [{"attribute": "wits"}]}
    table.act(table.gm, "frame_state.call_test", pilot=with_pilot(table), **called)
    board = f"{table.path}/boards/frame_state/mission"

    def waiting() -> list[int]:
        return [len(table.gm.get(table.path).json()["pending"]), len(table.gm.get(board).json()["waits_for"])]

    before = waiting()
    assert min(before) == 1
    table.gm.post(f"{table.path}/archive")
    assert waiting() == [0, 0]
    table.gm.post(f"{table.path}/unarchive")
    assert waiting() == before


def test_archived_campaigns_are_listed_apart_when_asked(table):
    other = table.gm.post("/campaigns", {"name": "Salt", "systems": ["angst"]}).json()["campaign_id"]
    table.gm.post(f"{table.path}/archive")
    assert sorted(listed(table.gm)) == sorted([(table.campaign_id, True), (other, False)])
    assert listed(table.gm, archived="true", limit=1) == [(table.campaign_id, True)]
    assert listed(table.gm, archived="false", limit=1) == [(other, False)]
    assert listed(table.player, archived="false") == []


def test_pages_of_campaigns_are_full_whatever_is_left_out(table):
    made = [
        table.gm.post("/campaigns", {"name": f"Nr {nth}", "systems": ["angst"]}).json()["campaign_id"]
        for nth in range(7)
    ]
    put_away = sorted([table.campaign_id, *made])[::2]
    for each in put_away:
        table.gm.post(f"/campaigns/{each}/archive")
    for wanted, all_of_them in (("true", put_away), ("false", sorted({table.campaign_id, *made} - {*put_away}))):
        seen, after = [], None
        while True:
            query = {"archived": wanted, "limit": 3} | ({"after": after} if after else {})
            page = table.gm.get("/campaigns", params=query).json()
            seen += [each["campaign_id"] for each in page["campaigns"]]
            after = page["next_after"]
            if after is None:
                break
            assert len(page["campaigns"]) == 3
        assert seen == all_of_them


def test_timers_rest_in_the_database_too(table, client):
    table.act(table.gm, "campaign.schedule_timer", title="Real", after={"hours": 1}, clock="real")
    table.act(table.gm, "campaign.schedule_timer", title="Game", after={"hours": 1})
    application, campaign = client.app.state.application, CampaignId(UUID(table.campaign_id))

    def waking() -> list[Any]:
        with client.portal() as portal:
            kept = portal.call(application.timers.of, campaign)
        return sorted(each.timer.clock for each in kept if each.timer.wake_at < 2**63 - 1)

    assert waking() == ["real"]
    table.gm.post(f"{table.path}/archive")
    assert waking() == []
    assert {each["state"] for each in table.gm.get(f"{table.path}/timers").json()["timers"]} == {"resting"}
    with client.portal() as portal:
        assert portal.call(application.handler.run_due, campaign, 2**62, []) == 0
    table.gm.post(f"{table.path}/unarchive")
    assert waking() == ["real"]
    with client.portal() as portal:
        assert portal.call(application.handler.run_due, campaign, 2**62, []) == 1


def test_it_is_refused_in_the_language_of_the_campaign(table):
    table.act(table.gm, "campaign.set_setting", key="campaign.language", value="fr")
    archived = table.gm.post(f"{table.path}/archive")
    assert archived.status_code == 200
    refusals = [
        table.try_to(table.player, "campaign.add_note", text="encore"),
        table.gm.post(f"{table.path}/invites", {}),
    ]
    for refusal in refusals:
        assert "archivée" in refusal.json()["detail"]
    assert "archivée" in table.player.get(f"{table.path}/actions").text


def test_a_fork_of_an_archived_campaign_is_archived_like_it_and_can_go_on(table):
    table.gm.post(f"{table.path}/archive")
    forked = f"/campaigns/{table.gm.post(f'{table.path}/fork', {}).json()['campaign_id']}"
    assert table.gm.get(forked).json()["archived"] is True
    assert table.gm.post(f"{forked}/unarchive").json()["archived"] is False
    before = table.gm.post(f"{table.path}/fork", {"at": table.seq() - 1}).json()["campaign_id"]
    assert table.gm.get(f"/campaigns/{before}").json()["archived"] is False
