"""The smallest scripts that need what guards the past: undo, redo, reveal and erasure on the command path."""

import asyncio
from random import Random
from typing import Any

from msgspec import to_builtins

from domain.campaign import commands as c
from domain.campaign.messages import timers as t
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.undo import UndoAction
from domain.command_context import Visibility
from domain.ids import ActionId, CharacterId, derive_id
from domain.systems.frame_state import commands as fs
from services.history.erase_texts import erase_action
from services.history.undo import undo_or_redo
from tests.simulation.commands import Attempt, read_answer
from tests.simulation.play import Table
from tests.simulation.process import Process
from tests.simulation.run import a_table
from tests.simulation.simulation import Simulation
from tests.simulation.store import Fault
from tests.simulation.stories import accepted, at_once, in_time, notes


async def a_timer(
    simulation: Simulation,
    table: Table,
    process: str,
    visibility: Visibility = "all",
    *,
    after: Span = Span(hours=1),  # noqa: B008 — nobody changes it
    effect: t.AnyEffect = t.Remind(),  # noqa: B008
) -> ActionId:
    """Schedule one on the calendar; the action."""
    command = t.ScheduleTimer("Bell", after, effect, clock="game")
    return await _done(simulation, table, command, process, visibility)


async def _done(
    simulation: Simulation, table: Table, command: Any, process: str = "one", visibility: Visibility = "all"
) -> ActionId:
    """Have the GM do something; the action."""
    attempt = await simulation.ask(table.acting(table.gm, "act", command, visibility), process)
    accepted(simulation, [attempt])
    return ActionId(read_answer(attempt.result).action_id)


async def undo(simulation: Simulation, table: Table, action_id: ActionId, process: str = "one") -> None:
    async def how(of: Process) -> bytes:
        return await undo_or_redo(of.application, table.campaign_id, table.gm, UndoAction(action_id), None)

    undo = simulation.command("undo", table.campaign_id, table.gm, how)
    accepted(simulation, [await simulation.ask(undo, process)])


async def _erase(simulation: Simulation, table: Table, action_id: ActionId) -> None:
    async def how(of: Process) -> Any:
        return await erase_action(of.application.for_accounts, table.campaign_id, table.gm, action_id)

    erasure = simulation.command("erase", table.campaign_id, table.gm, how, answers=False)
    accepted(simulation, [await simulation.ask(erasure, "one")])


async def an_undo_of_what_was_loaded(simulation: Simulation, _: Random) -> None:
    """One process has loaded what is then undone in another, and goes on."""
    table = await a_table(simulation, 1, 0)
    timer = await a_timer(simulation, table, "one")
    accepted(simulation, await at_once(simulation, notes(table, 1), "other"))
    await undo(simulation, table, timer, "one")
    accepted(simulation, await at_once(simulation, notes(table, 1), "other"))


async def an_undo_of_what_was_not_loaded(simulation: Simulation, _: Random) -> None:
    """What is hidden and what is open is done and undone in one process, while another has the campaign loaded."""
    table = await a_table(simulation, 1, 1)
    accepted(simulation, await at_once(simulation, notes(table, 1), "other"))
    await a_timer(simulation, table, "one", "gm")
    for visibility in ("gm", "all"):
        await undo(simulation, table, await a_timer(simulation, table, "one", visibility), "one")
    accepted(simulation, await at_once(simulation, notes(table, 1), "other"))


async def an_erasure_in_another_process(simulation: Simulation, _: Random) -> None:
    """One process has the reason in memory that a timer will give, it is erased in another, and it fires."""
    await _a_word_erased(simulation, "other")


async def an_undo_and_a_lost_race(simulation: Simulation, _: Random) -> None:
    """A process undoes something itself, and folds again afterwards because another one was faster."""
    table = await a_table(simulation, 1, 0)
    await undo(simulation, table, await a_timer(simulation, table, "one"))
    for process in ("other", "one"):
        accepted(simulation, await at_once(simulation, notes(table, 1), process))


async def an_undo_of_something_hidden(simulation: Simulation, _: Random) -> None:
    """A hidden timer is undone, beside another hidden one that stays."""
    table = await a_table(simulation, 1, 1)
    await a_timer(simulation, table, "one", f"account:{table.players[0]}")
    shown = await a_timer(simulation, table, "one")
    await undo(simulation, table, shown)
    accepted(simulation, await at_once(simulation, notes(table, 1)))


async def _a_cancelled_timer(simulation: Simulation, table: Table) -> tuple[str, ActionId]:
    """One that everybody sees, beside one that only GMs see; the cancelling's action comes with it."""
    await a_timer(simulation, table, "one", "gm", after=Span(days=30))
    timer = derive_id("timer", await a_timer(simulation, table, "one"))
    return timer, await _done(simulation, table, t.CancelTimer(timer))


