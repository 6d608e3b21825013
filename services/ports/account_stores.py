"""Where accounts, their names, and invites are stored."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from domain.accounts import UNLIMITED, Account, Invite, Session, Token, TokenLimits, TokenOwner
from domain.ids import AccountId, CampaignId


class NameStore(Protocol):
    """Looks up the names of accounts."""

    async def names(self, ids: Iterable[AccountId]) -> dict[AccountId, str]:
        """Names by account; unknown accounts are left out."""
        ...


class AccountStore(Protocol):
    """Stores accounts and tokens. Every method may raise `DatabaseUnavailable`."""

    async def create(
        self,
        account_id: AccountId,
        name: str,
        name_key: str,
        password_hash: str,
        invite_id: UUID | None = None,
        looks: Collection[str] = (),
    ) -> bool:
        """Insert a new account; False: its `name_key` is taken. Raises `LooksTaken` if one of `looks` is."""
        ...

    async def rename(self, account_id: AccountId, name: str, name_key: str, looks: Collection[str]) -> bool:
        """Give an account another name; False: another has the `name_key`. The former one is free then.

        Raises `LooksTaken` if one of `looks` is.
        """
        ...

    async def names_to_note(self, limit: int) -> list[tuple[AccountId, str]]:
        """Accounts and their names, oldest first, whose looks are not noted yet."""
        ...

    async def note_looks(self, looks: Sequence[tuple[AccountId, str]]) -> None:
        """Note what the names of accounts look like; of those that look the same, the first has the looks."""
        ...

    async def by_name(self, name_key: str) -> Account | None:
        """The account of that name."""
        ...

    async def by_id(self, account_id: AccountId) -> Account | None:
        """The account."""
        ...

    async def change_password(self, account_id: AccountId, password_hash: str, token_id: UUID) -> None:
        """Store another password hash; all tokens but this one become invalid, and a link to a new password."""
        ...

    async def offer_reset(self, account_id: AccountId, code_hash: bytes, seconds: int) -> datetime | None:
        """Store a code for one new password, in place of an earlier one; when it ends. None: no such account."""
        ...

    async def reset_of(self, code_hash: bytes) -> Account | None:
        """The account that a code is for; None: it is none, was used, or is over."""
        ...

    async def reset_password(self, code_hash: bytes, password_hash: str) -> AccountId | None:
        """Use a code up: store another password hash; all tokens become invalid. None: as in `reset_of`."""
        ...

    async def disable(self, account_id: AccountId, *, disabled: bool) -> bool:
        """Disable or enable an account; False: it is so already, or there is none."""
        ...

    async def set_time_zone(self, account_id: AccountId, time_zone: str | None) -> None:
        """Keep in which time zone an account is told times; None: it does not say."""
        ...

    async def set_language(self, account_id: AccountId, language: str | None) -> None:
        """Keep which language an account reads; None: it does not say."""
        ...

    async def add_token(
        self,
        token_id: UUID,
        account_id: AccountId,
        label: str,
        token_hash: bytes,
        limits: TokenLimits = UNLIMITED,
    ) -> None:
        """Insert a new token."""
        ...

    async def token_owner(self, token_hash: bytes) -> TokenOwner | None:
        """The owner of a token that is valid, of a program or of a browser's session."""
        ...

    async def tokens(self, account_id: AccountId) -> list[Token]:
        """The tokens of an account that are not revoked; a browser's session is none of them."""
        ...

    async def revoke(self, account_id: AccountId, token_id: UUID) -> bool:
        """Revoke a token; False: the account has no such token."""
        ...

    async def add_session(
        self, session_id: UUID, account_id: AccountId, label: str, token_hash: bytes, *, is_shared: bool = False
    ) -> None:
        """Insert a browser's session. Of more than `SESSIONS_MAX`, those that were used last stay.

        `is_shared`: on a shared computer it is over after `SESSION_SHARED`.
        """
        ...

    async def sessions(self, account_id: AccountId) -> list[Session]:
        """The sessions of an account that are not over, by id."""
        ...

    async def end_session(self, account_id: AccountId, session_id: UUID) -> bool:
        """Delete a session; False: the account has no such session."""
        ...

    async def end_other_sessions(self, account_id: AccountId, own_session: UUID) -> None:
        """Delete all sessions of an account but that one."""
        ...


class InviteStore(Protocol):
    """Stores invites. Every method may raise `DatabaseUnavailable`.

    The append that ends an account's role as GM, or its membership, revokes the invites that the account made
    there and those made for it.
    """

    async def create(self, invite: Invite, code_hash: bytes) -> None:
        """Insert a new invite; one with that code stays as it is."""
        ...

    async def find(self, campaign_id: CampaignId, code_hash: bytes) -> Invite | None:
        """The invite with that code, even if it is revoked or expired."""
        ...

    async def list(self, campaign_id: CampaignId) -> list[Invite]:
        """All invites of a campaign, newest first."""
        ...

    async def use(self, campaign_id: CampaignId, invite_id: UUID) -> bool:
        """Count one more use; False: the invite is used up."""
        ...

    async def give_back(self, campaign_id: CampaignId, invite_id: UUID) -> None:
        """Count one use less."""
        ...

    async def revoke(self, campaign_id: CampaignId, invite_id: UUID) -> bool:
        """Revoke an invite; False: there is none."""
        ...
