"""What every event log promises: the one in PostgreSQL and the one in memory pass the same tests."""

from uuid import UUID

import psycopg
import pytest
from msgspec.structs import replace

from domain.event_store_types import Erasure, EventBatch, MembershipChange, SealedSeeds, StoredFact, unsealed
from domain.hash_chain import GENESIS
from domain.ids import AccountId
from infra.postgres import event_store
from infra.postgres.append_statement import append_of
from infra.postgres.driver.database import Database
from infra.postgres.event_store import PostgresEventStore
from tests.doubles.event_store import MemoryEventStore
from tests.infra.erasures import erasing_after
from tests.infra.log_entries import (
    NOTHING,
    REQUEST,
    answer_to,
    answer_under,
    batch_after,
    broken_links,
    event_after,
    head_at,
    new_account,
    new_campaign,
    wall_clock,
)
from tests.infra.mixed_groups import STATUSES, MixedGroups

pytestmark = pytest.mark.anyio
SECOND = 1_000_000
REWRITTEN = "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_xact_user_tables WHERE relname = 'campaign_heads'"


@pytest.fixture(params=["memory", "postgres"])
async def log(request):
    if request.param == "memory":
        yield MemoryEventStore(wall_clock)
    else:
        async with Database(request.getfixturevalue("database").service, readers=2) as connections:
            yield PostgresEventStore(connections)


async def statuses(log, *batches):
    return [outcome.status for outcome in await log.append(list(batches))]


async def test_an_acknowledged_event_is_read_back_as_it_was(log):
    """Invariant 1."""
    campaign = new_campaign()
    batch = batch_after(campaign, events=3, body=b'{"dice":[6,6],"name":"\xc3\xa4"}', texts=b'{"note":"hush"}')
    assert await statuses(log, batch) == ["committed"]
    assert await log.tail(campaign, 0) == batch.events
    assert await log.head(campaign) == head_at(batch.events[-1])


async def test_tails_of_several_campaigns_are_read_at_once(log):
    one, other, absent = new_campaign(), new_campaign(), new_campaign()
    first = await written(log, batch_after(one, events=5))
    second = await written(log, batch_after(other, events=2, texts=b'{"note":"hush"}'))
    wanted = [(other, 0), (absent, 0), (one, 3), (one, 0), (other, 2)]
    assert await log.tails(wanted, 3) == [second.events, [], first.events[3:], first.events[:3], []]
    assert await log.tails([], 3) == []


async def test_seq_runs_without_gaps_and_the_chain_verifies(log):
    """Invariants 4 and 7."""
    campaign = new_campaign()
    head = head_at((await written(log, batch_after(campaign, events=2))).events[-1])
    for events in (1, 5, 2):
        head = head_at((await written(log, batch_after(campaign, head, events=events))).events[-1])
    events = await log.tail(campaign, 0)
    assert [event.seq for event in events] == list(range(1, 11))
    assert broken_links(campaign, events) == []


async def written(log, batch: EventBatch) -> EventBatch:
    assert await statuses(log, batch) == ["committed"]
    return batch


async def test_a_chunk_decided_on_an_old_head_drops_out_alone(log):
    """Invariant 5: what was decided on an old head never lands behind what it did not know."""
    first, second, third = [await written(log, batch_after(new_campaign())) for _ in range(3)]
    await written(log, batch_after(second.campaign_id, head_at(second.events[-1])))
    following = [batch_after(batch.campaign_id, head_at(batch.events[-1])) for batch in (first, second, third)]
    assert await statuses(log, *following) == ["committed", "version_conflict", "committed"]
    assert [(await log.head(batch.campaign_id)).seq for batch in following] == [2, 2, 2]


async def test_a_campaign_that_does_not_exist_conflicts_with_what_was_decided_on_it(log):
    campaign = new_campaign()
    unknown = EventBatch(
        campaign, 4, GENESIS, [event_after(campaign, head_at(batch_after(campaign, events=4).events[-1]))]
    )
    assert await statuses(log, unknown) == ["version_conflict"]
    assert await log.head(campaign) is None


