"""What accounts asked to have erased, as erasing needs it kept."""

from collections.abc import Collection
from typing import Literal, Protocol

from domain.accounts import AccountErasure
from domain.ids import AccountId, CampaignId


class AccountErasureStore(Protocol):
    """Where it is kept what accounts asked to have erased. Every method may raise `DatabaseUnavailable`."""

    async def ask(
        self, account_id: AccountId, what: Literal["texts", "account"], seconds: int, *, with_texts: bool
    ) -> AccountErasure | None:
        """Have something erased, from so many seconds on; None: there is no such account."""
        ...

    async def of(self, account_id: AccountId) -> list[AccountErasure]:
        """What an account has asked for and is not yet done."""
        ...

    async def call_off(self, account_id: AccountId) -> bool:
        """Keep the account; False: it was not to be erased, or it has begun."""
        ...

    async def claim(self, seconds: int) -> AccountErasure | None:
        """Take one whose time has come, for so many seconds; None: there is none."""
        ...

    async def begin(self, account_id: AccountId, seconds: int) -> bool:
        """Take the account away, with its tokens and invites, and claim it so long; False: it was called off."""
        ...

    async def advance(self, erasure: AccountErasure, after: CampaignId, texts: int, seconds: int) -> bool:
        """Note how far it has come, and keep it for so many seconds; False: it was asked for again."""
        ...

    async def defer(
        self, erasure: AccountErasure, done: Collection[CampaignId], seconds: int, *, with_deleted: bool
    ) -> list[CampaignId] | None:
        """Note what is left over: less what is `done`, and with what is deleted by now; None: asked for again.

        What does not exist any more drops out. Keeps it for so many seconds.
        """
        ...

    async def finish(self, erasure: AccountErasure) -> bool:
        """It is done; False: it was asked for again."""
        ...
