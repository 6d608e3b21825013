"""Builds the application; the type checker proves here that the adapters fit the ports."""

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager

from msgspec import structs

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import ForgetMember
from domain.event_store_types import DatabaseUnavailable
from domain.ids import AccountId, CampaignId
from infra.in_process.campaign_news import InProcessNotifier
from infra.in_process.presence import InProcessPresence
from infra.in_process.rate_counter import InProcessRateCounter
from infra.in_process.worker_notifier import InProcessWorkerNotifier
from infra.machine.entropy import EntropyDice, MachineEntropy, machine_clock
from infra.machine.head_store import NoHeadStore
from infra.machine.service_key import AesAddressCipher, AesNewsCipher, AesSeedCipher, CheckpointSigner, push_key
from infra.postgres.account_stores import PostgresAccountStore, PostgresInviteStore
from infra.postgres.calendar_feed_store import PostgresCalendarFeedStore
from infra.postgres.deletion_store import PostgresDeletionStore
from infra.postgres.device_store import PostgresDeviceStore
from infra.postgres.driver.database import Database
from infra.postgres.erasure_store import PostgresAccountErasureStore
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.host_action_store import PostgresHostActionStore
from infra.postgres.host_directory import PostgresDirectory
from infra.postgres.ledger_check_store import PostgresLedgerCheckStore
from infra.postgres.projection_store import PostgresProjectionStore
from infra.postgres.saved_roll_store import PostgresSavedRollStore
from infra.postgres.size_store import PostgresSizeStore
from infra.postgres.timer_store import PostgresTimerStore
from infra.postgres.webhook_store import PostgresWebhookStore
from infra.postgres.withdrawal_store import PostgresWithdrawalStore
from infra.postgres.worker_directory import PostgresWorkerDirectory, connection_name
from infra.redis.campaign_news import RedisNotifier
from infra.redis.presence import RedisPresence
from infra.redis.rate_counter import RedisRateCounter
from infra.web.push_messages import PushMessages
from services.accounts.authentication import Authenticator
from services.accounts.invites import Invites
from services.accounts.push_call_devices import SealedDevices
from services.accounts.rate_limits import RateCounter, RateLimiter, RateLimits
from services.application import Application
from services.campaign.deleted_campaign_eviction import keep_evicting
from services.campaign.loaded_campaign import CampaignCache
from services.campaign.name_resolver import NameResolver
from services.campaign.rollback_detector import RollbackDetector
from services.campaign.seed_store import SeedStore
from services.campaign.state_at import StateReader
from services.campaign.storage_quotas import Quotas
from services.campaign.visible_campaign import CampaignReader
from services.commands.command_handler import CommandHandler
from services.commands.group_commit import WRITERS
from services.commands.submit import submit_command
from services.integrity.withdrawal_keeper import WithdrawalKeeper
from services.lifecycle.sealed_webhooks import SealedWebhooks
from services.ports.campaign_news import Notifier
from services.ports.presence import PresenceStore
from services.reading.possible_commands import PossibleCommands
from services.reading.presence import Presence
from services.runtime.freed_memory import keep_giving_back
from services.runtime.readiness import Readiness
from services.settings import Settings
from services.wiring.dramatiq_setup import worker_notifier
from services.wiring.keys import invite_key, kept_heads, service_key, withdrawal_journal
from services.wiring.web_access import push_contact


