"""Stores the erasures that accounts asked for."""

from collections.abc import Collection
from typing import Literal, Protocol

from domain.accounts import AccountErasure
from domain.ids import AccountId, CampaignId


class AccountErasureStore(Protocol):
    """Stores erasures until they are done. Every method may raise `DatabaseUnavailable`."""

    async def ask(
        self, account_id: AccountId, what: Literal["texts", "account"], seconds: int, *, with_texts: bool
    ) -> AccountErasure | None:
        """Request an erasure that begins after `seconds`; None: there is no such account."""
        ...

    async def of(self, account_id: AccountId) -> list[AccountErasure]:
        """The account's erasures that are not done."""
        ...

    async def call_off(self, account_id: AccountId) -> bool:
        """Cancel the erasure of an account; False: there is none, or it has begun."""
        ...

    async def claim(self, seconds: int) -> AccountErasure | None:
        """Claim one erasure that is due, for so many seconds; None: there is none."""
        ...

    async def begin(self, account_id: AccountId, seconds: int) -> bool:
        """Delete the account with its tokens and invites, and claim the erasure; False: it was cancelled."""
        ...

    async def advance(self, erasure: AccountErasure, after: CampaignId, texts: int, seconds: int) -> bool:
        """Store the progress and keep the claim for so many seconds; False: the erasure was requested again."""
        ...

    async def defer(
        self, erasure: AccountErasure, finished_ids: Collection[CampaignId], seconds: int, *, with_deleted: bool
    ) -> list[CampaignId] | None:
        """Store what is left over: without `finished_ids`, plus what is deleted by now. None: requested again.

        Campaigns that do not exist any more drop out. Keeps the claim for so many seconds.
        """
        ...

    async def finish(self, erasure: AccountErasure) -> bool:
        """Delete a finished erasure; False: it was requested again."""
        ...
