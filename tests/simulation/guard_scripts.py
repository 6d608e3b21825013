"""The smallest scripts that need one guard of the command path each."""

import asyncio
from itertools import pairwise
from random import Random

from domain.campaign import commands as c
from domain.campaign.messages import timers as t
from domain.campaign.messages.base_types import Span
from domain.event_store_types import NEVER, KeptTimer, Timer
from domain.ids import ActionId, derive_id
from tests.simulation.history_scripts import a_timer
from tests.simulation.play import Table
from tests.simulation.run import a_table
from tests.simulation.simulation import Simulation
from tests.simulation.store import Fault
from tests.simulation.stories import accepted, at_once, in_time, lone, notes, over


async def known_keys_without_end(simulation: Simulation, _: Random) -> None:
    """Keys that no process remembers are repeated one after the other, beside one note of another member."""
    table = await a_table(simulation, 1, 1)
    old = [table.acting(table.players[0], "old", c.AddNote(text="Hello?"), key=f"old {nth}") for nth in range(200)]
    accepted(simulation, await at_once(simulation, old))
    simulation.kill("one")
    simulation.start("one")
    accepted(simulation, await at_once(simulation, notes(table, 1)))
    repeating = []
    for nth, command in enumerate(old):
        repeating.append(asyncio.ensure_future(simulation.ask(command, "one")))
        await asyncio.sleep(0.001)
        if nth == 10:
            note = asyncio.ensure_future(simulation.ask(notes(table, 1)[0], "one"))
    accepted(simulation, [*await asyncio.gather(*repeating), await note])
    in_time(simulation, [await note], 0.05)


async def six_hundred_at_once(simulation: Simulation, _: Random) -> None:
    """Hundreds of notes of one campaign: no append is of more than 128 commands."""
    table = await a_table(simulation, 1, 0)
    accepted(simulation, await at_once(simulation, notes(table, 600)))
    appends_up_to(simulation, table, 128)


async def a_crowd_and_a_quiet_table(simulation: Simulation, _: Random) -> None:
    """Hundreds of notes of one campaign, which take long to decide, beside a few of another one."""
    table, ours = await a_table(simulation, 1, 0), await a_table(simulation, 2, 0)
    crowd = [asyncio.ensure_future(simulation.ask(each, "one")) for each in notes(table, 300)]
    beside = []
    for _nth in range(30):
        beside.append(asyncio.ensure_future(simulation.ask(notes(ours, 1)[0], "one")))
        await asyncio.sleep(0.001)
    accepted(simulation, [*await asyncio.gather(*crowd), *await asyncio.gather(*beside)])
    in_time(simulation, await asyncio.gather(*beside), 0.5)


def appends_up_to(simulation: Simulation, table: Table, most: int) -> None:
    """Tell of an append of more events."""
    lasts = [last for last, _ in simulation.database.log.commits[table.campaign_id]]
    longest = max(last - before for before, last in pairwise(lasts))
    if longest > most:
        simulation.wrong.append(f"{longest} events in one append")


async def a_day_of_minutes(simulation: Simulation, _: Random) -> None:
    """A timer of every minute, and a day: no append holds more than about a thousand events of that."""
    table = await a_table(simulation, 1, 0)
    every = t.ScheduleTimer("Bell", Span(minutes=1), clock="game", every=Span(minutes=1), times=1_100)
    for command in (every, c.AdvanceCalendar(Span(hours=20))):
        accepted(simulation, [await simulation.ask(table.acting(table.gm, "timer", command), "one")])
    await simulation.settle()
    appends_up_to(simulation, table, 1_010)


async def a_commit_that_never_ends(simulation: Simulation, _: Random) -> None:
    """Who waits for it is told within ten seconds that this takes too long."""
    table = await a_table(simulation, 1, 0)
    simulation.faults.append(Fault("slow", 0.0, simulation.loop.time() + 1.0, seconds=20.0, before=1.0))
    in_time(simulation, await at_once(simulation, notes(table, 2)), 10.0)


