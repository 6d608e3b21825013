"""Events for tests of the log: their content means nothing, their chain is real."""

import time
from itertools import count
from typing import Any
from uuid import UUID, uuid4

from domain.event_store_types import EventBatch, Head, KeyedAnswer, MembershipChange, SealedSeeds, StoredEvent
from domain.hash_chain import GENESIS, event_hash, link_of, private_hash
from domain.ids import AccountId, ActionId, CampaignId

NOTHING = Head(seq=0, hash=GENESIS, recorded_at=0)
SALT = b"0123456789abcdef"
REQUEST = b"r" * 32


def new_campaign() -> CampaignId:
    return CampaignId(uuid4())


def new_account() -> AccountId:
    return AccountId(uuid4())


def wall_clock() -> int:
    """Microseconds UTC."""
    return time.time_ns() // 1000


def event_after(
    campaign_id: CampaignId,
    head: Head,
    *,
    at: int | None = None,
    action_id: ActionId | None = None,
    body: bytes = b"{}",
    texts: bytes | None = None,
    actor: UUID | None = None,
    kind: str = "tests.happened",
    cause: str = "request",
) -> StoredEvent:
    seq = head.seq + 1
    recorded_at = max(wall_clock() if at is None else at, head.recorded_at if at is None else 0)
    account = None if actor is None else AccountId(actor)
    action_id = action_id or ActionId(uuid4())
    private = private_hash(SALT, kind, 1, actor, cause, 7, b"{}", body, action_id)
    return StoredEvent(
        seq=seq,
        action_id=action_id,
        kind=kind,
        kind_version=1,
        recorded_at=recorded_at,
        game_time=7,
        actor=account,
        cause=cause,
        visibility="all",
        command=b"{}",
        body=body,
        salt=SALT,
        hash=event_hash(campaign_id, seq, head.hash, recorded_at, "all", private),
        text_salt=None if texts is None else b"t" * 16,
        texts=texts,
    )


def head_at(event: StoredEvent) -> Head:
    return Head(seq=event.seq, hash=event.hash, recorded_at=event.recorded_at)


def batch_after(
    campaign_id: CampaignId,
    head: Head = NOTHING,
    *,
    events: int = 1,
    at: int | None = None,
    body: bytes = b"{}",
    texts: bytes | None = None,
    answers: list[KeyedAnswer] | None = None,
    members: list[MembershipChange] | None = None,
    seeds: list[SealedSeeds] | None = None,
) -> EventBatch:
    """One action of so many events."""
    action_id = ActionId(uuid4())
    made: list[StoredEvent] = []
    last = head
    for _ in range(events):
        made.append(event_after(campaign_id, last, at=at, action_id=action_id, body=body, texts=texts))
        last = head_at(made[-1])
    return EventBatch(campaign_id, head.seq, head.hash, made, answers or [], members or [], seeds=seeds or [])


def answer_to(account_id: AccountId, key: str, answer: bytes = b"{}") -> KeyedAnswer:
    return KeyedAnswer(account_id, key, REQUEST, ActionId(uuid4()), answer)


def broken_links(campaign_id: CampaignId, events: list[StoredEvent]) -> list[str]:
    """What is wrong with the order and the chain of a whole log (invariants 4 and 7)."""
    wrong: list[str] = []
    previous = GENESIS
    for seq, event in zip(count(1), events, strict=False):
        if event.seq != seq:
            return [*wrong, f"4: seq {event.seq} stands where {seq} must"]
        if link_of(campaign_id, previous, event) is None:
            wrong.append(f"7: the chain breaks at {seq}")
        previous = event.hash
    return wrong


async def answer_under(log: Any, campaign_id: CampaignId, account_id: AccountId, key: str) -> KeyedAnswer | None:
    """What a member's idempotency key stands for."""
    found: list[KeyedAnswer] = await log.answers_to(campaign_id, [(account_id, key)])
    return found[0] if found else None