@asynccontextmanager
async def open_application(
    settings: Settings, worker: str = "", queues: Collection[str] = ()
) -> AsyncIterator[Application]:
    """The application on PostgreSQL, until the service stops; running work is finished first.

    Other workers see the name of a `worker`, and the queues that it shares with them.
    """
    if settings.database_url is None:
        raise DatabaseUnavailable("FIELDLOG_DATABASE_URL is not set.")
    async with (
        AsyncExitStack() as stack,
        Database(
            settings.database_url,
            writers=WRITERS,
            application_name=connection_name(worker, queues) if worker else "fieldlog-api",
            wants_standby=settings.require_sync_standby,
        ) as database,
    ):
        log = PostgresEventStore(database, packs_events=settings.pack_events)
        accounts = PostgresAccountStore(database)
        entropy = MachineEntropy()
        names = NameResolver(accounts)
        notifier, counter, presence = await _shared_by_processes(settings, stack)
        worker_wake_up = InProcessWorkerNotifier(
            (await stack.enter_async_context(worker_notifier(settings))).notify
        )

        def news(campaign_id: CampaignId, tail: bytes) -> None:
            notifier.notify(campaign_id, tail)
            worker_wake_up.notify()

        views, timers = PostgresProjectionStore(database), PostgresTimerStore(database)
        key = service_key(settings)
        invites = Invites(PostgresInviteStore(database), machine_clock, entropy, invite_key(key))
        seeds = SeedStore(log, AesSeedCipher(key))
        detector = RollbackDetector(log, kept_heads(settings))
        cache = CampaignCache(settings.hot_bytes // 2)
        states = StateReader(log, views)
        campaigns = CampaignReader(log, views, names, settings.hot_bytes // 2)
        deletions = PostgresDeletionStore(database)
        quotas = Quotas(PostgresSizeStore(database), settings.campaign_bytes_max, settings.account_bytes_max)
        memories = (cache, campaigns.folds)
        background = [
            asyncio.create_task(work)
            for work in (
                detector.keep_on(),
                keep_evicting(deletions, *memories),
                quotas.keep_looking(),
                database.keep_few_open(),
                keep_giving_back(),
            )
        ]

        def handler_with(confirmed: RollbackDetector, memory: CampaignCache, heard: Notifier) -> CommandHandler:
            return CommandHandler(
                log=log,
                views=views,
                timers=timers,
                cache=memory,
                names=names,
                clock=machine_clock,
                dice=EntropyDice,
                entropy=entropy,
                seeds=seeds,
                detector=confirmed,
                notifier=heard,
                news_cipher=AesNewsCipher(key),
                news=news,
            )

        handler = handler_with(detector, cache, notifier)
        application = Application(
            log=log,
            views=views,
            timers=timers,
            quotas=quotas,
            ledger_checks=PostgresLedgerCheckStore(database),
            deletions=deletions,
            grace_days=settings.campaign_grace_days,
            cache=cache,
            memories=memories,
            handler=handler,
            campaigns=campaigns,
            states=states,
            possible=PossibleCommands(log, states, names, quotas.shortage, settings.hot_bytes // 8),
            names=names,
            people=Authenticator(accounts, names, entropy, settings.password_kib, invites),
            invites=invites,
            entropy=entropy,
            notifier=notifier,
            worker_looks=worker_wake_up.looks,
            presence=Presence(presence),
            seeds=seeds,
            detector=detector,
            signer=CheckpointSigner(key),
            rates=RateLimiter(counter, InProcessRateCounter(), _rate_limits(settings)),
            account_erasures=PostgresAccountErasureStore(database),
            saved_rolls=PostgresSavedRollStore(database),
            calendar_feeds=PostgresCalendarFeedStore(database),
            webhooks=SealedWebhooks(
                PostgresWebhookStore(database),
                AesAddressCipher(key, "webhooks"),
                log,
                entropy,
                allows_http=bool(settings.webhook_networks),
            ),
            devices=SealedDevices(
                PostgresDeviceStore(database),
                AesAddressCipher(key, "devices"),
                PushMessages(push_key(key), push_contact(settings)),
                log,
                allows_http=bool(settings.webhook_networks),
            ),
            account_grace_days=settings.account_grace_days,
            host_actions=PostgresHostActionStore(database),
            directory=PostgresDirectory(database),
            sign_up=settings.sign_up,
            origins=settings.origins,
            workers=PostgresWorkerDirectory(database),
            database=database,
            readiness=Readiness(database, handler.failure),
        )

        async def remove(campaign_id: CampaignId, account: AccountId, by_another: bool) -> None:
            # Also from a campaign that waits to be accepted: its kept head stays, and so does its waiting.
            # News of other processes is for the handler that stays.
            others = handler_with(RollbackDetector(log, NoHeadStore()), CampaignCache(0), InProcessNotifier())
            command = ForgetMember(account, removed=by_another)
            try:
                await submit_command(
                    structs.replace(application, handler=others), campaign_id, None, ActRequest(command=command)
                )
            finally:
                await others.close()

        journal = withdrawal_journal(settings)
        keeper = None if journal is None else WithdrawalKeeper(PostgresWithdrawalStore(database), journal, remove)
        try:
            if keeper is not None:
                await keeper.repeat()
                background.append(asyncio.create_task(keeper.keep_on()))
            yield application
        finally:
            await handler.close()
            for task in background:
                task.cancel()
            if keeper is not None:
                await keeper.keep_now()
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
