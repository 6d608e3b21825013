"""The defects that simulation found in the first command path, one by one, each as small as it can be.

Each test says what that path did. After its script every check of `checks` is made, as after random play.
"""

import asyncio
from random import Random
from typing import Any

import pytest

from domain.campaign import commands as c
from domain.campaign.messages import timers as t
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.undo import UndoAction
from domain.ids import ActionId, CampaignId, CharacterId
from services.history.undo import undo_or_redo
from services.lifecycle.deletion import delete_campaign, restore_campaign
from services.transfer.import_campaign import fork
from tests.simulation import stories
from tests.simulation.commands import read_answer
from tests.simulation.play import Table
from tests.simulation.process import Process
from tests.simulation.run import a_table
from tests.simulation.simulation import Simulation
from tests.simulation.store import Fault
from tests.simulation.stories import FOR_EVER, accepted, at_once, in_time, lone, notes, over, played


@pytest.mark.parametrize("seconds", [0.0, 0.05])
def test_hundreds_that_wait_for_one_campaign_are_all_answered(seconds):
    """Row 1. The first path: a commit task ends with KeyError, which nobody retrieves; with slow commits 344 of
    600 fail with it or are told that an old backup was restored, and a head is kept that the log never had.
    """

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 0)
        simulation.faults.append(Fault("slow", 0.0, FOR_EVER, seconds=seconds))
        attempts = await at_once(simulation, notes(table, 600))
        accepted(simulation, attempts)
        in_time(simulation, attempts, 10.0)
        over(simulation)

    played(script)


def test_hundreds_that_wait_for_twenty_campaigns_are_all_answered():
    """Row 1, over many campaigns. The first path: a commit task ends with KeyError."""

    async def script(simulation: Simulation) -> None:
        tables = [await a_table(simulation, nth, 0) for nth in range(20)]
        commands = [command for table in tables for command in notes(table, 30)]
        accepted(simulation, await at_once(simulation, commands))

    played(script)


def test_an_outsiders_crowd_hurts_nobody_elses_campaign():
    """Row 1: 500 notes at once in one campaign, and lone commands beside it. The first path: a commit task ends
    with KeyError.
    """

    async def script(simulation: Simulation) -> None:
        outsiders, ours = await a_table(simulation, 1, 0), await a_table(simulation, 2, 0)
        begun = simulation.loop.time()
        crowd, _ = await asyncio.gather(
            at_once(simulation, notes(outsiders, 500)), lone(simulation, ours, begun + 2.0)
        )
        accepted(simulation, crowd)

    played(script)


def test_hundreds_of_hidden_timers_fire_and_the_campaign_goes_on():
    """Row 2. The first path: the step of the calendar is refused campaign_busy after 15 s, in which nothing else
    happens in the process, and no timer ever fires.
    """

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 0)
        for _ in range(6):
            timers = [
                table.acting(table.gm, "timer", t.ScheduleTimer("Bell", Span(hours=1), clock="game"), "gm")
                for _ in range(25)
            ]
            accepted(simulation, await at_once(simulation, timers))
        step = table.acting(table.gm, "step", c.AdvanceCalendar(Span(hours=2)))
        accepted(simulation, [await simulation.ask(step, "one")])
        accepted(simulation, await at_once(simulation, notes(table, 5)))
        await simulation.settle()
        fired = sum(
            row.kind == "campaign.timer_fired" for row in simulation.database.log._events[table.campaign_id]
        )
        if fired != 150:
            simulation.wrong.append(f"{fired} of 150 timers fired")

    played(script, slowness=10.0)


def test_one_accepted_request_repeated_for_ever_keeps_nobody_waiting():
    """Row 3. The first path: the other member's notes are refused campaign_busy, all 60."""

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 1)
        again = table.acting(table.players[0], "again", c.AddNote(text="Hello?"), key="again and again")
        accepted(simulation, [await simulation.ask(again, "one")])
        done = False

        async def repeat() -> None:
            while not done:
                accepted(simulation, [await simulation.ask(again, "one")])

        repeating = [asyncio.ensure_future(repeat()) for _ in range(4)]
        for command in notes(table, 60):
            accepted(simulation, [await simulation.ask(command, "one")])
            await asyncio.sleep(0.02)
        done = True
        await asyncio.gather(*repeating)

    played(script)


