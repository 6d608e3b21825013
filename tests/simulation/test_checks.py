"""Checks find what is wrong: one that finds nothing whatever happens would prove nothing."""

import asyncio
from collections.abc import Callable
from random import Random

import pytest
from msgspec import structs

from domain.campaign import commands as c
from domain.campaign.messages import timers as t
from domain.campaign.messages.base_types import Span
from domain.event_store_types import Head
from tests.simulation.commands import Command
from tests.simulation.run import Broken, a_table, run
from tests.simulation.simulation import Conditions, Simulation


async def played(simulation: Simulation, chance: Random) -> None:
    """A table with a note, a refusal, a timer that fired and one that waits."""
    table = await a_table(simulation, 1, 1)
    for what, command in (
        ("note", c.AddNote(text="Hello.")),
        ("refused", c.AdvanceCalendar(by=Span())),
        ("timer", t.ScheduleTimer("Bell", Span(hours=1), clock="game")),
        ("late timer", t.ScheduleTimer("Gong", Span(days=9), clock="game")),
        ("step", c.AdvanceCalendar(by=Span(hours=2))),
    ):
        await simulation.ask(table.acting(table.gm, what, command, key=what), "one")


def the(simulation: Simulation, what: str) -> Command:
    return next(each for each in simulation.commands if each.what == what)


def rows_of(simulation: Simulation):
    return simulation.database.log._events[the(simulation, "note").campaign_id]


def late(simulation: Simulation) -> None:
    the(simulation, "note").attempts[0].asked_at -= 20.0


def hung(simulation: Simulation) -> None:
    the(simulation, "note").attempts[0].outcome = "waiting"


def defect(simulation: Simulation) -> None:
    the(simulation, "note").attempts[0].outcome = "failed"


def busy(simulation: Simulation) -> None:
    the(simulation, "refused").attempts[0].code = "campaign_busy"


def away(simulation: Simulation) -> None:
    the(simulation, "refused").attempts[0].outcome, the(simulation, "refused").attempts[0].code = "away", ""


def false_lock(simulation: Simulation) -> None:
    the(simulation, "refused").attempts[0].code = "log_behind_checkpoint"


def false_absence(simulation: Simulation) -> None:
    the(simulation, "refused").attempts[0].code = "campaign_not_found"


def false_crowd(simulation: Simulation) -> None:
    the(simulation, "refused").attempts[0].code = "campaign_queue_full"


def lone(simulation: Simulation) -> None:
    the(simulation, "note").is_lone = True
    the(simulation, "note").attempts[0].asked_at -= 1.0


def lost(simulation: Simulation) -> None:
    del rows_of(simulation)[-2:]


def forged(simulation: Simulation) -> None:
    rows = rows_of(simulation)
    rows[3] = structs.replace(rows[3], body=rows[3].body + b" ")


def twice(simulation: Simulation) -> None:
    the(simulation, "note").ids += the(simulation, "timer").ids


def refused_and_done(simulation: Simulation) -> None:
    the(simulation, "note").attempts[0].outcome = "refused"


def overtaken(simulation: Simulation) -> None:
    the(simulation, "note").attempts[0].floor = 99


def in_another_order(simulation: Simulation) -> None:
    the(simulation, "note").line, the(simulation, "timer").line = (1, 2), (1, 1)


def if_match(simulation: Simulation) -> None:
    the(simulation, "note").if_match = 1


def other_memory(simulation: Simulation) -> None:
    simulation.processes["one"].kept()[0].state.game_time += 1


def other_view(simulation: Simulation) -> None:
    folds = simulation.database.views._folds[the(simulation, "note").campaign_id]
    folds["gm"] = structs.replace(folds["gm"], content=folds["gm"].content + b" ")


def no_timer(simulation: Simulation) -> None:
    simulation.database.log.timers[the(simulation, "note").campaign_id].clear()


def timer_awake(simulation: Simulation) -> None:
    timers = simulation.database.log.timers[the(simulation, "note").campaign_id]
    for key, kept in timers.items():
        timers[key] = structs.replace(kept, timer=structs.replace(kept.timer, wake_at=5))


def no_member(simulation: Simulation) -> None:
    simulation.database.log._members.clear()


def false_head(simulation: Simulation) -> None:
    campaign_id = the(simulation, "note").campaign_id
    simulation.processes["one"].application.detector._shelf.keep({campaign_id: Head(99, b"", 0)})


def unretrieved(simulation: Simulation) -> None:
    async def fail() -> None:
        raise RuntimeError("nobody hears of it")

    asyncio.ensure_future(fail())  # noqa: RUF006 — that nobody keeps it is what is tried


SPOILT: dict[Callable[[Simulation], None], str] = {
    late: "answered after 20",
    hung: "never answered",
    defect: "failed with",
    busy: "campaign_busy although nothing was wrong",
    away: "away although nothing was wrong",
    false_lock: "was told that an old backup was restored",
    false_absence: "campaign_not_found, though it was there",
    false_crowd: "campaign_queue_full, though few are waiting",
    lone: "alone, and waited for 1.",
    lost: "acknowledged, and not in the log",
    forged: "7: the chain breaks at 4",
    twice: "acted 2 times",
    refused_and_done: "refused, and in the log",
    overtaken: "though 99 was known when it was asked",
    in_another_order: "overtook",
    if_match: "though it insisted on 1",
    other_memory: "another state than the fold of the log",
    other_view: "the stored view of gm is not the fold",
    no_timer: "timer rows are not what is owed",
    timer_awake: "is awake",
    no_member: "the list of members is {}",
    false_head: "a head was kept that the log does not have",
    unretrieved: "unhandled: Task exception was never retrieved",
}


def test_what_is_sound_is_found_sound():
    report = run(1, Conditions(), played)
    assert report.counts["timers fired"] == 1
    assert report.counts["answer: refused"] == 1


@pytest.mark.parametrize("spoil", SPOILT, ids=lambda each: each.__name__)
def test_what_is_wrong_is_found(spoil):
    with pytest.raises(Broken) as broken:
        run(1, Conditions(), played, spoil=spoil)
    assert SPOILT[spoil] in str(broken.value)


async def stuck(simulation: Simulation, chance: Random) -> None:
    await played(simulation, chance)
    process = simulation.processes["one"]
    simulation.loop.create_task(asyncio.Event().wait(), context=process.context)


def test_a_task_that_is_left_behind_is_found():
    with pytest.raises(Broken, match="leaves tasks behind"):
        run(1, Conditions(), stuck)


async def silent(simulation: Simulation, chance: Random) -> None:
    simulation.kill("worker")
    await played(simulation, chance)


def test_a_worker_that_does_nothing_is_found():
    with pytest.raises(Broken, match="campaigns_behind=1"):
        run(1, Conditions(), silent)
