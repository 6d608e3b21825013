"""Accounts, tokens and invites in PostgreSQL. Every method may raise `DatabaseUnavailable`."""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.errors import ForeignKeyViolation, UniqueViolation

from domain.accounts import (
    SESSION_IDLE,
    SESSION_LONGEST,
    SESSION_SHARED,
    SESSIONS_MAX,
    TOKEN_IDLE,
    UNLIMITED,
    Account,
    Invite,
    LooksTaken,
    Session,
    Token,
    TokenLimits,
    TokenOwner,
)
from domain.event_store_types import DatabaseUnavailable
from domain.ids import AccountId, CampaignId
from infra.postgres.driver.binary_arrays import BytesArray, TextArray, UuidArray
from infra.postgres.driver.database import Database
from infra.postgres.driver.row_factories import column, row_as
from infra.postgres.driver.statements import SQL

_SESSION_SECONDS = {
    "idle": int(SESSION_IDLE.total_seconds()),
    "longest": int(SESSION_LONGEST.total_seconds()),
}
_SHARED_SECONDS = int(SESSION_SHARED.total_seconds())
_UNUSED_SECONDS = int(TOKEN_IDLE.total_seconds())


class _TokenRows:
    """Reads the rows of tokens; one query reads all that are asked for at once, as feeds do after an action."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._hashes: set[bytes] = set()
        self._query: asyncio.Task[dict[bytes, Sequence[Any]]] | None = None

    async def row_of(self, token_hash: bytes) -> Sequence[Any] | None:
        """The row of a token; None: there is no such token now."""
        self._hashes.add(token_hash)
        self._query = self._query or asyncio.create_task(self._ask())
        rows = await asyncio.shield(self._query)  # it goes on for others if this one hangs up
        return rows.get(token_hash)

    async def _ask(self) -> dict[bytes, Sequence[Any]]:
        await asyncio.sleep(0)  # until everybody has asked who does at this moment
        hashes, self._hashes, self._query = BytesArray([*self._hashes]), set(), None
        rows = await self._database.read(
            SQL["read_token_owners"], tuple, token_hashes=hashes, unused=_UNUSED_SECONDS
        )
        return {token_hash: row for token_hash, *row in rows}


class PostgresAccountStore:
    """Keeps accounts and their tokens, these as hashes only."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._token_rows = _TokenRows(database)

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
        try:
            created = await self._database.execute(
                SQL["create_account"],
                tuple,
                account=account_id,
                name=name,
                name_key=name_key,
                password_hash=password_hash,
                invite=invite_id,
                looks=TextArray(sorted(set(looks))),  # in one order, so that no two wait for each other
            )
        except UniqueViolation:
            raise LooksTaken from None
        return bool(created)

    async def rename(self, account_id: AccountId, name: str, name_key: str, looks: Collection[str]) -> bool:
        """Give an account another name; False: its `name_key` is taken. Raises `LooksTaken` if a look is."""
        try:
            renamed = await self._database.execute(
                SQL["rename_account"],
                tuple,
                account=account_id,
                name=name,
                name_key=name_key,
                looks=TextArray(sorted(set(looks))),
            )
        except UniqueViolation as failure:
            if failure.diag.table_name == "accounts":
                return False  # another account took it just now
            raise LooksTaken from None
        return bool(renamed)

    async def names_to_note(self, limit: int) -> list[tuple[AccountId, str]]:
        """Accounts and their names, oldest first, whose looks are not noted yet."""
        return await self._database.read(SQL["read_names_to_note"], tuple, most=limit)

    async def note_looks(self, looks: Sequence[tuple[AccountId, str]]) -> None:
        """Note what the names of accounts look like; of those that look the same, the first has the looks."""
        await self._database.execute(
            SQL["note_looks"],
            tuple,
            accounts=UuidArray([account for account, _ in looks]),
            looks=TextArray([text for _, text in looks]),
        )

    async def by_name(self, name_key: str) -> Account | None:
        """Find the account of that name."""
        return await self._database.read_one(SQL["read_account"], row_as(Account), name_key=name_key)

    async def by_id(self, account_id: AccountId) -> Account | None:
        """Find an account."""
        return await self._database.read_one(SQL["read_account_of"], row_as(Account), account=account_id)

    async def change_password(self, account_id: AccountId, password_hash: str, token_id: UUID) -> None:
        """Store another password hash; all tokens but this one become invalid, and a link to a new password."""
        await self._database.execute(
            SQL["change_password"], tuple, account=account_id, password_hash=password_hash, token=token_id
        )

    async def offer_reset(self, account_id: AccountId, code_hash: bytes, seconds: int) -> datetime | None:
        """Store a code for one new password, in place of an earlier one; when it ends. None: no such account."""
        try:
            rows = await self._database.execute(
                SQL["offer_reset"], column(datetime), account=account_id, code_hash=code_hash, seconds=seconds
            )
        except ForeignKeyViolation:
            return None
        return rows[0]

    async def reset_of(self, code_hash: bytes) -> Account | None:
        """Find the account that a code is for; None: it is none, was used, or is over."""
        return await self._database.read_one(SQL["read_reset"], row_as(Account), code_hash=code_hash)

    async def reset_password(self, code_hash: bytes, password_hash: str) -> AccountId | None:
        """Use a code up: store another password hash; all tokens become invalid. None: as in `reset_of`."""
        rows = await self._database.execute(
            SQL["reset_password"], column(AccountId), code_hash=code_hash, password_hash=password_hash
        )
        return rows[0] if rows else None

    async def disable(self, account_id: AccountId, *, disabled: bool) -> bool:
        """Disable or enable an account; False: it is so already, or there is none."""
        return bool(
            await self._database.execute(SQL["disable_account"], tuple, account=account_id, disabled=disabled)
        )

    async def set_time_zone(self, account_id: AccountId, time_zone: str | None) -> None:
        """Keep in which time zone the account is told times."""
        await self._database.execute(SQL["set_time_zone"], tuple, account=account_id, time_zone=time_zone)

    async def set_language(self, account_id: AccountId, language: str | None) -> None:
        """Keep which language the account reads."""
        await self._database.execute(SQL["set_language"], tuple, account=account_id, language=language)

    async def names(self, ids: Iterable[AccountId]) -> dict[AccountId, str]:
        """Find names by account; unknown accounts are left out."""
        accounts = UuidArray(list(ids))
        return dict(await self._database.read(SQL["read_names"], tuple, accounts=accounts))

    async def add_token(
        self,
        token_id: UUID,
        account_id: AccountId,
        label: str,
        token_hash: bytes,
        limits: TokenLimits = UNLIMITED,
    ) -> None:
        """Insert a new token of an account; does nothing if the account was deleted meanwhile."""
        with suppress(ForeignKeyViolation):
            await self._database.execute(
                SQL["add_token"],
                tuple,
                token=token_id,
                account=account_id,
                label=label,
                token_hash=token_hash,
                scope=limits.scope,
                only_campaign=limits.campaign_id,
                ends_at=limits.ends_at,
                requests_per_minute=limits.requests_per_minute,
            )

    async def token_owner(self, token_hash: bytes) -> TokenOwner | None:
        """Find the owner of a valid token; notes once an hour that it was used, which prolongs a session."""
        row = await self._token_rows.row_of(token_hash)
        if row is None:
            return None
        *owner, scope, campaign, ends_at, per_minute, is_session, is_to_note = row
        if is_to_note:
            with suppress(DatabaseUnavailable):  # a database that takes no writes can still be read from
                await self._database.execute(SQL["note_token_use"], tuple, token=owner[0], **_SESSION_SECONDS)
        limits = UNLIMITED if is_session else TokenLimits(scope, campaign, ends_at, per_minute)
        token_id, account_id, name, language, time_zone, is_disabled = owner
        return TokenOwner(token_id, account_id, name, language, time_zone, is_disabled, limits)

    async def tokens(self, account_id: AccountId) -> list[Token]:
        """List the account's tokens that are not revoked, oldest first."""
        return await self._database.read(SQL["read_tokens"], _token, account=account_id, unused=_UNUSED_SECONDS)

    async def revoke(self, account_id: AccountId, token_id: UUID) -> bool:
        """Revoke a token; False: the account has no such token, or it is revoked already."""
        return bool(await self._database.execute(SQL["revoke_token"], tuple, account=account_id, token=token_id))

    async def add_session(
        self, session_id: UUID, account_id: AccountId, label: str, token_hash: bytes, *, is_shared: bool = False
    ) -> None:
        """Insert a session, then delete those that are over or too many. `is_shared`: on a shared computer.

        Does nothing if the account was deleted meanwhile. Of several sign-ins at once, the one that deletes last
        sees the sessions of all of them.
        """
        with suppress(ForeignKeyViolation):
            await self._database.execute(
                SQL["add_session"],
                tuple,
                token=session_id,
                account=account_id,
                label=label,
                token_hash=token_hash,
                shared=_SHARED_SECONDS if is_shared else None,
                **_SESSION_SECONDS,
            )
        await self._database.execute(SQL["trim_sessions"], tuple, account=account_id, most=SESSIONS_MAX)

    async def sessions(self, account_id: AccountId) -> list[Session]:
        """List the account's sessions that are not over, by id."""
        return await self._database.read(SQL["read_sessions"], row_as(Session), account=account_id)

    async def end_session(self, account_id: AccountId, session_id: UUID) -> bool:
        """Delete a session; False: the account has no such session, or it is over already."""
        return bool(await self._database.execute(SQL["end_session"], tuple, account=account_id, token=session_id))

    async def end_other_sessions(self, account_id: AccountId, own_session: UUID) -> None:
        """Delete all sessions of the account but that one."""
        await self._database.execute(SQL["end_other_sessions"], tuple, account=account_id, token=own_session)