async def two_slow_commits(simulation: Simulation, _: Random) -> None:
    """Two campaigns' commits are slow, and a third campaign has one lone command after the other."""
    *slow, ours = [await a_table(simulation, nth, 0) for nth in range(3)]
    until = simulation.loop.time() + 3.0
    simulation.faults += [
        Fault("slow", 0.0, until, campaign=table.campaign_id, seconds=2.0, before=0.0) for table in slow
    ]
    both = [asyncio.ensure_future(at_once(simulation, notes(table, 1))) for table in slow[:1]]
    await asyncio.sleep(0.05)
    both += [asyncio.ensure_future(at_once(simulation, notes(table, 1))) for table in slow[1:]]
    await asyncio.sleep(0.1)
    await lone(simulation, ours, until)
    await asyncio.gather(*both)


async def a_timer_that_is_not_owed(simulation: Simulation, _: Random) -> None:
    """The database has a row of a timer that its campaign does not owe."""
    table = await a_table(simulation, 1, 0)
    spare = ActionId(simulation.new_id())
    row = Timer(spare, "nothing:1", "now", 0, simulation.database.clock())
    assert row.wake_at < NEVER
    simulation.database.log.timers[table.campaign_id][spare, "nothing:1"] = KeptTimer(row)
    await asyncio.sleep(3.0)


async def a_commit_that_fails(simulation: Simulation, _: Random) -> None:
    """What was not committed is nothing that a log could have lost."""
    table = await a_table(simulation, 1, 0)
    now = simulation.loop.time()
    simulation.faults.append(Fault("refused", now, now + 0.1, method="append"))
    await at_once(simulation, notes(table, 1))
    await asyncio.sleep(6.0)
    over(simulation)


async def a_member_of_a_moment_ago(simulation: Simulation, _: Random) -> None:
    """Somebody joined in another process than the one that is asked."""
    table = await a_table(simulation, 1, 0)
    account = await simulation.new_account("Newcomer")
    for nth in range(3):
        join = table.acting(account, "join", c.JoinCampaign("player", f"invite {nth}", made_for_them=True))
        accepted(simulation, [await simulation.ask(join, "other")])
        accepted(
            simulation, [await simulation.ask(table.acting(account, "note", c.AddNote(text="Hello.")), "one")]
        )
        remove = table.acting(table.gm, "remove", c.RemoveMember(account))
        accepted(simulation, [await simulation.ask(remove, "one")])


async def a_member_who_is_gone(simulation: Simulation, _: Random) -> None:
    """Somebody who is no member any more repeats a request of when they were."""
    table = await a_table(simulation, 1, 1)
    note = table.acting(table.players[0], "note", c.AddNote(text="Hello."), key="note")
    remove = table.acting(table.gm, "remove", c.RemoveMember(table.players[0]))
    accepted(simulation, [await simulation.ask(note, "one"), await simulation.ask(remove, "one")])
    again = await simulation.ask(note, "one")
    if again.code != "campaign_not_found":
        simulation.wrong.append(f"heard {again.outcome} {again.code}, though no member any more")


async def lines_in_two_processes(simulation: Simulation, _: Random) -> None:
    """Each of two processes is sent notes without waiting for answers, which lose races again and again."""
    table = await a_table(simulation, 1, 0)
    simulation.faults.append(Fault("slow", 0.0, 1e9, seconds=0.01))

    async def line(process: str, number: int) -> None:
        asking = []
        for place in range(40):
            (command,) = notes(table, 1, line=(number, place))
            asking.append(asyncio.ensure_future(simulation.ask(command, process)))
            await asyncio.sleep(0.003)
        accepted(simulation, [*await asyncio.gather(*asking)])

    await asyncio.gather(line("one", 1), line("other", 2))
    over(simulation)


async def one_key_twice_at_once(simulation: Simulation, _: Random) -> None:
    """The same request comes twice before either is decided."""
    table = await a_table(simulation, 1, 0)
    (note,) = notes(table, 1)
    accepted(simulation, await at_once(simulation, [note, note, note]))


async def a_clock_that_is_set_ahead(simulation: Simulation, _: Random) -> None:
    """A process' clock is set an hour ahead, and then back."""
    table = await a_table(simulation, 1, 0)
    for skew in (3_600_000_000, 0, -3_600_000_000):
        simulation.skews["one"][0] = skew
        attempts = await at_once(simulation, notes(table, 2))
        accepted(simulation, attempts)
        in_time(simulation, attempts, 1.0)