async def test_a_head_with_another_hash_is_another_head(log):
    """After a failover that lost events, another event may stand at the seq that a process decided on."""
    campaign = new_campaign()
    first = await written(log, batch_after(campaign))
    elsewhere = batch_after(campaign)  # the same seq, another event
    following = batch_after(campaign, head_at(elsewhere.events[-1]))
    assert await statuses(log, following) == ["version_conflict"]
    assert await log.tail(campaign, 0) == first.events


async def test_a_chunk_without_events_only_compares_the_head(log):
    campaign, unknown = new_campaign(), new_campaign()
    first = await written(log, batch_after(campaign, events=2))
    head = first.events[-1]
    here, there = EventBatch(campaign, 2, head.hash, []), EventBatch(unknown, 0, GENESIS, [])
    assert await statuses(log, here, batch_after(new_campaign()), there) == ["committed"] * 3
    for seq, hash_ in ((1, first.events[0].hash), (2, GENESIS), (3, head.hash), (0, GENESIS)):
        assert await statuses(log, EventBatch(campaign, seq, hash_, [])) == ["version_conflict"]
    assert await statuses(log, EventBatch(unknown, 1, head.hash, [])) == ["version_conflict"]
    assert await log.tail(campaign, 0) == first.events


async def test_of_duplicate_keys_it_is_told_whose_they_are(log):
    campaign, other, account = new_campaign(), new_campaign(), new_account()
    first = await written(log, batch_after(campaign, answers=[answer_to(account, key) for key in "abc"]))
    elsewhere = await written(log, batch_after(other, answers=[answer_to(account, "x")]))
    again = [
        batch_after(other, head_at(elsewhere.events[-1]), answers=[answer_to(account, key) for key in "yx"]),
        batch_after(campaign, head_at(first.events[-1]), answers=[answer_to(account, key) for key in "cdea"]),
    ]
    outcomes = await log.append(again)
    assert [outcome.status for outcome in outcomes] == ["duplicate_key", "duplicate_key"]
    assert [outcome.duplicates for outcome in outcomes] == [[1], [0, 3]]


async def test_a_campaign_begins_once(log):
    campaign = new_campaign()
    first = await written(log, batch_after(campaign))
    assert await statuses(log, batch_after(campaign), batch_after(new_campaign())) == [
        "version_conflict",
        "committed",
    ]
    assert await log.tail(campaign, 0) == first.events


async def test_a_known_key_writes_nothing_of_its_chunk(log):
    """Invariant 2."""
    campaign, account = new_campaign(), new_account()
    member = [MembershipChange(account, "player")]
    first = await written(log, batch_after(campaign, answers=[answer_to(account, "k", b"first")], members=member))
    again = batch_after(
        campaign, head_at(first.events[-1]), answers=[answer_to(account, "new"), answer_to(account, "k")]
    )
    bystander = batch_after(new_campaign(), answers=[answer_to(account, "k")])
    assert await statuses(log, again, bystander) == ["duplicate_key", "committed"]
    assert await log.tail(campaign, 0) == first.events
    assert await answer_under(log, campaign, account, "new") is None
    assert (await answer_under(log, campaign, account, "k")) == first.answers[0]


async def test_a_key_belongs_to_one_account_in_one_campaign(log):
    campaign, account = new_campaign(), new_account()
    first = await written(log, batch_after(campaign, answers=[answer_to(account, "k")]))
    other = answer_to(new_account(), "k")
    members = [MembershipChange(other.account_id, "player")]
    await written(log, batch_after(campaign, head_at(first.events[-1]), answers=[other], members=members))
    assert await answer_under(log, campaign, other.account_id, "k") == other
    assert await answer_under(log, new_campaign(), account, "k") is None


async def test_what_a_key_stands_for_is_told_to_members_only(log):
    campaign, account = new_campaign(), new_account()
    answers = [answer_to(account, key) for key in "ab"]
    member = [MembershipChange(account, "player")]
    first = await written(log, batch_after(campaign, answers=answers, members=member))
    asked = [(account, "a"), (account, "b"), (account, "c"), (new_account(), "a")]
    found = await log.answers_to(campaign, asked)
    assert sorted(found, key=lambda each: each.key) == answers
    assert await log.answers_to(new_campaign(), asked) == []
    left = [MembershipChange(account, None)]
    await written(log, batch_after(campaign, head_at(first.events[-1]), members=left))
    assert await log.answers_to(campaign, asked) == []


