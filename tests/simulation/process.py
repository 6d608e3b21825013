"""How a process of the service is put together: the one place here that knows it.

An API process and a worker are the real parts over the stores in memory; what they hold in memory is told in the
words of `Kept`, so that checks need not know how it is kept.
"""

import asyncio
from collections.abc import Callable, Mapping
from random import Random
from typing import Any
from uuid import UUID

from msgspec import Struct

from domain.campaign.command_request import ActRequest
from domain.campaign.due_commands import DueKey
from domain.campaign.knowledge.audience_states import Knowledge
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import FORM
from domain.dice import Die
from domain.dice.seeded_dice import EpochSeeds
from domain.event_store_types import DatabaseUnavailable, Head, Timer
from domain.ids import AccountId, CampaignId
from infra.in_process.campaign_news import InProcessNotifier
from infra.in_process.presence import InProcessPresence
from infra.in_process.rate_counter import InProcessRateCounter
from infra.machine.service_key import AesAddressCipher, CheckpointSigner, push_key
from infra.web.push_messages import PushMessages
from services.accounts.authentication import Authenticator
from services.accounts.invites import Invites
from services.accounts.push_call_devices import SealedDevices
from services.accounts.rate_limits import RateLimiter, RateLimits
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
from services.commands.submit import submit_command
from services.history.submit import submit
from services.lifecycle.sealed_webhooks import SealedWebhooks
from services.reading.possible_commands import PossibleCommands
from services.reading.presence import Presence
from services.runtime.readiness import Readiness
from services.workers.projection_worker import ProjectionWorker
from services.workers.projector import Projector
from services.workers.timer_worker import TimerWorker
from tests.simulation.loop import Life, SimulatedLoop
from tests.simulation.store import Database, Way

KEY = CheckpointSigner(bytes(32))
NO_LIMITS = RateLimits(*[0] * len(RateLimits.__struct_fields__))


class SeededEntropy:
    """Ids and salts from a seed. `told` hears of every id."""

    def __init__(self, chance: Random, told: Callable[[UUID], None]) -> None:
        self._chance = chance
        self._told = told

    def salts(self) -> bytes:
        return self._chance.randbytes(32)

    def new_id(self) -> UUID:
        new = UUID(bytes=self._chance.randbytes(16), version=4)
        self._told(new)
        return new


