"""What an open action brings for hidden things is an action of its own right behind it, and goes with it."""

import json
from uuid import UUID

import pytest

from domain.ids import CampaignId
from services.campaign.verify_log import stale_audiences
from tests.services.conftest import Table
from tests.services.tide import ROLLED, Tide

AFFECTED = "campaign.action_affected"


@pytest.fixture
def tide(table: Table) -> Tide:
    return Tide(table)


def test_it_stands_right_behind_the_open_action_and_names_it(tide):
    rolled = tide.roll()
    *_, openly, follows = tide.actions()
    assert (openly["action_id"], openly["type"]) == (rolled["action_id"], "freefall.roll_action")
    assert (follows["type"], follows["visibility"]) == ("campaign.follow_hidden", "gm")
    assert (follows["cause"], follows["actor"]) == (f"action:{rolled['action_id']}", None)
    assert follows["seq"] == openly["last_seq"] + 1
    assert tide.filled() == 1


def test_whoever_is_no_gm_is_answered_with_the_open_action_alone_and_again_under_the_same_key(tide):
    rolled = tide.roll("once")
    *_, openly, follows = tide.actions()
    assert rolled["seq"] == openly["last_seq"] == follows["seq"] - 1
    assert all(each["type"].startswith("freefall.") for each in rolled["events"])
    assert "tide" not in json.dumps(rolled)
    assert tide.roll("once") == rolled
    assert tide.filled() == 1


def test_a_gm_is_answered_with_all_of_it(tide):
    wren = tide.gm.get(f"{tide.path}/sheets").json()["sheets"][0]["character"]
    answer = tide.do(tide.gm, "roll_action", dice=2, tn=11, character=wren, rolled=ROLLED,
                     prerequisite={"kind": "spend", "attribute": "mind"})  # fmt: skip
    assert "clock" in answer["events"][-1]["type"]
    assert answer["seq"] == tide.actions()[-1]["last_seq"]


def test_it_goes_and_comes_back_with_the_open_action_and_cannot_be_undone_alone(tide):
    rolled = tide.roll()
    alone = tide.actions()[-1]["action_id"]
    refused = tide.gm.post(f"{tide.path}/actions/{alone}/undo", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "happened_by_itself")
    for what, filled in (("undo", 0), ("redo", 1), ("undo", 0)):
        done = tide.gm.post(f"{tide.path}/actions/{rolled['action_id']}/{what}", {"cascade": True})
        assert done.status_code == 201, done.text
        assert tide.filled() == filled
    assert "tide" not in tide.read_by(tide.player)


def test_a_fork_and_the_stored_views_know_it_as_the_log_does(tide, client):
    rolled = tide.roll()
    forked = tide.gm.post(f"{tide.path}/fork", {"name": "Ebb"}).json()["campaign_id"]
    there = tide.gm.post(f"/campaigns/{forked}/actions/{rolled['action_id']}/undo", {"cascade": True})
    assert there.status_code == 201, there.text
    struck = [each for each in there.json()["events"] if each["type"] == "campaign.action_undone"]
    assert [each["command"] for each in struck] == ["freefall.roll_action", "campaign.follow_hidden"]
    application, call = client.app.state.application, client.blocking_portal.call
    for campaign in (tide.campaign_id, forked):
        assert tide.gm.get(f"/campaigns/{campaign}/verify").json()["sound"]
        assert call(stale_audiences, application.log, application.views, CampaignId(UUID(campaign))) == []


def test_an_undo_before_it_points_nothing_out_that_goes_as_before(tide):
    """Both of it are decided again together: the open part alone would seem to go otherwise."""
    noted = tide.do(tide.gm, "campaign.add_note", text="low water")["action_id"]
    tide.roll()
    preview = tide.gm.post(f"{tide.path}/actions/{noted}/undo", {"dry_run": True}).json()
    assert (preview["affected"], [each["because"] for each in preview["undone"]]) == ([], ["asked"])


def affected(tide: Tide, action: str) -> list[str]:
    """What the GM reads, before and in an undo, to stand though it would go otherwise; no player hears of it."""
    preview = tide.gm.post(f"{tide.path}/actions/{action}/undo", {"dry_run": True}).json()
    assert [each["because"] for each in preview["undone"]] == ["asked"]
    done = tide.undo(action)
    told = [each["action_id"] for each in done["events"] if each["type"] == AFFECTED]
    assert told == [each["action_id"] for each in preview["affected"]]
    assert AFFECTED not in tide.read_by(tide.player)
    return told


def test_what_would_follow_now_is_pointed_out_to_the_gm_alone(tide):
    clock = tide.hide("open_clock", name="The guard", size=4)["action_id"]
    rolled = tide.roll()  # two clocks: it moves none
    assert affected(tide, clock) == [rolled["action_id"]]
    assert "guard" not in tide.read_by(tide.player)


def test_what_would_not_follow_any_more_is_pointed_out_to_the_gm_alone(tide):
    """The open action goes as it did, and only what followed it hidden would not."""
    tide.roll()
    follows = tide.actions()[-1]
    opened = tide.gm.get(f"{tide.path}/actions", params={"type": "freefall.clock_opened"}).json()["actions"]
    assert affected(tide, opened[0]["action_id"]) == [follows["action_id"]]
    assert [each["affected_in"] is None for each in tide.actions()[-3:-1]] == [True, False]
    tide.undo(opened[0]["action_id"], "redo")
    assert tide.filled() == 1
    noted = tide.do(tide.gm, "campaign.add_note", text="low water")["action_id"]
    assert affected(tide, noted) == []


def test_a_doom_clock_that_is_revealed_is_seen_as_far_as_it_is(tide):
    """It was seen as it was opened, without what had moved it."""
    tide.roll()
    opening = next(each["action_id"] for each in tide.actions() if each["type"] == "freefall.open_clock")
    tide.do(tide.gm, "campaign.reveal_action", action_id=opening)
    clocks = [tide.on_board(each)["clocks"] for each in (tide.gm, tide.player)]
    assert clocks[0] == clocks[1]
    assert [each["filled"] for each in clocks[1]] == [1]
    assert "campaign.follow_hidden" not in tide.read_by(tide.player), "what moved it stays hidden"


def test_what_goes_on_after_a_clock_was_revealed_moves_it_before_everybody(tide):
    tide.roll()
    opening = next(each["action_id"] for each in tide.actions() if each["type"] == "freefall.open_clock")
    tide.do(tide.gm, "campaign.reveal_action", action_id=opening)
    rolled = tide.roll()
    assert [each["filled"] for each in tide.on_board(tide.player)["clocks"]] == [2]
    tide.undo(rolled["action_id"])
    assert [each["filled"] for each in tide.on_board(tide.player)["clocks"]] == [1]


def test_an_open_roll_undone_takes_back_what_it_moved_before_the_clock_was_revealed(tide):
    rolled = tide.roll()
    opening = next(each["action_id"] for each in tide.actions() if each["type"] == "freefall.open_clock")
    tide.do(tide.gm, "campaign.reveal_action", action_id=opening)
    tide.undo(rolled["action_id"])
    assert tide.filled() == 0
    assert [each["filled"] for each in tide.on_board(tide.player)["clocks"]] == [0]
