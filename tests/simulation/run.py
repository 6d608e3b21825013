"""One seed from its beginning to its checks."""

import asyncio
import gc
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

from msgspec import Struct
from structlog.testing import capture_logs

from domain.campaign import commands as c
from domain.campaign.messages import timers as t
from domain.campaign.messages.base_types import Span
from domain.event_store_types import DatabaseUnavailable
from domain.rejection import Missing
from tests.simulation import work
from tests.simulation.checks import check
from tests.simulation.loop import Stalled, a_loop
from tests.simulation.play import Client, Table
from tests.simulation.simulation import Conditions, Simulation
from tests.simulation.store import Fault, Kind

PLAYED_SECONDS = 3.0
"""Virtual seconds in which clients begin new things."""

ANSWERED_SECONDS_MAX = 60.0
"""Virtual seconds that they may still need for what they began."""


TOLD_MAX = 12
"""Things that a broken seed tells of at length."""


class Broken(AssertionError):  # noqa: N818 — a state of the simulation
    """A seed in which something was wrong. `counts` are those of its report."""

    def __init__(self, told: str, counts: Counter[str]) -> None:
        super().__init__(told)
        self.counts = counts


class Report(Struct, frozen=True):
    """What happened: the same for the same seed."""

    seed: int
    digest: str
    counts: Counter[str]
    virtual_seconds: float


Script = Callable[[Simulation, Random], Awaitable[None]]


def simulate(seed: int) -> Report:
    """Play one seed and check it. Raises `Broken`."""
    return run(seed, conditions_of(_seeded(f"conditions {seed}")), at_random)


def run(
    seed: int,
    conditions: Conditions,
    script: Script,
    *,
    name: str = "",
    spoil: Callable[[Simulation], None] = lambda _: None,
) -> Report:
    """Play a script under these conditions and check everything. Raises `Broken`.

    `spoil` is done before the checks, which have to find it.
    """
    chance = _seeded(f"order {seed} {name}")
    with (
        a_loop(chance, conditions.order) as loop,
        work.that_takes_time(loop.time, loop.pass_time, conditions.slowness),
        capture_logs() as logged,
        _garbage_of_its_own(),
    ):
        asyncio.set_event_loop(None)
        simulation = Simulation.__new__(Simulation)

        async def whole() -> list[str]:
            simulation.__init__(loop, chance, conditions)  # type: ignore[misc]
            await script(simulation, _seeded(f"play {seed} {name}"))
            await simulation.settle()
            simulation.trace("settled")
            digests.append(simulation.trace.digest)
            await simulation.close()
            spoil(simulation)
            found = await check(simulation)
            simulation.bury()
            return found

        digests: list[str] = []
        try:
            wrong = loop.run_until_complete(whole())
        except Stalled:
            wrong = [*simulation.wrong, "everything waits, and nothing ever happens"]
        gc.collect()  # what nobody retrieved is told of now
        wrong += [f"unhandled: {each.get('message')} {each.get('exception')!r}" for each in loop.failures]
    wrong += [f"logged: {each}" for each in logged if _tells_of_a_defect(each)]
    if wrong:
        raise Broken(_told(seed, name, conditions, simulation, wrong), simulation.trace.counts)
    return Report(seed, digests[0], simulation.trace.counts, loop.time())


@contextmanager
def _garbage_of_its_own() -> Iterator[None]:
    """Nothing is collected meanwhile, so that no seed depends on it; afterwards only what was made meanwhile.

    What has been made before stays kept where some was kept already: under pytest, all tests.
    """
    others_keep = gc.get_freeze_count() > 0
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        if not others_keep:
            gc.unfreeze()


def _seeded(seed: str) -> Random:
    return Random(seed)  # noqa: S311 — chance from a seed is what is wanted


def _tells_of_a_defect(line: Any) -> bool:
    """Whether something went wrong that should not, whatever the database does and whatever is deleted."""
    return line["log_level"] in ("error", "critical") and not isinstance(
        line.get("exc_info"), (DatabaseUnavailable, Missing)
    )


