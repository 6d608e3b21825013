"""In every recorded story each id in an answer has its name beside it, and each die is told once."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Any
from uuid import UUID

import msgspec
import pytest

from domain.campaign.storage.event_codec import EVENT_TYPES
from domain.campaign.subjects import named_in
from domain.dice.dice_in_events import dice_of
from domain.ids import CampaignId
from fieldlog.client import Refused
from services.cli.demo.recording import recorded_names, recording_of
from services.cli.demo.story import Story, StoryAction
from services.reading.action_sentences import NAMELESS
from tests.refusals import ids_in
from tests.sampling import slow_but
from tests.stories.live_reader import every_read, in_story
from tests.stories.memory_service import memory_service

NAMES_MIN = 4
PREVIEWS = 12
"""So many actions of a story are looked at, spread over it."""
DICE_MIN = 4
DICELESS = "The Wrong Shoulder"
NEVER_NAMED = NAMELESS | {
    *("attack", "battle", "call", "choice", "combat", "conflict", "duel", "harm", "loss", "objective", "offer"),
    *("question", "round", "task", "turn"),
}
"""Kinds of things that no system gives a name."""
NAMED_WHILE_IT_LASTS = {"treatment"}


@pytest.fixture(scope="module", params=slow_but(recorded_names(), "freefall", "undo"))
def story(request: pytest.FixtureRequest) -> Iterator[Story]:
    with memory_service(1) as client, client.portal() as portal:
        application = client.app.state.application
        played = Story(recording_of(request.param), client, suffix="", wait_seconds_max=0)
        for happening in played.play():
            if isinstance(happening, StoryAction):
                portal.call(application.handler.run_due, CampaignId(UUID(played.campaign_id)), 0, [])
        yield played


def answers(story: Story, who: str) -> Iterator[tuple[str, Any]]:
    """Whatever has `names`, and a page of the chronicle, one of its actions and the events."""
    for word, answer in every_read(in_story(story, who)).items():
        if word != "chronicle":
            yield from ((word, each) for each in (answer if isinstance(answer, list) else [answer]) if each)
    chronicle = story.get(who, "/actions", limit=500)
    yield "actions", chronicle
    yield "action", story.get(who, f"/actions/{chronicle['actions'][-1]['action_id']}")
    yield "events", story.get(who, "/events", limit=500)


def _kind(thing: str) -> str:
    return thing.rpartition("-")[0]


def unnamed(story: Story, answer: dict[str, Any]) -> list[str]:
    """The ids in an answer, but in its `names`, of people and of things that have names."""
    written = json.dumps({key: part for key, part in answer.items() if key != "names"})
    people = {story.bound[who] for who in story.recording.title.people}
    things = {each for each in named_in(written.encode()) if _kind(each) not in NEVER_NAMED | NAMED_WHILE_IT_LASTS}
    wanted = {each for each in people if each in written} | things
    return sorted(wanted - answer["names"].keys())


def test_every_id_in_an_answer_has_its_name_beside_it(story):
    found: set[str] = set()
    for who in story.recording.title.people:
        for word, answer in answers(story, who):
            if word in {"members", "sheets", "boards", "dice", "statistics"}:
                continue  # these say every name in place
            assert unnamed(story, answer) == [], (who, word)
            assert [name for name in answer["names"].values() if ids_in(name)] == []
            found |= answer["names"].keys()
    assert len(found) > NAMES_MIN
    assert {*story.bound.values()} & found


def test_every_id_in_a_comparison_of_two_moments_has_its_name_beside_it_in_either_order(story):
    compared = Counter[str]()
    for who in story.recording.title.people:
        last = story.get(who)["as_of"]
        for earlier, later in ((0, last), (last, 0), (last // 2, last), (last, last // 2), (last // 2, last // 4)):
            answer = story.get(who, "/diff", **{"from": earlier, "to": later})
            assert unnamed(story, answer) == [], (who, earlier, later)
            assert ids_told(answer["actions"]) == [], (who, earlier, later)
            compared["names"] += len(answer["names"])
    assert compared["names"] > NAMES_MIN


def previews(story: Story, who: str) -> Iterator[dict[str, Any]]:
    """What undoing some actions would do, and redoing those that are undone."""
    entries = story.pages(who, "/actions", "actions")
    for entry in entries[:: max(1, len(entries) // PREVIEWS)]:
        word = "undo" if entry["undone_in"] is None else "redo"
        with suppress(Refused):
            path = f"/actions/{entry['action_id']}/{word}"
            yield story.table(who).post(path, {"dry_run": True, "cascade": True})


def test_every_id_in_the_preview_of_an_undo_has_its_name_beside_it(story):
    looked_at = 0
    for who in story.recording.title.people:
        for answer in previews(story, who):
            assert unnamed(story, answer) == [], who
            parts = (answer[part] for part in ("undone", "redone", "affected", "follows"))
            assert ids_told(chain.from_iterable(parts)) == [], who
            looked_at += 1
    assert looked_at > 0


def ids_told(actions: Iterable[dict[str, Any]]) -> list[str]:
    """The ids in sentences about actions."""
    sentences = (each for action in actions for each in (*action["summary"], action.get("refusal") or ""))
    return [found for sentence in sentences for found in ids_in(sentence)]


def test_an_id_without_its_name_is_noticed(story):
    """Negative control."""
    gm = story.recording.title.gm
    answer = story.get(gm, "/events", limit=500)
    names = answer["names"]
    thing = next(each for each in names if named_in(each.encode()) and _kind(each) not in NEVER_NAMED)
    for left_out in (story.bound[gm], thing):
        fewer = {key: name for key, name in names.items() if key != left_out}
        assert unnamed(story, {**answer, "names": fewer}) == [left_out]


def dice_in(story: Story, who: str) -> dict[str, Counter[tuple[Any, ...]]]:
    """The dice of each action as somebody reads its events."""
    found: dict[str, Counter[tuple[Any, ...]]] = {}
    for read in story.pages(who, "/events", "events"):
        place = read.pop("recorded")
        event = msgspec.convert(read, EVENT_TYPES[read["type"]])
        fallen = Counter((die.sides, die.natural, die.origin, die.proof) for die in dice_of([event]))
        found[place["action_id"]] = found.get(place["action_id"], Counter()) + fallen
    return found


def test_every_die_of_an_action_is_told_once_as_its_reader_sees_it(story):
    counts = []
    for who in story.recording.title.people:
        fallen = dice_in(story, who)
        for entry in story.pages(who, "/actions", "actions"):
            dice = [die for roll in entry["rolls"] for die in roll["dice"]]
            told = Counter((die["sides"], die["face"], die["origin"], die["proof"]) for die in dice)
            assert told == fallen[entry["action_id"]], entry["summary"]
            assert not any(ids_in(roll["name"]) for roll in entry["rolls"])
        counts.append(sum(each.total() for each in fallen.values()))
    assert max(counts) > DICE_MIN or story.recording.title.title == DICELESS
