"""Processes that serve one campaign in turn: what one missed it folds, and reloads nothing."""

import asyncio
from collections import Counter
from random import Random

import pytest
from msgspec import structs

from tests.simulation.history_scripts import a_timer, undo
from tests.simulation.run import a_table
from tests.simulation.simulation import Name, Simulation
from tests.simulation.store import Fault
from tests.simulation.stories import FOR_EVER, accepted, notes, played

TWO: tuple[Name, ...] = ("one", "other")
ALL: tuple[Name, ...] = ("one", "other", "worker")

SETTLED_SECONDS = 2.5
"""By then every notification has been heard, and what it told of folded."""


def test_nobody_of_thirty_two_is_refused_who_ask_three_processes_in_turn_about_one_campaign():
    """One of them takes back what they did, again and again, which is decided beside the queue."""

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 0)
        simulation.faults.append(Fault("slow", 0.0, FOR_EVER, seconds=0.005))
        chance = Random(32)  # noqa: S311 — chance from a seed is what is wanted

        async def write() -> None:
            for _ in range(12):
                (command,) = notes(table, 1)
                accepted(simulation, [await simulation.ask(command, chance.choice(ALL))])

        async def take_back() -> None:
            for _ in range(6):
                process = chance.choice(ALL)
                await undo(simulation, table, await a_timer(simulation, table, process), process)

        await asyncio.gather(take_back(), *(write() for _ in range(31)))

    played(script)


async def turns_of(simulation: Simulation, *, ring: bool) -> Counter[str]:
    """What two processes ask of the event store for a command, taking turns at one campaign."""
    simulation.conditions = structs.replace(simulation.conditions, rings_heard=float(ring))
    table = await a_table(simulation, 1, 0)
    for _ in range(2):
        for process in TWO:
            accepted(simulation, [await simulation.ask(notes(table, 1)[0], process)])
    await asyncio.sleep(SETTLED_SECONDS)
    before = Counter(simulation.ways["one"].calls) + Counter(simulation.ways["other"].calls)
    for _ in range(20):
        for process in TWO:
            accepted(simulation, [await simulation.ask(notes(table, 1)[0], process)])
    after = Counter(simulation.ways["one"].calls) + Counter(simulation.ways["other"].calls)
    return after - before


@pytest.mark.parametrize("ring", [True, False], ids=["with notifications", "without"])
def test_processes_that_take_turns_at_a_campaign_read_what_they_missed_and_nothing_else(ring):
    async def script(simulation: Simulation) -> None:
        asked = await turns_of(simulation, ring=ring)
        assert asked["append"] <= 42, asked
        assert asked["tails"] <= 44, asked
        assert not {"tail", "fold", "folds", "since", "facts", "hidden", "of"} & asked.keys(), asked

    played(script)


def test_an_idle_process_folds_what_another_appended_before_it_is_asked():
    """So that a long absence costs the next command nothing."""

    async def script(simulation: Simulation) -> None:
        simulation.conditions = structs.replace(simulation.conditions, rings_heard=1.0)
        table = await a_table(simulation, 1, 0)
        for process in (*TWO, *TWO):
            accepted(simulation, [await simulation.ask(notes(table, 1)[0], process)])
        for command in notes(table, 30):
            accepted(simulation, [await simulation.ask(command, "other")])
        await asyncio.sleep(SETTLED_SECONDS)
        heads = {process: [kept.head.seq for kept in simulation.processes[process].kept()] for process in TWO}
        assert heads["one"] == heads["other"] != [], heads

    played(script)
