"""Every answer of the recorded campaigns is what the OpenAPI document says it is, for whoever asks."""

from collections.abc import Iterator
from typing import Any

import pytest
from litestar.testing import TestClient

from services.cli.demo.recording import recorded_names, recording_of, short_names
from services.cli.demo.story import Story
from tests.sampling import slow_but
from tests.services.conftest import document as document  # noqa: PLC0414 — a fixture of another folder
from tests.typed_answers import Checker

OF_CAMPAIGNS = "ApiCampaignsCampaignId"
PAGES = ("", "/members", "/ledger/accounts", "/timers", "/calendar", "/statistics", "/recap", "/dice", "/downtime")


@pytest.fixture(scope="module")
def checker(document: dict[str, Any]) -> Checker:
    return Checker(document)


@pytest.fixture(scope="module")
def checked(client: TestClient[Any], checker: Checker) -> Iterator[TestClient[Any]]:
    client.event_hooks["response"].append(checker)
    yield client
    client.event_hooks["response"].remove(checker)


@pytest.mark.parametrize("name", slow_but([*recorded_names(), *short_names()], "freefall", *short_names()))
def test_all_that_a_gm_and_a_player_do_and_read_is_typed(checked, checker, name):
    recording = recording_of(name)
    story = Story(recording, checked, suffix=f" of typed {name}", wait_seconds_max=0)
    assert [*story.play()]
    gm = recording.title.gm
    players = [who for who, person in recording.title.people.items() if person.role == "player"]
    for who in (gm, players[-1]):
        read(story, who)
    story.get(gm, "/diff", **{"from": 1})
    story.get(gm, "/verify")
    assert {(f"{OF_CAMPAIGNS}ActionsAct", 201), (f"{OF_CAMPAIGNS}EventsEvents", 200)} <= checker.seen


def read(story: Story, who: str) -> None:
    """Read all that there is."""
    for sheet in story.get(who, "/sheets")["sheets"]:
        story.get(who, f"/sheets/{sheet['character']}")
        story.get(who, f"/sheets/{sheet['character']}/record")
    for board in story.get(who, "/boards")["boards"]:
        story.get(who, f"/boards/{board['system']}/{board['board']}")
    table = story.table(who)
    for page in PAGES:
        table.account.request("GET", table.path + page)  # of which a refusal is an answer, too
    story.pages(who, "/events", "events")
    story.pages(who, "/ledger/entries", "entries")
    actions = story.pages(who, "/actions", "actions")
    story.get(who, f"/actions/{actions[-1]['action_id']}")
