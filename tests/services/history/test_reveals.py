"""A hidden action that is revealed can be read by everybody from then on, on every path, at its old place."""

import io
import json
from typing import Any
from uuid import UUID

import pytest

from domain.ids import CampaignId
from services.campaign.verify_log import stale_audiences
from services.transfer.uploaded_export import verified
from services.workers.projection_fingerprint import views_digest
from tests.services.conftest import Person, Table
from tests.services.days import balances, board, pass_days
from tests.services.hiding import another_player, hidden
from tests.services.pilots import award, mara
from tests.services.revealing import entry, follow, refusal, reveal
from tests.services.undoing import undo

__all__ = ["mara"]


def test_a_revealed_action_is_read_whole_by_everybody_at_its_old_place(table: Table):
    secret = hidden(table, "campaign.add_note", text="The mole is Jun")
    table.act(table.player, "campaign.add_note", text="after")
    assert entry(table, table.player, secret)["type"] is None
    told = reveal(table, secret)
    assert told["summary"] == ["Everybody can read this now: Note: The mole is Jun"]
    read = entry(table, table.player, secret)
    assert (read["type"], read["summary"], read["visibility"]) == (
        "campaign.add_note",
        ["Note: The mole is Jun"],
        "gm",
    )
    assert read["revealed_in"] == told["action_id"]
    assert read["actor_name"] == "Ana"
    listed = table.player.get(f"{table.path}/actions").json()["actions"]
    assert [each["type"] for each in listed[-3:]] == [
        "campaign.add_note",
        "campaign.add_note",
        "campaign.reveal_action",
    ]
    events = table.player.get(f"{table.path}/events").json()["events"]
    assert [each["type"] for each in events if each["seq"] == read["seq"]] == ["campaign.note_added"]


@pytest.mark.parametrize("stored", ["nothing", "before", "after"])
def test_every_view_shows_what_was_revealed_whatever_is_stored(table: Table, mara: str, stored: str):
    secret = hidden(table, "frame_state.award_currency", pilot=mara, amount=700, reason="a bribe")
    table.act(table.gm, "frame_state.award_currency", pilot=mara, amount=5, reason="tip")
    before = table.seq()
    if stored == "before":
        follow(table)
    reveal(table, secret)
    if stored == "after":
        follow(table)
    for who in (table.player, table.gm):
        assert who.get(f"{table.path}/sheets/{mara}").json()["sheet"]["currency"] == 805
        found = who.get(f"{table.path}/actions", params={"type": "frame_state.award_currency"}).json()["actions"]
        assert found[0]["action_id"] == secret
        about = who.get(f"{table.path}/actions", params={"character": mara}).json()["actions"]
        assert secret in [each["action_id"] for each in about]
        entries = who.get(f"{table.path}/ledger/entries", params={"account": f"pilot:{mara}"}).json()["entries"]
        assert [each["amount"] for each in entries] == [100, 700, 5]
        assert [each["balance"] for each in entries] == [100, 800, 805]
        moves = who.get(f"{table.path}/sheets/{mara}/why", params={"path": "currency"}).json()["moves"]
        assert [each["after"] for each in moves] == [100, 800, 805]
    entries = table.player.get(f"{table.path}/ledger/entries", params={"at": before}).json()["entries"]
    assert [each["amount"] for each in entries] == [100, 5], "at = N is what people saw at N"
    found = table.player.get(
        f"{table.path}/actions", params={"type": "frame_state.award_currency", "at": before}
    ).json()["actions"]
    assert len(found) == 1
    sheet = table.player.get(f"{table.path}/sheets/{mara}", params={"at": before}).json()["sheet"]
    assert sheet["currency"] == 105
    assert entry(table, table.player, secret, at=before)["type"] is None


def test_the_past_before_a_reveal_stays_as_people_saw_it(table: Table, mara: str):
    secret = hidden(table, "frame_state.award_currency", pilot=mara, amount=700, reason="a bribe")
    before = table.seq()
    seen = {
        path: table.player.get(f"{table.path}{path}", params={"at": before}).json()
        for path in (
            "",
            "/actions",
            "/events",
            "/ledger/accounts",
            "/ledger/entries",
            f"/sheets/{mara}",
            "/boards",
        )
    }
    follow(table)
    revealed = reveal(table, secret)
    for stored in (False, True):
        if stored:
            follow(table)
        for path, page in seen.items():
            assert table.player.get(f"{table.path}{path}", params={"at": before}).json() == page, path
    diff = table.player.get(f"{table.path}/diff", params={"from": before, "to": revealed["seq"]}).json()
    assert [(each["before"], each["after"]) for each in diff["changes"]["sheets"][mara]] == [(100, 800)]
    told = table.player.get(f"{table.path}/actions/{revealed['action_id']}").json()
    assert [(each["before"], each["after"]) for each in told["changes"]["sheets"][mara]] == [(100, 800)]
    opened = table.player.get(f"{table.path}/actions/{secret}").json()
    assert opened["changes"]["sheets"][mara] == told["changes"]["sheets"][mara]


