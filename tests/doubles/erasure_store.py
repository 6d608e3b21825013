"""What accounts asked to have erased, in plain dicts."""

from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from typing import Literal
from uuid import UUID

from msgspec.structs import replace

from domain.accounts import AccountErasure
from domain.ids import AccountId, CampaignId
from tests.doubles.account_stores import MemoryAccountStore, MemoryInviteStore
from tests.doubles.event_store import MemoryEventStore

_BEFORE_ALL = CampaignId(UUID(int=0))


class MemoryAccountErasureStore:
    """Keeps them until they are done. `clock` gives microseconds UTC."""

    def __init__(
        self,
        accounts: MemoryAccountStore,
        invites: MemoryInviteStore,
        log: MemoryEventStore,
        clock: Callable[[], int],
    ) -> None:
        self._accounts = accounts
        self._invites = invites
        self._log = log
        self._clock = clock
        self._asked: dict[tuple[AccountId, str], AccountErasure] = {}
        self._claimed: dict[tuple[AccountId, str], datetime] = {}

    async def ask(
        self, account_id: AccountId, what: Literal["texts", "account"], seconds: int, *, with_texts: bool
    ) -> AccountErasure | None:
        """Have something erased, from so many seconds on; None: there is no such account.

        Who asks for the account is signed out everywhere. Asked again, its time comes when it would have come.
        """
        if await self._accounts.by_id(account_id) is None:
            return None
        now = self._now()
        before = self._asked.get((account_id, what))
        due_at = now + timedelta(seconds=seconds) if before is None else before.due_at
        asked = AccountErasure(account_id, what, now, due_at, with_texts, None, None, _BEFORE_ALL, 0, [])
        self._asked[account_id, what] = asked
        if what == "account":
            self._accounts.sign_out(account_id)
        return asked

    async def of(self, account_id: AccountId) -> list[AccountErasure]:
        """What an account has asked for and is not yet done."""
        return [self._asked[key] for key in sorted(self._asked) if key[0] == account_id]

    async def call_off(self, account_id: AccountId) -> bool:
        """Keep the account; False: it was not to be erased, or it has begun."""
        asked = self._asked.get((account_id, "account"))
        if asked is None or asked.begun_at is not None:
            return False
        del self._asked[account_id, "account"]
        return True

    async def claim(self, seconds: int) -> AccountErasure | None:
        """Take one whose time has come, for so many seconds; None: there is none."""
        now = self._now()
        due = [
            key for key, each in self._asked.items() if each.due_at <= now and self._claimed.get(key, now) <= now
        ]
        if not due:
            return None
        first = min(due, key=lambda key: self._asked[key].due_at)
        self._claimed[first] = now + timedelta(seconds=seconds)
        return self._asked[first]

    async def begin(self, account_id: AccountId, seconds: int) -> bool:
        """Take the account away, with its tokens and invites, and claim it so long; False: it was called off."""
        asked, account = self._asked.get((account_id, "account")), await self._accounts.by_id(account_id)
        now = self._now()
        if asked is None or account is None or asked.begun_at is not None or asked.due_at > now:
            return False
        self._asked[account_id, "account"] = replace(asked, begun_at=now, name=account.name)
        self._claimed[account_id, "account"] = now + timedelta(seconds=seconds)
        self._accounts.forget(account_id)
        self._invites.revoke_all_of(account_id)
        return True

    async def advance(self, erasure: AccountErasure, after: CampaignId, texts: int, seconds: int) -> bool:
        """Note how far it has come, and keep it for so many seconds; False: it was asked for again."""
        key = (erasure.account_id, erasure.what)
        asked = self._asked.get(key)
        if asked is None or asked.asked_at != erasure.asked_at:
            return False
        self._asked[key] = replace(asked, after_campaign=after, texts=asked.texts + texts)
        self._claimed[key] = self._now() + timedelta(seconds=seconds)
        return True

    async def defer(
        self, erasure: AccountErasure, finished_ids: Collection[CampaignId], seconds: int, *, with_deleted: bool
    ) -> list[CampaignId] | None:
        """Note what is left over: less what is `done`, and with what is deleted by now; None: asked for again.

        What does not exist any more drops out. Keeps it for so many seconds.
        """
        key = (erasure.account_id, erasure.what)
        asked = self._asked.get(key)
        if asked is None or asked.asked_at != erasure.asked_at:
            return None
        deleted, there = set(self._log.deleted), {*self._log.deleted, *self._log.heads()}
        left = (set(asked.left_over) & there) - set(finished_ids) | (deleted if with_deleted else set())
        self._asked[key] = replace(asked, left_over=sorted(left))
        self._claimed[key] = self._now() + timedelta(seconds=seconds)
        return sorted(left)

    async def finish(self, erasure: AccountErasure) -> bool:
        """It is done; False: it was asked for again."""
        key = (erasure.account_id, erasure.what)
        if key not in self._asked or self._asked[key].asked_at != erasure.asked_at:
            return False
        del self._asked[key]
        return True

    def _now(self) -> datetime:
        return datetime.fromtimestamp(0, UTC) + timedelta(microseconds=self._clock())
