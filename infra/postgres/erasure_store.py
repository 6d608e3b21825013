"""What accounts asked to have erased, in PostgreSQL. Every method may raise `DatabaseUnavailable`."""

from collections.abc import Collection, Sequence
from typing import Any, Literal
from uuid import UUID

from psycopg.types.numeric import Int8

from domain.accounts import AccountErasure
from domain.ids import AccountId, CampaignId
from infra.postgres.driver.binary_arrays import UuidArray
from infra.postgres.driver.database import Database
from infra.postgres.driver.statements import statement

_ASK = statement("ask_erasure")
_READ = statement("read_erasing")
_CALL_OFF = statement("call_off_erasure")
_CLAIM = statement("claim_erasure")
_BEGIN = statement("begin_erasure")
_ADVANCE = statement("advance_erasure")
_DEFER = statement("defer_erasure")
_FINISH = statement("finish_erasure")

_BEFORE_ALL = UUID(int=0)


class PostgresAccountErasureStore:
    """Keeps them until they are done."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def ask(
        self, account_id: AccountId, what: Literal["texts", "account"], seconds: int, *, with_texts: bool
    ) -> AccountErasure | None:
        """Have something erased, from so many seconds on; None: there is no such account.

        Who asks for the account is signed out everywhere. Asked again, its time comes when it would have come.
        """
        asked = await self._database.execute(
            _ASK,
            _erasure,
            account=account_id,
            what=what,
            seconds=Int8(seconds),
            with_texts=with_texts,
            beginning=_BEFORE_ALL,
        )
        return asked[0] if asked else None

    async def of(self, account_id: AccountId) -> list[AccountErasure]:
        """What an account has asked for and is not yet done."""
        return await self._database.read(_READ, _erasure, account=account_id)

    async def call_off(self, account_id: AccountId) -> bool:
        """Keep the account; False: it was not to be erased, or it has begun."""
        return bool(await self._database.execute(_CALL_OFF, tuple, account=account_id))

    async def claim(self, seconds: int) -> AccountErasure | None:
        """Take one whose time has come, for so many seconds; None: there is none."""
        claimed = await self._database.execute(_CLAIM, _erasure, seconds=Int8(seconds))
        return claimed[0] if claimed else None

    async def begin(self, account_id: AccountId, seconds: int) -> bool:
        """Take the account away, with its tokens and invites, and claim it so long; False: it was called off."""
        return bool(await self._database.execute(_BEGIN, tuple, account=account_id, seconds=Int8(seconds)))

    async def advance(self, erasure: AccountErasure, after: CampaignId, texts: int, seconds: int) -> bool:
        """Note how far it has come, and keep it for so many seconds; False: it was asked for again."""
        advanced = await self._database.execute(
            _ADVANCE,
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
        self, erasure: AccountErasure, done: Collection[CampaignId], seconds: int, *, with_deleted: bool
    ) -> list[CampaignId] | None:
        """Note what is left over: less what is `done`, and with what is deleted by now; None: asked for again.

        What does not exist any more drops out. Keeps it for so many seconds.
        """
        deferred = await self._database.execute(
            _DEFER,
            _left_over,
            account=erasure.account_id,
            what=erasure.what,
            asked_at=erasure.asked_at,
            done=UuidArray(list(done)),
            with_deleted=with_deleted,
            seconds=Int8(seconds),
        )
        return deferred[0] if deferred else None

    async def finish(self, erasure: AccountErasure) -> bool:
        """It is done; False: it was asked for again."""
        finished = await self._database.execute(
            _FINISH, tuple, account=erasure.account_id, what=erasure.what, asked_at=erasure.asked_at
        )
        return bool(finished)


def _erasure(row: Sequence[Any]) -> AccountErasure:
    return AccountErasure(*row)


def _left_over(row: Sequence[Any]) -> list[CampaignId]:
    left_over: list[CampaignId] = row[0]
    return left_over
