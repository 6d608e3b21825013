"""The parts of the application that are needed to export and import a campaign."""

from services.accounts.authentication import Authenticator
from services.accounts.rate_limits import RateLimiter
from services.campaign.rollback_detector import RollbackDetector
from services.campaign.seed_store import SeedStore
from services.commands.command_dependencies import CommandParts
from services.commands.creation_keys import KeyLocks
from services.ports.campaign_news import Notifier
from services.ports.crypto import Signer
from services.runtime.sliced_work import Slices


class TransferParts(CommandParts, frozen=True, kw_only=True):
    """The event store, accounts, and what seals and signs a campaign's log."""

    people: Authenticator
    rates: RateLimiter
    seeds: SeedStore
    signer: Signer
    detector: RollbackDetector
    notifier: Notifier
    slices: Slices
    key_locks: KeyLocks
