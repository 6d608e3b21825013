"""Takes commands from many members at once, and answers each of them.

Commands wait in a queue per campaign until it is loaded; then `GroupCommit` decides and commits them. No answer is
sent, not even a refusal, before the event store has confirmed the head that it was decided on.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from math import inf
from time import monotonic
from typing import Any

from domain.campaign.commands import CreateCampaign, ProveHiddenRoll, RevealHiddenDice
from domain.campaign.due_commands import DueKey
from domain.event_store_types import DatabaseBusy, DatabaseUnavailable
from domain.ids import AccountId, CampaignId
from services.campaign.campaign_loader import CampaignLoader
from services.campaign.loaded_campaign import CampaignCache, LoadedCampaign
from services.campaign.name_resolver import NameResolver
from services.campaign.rollback_detector import RollbackDetector
from services.campaign.seed_store import SeedStore
from services.campaign.tail_news import TailNews
from services.commands.batch_decider import BatchDecider
from services.commands.campaign_follower import CampaignFollower
from services.commands.command_queue import HOLD_SECONDS, CampaignQueue
from services.commands.database_clock import DatabaseClock
from services.commands.group_commit import GroupCommit, fail_all, service_command
from services.commands.pending_command import ANSWER_SECONDS_MAX, Hold, PendingCommand
from services.commands.run_due import RunDue
from services.errors import campaign_busy
from services.ports.campaign_news import Notifier
from services.ports.clock_and_randomness import Clock, DiceSource, Entropy
from services.ports.crypto import NewsCipher
from services.ports.event_store import EventStore
from services.ports.projection_store import ProjectionStore
from services.ports.timer_store import TimerStore

LOOK_SECONDS = 0.5
"""How often the queues are checked for commands past their deadline."""

LOADS_MAX = 16
"""Campaigns that are loaded at once: hundreds would wait for each other's reads, and all be late."""

STUCK_SECONDS = ANSWER_SECONDS_MAX / 2
"""A command of a loaded campaign that has waited so many seconds shows that no group is being sent."""


Act = Callable[[PendingCommand], Coroutine[Any, Any, bytes]]
"""Decides and commits a command, as `CommandHandler.act` does."""


