"""Idempotency keys of requests that create a campaign: new, forked or imported.

The new campaign's id is derived from the key and from how often a campaign of this key was purged. So a repeated
request finds the result or the progress of the first one, in any process and after any restart; the idempotency
record is stored in the campaign, as for any action.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any
from uuid import uuid5
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct

from domain.event_store_types import KeyedAnswer
from domain.ids import AccountId, CampaignId
from services.commands.pending_command import ANSWER_SECONDS_MAX
from services.errors import campaign_busy, key_reused
from services.ports.event_store import EventStore


class CampaignKey(Struct, frozen=True):
    """An idempotency key of a request for a new campaign, which gets the id `campaign_id`.

    `request_hash` tells whether a repeated request is the same.
    """

    account: AccountId
    key: str
    campaign_id: CampaignId
    request_hash: bytes = b""

    async def answer(self, log: EventStore) -> KeyedAnswer | None:
        """The idempotency record, if the campaign still belongs to the account."""
        records = await log.answers_to(self.campaign_id, [(self.account, self.key)])
        return records[0] if records else None

    def check(self, record: KeyedAnswer) -> None:
        """Raise `idempotency_key_reused` if the record is the answer to another request."""
        if not record.is_for(self.request_hash):
            raise key_reused()


class KeyLocks:
    """Make copies of a request in this process wait for the first of them, and then find its answer."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[tuple[AccountId, str], asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def one_of(self, account: AccountId, key: str | None) -> AsyncIterator[None]:
        """Hold the key of an account; does nothing without a key.

        Raises `campaign_busy` if the first copy takes longer than any command may: it may still succeed.
        """
        if key is None:
            yield
            return
        lock = self._locks.setdefault((account, key), asyncio.Lock())
        try:
            async with asyncio.timeout(ANSWER_SECONDS_MAX):
                await lock.acquire()
        except TimeoutError:
            raise campaign_busy() from None
        try:
            yield
        finally:
            lock.release()


async def campaign_key(log: EventStore, account: AccountId, key: str | None, *request: Any) -> CampaignKey | None:
    """The key of a request for a new campaign; None: it came without."""
    if key is None:
        return None
    request_hash = sha256(msgspec.json.encode(request, order="sorted")).digest()
    return CampaignKey(account, key, await campaign_of_key(log, account, key), request_hash)


async def campaign_of_key(log: EventStore, account: AccountId, key: str) -> CampaignId:
    """The id of the campaign for a key: a new one if the former was purged."""
    text, purged = f"campaign:{key}", 0
    while await log.is_purged(campaign_id := CampaignId(uuid5(account, text))):
        purged += 1
        text = f"campaign after {purged}:{key}"
    return campaign_id