async def test_answers_to_old_actions_are_let_go_and_their_keys_stay(log):
    campaign, account, other = new_campaign(), new_account(), new_account()
    answers = [answer_to(account, key, key.encode()) for key in "abc"]
    now = await log.now()
    old = batch_after(campaign, at=now - 10 * SECOND)
    old = replace(old, answers=[replace(each, action_id=old.events[0].action_id) for each in answers[:2]])
    members = [MembershipChange(account, "player"), MembershipChange(other, "player")]
    old = replace(old, members=members)
    await written(log, old)
    new = batch_after(campaign, head_at(old.events[-1]), at=now)
    news = [replace(each, action_id=new.events[0].action_id) for each in (answers[2], answer_to(other, "d", b"d"))]
    await written(log, replace(new, answers=news))
    elsewhere = batch_after(new_campaign(), at=now - 10 * SECOND, members=members[:1])
    elsewhere = replace(elsewhere, answers=[replace(answers[0], action_id=elsewhere.events[0].action_id)])
    await written(log, elsewhere)

    places, place = [], (AccountId(UUID(int=0)), "")
    while (place := await log.trim_answers(campaign, now - SECOND, place, 2)) is not None:
        places.append(place)
    keys = sorted([*((account, key) for key in "abc"), (other, "d")])
    assert places == [keys[1], keys[3]]
    found = {each.key: each for each in await log.answers_to(campaign, keys)}
    assert {key: each.answer for key, each in found.items()} == {"a": b"", "b": b"", "c": b"c", "d": b"d"}
    assert found["a"] == replace(old.answers[0], answer=b""), "key, request and action stay"
    again = batch_after(campaign, head_at(new.events[-1]), answers=[answers[0]])
    assert await statuses(log, again) == ["duplicate_key"]
    [kept] = await log.answers_to(elsewhere.campaign_id, [(account, "a")])
    assert kept.answer == b"a"


async def test_a_known_key_is_known_even_when_the_head_has_moved(log):
    """The one who lost the reply asks again with the old head and must learn of the key, not of a conflict."""
    campaign, account = new_campaign(), new_account()
    answer = answer_to(account, "k")
    await written(log, batch_after(campaign, answers=[answer]))
    assert await statuses(log, batch_after(campaign, answers=[answer])) == ["duplicate_key"]


@pytest.mark.parametrize(
    ("off", "status"),
    [(-16, "clock_skew"), (-14, "committed"), (0.5, "committed"), (1.5, "clock_skew")],
)
async def test_a_recorded_time_may_be_as_late_as_a_statement_and_a_second_ahead(log, off, status):
    now = await log.now()
    late = batch_after(new_campaign(), at=now + int(off * SECOND))
    assert await statuses(log, late, batch_after(new_campaign(), at=now)) == [status, "committed"]


async def test_what_was_decided_by_a_clock_that_went_back_is_found_out(log):
    """Its recorded time is that of the head, which hides it; but a moment that it speaks of would be wrong."""
    campaign = new_campaign()
    now = await log.now()
    head = head_at((await written(log, batch_after(campaign, at=now))).events[-1])
    batch = batch_after(campaign, head, at=now)
    assert await statuses(log, replace(batch, decided_at=now - 16 * SECOND)) == ["clock_skew"]
    assert await statuses(log, replace(batch, decided_at=now - 14 * SECOND)) == ["committed"]


async def test_time_does_not_run_backwards_within_a_campaign(log):
    campaign = new_campaign()
    now = await log.now()
    first = await written(log, batch_after(campaign, at=now))
    earlier = batch_after(campaign, head_at(first.events[-1]), at=now - 1)
    assert await statuses(log, earlier) == ["clock_skew"]


