"""Commits commands of many campaigns in groups: a group is decided, sealed, appended and published.

While PostgreSQL commits one group, another is decided; a third goes only when two are slow. A campaign is in one
group at a time.
"""

import asyncio
import random
from collections.abc import Callable, Coroutine
from time import monotonic
from typing import Any

import structlog
from prometheus_client import Counter

from domain.campaign.command_request import ActRequest
from domain.campaign.due_commands import DueKey
from domain.event_store_types import AppendResult, DatabaseUnavailable, EventBatch, PartlyAppended
from domain.ids import AccountId, ActionId, CampaignId
from services.campaign.campaign_loader import CampaignLoader
from services.campaign.loaded_campaign import CampaignCache, LoadedCampaign
from services.campaign.rollback_detector import RollbackDetector
from services.campaign.seed_store import SeedStore
from services.campaign.tail_news import TailNews
from services.commands.append_batch import AppendBatch
from services.commands.batch_decider import BatchDecider
from services.commands.command_queue import GROUP_WORTH, CampaignQueue, ReadyList
from services.commands.database_clock import DatabaseClock
from services.commands.pending_command import ANSWER_SECONDS_MAX, Hold, PendingCommand
from services.commands.reply_sender import tell_accepted, tell_known, tell_unwritten
from services.commands.run_due import CALENDAR_ONLY, Failure, RunDue
from services.errors import campaign_not_found
from services.ports.clock_and_randomness import Entropy
from services.ports.event_store import EventStore
from services.ports.timer_store import TimerStore

WRITERS = 3
"""Groups that may be in flight: two for speed, and one for campaigns that would wait for two slow ones."""

GROUP_MAX = 256
"""Commands in one group, at most."""

GROUP_SECONDS = 0.05
"""After so many seconds of deciding, a group is sent as it is."""

PATIENCE_SECONDS = (0.0, 0.004, 0.05)
"""How long a group below GROUP_WORTH waits for more, with none, one and two groups in flight."""

CONFLICT_SECONDS = 0.005
CONFLICT_SECONDS_MAX = 0.1
"""The longest pause after the first conflict in a row, and after any; each conflict doubles it."""

REASON_MAX = 500
"""Length limit of the stored reason why a timer failed."""

Group = list[tuple[CampaignQueue, AppendBatch, EventBatch | None]]
"""The batches of one transaction; one without an event batch does not need the event store."""

STALE_APPENDS = Counter("fieldlog_stale_appends", "Appends refused because another process had appended first")

log_line = structlog.get_logger("fieldlog.commands")
timer_log = structlog.get_logger("fieldlog.timers")


