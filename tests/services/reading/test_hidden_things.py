"""What is hidden from somebody reaches them on no path, and not by what is refused either (invariant 23)."""

import os
from uuid import UUID

import pytest

from domain.campaign.knowledge.audience_states import Knowledge
from domain.campaign.secrecy import audience as visibility
from domain.ids import CampaignId
from services.workers.projector import Projector
from tests.services.hidden_play import MOVES, Play
from tests.services.live_api import eventually

PLAYS = int(os.environ.get("FIELDLOG_PLAYS", "10"))
"""So many long plays; `.ci/release` has more."""


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_readers_read_the_same_as_in_a_campaign_without_what_is_hidden(client, seed):
    play = Play(client, seed)
    play.play(MOVES)
    assert play.compare() == []
    play.follow()
    assert play.compare() == []
    assert play.accepted > 30
    assert play.hidden > 5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 3 + PLAYS))
def test_readers_read_the_same_however_long_it_is_played(client, seed):
    play = Play(client, seed)
    play.play(2 * MOVES)
    play.follow()
    assert play.compare() == []


@pytest.mark.slow
def test_deciding_on_everything_for_everybody_is_found_out(client, monkeypatch):
    """Negative control."""
    monkeypatch.setattr(Knowledge, "of", lambda _, __, whole: whole)
    play = Play(client, 1)
    play.play(MOVES)
    assert play.compare() != []


@pytest.mark.slow
def test_showing_everybody_what_one_may_see_is_found_out(client, monkeypatch):
    """Negative control."""
    seen = visibility.may_see
    monkeypatch.setattr(visibility, "may_see", lambda who, audience: who == "blind" or seen(who, audience))
    play = Play(client, 1)
    play.play(MOVES)
    assert play.compare() != []


# --- one by one -------------------------------------------------------------------------------------------------


