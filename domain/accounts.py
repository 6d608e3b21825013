"""Accounts, their tokens, invites to campaigns and erasures, as they are stored. Times are UTC."""

from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from msgspec import Struct

from domain.command_context import Role
from domain.ids import AccountId, CampaignId

SESSIONS_MAX = 20
"""Browsers in which an account may be signed in at once."""
SESSION_IDLE = timedelta(days=90)
"""A session that is not used for so long is over."""
SESSION_LONGEST = timedelta(days=365)
"""A session is over then, however often it is used."""
SESSION_SHARED = timedelta(hours=12)
"""On a shared computer a session is over then."""
TOKEN_IDLE = timedelta(days=365)
"""A program's token without a chosen end is over when it is not used for so long."""


class Account(Struct, frozen=True):
    """An account that can sign in, unless it is disabled. `password_hash` is argon2id's encoded form.

    `invite_id` is the invite by which it was made, where one was needed: that has counted a use for it.
    """

    account_id: AccountId
    name: str
    password_hash: str
    created_at: datetime
    disabled_at: datetime | None = None
    invite_id: UUID | None = None
    language: str | None = None
    """The language that it reads, where that was asked for."""


class LooksTaken(Exception):  # noqa: N818 — it states what is the case
    """A name looks the same as another account's."""


Scope = Literal["read", "play"]
"""The scope of a limited token: read, or also act, undo and redo."""


class TokenLimits(Struct, frozen=True):
    """The limits of a token: its scope, campaign, expiry, and requests a minute; None: no limit."""

    scope: Scope | None = None
    campaign_id: CampaignId | None = None
    ends_at: datetime | None = None
    requests_per_minute: int | None = None


UNLIMITED = TokenLimits()


class Token(Struct, frozen=True):
    """An API token that an account has made under a label. `last_used_at` is right to the hour."""

    token_id: UUID
    label: str
    created_at: datetime
    last_used_at: datetime | None
    limits: TokenLimits = UNLIMITED

    @property
    def expires_at(self) -> datetime:
        """When it is over; without a chosen end, unless it is used before."""
        return self.limits.ends_at or (self.last_used_at or self.created_at) + TOKEN_IDLE


class Session(Struct, frozen=True):
    """A browser in which an account is signed in until `expires_at`. `last_used_at` is right to the hour."""

    session_id: UUID
    label: str
    created_at: datetime
    last_used_at: datetime
    expires_at: datetime


class TokenOwner(Struct, frozen=True):
    """The account that a token belongs to; `language` and `time_zone` are its own, if it has stated them."""

    token_id: UUID
    account_id: AccountId
    name: str
    language: str | None = None
    """The language that it reads, where that was asked for."""
    time_zone: str | None = None
    is_disabled: bool = False
    limits: TokenLimits = UNLIMITED


class AccountErasure(Struct, frozen=True):
    """The erasure that an account has asked for: of its texts, or of the account itself."""

    account_id: AccountId
    what: Literal["texts", "account"]
    asked_at: datetime
    due_at: datetime
    """When the account is to be erased."""
    with_texts: bool
    begun_at: datetime | None
    """Since when the account is deleted."""
    name: str | None
    """The account's name until it is deleted."""
    after_campaign: CampaignId
    """The texts are erased in the campaigns up to this one."""
    texts: int
    """How many texts are erased so far."""
    left_over: list[CampaignId]
    """Campaigns that were deleted when the erasure passed them: their texts are erased on a restore."""


InviteRole = Literal["gm", "player", "observer", "watcher"]
"""The role that an invite gives; `watcher`: it is a watching link, which gives none."""


class Invite(Struct, frozen=True):
    """An invite to a campaign, open to everyone who has its code. Only a hash of the code is stored."""

    campaign_id: CampaignId
    invite_id: UUID
    role: Role
    created_by: AccountId
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    uses: int
    """How often it was accepted."""
    uses_max: int | None
    """How often it can be accepted; None: any number of times."""
    for_account: AccountId | None = None
    """The only account that can use it; None: any."""

    @property
    def is_for_watching(self) -> bool:
        """Whether its code only reads the campaign, without an account."""
        return self.for_account == watcher_of(self.campaign_id)


def watcher_of(campaign_id: CampaignId) -> AccountId:
    """The reader of a campaign who has no account: it has the campaign's id in place of an account's.

    No account has that, so that it is a member of no campaign, and nothing in one is its own.
    """
    return AccountId(UUID(bytes=campaign_id.bytes))
