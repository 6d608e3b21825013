"""Who waits for an undo, a redo or a look at one can hear how far the search is, and nobody else can."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from services.history import undo as undoing
from services.reading.live_feed import Pace
from tests.services.conftest import Person, Table, table_at
from tests.services.live_api import Api, Follower, api
from tests.typed_answers import Checker

YIELD_EVERY_DECISIONS = 5
NOTES = 4 * YIELD_EVERY_DECISIONS
EVENTS = {"Accept": "text/event-stream"}
KEY = {"Idempotency-Key": "once"}


@pytest.fixture
def running(database: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    """The API, which tells of progress whenever there is any, and looks for it after few decisions."""
    monkeypatch.setattr(undoing, "YIELD_EVERY_DECISIONS", YIELD_EVERY_DECISIONS)
    with api(database.service, pace=Pace(progress_seconds=0)) as started:
        yield started


@pytest.fixture
def table(running: Api) -> Table:
    return table_at(running.client)


@pytest.fixture
def first(table: Table) -> str:
    """An action before many others."""
    noted: str = table.act(table.gm, "campaign.add_note", text="Wrong tower.")["action_id"]
    for _ in range(NOTES):
        table.act(table.gm, "campaign.add_note", text="On we go.")
    return noted


def told(answer: Any) -> list[tuple[str, Any]]:
    """The events of an answer: kind and data; a comment only keeps the line open."""
    assert answer.headers["content-type"].startswith("text/event-stream"), answer.text
    all_frames = answer.text.strip().split("\n\n")
    frames = [frame.split("\n") for frame in all_frames if not frame.startswith(":")]
    return [(kind.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for kind, data in frames]


def undo(table: Table, who: Person, action: str, what: str = "undo", **more: Any) -> Any:
    headers = EVENTS | more.pop("headers", {})
    return who.post(f"{table.path}/actions/{action}/{what}", more, headers=headers)


def faults(document: dict[str, Any], what: str, events: list[tuple[str, Any]]) -> list[str]:
    """Where events are not what the API's document says of them."""
    operation = document["paths"][f"/api/campaigns/{{campaign_id}}/actions/{{action_id}}/{what}"]["post"]
    known = operation["responses"]["200"]["content"]["text/event-stream"]["x-events"]
    checker, found = Checker(document), list[str]()
    for kind, data in events:
        tried = [checker.faults(schema, data) for schema in known[kind].get("anyOf", [known[kind]])]
        found += [] if [] in tried else tried[0]
    return found


def test_a_search_says_how_far_it_is_and_then_its_answer(table, first, document):
    plain = table.gm.post(f"{table.path}/actions/{first}/undo", {"dry_run": True}).json()
    for what, dry_run in (("undo", True), ("undo", False), ("redo", True), ("redo", False)):
        *progress, (kind, answer) = told(undo(table, table.gm, first, what, dry_run=dry_run))
        assert kind == "answer"
        assert faults(document, what, [*progress, (kind, answer)]) == []
        assert ("dry_run" in answer) == dry_run
        assert {each for each, _ in progress} == {"progress"}
        searched = [said["searched"] for _, said in progress if said["of"]]
        assert searched == sorted(set(searched))
        assert len(searched) > 1
        assert all(said["searched"] <= said["of"] for _, said in progress)
        assert progress[-1][1]["of"] >= NOTES
        if (what, dry_run) == ("undo", True):
            assert answer == plain


def test_a_refusal_comes_as_the_problem_that_it_is(table, first, document):
    (kind, problem) = told(undo(table, table.player, first))[-1]
    assert faults(document, "undo", [(kind, problem)]) == []
    assert faults(document, "undo", [("answer", problem)]) != []
    assert (kind, problem["status"], problem["code"]) == ("problem", 403, "not_your_action")
    unknown = table.gm.send("POST", f"{table.path}/actions/{first}/undo", headers=EVENTS)
    assert (unknown.status_code, unknown.json()["code"]) == (400, "malformed")


def test_a_repetition_with_its_key_hears_the_same_answer_either_way(table, first):
    heard = told(undo(table, table.gm, first, headers=KEY))[-1]
    assert heard == ("answer", table.gm.post(f"{table.path}/actions/{first}/undo", {}, headers=KEY).json())
    assert told(undo(table, table.gm, first, headers=KEY))[-1] == heard


def test_nobody_else_hears_of_a_search_before_it_is_done(running, table, first):
    follower = Follower(running, table.player, table.path)
    try:
        assert len(told(undo(table, table.gm, first, dry_run=True))) > 1
        follower.reaches(table.act(table.gm, "campaign.add_note", text="Last.")["seq"])
        told_here = [each.event for each in follower.told if each.event != "presence"]
        assert told_here == ["hello", "event"]
    finally:
        follower.hang_up()
