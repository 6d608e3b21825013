"""Idempotency keys of requests that make a campaign: to found, fork or import one.

The new campaign's id is made of the key, and of how often a campaign that it made was purged. So whoever asks
again finds what came of it, or how far it is, in any process and after any restart; what the key stands for is
kept in the campaign, as for any action.
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
from services.commands.decide_command import ANSWER_SECONDS_MAX
from services.errors import campaign_busy, key_reused
from services.ports.event_store import EventStore


class CampaignKey(Struct, frozen=True):
    """A key that came with a request for a new campaign, whose id will be `campaign_id`.

    `request_hash` tells whether that is the same again.
    """

    account: AccountId
    key: str
    campaign_id: CampaignId
    request_hash: bytes = b""

    async def answer(self, log: EventStore) -> KeyedAnswer | None:
        """What the key stands for, while the campaign is its account's."""
        known = await log.answers_to(self.campaign_id, [(self.account, self.key)])
        return known[0] if known else None

    def check(self, known: KeyedAnswer) -> None:
        """Refuse `idempotency_key_reused` where it stands for the answer to another request."""
        if not known.is_for(self.request_hash):
            raise key_reused()


class KeyLocks:
    """Copies of a request wait for the first of them in this process, and then find its answer."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[tuple[AccountId, str], asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def one_of(self, account: AccountId, key: str | None) -> AsyncIterator[None]:
        """Hold the key of an account; without one, nothing.

        Refuses `campaign_busy` where the first copy takes longer than any command may: it may still be on its way.
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
    """The key of a request that says this; None: it came without."""
    if key is None:
        return None
    request_hash = sha256(msgspec.json.encode(request, order="sorted")).digest()
    return CampaignKey(account, key, await campaign_of_key(log, account, key), request_hash)


async def campaign_of_key(log: EventStore, account: AccountId, key: str) -> CampaignId:
    """The id of the campaign that a key makes: another one where one that it made is gone for good."""
    said, purged = f"campaign:{key}", 0
    while await log.is_purged(found := CampaignId(uuid5(account, said))):
        purged += 1
        said = f"campaign after {purged}:{key}"
    return found
