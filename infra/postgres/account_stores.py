"""Accounts, tokens and invites in PostgreSQL. Every method may raise `DatabaseUnavailable`."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

from psycopg.errors import ForeignKeyViolation

from domain.accounts import (
    SESSION_IDLE,
    SESSION_LONGEST,
    SESSIONS_MAX,
    Account,
    Invite,
    Session,
    Token,
    TokenOwner,
)
from domain.event_store_types import DatabaseUnavailable
from domain.ids import AccountId, CampaignId
from infra.postgres.driver.binary_arrays import UuidArray
from infra.postgres.driver.database import Database
from infra.postgres.driver.statements import statement

_CREATE_ACCOUNT = statement("create_account")
_READ_ACCOUNT = statement("read_account")
_READ_ACCOUNT_OF = statement("read_account_of")
_CHANGE_PASSWORD = statement("change_password")
_SET_LANGUAGE = statement("set_language")
_READ_NAMES = statement("read_names")
_ADD_TOKEN = statement("add_token")
_READ_TOKEN_OWNER = statement("read_token_owner")
_NOTE_TOKEN_USE = statement("note_token_use")
_READ_TOKENS = statement("read_tokens")
_REVOKE_TOKEN = statement("revoke_token")
_ADD_SESSION = statement("add_session")
_TRIM_SESSIONS = statement("trim_sessions")
_READ_SESSIONS = statement("read_sessions")
_END_SESSION = statement("end_session")
_END_OTHER_SESSIONS = statement("end_other_sessions")
_SESSION_SECONDS = {
    "idle": int(SESSION_IDLE.total_seconds()),
    "longest": int(SESSION_LONGEST.total_seconds()),
}
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
        """Insert a new account; False: its `name_key` is taken."""
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
        """Store another password hash; all tokens but this one become invalid."""
        await self._database.execute(
            _CHANGE_PASSWORD, tuple, account=account_id, password_hash=password_hash, token=token_id
        )

    async def set_language(self, account_id: AccountId, language: str | None) -> None:
        """Keep which language the account reads."""
        await self._database.execute(_SET_LANGUAGE, tuple, account=account_id, language=language)

    async def names(self, ids: Iterable[AccountId]) -> dict[AccountId, str]:
        """Find names by account; unknown accounts are left out."""
        accounts = UuidArray(list(ids))
        return dict(await self._database.read(_READ_NAMES, _name, accounts=accounts))

    async def add_token(self, token_id: UUID, account_id: AccountId, label: str, token_hash: bytes) -> None:
        """Insert a new token of an account; does nothing if the account was deleted meanwhile."""
        with suppress(ForeignKeyViolation):
            await self._database.execute(
                _ADD_TOKEN, tuple, token=token_id, account=account_id, label=label, token_hash=token_hash
            )

    async def token_owner(self, token_hash: bytes) -> TokenOwner | None:
        """Find the owner of a valid token; notes once an hour that it was used, which prolongs a session."""
        found = await self._database.read(_READ_TOKEN_OWNER, tuple, token_hash=token_hash)
        if not found:
            return None
        *owner, is_to_note = found[0]
        if is_to_note:
            with suppress(DatabaseUnavailable):  # a database that takes no writes can still be read from
                await self._database.execute(_NOTE_TOKEN_USE, tuple, token=owner[0], **_SESSION_SECONDS)
        return TokenOwner(*owner)

    async def tokens(self, account_id: AccountId) -> list[Token]:
        """List the account's tokens that are not revoked, oldest first."""
        return await self._database.read(_READ_TOKENS, lambda row: Token(*row), account=account_id)

    async def revoke(self, account_id: AccountId, token_id: UUID) -> bool:
        """Revoke a token; False: the account has no such token, or it is revoked already."""
        return bool(await self._database.execute(_REVOKE_TOKEN, tuple, account=account_id, token=token_id))

    async def add_session(self, session_id: UUID, account_id: AccountId, label: str, token_hash: bytes) -> None:
        """Insert a session, then delete those that are over or too many.

        Does nothing if the account was deleted meanwhile. Of several sign-ins at once, the one that deletes last
        sees the sessions of all of them.
        """
        with suppress(ForeignKeyViolation):
            await self._database.execute(
                _ADD_SESSION,
                tuple,
                token=session_id,
                account=account_id,
                label=label,
                token_hash=token_hash,
                **_SESSION_SECONDS,
            )
        await self._database.execute(_TRIM_SESSIONS, tuple, account=account_id, most=SESSIONS_MAX)

    async def sessions(self, account_id: AccountId) -> list[Session]:
        """List the account's sessions that are not over, by id."""
        return await self._database.read(_READ_SESSIONS, lambda row: Session(*row), account=account_id)

    async def end_session(self, account_id: AccountId, session_id: UUID) -> bool:
        """Delete a session; False: the account has no such session, or it is over already."""
        return bool(await self._database.execute(_END_SESSION, tuple, account=account_id, token=session_id))

    async def end_other_sessions(self, account_id: AccountId, kept: UUID) -> None:
        """Delete all sessions of the account but that one."""
        await self._database.execute(_END_OTHER_SESSIONS, tuple, account=account_id, token=kept)


class PostgresInviteStore:
    """Keeps invites, their codes as hashes only."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, invite: Invite, code_hash: bytes) -> None:
        """Insert a new invite, not yet revoked."""
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
        """Find the invite with that code, even if it is revoked or expired."""
        found = await self._database.read(_READ_INVITE, _invite, campaign=campaign_id, code_hash=code_hash)
        return found[0] if found else None

    async def list(self, campaign_id: CampaignId) -> list[Invite]:
        """List all invites of a campaign, newest first."""
        return await self._database.read(_READ_INVITES, _invite, campaign=campaign_id)

    async def use(self, campaign_id: CampaignId, invite_id: UUID) -> bool:
        """Count one more use; False: the invite is used up or revoked."""
        return bool(await self._database.execute(_USE_INVITE, tuple, campaign=campaign_id, invite=invite_id))

    async def give_back(self, campaign_id: CampaignId, invite_id: UUID) -> None:
        """Count one use less."""
        await self._database.execute(_GIVE_BACK_INVITE, tuple, campaign=campaign_id, invite=invite_id)

    async def revoke(self, campaign_id: CampaignId, invite_id: UUID) -> bool:
        """Revoke an invite; False: there is none, or it is revoked already."""
        return bool(await self._database.execute(_REVOKE_INVITE, tuple, campaign=campaign_id, invite=invite_id))


def _account(row: Sequence[Any]) -> Account:
    return Account(*row)


def _name(row: Sequence[Any]) -> tuple[AccountId, str]:
    account_id, name = row
    return account_id, name


def _invite(row: Sequence[Any]) -> Invite:
    return Invite(*row)
