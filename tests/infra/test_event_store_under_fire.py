"""Many writers on few campaigns while connections are killed: what was acknowledged is there, once, in order."""

import asyncio
import time
from dataclasses import dataclass, field
from random import Random

import psycopg
import pytest
from psycopg.errors import OperationalError

from domain.event_store_types import DatabaseUnavailable, MembershipChange, StoredEvent
from domain.ids import ActionId, CampaignId
from infra.postgres import append_statement
from infra.postgres.driver.database import Database
from infra.postgres.driver.statements import source
from infra.postgres.event_store import PostgresEventStore
from tests.infra.log_entries import (
    NOTHING,
    answer_to,
    answer_under,
    batch_after,
    broken_links,
    head_at,
    new_account,
    new_campaign,
)

pytestmark = pytest.mark.anyio
PROCESSES = 4
WRITERS = 16
CAMPAIGNS = 3
ACTIONS_PER_WRITER = 25
CHANCE = Random()  # noqa: S311 - nobody gains by guessing it


@dataclass(frozen=True)
class Acknowledgement:
    asked: float
    acknowledged: float
    campaign_id: CampaignId
    action_id: ActionId
    events: list[StoredEvent]


@dataclass
class Account:
    """What the clients of the log know at the end."""

    acknowledged: list[Acknowledgement] = field(default_factory=list)
    broke_off: int = 0
    stale: int = 0


def violations(campaign_id: CampaignId, log: list[StoredEvent], told: list[Acknowledgement]) -> list[str]:
    """Which invariants a log breaks, given what its clients were told."""
    wrong = broken_links(campaign_id, log)
    first_seq: dict[ActionId, int] = {}
    for event in log:
        first_seq.setdefault(event.action_id, event.seq)
    for one in told:
        stored = [event for event in log if event.action_id == one.action_id]
        if not stored:
            wrong.append(f"1: action {one.action_id} was acknowledged and is gone")
        elif stored != one.events:
            wrong.append(f"1: action {one.action_id} is not what was acknowledged")
    if len(first_seq) != len(told):
        wrong.append(f"2: {len(first_seq)} actions in the log for {len(told)} keys")
    in_order = sorted((one for one in told if one.action_id in first_seq), key=lambda one: one.acknowledged)
    for later in in_order:
        for earlier in in_order:
            if earlier.acknowledged >= later.asked:
                break
            if first_seq[earlier.action_id] > first_seq[later.action_id]:
                wrong.append(f"5: {later.action_id} stands before what was acknowledged before it was asked")
    return wrong


WRITER = new_account()
"""All write in one name; each action has a key of its own."""


async def act(log: PostgresEventStore, campaign_id: CampaignId, key: str, account: Account) -> None:
    """One command, asked again under its key until it is answered, as a client does."""
    asked = time.monotonic()
    who = answer_to(WRITER, key)
    sent: dict[ActionId, list[StoredEvent]] = {}
    while True:
        try:
            known = await answer_under(log, campaign_id, who.account_id, key)
            if known is not None:
                break
            found = await log.since(campaign_id, 0)
            assert found is not None
            batch = batch_after(campaign_id, found[0], events=CHANCE.randint(1, 3))
            known = answer_to(who.account_id, key)
            known = type(known)(who.account_id, key, b"r", batch.events[0].action_id, b"{}")
            sent[known.action_id] = batch.events
            batch.answers.append(known)
            [outcome] = await log.append([batch])
        except DatabaseUnavailable:
            account.broke_off += 1
            await asyncio.sleep(0.005)
            continue
        if outcome.status == "committed":
            break
        account.stale += outcome.status == "version_conflict"
    told = time.monotonic()
    account.acknowledged.append(Acknowledgement(asked, told, campaign_id, known.action_id, sent[known.action_id]))


