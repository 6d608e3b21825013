"""The event store: one stream a campaign, appended to and read."""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from domain.command_context import Role
from domain.event_store_types import (
    AppendResult,
    EventBatch,
    Head,
    KeyedAnswer,
    StoredEvent,
    StoredFact,
    UnsealedEvent,
)
from domain.ids import AccountId, ActionId, CampaignId


class EventStore(Protocol):
    """Append-only streams of campaigns. Every method may raise `domain.event_store_types.DatabaseUnavailable`."""

    async def append(self, batches: list[EventBatch]) -> list[AppendResult]:
        """Append each batch whole or not at all, in one transaction; one result per batch, in order.

        Raises PartlyAppended where batches have several transactions and one of those failed.
        """
        ...

    async def head(self, campaign_id: CampaignId) -> Head | None:
        """The head of a campaign; None: there is no such campaign."""
        ...

    async def moved_heads(self, since: int, after: CampaignId | None, limit: int) -> list[tuple[CampaignId, Head]]:
        """Heads of campaigns that went on after a moment (microseconds UTC), by id, those after `after`.

        A head may appear some seconds after the moment at which it was recorded.
        """
        ...

    async def since(self, campaign_id: CampaignId, after: int) -> tuple[Head, list[StoredEvent]] | None:
        """The head and all events after a seq, read at one moment; None: there is no such campaign."""
        ...

    async def tail(
        self, campaign_id: CampaignId, after: int, limit: int | None = None, upto: int | None = None
    ) -> list[StoredEvent]:
        """The events with `after` < seq ≤ `upto`, oldest first, at most `limit`."""
        ...

    async def tails(self, places: Sequence[tuple[CampaignId, int]], limit: int) -> list[list[StoredEvent]]:
        """For each campaign and seq, the events after it, oldest first, at most `limit`."""
        ...

    async def unsealed(
        self, campaign_id: CampaignId, after: int, limit: int, upto: int | None = None
    ) -> list[UnsealedEvent]:
        """At most `limit` events after a seq, oldest first: the parts of them that projections need."""
        ...

    def facts(self, campaign_id: CampaignId) -> AsyncIterator[list[StoredFact]]:
        """The parts of all events that folding needs, page by page: the quickest way through a long past."""
        ...

    def stream(self, campaign_id: CampaignId, after: int = 0) -> AsyncIterator[list[StoredEvent]]:
        """All events after a seq in batches, for logs that are too long for memory."""
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

    async def advances(self, campaign_id: CampaignId, upto: int) -> list[StoredEvent]:
        """The events up to a seq that moved the campaign's clock, in order."""
        ...

    async def hidden_visibilities(self, campaign_id: CampaignId) -> list[str]:
        """Every visibility but `all` that events of the campaign have; mostly none."""
        ...

    async def seq_at(self, campaign_id: CampaignId, moment: int) -> int:
        """The last seq that happened at or before a moment (microseconds UTC); 0: there is none.

        An imported event happened when it was first recorded.
        """
        ...

    async def answers_to(
        self, campaign_id: CampaignId, keys: Sequence[tuple[AccountId, str]]
    ) -> list[KeyedAnswer]:
        """The idempotency records that exist for these keys; none for an account that is no member."""
        ...

    async def answers_about(self, campaign_id: CampaignId, seqs: list[int]) -> list[KeyedAnswer]:
        """Stored answers that may quote any of these events."""
        ...

    async def answers_saying(
        self, campaign_id: CampaignId, content: bytes, after: tuple[AccountId, str], limit: int
    ) -> list[KeyedAnswer]:
        """Stored answers that contain some bytes, ordered by account and key, starting after one of them."""
        ...

    async def replace_answer(self, campaign_id: CampaignId, before: KeyedAnswer, answer: bytes) -> bool:
        """Replace a stored answer; False: it is no longer `before`."""
        ...

    async def trim_answers(
        self, campaign_id: CampaignId, before: int, after: tuple[AccountId, str], limit: int
    ) -> tuple[AccountId, str] | None:
        """Empty the stored answers to actions recorded before a moment (microseconds UTC).

        Looks at the first `limit` keys after one of them; returns the last of these, None: there were none.
        """
        ...

    async def forget_answers(self, campaign_id: CampaignId, account_id: AccountId) -> None:
        """Delete the stored answers to an account."""
        ...

    async def events_with_texts(
        self, campaign_id: CampaignId, after: int, limit: int, actor: AccountId | None = None
    ) -> list[StoredEvent]:
        """Events after a seq that have personal texts; with `actor`, only theirs and those without an actor."""
        ...

    async def is_purged(self, campaign_id: CampaignId) -> bool:
        """Whether a campaign with this id was purged."""
        ...

    async def sealed_seeds(self, campaign_id: CampaignId, epoch: int) -> bytes | None:
        """The encrypted seeds of one dice epoch."""
        ...

    async def campaigns_of(
        self,
        account_id: AccountId,
        after: CampaignId | None = None,
        limit: int = 100,
        *,
        before: CampaignId | None = None,
    ) -> list[tuple[CampaignId, Role]]:
        """The campaigns an account is a member of, ordered by id; the last ones first where `before` is given."""
        ...

    async def led_alone(self, account_id: AccountId, limit: int) -> list[CampaignId]:
        """Campaigns with other members of which the account is the only GM, ordered by id."""
        ...

    async def now(self) -> int:
        """The database's clock in microseconds UTC."""
        ...
