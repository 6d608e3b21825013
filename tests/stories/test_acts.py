"""The acts of things on sheets and boards, over all rule systems: each can be given, and is about its thing."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from domain.ids import is_born
from projections.campaign.diff import NOTHING, steps_of, value_at
from services.cli.demo.recording import recording_of
from services.cli.demo.story import Story, StoryAction
from tests.stories.memory_service import memory_service

ACTIONS = {"angst": 80, "frame_state": 100, "freefall": 60, "mobile_frame": 70, "overdrive": 100}
"""So far each story is played: into the midst of it."""
ASKED = 12
"""Of the acts of a reader so many are asked about: each takes the search for all of its other fields."""
NOBODY = "nobody-000000000000"


class Read(NamedTuple):
    """A sheet or board as somebody read it, by its path."""

    who: str
    path: str
    view: dict[str, Any]


class Seat(NamedTuple):
    """A story on a service of its own, played into its midst, and what its GM and a player read there."""

    system: str
    story: Story
    reads: list[Read]

    def acts(self) -> Iterator[tuple[Read, str, dict[str, Any]]]:
        for read in self.reads:
            for key, acts in read.view["acts"].items():
                yield from ((read, key, act) for act in acts)


@pytest.fixture(scope="module", params=ACTIONS)
def seat(request: pytest.FixtureRequest) -> Iterator[Seat]:
    with memory_service(1) as client:
        story = Story(recording_of(request.param), client, suffix="", wait_seconds_max=0)
        actions = (happening for happening in story.play() if isinstance(happening, StoryAction))
        for _ in zip(range(ACTIONS[request.param]), actions, strict=False):
            pass
        people = story.recording.title.people
        player = next(who for who, person in people.items() if person.role == "player")
        readers = (story.recording.title.gm, player)
        yield Seat(
            request.param,
            story,
            [Read(who, path, story.get(who, path)) for who in readers for path in paths(story, who)],
        )


def paths(story: Story, who: str) -> list[str]:
    """The first sheets, and every board."""
    sheets = [f"/sheets/{entry['character']}" for entry in story.get(who, "/sheets")["sheets"][:2]]
    return [
        *sheets,
        *(f"/boards/{entry['system']}/{entry['board']}" for entry in story.get(who, "/boards")["boards"]),
    ]


def known(act: dict[str, Any]) -> dict[str, Any]:
    """What an act says that its command does not say by itself."""
    return {
        field["name"]: field["default"] for field in act["fields"] if field["default"] not in (None, [], {}, False)
    }


def things_at(read: Read, key: str) -> set[Any]:
    """What may be meant under a key: the id that it is, or that stands first in what it leads to; or a name."""
    if is_born(key):
        return {key}
    value = value_at(read.view.get("sheet", read.view), key)
    while isinstance(value, dict):
        value = next(iter(value.values()))
    if isinstance(value, str) and is_born(value):
        return {value}
    return {steps_of(key)[-1], value} if isinstance(value, str | int) else {steps_of(key)[-1]}


def holds(value: Any, thing: Any) -> bool:
    """Whether a value is a thing, or has it in it, also as `stat:will`."""
    match value:
        case dict():
            return any(holds(inner, thing) for inner in (*value, *value.values()))
        case list():
            return any(holds(inner, thing) for inner in value)
        case _:
            return value == thing or (isinstance(value, str) and value.endswith(f":{thing}"))


def ask(seat: Seat, who: str, command: str, fields: dict[str, Any]) -> dict[str, Any]:
    answer = seat.story.table(who).post("/commands", {"command": {"type": command, **fields}})
    offer: dict[str, Any] = answer["command"]
    return offer


def test_every_act_holds_its_thing(seat):
    acts = [*seat.acts()]
    assert len(acts) >= 10
    strangers = [
        (key, act["command"], known(act))
        for read, key, act in acts
        if not any(holds(known(act), thing) for thing in things_at(read, key))
    ]
    assert strangers == []


def test_every_key_leads_to_a_value_of_the_view(seat):
    for read in seat.reads:
        view = read.view.get("sheet", read.view)
        keys = [key for key in read.view["acts"] if not is_born(key)]
        assert [key for key in keys if value_at(view, key) is NOTHING] == []
        assert read.path.startswith("/boards") or not [key for key in read.view["acts"] if is_born(key)]


def test_an_act_is_accepted_as_far_as_it_says_and_with_nobody_in_place_of_its_thing_it_is_not(seat):
    acts = [*seat.acts()]
    refused, controls = [], []
    for read, key, act in acts[:: max(1, len(acts) // ASKED)]:
        fields, things = known(act), things_at(read, key)
        if ask(seat, read.who, act["command"], fields)["possible"] == "no":
            refused.append((read.path, key, act["command"], fields))
        wrong = {
            name: NOBODY if isinstance(value, str) and is_born(value) and value in things else value
            for name, value in fields.items()
        }
        if wrong != fields:
            controls.append(ask(seat, read.who, act["command"], wrong)["possible"])
    assert refused == []
    assert controls.count("no") > len(controls) // 2, "some fields take the name of anybody"


def test_nothing_can_be_done_in_the_past_and_nothing_is_worked_out_unasked(seat):
    for read in seat.reads:
        assert seat.story.get(read.who, read.path, at=str(read.view["as_of"]))["acts"] == {}
        assert seat.story.get(read.who, read.path, acts="false")["acts"] == {}
