"""Verifying a log finds the first place where it is not what was written."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from msgspec.structs import replace

from domain.event_store_types import EventBatch, Head, StoredEvent
from domain.hash_chain import GENESIS
from domain.ids import AccountId, CampaignId
from domain.rejection import Missing
from infra.machine.entropy import machine_clock
from services.campaign.verify_log import SoundPart, verify_chain
from tests.bench.campaigns import a_script
from tests.doubles.event_store import MemoryEventStore

pytestmark = pytest.mark.anyio
EVENTS = 40
CAMPAIGN = CampaignId(uuid4())


@pytest.fixture
async def log() -> MemoryEventStore:
    """One campaign with tests, notes and awards."""
    log = MemoryEventStore(machine_clock)
    script = a_script(AccountId(uuid4()), AccountId(uuid4()), stretches=3)
    await log.append([EventBatch(CAMPAIGN, 0, GENESIS, list(script.rows(CAMPAIGN, EVENTS)))])
    return log


def with_text(log: MemoryEventStore) -> StoredEvent:
    return next(event for event in log._events[CAMPAIGN] if event.texts is not None)


async def test_a_log_as_it_was_written_is_sound(log):
    head = await log.head(CAMPAIGN)
    assert await verify_chain(log, CAMPAIGN) == SoundPart(EVENTS, head.hash, None)


async def test_a_campaign_that_is_not_there_is_missing(log):
    with pytest.raises(Missing):
        await verify_chain(log, CampaignId(uuid4()))


@pytest.mark.parametrize(
    "change",
    [
        lambda event: replace(event, body=event.body.replace(b"}", b" }")),
        lambda event: replace(event, command=b"{}"),
        lambda event: replace(event, actor=None),
        lambda event: replace(event, game_time=event.game_time + 1),
        lambda event: replace(event, recorded_at=event.recorded_at + 1),
        lambda event: replace(event, visibility="gm"),
        lambda event: replace(event, kind_version=9),
        lambda event: replace(event, salt=bytes(16)),
        lambda event: replace(event, hash=bytes(32)),
        lambda event: replace(event, seq=event.seq + 1),
    ],
)
async def test_whatever_is_changed_is_named_by_its_seq(log, change: Callable[[StoredEvent], StoredEvent]):
    """Invariant 7."""
    events = log._events[CAMPAIGN]
    events[20] = change(events[20])
    assert (await verify_chain(log, CAMPAIGN)).bad_seq == 21


async def test_a_missing_event_is_named(log):
    del log._events[CAMPAIGN][20]
    assert (await verify_chain(log, CAMPAIGN)).bad_seq == 21


async def test_a_log_that_ends_before_its_head_is_cut_off_there(log, monkeypatch):
    """Invariant 8, as far as the head row tells."""

    async def head(_: CampaignId) -> Head:
        return Head(seq=EVENTS + 2, hash=bytes(32), recorded_at=0)

    monkeypatch.setattr(log, "head", head)
    assert (await verify_chain(log, CAMPAIGN)).bad_seq == EVENTS + 1


async def test_a_head_that_says_something_else_than_the_log_is_found(log, monkeypatch):
    """A whole chain could be written anew from some place on; the head kept beside it would still differ."""

    async def head(_: CampaignId) -> Head:
        return Head(seq=EVENTS, hash=bytes(32), recorded_at=0)

    monkeypatch.setattr(log, "head", head)
    assert (await verify_chain(log, CAMPAIGN)).bad_seq == EVENTS


async def test_a_personal_text_that_was_not_written_is_found_and_an_erased_one_is_fine(log):
    event = with_text(log)
    assert event.texts is not None
    log._events[CAMPAIGN][event.seq - 1] = replace(event, texts=event.texts.replace(b"e", b"a"))
    assert (await verify_chain(log, CAMPAIGN)).bad_seq == event.seq
    log._events[CAMPAIGN][event.seq - 1] = replace(event, texts=None, text_salt=None)
    assert (await verify_chain(log, CAMPAIGN)).bad_seq is None