async def kill_connections(url: str, done: asyncio.Event) -> int:
    """Terminate a random one of the writers' sessions, again and again."""
    killed = 0
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as killer:
        while not done.is_set():
            cursor = await killer.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND application_name LIKE 'fire%' "
                "ORDER BY random() LIMIT 1"
            )
            killed += cursor.rowcount
            await asyncio.sleep(CHANCE.uniform(0.005, 0.03))
    return killed


async def play(url: str, *, killing: bool) -> tuple[list[str], Account, int]:
    """Let sixteen writers act; which invariants broke, what the writers know, how many sessions were killed."""
    account = Account()
    campaigns = [new_campaign() for _ in range(CAMPAIGNS)]
    processes = [Database(url, readers=3, application_name="fire") for _ in range(PROCESSES)]
    logs = [PostgresEventStore(connections) for connections in processes]
    for campaign_id in campaigns:
        begin = batch_after(campaign_id, NOTHING, members=[MembershipChange(WRITER, "player")])
        assert [outcome.status for outcome in await logs[0].append([begin])] == ["committed"]
        now = time.monotonic()
        account.acknowledged.append(
            Acknowledgement(now, now, campaign_id, begin.events[0].action_id, begin.events)
        )

    async def writer(number: int) -> None:
        for nth in range(ACTIONS_PER_WRITER):
            await act(logs[number % PROCESSES], CHANCE.choice(campaigns), f"{number}-{nth}", account)

    done = asyncio.Event()
    killer = asyncio.create_task(kill_connections(url, done)) if killing else None
    try:
        await asyncio.gather(*(writer(number) for number in range(WRITERS)))
    finally:
        done.set()
    killed = 0 if killer is None else await killer
    wrong = []
    for campaign_id in campaigns:
        log = await logs[0].tail(campaign_id, 0)
        told = [one for one in account.acknowledged if one.campaign_id == campaign_id]
        wrong += violations(campaign_id, log, told)
        if await logs[0].head(campaign_id) != head_at(log[-1]):
            wrong.append("4: the head is not the last event's")
    for connections in processes:
        await connections.close()
    return wrong, account, killed


@pytest.mark.slow
async def test_what_was_acknowledged_survives_sixteen_writers_and_killed_connections(database):
    """Invariants 1, 2, 4, 5 and 7."""
    wrong, account, killed = await play(database.service, killing=True)
    assert wrong == []
    assert len(account.acknowledged) == CAMPAIGNS + WRITERS * ACTIONS_PER_WRITER
    assert killed > 0
    assert account.broke_off > 0
    assert account.stale > 0


@pytest.mark.one_database("its append is another statement")
async def test_an_append_that_ignores_the_head_is_found_out(database, monkeypatch):
    """Negative control: without the guard, and with conflicts swallowed, acknowledged events are lost."""
    careless = source("append").replace("coalesce(locked.seq, 0) <> locked.expected_seq", "false")
    careless = careless.replace("(locked.hash <> locked.expected_hash) IS TRUE", "false")
    careless = careless.replace("[e.batch]\n),", "[e.batch]\n    ON CONFLICT DO NOTHING\n),")
    assert careless.count("ON CONFLICT DO NOTHING") == 1
    monkeypatch.setattr(append_statement, "COMMON", append_statement.without_seldom(careless))
    wrong, _, _ = await play(database.service, killing=False)
    assert "1" in numbers(wrong)


def test_the_checker_sees_each_kind_of_damage():
    """Negative control: a checker that never complains would pass any log."""
    campaign_id = new_campaign()
    first = batch_after(campaign_id, events=2)
    second = batch_after(campaign_id, head_at(first.events[-1]))
    third = batch_after(campaign_id, head_at(second.events[-1]))
    log = [*first.events, *second.events, *third.events]
    told = [
        Acknowledgement(n, n + 0.5, campaign_id, batch.events[0].action_id, batch.events)
        for n, batch in enumerate((first, second, third))
    ]
    assert violations(campaign_id, log, told) == []
    assert numbers(violations(campaign_id, log[:-1], told)) == {"1", "2"}
    assert numbers(violations(campaign_id, [log[0], log[1], log[3]], told)) == {"1", "2", "4"}
    assert numbers(violations(campaign_id, log, told[:-1])) == {"2"}
    late = Acknowledgement(9, 9.5, campaign_id, told[0].action_id, told[0].events)
    assert numbers(violations(campaign_id, log, [late, *told[1:]])) == {"5"}
    forged = batch_after(campaign_id, head_at(second.events[-1]), body=b"[]").events[0]
    assert numbers(violations(campaign_id, [*log[:-1], with_hash(forged, log[-1])], told)) == {"1", "7"}