async def test_sealed_seeds_come_with_the_events_that_start_their_epoch_or_not_at_all(log):
    campaign, other = new_campaign(), new_campaign()
    first = await written(log, batch_after(campaign, seeds=[SealedSeeds(1, b"one")]))
    stale = batch_after(campaign, seeds=[SealedSeeds(2, b"never")])
    await written(log, batch_after(other, seeds=[SealedSeeds(1, b"other")]))
    assert await statuses(log, stale) == ["version_conflict"]
    assert await log.sealed_seeds(campaign, 2) is None
    two = [SealedSeeds(2, b"two"), SealedSeeds(3, b"three")]
    await written(log, batch_after(campaign, head_at(first.events[-1]), seeds=two))
    assert [await log.sealed_seeds(campaign, epoch) for epoch in range(5)] == [
        None,
        b"one",
        b"two",
        b"three",
        None,
    ]
    assert await log.sealed_seeds(other, 1) == b"other"


async def test_members_come_change_and_go_with_the_events_that_say_so(log):
    campaign, gm, player = new_campaign(), new_account(), new_account()
    joined = [MembershipChange(gm, "gm"), MembershipChange(player, "observer")]
    first = await written(log, batch_after(campaign, members=joined))
    promoted = [MembershipChange(player, "observer"), MembershipChange(player, "player")]
    second = await written(log, batch_after(campaign, head_at(first.events[-1]), members=promoted))
    assert await log.campaigns_of(player) == [(campaign, "player")]
    stale = batch_after(campaign, head_at(first.events[-1]), members=[MembershipChange(gm, None)])
    assert await statuses(log, stale) == ["version_conflict"]
    assert await log.campaigns_of(gm) == [(campaign, "gm")]
    left = [MembershipChange(player, None), MembershipChange(new_account(), None)]
    await written(log, batch_after(campaign, head_at(second.events[-1]), members=left))
    assert await log.campaigns_of(player) == []


async def test_campaigns_of_an_account_come_in_pages(log):
    account = new_account()
    campaigns = sorted(new_campaign() for _ in range(5))
    batches = [batch_after(campaign, members=[MembershipChange(account, "player")]) for campaign in campaigns]
    assert set(await statuses(log, *batches)) == {"committed"}
    page = await log.campaigns_of(account, limit=3)
    assert [campaign for campaign, _ in page] == campaigns[:3]
    rest = await log.campaigns_of(account, after=page[-1][0], limit=3)
    assert [campaign for campaign, _ in rest] == campaigns[3:]


async def test_a_tail_can_be_cut_at_both_ends(log):
    campaign = new_campaign()
    events = (await written(log, batch_after(campaign, events=9))).events
    assert await log.tail(campaign, 3) == events[3:]
    assert await log.tail(campaign, 3, limit=2) == events[3:5]
    assert await log.tail(campaign, 3, upto=6) == events[3:6]
    assert await log.tail(campaign, 3, limit=2, upto=4) == events[3:4]
    assert await log.tail(campaign, 9) == []
    assert await log.tail(campaign, 10**30) == []
    assert await log.tail(campaign, -5, upto=10**30) == events
    assert await log.tail(new_campaign(), 0) == []


async def test_since_gives_the_head_and_what_led_to_it(log):
    campaign = new_campaign()
    events = (await written(log, batch_after(campaign, events=3))).events
    head = head_at(events[-1])
    assert await log.since(campaign, 0) == (head, events)
    assert await log.since(campaign, 2) == (head, events[2:])
    assert await log.since(campaign, 3) == (head, [])
    assert await log.since(campaign, 8) == (head, [])
    assert await log.since(new_campaign(), 0) is None
    assert await log.since(new_campaign(), 3) is None


async def test_a_long_log_streams_in_batches(log):
    campaign = new_campaign()
    events = (await written(log, batch_after(campaign, events=2_100))).events
    batches = [batch async for batch in log.stream(campaign, after=50)]
    assert [len(batch) for batch in batches] == [1_000, 1_000, 50]
    assert [event for batch in batches for event in batch] == events[50:]


