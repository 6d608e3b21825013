"""Every recorded campaign, asked of three applications in turn, comes out as if one had answered everything."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpx
import pytest

from services.cli.demo.recording import recorded_names, recording_of
from services.cli.demo.story import Diverged, Story
from services.settings import Settings
from tests.engines import DICE_KEY, PostgresServer
from tests.sampling import slow_but
from tests.services.in_turn import asked_in_turn, folded, folding_only_heads
from tests.stories.live_reader import every_read, in_story

APPLICATIONS = 3
OF_ONE_PLAY = {"at", "hash", "head_hash", "created_at", "expires_at", "began_at", "ended_at", "campaign_id",
               "commitment", "hidden_commitment"}  # fmt: skip
"""Fields that differ whenever a story is played again: moments, hashes over them, an id that the client draws."""


class Result(NamedTuple):
    """What people were answered, the events of the log, and all that can be read at the end."""

    answers: list[Any]
    events: Any
    reads: dict[str, Any]


@pytest.fixture
def services(postgres_server: PostgresServer, redis_server: str) -> Any:
    """Opens so many applications on a database of their own; they hear of each other's appends."""

    @contextmanager
    def opened(count: int) -> Iterator[httpx.Client]:
        urls = postgres_server.new_database()
        settings = Settings(
            database_url=urls.service,
            redis_url=redis_server,
            dice_key=DICE_KEY,
            password_kib=64,
        )
        with asked_in_turn(count, settings) as client:
            yield client
        postgres_server.give_back(urls)

    return opened


def played(name: str, client: httpx.Client) -> Result:
    story = Story(recording_of(name), client, suffix="", wait_seconds_max=0)
    answers = [[*each, lasting(story.last_answer)] for each in story.play()]
    gm, *others = story.recording.title.people
    events = lasting(story.pages(story.recording.title.gm, "/events", "events"))
    reads = {who: lasting(every_read(in_story(story, who))) for who in (gm, others[-1])}
    return Result(*_with_due_actions_by_place(answers, events, reads))


def _with_due_actions_by_place(answers: list[Any], events: list[Any], reads: dict[str, Any]) -> Any:
    """The same, with the seqs of actions that nobody asked for in place of their ids.

    An application runs what is due as soon as it comes to it, and draws the id behind the request that is the last
    by then.
    """
    due = {
        each["recorded"]["action_id"]: each["seq"]
        for each in reversed(events)
        if each["recorded"]["actor"] is None
    }
    content = json.dumps([answers, events, reads])
    for action_id, seq in due.items():
        content = content.replace(action_id, f"the action at {seq}")
    return json.loads(content)


def lasting(seen: Any) -> Any:
    """The same, without what differs from play to play."""
    if isinstance(seen, dict):
        return {key: lasting(each) for key, each in seen.items() if key not in OF_ONE_PLAY}
    return [lasting(each) for each in seen] if isinstance(seen, list) else seen


@pytest.mark.parametrize("name", slow_but(recorded_names(), "undo", in_release=["mobile_frame", "overdrive"]))
def test_a_story_comes_out_the_same_as_from_one_application(name, services):
    with services(1) as client:
        alone = played(name, client)
    before = folded()
    with services(APPLICATIONS) as client:
        assert played(name, client) == alone
    assert folded() - before > len(alone.answers) / APPLICATIONS, "each was asked about others' appends"


def test_folding_nothing_of_what_others_append_would_be_found_out(services):
    """Negative control."""
    with folding_only_heads(), services(APPLICATIONS) as client, pytest.raises(Diverged):
        played("angst", client)