def numbers(wrong: list[str]) -> set[str]:
    return {sentence.partition(":")[0] for sentence in wrong}


def with_hash(forged: StoredEvent, real: StoredEvent) -> StoredEvent:
    forged_fields = {name: getattr(forged, name) for name in forged.__struct_fields__}
    return StoredEvent(**{**forged_fields, "hash": real.hash})


async def test_two_groups_on_the_same_campaigns_in_any_order_do_not_deadlock(database):
    """Heads are locked in campaign order, whatever the order of the batches."""
    campaigns = [new_campaign() for _ in range(40)]
    async with (
        Database(database.service, readers=1) as one,
        Database(database.service, readers=1) as other,
    ):
        logs = [PostgresEventStore(one), PostgresEventStore(other)]
        begun = [batch_after(campaign_id) for campaign_id in campaigns]
        await logs[0].append(begun)

        async def append_in_turns(log: PostgresEventStore) -> int:
            written = 0
            for _ in range(30):
                heads = [await log.head(campaign_id) for campaign_id in campaigns]
                batches = [
                    batch_after(campaign_id, head)
                    for campaign_id, head in zip(campaigns, heads, strict=True)
                    if head is not None
                ]
                CHANCE.shuffle(batches)
                written += sum(outcome.status == "committed" for outcome in await log.append(batches))
            return written

        written = sum(await asyncio.gather(*(append_in_turns(log) for log in logs)))
        ends = [await logs[0].head(campaign_id) for campaign_id in campaigns]
        assert sum(head.seq for head in ends if head is not None) == len(campaigns) + written


async def test_a_head_that_somebody_holds_keeps_only_its_own_campaign_waiting(database):
    held, free = batch_after(new_campaign()), batch_after(new_campaign())
    async with (
        Database(database.service, readers=1) as connections,
        await psycopg.AsyncConnection.connect(database.owner) as holder,
    ):
        log = PostgresEventStore(connections)
        await log.append([held, free])
        await holder.execute("SELECT 1 FROM campaign_heads WHERE campaign_id = %s FOR UPDATE", [held.campaign_id])
        following = [batch_after(batch.campaign_id, head_at(batch.events[-1])) for batch in (held, free)]
        outcomes = await log.append(following)
        assert [outcome.status for outcome in outcomes] == ["version_conflict", "committed"]
        await holder.rollback()
        again = batch_after(held.campaign_id, head_at(held.events[-1]))
        assert [outcome.status for outcome in await log.append([again])] == ["committed"]


async def test_an_append_whose_reply_is_lost_says_so_and_its_key_tells(database):
    """Invariants 1 and 2: the caller learns by the key whether it was written."""
    async with Database(database.service, readers=1, application_name="cut") as connections:
        log = PostgresEventStore(connections)
        who = new_account()
        member = [MembershipChange(who, "player")]
        begin = batch_after(new_campaign(), answers=[answer_to(who, "k")], members=member)
        await log.append([batch_after(new_campaign())])
        with psycopg.connect(database.service, autocommit=True) as killer:
            killer.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                "WHERE application_name IN ('cut writer', 'cut reader') AND datname = current_database()"
            )
        with pytest.raises(DatabaseUnavailable) as away:
            await log.append([begin])
        assert isinstance(away.value.__cause__, OperationalError)
        assert await answer_under(log, begin.campaign_id, who, "k") is None
        assert [outcome.status for outcome in await log.append([begin])] == ["committed"]
