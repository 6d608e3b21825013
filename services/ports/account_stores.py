"""Where accounts, their names, and invites are stored."""

from collections.abc import Iterable
from typing import Protocol
from uuid import UUID

from domain.accounts import Account, Invite, Token, TokenOwner
from domain.ids import AccountId, CampaignId


class NameStore(Protocol):
    """How people are called."""

    async def names(self, ids: Iterable[AccountId]) -> dict[AccountId, str]:
        """Names by account; unknown accounts are left out."""
        ...


class AccountStore(Protocol):
    """Where accounts and tokens are kept. Every method may raise `DatabaseUnavailable`."""

    async def create(self, account_id: AccountId, name: str, name_key: str, password_hash: str) -> bool:
        """Keep a new account; False if its name is taken."""
        ...

    async def by_name(self, name_key: str) -> Account | None:
        """The account of that name."""
        ...

    async def by_id(self, account_id: AccountId) -> Account | None:
        """The account."""
        ...

    async def change_password(self, account_id: AccountId, password_hash: str, token_id: UUID) -> None:
        """Keep another password; every token but this one becomes worthless."""
        ...

    async def add_token(self, token_id: UUID, account_id: AccountId, label: str, token_hash: bytes) -> None:
        """Keep a new token."""
        ...

    async def token_owner(self, token_hash: bytes) -> TokenOwner | None:
        """Whose token that is, unless it was revoked."""
        ...

    async def tokens(self, account_id: AccountId) -> list[Token]:
        """The tokens of an account that are not revoked."""
        ...

    async def revoke(self, account_id: AccountId, token_id: UUID) -> bool:
        """Make a token worthless; False if the account has no such token."""
        ...


class InviteStore(Protocol):
    """Where invites are kept. Every method may raise `DatabaseUnavailable`.

    The append that takes an account's lead of a campaign, or its membership, makes worthless what the account made
    there and what was made for it.
    """

    async def create(self, invite: Invite, code_hash: bytes) -> None:
        """Keep a new invite."""
        ...

    async def find(self, campaign_id: CampaignId, code_hash: bytes) -> Invite | None:
        """The invite with that code, revoked or expired as it may be."""
        ...

    async def list(self, campaign_id: CampaignId) -> list[Invite]:
        """All invites of a campaign, newest first."""
        ...

    async def use(self, campaign_id: CampaignId, invite_id: UUID) -> bool:
        """Count one more who comes in; False where as many have as may."""
        ...

    async def give_back(self, campaign_id: CampaignId, invite_id: UUID) -> None:
        """Count one less who came in."""
        ...

    async def revoke(self, campaign_id: CampaignId, invite_id: UUID) -> bool:
        """Make an invite worthless; False if there is no such one."""
        ...
