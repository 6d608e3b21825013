"""The walks of one roll and one timer in docs/ARCHITECTURE.md name the files that a trace passes, in its order.

The numbered steps stand in the order in which files are first called, those consulted on the way in any. Of the
rooms in `ROOMS` every file on the trace must be named; elsewhere what is named must be on the trace. Stores are in
memory here, so that of `infra/` only the names are checked.
"""

import asyncio
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import pytest

from domain.event_store_types import DatabaseUnavailable
from services.workers.timer_worker import TimerWorker
from tests.services.conftest import Person
from tests.stories.memory_service import memory_service

ROOT = Path(__file__).parents[1]

PAGE = ROOT / "docs" / "ARCHITECTURE.md"

ROOMS = re.compile(
    r"services/(commands|history|workers|integrity)/.*"
    r"|services/campaign/(?!lru_cache|name_resolver).*"
    r"|services/http/api/fast_action_route\.py|services/accounts/authentication\.py"
    r"|domain/campaign/(\w+|(names|secrecy|storage|knowledge|dice)/\w+|calendar/timers)\.py"
    r"|domain/systems/\w+/(decide|evolve)\.py|domain/hash_chain\.py"
)
"""Where what decides, queues, seals and appends lies."""

DAY = 86_400_000_000


class Walk(NamedTuple):
    """The files that a walk names: those of its steps, in order, and those consulted on the way."""

    steps: list[str]
    consulted: set[str]


def walk(title: str) -> Walk:
    _, _, rest = PAGE.read_text("utf-8").partition(f"\n### {title}\n")
    body = rest.partition("\n## ")[0]
    steps, _, after = body[body.index("\n1. ") :].partition("\nConsulted on the way")
    assert after, "what is consulted comes after the steps"
    return Walk(re.findall(r"`([\w/]+\.py)`", steps), set(re.findall(r"`([\w/]+\.py)`", after)))


def differences(told: Walk, trace: list[str]) -> list[str]:
    """What is wrong with a walk, in words."""
    named = [*told.steps, *told.consulted]
    wrong = [f"{path} is not there" for path in named if not (ROOT / path).is_file()]
    traced = [path for path in named if not path.startswith("infra/")]
    wrong += [f"{path} is not on the way" for path in traced if path not in trace]
    wrong += [f"{path} is left out" for path in trace if ROOMS.fullmatch(path) and path not in named]
    order = [path for path in told.steps if path in trace]
    wrong += [
        f"{path} comes too late"
        for path, first in zip(order, sorted(order, key=trace.index), strict=True)
        if path != first
    ]
    return wrong


class Tracing:
    """Which files of the product are called, in the order of their first call."""

    def __init__(self) -> None:
        self._seen: dict[str, None] = {}

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            self._seen.setdefault(frame.f_code.co_filename)

    @property
    def files(self) -> list[str]:
        found = [Path(name).relative_to(ROOT) for name in self._seen if Path(name).is_relative_to(ROOT)]
        return [str(path) for path in found if path.parts[0] in ("services", "domain", "projections", "infra")]


class Played(NamedTuple):
    roll: list[str]
    timer: list[str]


@contextmanager
def traced() -> Iterator[Tracing]:
    """What this thread calls meanwhile."""
    tracing, before = Tracing(), sys.getprofile()
    sys.setprofile(tracing)
    try:
        yield tracing
    finally:
        sys.setprofile(before)


@pytest.fixture(scope="module")
def played() -> Played:
    """One roll in a campaign that is in memory, and one timer of a day that a worker fires two days later."""
    with memory_service(seed=1) as client:
        gm = Person(client, "Noor")
        made = gm.post("/campaigns", {"name": "Iron Rain", "systems": ["frame_state"]})
        path = f"/campaigns/{made.json()['campaign_id']}/actions"

        def act(command: str, **fields: Any) -> None:
            answer = gm.post(path, {"command": {"type": command, **fields}})
            assert answer.status_code == 201, answer.text

        act("frame_state.define_catalogue", preset="playtest1.2")
        act("frame_state.create_pilot", name="Ines Okafor")
        act("frame_state.allocate_point", category="skills", attribute="sharpness")
        act("campaign.start_session", title="First light")
        for _ in range(2):  # the second is as any other: what is found out once about a type of command is known
            act("frame_state.call_test", test_type="proactive", mark=5, dice=[{"attribute": "sharpness"}])
            act("frame_state.roll_test")
        act("frame_state.call_test", test_type="proactive", mark=5, dice=[{"attribute": "sharpness"}])
        before, rolling = client.blocking_portal.call(sys.getprofile), Tracing()
        client.blocking_portal.call(sys.setprofile, rolling)
        act("frame_state.roll_test")
        client.blocking_portal.call(sys.setprofile, before)

        act("campaign.schedule_timer", title="Rent", after={"days": 1}, clock="real")
        client.app.state.clock.now += 2 * DAY
        application = client.app.state.application
        worker = TimerWorker(application.timers, application.handler)
        found = client.blocking_portal.call(fired, worker, application.timers)
    return Played(rolling.files, found.files)


async def fired(worker: TimerWorker, timers: Any) -> Tracing:
    """A worker at work until nothing is due."""

    def missed(away: DatabaseUnavailable) -> None:
        raise away

    with traced() as tracing:
        work = asyncio.ensure_future(worker.run(missed))
        while (await timers.backlog()).due:  # noqa: ASYNC110 — a store in memory rings no bell
            await asyncio.sleep(0)
        worker.stop()
        await work
    return tracing


def test_the_walk_of_one_roll_is_what_a_trace_passes(played):
    assert differences(walk("One roll"), played.roll) == []


def test_the_walk_of_one_timer_is_what_a_trace_passes(played):
    assert differences(walk("One timer"), played.timer) == []


def test_a_walk_that_is_no_longer_true_is_noticed(played):
    """Negative control: a file left out, one not passed, one that is not there, and one at another place."""
    steps, consulted = walk("One roll")
    aggregate, submit = "domain/campaign/aggregate.py", "services/commands/submit.py"
    assert differences(Walk(steps, consulted - {aggregate}), played.roll) == [f"{aggregate} is left out"]
    undo = "services/history/undo.py"
    assert differences(Walk([*steps, undo], consulted), played.roll) == [f"{undo} is not on the way"]
    gone = "services/handle.py"
    assert differences(Walk([gone, *steps], consulted), played.roll)[0] == f"{gone} is not there"
    late = [each for each in steps if each != submit]
    assert differences(Walk([*late, submit], consulted), played.roll) != []
