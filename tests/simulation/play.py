"""Clients that play at random: what they ask for, how often, and how they behave."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from random import Random
from typing import Any

from domain.campaign import commands as c
from domain.campaign.command_request import ActRequest
from domain.campaign.messages import timers as t
from domain.campaign.messages.archive import ArchiveCampaign, UnarchiveCampaign
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.undo import DeclineUndo, RedoAction, UndoAction
from domain.command_context import Visibility
from domain.ids import AccountId, ActionId, CampaignId, derive_id
from domain.systems.frame_state import commands as fs
from domain.systems.frame_state.state import TestDie
from services.history.erase_texts import erase_action
from services.history.undo import request_undo, undo_or_redo
from services.lifecycle.deletion import delete_campaign, restore_campaign
from services.transfer.import_campaign import fork
from tests.simulation.commands import TOLD, Attempt, Command, read_answer
from tests.simulation.process import Process
from tests.simulation.simulation import Simulation


class Table:
    """A campaign with its people, and what they have done in it so far."""

    def __init__(
        self, simulation: Simulation, campaign_id: CampaignId, gm: AccountId, players: list[AccountId]
    ) -> None:
        self.simulation = simulation
        self.campaign_id = campaign_id
        self.gm = gm
        self.players = players
        self.done: list[ActionId] = []
        self.hidden: list[ActionId] = []
        self.undone: list[ActionId] = []
        self.timers: list[ActionId] = []
        self.pilots: list[str] = []
        self.said = 0

    async def set_up(self) -> None:
        """What a Frame State campaign needs before it is played."""
        await self.say(self.gm, "catalogue", fs.DefineCatalogue(preset="playtest1"))
        for player in self.players:
            attempt = await self.say(player, "pilot", fs.CreatePilot(name="Mara"))
            if attempt.outcome == "accepted":
                self.pilots.append(derive_id("pilot", ActionId(read_answer(attempt.result).action_id)))

    def request(self, command: Any, visibility: Visibility = "all") -> ActRequest:
        """A request that no other is like."""
        self.said += 1
        return ActRequest(command=command, note=f"no. {self.said}", visibility=visibility)

    def acting(
        self, who: AccountId | None, what: str, command: Any, visibility: Visibility = "all", **named: Any
    ) -> Command:
        """A plain action."""
        return self.simulation.acting(what, self.campaign_id, who, self.request(command, visibility), **named)

    async def say(self, who: AccountId, what: str, command: Any, **named: Any) -> Attempt:
        """Ask the first process, once."""
        return await self.simulation.ask(self.acting(who, what, command, **named), "one")


class Client:
    """Somebody at a table who does one thing after the other."""

    def __init__(
        self, table: Table, account: AccountId, chance: Random, processes: list[str], pace: float
    ) -> None:
        self.table = table
        self.account = account
        self.chance = chance
        self.processes = processes
        self.pace = pace

    async def play(self, until: float) -> None:
        """Play until the time is up."""
        loop = self.table.simulation.loop
        while loop.time() < until:
            await asyncio.sleep(self.chance.expovariate(1 / self.pace))
            await self.move()

    async def move(self) -> None:
        """One thing."""
        is_gm = self.account == self.table.gm
        moves = [*MOVES, *GMS_MOVES] if is_gm else MOVES
        what, _, move = self.chance.choices(moves, [weight for _, weight, _ in moves])[0]
        await move(self, what)

    async def insist(self, command: Command) -> Attempt:
        """Ask until it is known what became of it; now and then hang up."""
        hang_up_after = self.chance.random() / 100 if self.chance.random() < 0.04 else None
        attempt = await self.table.simulation.insist(command, self.processes, hang_up_after)
        if attempt.outcome == "accepted" and command.answers:
            self.table.done.append(ActionId(read_answer(attempt.result).action_id))
        return attempt

    def key(self) -> str | None:
        """Most clients use keys."""
        self.table.said += 1
        return f"key {self.table.said}" if self.chance.random() < 0.8 else None

    def visibility(self) -> Visibility:
        """Who may read it: mostly everybody."""
        if self.chance.random() < 0.85:
            return "all"
        shown = [f"account:{self.chance.choice(self.table.players)}"] if self.table.players else []
        return self.chance.choice(["gm", *shown] if self.account == self.table.gm else ["gm", "blind", *shown])

    async def act(self, what: str, command: Any, visibility: Visibility = "all", **named: Any) -> Attempt:
        """A plain action, with a key or without."""
        key = self.key()
        attempt = await self.insist(self.table.acting(self.account, what, command, visibility, key=key, **named))
        if attempt.outcome == "accepted" and visibility != "all":
            self.table.hidden.append(ActionId(read_answer(attempt.result).action_id))
        return attempt

    async def through(
        self, what: str, how: Callable[[Process], Coroutine[Any, Any, Any]], **named: Any
    ) -> Attempt:
        """Something with a route of its own."""
        return await self.insist(
            self.table.simulation.command(what, self.table.campaign_id, self.account, how, **named)
        )


Move = Callable[[Client, str], Awaitable[Any]]


async def note(client: Client, what: str) -> None:
    await client.act(what, c.AddNote(text=f"We saw {client.table.said} lights."), client.visibility())


async def roll(client: Client, what: str) -> None:
    await client.act(what, c.RollDice(notation="2d6+1"), client.visibility())


async def twice_at_once(client: Client, what: str) -> None:
    """One key, the same body, at the same moment, to any process."""
    table = client.table
    command = table.acting(
        client.account, what, c.RollDice(notation="1d20"), key=client.key() or f"twice {table.said}"
    )
    times = client.chance.randint(2, 4)
    await asyncio.gather(*(table.simulation.insist(command, client.processes) for _ in range(times)))


async def another_body(client: Client, what: str) -> None:
    """One key with two bodies."""
    table = client.table
    key = f"reused {table.said}"
    commands = [table.acting(client.account, what, c.AddNote(text=f"Body {n}."), key=key) for n in (1, 2)]
    attempts = await asyncio.gather(*(table.simulation.insist(each, client.processes) for each in commands))
    accepted = [each for each in attempts if each.outcome == "accepted"]
    if len(accepted) > 1:
        table.simulation.wrong.append(f"one key for two requests: {commands[0]} {commands[1]}")


async def if_match(client: Client, what: str) -> None:
    seq = client.table.simulation.floors[client.table.campaign_id]
    await client.act(what, c.AddNote(text="If nothing has happened."), if_match=seq)


async def in_a_line(client: Client, what: str) -> None:
    """Several, one after the other, to one process, without waiting for answers."""
    table = client.table
    process = client.chance.choice(client.processes)
    line = len(table.simulation.commands)
    tasks = []
    for nth in range(client.chance.randint(3, 12)):
        command = table.acting(client.account, what, c.AddNote(text=f"Line {nth}."), line=(line, nth))
        tasks.append(asyncio.ensure_future(table.simulation.ask(command, process)))
        await asyncio.sleep(0.0001)
    await asyncio.gather(*tasks)


async def look(client: Client, what: str) -> None:
    """Read the campaign: never behind what anybody was told."""
    table, floor = client.table, client.table.simulation.floors[client.table.campaign_id]

    async def see(process: Process) -> Any:
        return await process.application.campaigns.see(table.campaign_id, client.account)

    attempt = await client.through(what, see, answers=False)
    if attempt.outcome == "accepted" and attempt.result.seq < floor:
        table.simulation.wrong.append(f"a read saw {attempt.result.seq}, though {floor} was known")


async def call_test(client: Client, what: str) -> None:
    if client.table.pilots:
        dice = [TestDie(die="d6"), TestDie(die="d12")]
        pilot = client.chance.choice(client.table.pilots)
        await client.act(what, fs.CallTest(mark=4, test_type="reactive", dice=dice, pilot=pilot))


async def roll_test(client: Client, what: str) -> None:
    await client.act(what, fs.RollTest())


async def award(client: Client, what: str) -> None:
    if client.table.pilots:
        pilot = client.chance.choice(client.table.pilots)
        await client.act(what, fs.AwardCurrency(amount=50, reason="luck", pilot=pilot))


async def mission(client: Client, what: str) -> None:
    """A mission from its beginning to its payouts, which the worker posts."""
    if (await client.act(what, fs.StartMission(name="Ebb"))).outcome == "accepted":
        await client.act(what, fs.ConcludeMission(payouts=dict.fromkeys(client.table.pilots, 10)))


async def calendar(client: Client, what: str) -> None:
    await client.act(what, c.AdvanceCalendar(by=Span(hours=client.chance.choice((1, 1, 5, 24)))))


async def timer(client: Client, what: str) -> None:
    """A timer on the calendar or in real time, once or again and again."""
    on_calendar = client.chance.random() < 0.5
    after = Span(hours=client.chance.randint(1, 8)) if on_calendar else Span(seconds=client.chance.randint(1, 6))
    every, times = (
        (Span(minutes=90), client.chance.randint(1, 20)) if client.chance.random() < 0.3 else (None, None)
    )
    effect = (
        t.Post("credits", "crew", "world:market", 5, new=True) if client.chance.random() < 0.15 else t.Remind()
    )
    command = t.ScheduleTimer(
        title="Bell", effect=effect, after=after, clock="game" if on_calendar else "real", every=every, times=times
    )
    attempt = await client.act(what, command, client.visibility())
    if attempt.outcome == "accepted":
        client.table.timers.append(ActionId(read_answer(attempt.result).action_id))


async def stop_timer(client: Client, what: str) -> None:
    if client.table.timers:
        timer_id = derive_id("timer", client.chance.choice(client.table.timers))
        kind = client.chance.choice((t.CancelTimer, t.PauseTimer, t.ResumeTimer))
        await client.act(what, kind(timer_id))


async def many_timers(client: Client, what: str) -> None:
    """By the dozen, hidden, all due at about the same time."""
    table = client.table
    commands = [
        table.acting(client.account, what, t.ScheduleTimer("Bell", Span(hours=nth % 3 + 1), clock="game"), "gm")
        for nth in range(client.chance.choice((10, 30, 60)))
    ]
    await asyncio.gather(*(table.simulation.insist(each, client.processes) for each in commands))


async def undo(client: Client, what: str) -> None:
    if not client.table.done:
        return
    action_id = client.chance.choice(client.table.done[-20:])
    wish = UndoAction(action_id, reason="No.", cascade=client.chance.random() < 0.7)
    attempt = await _rewrite(client, what, wish)
    if attempt.outcome == "accepted":
        client.table.undone.append(action_id)


async def redo(client: Client, what: str) -> None:
    if client.table.undone:
        await _rewrite(client, what, RedoAction(client.chance.choice(client.table.undone), cascade=True))


async def _rewrite(client: Client, what: str, wish: Any) -> Attempt:
    table, key = client.table, client.key()

    async def how(process: Process) -> bytes:
        return await undo_or_redo(process.application, table.campaign_id, client.account, wish, key)

    return await client.through(what, how, key=key)


async def ask_for_undo(client: Client, what: str) -> None:
    """A player asks; whether it is declined is chance, too."""
    if not client.table.done:
        return
    table, action_id = client.table, client.chance.choice(client.table.done[-20:])

    async def how(process: Process) -> bytes:
        return await request_undo(process.application, table.campaign_id, client.account, action_id, None)

    if (await client.through(what, how)).outcome == "accepted" and client.chance.random() < 0.5:
        await client.act("decline", DeclineUndo(action_id))


async def another_campaign(client: Client, what: str) -> None:
    """What has been played so far begins once more elsewhere."""
    table = client.table

    async def how(process: Process) -> Any:
        seen = await process.application.campaigns.see(table.campaign_id, client.account)
        return await fork(process.application.for_transfer, seen, "Iron Hail")

    attempt = await client.through(what, how, answers=False)
    if attempt.outcome == "accepted":
        forked = Table(table.simulation, attempt.result.campaign_id, client.account, [])
        for _ in range(3):
            elsewhere = Client(forked, client.account, client.chance, client.processes, client.pace)
            await elsewhere.act("note", c.AddNote(text="Here we are."))


async def reveal(client: Client, what: str) -> None:
    if client.table.hidden:
        await client.act(what, c.RevealAction(client.chance.choice(client.table.hidden)))


async def erase(client: Client, what: str) -> None:
    if client.table.done:
        action_id = client.chance.choice(client.table.done)

        async def how(process: Process) -> Any:
            return await erase_action(
                process.application.for_accounts, client.table.campaign_id, client.account, action_id
            )

        await client.through(what, how, answers=False)


async def new_dice(client: Client, what: str) -> None:
    await client.act(what, c.EndDiceEpoch())


async def remove_and_rejoin(client: Client, what: str) -> None:
    """A player goes, and comes back after a moment."""
    table = client.table
    if table.players:
        player = client.chance.choice(table.players)
        await client.act(what, c.RemoveMember(player))
        await asyncio.sleep(client.chance.random())
        await client.insist(
            table.acting(
                player, "rejoin", c.JoinCampaign("player", "invite-2", made_for_them=True), key=client.key()
            )
        )


async def archive_for_a_while(client: Client, what: str) -> None:
    await client.act(what, ArchiveCampaign())
    await asyncio.sleep(client.chance.random() * 2)
    for _ in range(50):
        if (await client.act("unarchive", UnarchiveCampaign())).outcome in TOLD:
            return
        await asyncio.sleep(0.2)


async def delete_for_a_while(client: Client, what: str) -> None:
    table = client.table

    async def delete(process: Process) -> Any:
        return await delete_campaign(
            process.application.for_campaigns, table.campaign_id, client.account, "Iron Rain"
        )

    async def restore(process: Process) -> Any:
        return await restore_campaign(process.application.for_campaigns, table.campaign_id, client.account)

    await client.through(what, delete, answers=False)
    await asyncio.sleep(client.chance.random() * 2)
    for _ in range(50):
        restored = await client.through("restore", restore, answers=False)
        if restored.outcome == "accepted" and restored.result.state.archived_until_restored:
            await client.act("unarchive", UnarchiveCampaign())  # it died in between: a GM takes it up again
        elif restored.outcome in TOLD:
            return
        await asyncio.sleep(0.3)


MOVES: list[tuple[str, int, Move]] = [
    ("note", 24, note),
    ("roll", 16, roll),
    ("twice", 5, twice_at_once),
    ("reuse", 2, another_body),
    ("if-match", 4, if_match),
    ("line", 4, in_a_line),
    ("look", 6, look),
    ("roll test", 5, roll_test),
    ("timer", 5, timer),
    ("undo", 3, undo),
    ("ask for undo", 2, ask_for_undo),
]

GMS_MOVES: list[tuple[str, int, Move]] = [
    ("call test", 6, call_test),
    ("award", 4, award),
    ("mission", 3, mission),
    ("calendar", 6, calendar),
    ("timer", 5, timer),
    ("stop timer", 3, stop_timer),
    ("many timers", 1, many_timers),
    ("undo", 4, undo),
    ("redo", 3, redo),
    ("reveal", 4, reveal),
    ("erase", 3, erase),
    ("new dice", 1, new_dice),
    ("remove", 2, remove_and_rejoin),
    ("archive", 1, archive_for_a_while),
    ("delete", 1, delete_for_a_while),
    ("fork", 1, another_campaign),
]
