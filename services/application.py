"""Everything a running process holds, put together by `services.wiring`."""

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import field

from services.accounts.account_dependencies import AccountParts
from services.accounts.authentication import Authenticator
from services.accounts.invites import Invites
from services.accounts.push_call_devices import SealedDevices
from services.accounts.rate_limits import RateLimiter
from services.campaign.loaded_campaign import CampaignCache
from services.campaign.lru_cache import LruCache
from services.campaign.rollback_detector import RollbackDetector
from services.campaign.seed_store import SeedStore
from services.commands.command_dependencies import CommandParts
from services.commands.creation_keys import KeyLocks
from services.lifecycle.lifecycle_dependencies import CampaignParts
from services.lifecycle.sealed_webhooks import SealedWebhooks
from services.ports.calendar_feed_store import CalendarFeedStore
from services.ports.campaign_news import Notifier
from services.ports.crypto import Signer
from services.ports.deletion_store import DeletionStore
from services.ports.erasure_store import AccountErasureStore
from services.ports.host_action_store import HostActionStore
from services.ports.host_directory import Directory
from services.ports.saved_roll_store import SavedRollStore
from services.ports.worker_directory import WorkerDirectory
from services.reading.possible_commands import PossibleCommands
from services.reading.presence import Presence
from services.runtime.readiness import DatabaseHealth, Readiness
from services.runtime.sliced_work import Slices
from services.settings import SignUp
from services.transfer.transfer_dependencies import TransferParts

P = TypeVar("P", bound=CommandParts)


class Application(CommandParts, frozen=True, kw_only=True):
    """The parts that routes, workers and commands of the command line use."""

    deletions: DeletionStore
    grace_days: int
    cache: CampaignCache
    memories: tuple[LruCache[Any], ...]
    people: Authenticator
    invites: Invites
    notifier: Notifier
    presence: Presence
    seeds: SeedStore
    detector: RollbackDetector
    signer: Signer
    rates: RateLimiter
    account_erasures: AccountErasureStore
    saved_rolls: SavedRollStore
    calendar_feeds: CalendarFeedStore
    webhooks: SealedWebhooks
    devices: SealedDevices
    account_grace_days: int
    host_actions: HostActionStore
    directory: Directory
    workers: WorkerDirectory
    sign_up: SignUp
    origins: tuple[str, ...]
    database: DatabaseHealth
    readiness: Readiness
    possible: PossibleCommands
    slices: Slices = field(default_factory=Slices)
    key_locks: KeyLocks = field(default_factory=KeyLocks)
    worker_looks: list[Callable[[], object]] = field(default_factory=list)
    """Functions that wake a worker in this process; without one, other processes are sent messages."""

    @property
    def for_campaigns(self) -> CampaignParts:
        """The parts needed to begin, join, leave and delete campaigns."""
        return parts_of(CampaignParts, self)

    @property
    def for_accounts(self) -> AccountParts:
        """The parts needed to erase texts and accounts."""
        return parts_of(AccountParts, self)

    @property
    def for_transfer(self) -> TransferParts:
        """The parts needed to export and import a campaign."""
        return parts_of(TransferParts, self)


def parts_of(kind: type[P], application: Application) -> P:
    """The parts of one kind, taken from the application by their names."""
    return kind(**{name: getattr(application, name) for name in kind.__struct_fields__})
