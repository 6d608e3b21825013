"""Who plays: accounts, their tokens, and invites to campaigns, as they are kept. Times are UTC."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from domain.command_context import Role
from domain.ids import AccountId, CampaignId


class Account(Struct, frozen=True):
    """Somebody who may sign in. `password_hash` is argon2id's encoded form."""

    account_id: AccountId
    name: str
    password_hash: str
    created_at: datetime


class Token(Struct, frozen=True):
    """A way in that an account has given out under a label. `last_used_at` is right to the hour."""

    token_id: UUID
    label: str
    created_at: datetime
    last_used_at: datetime | None


class TokenOwner(Struct, frozen=True):
    """Whose token it was that somebody came with."""

    token_id: UUID
    account_id: AccountId
    name: str


class AccountErasure(Struct, frozen=True):
    """What an account has asked to have erased: its words (`texts`), or from `due_at` on the `account` itself.

    `texts` counts the words that are gone so far, in the campaigns up to `after_campaign`. Since `begun_at` there
    is no account any more; `name` is what it was called then. `left_over` are campaigns that were deleted when all
    others were gone through: what is in them is erased if they are restored.
    """

    account_id: AccountId
    what: Literal["texts", "account"]
    asked_at: datetime
    due_at: datetime
    with_texts: bool
    begun_at: datetime | None
    name: str | None
    after_campaign: CampaignId
    texts: int
    left_over: list[CampaignId]


class Invite(Struct, frozen=True):
    """A way into a campaign, for anybody who has its code, which is kept as a hash only.

    Where it is `for_account`, it lets nobody else in. `uses` counts who came in by it, of `uses_max` at most
    (None: any number).
    """

    campaign_id: CampaignId
    invite_id: UUID
    role: Role
    created_by: AccountId
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    uses: int
    uses_max: int | None
    for_account: AccountId | None = None