def test_a_campaign_that_is_loaded_while_it_goes_on_is_not_locked():
    """Row 4. The first path: 22 of 540 notes are refused log_behind_checkpoint."""

    async def script(simulation: Simulation) -> None:
        tables = [await a_table(simulation, nth, 0) for nth in range(3)]
        simulation.faults.append(Fault("slow", 0.0, FOR_EVER, method="since", seconds=0.02, before=0.0))

        async def play(table: Table, nth: int) -> None:
            for command in notes(table, 60):
                accepted(simulation, [await simulation.ask(command, "one")])
                await asyncio.sleep(0.0017 * nth)

        await asyncio.gather(*(play(table, nth) for nth in range(3) for table in tables))

    played(script, memory_bytes=1)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_database_that_lost_what_it_had_confirmed_gets_no_broken_chain(seed):
    stories.a_database_that_lost_what_it_had_confirmed(seed)


def test_a_commit_that_takes_seconds_is_not_sent_again_and_again():
    """Row 6. The first path: eleven appends for three commands, and all three refused campaign_busy after 22 s."""

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 0)
        simulation.faults.append(Fault("slow", 0.0, FOR_EVER, seconds=2.0, before=1.0))
        before = simulation.ways["one"].calls["append"]
        attempts = await at_once(simulation, notes(table, 3))
        accepted(simulation, attempts)
        in_time(simulation, attempts, 5.0)
        sent = simulation.ways["one"].calls["append"] - before
        if sent > 4:
            simulation.wrong.append(f"{sent} appends for three commands")
        over(simulation)

    played(script)


def test_a_fork_succeeds_though_every_commit_takes_seconds():
    """Row 6. The first path: refused campaign_busy half-way, and the first half stays in the database."""

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 0)
        simulation.faults.append(Fault("slow", 0.0, FOR_EVER, seconds=2.0, before=1.0))

        async def forked(process: Process) -> Any:
            seen = await process.application.campaigns.see(table.campaign_id, table.gm)
            return await fork(process.application.for_transfer, seen, "Iron Hail")

        command = simulation.command("fork", table.campaign_id, table.gm, forked, answers=False)
        accepted(simulation, [await simulation.ask(command, "one")])
        over(simulation)

    played(script)


def test_acting_while_a_campaign_with_hidden_things_is_deleted_is_refused_or_done():
    """Row 7. The first path: 6 of 40 commands fail with AssertionError."""

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 0)
        hidden = table.acting(table.gm, "hidden", t.ScheduleTimer("Bell", Span(hours=1), clock="game"), "gm")
        accepted(simulation, [await simulation.ask(hidden, "one")])

        async def delete(process: Process) -> Any:
            return await delete_campaign(
                process.application.for_campaigns, table.campaign_id, table.gm, "Iron Rain"
            )

        async def restore(process: Process) -> Any:
            return await restore_campaign(process.application.for_campaigns, table.campaign_id, table.gm)

        for nth in range(40):
            simulation.kill("other")
            simulation.start("other")
            (command,) = notes(table, 1)
            acting = asyncio.ensure_future(simulation.ask(command, "other"))
            await asyncio.sleep(0.0005 * nth)
            for how in (delete, restore):
                put = simulation.command(how.__name__, table.campaign_id, table.gm, how, answers=False)
                accepted(simulation, [await simulation.ask(put, "one")])
            attempt = await acting
            if attempt.outcome != "accepted" and attempt.code != "campaign_not_found":
                simulation.wrong.append(f"{attempt.outcome} {attempt.code} {attempt.result!r}")

    played(script)


def test_nobody_is_refused_because_two_processes_write_to_one_campaign():
    """Row 8. The first path: two of 800 notes are refused campaign_busy."""

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 0)
        simulation.faults.append(Fault("slow", 0.0, FOR_EVER, seconds=0.03))
        chance = Random(8)  # noqa: S311 — chance from a seed is what is wanted

        async def write(process: str) -> None:
            for command in notes(table, 400):
                accepted(simulation, [await simulation.ask(command, process)])
                await asyncio.sleep(chance.expovariate(1 / 0.05))

        await asyncio.gather(write("one"), write("other"))

    played(script)


