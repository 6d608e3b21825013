"""One simulation: processes on a shared database, and clients that ask them for things."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import Context
from functools import partial
from random import Random
from typing import Any, Literal

from msgspec import Struct

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import CreateCampaign, JoinCampaign
from domain.campaign.storage.snapshot import FORM
from domain.event_store_types import NEVER, DatabaseUnavailable, Head, Timer
from domain.ids import AccountId, CampaignId, SystemId
from domain.rejection import Rejection
from services.commands.command_queue import HOLD_SECONDS
from services.errors import RateLimitExceeded
from tests.simulation.commands import COMMAND, Attempt, Command, id_made, read_answer
from tests.simulation.loop import Order, SimulatedLoop
from tests.simulation.process import Process, Shelf, Surroundings
from tests.simulation.store import Database, Fault, Way
from tests.simulation.trace import Trace

ANSWER_SECONDS_MAX = 10.0
"""Every request is answered so soon, the time not counted in which something is wrong."""

SETTLE_SECONDS_MAX = 180.0
"""So long after the last fault everything is done: a follower that failed tries again within a minute."""

SOON_MICROSECONDS = 1_500_000
"""What is due may sleep so long: until a moment that a process said whose clock was ahead."""

Name = Literal["one", "other", "worker"]


class Died(Exception):  # noqa: N818 — a state of the simulation
    """The process ended while a client waited for its answer."""


class Conditions(Struct, frozen=True):
    """What a simulation is like, besides what its clients do."""

    order: Order = "as asyncio"
    memory_bytes: int = 10_000_000
    slowness: float = 1.0
    rings_heard: float = 0.9
    shared_shelf: bool = True
    hold_seconds: float = HOLD_SECONDS


class Simulation:
    """Two API processes and a worker; `faults` may be added to at any time before they begin."""

    def __init__(self, loop: SimulatedLoop, chance: Random, conditions: Conditions) -> None:
        self.loop = loop
        self.chance = chance
        self.conditions = conditions
        self.trace = Trace(loop.time)
        self.database = Database(loop)
        self.faults: list[Fault] = []
        self.commands: list[Command] = []
        self.wrong: list[str] = []
        self.was_set_back = False
        """Whether the database lost something that it had confirmed."""
        self.floors: Counter[CampaignId] = Counter()
        self.skews: dict[str, list[int]] = {name: [0] for name in ("one", "other", "worker")}
        self.deaths: list[tuple[str, float]] = []
        self._replies: dict[str, list[asyncio.Future[Any]]] = defaultdict(list)
        self._dead: list[Process] = []
        self._around: dict[str, Surroundings] = {}
        self.ways: dict[str, Way] = {}
        self.processes: dict[str, Process] = {}
        shelf = Shelf(self._head_kept)
        for name in self.skews:
            way = Way(name, loop, chance, self.trace, self.faults)
            self.ways[name] = way
            self._around[name] = Surroundings(
                name=name,
                loop=loop,
                database=self.database,
                way=way,
                chance=chance,
                shelf=shelf if conditions.shared_shelf else Shelf(self._head_kept),
                memory_bytes=conditions.memory_bytes,
                hold_seconds=conditions.hold_seconds,
                skew=self.skews[name],
                id_told=id_made,
                news=partial(self._ring, name),
                holds=partial(self._hold, name),
            )
            self.start(name)

    def start(self, name: str) -> None:
        """Start a process, for the first time or after its death."""
        self.processes[name] = process = Process(self._around[name])
        if name == "worker":
            process.work()

    def kill(self, name: str) -> None:
        """End a process at once: who waits for an answer of it hears that the connection is gone."""
        self.trace(f"{name} dies")
        self.trace.counts["process deaths"] += 1
        self._dead.append(self.processes[name])
        self.deaths.append((name, self.loop.time()))
        self.processes[name].kill()
        for reply in self._replies.pop(name, []):
            if not reply.done():
                reply.set_exception(Died())

    def new_id(self) -> Any:
        """An id of a client's own."""
        return self.processes["one"].application.entropy.new_id()

    async def new_account(self, name: str) -> AccountId:
        """Somebody who has signed up."""
        account = AccountId(self.new_id())
        await self.database.accounts.create(account, name, name.casefold(), "no password")
        return account

    async def new_campaign(self, gm: AccountId, *members: AccountId, process: Name = "one") -> CampaignId:
        """A campaign with its GM and players."""
        campaign_id = CampaignId(self.new_id())
        found = ActRequest(command=CreateCampaign("Iron Rain", [SystemId("frame_state")]))
        await self.ask(self.acting("create", campaign_id, gm, found), process)
        for member in members:
            join = ActRequest(command=JoinCampaign("player", "invite-1"))
            await self.ask(self.acting("join", campaign_id, member, join), process)
        return campaign_id

    def acting(
        self,
        what: str,
        campaign_id: CampaignId,
        account: AccountId | None,
        request: ActRequest,
        *,
        key: str | None = None,
        if_match: int | None = None,
        **besides: Any,
    ) -> Command:
        """A command that is a plain action."""

        def how(process: Process) -> Coroutine[Any, Any, bytes]:
            return process.act(campaign_id, account, request, key=key, if_match=if_match)

        return self.command(what, campaign_id, account, how, key=key, if_match=if_match, **besides)

    def command(
        self,
        what: str,
        campaign_id: CampaignId,
        account: AccountId | None,
        how: Callable[[Any], Coroutine[Any, Any, Any]],
        **besides: Any,
    ) -> Command:
        """Something that a client is going to ask for."""
        command = Command(len(self.commands), what, campaign_id, account, how, **besides)
        self.commands.append(command)
        return command

    async def ask(self, command: Command, process: str, hang_up_after: float | None = None) -> Attempt:
        """Ask once and wait for what becomes of it, or hang up."""
        attempt = Attempt(process, self.loop.time(), self.floors[command.campaign_id])
        command.attempts.append(attempt)
        reply: asyncio.Future[Any] = self.loop.create_future()
        if self.processes[process].life.is_dead:
            reply.set_exception(Died())
        context = self.processes[process].context.copy()
        context.run(COMMAND.set, command)
        task = self.loop.create_task(_answer(command.how, self.processes[process], reply), context=context)
        waiting = self._replies[process]
        waiting.append(reply)
        try:
            if hang_up_after is not None:
                async with asyncio.timeout(hang_up_after):
                    self._heard(command, attempt, await reply)
            else:
                self._heard(command, attempt, await reply)
        except TimeoutError:
            task.cancel()
            attempt.outcome = "hung up"
        except DatabaseUnavailable:
            attempt.outcome = "away"
        except (Rejection, RateLimitExceeded) as refusal:
            attempt.outcome, attempt.code, attempt.result = "refused", refusal.code, refusal
        except Died:
            attempt.outcome = "died"
        except Exception as failure:  # noqa: BLE001 — no such thing may happen, and it is told so
            attempt.outcome, attempt.result = "failed", failure
        if reply in waiting:
            waiting.remove(reply)
        attempt.answered_at = self.loop.time()
        self.trace(f"#{command.number} {command.what} {process} {attempt.outcome} {attempt.code}")
        self.trace.counts[f"answer: {attempt.outcome}"] += 1
        if attempt.code in ("campaign_busy", "log_behind_checkpoint", "campaign_queue_full"):
            self.trace.counts[f"code: {attempt.code}"] += 1
        return attempt

    async def insist(self, command: Command, processes: list[str], hang_up_after: float | None = None) -> Attempt:
        """Ask, and where the client does not know what became of it and has a key, ask again."""
        while True:
            attempt = await self.ask(command, self.chance.choice(processes), hang_up_after)
            if command.is_settled or command.key is None or attempt.outcome == "failed":
                return attempt
            hang_up_after = None
            await asyncio.sleep(0.05 + self.chance.random() / 4)

    def _heard(self, command: Command, attempt: Attempt, result: Any) -> None:
        attempt.outcome, attempt.result = "accepted", result
        if isinstance(result, bytes):
            self.floors[command.campaign_id] = max(self.floors[command.campaign_id], read_answer(result).seq)

    def _ring(self, who: str, campaign_id: CampaignId, told: bytes) -> None:
        """A doorbell for the worker, and news for the other processes, which may get lost."""
        if self.chance.random() < self.conditions.rings_heard:
            self.loop.call_later(0.002, self._rings, who, campaign_id, told, context=Context())

    def _hold(self, who: str, campaign_id: CampaignId, *, begins: bool) -> None:
        """News of a hold for the other processes, which may get lost."""
        if self.chance.random() < self.conditions.rings_heard:
            holds = partial(self._holds, who, campaign_id, begins=begins)
            self.loop.call_later(0.002, holds, context=Context())

    def _holds(self, who: str, campaign_id: CampaignId, *, begins: bool) -> None:
        for name, process in self.processes.items():
            if name != who:
                process.context.run(partial(process.news.tell_of_hold, campaign_id, begins=begins))

    def _rings(self, who: str, campaign_id: CampaignId, told: bytes) -> None:
        self.processes["worker"].ring()
        for name, process in self.processes.items():
            if name != who:
                process.context.run(process.news.tell, campaign_id, told)

    def _head_kept(self, campaign_id: CampaignId, head: Head) -> None:
        """What is kept outside the database must be true of it at that moment."""
        rows = self.database.log._events.get(campaign_id, [])
        if not self.was_set_back and (head.seq > len(rows) or rows[head.seq - 1].hash != head.hash):
            self.wrong.append(f"a head was kept that the log does not have: {campaign_id} {head.seq}")

    # --- the end ----------------------------------------------------------------------------------------------

    async def settle(self) -> None:
        """Wait until nothing is due any more and stored views have followed."""
        until = self.loop.time() + SETTLE_SECONDS_MAX
        while not await self._is_settled():
            if self.loop.time() > until:
                backlog, progress = await self.database.timers.backlog(), await self.database.views.progress(FORM)
                self.wrong.append(f"after {SETTLE_SECONDS_MAX} s: {backlog.due} timers due, {progress}")
                return
            await asyncio.sleep(0.5)

    async def _is_settled(self) -> bool:
        progress = await self.database.views.progress(FORM)
        now = self.database.clock()
        due = [
            kept
            for campaign_id, timers in self.database.log.timers.items()
            for kept in timers.values()
            if campaign_id not in self.database.log.deleted
            and kept.parked_at is None
            and (kept.timer.wake_at <= now + SOON_MICROSECONDS or kept.attempts or _is_claimed(kept.timer, now))
        ]
        late = [task for way in self.ways.values() for task in way.late if not task.done()]
        return not due and not late and not progress.campaigns_behind

    async def close(self) -> None:
        """Stop every process gracefully; each must end, and leave nothing behind."""
        alive = [process for process in self.processes.values() if not process.life.is_dead]
        for process in alive:
            closing = self.loop.create_task(process.close(), context=process.context)
            done, _ = await asyncio.wait({closing}, timeout=60.0)
            if not done:
                self.wrong.append(f"{process.name} does not stop")
                continue
            await closing
        await asyncio.sleep(0)
        await asyncio.sleep(0.1)
        for process in alive:
            if left := process.life.pending():
                self.wrong.append(f"{process.name} leaves tasks behind: {[str(each.get_coro()) for each in left]}")

    def bury(self) -> None:
        """Let go of what the dead have left: what tidies up in them does so now, when it harms nothing."""
        for process in self._dead:
            process.life.bury()


def _is_claimed(timer: Timer, now: int) -> bool:
    """Whether its moment has come although it sleeps: a worker has claimed it."""
    return timer.clock == "real" and timer.due <= now and timer.wake_at < NEVER


async def _answer(how: Callable[[Process], Awaitable[Any]], process: Process, reply: asyncio.Future[Any]) -> None:
    """Handle one request, as a server does: whatever comes of it goes to the client, if it is still there."""
    try:
        result = await how(process)
    except Exception as failure:  # noqa: BLE001 — the client hears of it
        if not reply.done():
            reply.set_exception(failure)
    else:
        if not reply.done():
            reply.set_result(result)