async def test_what_folding_needs_is_read_page_by_page_with_its_texts(log, monkeypatch):
    monkeypatch.setattr(event_store, "PAGE_EVENTS_MAX", 4)
    campaign = new_campaign()
    first = await written(log, batch_after(campaign, texts=b'{"event.text":"hush"}'))
    rest = await written(log, batch_after(campaign, head_at(first.events[-1]), events=7))
    events = [*first.events, *rest.events]
    pages = [page async for page in log.facts(campaign)]
    assert [fact for page in pages for fact in page] == [
        StoredFact(event.seq, event.kind, event.kind_version, event.body, event.texts) for event in events
    ]
    without_seals = [unsealed(event) for event in events]
    assert await log.unsealed(campaign, 0, 100) == without_seals
    assert await log.unsealed(campaign, 2, 3) == without_seals[2:5]
    assert await log.unsealed(campaign, 2, 3, upto=4) == without_seals[2:4]
    assert await log.unsealed(campaign, 8, 3) == await log.unsealed(new_campaign(), 0, 3) == []
    await written(log, erasing_after(campaign, head_at(events[-1]), Erasure([(1, None)])))
    assert [row.texts for row in await log.unsealed(campaign, 0, 1)] == [None]
    again = [fact async for page in log.facts(campaign) for fact in page]
    assert again[0].texts is None
    assert [page async for page in log.facts(new_campaign())] == []


async def test_a_tail_longer_than_one_statement_gives_is_whole(log, monkeypatch):
    monkeypatch.setattr(event_store, "PAGE_EVENTS_MAX", 4)
    campaign = new_campaign()
    events = (await written(log, batch_after(campaign, events=12))).events
    assert await log.tail(campaign, 0) == events
    assert await log.tail(campaign, 1, limit=9) == events[1:10]
    assert await log.tail(campaign, 1, limit=8, upto=11) == events[1:9]
    assert await log.tail(campaign, 0, limit=0) == []
    assert await log.since(campaign, 0) == (head_at(events[-1]), events)
    assert await log.since(campaign, 4) == (head_at(events[-1]), events[4:])


async def test_the_events_of_one_action_are_found(log):
    campaign = new_campaign()
    first = await written(log, batch_after(campaign, events=2))
    second = await written(log, batch_after(campaign, head_at(first.events[-1]), events=3))
    assert await log.action(campaign, second.events[0].action_id) == second.events
    assert await log.action(new_campaign(), second.events[0].action_id) == []


async def test_erasing_a_personal_text_leaves_the_event_and_its_chain(log):
    """Invariant 7."""
    campaign = new_campaign()
    before = (await written(log, batch_after(campaign, events=3, texts=b'{"a":"x","b":"y"}'))).events
    await written(log, erasing_after(campaign, head_at(before[-1]), Erasure([(1, None), (2, b'{"b":"y"}')])))
    first, second, third, said = await log.tail(campaign, 0)
    assert (first.texts, first.text_salt) == (None, None)
    assert second == replace(before[1], texts=b'{"b":"y"}')
    assert third == before[2]
    assert broken_links(campaign, [first, second, third, said]) == []
    assert [event.seq for event in await log.events_with_texts(campaign, 0, 9)] == [2, 3]
    assert [event.seq for event in await log.events_with_texts(campaign, 2, 9)] == [3]
    assert [event.seq for event in await log.events_with_texts(campaign, 0, 1)] == [2]


async def test_what_an_account_wrote_comes_with_what_happened_by_itself(log):
    campaign, mara, dell = new_campaign(), new_account(), new_account()
    head = NOTHING
    for actor in (mara, dell, None):
        event = event_after(campaign, head, texts=b'{"a":"x"}', actor=actor)
        await written(log, EventBatch(campaign, head.seq, head.hash, [event]))
        head = head_at(event)
    assert [event.seq for event in await log.events_with_texts(campaign, 0, 9, mara)] == [1, 3]
    assert [event.seq for event in await log.events_with_texts(campaign, 0, 9)] == [1, 2, 3]


async def test_what_is_erased_from_a_stale_log_stays(log):
    campaign = new_campaign()
    before = (await written(log, batch_after(campaign, events=2, texts=b'{"a":"x"}'))).events
    stale = erasing_after(campaign, head_at(before[0]), Erasure([(1, None)]))
    other = batch_after(new_campaign())
    outcomes = await log.append([stale, other])
    assert [outcome.status for outcome in outcomes] == ["version_conflict", "committed"]
    assert await log.tail(campaign, 0) == before


