"""What needs the past takes its turn beside clients that write without a pause: it holds the campaign's queue."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any
from uuid import UUID

import pytest

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import AddNote, RevealAction
from domain.campaign.messages.undo import RedoAction, UndoAction
from domain.ids import ActionId, derive_id
from domain.systems.frame_state import commands as fs
from services.commands.command_queue import HOLD_SECONDS
from services.commands.pending_command import PendingCommand
from services.history.erase_texts import erase_action
from services.history.undo import undo_or_redo
from tests.simulation.commands import Attempt, read_answer
from tests.simulation.play import Table
from tests.simulation.process import Process
from tests.simulation.run import a_table
from tests.simulation.simulation import Name, Simulation
from tests.simulation.stories import accepted, at_once, in_time, notes, played

DEPENDENTS = 100
BESIDE_SECONDS_MAX = 0.1
"""The longest that a writer waits for what is prepared meanwhile: a few readings."""

A_MOMENT = 0.01

Wish = Callable[[Process, Table, ActionId], Coroutine[Any, Any, Any]]


async def a_pilot_with_a_past(simulation: Simulation) -> tuple[Table, ActionId]:
    """A pilot to whom a hundred things happen, none of which could have been without; the pilot's creation."""
    table = await a_table(simulation, 1, 1)
    made = await table.say(table.players[0], "pilot", fs.CreatePilot(name="Ines"))
    action_id = ActionId(read_answer(made.result).action_id)
    paid = fs.AwardCurrency(150, "a find", derive_id("pilot", action_id))
    payments = [table.acting(table.gm, "payment", paid) for _ in range(DEPENDENTS)]
    accepted(simulation, await at_once(simulation, payments))
    return table, action_id


async def beside_writers(
    simulation: Simulation, table: Table, does: Awaitable[Any], processes: Sequence[Name]
) -> list[Attempt]:
    """Do something while clients of these processes write without a pause; what became of all that they wrote."""
    doing = asyncio.ensure_future(does)
    written: list[Attempt] = []

    async def write(process: Name) -> None:
        while not doing.done():
            written.append(await simulation.ask(notes(table, 1)[0], process))

    await asyncio.gather(doing, *(write(each) for each in processes))
    return written


async def undone(of: Process, table: Table, action_id: ActionId) -> Any:
    wish = UndoAction(action_id, cascade=True, confirm=DEPENDENTS)
    return await undo_or_redo(of.application, table.campaign_id, table.gm, wish, None)


async def undone_and_redone(of: Process, table: Table, action_id: ActionId) -> Any:
    await undone(of, table, action_id)
    return await undo_or_redo(of.application, table.campaign_id, table.gm, RedoAction(action_id), None)


async def erased(of: Process, table: Table, action_id: ActionId) -> Any:
    return await erase_action(of.application.for_accounts, table.campaign_id, table.gm, action_id)


async def a_hidden_note_revealed(of: Process, table: Table, _: ActionId) -> Any:
    hidden = await of.act(table.campaign_id, table.gm, table.request(AddNote("A trap."), "gm"))
    reveal = RevealAction(ActionId(read_answer(hidden).action_id))
    return await of.act(table.campaign_id, table.gm, table.request(reveal))


WISHES = [undone, undone_and_redone, erased, a_hidden_note_revealed]


def beside_who_writes(wish: Wish, processes: Sequence[Name], seconds_max: float, **conditions: Any) -> None:
    """A wish comes true in the first process, and everybody is answered in time who writes without a pause."""

    async def script(simulation: Simulation) -> None:
        table, action_id = await a_pilot_with_a_past(simulation)
        wanted = simulation.command(
            "wish", table.campaign_id, table.gm, lambda of: wish(of, table, action_id), answers=False
        )
        written = await beside_writers(simulation, table, simulation.ask(wanted, "one"), processes)
        accepted(simulation, [*wanted.attempts, *written])
        in_time(simulation, written, seconds_max)

    played(script, **conditions)


@pytest.mark.parametrize("clients", [1, 4])
@pytest.mark.parametrize("wish", WISHES)
def test_what_has_a_hundred_consequences_is_accepted_beside_clients_that_write_without_a_pause(wish, clients):
    beside_who_writes(wish, ["one"] * clients, BESIDE_SECONDS_MAX)


SEVERAL: list[list[Name]] = [["other"], ["one", "other"] * 2, ["other", "worker"] * 2]


@pytest.mark.parametrize("processes", SEVERAL, ids=" ".join)
def test_it_is_accepted_beside_clients_of_other_processes_which_hold_their_queues_too(processes):
    beside_who_writes(undone_and_redone, processes, 2 * HOLD_SECONDS, rings_heard=1.0)


@pytest.mark.parametrize("wish", WISHES)
def test_it_is_accepted_though_every_third_message_to_other_processes_is_lost(wish):
    beside_who_writes(wish, ["other"], 2 * HOLD_SECONDS, rings_heard=0.66)


