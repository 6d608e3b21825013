"""The parts of the application that are needed to begin, join, leave and delete campaigns."""

from typing import Any

from services.accounts.authentication import Authenticator
from services.accounts.invites import Invites
from services.accounts.rate_limits import RateLimiter
from services.campaign.lru_cache import LruCache
from services.campaign.rollback_detector import RollbackDetector
from services.commands.command_dependencies import CommandParts
from services.commands.creation_keys import KeyLocks
from services.lifecycle.sealed_webhooks import SealedWebhooks
from services.ports.campaign_news import Notifier
from services.ports.deletion_store import DeletionStore
from services.settings import SignUp


class CampaignParts(CommandParts, frozen=True, kw_only=True):
    """The command path, accounts and invites, and what a deleted campaign leaves."""

    people: Authenticator
    invites: Invites
    rates: RateLimiter
    sign_up: SignUp
    key_locks: KeyLocks
    detector: RollbackDetector
    deletions: DeletionStore
    grace_days: int
    memories: tuple[LruCache[Any], ...]
    notifier: Notifier
    webhooks: SealedWebhooks
