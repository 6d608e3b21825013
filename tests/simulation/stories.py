"""What happens in small plays of the command path, and stories that other tests tell, too."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest
from msgspec import structs

from domain.campaign import commands as c
from domain.campaign.messages import timers as t
from domain.campaign.messages.base_types import Span
from tests.simulation.commands import Attempt, Command
from tests.simulation.play import Table
from tests.simulation.run import Broken, Report, a_table, run
from tests.simulation.simulation import Conditions, Simulation
from tests.simulation.store import Fault

FOR_EVER = 1e9


def played(script: Callable[[Simulation], Awaitable[None]], *, seed: int = 1, **conditions: Any) -> Report:
    """Play a script under these conditions, within two virtual minutes."""

    async def bounded(simulation: Simulation, chance: Random) -> None:
        playing = asyncio.ensure_future(script(simulation))
        done, left = await asyncio.wait({playing}, timeout=120.0)
        for task in left:
            task.cancel()
            simulation.wrong.append("somebody still waits for an answer after two minutes")
        await asyncio.gather(*left, return_exceptions=True)
        for task in done:
            task.result()

    told = ""
    try:
        return run(seed, Conditions(**conditions), bounded, name="this")
    except Broken as broken:
        told = str(broken)
    pytest.fail(told, pytrace=False)


async def at_once(simulation: Simulation, commands: list[Command], process: str = "one") -> list[Attempt]:
    """Ask for all of them at once; what became of each."""
    return [*await asyncio.gather(*(simulation.ask(each, process) for each in commands))]


def accepted(simulation: Simulation, attempts: list[Attempt]) -> None:
    """All of them must have been."""
    others = [f"{each.outcome} {each.code}".strip() for each in attempts if each.outcome != "accepted"]
    if others:
        told = sorted({*others})
        simulation.wrong.append(f"{len(others)} of {len(attempts)} were not accepted: {told}")


def in_time(simulation: Simulation, attempts: list[Attempt], seconds: float) -> None:
    """All of them must have been told within so many seconds, whatever else is slow."""
    for attempt in attempts:
        assert attempt.answered_at is not None
        if attempt.answered_at - attempt.asked_at > seconds:
            simulation.wrong.append(f"told after {attempt.answered_at - attempt.asked_at:.3f} s")


def over(simulation: Simulation) -> None:
    """What is wrong ends now."""
    now = simulation.loop.time()
    simulation.faults[:] = [structs.replace(fault, end=min(fault.end, now)) for fault in simulation.faults]


def notes(table: Table, times: int, **named: Any) -> list[Command]:
    """Notes of the GM, each with a key."""
    return [
        table.acting(table.gm, "note", c.AddNote(text=f"No. {nth}."), key=f"note {nth} {table.said}", **named)
        for nth in range(times)
    ]


async def lone(simulation: Simulation, table: Table, until: float) -> None:
    """One command after the other in a campaign where nothing else happens."""
    while simulation.loop.time() < until:
        (command,) = notes(table, 1, is_lone=True)
        accepted(simulation, [await simulation.ask(command, "one")])
        await asyncio.sleep(0.1)


def a_database_that_lost_what_it_had_confirmed(seed: int) -> None:
    """Row 5. The first path: the chain breaks at the next event."""

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 0)
        lost, others, mine = notes(table, 3)
        accepted(simulation, [await simulation.ask(lost, "one")])
        simulation.was_set_back = True
        simulation.commands.remove(lost)
        simulation.database.log._events[table.campaign_id].pop()
        simulation.database.log._answers.clear()
        simulation.floors[table.campaign_id] -= 1
        await simulation.ask(others, "other")
        await simulation.ask(mine, "one")

    played(script, seed=seed)


def a_clock_that_is_set_back() -> None:
    """The first path: a row is never older than the one before it, so the append sees nothing wrong, and the timer
    is due an hour ago.
    """

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 0)
        accepted(simulation, await at_once(simulation, notes(table, 1)))
        simulation.skews["one"][0] = -3_600_000_000
        timer = table.acting(table.gm, "timer", t.ScheduleTimer("Bell", Span(minutes=5), clock="real"))
        accepted(simulation, [await simulation.ask(timer, "one")])

    played(script)


def two_processes_that_end_one_dice_epoch_at_once() -> None:
    """Who lost that race kept the seeds of its own epoch, which has the number of the other's: the log then holds
    a seed that was never committed to, and dice that it does not decide.
    """

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 0)
        for process in ("one", "other"):
            accepted(simulation, await at_once(simulation, notes(table, 1), process))
        simulation.faults.append(Fault("slow", 0.0, simulation.loop.time() + 0.1, seconds=0.05, before=0.5))
        await asyncio.gather(
            *(
                simulation.ask(table.acting(table.gm, "end", c.EndDiceEpoch(), key=process), process)
                for process in ("one", "other")
            )
        )
        for process in ("one", "other"):
            for what in (c.RollDice(notation="1d6"), c.EndDiceEpoch()):
                accepted(simulation, [await simulation.ask(table.acting(table.gm, "dice", what), process)])

    played(script)


def a_key_whose_command_named_what_is_gone_by_now() -> None:
    """Whether it is known has to be asked also where what is refused is called missing."""

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 1)
        remove = table.acting(table.gm, "remove", c.RemoveMember(table.players[0]), key="remove")
        accepted(simulation, [await simulation.ask(remove, process) for process in ("one", "one", "other")])

    played(script)