class CommandHandler:
    """Decides and commits commands.

    `now` is a monotonic clock in seconds, `jitter` draws from [0, 1), a queue is held for `hold_seconds` at most.
    """

    def __init__(
        self,
        log: EventStore,
        views: ProjectionStore,
        timers: TimerStore,
        cache: CampaignCache,
        names: NameResolver,
        clock: Clock,
        dice: DiceSource,
        entropy: Entropy,
        seeds: SeedStore,
        detector: RollbackDetector,
        notifier: Notifier,
        news_cipher: NewsCipher,
        news: Callable[[CampaignId, bytes], None],
        now: Callable[[], float] = monotonic,
        jitter: Callable[[], float] = random.random,
        hold_seconds: float = HOLD_SECONDS,
    ) -> None:
        tail_news = TailNews(news_cipher)
        self.loader = CampaignLoader(log, views, timers, seeds, detector, tail_news)
        """Loads campaigns as this handler does."""
        self._cache = cache
        self._names = names
        self._seeds = seeds
        self._now = now
        self._hold_seconds = hold_seconds
        self._queues: dict[CampaignId, CampaignQueue] = {}
        self._notifier = notifier
        self._holds_elsewhere: dict[CampaignId, asyncio.Event] = {}
        notifier.on_hold(self._hear_of_hold)
        self._follower = CampaignFollower(notifier, cache, self._catch_up_idle)
        database_clock = DatabaseClock(clock, log)
        self._groups = GroupCommit(
            log=log,
            timers=timers,
            cache=cache,
            loader=self.loader,
            decider=BatchDecider(database_clock, dice, entropy, names, now),
            clock=database_clock,
            entropy=entropy,
            seeds=seeds,
            detector=detector,
            tail_news=tail_news,
            news=news,
            release=self._make_ready,
            moved_elsewhere=self._follower.follow,
            now=now,
            jitter=jitter,
        )
        self._next_look: asyncio.TimerHandle | None = None
        self._loads = asyncio.Semaphore(LOADS_MAX)
        cache.is_pinned = self._queues.__contains__

    async def act(self, command: PendingCommand) -> bytes:
        """Decide and commit a command; returns its answer as JSON.

        Raises `Rejection` (nothing was appended), `RateLimitExceeded` (`campaign_queue_full`) and
        `DatabaseUnavailable` (it may be committed or not; repeating it with the same key is safe).
        """
        if isinstance(command.request.command, (RevealHiddenDice, ProveHiddenRoll)):
            command.dice_seeds = await self._seeds.seeds_of(command.campaign_id, command.request.command.epoch)
        self._enqueue(command, first=False)
        return await command.answered

    @asynccontextmanager
    async def hold(self, campaign_id: CampaignId, account: AccountId | None) -> AsyncIterator[Act]:
        """Hold the campaign's queue, so that a command can be prepared on what the campaign is now.

        Commands that come meanwhile wait until the holder leaves, or gives its own, which goes before them, to
        what is yielded, or until the time of a hold is up. A hold waits for its turn like a command of the
        account. Between two holds all commands are decided that waited during the first. Other processes hold
        their queues as soon as they hear of it, which may be too late for this hold, and in time for one that
        follows. Raises as `act` does.
        """
        async with self._hold_queue(campaign_id, account) as act:
            self._notifier.hold(campaign_id)

            async def act_last(command: PendingCommand) -> bytes:
                answer = await act(command)
                self._notifier.release(campaign_id)
                return answer

            yield act_last

    async def run_due(self, campaign_id: CampaignId, real_time: int, keys: list[DueKey]) -> int:
        """Run the commands that are due at a moment of real time (microseconds UTC); returns how many ran.

        `keys` are timers that a worker has claimed; they are tried even if they failed before, and timers that
        the campaign does not owe are removed from the database. Raises `Rejection` and `DatabaseUnavailable`.
        """
        command = service_command(campaign_id, RunDue(real_time, keys))
        self._enqueue(command, first=True)
        return int(await command.answered)

    @asynccontextmanager
    async def _hold_queue(self, campaign_id: CampaignId, account: AccountId | None) -> AsyncIterator[Act]:
        """Hold the campaign's queue in this process."""
        hold = service_command(campaign_id, Hold(), account)
        self._enqueue(hold, first=False)

        async def act(command: PendingCommand) -> bytes:
            self._enqueue(command, first=self._is_held_by(hold))
            self._end_hold(hold)
            return await command.answered

        try:
            await hold.answered
            yield act
        finally:
            self._end_hold(hold)

    def _hear_of_hold(self, campaign_id: CampaignId, *, begins: bool) -> None:
        """Hold a campaign's queue for another process, or go on."""
        over = self._holds_elsewhere.get(campaign_id)
        if not begins:
            if over is not None:
                over.set()
        elif over is None and (campaign_id in self._queues or self._cache.peek(campaign_id) is not None):
            over = self._holds_elsewhere[campaign_id] = asyncio.Event()
            self._groups.start(self._hold_for_another(campaign_id, over))

    async def _hold_for_another(self, campaign_id: CampaignId, over: asyncio.Event) -> None:
        try:
            async with self._hold_queue(campaign_id, None), asyncio.timeout(self._hold_seconds):
                await over.wait()
        except Exception:  # noqa: BLE001, S110 — no client waits for this
            pass
        finally:
            del self._holds_elsewhere[campaign_id]

    def failure(self) -> str | None:
        """Why commands are not served at the moment, as a stable code; None: they are."""
        if self._groups.has_failed:
            return "commits_fail"
        # One campaign that takes long to load or recover is no reason to report the others.
        served = (queue.deadline for queue in self._queues.values() if queue.status == "ready")
        if min(served, default=inf) - ANSWER_SECONDS_MAX <= self._now() - STUCK_SECONDS:
            return "commands_wait"
        return None

    async def close(self) -> None:
        """Finish the current work; nothing is held any more."""
        self._hold_seconds = 0.0
        self._follower.close()  # so that no news begin anything
        while self._queues or self._groups.tasks:
            for queue in [*self._queues.values()]:
                if queue.holder is not None:
                    self._end_hold(queue.holder)
            for over in self._holds_elsewhere.values():
                over.set()
            await asyncio.gather(*self._groups.tasks, return_exceptions=True)
            await asyncio.sleep(0)
        self._groups.close()
        self._follower.close()
        if self._next_look is not None:
            self._next_look.cancel()

    def _enqueue(self, command: PendingCommand, *, first: bool) -> None:
        command.deadline = self._now() + ANSWER_SECONDS_MAX
        queue = self._queues.get(command.campaign_id)
        is_new = queue is None
        if queue is None:
            queue = self._queues[command.campaign_id] = CampaignQueue(command.campaign_id)
        if first:
            queue.put_first([command])
        else:
            queue.add(command)
        if is_new:
            self._begin(queue)
        elif queue.status == "ready":
            self._groups.more_wait()
        self._look_later()

    def _begin(self, queue: CampaignQueue) -> None:
        """Make a queue ready; where other processes serve the campaign too, fold first what they appended."""
        loaded = self._cache.get(queue.campaign_id)
        if loaded is not None and loaded.is_shared and (loaded.unfolded_tails or not loaded.is_current):
            self._groups.start(self._groups.catch_up(queue, loaded))
        else:
            self._make_ready(queue, loaded)

    def _make_ready(self, queue: CampaignQueue, loaded: LoadedCampaign | None = None) -> None:
        """Make a queue ready once its campaign, `loaded` if it was found, and the names in it are in memory.

        Removes an empty queue.
        """
        queue.drop_left()
        if not queue.waiting:
            del self._queues[queue.campaign_id]
            return
        loaded = loaded or self._cache.get(queue.campaign_id)
        # A retried command may be committed already: another process may have received it with the same key.
        if loaded is None and not queue.retried and isinstance(queue.waiting[0].request.command, CreateCampaign):
            loaded = LoadedCampaign.new()
            self._cache.keep(queue.campaign_id, loaded)
        if loaded is None or not self._has_names(loaded):
            queue.status = "loading"
            self._groups.start(self._load(queue, loaded))
            return
        queue.loaded = loaded
        self._serve(queue)

    def _serve(self, queue: CampaignQueue) -> None:
        """Have a loaded queue decided, or give it to the holder whose turn it is."""
        if not queue.waiting[0].is_hold:
            self._groups.serve(queue)
            return
        queue.status, queue.holder = "held", queue.take()
        queue.holder.tell(b"")
        asyncio.get_running_loop().call_later(self._hold_seconds, self._end_hold, queue.holder)

    def _is_held_by(self, hold: PendingCommand) -> bool:
        queue = self._queues.get(hold.campaign_id)
        return queue is not None and queue.holder is hold

    def _end_hold(self, hold: PendingCommand) -> None:
        """Go on with what waits, if the queue is still held by this."""
        queue = self._queues.get(hold.campaign_id)
        if queue is not None and queue.holder is hold:
            queue.holder = None
            queue.defer_holds()
            self._begin(queue)

    def _catch_up_idle(self, campaign_id: CampaignId, loaded: LoadedCampaign) -> None:
        """Fold the rows of other processes while no command waits in this one; else it is done before commands.

        A busy process folds several appends of others at once, which costs less than one after the other.
        """
        if not self._queues:
            queue = self._queues[campaign_id] = CampaignQueue(campaign_id)
            self._groups.start(self._groups.catch_up(queue, loaded))

    def _has_names(self, loaded: LoadedCampaign) -> bool:
        """Whether all names of the campaign are in memory; checked only when that may have changed."""
        generation = self._names.generation
        if loaded.named_in != generation or generation < 0:
            if not self._names.are_known_in(loaded.state):
                return False
            loaded.named_in = generation
        return True

    async def _load(self, queue: CampaignQueue, loaded: LoadedCampaign | None) -> None:
        """Load the campaign, or only missing names."""
        try:
            async with self._loads:
                if loaded is None:
                    loaded = await self.loader.load(queue.campaign_id)
                    self._cache.keep(queue.campaign_id, loaded)
                await self._names.fetch_all_in(loaded.state)
        except Exception as failure:  # noqa: BLE001 — those who wait must hear of it, whatever it is
            fail_all(queue.take_all(), failure)
            self._make_ready(queue)
            return
        queue.drop_left()
        if queue.waiting and self._cache.holds(queue.campaign_id, loaded):
            queue.loaded = loaded
            self._serve(queue)
        else:
            self._make_ready(queue)  # all callers have left meanwhile, or the campaign was deleted

    def _look_later(self) -> None:
        if self._next_look is None:
            self._next_look = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look)

    def _look(self) -> None:
        """Fail the commands whose deadline has passed, wherever they are."""
        self._next_look = None
        now = self._now()
        for queue in self._queues.values():
            late = queue.drop_late(now)
            if queue.status == "ready":
                self._groups.ready.commands -= len(late)
            for command in late:
                command.fail(campaign_busy() if queue.conflicts else _lateness(queue))
            if queue.batch is not None:  # a command in flight may still be committed
                in_flight = [command for command in queue.batch.commands if command.deadline <= now]
                fail_all(in_flight, DatabaseUnavailable("This took too long."))
        if self._queues:
            self._look_later()


def _lateness(queue: CampaignQueue) -> DatabaseUnavailable:
    """Why a command waited in vain: a queue that is ready waits for its turn, others for the database."""
    told = "This took too long."
    return DatabaseBusy(told) if queue.status == "ready" else DatabaseUnavailable(told)
