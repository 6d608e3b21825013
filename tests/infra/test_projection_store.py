"""Stored views: the same promises in PostgreSQL and in memory (invariants 6 and 9)."""

from collections.abc import AsyncIterator
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
import pytest

from domain.event_store_types import Erasure
from domain.ids import CampaignId
from domain.stored_view_types import TAKEN_BACK, Progress, StoredFold, ViewRow
from domain.worker_shares import holds, share_of
from infra.postgres.driver.database import Database
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.projection_store import PostgresProjectionStore
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.projection_store import MemoryProjectionStore
from tests.infra.erasures import erasing_after
from tests.infra.log_entries import batch_after, head_at, new_campaign, wall_clock

pytestmark = pytest.mark.anyio
FORM = "form-1"
FIRST_ID = UUID(int=0)


class Store(NamedTuple):
    log: Any
    views: Any


@pytest.fixture(params=["memory", "postgres"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    if request.param == "memory":
        log = MemoryEventStore(wall_clock)
        yield Store(log, MemoryProjectionStore(log))
        return
    urls = request.getfixturevalue("database")
    async with Database(urls.service, readers=2, application_name="views") as connections:
        yield Store(PostgresEventStore(connections), PostgresProjectionStore(connections))


async def with_events(store: Store, events: int) -> CampaignId:
    """A campaign whose log has so many events, in one action."""
    campaign_id = new_campaign()
    [outcome] = await store.log.append([batch_after(campaign_id, events=events)])
    assert outcome.status == "committed"
    return campaign_id


def fold(audience: str, seq: int, form: str = FORM, content: bytes = b"{}") -> StoredFold:
    return StoredFold(audience, seq, form, content)


def row(seq: int, nth: int = 0, *keys: str, view: str = "statement", since: int = 0) -> ViewRow:
    return ViewRow(view, seq, nth, keys, f"{seq}.{nth}".encode(), since)


async def page(store: Store, campaign_id: CampaignId, **asked: Any) -> tuple[int, list[tuple[int, int]]]:
    """How far the table's statement is stored, and the places of the rows asked for."""
    wanted: dict[str, Any] = {"form": FORM, "after": 0, "upto": 2**53, "limit": 100} | asked
    form = wanted.pop("form")
    followed, rows = await store.views.rows(campaign_id, "table", form, "statement", **wanted)
    return followed, [(each.seq, each.nth) for each in rows]


async def test_what_is_saved_is_read_back(store):
    campaign_id = await with_events(store, 3)
    folds = [fold("gm", 3, content=b'{"secret":1}'), fold("table", 3)]
    rows = {"table": [row(1, 0, "account:crew", "account:world:market"), row(3, view="chronicle")]}
    assert await store.views.save(campaign_id, (0, 3), folds, rows)
    assert await store.views.caught_up(campaign_id) == 3
    assert sorted(await store.views.folds(campaign_id), key=lambda each: each.audience) == folds
    assert await store.views.fold(campaign_id, "gm") == folds[0]
    assert await store.views.fold(campaign_id, "account:nobody") is None
    followed, statement = await store.views.rows(
        campaign_id, "table", FORM, "statement", after=0, upto=3, limit=10
    )
    assert (followed, statement) == (3, rows["table"][:1])


async def test_only_who_goes_on_from_where_the_views_stand_may_save(store):
    campaign_id = await with_events(store, 4)
    assert await store.views.save(campaign_id, (0, 2), [fold("table", 2)], {"table": [row(1)]})
    assert not await store.views.save(campaign_id, (0, 4), [fold("table", 4)], {"table": [row(1), row(3)]})
    assert not await store.views.save(campaign_id, (1, 4), [fold("table", 4)], {"table": [row(3)]})
    assert await store.views.caught_up(campaign_id) == 2
    assert await page(store, campaign_id) == (2, [(1, 0)])
    assert await store.views.save(campaign_id, (2, 4), [fold("table", 4)], {"table": [row(3)]})
    assert await page(store, campaign_id) == (4, [(1, 0), (3, 0)])
    assert [each.seq for each in await store.views.folds(campaign_id)] == [4]


async def test_nothing_is_saved_of_a_campaign_that_is_not_there(store):
    stranger = new_campaign()
    assert not await store.views.save(stranger, (0, 1), [fold("table", 1)], {"table": [row(1)]})
    assert await store.views.caught_up(stranger) == 0
    assert await store.views.folds(stranger) == []
    assert await page(store, stranger) == (0, [])


async def test_rows_come_in_order_in_pages_and_up_to_a_seq(store):
    campaign_id = await with_events(store, 9)
    rows = [row(5, 1), row(2), row(9), row(5, 0), row(7)]
    assert await store.views.save(campaign_id, (0, 9), [fold("table", 9)], {"table": rows})
    assert await page(store, campaign_id) == (9, [(2, 0), (5, 0), (5, 1), (7, 0), (9, 0)])
    assert await page(store, campaign_id, after=2, limit=2) == (9, [(5, 0), (5, 1)])
    assert await page(store, campaign_id, after=5, upto=8) == (9, [(7, 0)])
    assert await page(store, campaign_id, after=9) == (9, [])


async def test_rows_are_found_by_all_of_their_keys(store):
    campaign_id = await with_events(store, 3)
    rows = [row(1, 0, "a:1", "b:1"), row(2, 0, "a:1"), row(3, 0, "b:1")]
    assert await store.views.save(campaign_id, (0, 3), [fold("table", 3)], {"table": rows})
    assert await page(store, campaign_id, keys=["a:1"]) == (3, [(1, 0), (2, 0)])
    assert await page(store, campaign_id, keys=["a:1", "b:1"]) == (3, [(1, 0)])
    assert await page(store, campaign_id, keys=["c:1"]) == (3, [])


async def test_a_long_list_that_was_stored_little_by_little_is_read_page_by_page(store):
    campaign_id = await with_events(store, 1_000)
    every = [row(seq, nth, "a:1" if seq % 7 else "b:1") for seq in range(1, 1_001) for nth in range(1 + seq % 2)]
    reached = 0
    for step in (1, 2, 120, 4, 1, 300, 572):
        rows = [each for each in every if reached < each.seq <= reached + step]
        assert await store.views.save(
            campaign_id, (reached, reached + step), [fold("table", reached + step)], {"table": rows}
        )
        reached += step
    for keys in ([], ["b:1"], ["a:1", "b:1"]):
        wanted = [(each.seq, each.nth) for each in every if set(keys) <= set(each.keys)]
        for after, upto, limit in (
            (0, 1_000, 2_000),
            (0, 1_000, 30),
            (127, 700, 50),
            (128, 128, 9),
            (990, 2_000, 50),
        ):
            found = await page(store, campaign_id, after=after, upto=upto, limit=limit, keys=keys)
            assert found == (1_000, [place for place in wanted if after < place[0] <= upto][:limit])


async def test_a_list_that_is_taken_back_while_it_is_read_is_not_stored(database):
    class TakenBack(Database):
        """After its first part has been read."""

        async def read(self, statement: Any, row: Any, **arguments: Any) -> Any:
            found = await super().read(statement, row, **arguments)
            if "view" in arguments:
                await views.invalidate(campaign_id)
            return found

    async with TakenBack(database.service, readers=2, application_name="views") as connections:
        views = PostgresProjectionStore(connections)
        store = Store(PostgresEventStore(connections), views)
        campaign_id = await with_events(store, 1_000)
        rows = [row(seq) for seq in range(1, 1_001)]
        assert await views.save(campaign_id, (0, 1_000), [fold("table", 1_000)], {"table": rows})
        assert await page(store, campaign_id, limit=900) == (0, [])


async def test_rows_that_are_listed_again_take_the_place_of_the_first_from_then_on(store):
    campaign_id = await with_events(store, 9)
    rows = [row(2, 0, "a:1"), row(3), row(2, 0, "a:1", "b:1", since=6), row(2, 1, "b:1", since=6), row(2, since=9)]
    assert await store.views.save(campaign_id, (0, 9), [fold("table", 9)], {"table": rows})
    assert await page(store, campaign_id, upto=5) == (9, [(2, 0), (3, 0)])
    assert await page(store, campaign_id, upto=5, keys=["b:1"]) == (9, [])
    assert await page(store, campaign_id, upto=8) == (9, [(2, 0), (2, 1), (3, 0)])
    assert await page(store, campaign_id, upto=8, limit=2) == (9, [(2, 0), (2, 1)])
    assert await page(store, campaign_id, upto=8, keys=["a:1"]) == (9, [(2, 0)])
    assert await page(store, campaign_id, keys=["b:1"]) == (9, [])
    assert await page(store, campaign_id) == (9, [(2, 0), (3, 0)])


async def test_a_key_that_holds_a_separator_is_still_one_key(store):
    """Whoever asks for the account `x␟a:1` must not be shown what carries `a:1`."""
    campaign_id = await with_events(store, 1)
    assert await store.views.save(campaign_id, (0, 1), [fold("table", 1)], {"table": [row(1, 0, "a:1", "b:1")]})
    assert await page(store, campaign_id, keys=["a:1\x1fb:1"]) == (1, [])


async def test_lists_in_another_form_count_as_not_stored(store):
    campaign_id = await with_events(store, 2)
    assert await store.views.save(campaign_id, (0, 2), [fold("table", 2, "form-0")], {"table": [row(1)]})
    assert await page(store, campaign_id) == (0, [])
    assert await page(store, campaign_id, form="form-0") == (2, [(1, 0)])


async def test_every_audience_has_lists_of_its_own(store):
    campaign_id = await with_events(store, 2)
    rows = {"gm": [row(1), row(2)], "table": [row(1)]}
    assert await store.views.save(campaign_id, (0, 2), [fold("gm", 2), fold("table", 2)], rows)
    assert await page(store, campaign_id) == (2, [(1, 0)])


async def test_audiences_that_saw_the_same_part_company_and_read_their_own_rows_from_then_on(store):
    campaign_id = await with_events(store, 300)
    steps = [
        ((0, 2), {each: [row(1), row(2)] for each in ("gm", "table")}),
        ((2, 4), {"gm": [row(3, 0, "a:1")], "table": []}),
        ((4, 6), {"gm": [row(5)], "table": [row(5)]}),
        ((6, 8), {each: [row(1, 7, since=8), row(7)] for each in ("gm", "table")} | {"x": [row(1), row(7)]}),
        ((8, 300), {each: [row(200)] for each in ("gm", "table", "x")} | {"y": [row(2), row(200, 1)]}),
    ]
    for (start, end), rows in steps:
        folds = [fold(audience, end) for audience in ("gm", "table", "x", "y")]
        assert await store.views.save(campaign_id, (start, end), folds, rows)
    found = {}
    for audience in ("gm", "table", "x", "y", "z"):
        _, rows = await store.views.rows(campaign_id, audience, FORM, "statement", after=0, upto=300, limit=99)
        found[audience] = [(each.seq, each.nth) for each in rows]
    assert found == {
        "gm": [(1, 7), (2, 0), (3, 0), (5, 0), (7, 0), (200, 0)],
        "table": [(1, 7), (2, 0), (5, 0), (7, 0), (200, 0)],
        "x": [(1, 0), (7, 0), (200, 0)],
        "y": [(2, 0), (200, 1)],
        "z": [],
    }
    _, rows = await store.views.rows(
        campaign_id, "table", FORM, "statement", after=0, upto=300, limit=9, keys=["a:1"]
    )
    assert rows == []


async def test_rows_that_several_audiences_see_are_stored_once(database):
    async with Database(database.service, readers=2, application_name="views") as connections:
        store = Store(PostgresEventStore(connections), PostgresProjectionStore(connections))
        campaign_id = await with_events(store, 400)
        for start, end in ((0, 100), (100, 200), (200, 300)):
            rows = {each: [row(seq) for seq in range(start + 1, end + 1)] for each in ("gm", "table")}
            folds = [fold("gm", end), fold("table", end)]
            assert await store.views.save(campaign_id, (start, end), folds, rows)
        stored = "SELECT number, audience, readers FROM view_segments ORDER BY number, audience"
        with psycopg.connect(database.owner) as owner:
            owner.execute("ALTER TABLE view_segments NO FORCE ROW LEVEL SECURITY")
            assert owner.execute(stored).fetchall() == [(nth, "gm", ["gm", "table"]) for nth in range(3)]
            owner.rollback()
        rows = {"gm": [row(301)], "table": []}
        assert await store.views.save(campaign_id, (300, 301), [fold("gm", 301), fold("table", 301)], rows)
        with psycopg.connect(database.owner) as owner:
            owner.execute("ALTER TABLE view_segments NO FORCE ROW LEVEL SECURITY")
            assert owner.execute(stored).fetchall()[2:] == [(2, "gm", ["gm"]), (2, "table", ["table"])]
            owner.rollback()


async def test_campaigns_are_behind_until_their_views_reach_the_head(store):
    behind, done = sorted([await with_events(store, 2), await with_events(store, 2)])
    assert await store.views.lagging(FIRST_ID, 10) == [behind, done]
    assert await store.views.lagging(FIRST_ID, 1) == [behind]
    assert await store.views.lagging(done, 10) == [done]
    oldest = await store.log.head(behind), await store.log.head(done)
    assert await store.views.progress(FORM) == Progress(2, min(head.recorded_at for head in oldest))
    await store.views.save(done, (0, 2), [fold("table", 2)], {})
    await store.views.save(behind, (0, 1), [fold("table", 1)], {})
    assert await store.views.lagging(FIRST_ID, 10) == [behind]
    assert await store.views.progress(FORM) == Progress(1, oldest[0].recorded_at)
    await store.views.save(behind, (1, 2), [fold("table", 2)], {})
    assert await store.views.lagging(FIRST_ID, 10) == []
    assert await store.views.progress(FORM) == Progress(0, None)
    [outcome] = await store.log.append([batch_after(done, await store.log.head(done))])
    assert outcome.status == "committed"
    assert await store.views.lagging(FIRST_ID, 10) == [done]


async def test_a_campaign_with_news_counts_as_behind_from_so_many_events_on(store):
    minute = 60_000_000
    few, many, done = sorted([await with_events(store, 9) for _ in range(3)])
    for campaign_id, upto in ((few, 6), (many, 5), (done, 9)):
        await store.views.save(campaign_id, (0, upto), [fold("table", upto)], {})
    assert await store.views.lagging(FIRST_ID, 10, events=4, quiet=minute) == [many]
    assert await store.views.lagging(FIRST_ID, 10, events=5, quiet=minute) == []
    assert await store.views.lagging(FIRST_ID, 10, events=5, quiet=-minute) == [few, many], (
        "their news are old by then"
    )
    assert await store.views.lagging(many, 10, events=5, quiet=-minute) == [many]
    new = await with_events(store, 2)
    assert await store.views.lagging(FIRST_ID, 10, events=5, quiet=minute) == []
    assert await store.views.lagging(FIRST_ID, 10, events=5, quiet=minute, new=0) == [new]


async def test_only_the_campaigns_of_a_share_are_behind_for_its_worker(store):
    campaigns = sorted([await with_events(store, 2) for _ in range(20)])
    shares = [share_of(worker, ("one", "two")) for worker in ("one", "two")]
    found = [await store.views.lagging(FIRST_ID, 20, share=share) for share in shares]
    assert found == [[each for each in campaigns if holds(share, each)] for share in shares]
    assert sorted(found[0] + found[1]) == campaigns


async def test_quiet_campaigns_stored_in_another_form_are_found_and_taken_back_once(store):
    quiet, behind, fresh, other = sorted([await with_events(store, 2) for _ in range(4)])
    assert await store.views.of_another_form(FORM, 10) == [], "all of them are behind"
    await store.views.save(quiet, (0, 2), [fold("table", 2, "form-0")], {"table": [row(1)]}, keep=True)
    await store.views.save(behind, (0, 1), [fold("table", 1, "form-0")], {})
    await store.views.save(fresh, (0, 2), [fold("table", 2)], {})
    await store.views.save(other, (0, 2), [fold("table", 2, "form-2")], {})
    assert sorted(await store.views.of_another_form(FORM, 10)) == [quiet, other]
    assert len(await store.views.of_another_form(FORM, 1)) == 1
    assert sorted(await store.views.of_another_form("form-0", 10)) == [fresh, other]
    head = await store.log.head(behind)
    assert await store.views.progress(FORM) == Progress(1, head.recorded_at, 2)
    assert not await store.views.renew(fresh, FORM)
    assert [await store.views.renew(quiet, FORM) for _ in range(2)] == [True, False], "whoever comes second"
    assert await store.views.folds(quiet) == []
    assert await store.views.fold_before(quiet, "table", "form-0", 9, []) is None
    assert await page(store, quiet, form="form-0") == (0, [])
    assert await store.views.lagging(FIRST_ID, 10) == [quiet, behind]
    assert (await store.views.progress(FORM)).of_another_form == 1
    again = {"erasures": await store.views.erasures(quiet)}
    assert await store.views.save(quiet, (0, 2), [fold("table", 2)], {"table": [row(1)]}, **again)
    assert await store.views.of_another_form(FORM, 10) == [other]
    assert await page(store, quiet) == (2, [(1, 0)])


async def test_what_is_erased_from_a_campaign_does_not_make_it_one_of_another_form(store):
    campaign_id = await with_views(store)
    await erased(store, campaign_id, 4)
    now = await store.views.erasures(campaign_id)
    assert await store.views.save(campaign_id, (6, 7), [fold("gm", 7), fold("table", 7)], {}, erasures=now)
    assert await store.views.progress(FORM) == Progress(0, None, 0)


async def test_all_campaigns_can_be_paged_through(store):
    campaigns = sorted([await with_events(store, 1) for _ in range(3)])
    assert await store.views.campaigns(FIRST_ID, 2) == campaigns[:2]
    assert await store.views.campaigns(campaigns[1], 2) == campaigns[2:]


async def test_a_forgotten_campaign_is_behind_from_its_beginning_and_others_are_not(store):
    forgotten, kept = await with_events(store, 2), await with_events(store, 2)
    for campaign_id in (forgotten, kept):
        await store.views.save(campaign_id, (0, 2), [fold("table", 2)], {"table": [row(1)]})
    await store.views.invalidate(forgotten)
    assert await store.views.caught_up(forgotten) == 0
    assert await store.views.folds(forgotten) == []
    assert await page(store, forgotten) == (0, [])
    assert await store.views.lagging(FIRST_ID, 10) == [forgotten]
    assert await page(store, kept) == (2, [(1, 0)])
    views = [fold("table", 2)], {"table": [row(1)]}
    assert not await store.views.save(forgotten, (0, 2), *views), "it was folded before they were invalidated"
    erasures = await store.views.erasures(forgotten)
    assert await store.views.save(forgotten, (0, 2), *views, erasures=erasures)


async def test_saving_views_leaves_the_log_as_it_was(store):
    campaign_id = await with_events(store, 2)
    before = await store.log.since(campaign_id, 0)
    await store.views.save(campaign_id, (0, 2), [fold("table", 2)], {"table": [row(1)]})
    assert await store.log.since(campaign_id, 0) == before
    [outcome] = await store.log.append([batch_after(campaign_id, head_at(before[1][-1]))])
    assert outcome.status == "committed"


async def erased(store: Store, campaign_id: CampaignId, seq: int, *, afresh: bool = False) -> None:
    """Erase the words beside an event."""
    head = await store.log.head(campaign_id)
    erasure = Erasure([(seq, None)], afresh=afresh)
    [outcome] = await store.log.append([erasing_after(campaign_id, head, erasure)])
    assert outcome.status == "committed"


async def with_views(store: Store) -> CampaignId:
    """A campaign of six events, followed in three steps, the first two of which are kept."""
    campaign_id = await with_events(store, 6)
    for start, end in ((0, 2), (2, 4), (4, 6)):
        folds = [fold(each, end, content=b"%d" % end) for each in ("gm", "table")]
        assert await store.views.save(campaign_id, (start, end), folds, {"table": [row(end)]}, keep=end < 6)
    return campaign_id


async def test_folds_that_hold_erased_words_are_taken_back_and_nothing_else(store):
    campaign_id = await with_views(store)
    await erased(store, campaign_id, 4)
    assert await store.views.caught_up(campaign_id) == 6
    for each in await store.views.folds(campaign_id):
        assert each == fold(each.audience, 6, TAKEN_BACK, b"")
    assert (await store.views.fold_before(campaign_id, "table", FORM, 9, [])).seq == 2
    assert await page(store, campaign_id) == (0, [])
    now = await store.views.erasures(campaign_id)
    anew = [fold(each, 7) for each in ("gm", "table")]
    assert await store.views.save(campaign_id, (6, 7), anew, {}, erasures=now)
    assert await page(store, campaign_id) == (7, [(2, 0), (4, 0), (6, 0)])


async def test_views_are_forgotten_when_too_much_was_folded_since(store):
    campaign_id = await with_views(store)
    await erased(store, campaign_id, 4, afresh=True)
    assert await store.views.caught_up(campaign_id) == 0
    assert await store.views.folds(campaign_id) == []
    assert await store.views.fold_before(campaign_id, "gm", FORM, 9, []) is None
    assert await page(store, campaign_id) == (0, [])


async def test_views_that_have_not_come_so_far_stay(store):
    campaign_id = await with_events(store, 6)
    assert await store.views.save(campaign_id, (0, 3), [fold("gm", 3), fold("table", 3)], {"table": [row(3)]})
    await erased(store, campaign_id, 4)
    assert await store.views.caught_up(campaign_id) == 3
    assert await page(store, campaign_id) == (3, [(3, 0)])


async def test_what_was_read_before_something_was_erased_is_not_saved(store):
    campaign_id = await with_events(store, 6)
    before = await store.views.erasures(campaign_id)
    await erased(store, campaign_id, 4)
    assert not await store.views.save(campaign_id, (0, 6), [fold("gm", 6)], {}, erasures=before)
    now = await store.views.erasures(campaign_id)
    assert now == before + 1
    assert await store.views.save(campaign_id, (0, 6), [fold("gm", 6)], {}, erasures=now)
    assert await store.views.erasures(new_campaign()) == 0