def test_a_slow_commit_of_one_campaign_holds_no_other_back():
    """Row 9. The first path: two lone commands wait 1.9 s for their own append of 3 ms."""

    async def script(simulation: Simulation) -> None:
        slow, ours = await a_table(simulation, 1, 0), await a_table(simulation, 2, 0)
        begun = simulation.loop.time()
        simulation.faults.append(
            Fault("slow", 0.0, begun + 6.0, campaign=slow.campaign_id, seconds=2.0, before=0.0)
        )

        async def play_slowly() -> None:
            while simulation.loop.time() < begun + 6.0:
                accepted(simulation, await at_once(simulation, notes(slow, 1)))

        await asyncio.gather(play_slowly(), play_slowly(), lone(simulation, ours, begun + 6.0))

    played(script)


def test_refusals_among_writers_make_nobody_load_the_campaign_again():
    """Row 10. The first path: the campaign is loaded again seven times in 400 commands."""

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 0)
        before = simulation.ways["one"].calls.copy()

        async def play(nth: int) -> None:
            for command in notes(table, 25):
                accepted(simulation, [await simulation.ask(command, "one")])
                about = c.AddNote(text="Who?", about=CharacterId("nobody"))
                refused = await simulation.ask(table.acting(table.gm, "refused", about), "one")
                if refused.outcome != "refused":
                    simulation.wrong.append(f"{refused.outcome}, though nobody is called nobody")
                await asyncio.sleep(0.003 * nth)

        await asyncio.gather(*(play(nth) for nth in range(8)))
        after = simulation.ways["one"].calls
        loads = {name: after[name] - before[name] for name in ("fold", "folds", "pages", "since")}
        if any(loads.values()):
            simulation.wrong.append(f"it was loaded again: {loads}")

    played(script)


def test_what_one_member_sends_one_after_the_other_stays_in_that_order():
    """Row 11. The first path: 22 of 480 notes were overtaken by later ones of the same member."""

    async def script(simulation: Simulation) -> None:
        tables = [await a_table(simulation, nth, 0) for nth in range(3)]

        async def lines(table: Table, nth: int) -> None:
            for _ in range(20):
                line = len(simulation.commands)
                asking = []
                for place in range(8):
                    (command,) = notes(table, 1, line=(line, place))
                    asking.append(asyncio.ensure_future(simulation.ask(command, "one")))
                    await asyncio.sleep(0.0007 * (nth + 1))
                accepted(simulation, [*await asyncio.gather(*asking)])

        await asyncio.gather(*(lines(table, nth) for nth, table in enumerate(tables)))

    played(script, memory_bytes=1)


@pytest.mark.parametrize("method", ["now", "append", "head", "answer"])
def test_who_waits_hears_of_a_defect_on_the_way_to_the_database(method):
    """A writer that fails as nothing should fails those who wait for it, and the next are served.

    The first path, where the database's clock cannot be read: all who wait do so for ever.
    """

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 0)
        simulation.kill("other")
        simulation.start("other")  # a process that has asked for nothing yet
        begun = simulation.loop.time()
        simulation.faults.append(Fault("broken", begun, begun + 0.05, process="other", method=method))
        refused = table.acting(table.gm, "refused", c.AddNote(text="Who?", about=CharacterId("nobody")))
        attempts = await at_once(simulation, [*notes(table, 5), refused], "other")
        for command, attempt in [(each, each.attempts[0]) for each in simulation.commands[-6:]]:
            if attempt.outcome in ("failed", "away"):
                simulation.commands.remove(command)  # as it should
        if any(each.outcome == "waiting" for each in attempts):
            simulation.wrong.append("somebody was not told")
        await asyncio.sleep(1.0)
        accepted(simulation, await at_once(simulation, notes(table, 5), "other"))

    played(script)


def test_a_clock_that_is_set_back_schedules_nothing_in_the_past():
    stories.a_clock_that_is_set_back()


def test_who_hangs_up_while_a_campaign_is_sought_leaves_nothing_unheard():
    """The first path: that there is no such campaign is an exception that nobody retrieves."""

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 0)
        elsewhere = Table(simulation, CampaignId(simulation.new_id()), table.gm, [])
        for nth, command in enumerate(notes(elsewhere, 20)):
            await simulation.ask(command, "one", hang_up_after=0.0003 * nth)
            await asyncio.sleep(0.05)

    played(script)


