"""What counts as a log that was set back, while others act in it and delete it."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest
from msgspec import structs
from structlog.testing import capture_logs

from domain.event_store_types import Head, MembershipChange
from domain.ids import CampaignId
from domain.rejection import Stale
from infra.machine.head_store import FileHeadStore, NoHeadStore
from services.campaign.rollback_detector import RollbackDetector
from tests.doubles.deletion_store import MemoryDeletionStore
from tests.doubles.event_store import MemoryEventStore
from tests.infra.log_entries import batch_after, new_account, new_campaign, wall_clock

pytestmark = pytest.mark.anyio


class DeletedWhileItIsRead(MemoryEventStore):
    """Another process deletes a campaign after its head was read, and before its events are."""

    async def tail(self, campaign_id: CampaignId, *place: Any, **span: Any) -> Any:
        [gm] = self._members
        assert await MemoryDeletionStore(self, wall_clock).delete(campaign_id, gm, "Iron Rain", 1, rested=False)
        return await super().tail(campaign_id, *place, **span)


async def played(log: MemoryEventStore) -> tuple[CampaignId, Head, Head]:
    """A campaign, where its log ended at first, and where it ends."""
    campaign_id, gm = new_campaign(), MembershipChange(new_account(), "gm")
    await log.append([batch_after(campaign_id, events=2, members=[gm])])
    before = await log.head(campaign_id)
    assert before is not None
    await log.append([batch_after(campaign_id, before)])
    head = await log.head(campaign_id)
    assert head is not None
    return campaign_id, before, head


async def test_a_campaign_that_another_process_deletes_meanwhile_was_not_set_back():
    log = DeletedWhileItIsRead(wall_clock)
    campaign_id, kept, head = await played(log)
    detector = RollbackDetector(log, NoHeadStore())
    await detector.require_whole(campaign_id, kept, head)
    assert await log.head(campaign_id) is None


async def test_a_log_with_another_event_at_the_kept_head_or_none_was_set_back():
    log = MemoryEventStore(wall_clock)
    campaign_id, kept, head = await played(log)
    detector = RollbackDetector(log, NoHeadStore())
    for sound in (None, kept, head):
        await detector.require_whole(campaign_id, sound, head)
    further = structs.replace(head, seq=head.seq + 1)
    for lost in (further, structs.replace(kept, hash=head.hash)):
        with pytest.raises(Stale, match="old backup") as refusal:
            await detector.require_whole(campaign_id, lost, head)
        assert refusal.value.code == "log_behind_checkpoint"
    log._events[campaign_id].clear()
    log._events[campaign_id] += batch_after(campaign_id).events
    with pytest.raises(Stale, match="old backup"):
        await detector.require_whole(campaign_id, kept, head)


class FullDisk(NoHeadStore):
    """Refuses once, then keeps."""

    def __init__(self) -> None:
        self.kept: dict[CampaignId, Head] = {}
        self._is_full = True

    def keep(self, heads: Any) -> None:
        if self._is_full:
            self._is_full = False
            raise OSError(28, "No space left on device")
        self.kept |= heads


async def test_a_head_that_the_disk_refused_is_kept_with_the_next_ones():
    log, shelf = MemoryEventStore(wall_clock), FullDisk()
    campaign_id, _, head = await played(log)
    detector = RollbackDetector(log, shelf)
    detector.confirm(campaign_id, head)
    await detector.keep()
    await detector.keep()
    assert shelf.kept == {campaign_id: head}


async def test_heads_that_are_kept_twice_at_once_are_kept(tmp_path):
    head, shelf = Head(seq=7, hash=bytes(32), recorded_at=0), FileHeadStore(tmp_path)
    detector = RollbackDetector(MemoryEventStore(lambda: 0), shelf)
    campaigns = [CampaignId(uuid4()) for _ in range(200)]
    for campaign_id in campaigns:
        detector.confirm(campaign_id, head)
    with capture_logs() as said:
        await asyncio.gather(detector.keep(), detector.keep())
    assert said == []
    assert {*shelf.campaigns()} == {*campaigns}
