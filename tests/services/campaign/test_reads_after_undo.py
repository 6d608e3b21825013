"""After an undo early in a long campaign, its readers share one fold for each audience and hold nobody up."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from itertools import cycle, islice
from typing import Any
from uuid import UUID

import pytest

from domain.campaign.commands import AddNote
from domain.campaign.messages.undo import RedoAction, UndoAction
from domain.campaign.secrecy.audience import GM, TABLE
from domain.campaign.storage.snapshot import encode_state
from domain.event_store_types import StoredEvent
from domain.ids import ActionId, CampaignId
from infra.machine.entropy import machine_clock
from services.campaign.state_at import StateReader
from services.campaign.visible_campaign import CampaignReader
from services.history.undo import undo_or_redo
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.projection_store import MemoryProjectionStore
from tests.services.campaign_followed import HOT_BYTES, CampaignFollowed, application_of, no_views

pytestmark = pytest.mark.anyio

NOTES = 1_100
"""More than a page of the log."""
READERS = 20


class SlowLog:
    """A log whose pages of one campaign's past do not come while it is held."""

    def __init__(self, log: MemoryEventStore, slow: CampaignId) -> None:
        self._log = log
        self._slow = slow
        self.goes_on = asyncio.Event()
        self.goes_on.set()
        self.is_waited_for = asyncio.Event()
        self.failing = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    async def stream(self, campaign_id: CampaignId, after: int = 0) -> AsyncIterator[list[StoredEvent]]:
        if campaign_id == self._slow:
            self.is_waited_for.set()
            await self.goes_on.wait()
        if self.failing:
            raise OSError("the log is away")
        async for rows in self._log.stream(campaign_id, after):
            yield rows

    def hold(self) -> None:
        self.goes_on.clear()
        self.is_waited_for.clear()


class CountedFolds(MemoryProjectionStore):
    """Stored views without anything in them, which are asked before every fold."""

    def __init__(self) -> None:
        super().__init__(MemoryEventStore(machine_clock))
        self.made: Counter[tuple[CampaignId, str]] = Counter()

    async def fold_before(self, campaign_id: CampaignId, audience: str, *rest: Any) -> Any:
        self.made[campaign_id, audience] += 1
        return await super().fold_before(campaign_id, audience, *rest)


class Long:
    """A long campaign that everybody has read, with an early note, and a short one beside it."""

    def __init__(self) -> None:
        log = MemoryEventStore(machine_clock)
        self.views = CountedFolds()
        self.campaign, self.other = (CampaignFollowed(log, no_views()) for _ in range(2))
        self.log: Any = SlowLog(log, self.campaign.id)
        self.application = application_of(self.campaign)
        self.reader = CampaignReader(self.log, self.views, self.campaign.worker.names, HOT_BYTES)
        self.early: list[ActionId] = []

    async def lived(self) -> "Long":
        await self.campaign.found()
        await self.other.found()
        for text in ("a slip of the pen", "another"):
            written = await self.campaign.act("mara", AddNote(text))
            self.early.append(ActionId(UUID(written["action_id"])))
        await self.campaign.act("ana", AddNote("for Ines"), visibility=f"account:{self.campaign.people['ines']}")
        for nth in range(NOTES):
            await self.campaign.act("mara", AddNote(f"we go on, {nth}"))
        for who in self.campaign.people:
            await self.read(who)
        self.views.made.clear()
        return self

    async def read(self, who: str) -> Any:
        return await self.reader.see(self.campaign.id, self.campaign.people[who])

    async def do(self, wish: Any) -> None:
        await undo_or_redo(self.application, self.campaign.id, self.campaign.people["ana"], wish, None)

    def reading(self, readers: int = READERS) -> list[asyncio.Task[Any]]:
        return [asyncio.create_task(self.read(who)) for who in islice(cycle(self.campaign.people), readers)]

    async def assert_as_the_log_tells_it(self, seen: list[Any]) -> None:
        """What was read last is the log, folded anew for who reads it."""
        anew = StateReader(self.log, no_views())
        for each in seen:
            folded = await anew.at(self.campaign.id, each.audience, each.seq)
            assert encode_state(each.state) == encode_state(folded)
            assert encode_state(each.common) == encode_state(await anew.at(self.campaign.id, TABLE, each.seq))


@pytest.fixture
async def long() -> Long:
    return await Long().lived()


async def test_a_reader_that_hangs_up_leaves_its_fold_to_those_that_read_after_it(long):
    await long.do(UndoAction(long.early[0]))
    long.log.hold()
    first = asyncio.create_task(long.read("mara"))
    await long.log.is_waited_for.wait()
    first.cancel()
    readers = long.reading()
    for account in long.other.people.values():
        assert account in (await long.reader.see(long.other.id, account)).state.members
    assert not any(reader.done() for reader in readers)
    long.log.goes_on.set()
    seen = await asyncio.gather(*readers)
    made = {audience: times for (of, audience), times in long.views.made.items() if of == long.campaign.id}
    assert made == {TABLE.key: 1, GM.key: 1, f"account:{long.campaign.people['ines']}": 1}
    await long.assert_as_the_log_tells_it(seen[:4])
    assert {each.seq for each in seen} == {(await long.log.head(long.campaign.id)).seq}


async def test_who_has_a_fold_does_not_wait_for_the_fold_of_another_audience(long):
    await long.do(UndoAction(long.early[0]))
    await long.read("mara")
    long.log.hold()
    [by_gm] = long.reading(1)
    await long.log.is_waited_for.wait()
    await long.campaign.act("olaf", AddNote("meanwhile"))
    seen = await long.read("mara")
    assert seen.seq == (await long.log.head(long.campaign.id)).seq
    assert not by_gm.done()
    long.log.goes_on.set()
    await long.assert_as_the_log_tells_it([await by_gm, seen])


@pytest.mark.parametrize("wishes", [(), (UndoAction,), (UndoAction, RedoAction)])
async def test_what_is_done_while_a_fold_is_made_is_in_it(long, wishes):
    await long.do(UndoAction(long.early[0]))
    long.log.hold()
    readers = long.reading()
    await long.log.is_waited_for.wait()
    for wish in wishes:
        await long.do(wish(long.early[1]))
    await long.campaign.act("mara", AddNote("and on"))
    late = long.reading()
    await asyncio.sleep(0)
    long.log.goes_on.set()
    await asyncio.gather(*readers)
    seen = await asyncio.gather(*late)
    await long.assert_as_the_log_tells_it(seen[:4])
    assert {each.seq for each in seen} == {(await long.log.head(long.campaign.id)).seq}


async def test_a_fold_that_fails_is_made_again_for_who_reads_next(long):
    await long.do(UndoAction(long.early[0]))
    long.log.failing = True
    said = await asyncio.gather(*long.reading(), return_exceptions=True)
    assert {type(each) for each in said} == {OSError}
    long.log.failing = False
    await long.assert_as_the_log_tells_it(await asyncio.gather(*long.reading(4)))
