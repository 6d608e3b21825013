"""Stored views follow the log, and nobody who reads can tell how far they have come (invariants 6, 9, 10)."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import pytest
from msgspec.structs import replace

from domain.campaign.commands import AddNote
from domain.campaign.storage.snapshot import FORM
from domain.event_store_types import AppendResult, DatabaseUnavailable, EventBatch
from infra.machine.entropy import machine_clock
from services.workers import projector as catching_up
from services.workers.projection_fingerprint import views_digest
from services.workers.projector import Projector
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.projection_store import MemoryProjectionStore
from tests.services.campaign_followed import CampaignFollowed, Worker, audiences, followed_in, no_views

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "postgres"])
async def campaign(request: pytest.FixtureRequest) -> AsyncIterator[CampaignFollowed]:
    async with followed_in(request.param, lambda: request.getfixturevalue("database").service) as found:
        yield found


@pytest.fixture
async def in_memory() -> AsyncIterator[CampaignFollowed]:
    async with followed_in("memory", str) as found:
        yield found


def small_batches(monkeypatch: pytest.MonkeyPatch, events: int) -> None:
    monkeypatch.setattr(catching_up, "BATCH_EVENTS", events)


async def test_following_reaches_the_head_and_then_finds_nothing_to_do(campaign):
    for happens in campaign.evening():
        await happens()
    assert await campaign.worker.catch_up.campaign(campaign.id) > 0
    head = await campaign.log.head(campaign.id)
    assert await campaign.views.caught_up(campaign.id) == head.seq
    folds = await campaign.views.folds(campaign.id)
    assert audiences(folds) == {"gm", "table", f"account:{campaign.people['ines']}"}
    assert {(fold.seq, fold.form) for fold in folds} == {(head.seq, FORM)}
    assert await campaign.worker.catch_up.campaign(campaign.id) == 0


SLOWER = [pytest.param(kind, events, marks=pytest.mark.slow) for kind, events in [("memory", 1), ("postgres", 3)]]


@pytest.mark.parametrize(("kind", "events"), [("memory", 3), ("memory", 2_000), *SLOWER])
async def test_reads_are_the_same_before_during_and_after_catching_up(request, monkeypatch, kind, events):
    """Whatever is stored, a reader who ignores it and folds the whole log sees the same."""
    small_batches(monkeypatch, events)
    async with followed_in(kind, lambda: request.getfixturevalue("database").service) as campaign:
        for happens in campaign.evening():
            await happens()
            assert await campaign.everything_read(campaign.views) == await campaign.everything_read(no_views())
            await campaign.worker.catch_up.step(campaign.id)
        while await campaign.worker.catch_up.step(campaign.id):
            assert await campaign.everything_read(campaign.views) == await campaign.everything_read(no_views())
        await they_saw_what_they_should(campaign)


async def they_saw_what_they_should(campaign: CampaignFollowed) -> None:
    seen = await campaign.everything_read(campaign.views)
    assert seen == await campaign.everything_read(no_views())
    words = {who: str(seen[who]) for who in seen}
    assert {who for who in words if "only for you" in words[who]} == {"ana", "ines"}
    assert {who for who in words if "Mara lies" in words[who]} == {"ana"}
    assert all(len(seen[who]["sheets"]) == 3 for who in seen)


async def test_a_reader_who_trusted_what_is_stored_without_the_tail_would_be_found_out(in_memory, monkeypatch):
    """Negative control."""
    await in_memory.worker.catch_up.campaign(in_memory.id)
    await in_memory.act("ana", AddNote("news"))
    assert await in_memory.everything_read(in_memory.views) == await in_memory.everything_read(no_views())

    async def nothing(*_: object) -> AsyncIterator[Any]:
        for row in list[Any]():
            yield row

    monkeypatch.setattr("services.reading.indexed_list.actions_after", nothing)
    stale = await in_memory.everything_read(in_memory.views)
    monkeypatch.undo()
    assert stale != await in_memory.everything_read(no_views())


async def test_rebuilt_views_are_the_same_byte_for_byte_whatever_the_batches(campaign, monkeypatch):
    digests = []
    for happens in campaign.evening():
        await happens()
        await campaign.worker.catch_up.campaign(campaign.id)
    digests.append(await views_digest(campaign.views, campaign.id))
    for events in (1, 2, 7, 2_000):
        small_batches(monkeypatch, events)
        await campaign.views.invalidate(campaign.id)
        await campaign.worker.catch_up.campaign(campaign.id)
        digests.append(await views_digest(campaign.views, campaign.id))
    assert len(set(digests)) == 1
    assert digests[0].seq == (await campaign.log.head(campaign.id)).seq


async def test_an_action_longer_than_a_batch_is_folded_whole(in_memory, monkeypatch):
    longest = await in_memory.mission("Long", mara=1)
    assert len(longest["events"]) == 1
    await in_memory.worker.catch_up.campaign(in_memory.id)
    small_batches(monkeypatch, 2_000)
    whole = await views_digest(in_memory.views, in_memory.id)
    rows = await in_memory.log.tail(in_memory.id, 0)
    sizes = {row.action_id: sum(each.action_id == row.action_id for each in rows) for row in rows}
    assert max(sizes.values()) > 1, "no action here has several events"
    small_batches(monkeypatch, 1)
    await in_memory.views.invalidate(in_memory.id)
    ends = []
    while await in_memory.worker.catch_up.step(in_memory.id):
        ends.append(await in_memory.views.caught_up(in_memory.id))
    last_of_action = {row.action_id: row.seq for row in rows}
    assert ends == list(last_of_action.values())
    assert await views_digest(in_memory.views, in_memory.id) == whole


async def test_what_was_stored_in_another_form_is_folded_anew(campaign):
    await campaign.mission("Salvage", mara=400)
    await campaign.worker.catch_up.campaign(campaign.id)
    sound = await views_digest(campaign.views, campaign.id)
    before = await campaign.everything_read(no_views())
    folds = await campaign.views.folds(campaign.id)
    seq = folds[0].seq
    old = [replace(fold, form="of-long-ago", content=b"not even JSON") for fold in folds]
    assert await campaign.views.save(campaign.id, (seq, seq), old, {})
    assert await campaign.everything_read(campaign.views) == before
    await campaign.act("ana", AddNote("goes on"))
    assert await campaign.worker.catch_up.campaign(campaign.id) > seq
    assert {fold.form for fold in await campaign.views.folds(campaign.id)} == {FORM}
    assert await campaign.everything_read(campaign.views) == await campaign.everything_read(no_views())
    assert (await views_digest(campaign.views, campaign.id)).seq == sound.seq + 1


async def test_payouts_are_posted_once_per_mission_and_pilot_though_four_workers_race(campaign):
    workers = [Worker(campaign.log, campaign.views) for _ in range(4)]
    owed = []
    before = (await campaign.everything_read(no_views()))["mara"]["sheets"][0]["currency"]
    for number in range(6):
        concluded = await campaign.mission(f"Mission {number}", mara=100 + number, ines=10, olaf=1)
        mission = concluded["events"][0]["mission_id"]
        owed += [
            (mission, campaign.pilots[who], pay)
            for who, pay in (("mara", 100 + number), ("ines", 10), ("olaf", 1))
        ]
        if number % 2:
            await asyncio.gather(*(worker.catch_up.campaign(campaign.id) for worker in workers))
    while await campaign.views.lagging(campaign.id, 1):
        await asyncio.gather(*(worker.catch_up.campaign(campaign.id) for worker in workers))
    assert sorted(await campaign.payouts()) == sorted(owed)
    seen = await campaign.everything_read(campaign.views)
    mara = next(each for each in seen["mara"]["sheets"] if each["pilot_id"] == campaign.pilots["mara"])
    assert mara["currency"] - before == sum(100 + number for number in range(6))


async def test_a_race_between_workers_never_makes_anybody_fold_from_the_beginning(in_memory, monkeypatch):
    """Between two of one worker's reads another one saves: what that one stored is sound, and stays."""
    forgotten: list[Any] = []
    monkeypatch.setattr(in_memory.views, "invalidate", forgotten.append)
    folds = MemoryProjectionStore.folds
    other = Worker(in_memory.log, in_memory.views)
    await in_memory.worker.catch_up.campaign(in_memory.id)
    await in_memory.act("ana", AddNote("news"))

    async def folds_after_the_other(views: MemoryProjectionStore, campaign_id: Any) -> Any:
        monkeypatch.setattr(MemoryProjectionStore, "folds", folds)
        await other.catch_up.campaign(campaign_id)
        return await folds(views, campaign_id)

    monkeypatch.setattr(MemoryProjectionStore, "folds", folds_after_the_other)
    assert await in_memory.worker.catch_up.campaign(in_memory.id) == 0
    assert forgotten == []
    assert await in_memory.views.caught_up(in_memory.id) == (await in_memory.log.head(in_memory.id)).seq


