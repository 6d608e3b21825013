"""What follows an open action hidden, wherever it is read: in a batch, live, compared, brought over, forked."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import msgspec
import psycopg
import pytest

from domain.campaign.command_request import ActRequest
from domain.ids import AccountId, CampaignId
from services.commands.submit import submit_command
from tests.services.conftest import Person, table_at
from tests.services.live_api import Follower, api
from tests.services.tide import ROLL, ROLLED, RUNNER, Tide
from tests.services.transfers import brought

LIMIT = {"limit": 500}


@pytest.fixture
def tide(table: Any) -> Tide:
    return Tide(table)


def events(tide: Tide, who: Person, path: str | None = None, **params: Any) -> list[Any]:
    page = who.get(f"{path or tide.path}/events", params=LIMIT | params)
    found: list[Any] = page.json()["events"]
    return found


def test_answers_within_one_batch_name_the_seq_and_hash_of_the_log(tide, client, database):
    """Several commands share an append; what follows the first of them hidden moves those behind it."""
    application, call = client.app.state.application, client.blocking_portal.call
    campaign, player = CampaignId(UUID(tide.campaign_id)), AccountId(UUID(tide.player.account_id))
    points = [{"kind": "spend", "attribute": each} for each in ("body", "mind", "ghost", "body", "mind")]
    asked: Any = [{"command": ROLL | {"prerequisite": point}, "dice": ROLLED} for point in points]
    commands = msgspec.convert(asked, list[ActRequest])

    async def at_once() -> list[bytes]:
        return await asyncio.gather(*(submit_command(application, campaign, player, each) for each in commands))

    before = tide.seq()
    answers = [json.loads(each) for each in call(at_once)]
    rows = {each["seq"]: each for each in events(tide, tide.gm, after=before)}
    with psycopg.connect(database.owner) as connection:
        connection.execute("SELECT set_config('fieldlog.campaigns', %s, true)", ["{" + tide.campaign_id + "}"])
        appends = connection.execute("SELECT count(DISTINCT xmin::text) FROM events WHERE seq > %s", [before])
        assert appends.fetchall()[0][0] < len(commands), "some were one append"
    assert sum(each["type"] == "freefall.clock_filled" for each in rows.values()) or tide.filled() > 1
    for answer in answers:
        told = [rows[each["seq"]] for each in answer["events"]]
        assert {each["recorded"]["action_id"] for each in told} == {answer["action_id"]}
        assert {each["recorded"]["visibility"] for each in told} == {"all"}
        assert (answer["seq"], answer["head_hash"]) == (told[-1]["seq"], told[-1]["recorded"]["hash"])
    assert "tide" not in json.dumps(answers)
    assert tide.gm.get(f"{tide.path}/verify").json()["sound"]


def test_whoever_insists_on_the_head_they_were_told_hears_that_something_followed(tide):
    """The answer ends with the open action; that it is not the head shows in the placeholder, as everywhere."""
    rolled = tide.roll()
    body = {"command": {"type": "campaign.add_note", "text": "x"}}
    stale = tide.player.post(f"{tide.path}/actions", body, headers={"If-Match": f'"{rolled["seq"]}"'})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale_if_match")
    seen = events(tide, tide.player, after=rolled["seq"])
    assert [each["type"] for each in seen] == ["campaign.hidden"]
    fine = tide.player.post(f"{tide.path}/actions", body, headers={"If-Match": f'"{seen[-1]["seq"]}"'})
    assert fine.status_code == 201


@pytest.fixture
def live(database: Any) -> Iterator[tuple[Any, Tide]]:
    with api(database.service) as running:
        yield running, Tide(table_at(running.client))


def test_the_live_feed_tells_each_placeholder_at_its_seq_and_resumes_anywhere(live):
    """Nothing is left out, so no gap tells how much there was; GMs read all of it."""
    running, tide = live
    before = tide.seq()
    feeds = {who.name: Follower(running, who, tide.path, last=before) for who in (tide.gm, tide.player)}
    for _ in range(3):
        tide.roll()
    head = tide.seq()
    told: dict[str, list[Any]] = {}
    for who in (tide.gm, tide.player):
        feed = feeds[who.name]
        feed.reaches(head)
        feed.hang_up()
        told[who.name] = [each.data for each in feed.told if each.data and "seq" in each.data]
        assert [each["seq"] for each in told[who.name]] == [*range(before + 1, head + 1)]
        assert told[who.name] == events(tide, who, after=before)
    assert [each["type"] for each in told[tide.player.name]].count("campaign.hidden") == 3
    for after in range(before, head):
        feed = Follower(running, tide.player, tide.path, last=after)
        feed.reaches(head)
        feed.hang_up()
        again = [each.data for each in feed.told if each.data and "seq" in each.data]
        assert again == [each for each in told[tide.player.name] if each["seq"] > after]


def test_between_two_moments_a_gm_reads_what_followed_and_a_player_reads_nothing_of_it(tide):
    before = tide.seq()
    rolled = tide.roll()
    *_, follows = tide.actions()
    tide.undo(rolled["action_id"])
    head = tide.seq()
    moments = [before, rolled["seq"], follows["seq"], head]
    for one in moments:
        for other in moments:
            path = f"{tide.path}/diff?from={one}&to={other}"
            whole, read = (who.get(path).json() for who in (tide.gm, tide.player))
            moved = [each for each in ("clocks", "tide") if each in json.dumps(whole["changes"]).lower()]
            assert bool(moved) == ({one, other} & {follows["seq"]} != set() and one != other), (one, other)
            assert "tide" not in json.dumps(read).lower()
            assert "clock" not in json.dumps(read["changes"]).lower()
            assert [each["action_id"] for each in read["actions"]] == [
                each["action_id"] for each in whole["actions"]
            ], "each has its placeholder"


def test_what_entered_is_why_a_sheet_is_as_it_is_for_whoever_did_not_know_it(tide):
    made = tide.hide("create_character", name="Vane", **RUNNER)
    vane = made["events"][0]["character"]
    tide.do(tide.gm, "campaign.enter_play", subject=vane)
    path = f"{tide.path}/sheets/{vane}/why?path=name"
    for who, kind in ((tide.gm, "freefall.character_created"), (tide.player, "freefall.character_entered")):
        why = who.get(path).json()
        assert [each["event"] for each in why["moves"]] == [kind], who.name
        assert (why["value"], why["moves"][0]["before"]) == ("Vane", None)
    changed = tide.player.get(f"{tide.path}/diff?from={made['seq']}").json()["changes"]
    assert "Vane" in json.dumps(changed)


def test_secrets_are_the_same_after_an_export_and_import_and_in_a_fork(tide):
    rolled = tide.roll()
    read = {who.name: [each["type"] for each in events(tide, who)] for who in (tide.gm, tide.player)}
    people = json.dumps({who.name: who.name for who in (tide.gm, tide.player)})
    content = tide.gm.get(f"{tide.path}/export").content
    fork = tide.gm.post(f"{tide.path}/fork", {"name": "Ebb"}).json()["campaign_id"]
    for path in (brought(tide.gm, content, people=people).path, f"/campaigns/{fork}"):
        code = tide.gm.post(f"{path}/invites", {"role": "player"}).json()["code"]
        tide.player.post(f"/invites/{code}/accept")
        for who in (tide.gm, tide.player):
            told = [each for each in events(tide, who, path) if each["recorded"]["imported_at"] is not None]
            kinds = [each["type"] for each in told]
            assert kinds[-4:] == read[who.name][-4:]
            assert kinds.count("campaign.hidden") == read[who.name].count("campaign.hidden")
        board = f"{path}/boards/freefall/turn"
        assert tide.player.get(board).json()["clocks"] == []
        assert [each["filled"] for each in tide.gm.get(board).json()["clocks"]] == [1]
        assert "tide" not in "".join(
            tide.player.get(path + page).text for page in ("/actions", "/events", "/export")
        )
        undone = tide.gm.post(f"{path}/actions/{rolled['action_id']}/undo", {})
        assert undone.status_code == 201, undone.text
        assert [each["filled"] for each in tide.gm.get(board).json()["clocks"]] == [0]
        assert tide.gm.get(f"{path}/verify").json()["sound"]