class SeededDice:
    """Dice of before a campaign's first epoch."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def roll(self, sides: int) -> Die:
        return Die(sides=sides, natural=self._chance.randint(1, sides), origin="server")

    def finish(self) -> None:
        pass


class OpenVault:
    """Keeps seeds as they are: whether a cipher holds is tried elsewhere."""

    def seal(self, seeds: EpochSeeds) -> bytes:
        return seeds.open_seed + seeds.hidden_seed

    def decrypt(self, campaign_id: CampaignId, epoch: int, ciphertext: bytes) -> EpochSeeds | None:
        return EpochSeeds(campaign_id, epoch, ciphertext[:32], ciphertext[32:])


class OpenNews:
    """What processes tell each other, as it is."""

    def seal(self, campaign_id: CampaignId, content: bytes) -> bytes:
        return campaign_id.bytes + content

    def decrypt(self, campaign_id: CampaignId, ciphertext: bytes) -> bytes | None:
        return ciphertext.removeprefix(campaign_id.bytes)


class Shelf:
    """Heads outside the database: they outlive a process. `told` hears of each that is kept."""

    is_durable = True

    def __init__(self, told: Callable[[CampaignId, Head], None]) -> None:
        self._told = told
        self.heads: dict[CampaignId, Head] = {}

    def campaigns(self) -> list[CampaignId]:
        return [*self.heads]

    def last(self, campaign_id: CampaignId) -> Head | None:
        return self.heads.get(campaign_id)

    def keep(self, heads: Mapping[CampaignId, Head]) -> None:
        for campaign_id, head in heads.items():
            last = self.heads.get(campaign_id)
            if last is None or last.seq < head.seq:
                self._told(campaign_id, head)
                self.heads[campaign_id] = head

    def forget(self, campaign_id: CampaignId) -> None:
        self.heads.pop(campaign_id, None)


class Health:
    """Whether the database can be reached, as a process finds out."""

    def __init__(self, views: Any) -> None:
        self._views = views

    async def check(self, seconds_max: float) -> str | None:
        del seconds_max
        try:
            await self._views.progress(FORM)
        except DatabaseUnavailable:
            return "database_away"
        return None

    def is_away(self) -> bool:
        return False

    def missed(self, failure: DatabaseUnavailable) -> None:
        pass


class Surroundings(Struct, frozen=True):
    """What a process finds when it starts, and finds again after its death.

    `skew` is by how many microseconds its clock is ahead of the database's, which may change. `news` hears that a
    campaign has some, and what is told of it, `holds` that one is held, or no longer.
    """

    name: str
    loop: SimulatedLoop
    database: Database
    way: Way
    chance: Random
    shelf: Shelf
    memory_bytes: int
    hold_seconds: float
    skew: list[int]
    id_told: Callable[[UUID], None]
    news: Callable[[CampaignId, bytes], None]
    holds: Callable[..., None]


class News(InProcessNotifier):
    """Hears of other processes, when it is told; `tell_others` hears of the holds of this one."""

    def __init__(self, tell_others: Callable[..., None]) -> None:
        super().__init__()
        self._followed: dict[CampaignId, Callable[[bytes], None]] = {}
        self._heard_hold: Callable[..., None] | None = None
        self._tell_others = tell_others

    def hold(self, campaign_id: CampaignId) -> None:
        self._tell_others(campaign_id, begins=True)

    def release(self, campaign_id: CampaignId) -> None:
        self._tell_others(campaign_id, begins=False)

    def on_hold(self, heard: Callable[..., None]) -> None:
        self._heard_hold = heard

    def tell_of_hold(self, campaign_id: CampaignId, *, begins: bool) -> None:
        """What another process says of a hold."""
        if self._heard_hold is not None:
            self._heard_hold(campaign_id, begins=begins)

    def follow(self, campaign_id: CampaignId, heard: Callable[[bytes], None]) -> None:
        self._followed[campaign_id] = heard

    def unfollow(self, campaign_id: CampaignId) -> None:
        self._followed.pop(campaign_id, None)

    def tell(self, campaign_id: CampaignId, told: bytes) -> None:
        """What another process says of the campaign."""
        self.notify(campaign_id)
        if (heard := self._followed.get(campaign_id)) is not None:
            heard(told)


class Kept(Struct, frozen=True):
    """What a process has in memory of a campaign for deciding; `timers` are the rows it believes to be stored."""

    campaign_id: CampaignId
    head: Head
    state: CampaignState
    knowledge: Knowledge
    timers: Mapping[DueKey, Timer]


class Process:
    """One life of an API process or a worker."""

    def __init__(self, around: Surroundings) -> None:
        self.name = around.name
        self.life = Life(around.name)
        self._loop = around.loop
        self.context = self.life.context()
        self._jobs: list[TimerWorker | ProjectionWorker] = []
        self._running: list[asyncio.Task[Any]] = []
        reach = around.way.to
        database = around.database
        log, views, timers = reach(database.log), reach(database.views), reach(database.timers)
        deletions, accounts = reach(database.deletions), reach(database.accounts)
        entropy = SeededEntropy(around.chance, around.id_told)
        names = NameResolver(accounts, around.loop.time)
        notifier = self.news = News(around.holds)

        def clock() -> int:
            return database.clock() + around.skew[0]

        def news(campaign_id: CampaignId, told: bytes) -> None:
            notifier.notify(campaign_id)
            around.news(campaign_id, told)

        self.cache = CampaignCache(around.memory_bytes)
        seeds, detector = SeedStore(log, OpenVault()), RollbackDetector(log, around.shelf)
        campaigns = CampaignReader(log, views, names, around.memory_bytes)
        self.handler = CommandHandler(
            log=log,
            views=views,
            timers=timers,
            cache=self.cache,
            names=names,
            clock=clock,
            dice=lambda: SeededDice(around.chance),
            entropy=entropy,
            seeds=seeds,
            detector=detector,
            notifier=notifier,
            news_cipher=OpenNews(),
            news=news,
            now=around.loop.time,
            jitter=around.chance.random,
            hold_seconds=around.hold_seconds,
        )
        health = Health(views)
        invites = Invites(reach(database.invites), clock, entropy, bytes(32))
        self.application = Application(
            log=log,
            views=views,
            timers=timers,
            quotas=Quotas(reach(database.sizes), 0, 0),
            ledger_checks=reach(database.ledger_checks),
            deletions=deletions,
            grace_days=30,
            cache=self.cache,
            memories=(self.cache, campaigns.folds),
            handler=self.handler,
            campaigns=campaigns,
            states=StateReader(log, views),
            possible=PossibleCommands(
                log, StateReader(log, views), names, Quotas(reach(database.sizes), 0, 0).shortage
            ),
            names=names,
            people=Authenticator(accounts, names, entropy, 64, invites),
            invites=invites,
            entropy=entropy,
            notifier=notifier,
            presence=Presence(InProcessPresence()),
            seeds=seeds,
            detector=detector,
            signer=KEY,
            rates=RateLimiter(
                InProcessRateCounter(around.loop.time), InProcessRateCounter(around.loop.time), NO_LIMITS
            ),
            account_erasures=reach(database.account_erasures),
            saved_rolls=reach(database.saved_rolls),
            calendar_feeds=reach(database.calendar_feeds),
            webhooks=SealedWebhooks(
                reach(database.webhooks), AesAddressCipher(bytes(32), "webhooks"), log, entropy, allows_http=False
            ),
            devices=SealedDevices(
                reach(database.devices),
                AesAddressCipher(bytes(32), "devices"),
                PushMessages(push_key(bytes(32)), None),
                log,
                allows_http=False,
            ),
            account_grace_days=14,
            host_actions=reach(database.host_actions),
            directory=reach(database.directory),
            workers=reach(database.workers),
            sign_up="open",
            origins=(),
            database=health,
            readiness=Readiness(health, self.handler.failure),
        )
        self._background(detector.keep_on())
        self._background(keep_evicting(deletions, *self.application.memories))

    def work(self) -> None:
        """Be a worker: let timers fire, and have stored views follow."""
        application = self.application
        catch_up = Projector(application.log, application.views, application.handler)
        self._jobs = [
            TimerWorker(application.timers, application.handler),
            ProjectionWorker(
                application.views, catch_up, application.entropy, application.database.check, self._loop.time
            ),
        ]
        for job in self._jobs:
            self._running.append(
                self._loop.create_task(job.run(application.database.missed), context=self.context)
            )

    def ring(self) -> None:
        """A doorbell of another process."""
        for job in self._jobs:
            job.wake()

    async def act(
        self,
        campaign_id: CampaignId,
        account: AccountId | None,
        request: ActRequest,
        *,
        key: str | None = None,
        if_match: int | None = None,
    ) -> bytes:
        """Have a request decided and committed."""
        if account is None:
            return await submit_command(self.application, campaign_id, None, request, key=key, if_match=if_match)
        return await submit(self.application, campaign_id, account, request, key=key, if_match=if_match)

    async def close(self) -> None:
        """Stop gracefully."""
        for job in self._jobs:
            job.stop()
        await asyncio.gather(*self._running[2:])
        await self.handler.close()
        for task in self._running[:2]:
            task.cancel()
        await self.application.detector.keep()

    def kill(self) -> None:
        """Die in the middle of whatever it does."""
        self._loop.kill(self.life)

    def kept(self) -> list[Kept]:
        """What is in memory for deciding."""
        found = []
        for campaign_id in self.cache.campaigns():
            loaded = self.cache.get(campaign_id)
            assert loaded is not None
            found.append(
                Kept(campaign_id, loaded.head, loaded.state, loaded.knowledge, loaded.schedule.stored_timers)
            )
        return found

    def _background(self, work: Any) -> None:
        self._running.append(self._loop.create_task(work, context=self.context))