class HeldLog(MemoryEventStore):
    """A log whose campaigns somebody keeps locked, as long as `held` says."""

    held = False

    async def append(self, batches: list[EventBatch]) -> list[AppendResult]:
        if self.held:
            return [AppendResult("version_conflict") for _ in batches]
        return await super().append(batches)


@pytest.mark.slow
async def test_what_is_owed_while_somebody_holds_the_campaign_is_not_forgotten():
    """The head does not move, so nothing but being behind would ever bring anybody back to it."""
    log = HeldLog(machine_clock)
    campaign = await CampaignFollowed(log, MemoryProjectionStore(log)).found()
    await campaign.mission("Salvage", mara=400)
    log.held = True
    with suppress(DatabaseUnavailable):  # what it hears when its time is up depends on where it waits just then
        assert await campaign.worker.catch_up.campaign(campaign.id) == 0
    assert await campaign.views.lagging(campaign.id, 1) == [campaign.id]
    log.held = False
    await campaign.worker.catch_up.campaign(campaign.id)
    assert [amount for _, _, amount in await campaign.payouts()] == [400]
    assert await campaign.views.lagging(campaign.id, 1) == []


async def test_a_worker_that_dies_before_it_saves_leaves_nothing_undone(in_memory, monkeypatch):
    """At each point: after folding, between two payouts, after the payouts and before the save."""
    await in_memory.mission("Salvage", mara=400, ines=300, olaf=200)
    points: list[tuple[Any, str]] = [(in_memory.views, "save"), (in_memory.log, "append"), (in_memory.log, "head")]
    for place, method in points:
        for successes in range(2):
            with monkeypatch.context() as dying:
                dying.setattr(place, method, dies_after(getattr(place, method), successes))
                worker = Worker(in_memory.log, in_memory.views)
                with suppress(Killed):
                    await worker.catch_up.campaign(in_memory.id)
    await Worker(in_memory.log, in_memory.views).catch_up.campaign(in_memory.id)
    assert sorted(amount for _, _, amount in await in_memory.payouts()) == [200, 300, 400]
    assert await in_memory.views.lagging(in_memory.id, 1) == []