def test_stored_views_follow_a_campaign_that_is_deleted_and_restored_meanwhile():
    """The first path: in five of 60 times the follower fails with IndexError, and leaves the campaign alone
    for a while.
    """

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 1)
        readers = f"account:{table.players[0]}"
        for nth in range(60):
            hidden = table.acting(table.gm, "hidden", c.AddNote(text="Psst."), readers)
            accepted(simulation, [await simulation.ask(hidden, "one")])
            undo = UndoAction(ActionId(read_answer(hidden.attempts[0].result).action_id))

            async def how(process: Process, wish: UndoAction = undo) -> bytes:
                return await undo_or_redo(process.application, table.campaign_id, table.gm, wish, None)

            accepted(
                simulation,
                [await simulation.ask(simulation.command("undo", table.campaign_id, table.gm, how), "one")],
            )
            await asyncio.sleep(0.0004 * nth)
            await simulation.database.deletions.delete(table.campaign_id, table.gm, "Iron Rain", 1, rested=False)
            await asyncio.sleep(0.02)
            await simulation.database.deletions.restore(table.campaign_id, table.gm)

    played(script)


def test_more_than_a_queue_holds_is_refused_at_once_and_the_rest_is_served():
    """The first path has no bound; 3,220 of 4,500 are told that an old backup was restored (row 1)."""

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 3)
        simulation.faults.append(Fault("slow", 0.0, simulation.loop.time() + 0.5, seconds=0.5, before=1.0))
        crowd = [
            table.acting(account, "crowd", c.AddNote(text="Me too."), key=f"{nth}")
            for nth in range(1_500)
            for account in table.players
        ]
        attempts = await at_once(simulation, crowd)
        full = [each for each in attempts if each.code == "campaign_queue_full"]
        if not full:
            simulation.wrong.append("there is no end to the queue")
        if any(each.answered_at is None or each.answered_at - each.asked_at > 0.1 for each in full):
            simulation.wrong.append("to be told that the queue is full took long")
        accepted(simulation, [each for each in attempts if each not in full])

    played(script, slowness=0.0)


def test_two_processes_that_end_one_dice_epoch_at_once_publish_the_seed_that_was_committed_to():
    stories.two_processes_that_end_one_dice_epoch_at_once()


def test_a_key_is_answered_as_before_though_what_its_command_named_is_gone_by_now():
    stories.a_key_whose_command_named_what_is_gone_by_now()


def test_an_answer_that_was_given_is_what_the_log_says():
    """Without any fault the same checks hold on every path: they blame nothing that is sound."""

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 1)
        for command in notes(table, 10):
            attempt = await simulation.ask(command, "one")
            accepted(simulation, [attempt])
            assert read_answer(attempt.result).seq == simulation.floors[table.campaign_id]

    report = played(script)
    assert report.counts["answer: accepted"] >= 13


def test_an_undo_gets_through_while_others_go_on():
    """The first path: each of five attempts searched from the beginning, and lost to whoever acted meanwhile."""

    async def script(simulation: Simulation) -> None:
        table = await a_table(simulation, 1, 1)
        (first, *_) = await at_once(simulation, notes(table, 400))
        target = ActionId(read_answer(first.result).action_id)

        async def how(process: Process) -> bytes:
            return await undo_or_redo(process.application, table.campaign_id, table.gm, UndoAction(target), "undo")

        undo = simulation.command("undo", table.campaign_id, table.gm, how, key="undo")
        undoing = [asyncio.ensure_future(simulation.ask(undo, "other")) for _ in range(2)]
        going_on = 0
        while not all(each.done() for each in undoing):
            note = table.acting(table.players[0], "note", c.AddNote(text="And then?"))
            accepted(simulation, [await simulation.ask(note, "one")])
            await asyncio.sleep(0.1)
            going_on += 1
        accepted(simulation, [*await asyncio.gather(*undoing)])
        if going_on < 3:
            simulation.wrong.append("nobody went on meanwhile")

    played(script, slowness=20.0)
