"""The real parts fitted together: the type checker proves here that infra fits what the service asks for."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from domain.ids import CampaignId
from domain.stored import DatabaseAway
from infra.entropy import EntropyDice, MachineEntropy, machine_clock
from infra.keys import AesVault, CheckpointKey
from infra.memory.bell import MemoryBell
from infra.memory.rates import MemoryRates
from infra.postgres.account_erasures import PostgresAccountErasures
from infra.postgres.accounts import PostgresAccounts, PostgresInvites
from infra.postgres.connections import Connections
from infra.postgres.deletions import PostgresDeletions
from infra.postgres.event_log import PostgresEventLog
from infra.postgres.ledger_checks import PostgresLedgerChecks
from infra.postgres.timers import PostgresTimers
from infra.postgres.views import PostgresViews
from infra.redis.bell import RedisBell
from infra.redis.rates import RedisRates
from services.forgetting import forget_on
from services.handle import GROUPS_IN_FLIGHT, Handler
from services.hot import HotCampaigns
from services.house import House
from services.invites import Invites
from services.names import Names
from services.people import People
from services.ports import Bell
from services.rates import RateCounter, RateLimits, Rates
from services.reading import Reading
from services.runtime.readiness import Readiness
from services.safe import Safe
from services.settings import Settings
from services.standing import Standing
from services.wiring.jobs import worker_doorbell
from services.wiring.keys import kept_heads, service_key


@asynccontextmanager
async def open_house(settings: Settings) -> AsyncIterator[House]:
    """Everything on PostgreSQL, until the service stops; what is under way then is finished first."""
    if settings.database_url is None:
        raise DatabaseAway("FIELDLOG_DATABASE_URL is not set.")
    async with (
        AsyncExitStack() as stack,
        Connections(settings.database_url, writers=GROUPS_IN_FLIGHT, application_name="fieldlog-api") as lanes,
    ):
        log = PostgresEventLog(lanes)
        accounts = PostgresAccounts(lanes)
        entropy = MachineEntropy()
        names = Names(accounts)
        bell: Bell = MemoryBell()
        counter: RateCounter = MemoryRates()
        if settings.redis_url is not None:
            bell = await stack.enter_async_context(RedisBell(settings.redis_url))
            counter = await stack.enter_async_context(RedisRates(settings.redis_url))
        doorbell = worker_doorbell(settings)

        def news(campaign_id: CampaignId) -> None:
            bell.ring(campaign_id)
            doorbell.ring()

        views = PostgresViews(lanes)
        timers = PostgresTimers(lanes)
        key = service_key(settings)
        safe = Safe(log, AesVault(key), kept_heads(settings))
        hot = HotCampaigns(settings.hot_bytes // 2)
        reading = Reading(log, views, names, settings.hot_bytes // 2)
        deletions = PostgresDeletions(lanes)
        keeping = asyncio.create_task(safe.keep_on())
        memories = (hot, reading.folds)
        forgetting = asyncio.create_task(forget_on(deletions, *memories))
        handler = Handler(
            log=log,
            views=views,
            timers=timers,
            hot=hot,
            names=names,
            clock=machine_clock,
            dice=EntropyDice,
            entropy=entropy,
            safe=safe,
            news=news,
        )
        try:
            yield House(
                log=log,
                views=views,
                timers=timers,
                ledger_checks=PostgresLedgerChecks(lanes),
                deletions=deletions,
                grace_days=settings.campaign_grace_days,
                memories=memories,
                handler=handler,
                reading=reading,
                standing=Standing(log, views),
                names=names,
                people=People(accounts, names, entropy, settings.password_kib),
                invites=Invites(PostgresInvites(lanes), machine_clock, entropy),
                entropy=entropy,
                bell=bell,
                safe=safe,
                signer=CheckpointKey(key),
                rates=Rates(counter, MemoryRates(), _rate_limits(settings)),
                account_erasures=PostgresAccountErasures(lanes),
                account_grace_days=settings.account_grace_days,
                database=lanes,
                readiness=Readiness(lanes),
            )
        finally:
            await handler.close()
            keeping.cancel()
            forgetting.cancel()
            await safe.keep()
            await doorbell.close()


def _rate_limits(settings: Settings) -> RateLimits:
    return RateLimits(**{name: getattr(settings, name) for name in RateLimits.__struct_fields__})
