"""Words that were erased are gone: from every path, in every process, and from every table."""

import asyncio
from collections.abc import Iterator
from io import BytesIO
from uuid import UUID

import pytest

import services.history.erase_texts
import services.workers.projector
from domain.ids import CampaignId
from services.settings import Settings
from services.transfer.uploaded_export import verified
from services.wiring.application import open_application
from services.workers.projector import Projector
from tests.engines import DICE_KEY, DatabaseUrls
from tests.sampling import only_in_release
from tests.services.confession import KEY, WORD, WORDS, Confession, saying, tables_with
from tests.services.live_api import Api, Follower, api


def follow(database: DatabaseUrls, campaign_id: str) -> None:
    """A worker stores the campaign's views, and keeps a fold every other event."""

    async def once() -> None:
        settings = Settings(database_url=database.service, dice_key=DICE_KEY, password_kib=64)
        async with open_application(settings) as application:
            await Projector(application.log, application.views, application.handler).campaign(
                CampaignId(UUID(campaign_id))
            )

    asyncio.run(once())


@pytest.fixture
def two(database: DatabaseUrls, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Api, Api]]:
    monkeypatch.setattr(services.workers.projector, "BATCH_EVENTS", 3)
    monkeypatch.setattr(services.workers.projector, "KEPT_EVERY_EVENTS", 2)
    with api(database.service) as one, api(database.service) as other:
        yield one, other