def test_a_players_export_holds_what_was_revealed_and_verifies(table: Table):
    texts = ("for the gm", "for one", "blind", "never told")
    seers = ("gm", f"account:{table.gm.account_id}", "blind", "gm")
    secrets = [
        hidden(table, "campaign.add_note", seen_by=seer, text=text)
        for seer, text in zip(seers, texts, strict=True)
    ]
    for secret in secrets[:3]:
        reveal(table, secret)
    content = table.player.get(f"{table.path}/export").content
    found = verified(io.BytesIO(content))
    assert found.fault is None
    assert (found.check.hidden, found.check.unlinked) == (1, 1)
    assert [text.encode() in content for text in texts] == [True, True, True, False]
    edited = verified(io.BytesIO(content.replace(b"for one", b"for two")))
    assert edited.fault is not None, "negative control"
    assert table.player.get(f"{table.path}/verify").json()["sound"] is True


def test_a_revealed_roll_can_be_proved_in_a_players_export(table: Table):
    secret = hidden(table, "campaign.roll", notation="4d6")
    reveal(table, secret)
    (die, *_) = table.player.get(f"{table.path}/actions/{secret}").json()["events"][0]["dice"]
    _, epoch, roll, _ = die["proof"].split(":")
    report = table.player.get(f"{table.path}/verify").json()["dice"]
    assert (report["recomputed"], report["waiting"]) == (0, 4)
    table.act(table.gm, "campaign.prove_hidden_roll", epoch=int(epoch), roll=int(roll))
    found = verified(io.BytesIO(table.player.get(f"{table.path}/export").content))
    assert found.dice is not None
    assert (found.dice.recomputed, found.dice.waiting, found.dice.faults) == (4, 0, [])
    dice = table.player.get(f"{table.path}/statistics").json()["people"][0]["dice"]
    assert sum(each["count"] for each in dice) == 4


def test_a_mark_inside_a_revealed_test_stays_secret_until_the_rules_open_it(table: Table, mara: str):
    secret = hidden(
        table,
        "frame_state.call_test",
        test_type="proactive",
        mark=9,
        mark_hidden=True,
        pilot=mara,
        dice=[{"attribute": "sharpness"}],
    )
    reveal(table, secret)
    table.act(table.gm, "frame_state.cancel_test")
    told = table.player.get(f"{table.path}/actions/{secret}").json()
    assert told["events"][0]["mark"] is None
    content = table.player.get(f"{table.path}/export").content
    assert verified(io.BytesIO(content)).fault is None
    assert b'mark\\":9' not in content
    assert b'mark\\":9' in table.gm.get(f"{table.path}/export").content


# --- who may reveal what ---------------------------------------------------------------------------------------


def test_what_somebody_may_not_see_is_not_there_for_them_to_reveal(table: Table):
    secret = hidden(table, "campaign.add_note", text="x")
    nowhere = "0b9f8a52-5a0a-4f0f-8f2a-0f6d2f4d9d10"
    assert refusal(table, secret, table.player) == refusal(table, nowhere, table.player)
    assert refusal(table, nowhere) == (404, "action_not_found")


def test_a_player_reveals_what_they_did_for_their_own_eyes_and_nothing_else(table: Table):
    own = f"account:{table.player.account_id}"
    mine = hidden(table, "campaign.roll", who=table.player, seen_by=own, notation="d20")
    blind = hidden(table, "campaign.roll", who=table.player, seen_by="blind", notation="d20")
    whispered = hidden(table, "campaign.add_note", seen_by=own, text="you see a door")
    other = another_player(table)
    assert refusal(table, blind, table.player) == (404, "action_not_found")
    assert refusal(table, whispered, table.player) == (403, "gm_only")
    assert refusal(table, mine, other) == (404, "action_not_found")
    reveal(table, mine, table.player)
    assert entry(table, other, mine)["type"] == "campaign.roll"
    assert refusal(table, mine) == (409, "not_hidden")
    reveal(table, whispered)
    reveal(table, blind)
    assert "you see a door" in str(entry(table, other, whispered)["summary"])