async def an_undo_that_makes_something_due(simulation: Simulation, _: Random) -> None:
    """A timer that everybody sees is cancelled, its hour comes, and the cancelling is undone.

    Decided on what the table knew before the undo, it would fire as something that only GMs may know.
    """
    table = await a_table(simulation, 1, 1)
    _timer, cancelled = await _a_cancelled_timer(simulation, table)
    await _done(simulation, table, c.AdvanceCalendar(Span(hours=2)))
    await undo(simulation, table, cancelled)
    await simulation.settle()
    rows = simulation.database.log._events[table.campaign_id]
    readers = [row.visibility for row in rows if row.kind == "campaign.timer_fired"]
    if readers != ["all"]:
        simulation.wrong.append(f"what was due fired for {readers}")


def _held_up(simulation: Simulation, table: Table) -> "asyncio.Future[Attempt]":
    """A command that changes nothing, and what comes after it waits for half a second."""
    now = simulation.loop.time()
    campaign = table.campaign_id
    simulation.faults.append(Fault("slow", now, now + 0.05, campaign=campaign, seconds=0.5, before=0.0))
    return asyncio.ensure_future(_refused(simulation, table))


async def _refused(simulation: Simulation, table: Table) -> Attempt:
    about = c.AddNote(text="Who?", about=CharacterId("nobody"))
    return await simulation.ask(table.acting(table.gm, "refused", about), "one")


async def a_command_behind_an_undo(simulation: Simulation, _: Random) -> None:
    """The cancelling of a timer is undone, and behind it in the queue waits that the timer be paused.

    Decided on what the table knew before the undo, that is refused.
    """
    table = await a_table(simulation, 1, 1)
    timer, cancelled = await _a_cancelled_timer(simulation, table)
    held = _held_up(simulation, table)
    await asyncio.sleep(0.05)
    undoing = asyncio.ensure_future(undo(simulation, table, cancelled))
    await asyncio.sleep(0.1)
    pause = table.acting(table.gm, "pause", t.PauseTimer(timer))
    accepted(simulation, [await simulation.ask(pause, "one")])
    await asyncio.gather(undoing, held)


async def a_word_that_is_erased(simulation: Simulation, _: Random) -> None:
    """What a timer will give its reason for is erased, and then the timer fires."""
    await _a_word_erased(simulation, "one")


async def _a_word_erased(simulation: Simulation, process: str) -> None:
    table = await a_table(simulation, 1, 1)
    award = to_builtins(fs.AwardCurrency(amount=5, reason="Xylophone", pilot=table.pilots[0]))
    scheduled = await a_timer(simulation, table, process, effect=t.Order(award))
    await _erase(simulation, table, scheduled)
    await _done(simulation, table, c.AdvanceCalendar(Span(hours=2)), process)
    rows = simulation.database.log._events[table.campaign_id]
    assert rows[-1].kind == "frame_state.currency_awarded", rows[-1].kind
    if any(b"Xylophone" in (row.texts or b"") for row in rows):
        simulation.wrong.append("what was erased is told again")


async def _beside_an_erasure(simulation: Simulation, *order: str) -> None:
    """Something is erased in one campaign, which takes a second; a note in another one does not wait for that.

    `order` is what is asked one after the other while all writers are busy, and decided when one is free.
    """
    *busy, ours, erasing = [await a_table(simulation, nth, 0) for nth in range(5)]
    words = await _done(simulation, erasing, c.AddNote(text="What was said."))
    simulation.database.log.erasing_seconds = 1.0
    until = simulation.loop.time() + 0.3
    asked: list[asyncio.Future[Any]] = []
    for table in busy:
        slow = Fault("slow", 0.0, until, campaign=table.campaign_id, seconds=0.5, before=0.0)
        simulation.faults.append(slow)
        asked.append(asyncio.ensure_future(at_once(simulation, notes(table, 1))))
        await asyncio.sleep(0.1)
    (note,) = notes(ours, 1)
    asking = {
        "note": lambda: simulation.ask(note, "one"),
        "refused": lambda: _refused(simulation, erasing),
        "erase": lambda: _erase(simulation, erasing, words),
    }
    for what in order:
        asked.append(asyncio.ensure_future(asking[what]()))
        await asyncio.sleep(0.05)
    await asyncio.gather(*asked)
    in_time(simulation, note.attempts, 0.6)


async def a_note_before_an_erasure(simulation: Simulation, _: Random) -> None:
    """An erasure of another campaign comes right behind a note."""
    await _beside_an_erasure(simulation, "note", "erase")


async def a_note_behind_an_erasure(simulation: Simulation, _: Random) -> None:
    """A note comes right behind an erasure of another campaign."""
    await _beside_an_erasure(simulation, "erase", "note")


async def a_note_beside_a_refusal_and_an_erasure(simulation: Simulation, _: Random) -> None:
    """A note comes right behind an erasure of another campaign, in which something is refused first."""
    await _beside_an_erasure(simulation, "refused", "erase", "note")