def _told(seed: int, name: str, conditions: Conditions, simulation: Simulation, wrong: list[str]) -> str:
    again = f"{name} test" if name else f"./run test tests/simulation --seed {seed}"
    shown = [each if len(each) < 600 else f"{each[:600]} …" for each in wrong[:TOLD_MAX]]
    return "\n".join(
        [
            f"seed {seed} {name}: {len(wrong)} things are wrong; again with: {again}",
            *(f"  - {each}" for each in shown),
            f"under {conditions}",
            *(f"  fault {each}" for each in simulation.faults),
            "the last of what happened:",
            *simulation.trace.last,
        ]
    )


def conditions_of(chance: Random) -> Conditions:
    """What a seed's processes are like."""
    return Conditions(
        order=chance.choice(("as asyncio", "as asyncio", "shuffled")),
        memory_bytes=chance.choice((10_000_000, 10_000_000, 1_000, 60_000)),
        slowness=chance.choice((0.0, 1.0, 1.0, 5.0)),
        rings_heard=chance.choice((0.0, 0.9, 0.9)),
        shared_shelf=chance.random() < 0.7,
    )


async def at_random(simulation: Simulation, chance: Random) -> None:
    """Some tables, some faults, and perhaps a crowd."""
    tables = [await a_table(simulation, nth, chance.randint(0, 2)) for nth in range(chance.randint(1, 3))]
    begun = simulation.loop.time()
    until = begun + PLAYED_SECONDS
    if chance.random() < 0.7:
        simulation.faults += faults_of(simulation, chance, begun, tables)
    clients = [
        Client(table, account, _seeded(str(chance.random())), _processes(chance), chance.choice((0.1, 0.3, 0.6)))
        for table in tables
        for account in (table.gm, *table.players)
    ]
    playing = [client.play(until) for client in clients]
    for likelihood, crowd in CROWDS:
        if chance.random() < likelihood:
            playing.append(crowd(simulation, tables, chance, begun + chance.random() * PLAYED_SECONDS / 2))
    await finish(simulation, playing)


def _processes(chance: Random) -> list[str]:
    """Which processes somebody's requests reach: mostly always the same one."""
    return chance.choice((["one"], ["one"], ["other"], ["one", "other"]))


async def a_table(simulation: Simulation, nth: int, players: int) -> Table:
    """A campaign that is ready to be played."""
    names = [f"Person {nth}-{each}" for each in range(players + 1)]
    gm, *others = [await simulation.new_account(name) for name in names]
    table = Table(simulation, await simulation.new_campaign(gm, *others), gm, others)
    await table.set_up()
    return table


async def finish(simulation: Simulation, playing: Sequence[Awaitable[None]]) -> None:
    """Let everybody finish what they do; who does not in time waits for something that never comes."""
    tasks = [asyncio.ensure_future(each) for each in playing]
    wait = PLAYED_SECONDS + ANSWERED_SECONDS_MAX
    done, left = await asyncio.wait(tasks, timeout=wait)
    for task in tasks:
        if task in left:
            task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    for task in tasks:
        if task in done:
            task.result()
    if left:
        simulation.wrong.append(f"{len(left)} clients still wait after {wait} s")


def faults_of(simulation: Simulation, chance: Random, begun: float, tables: list[Table]) -> list[Fault]:
    """One to four things that go wrong for a while; all are over well before the clients stop."""
    kinds: list[Kind] = ["away", "refused", "lost", "late", "slow", "slow"]
    faults = []
    for _ in range(chance.randint(1, 4)):
        kind = chance.choice(kinds)
        start = begun + chance.random() * PLAYED_SECONDS * 0.6
        faults.append(
            Fault(
                kind=kind,
                start=start,
                end=start + chance.random() * 1.5,
                process=chance.choice((None, "one", "other", "worker")),
                campaign=chance.choice((None, chance.choice(tables).campaign_id)) if kind != "away" else None,
                likelihood=1.0 if kind in ("away", "slow") else chance.choice((0.05, 0.3)),
                seconds=chance.choice((0.2, 1.0, 4.0)) if kind in ("slow", "late") else 0.0,
                method=chance.choice((None, None, "since", "of")) if kind == "slow" else None,
            )
        )
    return faults