class PostgresInviteStore:
    """Keeps invites, their codes as hashes only."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, invite: Invite, code_hash: bytes) -> None:
        """Insert a new invite, not yet revoked; one with that code stays as it is."""
        await self._database.execute(
            SQL["create_invite"],
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
        return await self._database.read_one(
            SQL["read_invite"], row_as(Invite), campaign=campaign_id, code_hash=code_hash
        )

    async def list(self, campaign_id: CampaignId) -> list[Invite]:
        """List all invites of a campaign, newest first."""
        return await self._database.read(SQL["read_invites"], row_as(Invite), campaign=campaign_id)

    async def use(self, campaign_id: CampaignId, invite_id: UUID) -> bool:
        """Count one more use; False: the invite is used up or revoked."""
        return bool(await self._database.execute(SQL["use_invite"], tuple, campaign=campaign_id, invite=invite_id))

    async def give_back(self, campaign_id: CampaignId, invite_id: UUID) -> None:
        """Count one use less."""
        await self._database.execute(SQL["give_back_invite"], tuple, campaign=campaign_id, invite=invite_id)

    async def revoke(self, campaign_id: CampaignId, invite_id: UUID) -> bool:
        """Revoke an invite; False: there is none."""
        return bool(
            await self._database.execute(SQL["revoke_invite"], tuple, campaign=campaign_id, invite=invite_id)
        )


def _token(row: Sequence[Any]) -> Token:
    token_id, label, created_at, last_used_at, *limits = row
    return Token(token_id, label, created_at, last_used_at, TokenLimits(*limits))
