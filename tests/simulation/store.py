"""The stores in memory, shared by all processes, and the way there, on which a call may be slow or lost."""

import asyncio
import inspect
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import Context
from random import Random
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct

from domain.event_store_types import AppendResult, DatabaseUnavailable, EventBatch
from domain.ids import AccountId, CampaignId
from tests.doubles.account_stores import MemoryAccountStore, MemoryInviteStore
from tests.doubles.calendar_feed_store import MemoryCalendarFeedStore
from tests.doubles.deletion_store import MemoryDeletionStore
from tests.doubles.device_store import MemoryDeviceStore
from tests.doubles.directory import MemoryDirectory
from tests.doubles.erasure_store import MemoryAccountErasureStore
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.host_action_store import MemoryHostActionStore
from tests.doubles.ledger_check_store import MemoryLedgerCheckStore
from tests.doubles.projection_store import MemoryProjectionStore
from tests.doubles.saved_roll_store import MemorySavedRollStore
from tests.doubles.size_store import MemorySizeStore
from tests.doubles.timer_store import MemoryTimerStore
from tests.doubles.webhook_store import MemoryWebhookStore
from tests.doubles.worker_directory import MemoryWorkerDirectory
from tests.simulation.loop import SimulatedLoop
from tests.simulation.trace import Trace

EPOCH = 1_700_000_000_000_000
"""The database's clock when a simulation begins: microseconds UTC."""

CALL_SECONDS_MAX = 0.003
"""The longest that a call takes where nothing is wrong."""


class SharedLog(MemoryEventStore):
    """Knows besides at which moment of the database's clock each append was committed.

    `erasing_seconds` is how much longer an append takes that erases something.
    """

    def __init__(self, clock: Callable[[], int]) -> None:
        super().__init__(clock)
        self.commits: dict[CampaignId, list[tuple[int, int]]] = defaultdict(list)
        """By campaign: the last seq of each append, with the moment."""
        self.erasing_seconds = 0.0

    async def append(self, batches: list[EventBatch]) -> list[AppendResult]:
        if self.erasing_seconds and any(batch.erasure is not None for batch in batches):
            await asyncio.sleep(self.erasing_seconds)
        before = self.heads()
        outcomes = await super().append(batches)
        for campaign_id, head in self.heads().items():
            if head != before.get(campaign_id):
                self.commits[campaign_id].append((head.seq, self._clock()))
        return outcomes

    def committed_at(self, campaign_id: CampaignId, seq: int) -> int:
        """When an event was committed: microseconds UTC of the database."""
        return next(moment for last, moment in self.commits[campaign_id] if last >= seq)

    def campaigns(self) -> list[CampaignId]:
        """Every campaign, deleted ones too."""
        return [*self._events]


class SharedDeletions(MemoryDeletionStore):
    """Knows besides when each campaign was not there: from one virtual second to another."""

    def __init__(self, log: SharedLog, clock: Callable[[], int]) -> None:
        super().__init__(log, clock)
        self._absences: list[tuple[CampaignId, int, int]] = []

    async def restore(self, campaign_id: CampaignId, account_id: AccountId | None) -> bool | None:
        deletion = self._log.deleted.get(campaign_id)
        rested = await super().restore(campaign_id, account_id)
        if deletion is not None and rested is not None:
            self._absences.append((campaign_id, deletion.deleted_at, self._clock()))
        return rested

    def stay(self) -> None:
        """What is still deleted comes back for the checks."""
        for campaign_id, deletion in self._log.deleted.items():
            self._absences.append((campaign_id, deletion.deleted_at, self._clock()))
        self._log.deleted.clear()

    def absences(self, campaign_id: CampaignId) -> list[tuple[float, float]]:
        """When it was not there."""
        return [
            ((start - EPOCH) / 1_000_000, (end - EPOCH) / 1_000_000)
            for campaign, start, end in self._absences
            if campaign == campaign_id
        ]


class Database:
    """All stores, with one clock."""

    def __init__(self, loop: SimulatedLoop) -> None:
        def clock() -> int:
            return EPOCH + int(loop.time() * 1_000_000)

        self.clock = clock
        self.log = SharedLog(clock)
        self.views = MemoryProjectionStore(self.log)
        self.timers = MemoryTimerStore(self.log, clock)
        self.deletions = SharedDeletions(self.log, clock)
        self.accounts = MemoryAccountStore(clock)
        self.invites = MemoryInviteStore(clock, self.log)
        self.ledger_checks = MemoryLedgerCheckStore(self.views, clock)
        self.host_actions = MemoryHostActionStore(clock)
        self.account_erasures = MemoryAccountErasureStore(self.accounts, self.invites, self.log, clock)
        self.saved_rolls = MemorySavedRollStore(self.log)
        self.calendar_feeds = MemoryCalendarFeedStore(self.log, clock)
        self.devices = MemoryDeviceStore(self.log, clock)
        self.webhooks = MemoryWebhookStore(self.log, clock)
        self.sizes = MemorySizeStore(self.log, self.views)
        self.workers = MemoryWorkerDirectory()
        self.directory = MemoryDirectory(self.accounts, self.log, self.account_erasures)


Kind = Literal["away", "refused", "lost", "late", "slow", "broken"]
"""away: nothing gets through; refused: it fails before anything happened; lost: it happened, and its answer is
lost; late: it fails, and happens all the same later; slow: an append, or the method that is named, takes long;
broken: it fails as no database should."""


