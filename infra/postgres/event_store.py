"""The event store in PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any
from uuid import UUID

from psycopg.types.numeric import Int8

from domain.command_context import Role
from domain.event_store_types import (
    AppendResult,
    EventBatch,
    Head,
    KeyedAnswer,
    LockTimeout,
    PartlyAppended,
    StoredEvent,
    StoredFact,
    UnsealedEvent,
)
from domain.ids import AccountId, ActionId, CampaignId
from infra.postgres.append_preconditions import require_well_formed
from infra.postgres.append_statement import append_of, compared, outcomes_of
from infra.postgres.driver.binary_arrays import BigintArray, TextArray, UuidArray
from infra.postgres.driver.database import Database
from infra.postgres.driver.row_factories import column, row_as
from infra.postgres.driver.session import Arguments
from infra.postgres.driver.statements import SQL, Statement, source
from infra.postgres.erase_statement import erase_arguments
from infra.postgres.packed_json import unpacked

BATCH_EVENTS_MAX = 1_000
PAGE_EVENTS_MAX = 5_000
"""A longer tail is read in several statements, so that none reaches its time limit or blocks the event loop."""
PAGE_CAMPAIGNS_MAX = 100

COMMAND, BODY = map(StoredEvent.__struct_fields__.index, ("command", "body"))
"""Where a row of an event has them, sealed or not."""

READ_NODES = Statement(source("distributed/read_nodes"))
NODE_BATCHES_MAX = 64
"""So many batches a node appends in one transaction; a slow one, too, within the time limit of a statement."""

# Int8: a bare number is sent in as few bytes as it needs, and each size would be prepared separately.
_LAST_SEQ = 2**63 - 1
_BEFORE_ALL = UUID(int=0)


class PostgresEventStore:
    """Appends to and reads the streams of all campaigns. May be used by many tasks at once.

    `packs_events` stores the JSON of events packed; processes of 0.1.0 cannot read that. Both are read.

    Every method raises `DatabaseUnavailable` when PostgreSQL cannot be reached. An append may then be committed or
    not: only its idempotency keys tell, so ask again with the same key.
    """

    def __init__(self, database: Database, *, packs_events: bool = False) -> None:
        self._database = database
        self._packs_events = packs_events

    async def append(self, batches: list[EventBatch]) -> list[AppendResult]:
        """Append each batch whole or not at all; the result for each, in their order.

        All in one transaction, but for campaigns that are shared out to shards: those of one node have one there.

        At most one batch per campaign, else ValueError. A batch that cannot be written drops out alone. A campaign
        whose head another session keeps locked counts as a version conflict. A batch that erases something has a
        transaction of its own; one without events only compares the head, and waits for no lock. Raises
        PartlyAppended if a node failed, with the results of the others.
        """
        require_well_formed(batches)
        outcomes = await self._outcomes(batches)
        heads = [outcome for outcome in outcomes if not isinstance(outcome, Exception)]
        if len(heads) < len(outcomes):
            raise PartlyAppended(outcomes)
        return heads

    async def _outcomes(self, batches: list[EventBatch]) -> list[AppendResult | Exception]:
        if all(batch.events and batch.erasure is None for batch in batches):
            return await self._append(batches)  # as nearly always
        outcomes: dict[CampaignId, AppendResult | Exception] = {}
        unwritten = [batch for batch in batches if not batch.events]
        together = [batch for batch in batches if batch.events and batch.erasure is None]
        alone = [batch for batch in batches if batch.erasure is not None]
        for some, how in ((unwritten, self._compared), (together, self._append), (alone, self._erase)):
            if some:
                outcomes |= zip((batch.campaign_id for batch in some), await how(some), strict=True)
        return [outcomes[batch.campaign_id] for batch in batches]

    async def _append(self, batches: list[EventBatch]) -> list[AppendResult | Exception]:
        if len(batches) != 1 and await self._database.is_distributed():
            return await self._append_by_nodes(batches)
        return [*await self._append_together(batches)]

    async def _append_by_nodes(self, batches: list[EventBatch]) -> list[AppendResult | Exception]:
        """Append the batches of each node's campaigns together, in campaign order: no two groups deadlock.

        Nodes do so at the same time.
        """
        campaigns = UuidArray([batch.campaign_id for batch in batches])
        nodes: dict[CampaignId, int] = dict(await self._database.read(READ_NODES, tuple, campaigns=campaigns))
        ordered = sorted(batches, key=lambda batch: batch.campaign_id)
        by_node = [
            [batch for batch in ordered if nodes[batch.campaign_id] == node] for node in set(nodes.values())
        ]
        calls = [
            there[begin : begin + NODE_BATCHES_MAX]
            for there in by_node
            for begin in range(0, len(there), NODE_BATCHES_MAX)
        ]
        outcomes: dict[CampaignId, AppendResult | Exception] = {}
        for some, results in zip(calls, await asyncio.gather(*map(self._tried, calls)), strict=True):
            outcomes |= zip((batch.campaign_id for batch in some), results, strict=True)
        return [outcomes[batch.campaign_id] for batch in batches]

    async def _tried(self, batches: list[EventBatch]) -> Sequence[AppendResult | Exception]:
        try:
            return await self._append_together(batches)
        except Exception as failure:  # noqa: BLE001 — after any failure, other nodes may have written theirs
            return [failure] * len(batches)

    async def _append_together(self, batches: list[EventBatch]) -> list[AppendResult]:
        append, arguments = append_of(batches, packs_events=self._packs_events)
        writers = self._database.writers
        try:
            rows = await writers.execute(append.statement, arguments, tuple)
        except LockTimeout:
            rows = await writers.execute(append.passing_locked, arguments, tuple)
        return outcomes_of(batches, rows)

    async def _compared(self, batches: list[EventBatch]) -> list[AppendResult]:
        """For each batch, whether its campaign's head is still the one it was decided on."""
        campaigns = UuidArray([batch.campaign_id for batch in batches])
        arguments = SQL["read_heads"].arguments(campaigns=campaigns)
        rows = await self._database.writers.execute(SQL["read_heads"], arguments, tuple)
        heads = {campaign_id: head for campaign_id, *head in rows}
        return [compared(batch, *heads.get(batch.campaign_id, (None, None, None))) for batch in batches]

    async def head(self, campaign_id: CampaignId) -> Head | None:
        """The head of a campaign; None: there is no such campaign."""
        return await self._database.read_one(SQL["read_head"], row_as(Head), campaign=campaign_id)

    async def moved_heads(self, since: int, after: CampaignId | None, limit: int) -> list[tuple[CampaignId, Head]]:
        """Heads of campaigns that went on after a moment (microseconds UTC), by id, those after `after`."""
        return await self._database.read(
            SQL["read_moved_heads"],
            _campaign_head,
            since=Int8(since),
            after=after or _BEFORE_ALL,
            most=Int8(limit),
        )

    async def tail(
        self, campaign_id: CampaignId, after: int, limit: int | None = None, upto: int | None = None
    ) -> list[StoredEvent]:
        """Return the events with `after` < seq ≤ `upto`, in order, the first `limit` of them."""
        events: list[StoredEvent] = []
        while True:
            page_size = PAGE_EVENTS_MAX if limit is None else min(PAGE_EVENTS_MAX, limit - len(events))
            page = await self._database.read(
                SQL["read_tail"],
                _stored_event,
                campaign=campaign_id,
                first=_seq(after + 1),
                last=_seq(_LAST_SEQ if upto is None else upto),
                most=Int8(page_size),
            )
            events += page
            if len(page) < page_size or len(events) == limit:
                return events
            after = page[-1].seq

    async def tails(self, places: Sequence[tuple[CampaignId, int]], limit: int) -> list[list[StoredEvent]]:
        """For each campaign and seq, the first `limit` events after it, in order; read by one statement."""
        if await self._database.is_distributed():  # each is in a shard of its own
            return [await self.tail(campaign_id, after, limit) for campaign_id, after in places]
        rows = await self._database.read(
            SQL["read_tails"],
            tuple,
            campaigns=UuidArray([campaign_id for campaign_id, _ in places]),
            afters=BigintArray([after for _, after in places]),
            most=Int8(limit),
        )
        tails: list[list[StoredEvent]] = [[] for _ in places]
        for place, *row in rows:
            tails[place - 1].append(_stored_event(row))
        return tails

    async def stream(self, campaign_id: CampaignId, after: int = 0) -> AsyncIterator[list[StoredEvent]]:
        """Yield the events after `after` in batches of up to 1,000, until none is left; holds one batch."""
        while batch := await self.tail(campaign_id, after, BATCH_EVENTS_MAX):
            yield batch
            after = batch[-1].seq

    async def unsealed(
        self, campaign_id: CampaignId, after: int, limit: int, upto: int | None = None
    ) -> list[UnsealedEvent]:
        """The parts that projections need of the events with `after` < seq ≤ `upto`, the first `limit` of them."""
        last = after + limit if upto is None else min(upto, after + limit)
        span = {"campaign": campaign_id, "first": _seq(after + 1), "last": _seq(last)}
        rows = await self._database.read(SQL["read_unsealed"], tuple, **span)
        texts = await self._texts(rows, span)
        return [_unsealed_event(row, texts.get(row[0])) for row in rows]

    async def _texts(self, rows: list[tuple[Any, ...]], span: dict[str, Any]) -> dict[int, bytes]:
        """The personal texts of rows that were read before; missing ones have been erased since."""
        return dict(await self._database.read(SQL["read_texts"], tuple, **span)) if rows else {}

    async def facts(self, campaign_id: CampaignId) -> AsyncIterator[list[StoredFact]]:
        """Yield what folding needs of all events, in pages of up to 5,000; holds one page in memory."""
        first = 1
        while page := await self._page_of_facts(campaign_id, first):
            yield page
            if len(page) < PAGE_EVENTS_MAX:
                return
            first += PAGE_EVENTS_MAX

    async def _page_of_facts(self, campaign_id: CampaignId, first: int) -> list[StoredFact]:
        span = {"campaign": campaign_id, "first": _seq(first), "last": _seq(first + PAGE_EVENTS_MAX - 1)}
        rows = await self._database.read(SQL["read_facts"], tuple, **span)
        texts = await self._texts(rows, span)
        return [
            StoredFact(seq, kind, version, unpacked(body), texts.get(seq)) for seq, kind, version, body in rows
        ]

    async def since(self, campaign_id: CampaignId, after: int) -> tuple[Head, list[StoredEvent]] | None:
        """The head and all events after `after`, read at one moment; None: there is no such campaign.

        A head before `after` means that the log is older than the caller's: an old backup was restored.
        """
        # The range includes the event at `after`: head and tail of one moment are then one range of one table.
        events = await self.tail(campaign_id, after - 1)
        if not events:
            head = await self.head(campaign_id)
            return None if head is None else (head, [])
        last = events[-1]
        if events[0].seq == after:
            del events[0]
        return Head(seq=last.seq, hash=last.hash, recorded_at=last.recorded_at), events

    async def answers_to(
        self, campaign_id: CampaignId, keys: Sequence[tuple[AccountId, str]]
    ) -> list[KeyedAnswer]:
        """The idempotency records that exist for these keys; none for an account that is no member."""
        return await self._database.read(
            SQL["read_answers"],
            row_as(KeyedAnswer),
            campaign=campaign_id,
            accounts=UuidArray([account_id for account_id, _ in keys]),
            keys=TextArray([key for _, key in keys]),
        )

    async def is_purged(self, campaign_id: CampaignId) -> bool:
        """Whether a campaign with this id was purged."""
        return bool(await self._database.read(SQL["read_purged"], tuple, campaign=campaign_id))

    async def sealed_seeds(self, campaign_id: CampaignId, epoch: int) -> bytes | None:
        """The encrypted seeds of a dice epoch; None: it has none."""
        return await self._database.read_one(
            SQL["read_seeds"], column(bytes), campaign=campaign_id, epoch=Int8(epoch)
        )

    async def action(self, campaign_id: CampaignId, action_id: ActionId) -> list[StoredEvent]:
        """The events of one action, in order; empty: there is no such action."""
        return await self._database.read(SQL["read_action"], _stored_event, campaign=campaign_id, action=action_id)

    async def actions(self, campaign_id: CampaignId, action_ids: list[ActionId]) -> list[StoredEvent]:
        """The events of several actions, in order."""
        return await self._database.read(
            SQL["read_events_of"], _stored_event, campaign=campaign_id, actions=UuidArray(action_ids)
        )

    async def rewrites(self, campaign_id: CampaignId, upto: int) -> list[StoredEvent]:
        """The undos and redos up to a seq, in order."""
        return await self._database.read(
            SQL["read_rewrites"], _stored_event, campaign=campaign_id, last=_seq(upto)
        )

    async def advances(self, campaign_id: CampaignId, upto: int) -> list[StoredEvent]:
        """The events up to a seq that moved the campaign's clock, in order."""
        return await self._database.read(
            SQL["read_advances"], _stored_event, campaign=campaign_id, last=_seq(upto)
        )

    async def hidden_visibilities(self, campaign_id: CampaignId) -> list[str]:
        """Every visibility but `all` that events of the campaign have."""
        return await self._database.read(SQL["read_hidden"], column(str), campaign=campaign_id)

    async def seq_at(self, campaign_id: CampaignId, moment: int) -> int:
        """The last seq that happened at or before a moment (microseconds UTC); 0: there is none."""
        return (
            await self._database.read_one(
                SQL["read_seq_at"], column(int), campaign=campaign_id, moment=Int8(moment)
            )
            or 0
        )

    async def campaigns_of(
        self,
        account_id: AccountId,
        after: CampaignId | None = None,
        limit: int = PAGE_CAMPAIGNS_MAX,
        *,
        before: CampaignId | None = None,
    ) -> list[tuple[CampaignId, Role]]:
        """Page through the campaigns that the account is a member of: by campaign id, those after `after`.

        Or those before `before`, the last ones first.
        """
        return await self._database.read(
            SQL["read_campaigns_of"] if before is None else SQL["read_campaigns_before"],
            _membership,
            account=account_id,
            start=before or after or _BEFORE_ALL,
            most=Int8(limit),
        )

    async def now(self) -> int:
        """The database's clock, microseconds UTC."""
        return (await self._database.read(SQL["read_clock"], column(int)))[0]

    async def _erase(self, batches: list[EventBatch]) -> list[AppendResult]:
        return [await self._erase_one(batch) for batch in batches]

    async def _erase_one(self, batch: EventBatch) -> AppendResult:
        """Append a batch and erase texts in one transaction that holds the campaign's head locked."""
        append, arguments = append_of([batch], packs_events=self._packs_events)
        steps: list[tuple[Statement, Arguments]] = [
            (SQL["lock_head"], SQL["lock_head"].arguments(campaign=batch.campaign_id)),
            (append.statement, arguments),
            (SQL["erase_texts"], erase_arguments(batch)),
        ]
        if batch.erasure is not None and batch.erasure.afresh:
            steps.append((SQL["forget_views"], SQL["forget_views"].arguments(campaign=batch.campaign_id, form="")))
        try:
            _, rows, *_ = await self._database.writers.execute_together(steps)
        except LockTimeout:
            return AppendResult("version_conflict")
        return outcomes_of([batch], rows)[0]

    async def answers_saying(
        self, campaign_id: CampaignId, content: bytes, after: tuple[AccountId, str], limit: int
    ) -> list[KeyedAnswer]:
        """Stored answers that contain some bytes, ordered by account and key, starting after one of them."""
        account_id, key = after
        return await self._database.read(
            SQL["read_answers_saying"],
            row_as(KeyedAnswer),
            campaign=campaign_id,
            said=content,
            account=account_id,
            key=key,
            most=Int8(limit),
        )

    async def replace_answer(self, campaign_id: CampaignId, before: KeyedAnswer, answer: bytes) -> bool:
        """Replace a stored answer; False: it is no longer `before`."""
        replaced = await self._database.execute(
            SQL["replace_answer"],
            column(str),
            campaign=campaign_id,
            account=before.account_id,
            key=before.key,
            before=before.answer,
            answer=answer,
        )
        return bool(replaced)

    async def trim_answers(
        self, campaign_id: CampaignId, before: int, after: tuple[AccountId, str], limit: int
    ) -> tuple[AccountId, str] | None:
        """Empty the stored answers to actions recorded before a moment (microseconds UTC).

        Looks at the first `limit` keys after one of them; returns the last of these, None: there were none.
        """
        account_id, key = after
        trimmed = await self._database.execute(
            SQL["trim_answers"],
            tuple,
            campaign=campaign_id,
            before=Int8(before),
            account=account_id,
            key=key,
            most=Int8(limit),
        )
        return (trimmed[0][0], trimmed[0][1]) if trimmed else None

    async def forget_answers(self, campaign_id: CampaignId, account_id: AccountId) -> None:
        """Delete the stored answers to an account."""
        await self._database.execute(SQL["forget_answers"], column(str), campaign=campaign_id, account=account_id)

    async def led_alone(self, account_id: AccountId, limit: int) -> list[CampaignId]:
        """Campaigns with other members of which the account is the only GM."""
        return await self._database.read(
            SQL["read_campaigns_led"], column(CampaignId), account=account_id, most=Int8(limit)
        )

    async def events_with_texts(
        self, campaign_id: CampaignId, after: int, limit: int, actor: AccountId | None = None
    ) -> list[StoredEvent]:
        """Events after a seq that have personal texts; with `actor`, only theirs and those without an actor."""
        return await self._database.read(
            SQL["read_written"],
            _stored_event,
            campaign=campaign_id,
            first=_seq(after + 1),
            actor=actor,
            most=Int8(limit),
        )

    async def answers_about(self, campaign_id: CampaignId, seqs: list[int]) -> list[KeyedAnswer]:
        """Stored answers that may quote any of these events."""
        return await self._database.read(
            SQL["read_answers_about"], row_as(KeyedAnswer), campaign=campaign_id, seqs=BigintArray(seqs)
        )


def _seq(seq: int) -> Int8:
    """A seq as PostgreSQL's type; out-of-range values become the nearest possible one."""
    return Int8(min(max(seq, 0), _LAST_SEQ))


def _stored_event(row: Sequence[Any]) -> StoredEvent:
    values = [*row]
    values[COMMAND], values[BODY] = row[COMMAND] and unpacked(row[COMMAND]), unpacked(row[BODY])
    return StoredEvent(*values)


def _unsealed_event(row: Sequence[Any], texts: bytes | None) -> UnsealedEvent:
    values = [*row, texts]
    values[COMMAND], values[BODY] = row[COMMAND] and unpacked(row[COMMAND]), unpacked(row[BODY])
    return UnsealedEvent(*values)


def _campaign_head(row: Sequence[Any]) -> tuple[CampaignId, Head]:
    return row[0], Head(*row[1:])


def _membership(row: Sequence[Any]) -> tuple[CampaignId, Role]:
    campaign_id, role = row
    return campaign_id, role