def test_observers_reveal_nothing(table: Table):
    code = table.gm.post(f"{table.path}/invites", {"role": "observer"}).json()["code"]
    olaf = Person(table.player.client, "Olaf")
    olaf.post(f"/invites/{code}/accept")
    secret = hidden(table, "campaign.add_note", seen_by=f"account:{olaf.account_id}", text="x")
    assert refusal(table, secret, olaf) == (403, "observers_only_read")


def test_a_reveal_is_for_everybody_and_once_and_cannot_be_undone(table: Table):
    secret = hidden(table, "campaign.add_note", text="x")
    opened = table.act(table.gm, "campaign.add_note", text="y")["action_id"]
    assert refusal(table, opened) == (409, "not_hidden")
    wish = {"command": {"type": "campaign.reveal_action", "action_id": secret}}
    told = table.gm.post(f"{table.path}/actions", {**wish, "visibility": "gm"})
    assert (told.status_code, told.json()["code"]) == (422, "reveal_is_for_all")
    told = table.gm.post(f"{table.path}/actions", {**wish, "dice": [[6, 1]]})
    assert (told.status_code, told.json()["code"]) == (422, "dice_mismatch")
    told = table.gm.post(f"{table.path}/actions", wish, headers={"If-Match": '"1"'})
    assert (told.status_code, told.json()["code"]) == (409, "stale_if_match")
    key = {"Idempotency-Key": "once"}
    first = table.gm.post(f"{table.path}/actions", wish, headers=key)
    assert first.status_code == 201
    assert table.gm.post(f"{table.path}/actions", wish, headers=key).json() == first.json()
    assert refusal(table, secret) == (409, "not_hidden")
    refused = undo(table, table.gm, first.json()["action_id"])
    assert (refused.status_code, refused.json()["code"]) == (409, "not_undoable")


# --- what hangs on what ----------------------------------------------------------------------------------------


def test_what_names_something_born_hidden_can_only_be_revealed_after_it(table: Table, mara: str):
    made = hidden(table, "frame_state.create_pilot", name="The mole")
    mole = next(
        each["character"]
        for each in table.gm.get(f"{table.path}/sheets").json()["sheets"]
        if each["character"] != mara
    )
    paid = hidden(table, "frame_state.award_currency", pilot=mole, amount=50, reason="x")
    refused = table.try_to(table.gm, "campaign.reveal_action", action_id=paid)
    assert (refused.status_code, refused.json()["code"]) == (422, "rests_on_hidden")
    assert [each["action_id"] for each in refused.json()["details"]["actions"]] == [made]
    reveal(table, made)
    assert table.player.get(f"{table.path}/sheets/{mole}").json()["sheet"]["currency"] == 150, "as it is now"
    assert "award" not in table.player.get(f"{table.path}/actions").text, "how it came to that stays hidden"
    reveal(table, paid)
    assert table.player.get(f"{table.path}/sheets/{mole}").json()["sheet"]["currency"] == 150
    found = table.player.get(f"{table.path}/actions", params={"character": mole}).json()["actions"]
    assert [each["action_id"] for each in found] == [made, paid]
    assert "The mole" in found[1]["summary"][0]


def test_what_the_table_could_not_believe_needs_what_it_rests_on(table: Table):
    table.act(table.gm, "campaign.set_setting", key="campaign.debt", value="refused")
    move: dict[str, Any] = {"currency": "credits", "amount": 600, "reason": "x", "new": True}
    bribe = hidden(table, "campaign.post_entry", debit="world:mob", credit="crew", **move)
    bought = hidden(table, "campaign.post_entry", debit="crew", credit="world:market", **move)
    refused = table.try_to(table.gm, "campaign.reveal_action", action_id=bought)
    assert (refused.status_code, refused.json()["code"]) == (422, "rests_on_hidden")
    assert [each["action_id"] for each in refused.json()["details"]["actions"]] == [bribe]
    reveal(table, bribe)
    reveal(table, bought)
    assert balances(table, table.player) == balances(table) == {"world:market": 600, "world:mob": -600}


def test_what_a_hidden_action_caused_is_revealed_with_it_and_what_it_still_causes_is_open(table: Table):
    timer = schedule_hidden(table)
    pass_days(table, 2)
    assert balances(table, table.player) == {}
    told = reveal(table, timer)
    assert [each["because"] for each in told["events"]] == ["asked", "caused", "caused"]
    assert balances(table, table.player) == balances(table) == {"crew": -40, "world:dock": 40}
    pass_days(table, 1)
    assert balances(table, table.player) == balances(table) == {"crew": -60, "world:dock": 60}
    assert board(table) == [("Dock fees", 4 * 86_400)]


