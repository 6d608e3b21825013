"""Where events are stored: one stream a campaign, appended to and read."""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from domain.command_context import Role
from domain.event_store_types import (
    Chunk,
    Head,
    KeyedAnswer,
    Outcome,
    StoredEvent,
    StoredFact,
    UnsealedEvent,
)
from domain.ids import AccountId, ActionId, CampaignId


class EventStore(Protocol):
    """Append-only campaigns. Every method may raise `domain.event_store_types.DatabaseUnavailable`."""

    async def append(self, chunks: list[Chunk]) -> list[Outcome]:
        """Write what can be written, in one transaction; one outcome per chunk, in order."""
        ...

    async def head(self, campaign_id: CampaignId) -> Head | None:
        """Where the campaign's log ends, or None if there is no such campaign."""
        ...

    async def since(self, campaign_id: CampaignId, after: int) -> tuple[Head, list[StoredEvent]] | None:
        """The head and all events after a seq, as of one moment; None if there is no such campaign."""
        ...

    async def tail(
        self, campaign_id: CampaignId, after: int, limit: int | None = None, upto: int | None = None
    ) -> list[StoredEvent]:
        """Events after a seq, oldest first."""
        ...

    async def unsealed(
        self, campaign_id: CampaignId, after: int, limit: int, upto: int | None = None
    ) -> list[UnsealedEvent]:
        """At most `limit` events after a seq, oldest first: what followers need of them."""
        ...

    def facts(self, campaign_id: CampaignId) -> AsyncIterator[list[StoredFact]]:
        """What folding needs of all events, page by page: the quickest way through a long past."""
        ...

    def stream(self, campaign_id: CampaignId, after: int = 0) -> AsyncIterator[list[StoredEvent]]:
        """All events after a seq in batches, for logs that are too long to hold."""
        ...

    async def action(self, campaign_id: CampaignId, action_id: ActionId) -> list[StoredEvent]:
        """The events of one action."""
        ...

    async def actions(self, campaign_id: CampaignId, action_ids: list[ActionId]) -> list[StoredEvent]:
        """The events of several actions, in order."""
        ...

    async def rewrites(self, campaign_id: CampaignId, upto: int) -> list[StoredEvent]:
        """The undos and redos up to a seq, in order."""
        ...

    async def hidden(self, campaign_id: CampaignId) -> list[str]:
        """Every visibility but `all` that events of the campaign have; mostly none."""
        ...

    async def seq_at(self, campaign_id: CampaignId, moment: int) -> int:
        """The last seq that happened at a moment (microseconds UTC) or before it; 0: there is none.

        What was brought over from another campaign happened when it was recorded first.
        """
        ...

    async def answers_to(
        self, campaign_id: CampaignId, keys: Sequence[tuple[AccountId, str]]
    ) -> list[KeyedAnswer]:
        """What those of these keys stand for that are known; nothing for an account that is no member."""
        ...

    async def answers_about(self, campaign_id: CampaignId, seqs: list[int]) -> list[KeyedAnswer]:
        """The kept answers that may tell of any of these events."""
        ...

    async def answers_saying(
        self, campaign_id: CampaignId, said: bytes, after: tuple[AccountId, str], limit: int
    ) -> list[KeyedAnswer]:
        """Kept answers that hold some bytes, in the order of account and key, those after one of them."""
        ...

    async def replace_answer(self, campaign_id: CampaignId, before: KeyedAnswer, answer: bytes) -> bool:
        """Give another answer from now on; False: it is not what it was before."""
        ...

    async def trim_answers(
        self, campaign_id: CampaignId, before: int, after: tuple[AccountId, str], limit: int
    ) -> tuple[AccountId, str] | None:
        """Let go of answers to actions recorded before a moment; the last of `limit` keys, if there were any."""
        ...

    async def forget_answers(self, campaign_id: CampaignId, account_id: AccountId) -> None:
        """Keep no answers to an account any more."""
        ...

    async def written(
        self, campaign_id: CampaignId, after: int, limit: int, actor: AccountId | None = None
    ) -> list[StoredEvent]:
        """Events after a seq that have personal texts; of one account's and of nobody's, if it is given."""
        ...

    async def is_purged(self, campaign_id: CampaignId) -> bool:
        """Whether there was a campaign of this id that is gone for good."""
        ...

    async def sealed_seeds(self, campaign_id: CampaignId, epoch: int) -> bytes | None:
        """The seeds of one dice epoch, encrypted."""
        ...

    async def campaigns_of(
        self, account_id: AccountId, after: CampaignId | None = None, limit: int = 100
    ) -> list[tuple[CampaignId, Role]]:
        """The campaigns an account is a member of, ordered by id."""
        ...

    async def led_alone(self, account_id: AccountId, limit: int) -> list[CampaignId]:
        """Campaigns with other members of which the account is the only GM, ordered by id."""
        ...

    async def now(self) -> int:
        """The database's clock in microseconds UTC."""
        ...
