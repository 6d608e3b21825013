"""Everything a running service holds, put together by `services.wiring`."""

from typing import Any

from msgspec import Struct

from services.forgetting import Deletions
from services.handle import Handler
from services.hot import UsedLast
from services.invites import Invites
from services.names import Names
from services.people import People
from services.ports import (
    AccountErasureStore,
    Bell,
    Entropy,
    EventLog,
    LedgerChecks,
    Signer,
    Timers,
    ViewStore,
)
from services.rates import Rates
from services.reading import Reading
from services.runtime.readiness import DatabaseHealth, Readiness
from services.safe import Safe
from services.standing import Standing


class House(Struct, frozen=True):
    """The parts that routes use."""

    log: EventLog
    views: ViewStore
    timers: Timers
    ledger_checks: LedgerChecks
    deletions: Deletions
    grace_days: int
    memories: tuple[UsedLast[Any], ...]
    handler: Handler
    reading: Reading
    standing: Standing
    names: Names
    people: People
    invites: Invites
    entropy: Entropy
    bell: Bell
    safe: Safe
    signer: Signer
    rates: Rates
    account_erasures: AccountErasureStore
    account_grace_days: int
    database: DatabaseHealth
    readiness: Readiness