async def test_kept_answers_that_tell_of_erased_words_are_replaced_and_their_requests_forgotten(log):
    campaign, account = new_campaign(), new_account()
    asked = batch_after(campaign, events=2, texts=b'{"a":"x"}')
    answer = replace(answer_to(account, "k", b"with words"), action_id=asked.events[0].action_id)
    member = [MembershipChange(account, "player")]
    await written(log, replace(asked, answers=[answer, answer_to(account, "other")], members=member))
    for seqs in ([1], [2], [1, 2]):
        assert await log.answers_about(campaign, seqs) == [answer]
    assert await log.answers_about(campaign, []) == await log.answers_about(new_campaign(), [1]) == []
    without = replace(answer, answer=b"without")
    gone = Erasure([(1, None), (2, None)], [without])
    await written(log, erasing_after(campaign, head_at(asked.events[-1]), gone))
    assert await answer_under(log, campaign, account, "k") == replace(without, request_hash=b"")
    other = await answer_under(log, campaign, account, "other")
    assert other is not None
    assert other.request_hash == REQUEST


async def test_chunks_that_no_log_may_take_are_refused(log):
    campaign, account = new_campaign(), new_account()
    good = batch_after(campaign, events=2)
    gap = EventBatch(campaign, 0, GENESIS, [good.events[0], event_after(campaign, head_at(good.events[1]))])
    twice = [answer_to(account, "k"), answer_to(account, "k")]
    for bad in (
        [EventBatch(campaign, 0, GENESIS, [], members=[MembershipChange(new_account(), "gm")])],
        [gap],
        [EventBatch(campaign, 0, GENESIS, good.events[1:])],
        [batch_after(campaign, answers=twice)],
        [good, good],
    ):
        with pytest.raises(ValueError, match=r".+"):
            await log.append(bad)
    assert await log.head(campaign) is None
    assert await log.append([]) == []


async def test_a_group_of_hundreds_is_written_whole(log):
    batches = [batch_after(new_campaign(), answers=[answer_to(new_account(), "k")]) for _ in range(300)]
    assert set(await statuses(log, *batches)) == {"committed"}
    assert [await log.tail(batch.campaign_id, 0) for batch in batches] == [batch.events for batch in batches]


@pytest.mark.parametrize("seed", [1, 2])
async def test_of_a_mixed_group_all_is_written_that_can_be_and_nothing_else(database, seed):
    groups = MixedGroups(seed)
    async with Database(database.service, readers=1) as connections:
        assert await groups.differences(connections) == []
    assert groups.seen == STATUSES


async def test_a_group_without_members_timers_and_seeds_does_not_open_their_tables():
    campaign = new_campaign()
    plain = [batch_after(campaign, texts=b"{}", answers=[answer_to(new_account(), "k")])]
    common, arguments = append_of(plain)
    whole, all_arguments = append_of([*plain, batch_after(new_campaign(), seeds=[SealedSeeds(1, b"sealed")])])
    seldom = (b"campaign_members", b"timers", b"dice_seeds")
    assert all(table in whole.statement.text for table in seldom)
    assert not any(table in common.statement.text for table in seldom)
    assert len(arguments.values) < len(all_arguments.values)


@pytest.mark.one_database("the statistics of a table are those of its shards")
async def test_moving_a_head_on_touches_no_index(database):
    campaign = new_campaign()
    async with Database(database.service, readers=1) as connections:
        assert await statuses(PostgresEventStore(connections), batch_after(campaign)) == ["committed"]
    with psycopg.connect(database.service) as connection:
        connection.execute("UPDATE campaign_heads SET seq = seq + 1 WHERE campaign_id = %s", [campaign])
        assert connection.execute(REWRITTEN).fetchone() == (1, 1)
        connection.execute("UPDATE campaign_heads SET caught_up = seq WHERE campaign_id = %s", [campaign])
        assert connection.execute(REWRITTEN).fetchone() == (2, 1), "negative control: now its views are not behind"