async def dice_in_two_processes(simulation: Simulation, _: Random) -> None:
    """Two processes roll dice in one campaign at once: what lost a race must use none up."""
    table = await a_table(simulation, 1, 0)
    simulation.faults.append(Fault("slow", 0.0, 1e9, seconds=0.01))
    for _nth in range(5):
        rolls = [table.acting(table.gm, "roll", c.RollDice(notation="1d6")) for _ in range(2)]
        asking = (simulation.ask(*each) for each in zip(rolls, ("one", "other"), strict=True))
        accepted(simulation, [*await asyncio.gather(*asking)])
    accepted(simulation, [await simulation.ask(table.acting(table.gm, "end", c.EndDiceEpoch()), "one")])
    over(simulation)


async def a_head_that_is_kept_while_a_campaign_is_loaded(simulation: Simulation, _: Random) -> None:
    """One process reads a log, another appends to it and keeps its head, and then the first has read it."""
    table = await a_table(simulation, 1, 0)
    await simulation.processes["one"].application.detector.keep()
    simulation.kill("one")
    simulation.start("one")
    begun = simulation.loop.time()
    slow = Fault("slow", begun, begun + 0.1, process="one", method="since", seconds=0.5, before=0.0)
    simulation.faults.append(slow)
    loading = asyncio.ensure_future(simulation.ask(notes(table, 1)[0], "one"))
    await asyncio.sleep(0.05)
    accepted(simulation, await at_once(simulation, notes(table, 1), "other"))
    await simulation.processes["other"].application.detector.keep()
    accepted(simulation, [await loading])


async def a_timer_of_another_process(simulation: Simulation, _: Random) -> None:
    """What one process has scheduled, another that has not heard of it yet cancels."""
    table = await a_table(simulation, 1, 0)
    timer = await a_timer(simulation, table, "other")
    cancel = table.acting(table.gm, "cancel", t.CancelTimer(derive_id("timer", timer)))
    accepted(simulation, [await simulation.ask(cancel, "one")])


async def a_hundred_timers_at_one_moment(simulation: Simulation, _: Random) -> None:
    """They take a process a second to fire; another campaign has one lone command after the other."""
    table, ours = await a_table(simulation, 1, 0), await a_table(simulation, 2, 0)
    timers = [
        table.acting(table.gm, "timer", t.ScheduleTimer("Bell", Span(hours=1), clock="game")) for _ in range(100)
    ]
    accepted(simulation, await at_once(simulation, timers))
    step = table.acting(table.gm, "step", c.AdvanceCalendar(Span(hours=2)))
    stepping = asyncio.ensure_future(simulation.ask(step, "one"))
    await lone(simulation, ours, simulation.loop.time() + 2.0)
    accepted(simulation, [await stepping])


async def a_note_behind_a_step(simulation: Simulation, _: Random) -> None:
    """What a step of the calendar makes due happens before anything else, though it takes several appends."""
    table = await a_table(simulation, 1, 0)
    timers = [
        table.acting(table.gm, "timer", t.ScheduleTimer("Bell", Span(hours=1), clock="game")) for _ in range(100)
    ]
    accepted(simulation, await at_once(simulation, timers))
    step = table.acting(table.gm, "step", c.AdvanceCalendar(Span(hours=2)))
    accepted(simulation, await at_once(simulation, [step, *notes(table, 2)]))
    kinds = [row.kind for row in simulation.database.log._events[table.campaign_id]]
    fired = [seq for seq, kind in enumerate(kinds) if kind == "campaign.timer_fired"]
    if len(fired) != 100 or kinds.index("campaign.note_added") < fired[-1]:
        simulation.wrong.append("something else happened before all that was due")


async def two_campaigns_in_no_memory(simulation: Simulation, _: Random) -> None:
    """Two campaigns that do not fit into memory together go on without a pause: neither is loaded again."""
    tables = [await a_table(simulation, nth, 0) for nth in range(2)]
    simulation.faults.append(Fault("slow", 0.0, 1e9, seconds=0.02))
    before = simulation.ways["one"].calls.copy()

    async def line(table: Table) -> None:
        asking = []
        for nth in range(60):
            (command,) = notes(table, 1, line=(nth, 0))
            asking.append(asyncio.ensure_future(simulation.ask(command, "one")))
            await asyncio.sleep(0.005)
        accepted(simulation, [*await asyncio.gather(*asking)])

    await asyncio.gather(*(line(table) for table in tables))
    loads = simulation.ways["one"].calls["fold"] - before["fold"]
    if loads > 3:
        simulation.wrong.append(f"{loads} loads of two campaigns")


