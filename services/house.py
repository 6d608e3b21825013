"""Everything a running service holds, put together by `services.wiring`."""

from typing import Any

from msgspec import Struct, field

from services.account_erasures import AccountErasureStore
from services.books import LedgerChecks
from services.commands.campaign_cache import CampaignCache, LruCache
from services.commands.command_handler import CommandHandler
from services.commands.seed_store import SeedStore
from services.forgetting import Deletions
from services.integrity.rollback_detector import RollbackDetector
from services.invites import Invites
from services.names import Names
from services.new_campaigns import KeyLocks
from services.people import People
from services.ports import (
    Bell,
    Entropy,
    EventLog,
    Signer,
    Timers,
    ViewStore,
)
from services.rates import Rates
from services.reading import Reading
from services.runtime.readiness import DatabaseHealth, Readiness
from services.runtime.slices import Slices
from services.standing import Standing


class House(Struct, frozen=True):
    """The parts that routes use."""

    log: EventLog
    views: ViewStore
    timers: Timers
    ledger_checks: LedgerChecks
    deletions: Deletions
    grace_days: int
    cache: CampaignCache
    memories: tuple[LruCache[Any], ...]
    handler: CommandHandler
    reading: Reading
    standing: Standing
    names: Names
    people: People
    invites: Invites
    entropy: Entropy
    bell: Bell
    seeds: SeedStore
    detector: RollbackDetector
    signer: Signer
    rates: Rates
    account_erasures: AccountErasureStore
    account_grace_days: int
    database: DatabaseHealth
    readiness: Readiness
    slices: Slices = field(default_factory=Slices)
    key_locks: KeyLocks = field(default_factory=KeyLocks)
