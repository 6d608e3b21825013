"""Builds the application; the type checker proves here that the adapters fit the ports."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from domain.event_store_types import DatabaseUnavailable
from domain.ids import CampaignId
from infra.in_process.notifier import InProcessNotifier
from infra.in_process.presence import InProcessPresence
from infra.in_process.rate_counter import InProcessRateCounter
from infra.machine.entropy import EntropyDice, MachineEntropy, machine_clock
from infra.machine.keys import AesSeedCipher, CheckpointSigner
from infra.postgres.account_stores import PostgresAccountStore, PostgresInviteStore
from infra.postgres.deletion_store import PostgresDeletionStore
from infra.postgres.driver.database import Database
from infra.postgres.erasure_store import PostgresAccountErasureStore
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.ledger_check_store import PostgresLedgerCheckStore
from infra.postgres.projection_store import PostgresProjectionStore
from infra.postgres.timer_store import PostgresTimerStore
from infra.redis.notifier import RedisNotifier
from infra.redis.presence import RedisPresence
from infra.redis.rate_counter import RedisRateCounter
from services.accounts.authentication import Authenticator
from services.accounts.invites import Invites
from services.accounts.rate_limits import RateCounter, RateLimiter, RateLimits
from services.application import Application
from services.campaigns.cache_eviction import keep_evicting
from services.commands.campaign_cache import CampaignCache
from services.commands.command_handler import CommandHandler
from services.commands.group_commit import WRITERS
from services.commands.seed_store import SeedStore
from services.integrity.rollback_detector import RollbackDetector
from services.ports.notifier import Notifier
from services.ports.presence import PresenceStore
from services.queries.campaign_reader import CampaignReader
from services.queries.name_resolver import NameResolver
from services.queries.possible_commands import PossibleCommands
from services.queries.presence import Presence
from services.runtime.readiness import Readiness
from services.settings import Settings
from services.state.state_at import StateReader
from services.wiring.dramatiq_setup import worker_notifier
from services.wiring.keys import kept_heads, service_key


@asynccontextmanager
async def open_application(settings: Settings) -> AsyncIterator[Application]:
    """The application on PostgreSQL, until the service stops; running work is finished first."""
    if settings.database_url is None:
        raise DatabaseUnavailable("FIELDLOG_DATABASE_URL is not set.")
    async with (
        AsyncExitStack() as stack,
        Database(settings.database_url, writers=WRITERS, application_name="fieldlog-api") as database,
    ):
        log = PostgresEventStore(database)
        accounts = PostgresAccountStore(database)
        entropy = MachineEntropy()
        names = NameResolver(accounts)
        notifier, counter, presence = await _shared_by_processes(settings, stack)
        worker_wake_up = await stack.enter_async_context(worker_notifier(settings))

        def news(campaign_id: CampaignId) -> None:
            notifier.notify(campaign_id)
            worker_wake_up.notify()

        views = PostgresProjectionStore(database)
        timers = PostgresTimerStore(database)
        key = service_key(settings)
        seeds = SeedStore(log, AesSeedCipher(key))
        detector = RollbackDetector(log, kept_heads(settings))
        cache = CampaignCache(settings.hot_bytes // 2)
        states = StateReader(log, views)
        campaigns = CampaignReader(log, views, names, settings.hot_bytes // 2)
        deletions = PostgresDeletionStore(database)
        memories = (cache, campaigns.folds)
        background = [
            asyncio.create_task(work) for work in (detector.keep_on(), keep_evicting(deletions, *memories))
        ]
        handler = CommandHandler(
            log=log,
            views=views,
            timers=timers,
            cache=cache,
            names=names,
            clock=machine_clock,
            dice=EntropyDice,
            entropy=entropy,
            seeds=seeds,
            detector=detector,
            news=news,
        )
        try:
            yield Application(
                log=log,
                views=views,
                timers=timers,
                ledger_checks=PostgresLedgerCheckStore(database),
                deletions=deletions,
                grace_days=settings.campaign_grace_days,
                cache=cache,
                memories=memories,
                handler=handler,
                campaigns=campaigns,
                states=states,
                possible=PossibleCommands(log, states, names),
                names=names,
                people=Authenticator(accounts, names, entropy, settings.password_kib),
                invites=Invites(PostgresInviteStore(database), machine_clock, entropy),
                entropy=entropy,
                notifier=notifier,
                presence=Presence(presence),
                seeds=seeds,
                detector=detector,
                signer=CheckpointSigner(key),
                rates=RateLimiter(counter, InProcessRateCounter(), _rate_limits(settings)),
                account_erasures=PostgresAccountErasureStore(database),
                account_grace_days=settings.account_grace_days,
                origins=settings.origins,
                database=database,
                readiness=Readiness(database, handler.failure),
            )
        finally:
            await handler.close()
            for task in background:
                task.cancel()
            await detector.keep()


async def _shared_by_processes(
    settings: Settings, stack: AsyncExitStack
) -> tuple[Notifier, RateCounter, PresenceStore]:
    """A notifier, a counter and open feeds in Redis, or of this process alone where there is none."""
    if settings.redis_url is None:
        return InProcessNotifier(), InProcessRateCounter(), InProcessPresence()
    notifier = await stack.enter_async_context(RedisNotifier(settings.redis_url))
    counter = await stack.enter_async_context(RedisRateCounter(settings.redis_url))
    return notifier, counter, await stack.enter_async_context(RedisPresence(settings.redis_url))


def _rate_limits(settings: Settings) -> RateLimits:
    return RateLimits(**{name: getattr(settings, name) for name in RateLimits.__struct_fields__})