# --- crowds -----------------------------------------------------------------------------------------------


async def one_campaign_at_once(simulation: Simulation, tables: list[Table], chance: Random, start: float) -> None:
    """Hundreds of rolls at once in one campaign."""
    await _at(simulation, start)
    table = chance.choice(tables)
    await _all_at_once(simulation, table, chance.choice((270, 300, 600)), chance)


async def many_campaigns_at_once(
    simulation: Simulation, tables: list[Table], chance: Random, start: float
) -> None:
    """Hundreds of rolls at once over all campaigns."""
    await _at(simulation, start)
    await asyncio.gather(*(_all_at_once(simulation, table, 300 // len(tables), chance) for table in tables))


async def _all_at_once(simulation: Simulation, table: Table, times: int, chance: Random) -> None:
    commands = [
        table.acting(table.gm, "crowd", c.RollDice(notation="1d6"), key=f"crowd {n}") for n in range(times)
    ]
    await asyncio.gather(*(simulation.insist(each, ["one"]) for each in commands))


async def hidden_timers(simulation: Simulation, tables: list[Table], chance: Random, start: float) -> None:
    """Hundreds of hidden timers, and one step of the calendar."""
    await _at(simulation, start)
    table = chance.choice(tables)
    every = [
        table.acting(table.gm, "hidden timer", t.ScheduleTimer("Bell", Span(hours=2), clock="game"), "gm")
        for _ in range(chance.choice((100, 200)))
    ]
    await asyncio.gather(*(simulation.insist(each, ["one"]) for each in every))
    await simulation.insist(table.acting(table.gm, "step", c.AdvanceCalendar(Span(hours=3)), key="step"), ["one"])


async def again_and_again(simulation: Simulation, tables: list[Table], chance: Random, start: float) -> None:
    """Four connections repeat one accepted request for ever."""
    await _at(simulation, start)
    table = chance.choice(tables)
    command = table.acting(table.gm, "again", c.AddNote(text="Hello?"), key=f"again {table.said}")

    async def repeat() -> None:
        while simulation.loop.time() < start + 2.0:
            await simulation.insist(command, ["one"])
            await asyncio.sleep(0.005)

    await asyncio.gather(*(repeat() for _ in range(4)))


async def a_quiet_table(simulation: Simulation, tables: list[Table], chance: Random, start: float) -> None:
    """Somebody who does one thing at a time in a campaign of their own."""
    table = await a_table(simulation, 99, 0)
    await _at(simulation, start)
    for _ in range(12):
        command = table.acting(table.gm, "lone", c.AddNote(text="Quiet."), is_lone=True)
        await simulation.insist(command, ["one"])
        await asyncio.sleep(chance.random() / 2)


async def deaths(simulation: Simulation, tables: list[Table], chance: Random, start: float) -> None:
    """A process dies, and is there again after a moment."""
    await _at(simulation, start)
    name = chance.choice(("one", "other", "worker"))
    simulation.kill(name)
    await asyncio.sleep(chance.random() / 10)
    simulation.start(name)


async def clock_steps(simulation: Simulation, tables: list[Table], chance: Random, start: float) -> None:
    """A process' clock is set, ahead or back."""
    await _at(simulation, start)
    skew = simulation.skews[chance.choice(("one", "other", "worker"))]
    for _ in range(2):
        skew[0] = chance.choice((-3_600_000_000, -1_500_000, -300_000, 0, 300_000, 1_500_000, 86_400_000_000))
        simulation.trace(f"a clock is set to {skew[0]}")
        await asyncio.sleep(chance.random() * 2)


async def _at(simulation: Simulation, moment: float) -> None:
    await asyncio.sleep(max(0.0, moment - simulation.loop.time()))


CROWDS = [
    (0.10, one_campaign_at_once),
    (0.06, many_campaigns_at_once),
    (0.08, hidden_timers),
    (0.12, again_and_again),
    (0.30, a_quiet_table),
    (0.20, deaths),
    (0.25, clock_steps),
]