def test_it_is_refused_where_processes_do_not_hear_of_each_other():
    """As without Redis: the hold of one process alone does not stop those who write in another."""
    with pytest.raises(pytest.fail.Exception, match="campaign_busy"):
        beside_who_writes(undone, ["other"], 2 * HOLD_SECONDS, rings_heard=0.0)


@pytest.mark.parametrize("wish", WISHES)
def test_without_a_hold_it_is_refused(wish):
    """The control: the clients do leave no gap."""
    with pytest.raises(pytest.fail.Exception, match="campaign_busy"):
        beside_who_writes(wish, ["one"], BESIDE_SECONDS_MAX, hold_seconds=0.0)


# --- one hold ---------------------------------------------------------------------------------------------------


def a_note(simulation: Simulation, table: Table, text: str) -> PendingCommand:
    return PendingCommand(
        table.campaign_id,
        table.gm,
        ActRequest(command=AddNote(text)),
        ActionId(UUID(int=simulation.chance.getrandbits(128), version=4)),
        simulation.loop.create_future(),
    )


def test_a_holder_goes_first_whoever_came_meanwhile():
    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 0)
        handler = simulation.processes["one"].handler
        async with handler.hold(table.campaign_id, table.gm) as act:
            others = asyncio.ensure_future(at_once(simulation, notes(table, 3)))
            await asyncio.sleep(A_MOMENT)
            assert not others.done()
            own = read_answer(await act(a_note(simulation, table, "Mine."))).seq
        attempts = await others
        accepted(simulation, attempts)
        assert own < min(read_answer(each.result).seq for each in attempts)

    played(script)


async def sits(simulation: Simulation, table: Table) -> None:
    """Hold the queue for longer than anybody may."""
    async with simulation.processes["one"].handler.hold(table.campaign_id, table.gm):
        await asyncio.sleep(60 * HOLD_SECONDS)


async def breaks(simulation: Simulation, table: Table) -> None:
    """Hold the queue, and fail."""
    async with simulation.processes["one"].handler.hold(table.campaign_id, table.gm):
        await asyncio.sleep(A_MOMENT)
        raise OSError


async def is_cancelled(simulation: Simulation, table: Table) -> None:
    """Hold the queue, and be cancelled."""
    sitting = asyncio.ensure_future(sits(simulation, table))
    await asyncio.sleep(A_MOMENT)
    sitting.cancel()
    await asyncio.gather(sitting, return_exceptions=True)


async def leaves_while_it_waits(simulation: Simulation, table: Table) -> None:
    """Be cancelled before the queue is given over."""
    sitting = asyncio.ensure_future(sits(simulation, table))
    await asyncio.sleep(0)
    sitting.cancel()
    await asyncio.gather(sitting, return_exceptions=True)


@pytest.mark.parametrize(
    ("holder", "seconds"),
    [
        (sits, HOLD_SECONDS + A_MOMENT),
        (breaks, 2 * A_MOMENT),
        (is_cancelled, 2 * A_MOMENT),
        (leaves_while_it_waits, A_MOMENT),
    ],
)
def test_a_queue_goes_on_whatever_becomes_of_its_holder(holder, seconds):
    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 0)
        holding = asyncio.ensure_future(holder(simulation, table))
        await asyncio.sleep(0)
        attempts = await at_once(simulation, notes(table, 3))
        accepted(simulation, attempts)
        in_time(simulation, attempts, seconds)
        holding.cancel()
        await asyncio.gather(holding, return_exceptions=True)
        accepted(simulation, await at_once(simulation, notes(table, 3)))

    played(script)


def test_holders_that_take_all_their_time_again_and_again_take_turns_with_those_who_write():
    """Each command waits for one of them, however many there are, and each of them gets its turn."""

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 0)
        turns = [0] * 5

        async def hold(nth: int) -> None:
            while True:
                async with simulation.processes["one"].handler.hold(table.campaign_id, table.gm):
                    turns[nth] += 1
                    await asyncio.sleep(2 * HOLD_SECONDS)

        holding = [asyncio.ensure_future(hold(nth)) for nth in range(len(turns))]
        await asyncio.sleep(0)
        for _ in range(40):
            attempts = await at_once(simulation, notes(table, 2))
            accepted(simulation, attempts)
            in_time(simulation, attempts, 2 * HOLD_SECONDS)
        for each in holding:
            each.cancel()
        await asyncio.gather(*holding, return_exceptions=True)
        assert min(turns) >= 40 // len(turns) - 1, turns

    played(script)


def test_a_process_that_stops_waits_for_no_holder_and_answers_everybody():
    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 0)
        holding = asyncio.ensure_future(sits(simulation, table))
        await asyncio.sleep(A_MOMENT)
        asked = asyncio.ensure_future(at_once(simulation, notes(table, 3)))
        waiting = asyncio.ensure_future(sits(simulation, table))
        await asyncio.sleep(A_MOMENT)
        before = simulation.loop.time()
        await simulation.processes["one"].handler.close()
        accepted(simulation, await asked)
        assert simulation.loop.time() - before < HOLD_SECONDS / 2
        for each in (holding, waiting):
            each.cancel()
        await asyncio.gather(holding, waiting, return_exceptions=True)

    played(script)