class GroupCommit:
    """Serves ready queues, and gives each to `release` when its batch is finished.

    `news` hears of what was appended, and what to tell the processes that append there, too; `moved_elsewhere` of
    campaigns to which another process appended. `now` is a monotonic clock in seconds, `jitter` draws from [0, 1).
    """

    def __init__(
        self,
        log: EventStore,
        timers: TimerStore,
        cache: CampaignCache,
        loader: CampaignLoader,
        decider: BatchDecider,
        clock: DatabaseClock,
        entropy: Entropy,
        seeds: SeedStore,
        detector: RollbackDetector,
        tail_news: TailNews,
        news: Callable[[CampaignId, bytes], None],
        release: Callable[[CampaignQueue], None],
        moved_elsewhere: Callable[[CampaignId], None],
        now: Callable[[], float] = monotonic,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.ready = ReadyList()
        """The queues that wait to be served."""
        self.tasks: set[asyncio.Task[None]] = set()
        """The running tasks."""
        self.has_failed = False
        """The last group could not be committed because of a defect."""
        self._log = log
        self._timers = timers
        self._cache = cache
        self._loader = loader
        self._decider = decider
        self._clock = clock
        self._entropy = entropy
        self._seeds = seeds
        self._detector = detector
        self._tail_news = tail_news
        self._news = news
        self._release = release
        self._moved_elsewhere = moved_elsewhere
        self._now = now
        self._jitter = jitter
        self._ready_since = 0.0
        self._in_flight = 0
        self._is_setting_clock = False
        self._next_group: asyncio.Handle | None = None
        self._patience: asyncio.TimerHandle | None = None

    def serve(self, queue: CampaignQueue) -> None:
        """Add a queue whose campaign is loaded."""
        if not self.ready.queues:
            self._ready_since = self._now()
        self.ready.add(queue)
        self._send_soon()

    def more_wait(self) -> None:
        """Note that a ready queue has one more command."""
        self.ready.commands += 1
        self._send_soon()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a background task; it must not raise."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def close(self) -> None:
        """Cancel the scheduled next group. Call it when no group is in flight."""
        for handle in (self._next_group, self._patience):
            if handle is not None:
                handle.cancel()

    def _send_soon(self) -> None:
        """Decide the next group after the callbacks of this turn of the event loop."""
        if self._next_group is None:
            self._next_group = asyncio.get_running_loop().call_soon(self._send_group)

    def _send_group(self) -> None:
        """Decide a group and send it, if one may go now; else look again when one may."""
        self._next_group = None
        if not self.ready.queues or self._in_flight >= WRITERS:
            return
        if not self._clock.is_set:
            if not self._is_setting_clock:
                self._is_setting_clock = True
                self.start(self._set_clock())
            return
        if self._in_flight > 1 or (self._in_flight and self.ready.commands < GROUP_WORTH):
            wait = self._ready_since + PATIENCE_SECONDS[self._in_flight] - self._now()
            if wait > 0:
                if self._patience is None:
                    self._patience = asyncio.get_running_loop().call_later(wait, self._lose_patience)
                return
        group = self._decide_group()
        if group:
            self._in_flight += 1
            self.start(self._commit(group))
        if self.ready.queues:
            self._ready_since = self._now()
            self._send_soon()

    def _lose_patience(self) -> None:
        self._patience = None
        self._send_soon()

    async def _set_clock(self) -> None:
        try:
            await self._clock.synchronise()
        except Exception as failure:  # noqa: BLE001 — any failure at all must reach those who wait
            for queue in self.ready.take_all():
                fail_all(queue.take_all(), failure)
                self._release(queue)
        finally:
            self._is_setting_clock = False
        self._send_soon()

    def _decide_group(self) -> Group:
        """Decide the commands of one campaign after the other, until the group is full or its time is up.

        When no group is in flight, it takes half of what would make two, so that one is decided while the other is
        committed.
        """
        waiting = self.ready.commands
        room = waiting // 2 if waiting >= 2 * GROUP_WORTH and not self._in_flight else GROUP_MAX
        until = self._now() + GROUP_SECONDS
        group: Group = []
        while self.ready.queues and room > 0 and (not group or self._now() < until):
            queue = self.ready.queues[0]
            is_history = bool(queue.waiting) and queue.waiting[0].history is not None
            if is_history and group:
                break  # undo, redo, reveal and erasure take long: no other campaign should wait for them
            self.ready.take()
            if not queue.waiting or queue.waiting[0].is_hold:
                self._release(queue)
                continue
            queue.status = "in_flight"
            try:
                batch = self._decider.decide(queue, until)
                event_batch = (
                    batch.seal(self._entropy.salts, self._seeds.encrypted) if batch.asks_the_log else None
                )
            except Exception as defect:
                log_line.exception("command_defect", campaign=str(queue.campaign_id))
                self._drop(queue, defect)
                continue
            group.append((queue, batch, event_batch))
            room -= len(batch.commands)
            if is_history:
                break
        return group

    # --- committing ---------------------------------------------------------------------------------------

    async def _commit(self, group: Group) -> None:
        """Append a group in one transaction and publish the result.

        Every command is answered, even after a failure.
        """
        failure: Exception = DatabaseUnavailable("The command was interrupted.")
        try:
            batches = [event_batch for _, _, event_batch in group if event_batch is not None]
            verdicts = await self._append(batches)
            assert len(verdicts) == len(batches), "the event store says of each batch what became of it"
            outcomes = iter(verdicts)
            has_failed = False
            for queue, batch, event_batch in group:
                try:
                    self._publish(
                        queue, batch, next(outcomes) if event_batch is not None else AppendResult("committed")
                    )
                except Exception as defect:
                    log_line.exception("publish_defect", campaign=str(queue.campaign_id))
                    self._drop(queue, defect)
                    has_failed = True
            self.has_failed = has_failed
        except Exception as defect:
            log_line.exception("commit_defect")
            failure, self.has_failed = defect, True
        finally:
            for queue, batch, _ in group:
                if queue.batch is batch:
                    self._drop(queue, failure)
            self._in_flight -= 1
            self._send_soon()

    async def _append(self, batches: list[EventBatch]) -> list[AppendResult | Exception]:
        """Append all batches at once. If one cannot be stored, those that failed with it are tried one by one."""
        if not batches:
            return []
        outcomes: list[AppendResult | Exception]
        try:
            outcomes = [*await self._log.append(batches)]
        except PartlyAppended as partly:
            outcomes = partly.outcomes
        except Exception as failure:  # noqa: BLE001 — those who wait must hear of it, whatever it is
            outcomes = [failure] * len(batches)
        if len(batches) > 1:
            for nth, outcome in enumerate(outcomes):
                if isinstance(outcome, Exception) and not isinstance(outcome, DatabaseUnavailable):
                    [outcomes[nth]] = await self._append([batches[nth]])
        return outcomes

    def _publish(self, queue: CampaignQueue, batch: AppendBatch, outcome: AppendResult | Exception) -> None:
        """Handle the append result of a batch."""
        if isinstance(outcome, Exception):
            self._drop(queue, outcome)
        elif outcome.status == "committed":
            self._committed(queue, batch)
        elif outcome.status == "gone":
            self._drop(queue, campaign_not_found())
        else:
            self._decide_again(queue, batch, outcome)

    def _committed(self, queue: CampaignQueue, batch: AppendBatch) -> None:
        """Handle a batch that is committed, or whose head is confirmed."""
        campaign_id, loaded = batch.campaign_id, batch.loaded
        queue.conflicts = 0
        if batch.rows:
            loaded.committed(batch.rows)
            loaded.schedule.is_stored(batch.timers)
            self._detector.confirm(campaign_id, loaded.head)
            self._keep(batch)
            news = self._tail_news.encrypt(campaign_id, batch.rows) if loaded.is_shared else b""
            self._news(campaign_id, news)
            for key in batch.keyed:
                loaded.remember(key)
        tell_accepted(batch)
        if (batch.unwritten or batch.repeated) and (keyed := tell_unwritten(batch)):
            self.start(tell_known(self._log, keyed))
        for owed_key, failure in batch.failed:
            self.start(self._count_failure(campaign_id, owed_key, failure))
        if batch.has_orphans:
            queue.status, queue.batch = "recovering", None
            self.start(self._remove_orphans(queue, batch))
        else:
            self._end_due_runs(queue, batch)
            self._end_batch(queue)

    def _keep(self, batch: AppendBatch) -> None:
        """Keep the committed state in memory, unless the campaign has to be loaded again."""
        campaign_id, loaded = batch.campaign_id, batch.loaded
        if batch.outdates_memory:
            self._cache.evict(campaign_id)
            return
        if batch.is_history:
            loaded.take_snapshot()
        self._cache.resize(campaign_id, loaded)  # unless it was evicted meanwhile

    def _end_batch(self, queue: CampaignQueue) -> None:
        queue.batch = None
        self._release(queue)

    def _end_due_runs(self, queue: CampaignQueue, batch: AppendBatch) -> None:
        """Answer runs of due commands that are complete; put the others back before all other commands."""
        for command, fired in batch.due_runs:
            command.fired += fired
            if not batch.more_due:
                command.tell(b"%d" % command.fired)
        if batch.more_due:
            rest = [command for command, _ in batch.due_runs] or [self._rest_of_due(batch.campaign_id)]
            for command in rest:
                command.deadline = self._now() + ANSWER_SECONDS_MAX
            queue.put_first(rest)

    def _rest_of_due(self, campaign_id: CampaignId) -> PendingCommand:
        command = service_command(campaign_id, CALENDAR_ONLY)
        command.answered.add_done_callback(asyncio.Future.exception)  # a worker tries again
        return command

    async def _remove_orphans(self, queue: CampaignQueue, batch: AppendBatch) -> None:
        """Remove timers from the database that the campaign does not owe, by its confirmed head."""
        loaded = batch.loaded
        try:
            timers = loaded.schedule.timers(loaded.state, loaded.head.recorded_at)
            if await self._timers.replace(batch.campaign_id, loaded.head.seq, list(timers.values())):
                loaded.schedule.is_stored(timers)
        except Exception as failure:  # noqa: BLE001 — those who wait must hear of it, whatever it is
            self._cache.evict(batch.campaign_id)
            fail_all([command for command, _ in batch.due_runs], failure)
        else:
            self._end_due_runs(queue, batch)
        self._release(queue)

    async def _count_failure(self, campaign_id: CampaignId, key: DueKey, failure: Failure) -> None:
        """Count a failure of a timer, in a transaction of its own so that the count lasts."""
        try:
            attempts = await self._timers.failed(campaign_id, *key, failure.text[:REASON_MAX])
        except DatabaseUnavailable:
            return  # it stays due, and fails again
        timer_log.warning(
            "timer_failed",
            campaign=str(campaign_id),
            subject=key[1],
            attempts=attempts,
            code=failure.code,
            reason=failure.text,
        )

    # --- after conflicts ----------------------------------------------------------------------------------

    def _decide_again(self, queue: CampaignQueue, batch: AppendBatch, outcome: AppendResult) -> None:
        """Put a batch back into its queue after a conflict, before all newer commands."""
        if outcome.status == "clock_skew":
            self._clock.invalidate()
        elif outcome.status == "version_conflict":
            queue.conflicts += 1
            STALE_APPENDS.inc()
            batch.loaded.unfolded_tails.clear()  # news of others' latest appends may not all have come yet
            self._moved_elsewhere(batch.campaign_id)
        for command in batch.duplicates(outcome.duplicates):
            batch.loaded.remember(command.own_key)
        unanswered = [command for command in batch.commands if not command.answered.done()]
        queue.put_first(unanswered)
        queue.retried = len(unanswered)
        queue.batch = None
        self.start(self.catch_up(queue, batch.loaded))

    async def catch_up(self, queue: CampaignQueue, loaded: LoadedCampaign) -> None:
        """Fold the rows of other processes, after a pause that grows with each lost race; releases the queue."""
        queue.status = "recovering"
        try:
            if queue.conflicts > 1:
                longest = min(CONFLICT_SECONDS_MAX, CONFLICT_SECONDS * 2 ** min(queue.conflicts, 10))
                await asyncio.sleep(longest * self._jitter())
            holds = self._cache.holds(queue.campaign_id, loaded)
            if holds and await self._loader.catch_up(queue.campaign_id, loaded):
                self._cache.resize(queue.campaign_id, loaded)
            else:
                self._cache.evict(queue.campaign_id)
        except Exception as failure:  # noqa: BLE001 — those who wait must hear of it, whatever it is
            self._cache.evict(queue.campaign_id)
            fail_all(queue.take_all(), failure)
        self._release(queue)

    def _drop(self, queue: CampaignQueue, failure: Exception) -> None:
        """Drop a campaign that may be wrong in memory, and fail the commands that were decided on it."""
        self._cache.evict(queue.campaign_id)
        if queue.batch is not None:
            fail_all(queue.batch.commands, failure)
        self._end_batch(queue)


def service_command(
    campaign_id: CampaignId, command: RunDue | Hold, account: AccountId | None = None
) -> PendingCommand:
    """A command of the service itself, to be put into a queue; it takes the place of one of the account's."""
    return PendingCommand(
        campaign_id=campaign_id,
        account=account,
        request=ActRequest(command=command),
        action_id=ActionId(campaign_id),  # each due command that runs gets an id of its own
        answered=asyncio.get_running_loop().create_future(),
        is_hold=isinstance(command, Hold),
    )


def fail_all(commands: list[PendingCommand], failure: Exception) -> None:
    """Fail all commands: their outcome is not known."""
    for command in commands:
        command.fail(failure)
