"""Previews, dry runs and looks at the past cost their reader what they take, wherever it is done."""

import asyncio
from collections.abc import Callable, Generator, Iterator
from itertools import count
from time import thread_time
from typing import Any

import pytest
from litestar.testing import TestClient

from services.accounts import fair_read_queue
from services.runtime import sliced_work
from services.runtime.event_loop_cost import MeteredWork, billing, charge, charge_nobody, charged
from services.runtime.sliced_work import Slices
from services.settings import Settings
from tests.applications import an_application
from tests.engines import DICE_KEY
from tests.services.conftest import NO_RATES, Person, Table, table_at
from tests.services.undoing import undo

WORK_SECONDS = 0.01
DEAR_SECONDS = 1_000
NOTES = 3


def work() -> None:
    """Keep the processor for a while."""
    until = thread_time() + WORK_SECONDS
    while thread_time() < until:
        pass


def works(steps: int) -> Generator[None]:
    for _ in range(steps):
        work()
        yield


async def working_task() -> None:
    work()
    await asyncio.sleep(0)
    work()


def test_what_is_done_in_slices_on_a_thread_is_billed_where_it_is_told():
    async def read() -> tuple[float, float]:
        with billing() as bill:
            await Slices().finish(works(3))
            untold = bill.seconds
            await Slices().finish(works(3), charge)
            return untold, bill.seconds

    untold, told = asyncio.run(read())
    assert (untold, told >= 3 * WORK_SECONDS) == (0, True)


def test_a_task_is_billed_to_who_began_it_once():
    async def priced_within() -> None:
        with billing() as own:
            working = MeteredWork(working_task())
            await working
            assert (own.seconds, working.spent >= 2 * WORK_SECONDS) == (0, True)

    async def begun(task: Callable[[], Any]) -> float:
        with billing() as bill:
            await asyncio.ensure_future(charged(task()))
            return bill.seconds

    assert asyncio.run(begun(working_task)) >= 2 * WORK_SECONDS
    assert asyncio.run(begun(priced_within)) >= 2 * WORK_SECONDS
    asyncio.run(charged(working_task()))  # the control: without a bill nobody is charged


def test_what_is_done_for_all_is_charged_to_nobody():
    async def shared() -> None:
        charge_nobody()
        await Slices().finish(works(3), charge)

    async def read() -> float:
        with billing() as bill:
            await asyncio.create_task(shared())
            charge(WORK_SECONDS)
            return bill.seconds

    assert asyncio.run(read()) == WORK_SECONDS


@pytest.fixture
def table(database, monkeypatch) -> Iterator[Table]:
    """A campaign on a service that lends little, where nobody waits for what is refused."""
    monkeypatch.setattr(fair_read_queue, "WAIT_SECONDS_MAX", 0.0)
    settings = Settings(
        database_url=database.service,
        dice_key=DICE_KEY,
        password_kib=64,
        **(NO_RATES | {"read_seconds_per_minute": 12}),
    )
    with an_application(settings) as app, TestClient(app, raise_server_exceptions=False) as client:
        seated = table_at(client)
        for nth in range(NOTES):
            seated.act(seated.gm, "campaign.add_note", text=f"Note {nth}")
        yield seated


@pytest.fixture
def dear(monkeypatch) -> None:
    """Each slice on a thread takes very long, as far as one can tell."""
    ticks = count(0, DEAR_SECONDS)
    monkeypatch.setattr(sliced_work, "thread_time", lambda: next(ticks))


def dry_run(table: Table, who: Person) -> Any:
    body = {"command": {"type": "campaign.add_note", "text": "what if"}}
    return who.post(f"{table.path}/actions?dry_run=true", body)


def undo_preview(table: Table, who: Person) -> Any:
    action = who.get(f"{table.path}/actions?limit=500").json()["actions"][-1]["action_id"]
    return undo(table, who, action, dry_run=True)


def look_back(table: Table, who: Person) -> Any:
    return who.get(f"{table.path}?at=2")


@pytest.mark.parametrize("look", [dry_run, look_back], ids=["dry run", "past"])
def test_who_owes_for_a_dear_look_has_to_wait_with_the_next_and_others_do_not(table, dear, look):
    assert look(table, table.gm).status_code == 200
    refused = look(table, table.gm)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_reads")
    assert int(refused.headers["retry-after"]) > DEAR_SECONDS
    assert look(table, table.player).status_code == 200
    table.act(table.gm, "campaign.add_note", text="what is done is no look")


def test_who_owes_for_an_undo_preview_waits_with_previews_and_may_undo(table, dear):
    action = table.act(table.gm, "campaign.add_note", text="a last one")["action_id"]
    assert undo(table, table.gm, action, dry_run=True).status_code == 200
    refused = undo(table, table.gm, action, dry_run=True)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_reads")
    assert table.gm.get(table.path).status_code == 200, "it is a debt of long reads only"
    assert undo(table, table.gm, action).status_code == 201


def test_cheap_looks_are_not_refused(table):
    """The control."""
    for look in (dry_run, look_back, undo_preview):
        assert [look(table, table.gm).status_code for _ in range(3)] == [200] * 3
