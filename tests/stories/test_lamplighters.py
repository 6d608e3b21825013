"""The Frame State campaign of the recordings: what it reaches, what it hides, and what turns it red."""

import asyncio
import json
from typing import Any, get_args
from uuid import UUID

import pytest
from litestar.testing import TestClient
from msgspec import structs

from domain.campaign.command_request import ActRequest
from domain.ids import AccountId, ActionId, CampaignId
from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state.entrance_events import EntranceEvent
from services.application import Application
from services.cli.demo.recording import Recording
from services.cli.demo.story import Diverged, LedgerCheck, PayoutWait, Story, StoryAction
from services.commands.pending_command import PendingCommand
from tests.engines import DatabaseUrls
from tests.stories.golden import picture, read_golden
from tests.stories.playing import Played, changed, play, recording_of

REFUSALS = {
    "advance_limit_reached",
    "attribute_at_maximum",
    "dice_mismatch",
    "handler_exists",
    "insufficient_currency",
    "mission_in_progress",
    "no_unspent_point",
    "not_the_handler",
    "not_your_pilot",
    "npc_never_rolls",
    "same_attribute",
    "test_already_resolved",
}
"""What players run into; each is refused at least once on the way."""

OUTCOMES = {"fumble", "miss", "hit", "critical"}


@pytest.fixture(scope="module")
def recording() -> Recording:
    return recording_of("frame_state")


@pytest.fixture(scope="module")
def played(client: TestClient[Any], database: DatabaseUrls) -> Played:
    return play("frame_state", client, database)


def test_it_reaches_every_command_event_outcome_and_refusal(played):
    tags = {kind.__struct_config__.tag for kind in get_args(FRAME_STATE.commands)}
    assert tags - {act.type for act in played.acts} == set()
    assert {act.outcome for act in played.acts} >= OUTCOMES
    assert REFUSALS - {act.code for act in played.acts} == set()
    kinds = {kind.__struct_config__.tag for kind in get_args(FRAME_STATE.events)}
    # Nobody could give anybody anything when this was played, nor turn down a wish for another frame.
    younger = {"frame_state.currency_moved", "frame_state.frame_replacement_declined"}
    younger |= {kind.__struct_config__.tag for kind in get_args(EntranceEvent)}
    assert kinds - {row.kind for row in played.rows} == younger


def test_what_the_gm_hid_is_in_nothing_that_a_player_reads(played):
    story, hidden = played.story, [row for row in played.rows if row.visibility == "gm"]
    assert len(hidden) == 3
    read = json.dumps(
        [
            story.pages("sam", "/actions", "actions"),
            story.pages("sam", "/events", "events"),
            story.get("sam"),
            [story.get("sam", f"/sheets/{story.bound[who]}") for who in ("mara", "teo", "ines", "wick")],
        ]
    )
    assert "noticed?" not in read
    assert "The Widow knows" not in read
    assert story.bound["message"] not in read
    assert read.count("Something happened that you cannot see") == 3


@pytest.mark.slow
def test_one_other_die_turns_the_comparison_red(client, recording):
    """The control: the last shot's second die shows 4 instead of 3, which changes no outcome."""
    other = Story(
        changed(recording, [[12, 12], [8, 3]], [(12, 12), (8, 4)]), client, suffix=" II", wait_seconds_max=0
    )
    list(other.play())
    found = picture(other, player="sam")
    golden = read_golden("frame_state")
    differing = [key for key in golden if golden[key] != found[key]]
    assert differing == ["chronicle as sam reads it", "chronicle as the GM reads it"]
    lines = [
        pair
        for pair in zip(golden["chronicle as sam reads it"], found["chronicle as sam reads it"], strict=True)
        if pair[0] != pair[1]
    ]
    assert len(lines) == 1


def test_a_die_that_changes_an_outcome_stops_the_story(client, recording):
    other = Story(
        changed(recording, [[12, 12], [8, 3]], [(12, 2), (8, 3)]), client, suffix=" III", wait_seconds_max=0
    )
    with pytest.raises(Diverged, match="expected critical, it came to miss"):
        list(other.play())


def test_it_comes_out_the_same_with_a_worker_that_pays(client, recording):
    story = Story(recording, client, suffix=" IV", wait_seconds_max=5)
    happenings = []
    for happening in story.play():
        happenings.append(happening)
        if isinstance(happening, StoryAction) and happening.type == "frame_state.conclude_mission":
            with client.portal() as portal:
                portal.call(pay, client.app.state.application, story)
    assert [each.came for each in happenings if isinstance(each, PayoutWait)] == [True, True]
    assert [each for each in happenings if isinstance(each, LedgerCheck)] == [LedgerCheck(with_payouts=True)]


async def pay(application: Application, story: Story) -> None:
    """What a worker does: post everything that is owed."""
    campaign_id = CampaignId(UUID(story.campaign_id))
    seen = await application.campaigns.see(campaign_id, AccountId(UUID(story.bound["ana"])))
    for owed in FRAME_STATE.due_commands(seen.state.systems[FRAME_STATE.id]):
        await application.handler.act(
            PendingCommand(
                campaign_id=campaign_id,
                account=None,
                request=ActRequest(command=owed.command),
                action_id=ActionId(application.entropy.new_id()),
                answered=asyncio.get_running_loop().create_future(),
            )
        )


def test_it_is_told_in_french_without_a_sentence_of_english(client, played, recording):
    settings = recording.title.settings | {"campaign.language": "fr"}
    french = structs.replace(recording, title=structs.replace(recording.title, settings=settings))
    story = Story(french, client, suffix=" V", wait_seconds_max=0)
    told = {happening.number: happening for happening in story.play() if isinstance(happening, StoryAction)}
    for english in played.acts:
        assert told[english.number].code == english.code
        assert not set(told[english.number].sentences) & set(english.sentences), english
    said = {sentence for act in told.values() for sentence in act.sentences}
    assert "Mara Voss fait passer «\u00a0acuité\u00a0» de d4 à d6" in said
    assert any(sentence.startswith("Seuls les pilotes lancent les dés.") for sentence in said)
