"""Long work leaves the event loop to others after each slice: imports and forks do, event by event."""

import asyncio
from collections.abc import Awaitable, Callable, Generator, Iterator
from io import BytesIO
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from msgspec import structs

from domain.campaign.secrecy.audience import GM
from domain.event_store_types import EventBatch
from domain.hash_chain import GENESIS
from domain.ids import AccountId, CampaignId
from infra.machine.entropy import machine_clock
from services.application import Application
from services.campaign.state_at import StateReader
from services.runtime import sliced_work
from services.runtime.sliced_work import Slices
from services.transfer.import_campaign import fork, import_campaign
from services.transfer.import_plan import ImportOptions, plan_import
from tests.bench.campaigns import a_script
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.projection_store import MemoryProjectionStore
from tests.generators import finished
from tests.services.conftest import Person
from tests.services.forged import an_export, more
from tests.simulation.loop import a_loop
from tests.stories.memory_service import memory_service


@pytest.fixture(autouse=True)
def _busy(monkeypatch):
    """Others always have something to do, as far as slices can tell."""
    monkeypatch.setattr(sliced_work, "QUIET_SECONDS", -1)


NOTES = 300
STEPS_OF_A_SLICE = 20


class Ticking:
    """A clock that goes on by one at each look, which is one for each step and one for each slice."""

    def __init__(self) -> None:
        self.ticks = 0

    def __call__(self) -> float:
        self.ticks += 1
        return float(self.ticks)


async def steps_between_turns(clock: Ticking, work: Awaitable[Any]) -> int:
    """How many steps were taken at most while another task, which only waits for its turns, had none."""
    longest = 0

    async def take_turns() -> None:
        nonlocal longest
        before = clock.ticks
        while True:
            await asyncio.sleep(0.000_1)
            longest, before = max(longest, clock.ticks - before), clock.ticks

    waiting = asyncio.create_task(take_turns())
    await asyncio.sleep(0)
    try:
        await work
        await asyncio.sleep(0)
    finally:
        waiting.cancel()
    return longest


def counting(name: str, order: list[str], steps: int) -> Generator[None, None, str]:
    for _ in range(steps):
        order.append(name)
        yield
    return name


def simulated(work: Awaitable[Any]) -> Any:
    """What comes of work in a loop that does at once, and in order, what is given to a thread."""
    with a_loop(Random(1), "as asyncio") as loop:  # noqa: S311 — not for secrets
        return loop.run_until_complete(work)


def test_no_task_waits_for_more_than_one_slice():
    clock = Ticking()
    order: list[str] = []
    whole = Slices(1e6, clock).finish(counting("a", order, 200))
    assert simulated(steps_between_turns(clock, whole)) > 200, "the control: all in one slice"
    sliced = Slices(STEPS_OF_A_SLICE, clock).finish(counting("a", order, 200))
    assert simulated(steps_between_turns(clock, sliced)) == STEPS_OF_A_SLICE + 1
    assert len(order) == 400


def test_a_past_is_folded_in_slices():
    log, campaign_id = MemoryEventStore(machine_clock), CampaignId(uuid4())
    states, clock = StateReader(log, MemoryProjectionStore(log)), Ticking()
    states._slices = Slices(STEPS_OF_A_SLICE, clock)

    async def folded() -> int:
        script = a_script(AccountId(uuid4()), AccountId(uuid4()), pilots=5, stretches=10)
        rows = [*script.rows(campaign_id, NOTES)]
        await log.append([EventBatch(campaign_id, 0, GENESIS, rows)])
        return await steps_between_turns(clock, states.at(campaign_id, GM, NOTES))

    assert simulated(folded()) == STEPS_OF_A_SLICE + 1
    assert clock.ticks > NOTES


def test_works_take_turns_and_one_runs_at_once():
    order: list[str] = []
    shared = Slices(STEPS_OF_A_SLICE, Ticking())

    async def all_at_once() -> list[str]:
        return await asyncio.gather(*(shared.finish(counting(name, order, 60)) for name in "abc"))

    assert simulated(all_at_once()) == ["a", "b", "c"]
    assert "".join(order) == ("a" * 20 + "b" * 20 + "c" * 20) * 3


def test_there_is_a_pause_between_slices_only_where_others_have_something_to_do(monkeypatch):
    async def seconds_of_slices() -> float:
        loop = asyncio.get_running_loop()
        began = loop.time()
        await Slices(STEPS_OF_A_SLICE, Ticking()).finish(counting("a", [], 200))
        return loop.time() - began

    busy = simulated(seconds_of_slices())
    monkeypatch.setattr(sliced_work, "QUIET_SECONDS", 60)
    quiet = simulated(seconds_of_slices())
    assert busy - quiet >= 10 * sliced_work.REST_SECONDS


def test_what_fails_says_so_and_holds_no_other_up():
    def failing() -> Generator[None, None, None]:
        yield
        raise KeyError("x")

    works = Slices()
    with pytest.raises(KeyError):
        simulated(works.finish(failing()))
    assert simulated(works.finish(counting("a", [], 3))) == "a"
    assert finished(counting("b", [], 3)) == "b"


class Sliced:
    """The whole service in memory, whose slices end by the number of their steps."""

    def __init__(self, client: Any, portal: Any) -> None:
        self.clock = Ticking()
        self.ana = Person(client, "Ana")
        self.account = AccountId(UUID(self.ana.account_id))
        self.application: Application = structs.replace(
            client.app.state.application, slices=Slices(STEPS_OF_A_SLICE, self.clock)
        )
        self._portal = portal

    def longest(self, work: Callable[[], Awaitable[Any]]) -> int:
        async def watched() -> int:
            return await steps_between_turns(self.clock, work())

        found: int = self._portal.call(watched)
        return found

    def imported(self, file: bytes) -> Callable[[], Awaitable[Any]]:
        async def bring() -> None:
            await import_campaign(
                self.application.for_transfer,
                await plan_import(self.application.for_transfer, BytesIO(file), ImportOptions(self.account, {})),
            )

        return bring


@pytest.fixture
def sliced() -> Iterator[Sliced]:
    with memory_service(1) as client, client.portal() as portal:
        yield Sliced(client, portal)


def notes(number: int) -> bytes:
    note = {"type": "campaign.note_added", "note_id": "n", "text": "x"}
    return an_export(lambda lines: [*lines, *(more(note) for _ in range(number))])


def test_an_import_leaves_the_loop_to_others_after_each_slice(sliced):
    assert sliced.longest(sliced.imported(notes(NOTES))) <= STEPS_OF_A_SLICE + 1
    assert sliced.clock.ticks > 3 * NOTES, "each event is read, played and brought over in a step of its own"


def test_a_fork_leaves_the_loop_to_others_after_each_slice(sliced):
    sliced.longest(sliced.imported(notes(NOTES)))
    (campaign,) = sliced.ana.get("/campaigns").json()["campaigns"]
    before = sliced.clock.ticks

    async def forked() -> None:
        seen = await sliced.application.campaigns.see(CampaignId(UUID(campaign["campaign_id"])), sliced.account)
        await fork(sliced.application, seen, None)

    assert sliced.longest(forked) <= STEPS_OF_A_SLICE + 1
    assert sliced.clock.ticks - before > 4 * NOTES, "it is exported first"