class Killed(Exception):  # noqa: N818 - what becomes of a worker
    pass


def dies_after(method: Callable[..., Any], successes: int) -> Callable[..., Any]:
    left = successes

    async def dying(*arguments: Any, **named: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise Killed
        return await method(*arguments, **named)

    return dying


async def test_events_that_come_while_a_batch_is_folded_are_found_in_the_next(in_memory):
    class Busy(Projector):
        async def _folds_at(self, *arguments: Any) -> Any:
            await in_memory.act("ana", AddNote("meanwhile"))
            return await super()._folds_at(*arguments)

    busy = Busy(in_memory.log, in_memory.views, in_memory.worker.handler)
    await busy.step(in_memory.id)
    assert await in_memory.views.lagging(in_memory.id, 1) == [in_memory.id]
    await in_memory.worker.catch_up.campaign(in_memory.id)
    assert await in_memory.everything_read(in_memory.views) == await in_memory.everything_read(no_views())


async def test_views_invalidated_while_a_worker_folds_are_not_saved_upon_what_another_had_stored(in_memory):
    """It looked before the other stored all of it, and saves when all of it was just invalidated."""

    class Overtaken(Projector):
        async def _folds_at(self, *arguments: Any) -> Any:
            await in_memory.worker.catch_up.campaign(in_memory.id)
            folds = await super()._folds_at(*arguments)
            await in_memory.views.invalidate(in_memory.id)
            return folds

    for happens in in_memory.evening():
        await happens()
    assert await Overtaken(in_memory.log, in_memory.views, in_memory.worker.handler).step(in_memory.id) == 0
    assert await in_memory.views.caught_up(in_memory.id) == 0
    await in_memory.worker.catch_up.campaign(in_memory.id)
    assert await in_memory.everything_read(in_memory.views) == await in_memory.everything_read(no_views())


async def test_the_fingerprint_of_views_is_another_where_anything_stored_is(in_memory):
    for happens in in_memory.evening():
        await happens()
    await in_memory.worker.catch_up.campaign(in_memory.id)
    views = in_memory.views
    assert isinstance(views, MemoryProjectionStore)
    before = await views_digest(views, in_memory.id)
    assert before.seq == (await in_memory.log.head(in_memory.id)).seq

    async def differs() -> bool:
        found = await views_digest(views, in_memory.id)
        return found.sha256 != before.sha256

    for rows in views._rows.values():
        kept = rows[0]
        for changed in (
            replace(kept, content=kept.content + b" "),
            replace(kept, keys=(*kept.keys, "more")),
            replace(kept, nth=kept.nth + 1_000),
        ):
            rows[0] = changed
            assert await differs(), changed
        rows[0] = kept
    folds = views._folds[in_memory.id]
    for audience, fold in list(folds.items()):
        folds[audience] = replace(fold, content=fold.content + b" ")
        assert await differs(), audience
        folds[audience] = fold
    assert not await differs()