@pytest.mark.parametrize(
    ("folds", "parts"),
    [
        pytest.param("forgotten", (2,), marks=pytest.mark.slow),
        pytest.param("made anew", (1, 1_000), marks=pytest.mark.slow),
        only_in_release("forgotten", (1, 2, 3, 1_000)),
        only_in_release("made anew", (1, 2, 3, 1_000)),
    ],
)
def test_erased_words_are_gone_from_every_path_every_process_and_every_table(
    two, database, folds, parts, monkeypatch
):
    """Now, and at moments in the past: after the whole of the log, a half of it, a third, and one event."""
    one, other = two
    monkeypatch.setattr(services.history.erase_texts, "REBUILT_EVENTS_MAX", 4_000 if folds == "made anew" else 0)
    table = Confession(one)
    follow(database, table.campaign_id)
    moments = [table.head // part or 1 for part in parts]
    before = {**table.read(one, *moments), **table.read(other, *moments)}
    assert len(saying(before)) > 20
    kept = tables_with(database, table.campaign_id, WORD)
    assert kept == ["idempotency_keys", "kept_folds", "personal_text", "stored_folds"]
    file_before = table.gm.get(f"{table.path}/export").content

    table.erase_all()

    for process in (other, one):
        after = table.read(process, *moments, table.seq())
        assert saying(after) == []
        assert any("erased" in page for page in after.values())
    assert tables_with(database, table.campaign_id, WORD) == []
    follow(database, table.campaign_id)
    assert tables_with(database, table.campaign_id, WORD) == []
    assert saying(table.read(one, *moments)) == []
    for process in two:
        verdict = process.client.get(f"/api{table.path}/verify", headers=table.gm.headers).json()
        assert (verdict["sound"], verdict["events"]) == (True, table.seq())
    for file in (file_before, table.gm.get(f"{table.path}/export").content):
        assert verified(BytesIO(file)).fault is None


def test_a_repeated_request_gets_its_first_answer_without_the_words(two):
    one, other = two
    table = Confession(one)
    table.erase_all()
    for process in two:
        body, headers = table.said_once, {**table.player.headers, **KEY}
        again = process.client.post(f"/api{table.path}/actions", json=body, headers=headers)
        assert again.status_code == 201
        first = {**table.first_answer, "summary": ["Note: erased"]}
        first["events"] = [{**first["events"][0], "text": "erased"}]
        assert again.json() == first
    assert other.client.get(f"/api{table.path}", headers=table.gm.headers).json()["as_of"] == table.seq()


def test_a_fork_knows_nothing_of_erased_words_and_still_says_that_there_were_some(two, database):
    table = Confession(two[0])
    table.erase_all()
    forked = table.gm.post(f"{table.path}/fork", {})
    assert forked.status_code == 201, forked.text
    fork = forked.json()["campaign_id"]
    exported = table.gm.get(f"/campaigns/{fork}/export")
    assert WORD not in exported.text
    assert verified(BytesIO(exported.content)).fault is None
    assert tables_with(database, fork, WORD) == []
    told = [
        event
        for event in table.gm.get(f"/campaigns/{fork}/events", params={"limit": 500}).json()["events"]
        if event["type"] == "campaign.texts_erased"
    ]
    said = table.gm.get(f"/campaigns/{fork}/events", params={"after": told[0]["seqs"][0] - 1, "limit": 1}).json()
    assert len(told) == len(table.wrote)
    assert said["events"][0]["text"] == "erased"


def test_play_goes_on_and_undo_still_finds_its_way(two):
    one, _ = two
    table = Confession(one)
    table.erase_all()
    note = table.act(table.player, "campaign.add_note", text="new words")["action_id"]
    table.act(table.gm, "campaign.advance_calendar", by={"days": 1})
    for _, action_id in table.wrote:
        shown = table.gm.post(f"{table.path}/actions/{action_id}/undo", {"dry_run": True})
        assert WORD not in shown.text
    erasing = table.gm.get(f"{table.path}/actions", params={"type": "campaign.texts_erased"}).json()["actions"]
    assert [each["type"] for each in erasing] == ["campaign.erase_texts"] * len(table.wrote)
    refused = table.gm.post(f"{table.path}/actions/{erasing[0]['action_id']}/undo", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_undoable")
    assert table.gm.post(f"{table.path}/actions/{note}/undo", {}).status_code == 201
    undone = table.gm.post(f"{table.path}/actions/{table.wrote[0][1]}/undo", {})
    assert undone.status_code == 201, undone.text
    assert table.gm.get(f"{table.path}/verify").json()["sound"] is True


def test_members_erase_their_own_words_and_gms_anybodys(table):
    mine = table.act(table.player, "campaign.add_note", text="mine")["action_id"]
    anas = table.act(table.gm, "campaign.add_note", text="Ana's")["action_id"]
    erase = lambda who, action: who.send("DELETE", f"{table.path}/actions/{action}/texts")  # noqa: E731
    refused = erase(table.player, anas)
    assert (refused.status_code, refused.json()["code"]) == (403, "not_your_words")
    assert erase(table.player, mine).json() == {"as_of": table.seq(), "texts": 1, "events": 1}
    demoted = table.act(table.player, "campaign.add_note", text="later")["action_id"]
    table.gm.send("PATCH", f"{table.path}/members/{table.player.account_id}", json={"role": "observer"})
    assert erase(table.player, demoted).status_code == 200
    assert erase(table.gm, anas).json()["texts"] == 1


def test_erasing_again_finds_nothing_left_and_says_so(table):
    note = table.act(table.player, "campaign.add_note", text="mine")["action_id"]
    path = f"{table.path}/actions/{note}/texts"
    assert table.player.send("DELETE", path).json()["texts"] == 1
    seq = table.seq()
    for who in (table.player, table.gm):
        assert who.send("DELETE", path).json() == {"as_of": seq, "texts": 0, "events": 0}
    wordless = table.act(table.gm, "campaign.advance_calendar", by={"days": 1})["action_id"]
    path = f"{table.path}/actions/{wordless}/texts"
    assert table.gm.send("DELETE", path).json()["texts"] == 0
    assert table.seq() == seq + 1


def test_hidden_words_are_erased_by_who_may_read_them_and_nobody_else_hears_of_it(table):
    body = {"command": {"type": "campaign.add_note", "text": "hush"}, "visibility": "gm"}
    anas = table.gm.post(f"{table.path}/actions", body).json()["action_id"]
    path = f"{table.path}/actions/{anas}/texts"
    refused = table.player.send("DELETE", path)
    unknown = table.player.send("DELETE", f"{table.path}/actions/{UUID(int=7)}/texts")
    assert refused.status_code == unknown.status_code == 404
    assert refused.json() == unknown.json()
    assert table.gm.send("DELETE", path).status_code == 200
    seen = table.player.get(f"{table.path}/events", params={"limit": 500}).json()["events"]
    assert [event["type"] for event in seen][-2:] == ["campaign.hidden"] * 2
    assert table.gm.get(f"{table.path}/actions/{anas}").json()["action"]["summary"] == ["Note: erased"]


def test_erasing_is_told_in_french_where_the_group_plays_in_french(two):
    table = Confession(two[0], "fr")
    table.erase_all()
    told = table.gm.get(f"{table.path}/actions", params={"type": "campaign.erase_texts"}).json()["actions"]
    assert told[0]["summary"] == ["1 texte a été effacé"]
    slip = table.act(table.gm, "campaign.add_note", text="à moi")["action_id"]
    refused = table.erase(table.player, slip)
    assert refused.json()["detail"].startswith("Seul un MJ efface ce que ")


def test_a_feed_that_goes_back_before_erased_words_does_not_tell_them(two):
    one, _ = two
    table = Confession(one)
    before = table.seq()
    note = table.write(table.player, "campaign.add_note", text=WORDS)

    def told() -> str:
        follower = Follower(one, table.gm, table.path, last=before)
        try:
            follower.reaches(table.seq())
            return str([each.data for each in follower.events()])
        finally:
            follower.hang_up()

    assert WORD in told()
    assert table.erase(table.player, note["action_id"]).status_code == 200
    assert WORD not in told()