async def an_append_that_fails(simulation: Simulation, _: Random) -> None:
    """A timer is not stored because the database was away; then the campaign goes on."""
    table = await a_table(simulation, 1, 0)
    now = simulation.loop.time()
    simulation.faults.append(Fault("refused", now, now + 0.01, method="append"))
    timer = table.acting(table.gm, "timer", t.ScheduleTimer("Bell", Span(hours=1), clock="game"))
    await simulation.ask(timer, "one")
    await asyncio.sleep(0.1)
    accepted(simulation, await at_once(simulation, notes(table, 2)))


async def two_busy_processes(simulation: Simulation, _: Random) -> None:
    """Two processes write to one campaign as fast as they can: few appends are for nothing."""
    table = await a_table(simulation, 1, 0)
    simulation.faults.append(Fault("slow", 0.0, 1e9, seconds=0.005))

    async def write(process: str) -> None:
        for _ in range(60):
            accepted(simulation, [await simulation.ask(notes(table, 1)[0], process)])

    await asyncio.gather(*(write(each) for each in ("one", "other")))
    lost = simulation.trace.counts["append: version_conflict"]
    if lost > 55:  # 20 to 43 with other seeds, and 67 to 83 where nobody waits longer
        simulation.wrong.append(f"{lost} appends of 120 were for nothing")


async def a_clock_that_is_a_day_ahead(simulation: Simulation, _: Random) -> None:
    """A process' clock is set ahead while every append takes its time: it is read again once, not for ever."""
    table = await a_table(simulation, 1, 0)
    simulation.faults.append(Fault("slow", 0.0, 1e9, seconds=0.1))
    simulation.skews["one"][0] = 86_400_000_000
    attempts = await at_once(simulation, notes(table, 2))
    accepted(simulation, attempts)
    in_time(simulation, attempts, 1.0)


async def a_campaign_that_is_loaded_while_something_hidden_happens(simulation: Simulation, _: Random) -> None:
    """One process reads what everybody knows, while another one goes on with the campaign."""
    table = await a_table(simulation, 1, 1)
    await a_timer(simulation, table, "one", f"account:{table.players[0]}")
    begun = simulation.loop.time()
    slow = Fault("slow", begun, begun + 0.1, process="other", method="folds", seconds=0.5, before=0.0)
    simulation.faults.append(slow)
    loading = asyncio.ensure_future(simulation.ask(notes(table, 1)[0], "other"))
    await asyncio.sleep(0.1)
    for _nth in range(2):
        accepted(
            simulation,
            [await simulation.ask(table.acting(table.gm, "day", c.AdvanceCalendar(Span(days=1))), "one")],
        )
    accepted(simulation, [await loading])
    accepted(simulation, await at_once(simulation, notes(table, 1), "other"))


async def an_outage_while_timers_fire(simulation: Simulation, _: Random) -> None:
    """The database is away while timers fire, and no worker is there: the next command has them fire first."""
    table, ours = await a_table(simulation, 1, 0), await a_table(simulation, 2, 0)
    timers = [
        table.acting(table.gm, "timer", t.ScheduleTimer("Bell", Span(hours=1), clock="game")) for _ in range(100)
    ]
    accepted(simulation, await at_once(simulation, timers))
    simulation.kill("worker")
    step = table.acting(table.gm, "step", c.AdvanceCalendar(Span(hours=2)))
    now = simulation.loop.time()
    simulation.faults.append(
        Fault("refused", now + 0.12, now + 1.0, campaign=table.campaign_id, process="one", method="append")
    )
    accepted(simulation, [await simulation.ask(step, "one")])
    await asyncio.sleep(1.5)
    noting = asyncio.ensure_future(simulation.ask(notes(table, 1)[0], "one"))
    beside = []
    for _nth in range(30):
        beside.append(asyncio.ensure_future(simulation.ask(notes(ours, 1)[0], "one")))
        await asyncio.sleep(0.001)
    accepted(simulation, [await noting, *await asyncio.gather(*beside)])
    in_time(simulation, await asyncio.gather(*beside), 0.5)
    simulation.start("worker")
    kinds = [row.kind for row in simulation.database.log._events[table.campaign_id]]
    fired = [seq for seq, kind in enumerate(kinds) if kind == "campaign.timer_fired"]
    if len(fired) != 100 or kinds.index("campaign.note_added") < fired[-1]:
        simulation.wrong.append("something else happened before all that was due")