class Fault(Struct, frozen=True):
    """Something that is wrong from one moment to another, with every call that it concerns or with some.

    `process`, `campaign` and `method` None: with those of all. `seconds` is how long what is slow or late takes,
    and `before` which part of that passes before it happens (None: by chance).
    """

    kind: Kind
    start: float
    end: float
    process: str | None = None
    campaign: CampaignId | None = None
    likelihood: float = 1.0
    seconds: float = 0.0
    before: float | None = None
    method: str | None = None

    @property
    def felt_until(self) -> float:
        """When the last call that it can concern is over."""
        return self.end + self.seconds


class Append(Struct, frozen=True):
    """That an append was under way from one moment to another, and for whom."""

    process: str
    campaigns: frozenset[CampaignId]
    start: float
    end: float


class Way:
    """One process' way to the database; `faults` are those of the whole simulation."""

    def __init__(
        self, process: str, loop: SimulatedLoop, chance: Random, trace: Trace, faults: list[Fault]
    ) -> None:
        self._process = process
        self._loop = loop
        self._chance = chance
        self._trace = trace
        self.faults = faults
        self.appends: list[Append] = []
        self.late: list[asyncio.Task[None]] = []
        self.calls: Counter[str] = Counter()

    def to(self, store: Any) -> Any:
        """A store as this process reaches it."""
        return _Reached(self, store)

    async def call(self, name: str, function: Callable[..., Awaitable[Any]], args: Any, named: Any) -> Any:
        """Call a store, with whatever goes wrong on the way."""
        campaigns = _campaigns(name, args)
        self.calls[name] += 1
        seconds = self._chance.random() * CALL_SECONDS_MAX
        there = seconds * self._chance.random()
        begun = self._loop.time()
        await asyncio.sleep(there)
        fault = self._fault(name, campaigns)
        if fault is not None:
            self._trace.counts[f"fault: {fault.kind}"] += 1
            self._trace(f"{self._process} {name} {fault.kind}")
            if fault.kind == "slow":
                extra = fault.seconds * (0.5 + self._chance.random() / 2 if fault.before is None else 1.0)
                part = self._chance.choice((0.0, 0.5, 1.0)) if fault.before is None else fault.before
                before = extra * part
                await asyncio.sleep(before)
                seconds += extra - before
            elif fault.kind == "late":
                self._later(fault.seconds * self._chance.random(), function, args, named)
        if fault is not None and fault.kind in ("away", "refused", "late"):
            raise DatabaseUnavailable(f"simulated: {fault.kind}")
        if fault is not None and fault.kind == "broken":
            raise RuntimeError("simulated: what no database should say")
        result = await function(*args, **named)
        await asyncio.sleep(seconds - there)
        if name == "append":
            statuses = ",".join(each.status for each in result)
            self._trace(f"{self._process} append {[len(each.events) for each in args[0]]} {statuses}")
            self._trace.counts.update(f"append: {each.status}" for each in result)
            self.appends.append(Append(self._process, campaigns, begun, self._loop.time()))
        if fault is not None and fault.kind == "lost":
            raise DatabaseUnavailable("simulated: lost")
        return result

    async def pages(
        self, function: Callable[..., AsyncIterator[Any]], args: Any, named: Any
    ) -> AsyncIterator[Any]:
        """The same for what is read page by page."""

        async def nothing() -> None:
            pass

        await self.call("pages", nothing, (), {})
        async for page in function(*args, **named):
            yield page
            await self.call("pages", nothing, (), {})

    def _fault(self, name: str, campaigns: frozenset[CampaignId]) -> Fault | None:
        now = self._loop.time()
        for fault in self.faults:
            if (
                fault.start <= now < fault.end
                and fault.process in (None, self._process)
                and (fault.campaign is None or fault.campaign in campaigns)
                and (fault.method is None or fault.method == name)
                and (name == "append" or fault.kind != "late")
                and (name == (fault.method or "append") or fault.kind != "slow")
                and (fault.likelihood == 1.0 or self._chance.random() < fault.likelihood)
            ):
                return fault
        return None

    def _later(self, seconds: float, function: Callable[..., Awaitable[Any]], args: Any, named: Any) -> None:
        """The database goes on with it although nobody waits any more."""

        async def happen() -> None:
            await asyncio.sleep(seconds)
            await function(*args, **named)

        self.late.append(self._loop.create_task(happen(), context=Context()))  # in nobody's process


class _Reached:
    """A store at the other end of a way: each of its methods, whatever it is called."""

    def __init__(self, way: Way, store: Any) -> None:
        self._way = way
        self._store = store
        self._methods: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        way = self._way
        if inspect.isasyncgenfunction(method):

            def reached(*args: Any, **named: Any) -> Any:
                return way.pages(method, args, named)

        else:
            assert inspect.iscoroutinefunction(method), f"{name} is not part of a port"

            def reached(*args: Any, **named: Any) -> Any:
                return way.call(name, method, args, named)

        setattr(self, name, reached)
        return reached


def _campaigns(name: str, args: Any) -> frozenset[CampaignId]:
    if name == "append":
        return frozenset(batch.campaign_id for batch in args[0])
    return frozenset(args[:1]) if args and isinstance(args[0], UUID) else frozenset()
