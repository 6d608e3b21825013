"""The whole service on stores in memory, with a clock and randomness of its own: two plays are the same play."""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from hashlib import sha256
from typing import Any
from uuid import UUID

import httpx
import pytest
from litestar.testing import TestClient

from domain.event_store_types import DatabaseUnavailable
from infra.in_process.campaign_news import InProcessNotifier
from infra.in_process.presence import InProcessPresence
from infra.in_process.rate_counter import InProcessRateCounter
from infra.machine.head_store import NoHeadStore
from infra.machine.service_key import AesAddressCipher, AesNewsCipher, AesSeedCipher, CheckpointSigner, push_key
from infra.web.push_messages import PushMessages
from services.accounts.authentication import Authenticator
from services.accounts.invites import Invites
from services.accounts.push_call_devices import SealedDevices
from services.accounts.rate_limits import RateLimiter, RateLimits
from services.application import Application
from services.campaign.loaded_campaign import CampaignCache
from services.campaign.name_resolver import NameResolver
from services.campaign.rollback_detector import RollbackDetector
from services.campaign.seed_store import SeedStore
from services.campaign.state_at import StateReader
from services.campaign.storage_quotas import Quotas
from services.campaign.visible_campaign import CampaignReader
from services.commands.command_handler import CommandHandler
from services.http.api import app
from services.lifecycle.sealed_webhooks import SealedWebhooks
from services.reading.possible_commands import PossibleCommands
from services.reading.presence import Presence
from services.runtime.readiness import Readiness
from services.settings import Settings
from tests.applications import an_application
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
from tests.engines import DICE_KEY
from tests.scripted_dice import ScriptedDice

STARTS_AT = 1_800_000_000_000_000
SECOND = 1_000_000
KEY = bytes(32)
HOT_BYTES = 10_000_000


class SteppedClock:
    """Microseconds UTC; it stands still but for `step`."""

    def __init__(self) -> None:
        self.now = STARTS_AT

    def __call__(self) -> int:
        return self.now

    def step(self, _: httpx.Request) -> None:
        """One second more, for every request: however the service handles it, its time is the same."""
        self.now += SECOND


class SeededEntropy:
    """Ids and random bytes that are the same for the same seed, moment, and number of those drawn in that moment.

    So what a request draws does not change what the requests after it draw.
    """

    def __init__(self, seed: int, clock: Callable[[], int]) -> None:
        self._seed = seed
        self._clock = clock
        self._drawn: Counter[tuple[str, int]] = Counter()

    def salts(self) -> bytes:
        return self._draw("salts")

    def new_id(self) -> UUID:
        return UUID(bytes=self._draw("id")[:16], version=4)

    def _draw(self, what: str) -> bytes:
        now = self._clock()
        self._drawn[what, now] += 1
        return sha256(f"{self._seed} {what} {now} {self._drawn[what, now]}".encode()).digest()


@contextmanager
def memory_service(seed: int) -> Iterator[TestClient[Any]]:
    """A client of the real application, whose stores are in memory; `app.state.application` holds them.

    `app.state.clock` is what tells it the time.
    """
    clock = SteppedClock()

    @asynccontextmanager
    async def open_application(_: Settings) -> AsyncIterator[Application]:
        application = memory_house(clock, SeededEntropy(seed, clock))
        try:
            yield application
        finally:
            await application.handler.close()

    settings = Settings(database_url=None, dice_key=DICE_KEY, password_kib=64)
    with ExitStack() as stack:
        made = stack.enter_context(an_application(settings))
        with pytest.MonkeyPatch.context() as patch:  # only while it starts: others of this process have a database
            patch.setattr(app, "open_application", open_application)
            client = stack.enter_context(TestClient(made))
        client.app.state.clock = clock
        client.event_hooks["request"].append(clock.step)
        yield client


class Sound:
    """A database that is always there."""

    async def check(self, _: float) -> None:
        return None

    def is_away(self) -> bool:
        return False

    def missed(self, failure: DatabaseUnavailable) -> None:
        raise failure


def memory_house(clock: Callable[[], int], entropy: SeededEntropy) -> Application:
    """Everything that the service consists of, with nothing in it yet."""
    log = MemoryEventStore(clock)
    views, timers = MemoryProjectionStore(log), MemoryTimerStore(log, clock)
    accounts, invite_store = MemoryAccountStore(clock), MemoryInviteStore(clock, log)
    erasures = MemoryAccountErasureStore(accounts, invite_store, log, clock)
    invites = Invites(invite_store, clock, entropy, KEY)
    names, cache = NameResolver(accounts), CampaignCache(HOT_BYTES)
    seeds, detector = SeedStore(log, AesSeedCipher(KEY)), RollbackDetector(log, NoHeadStore())
    campaigns = CampaignReader(log, views, names, HOT_BYTES)
    notifier = InProcessNotifier()
    return Application(
        log=log,
        views=views,
        timers=timers,
        quotas=Quotas(MemorySizeStore(log, views), 0, 0),
        ledger_checks=MemoryLedgerCheckStore(views, clock),
        deletions=MemoryDeletionStore(log, clock),
        grace_days=1,
        cache=cache,
        memories=(cache, campaigns.folds),
        handler=CommandHandler(
            log=log,
            views=views,
            timers=timers,
            cache=cache,
            names=names,
            clock=clock,
            dice=ScriptedDice,
            entropy=entropy,
            seeds=seeds,
            detector=detector,
            notifier=notifier,
            news_cipher=AesNewsCipher(KEY),
            news=notifier.notify,
        ),
        campaigns=campaigns,
        states=StateReader(log, views),
        possible=PossibleCommands(
            log, StateReader(log, views), names, Quotas(MemorySizeStore(log, views), 0, 0).shortage
        ),
        names=names,
        people=Authenticator(accounts, names, entropy, 64, invites),
        invites=invites,
        entropy=entropy,
        notifier=notifier,
        presence=Presence(InProcessPresence()),
        seeds=seeds,
        detector=detector,
        signer=CheckpointSigner(KEY),
        rates=RateLimiter(
            InProcessRateCounter(), InProcessRateCounter(), RateLimits(*[0] * len(RateLimits.__struct_fields__))
        ),
        account_erasures=erasures,
        saved_rolls=MemorySavedRollStore(log),
        calendar_feeds=MemoryCalendarFeedStore(log, clock),
        webhooks=SealedWebhooks(
            MemoryWebhookStore(log, clock), AesAddressCipher(KEY, "webhooks"), log, entropy, allows_http=False
        ),
        devices=SealedDevices(
            MemoryDeviceStore(log, clock),
            AesAddressCipher(KEY, "devices"),
            PushMessages(push_key(KEY), None),
            log,
            allows_http=False,
        ),
        account_grace_days=1,
        host_actions=MemoryHostActionStore(clock),
        directory=MemoryDirectory(accounts, log, erasures),
        workers=MemoryWorkerDirectory(),
        sign_up="open",
        origins=(),
        database=Sound(),
        readiness=Readiness(Sound()),
    )