@pytest.fixture
def seated(table):
    """A table with a pilot of the player's, and money that nobody but the GM knows of."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Mara")
    return table


def hidden(table, command, visibility="gm", **fields):
    body = {"command": {"type": command, **fields}, "visibility": visibility}
    answer = table.gm.post(f"{table.path}/actions", body)
    assert answer.status_code == 201, answer.text
    return answer.json()


NOTE = "six, as he is tired"
CALL = {"test_type": "proactive", "mark": 6, "dice": [{"die": "d6"}]}


def test_a_hidden_test_is_not_there_for_who_may_not_see_it(seated):
    hidden(seated, "frame_state.call_test", **CALL)
    assert seated.refused(seated.player, "frame_state.roll_test") == (422, "no_open_test")
    assert seated.act(seated.player, "campaign.add_note", text="x")["pending"] == []
    test = seated.gm.get(seated.path).json()["pending"][0]["subject"]
    assert seated.refused(seated.player, "frame_state.roll_test", test_id=test)[1] != "not_possible_now"


def test_hidden_money_can_be_spent_by_nobody_who_does_not_know_of_it(seated):
    hidden(seated, "frame_state.award_currency", amount=5000, reason="luck")
    refusal = seated.try_to(seated.player, "frame_state.advance_category", category="skills")
    assert "100" in refusal.json()["detail"]
    told = seated.act(seated.gm, "frame_state.award_currency", amount=1, reason="luck")
    assert told["events"][0]["balance_after"] == 101, "the GM's word is for everybody"


def test_what_only_something_hidden_forbids_is_refused_without_a_reason(seated):
    seated.act(seated.gm, "frame_state.award_currency", amount=5000, reason="luck")
    hidden(seated, "frame_state.charge_currency", amount=5000, reason="debts")
    wish = {"category": "skills"}
    assert seated.refused(seated.player, "frame_state.advance_category", **wish) == (422, "not_possible_now")


def test_what_rests_on_something_hidden_is_not_told_by_accident(seated):
    test = hidden(seated, "frame_state.call_test", **CALL)["events"][0]["test_id"]
    assert seated.refused(seated.gm, "frame_state.cancel_test", test_id=test) == (422, "rests_on_hidden")
    hidden(seated, "frame_state.cancel_test", test_id=test)


def test_what_a_player_asks_hidden_with_gm_they_see_and_blind_they_do_not(seated):
    for asked, sees in (("gm", True), ("blind", False)):
        body = {"command": {"type": "campaign.roll", "notation": "d6"}, "visibility": asked}
        answer = seated.player.post(f"{seated.path}/actions", body).json()
        assert (answer["events"][0]["type"] == "campaign.dice_rolled") == sees
        read = seated.player.get(f"{seated.path}/actions/{answer['action_id']}").json()
        assert (read["action"]["type"] == "campaign.roll") == sees
        assert seated.gm.get(f"{seated.path}/actions/{answer['action_id']}").json()["action"]["type"]


def test_a_note_beside_a_hidden_mark_is_as_hidden_as_the_mark(seated):
    body = {
        "command": {"type": "frame_state.call_test", **CALL, "mark_hidden": True},
        "note": "six, as he is tired",
    }
    called = seated.gm.post(f"{seated.path}/actions", body).json()
    for who, note in ((seated.gm, NOTE), (seated.player, None)):
        assert who.get(f"{seated.path}/actions/{called['action_id']}").json()["action"]["note"] == note
        found = who.get(f"{seated.path}/actions", params={"text": "tired"}).json()["actions"]
        assert bool(found) == (note is not None)


def test_a_payout_for_a_hidden_mission_is_hidden_too(seated, client):
    pilot = seated.gm.get(f"{seated.path}/sheets").json()["sheets"][0]["character"]
    hidden(seated, "frame_state.start_mission", name="Night")
    hidden(seated, "frame_state.conclude_mission", payouts={pilot: 700})
    application = client.app.state.application
    follower = Projector(application.log, application.views, application.handler)
    client.blocking_portal.call(follower.campaign, CampaignId(UUID(seated.campaign_id)))
    balances = [
        who.get(f"{seated.path}/sheets/{pilot}").json()["sheet"]["currency"] for who in (seated.gm, seated.player)
    ]
    assert balances == [800, 100]


def test_the_secrets_of_a_campaign_are_known_apart_after_it_was_loaded_again(seated, client):
    hidden(seated, "frame_state.award_currency", amount=5000, reason="luck")
    application = client.app.state.application
    campaign = CampaignId(UUID(seated.campaign_id))
    follower = Projector(application.log, application.views, application.handler)
    client.blocking_portal.call(follower.campaign, campaign)
    application.cache.evict(campaign)
    refusal = seated.try_to(seated.player, "frame_state.advance_category", category="skills")
    assert "100" in refusal.json()["detail"]


def test_a_placeholder_has_a_place_and_nothing_else(seated):
    seated.act(seated.gm, "campaign.advance_calendar", by={"days": 3})
    secret = hidden(seated, "campaign.roll", notation="3d6", label="for the mole")["action_id"]
    read = seated.player.get(f"{seated.path}/actions/{secret}").json()
    places = {"action_id", "seq", "last_seq", "at"}
    assert {key: told for key, told in read["action"].items() if key not in places and told is not None} == {
        "cause": "",
        "visibility": "hidden",
        "events": ["campaign.hidden"],
        "summary": ["Something happened that you cannot see"],
        "rolls": [],
    }
    (event,) = read["events"]
    place = event.pop("recorded")
    assert event == {"seq": event["seq"], "type": "campaign.hidden"}
    assert {
        key: told for key, told in place.items() if told is not None and key not in {"action_id", "at", "hash"}
    } == {
        "cause": "",
        "visibility": "hidden",
    }
    assert read["changes"] is None


def test_a_timer_that_something_hidden_stands_against_is_not_shown_to_fail(seated, client):
    seated.act(seated.gm, "campaign.set_setting", key="campaign.debt", value="refused")
    post = {"currency": "credits", "reason": "rent", "new": True}
    seated.act(seated.gm, "campaign.post_entry", debit="world:bank", credit="crew", amount=50, **post)
    hidden(seated, "campaign.post_entry", debit="crew", credit="world:mole", amount=50, **post)
    effect = {"type": "post", "currency": "credits", "debit": "crew", "credit": "world:dock", "amount": 20}
    effect["new"] = True
    seated.act(seated.gm, "campaign.schedule_timer", title="Rent", after={"days": 1}, effect=effect)
    seated.act(seated.gm, "campaign.advance_calendar", by={"days": 1})

    def rent(who):
        [timer] = who.get(f"{seated.path}/timers").json()["timers"]
        return timer["state"], timer["attempts"], timer["error"] is None

    assert eventually(lambda: rent(seated.gm) == ("failing", 1, False)), "negative control"
    assert rent(seated.player) == ("due", 0, True)
    [coming] = seated.player.get(f"{seated.path}/calendar").json()["coming"]
    assert coming["state"] == "due"


def test_an_account_that_only_hidden_money_opened_is_as_new_to_a_player_as_any_other(seated):
    """Neither the question nor its choices tell of it."""
    purse = f"player:{seated.player.account_id}"
    paid = {"currency": "marks", "debit": "world:bank", "credit": purse, "amount": 50, "reason": "pay"}
    seated.act(seated.gm, "campaign.post_entry", **paid, new=True)
    hidden(seated, "campaign.post_entry", **{**paid, "currency": "favours", "credit": "world:mole"}, new=True)
    offer = {"currency": "marks", "debit": purse, "amount": 1, "reason": "dues"}
    told = [
        seated.try_to(seated.player, "campaign.offer_transfer", **offer, credit=f"world:{end}").json()
        for end in ("banko", "banka")
    ]
    assert told[0]["code"] == "unknown_account"
    assert str(told[0]).replace("banko", "banka") == str(told[1])
    # Only the mole's account is like this one, and whoever does not know of that is asked nothing.
    near = seated.try_to(seated.player, "campaign.offer_transfer", **offer, credit="world:moles")
    assert near.status_code == 201, near.text