def schedule_hidden(table: Table) -> str:
    effect = {
        "type": "post",
        "currency": "credits",
        "debit": "crew",
        "credit": "world:dock",
        "amount": 20,
        "new": True,
    }
    fields: dict[str, Any] = {"title": "Dock fees", "effect": effect, "after": {"days": 1}, "every": {"days": 1}}
    return hidden(table, "campaign.schedule_timer", **fields)


def test_a_firing_is_revealed_with_what_caused_it(table: Table):
    timer = schedule_hidden(table)
    pass_days(table, 1)
    fired = table.gm.get(f"{table.path}/actions", params={"type": "campaign.timer_fired"}).json()["actions"][0]
    refused = table.try_to(table.gm, "campaign.reveal_action", action_id=fired["action_id"])
    assert [each["action_id"] for each in refused.json()["details"]["actions"]] == [timer]


# --- deciding, storing, bringing over --------------------------------------------------------------------------


def test_what_is_decided_after_a_reveal_rests_on_what_was_revealed(table: Table, mara: str):
    wish = {"category": "skills"}
    secret = hidden(table, "frame_state.award_currency", pilot=mara, amount=5000, reason="luck")
    assert table.refused(table.player, "frame_state.advance_category", **wish)[1] == "insufficient_currency"
    reveal(table, secret)
    assert table.try_to(table.player, "frame_state.advance_category", **wish).status_code == 201


def test_stored_views_are_what_a_rebuild_gives_after_reveals(table: Table, mara: str):
    client: Any = table.gm.client
    application, call = client.app.state.application, client.blocking_portal.call
    campaign = CampaignId(UUID(table.campaign_id))
    own = f"account:{table.player.account_id}"
    secrets = [
        hidden(table, "frame_state.award_currency", seen_by=seer, pilot=mara, amount=amount, reason="x")
        for seer, amount in (("gm", 10), (own, 20), ("blind", 30), ("gm", 40))
    ]
    undo(table, table.gm, secrets[2])
    for secret in (secrets[2], secrets[1]):
        follow(table)
        reveal(table, secret)
        award(table, mara, 1)
    undo(table, table.gm, secrets[1])
    reveal(table, secrets[0])
    follow(table)
    assert call(stale_audiences, application.log, application.views, campaign) == []
    kept = call(views_digest, application.views, campaign)
    call(application.views.invalidate, campaign)
    follow(table)
    assert call(views_digest, application.views, campaign) == kept


def test_a_campaign_with_reveals_can_be_forked_and_brought_over(table: Table, mara: str):
    secret = hidden(table, "frame_state.award_currency", pilot=mara, amount=700, reason="a bribe")
    kept_back = hidden(table, "frame_state.award_currency", pilot=mara, amount=1, reason="x")
    reveal(table, secret)
    fork = table.gm.post(f"{table.path}/fork", {}).json()
    there = Table(table.gm, table.player, fork["campaign_id"])
    code = table.gm.post(f"{there.path}/invites", {"role": "player"}).json()["code"]
    table.player.post(f"/invites/{code}/accept")
    assert table.player.get(f"{there.path}/sheets/{mara}").json()["sheet"]["currency"] == 800
    assert entry(there, table.player, secret)["type"] == "frame_state.award_currency"
    reveal(there, kept_back)
    assert table.player.get(f"{there.path}/sheets/{mara}").json()["sheet"]["currency"] == 801
    assert table.player.get(f"{there.path}/verify").json()["sound"] is True
    follow(there)
    assert entry(there, table.player, kept_back)["type"] == "frame_state.award_currency"


def test_a_revealed_action_whose_text_was_erased_reads_erased(table: Table, database: Any):
    import psycopg  # noqa: PLC0415 — only here

    secret = hidden(table, "campaign.add_note", text="The mole is Jun")
    with psycopg.connect(database.owner) as owner:
        owner.execute("DELETE FROM personal_text")
    reveal(table, secret)
    assert entry(table, table.player, secret)["summary"] == ["Note: erased"]
    lines = table.player.get(f"{table.path}/export").text.splitlines()
    assert "Jun" not in "".join(lines)
    assert verified(io.BytesIO("\n".join(lines).encode())).fault is None
    assert json.loads(lines[0])["role"] == "player"
