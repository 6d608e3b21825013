"""Pages of the chronicle and the ledger begin and end where they should, wherever somebody asks for them from."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from domain.campaign.commands import AddNote
from services.campaign.visible_campaign import CampaignReader, VisibleCampaign
from services.reading.chronicle import Filters, actions_page, entries_before, entries_page, events_page
from services.reading.indexed_list import SCANNED_MAX
from tests.services.campaign_followed import HOT_BYTES, CampaignFollowed, followed_in, no_views

pytestmark = pytest.mark.anyio


@pytest.fixture
async def campaign() -> AsyncIterator[CampaignFollowed]:
    async with followed_in("memory", str) as found:
        await found.mission("Salvage", mara=5, ines=7)
        await found.worker.catch_up.campaign(found.id)
        yield found


async def seen_by_gm(campaign: CampaignFollowed) -> VisibleCampaign:
    reader = CampaignReader(campaign.log, campaign.views, campaign.worker.names, HOT_BYTES)
    return await reader.see(campaign.id, campaign.people["ana"])


async def test_a_page_that_begins_inside_an_action_begins_with_the_next_one(campaign):
    seen = await seen_by_gm(campaign)
    whole = (await actions_page(campaign.log, campaign.views, seen, 0, 100, Filters())).actions
    assert any(entry.last_seq > entry.seq for entry in whole), "no action here has several events"
    for after in range(seen.seq):
        page = await actions_page(campaign.log, campaign.views, seen, after, 100, Filters())
        assert page.actions == [entry for entry in whole if entry.seq > after]
        by_worker = Filters(type="frame_state.post_payout")
        stored = await actions_page(campaign.log, campaign.views, seen, after, 100, by_worker)
        assert stored.actions == [entry for entry in whole if entry.seq > after and entry.type == by_worker.type]


async def test_ledger_entries_are_told_apart_inside_an_action(campaign):
    seen = await seen_by_gm(campaign)
    whole, _ = await entries_page(campaign.log, campaign.views, seen, None, 0, 100)
    assert whole
    for after in range(seen.seq):
        for views in (campaign.views, no_views()):
            page, _ = await entries_page(campaign.log, views, seen, None, after, 100)
            assert page == [entry for entry in whole if entry.seq > after]


async def test_before_a_seq_stands_what_is_read_up_to_it_backwards(campaign):
    """With all views stored, with the newest actions not, and with none."""
    await campaign.act("ana", AddNote("not yet stored"))
    await campaign.act("mara", AddNote("nor this"))
    seen, end = await seen_by_gm(campaign), 2**53
    kinds = (Filters(type=kind) for kind in ("frame_state.post_payout", "campaign.add_note"))
    every = (Filters(), Filters(text="o"), *kinds)
    for views in (campaign.views, no_views()):
        for filters in every:
            whole = (await actions_page(campaign.log, views, seen, 0, 500, filters)).actions[::-1]
            for before in (*range(seen.seq + 2), end):
                page = await actions_page(campaign.log, views, seen, 0, 500, filters, before)
                assert page.actions == [entry for entry in whole if entry.seq < before]
                assert (page.next_after, page.next_before) == (None, None)
        for account in (None, "crew"):
            entries, _ = await entries_page(campaign.log, views, seen, account, 0, 500)
            for before in (*range(seen.seq + 2), end):
                lines, _ = await entries_before(campaign.log, views, seen, account, before, 500)
                assert lines == [entry for entry in entries[::-1] if entry.seq < before]
    events = (await events_page(campaign.log, seen, 0, 500)).events
    for before in (*range(seen.seq + 2), end):
        assert (await events_page(campaign.log, seen, 0, 500, before)).events == events[: max(0, before - 1)][::-1]


async def test_pages_backwards_join_without_a_gap(campaign):
    await campaign.act("ana", AddNote("not yet stored"))
    seen = await seen_by_gm(campaign)
    for limit in (1, 2, 3):
        for filters in (Filters(), Filters(type="campaign.add_note"), Filters(actor=campaign.people["mara"])):
            whole = (await actions_page(campaign.log, campaign.views, seen, 0, 500, filters)).actions
            found: list[Any] = []
            before: int | None = 2**53
            while before is not None:
                page = await actions_page(campaign.log, campaign.views, seen, 0, limit, filters, before)
                found += page.actions
                before = page.next_before
            assert found == whole[::-1]
        events: list[Any] = []
        before = 2**53
        while before is not None:
            some = await events_page(campaign.log, seen, 0, limit, before)
            events += some.events
            before = some.next_before
        assert events == (await events_page(campaign.log, seen, 0, 500)).events[::-1]


async def test_a_search_that_finds_nothing_says_where_to_go_on(campaign, monkeypatch):
    """Nobody makes the service look through a whole log in one request."""
    for number in range(30):
        await campaign.act("ana", AddNote(f"note {number}"))
    monkeypatch.setattr("services.reading.chronicle.WORDS_SEARCHED_MAX", 10)
    monkeypatch.setattr("services.reading.indexed_list.SCANNED_MAX", 10)
    seen = await seen_by_gm(campaign)
    for filters in (Filters(text="nowhere"), Filters(type="nothing.like_it")):
        after: int | None = 0
        places = []
        while after is not None:
            page = await actions_page(campaign.log, no_views(), seen, after, 5, filters)
            assert page.actions == []
            after = page.next_after
            places.append(after)
        assert len(places) > 3
        assert places[:-1] == sorted(set(places[:-1]))  # type: ignore[type-var]
    assert SCANNED_MAX > 1_000
