"""Erasures that accounts asked for, in PostgreSQL. Every method may raise `DatabaseUnavailable`."""

from collections.abc import Collection
from typing import Literal
from uuid import UUID

from psycopg.types.numeric import Int8

from domain.accounts import AccountErasure
from domain.ids import AccountId, CampaignId
from infra.postgres.driver.binary_arrays import UuidArray
from infra.postgres.driver.database import Database
from infra.postgres.driver.row_factories import column, row_as
from infra.postgres.driver.statements import SQL

_BEFORE_ALL = UUID(int=0)


class PostgresAccountErasureStore:
    """Stores erasures until they are done."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def ask(
        self, account_id: AccountId, what: Literal["texts", "account"], seconds: int, *, with_texts: bool
    ) -> AccountErasure | None:
        """Request an erasure that begins after `seconds`; None: there is no such account.

        An account that is to be erased is signed out everywhere. A repeated request keeps the first one's time.
        """
        return await self._database.execute_one(
            SQL["ask_erasure"],
            row_as(AccountErasure),
            account=account_id,
            what=what,
            seconds=Int8(seconds),
            with_texts=with_texts,
            beginning=_BEFORE_ALL,
        )

    async def of(self, account_id: AccountId) -> list[AccountErasure]:
        """The account's erasures that are not done."""
        return await self._database.read(SQL["read_erasing"], row_as(AccountErasure), account=account_id)

    async def call_off(self, account_id: AccountId) -> bool:
        """Cancel the erasure of an account; False: there is none, or it has begun."""
        return bool(await self._database.execute(SQL["call_off_erasure"], tuple, account=account_id))

    async def claim(self, seconds: int) -> AccountErasure | None:
        """Claim one erasure that is due, for so many seconds; None: there is none."""
        return await self._database.execute_one(
            SQL["claim_erasure"], row_as(AccountErasure), seconds=Int8(seconds)
        )

    async def begin(self, account_id: AccountId, seconds: int) -> bool:
        """Delete the account with its tokens and invites, and claim the erasure; False: it was cancelled."""
        return bool(
            await self._database.execute(SQL["begin_erasure"], tuple, account=account_id, seconds=Int8(seconds))
        )

    async def advance(self, erasure: AccountErasure, after: CampaignId, texts: int, seconds: int) -> bool:
        """Store the progress and keep the claim for so many seconds; False: the erasure was requested again."""
        advanced = await self._database.execute(
            SQL["advance_erasure"],
            tuple,
            account=erasure.account_id,
            what=erasure.what,
            asked_at=erasure.asked_at,
            after=after,
            texts=Int8(texts),
            seconds=Int8(seconds),
        )
        return bool(advanced)

    async def defer(
        self, erasure: AccountErasure, finished_ids: Collection[CampaignId], seconds: int, *, with_deleted: bool
    ) -> list[CampaignId] | None:
        """Store what is left over: without `finished_ids`, plus what is deleted by now. None: requested again.

        Campaigns that do not exist any more drop out. Keeps the claim for so many seconds.
        """
        return await self._database.execute_one(
            SQL["defer_erasure"],
            column(list[CampaignId]),
            account=erasure.account_id,
            what=erasure.what,
            asked_at=erasure.asked_at,
            done=UuidArray(list(finished_ids)),
            with_deleted=with_deleted,
            seconds=Int8(seconds),
        )

    async def finish(self, erasure: AccountErasure) -> bool:
        """Delete a finished erasure; False: it was requested again."""
        finished = await self._database.execute(
            SQL["finish_erasure"], tuple, account=erasure.account_id, what=erasure.what, asked_at=erasure.asked_at
        )
        return bool(finished)
