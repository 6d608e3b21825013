"""Accounts, tokens and invites in PostgreSQL. Every method may raise `DatabaseUnavailable`."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

from psycopg.errors import ForeignKeyViolation

from domain.accounts import Account, Invite, Token, TokenOwner
from domain.event_store_types import DatabaseUnavailable
from domain.ids import AccountId, CampaignId
from infra.postgres.driver.binary_arrays import UuidArray
from infra.postgres.driver.database import Database
from infra.postgres.driver.statements import statement

_CREATE_ACCOUNT = statement("create_account")
_READ_ACCOUNT = statement("read_account")
_READ_ACCOUNT_OF = statement("read_account_of")
_CHANGE_PASSWORD = statement("change_password")
_READ_NAMES = statement("read_names")
_ADD_TOKEN = statement("add_token")
_READ_TOKEN_OWNER = statement("read_token_owner")
_NOTE_TOKEN_USE = statement("note_token_use")
_READ_TOKENS = statement("read_tokens")
_REVOKE_TOKEN = statement("revoke_token")
_CREATE_INVITE = statement("create_invite")
_READ_INVITE = statement("read_invite")
_READ_INVITES = statement("read_invites")
_USE_INVITE = statement("use_invite")
_GIVE_BACK_INVITE = statement("give_back_invite")
_REVOKE_INVITE = statement("revoke_invite")


class PostgresAccountStore:
    """Keeps accounts and their tokens, these as hashes only."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, account_id: AccountId, name: str, name_key: str, password_hash: str) -> bool:
        """Keep a new account; False: somebody has that `name_key` already."""
        created = await self._database.execute(
            _CREATE_ACCOUNT,
            tuple,
            account=account_id,
            name=name,
            name_key=name_key,
            password_hash=password_hash,
        )
        return bool(created)

    async def by_name(self, name_key: str) -> Account | None:
        """Find the account of that name."""
        found = await self._database.read(_READ_ACCOUNT, _account, name_key=name_key)
        return found[0] if found else None

    async def by_id(self, account_id: AccountId) -> Account | None:
        """Find an account."""
        found = await self._database.read(_READ_ACCOUNT_OF, _account, account=account_id)
        return found[0] if found else None

    async def change_password(self, account_id: AccountId, password_hash: str, token_id: UUID) -> None:
        """Keep another password; every token but this one becomes worthless."""
        await self._database.execute(
            _CHANGE_PASSWORD, tuple, account=account_id, password_hash=password_hash, token=token_id
        )

    async def names(self, ids: Iterable[AccountId]) -> dict[AccountId, str]:
        """Find names by account; unknown accounts are left out."""
        accounts = UuidArray(list(ids))
        return dict(await self._database.read(_READ_NAMES, _name, accounts=accounts))

    async def add_token(self, token_id: UUID, account_id: AccountId, label: str, token_hash: bytes) -> None:
        """Keep a new token of an account; of one that is gone by now, none."""
        with suppress(ForeignKeyViolation):
            await self._database.execute(
                _ADD_TOKEN, tuple, token=token_id, account=account_id, label=label, token_hash=token_hash
            )

    async def token_owner(self, token_hash: bytes) -> TokenOwner | None:
        """Find whose token that is, unless it was revoked; notes once an hour that it was used."""
        found = await self._database.read(_READ_TOKEN_OWNER, tuple, token_hash=token_hash)
        if not found:
            return None
        *owner, is_to_note = found[0]
        if is_to_note:
            with suppress(DatabaseUnavailable):  # a database that takes no writes can still be read from
                await self._database.execute(_NOTE_TOKEN_USE, tuple, token=owner[0])
        return TokenOwner(*owner)

    async def tokens(self, account_id: AccountId) -> list[Token]:
        """List the account's tokens that are not revoked, oldest first."""
        return await self._database.read(_READ_TOKENS, _token, account=account_id)

    async def revoke(self, account_id: AccountId, token_id: UUID) -> bool:
        """Make a token worthless; False: the account has no such token, or not any more."""
        return bool(await self._database.execute(_REVOKE_TOKEN, tuple, account=account_id, token=token_id))


class PostgresInviteStore:
    """Keeps invites, their codes as hashes only."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, invite: Invite, code_hash: bytes) -> None:
        """Keep a new invite, not yet revoked."""
        await self._database.execute(
            _CREATE_INVITE,
            tuple,
            campaign=invite.campaign_id,
            invite=invite.invite_id,
            code_hash=code_hash,
            role=invite.role,
            created_by=invite.created_by,
            created_at=invite.created_at,
            expires_at=invite.expires_at,
            uses_max=invite.uses_max,
            for_account=invite.for_account,
        )

    async def find(self, campaign_id: CampaignId, code_hash: bytes) -> Invite | None:
        """Find the invite with that code, revoked or expired as it may be."""
        found = await self._database.read(_READ_INVITE, _invite, campaign=campaign_id, code_hash=code_hash)
        return found[0] if found else None

    async def list(self, campaign_id: CampaignId) -> list[Invite]:
        """List all invites of a campaign, newest first."""
        return await self._database.read(_READ_INVITES, _invite, campaign=campaign_id)

    async def use(self, campaign_id: CampaignId, invite_id: UUID) -> bool:
        """Count one more who comes in; False: as many have as may, or it is revoked."""
        return bool(await self._database.execute(_USE_INVITE, tuple, campaign=campaign_id, invite=invite_id))

    async def give_back(self, campaign_id: CampaignId, invite_id: UUID) -> None:
        """Count one less who came in."""
        await self._database.execute(_GIVE_BACK_INVITE, tuple, campaign=campaign_id, invite=invite_id)

    async def revoke(self, campaign_id: CampaignId, invite_id: UUID) -> bool:
        """Make an invite worthless; False: there is no such one, or not any more."""
        return bool(await self._database.execute(_REVOKE_INVITE, tuple, campaign=campaign_id, invite=invite_id))


def _account(row: Sequence[Any]) -> Account:
    return Account(*row)


def _name(row: Sequence[Any]) -> tuple[AccountId, str]:
    account_id, name = row
    return account_id, name


def _token(row: Sequence[Any]) -> Token:
    return Token(*row)


def _invite(row: Sequence[Any]) -> Invite:
    return Invite(*row)
