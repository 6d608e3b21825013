"""Events that are stored packed: the same are read, what SQL looks into stays JSON, and damage is seen."""

import re
from pathlib import Path

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import infra.postgres
from infra.postgres.driver.database import Database
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.packed_json import NUMBER, READ_BY_STATEMENTS, pack, unpacked
from tests.infra.log_entries import batch_after, broken_links, head_at, new_campaign

POSTGRES = Path(infra.postgres.__file__).parent
BODY = (
    b'{"type":"overdrive.roll_made","roll_id":"roll-a1ef949b2af4","character":"character-8305a52f83fa","kind":"plain",'
    b'"pool":2,"skill":1,"dice":[{"wave":0,"value":1,"success":true,"sides":6,"origin":"table","proof":"none"}]}'
)


@given(st.binary(max_size=2_000).map(lambda rest: b"{" + rest))
def test_what_is_packed_is_unpacked_as_it_was_and_never_longer(json):
    assert unpacked(pack(json)) == json
    assert len(pack(json)) <= len(json)


def test_an_event_takes_less_than_half_of_its_room_packed():
    assert pack(BODY)[:1] == NUMBER
    assert len(pack(BODY)) < len(BODY) // 2


@pytest.mark.parametrize("damaged", [NUMBER, NUMBER + b"x" * 40, pack(BODY)[:-3], b""])
def test_what_cannot_be_unpacked_stays_as_it_is(damaged):
    assert unpacked(damaged) == damaged


def in_database(url, campaign):
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT command, body FROM events WHERE campaign_id = %s ORDER BY seq", [campaign]
        ).fetchall()
    return [(command, body) for command, body in rows]


@pytest.mark.anyio
async def test_two_processes_read_the_same_whichever_of_them_packs(database):
    campaign = new_campaign()
    async with Database(database.service, readers=2) as connections:
        packs = PostgresEventStore(connections, packs_events=True)
        plain = PostgresEventStore(connections)
        first = batch_after(campaign, events=2, body=BODY)
        second = batch_after(campaign, head_at(first.events[-1]), events=2, body=BODY)
        assert [each.status for each in [*await packs.append([first]), *await plain.append([second])]] == [
            "committed",
            "committed",
        ]
        events = [*first.events, *second.events]
        for log in (packs, plain):
            assert await log.tail(campaign, 0) == events
            assert await log.action(campaign, events[0].action_id) == [
                each for each in events if each.action_id == events[0].action_id
            ]
            assert [each.body for each in await log.unsealed(campaign, 0, 10)] == [BODY] * 4
            assert [each.command for each in await log.unsealed(campaign, 0, 10)] == [b"{}"] * 4
            assert [fact.body async for page in log.facts(campaign) for fact in page] == [BODY] * 4
        assert broken_links(campaign, await plain.tail(campaign, 0)) == []
    stored = in_database(database.owner, campaign)
    assert [body[:1] for _, body in stored] == [NUMBER, NUMBER, b"{", b"{"]


@pytest.mark.one_database("triggers on shared-out tables cannot be switched off")
@pytest.mark.anyio
async def test_a_packed_body_that_was_changed_fits_its_hash_no_more(database):
    campaign = new_campaign()
    async with Database(database.service, readers=2) as connections:
        log = PostgresEventStore(connections, packs_events=True)
        await log.append([batch_after(campaign, body=BODY)])
        with psycopg.connect(database.owner, autocommit=True) as owner:
            owner.execute("ALTER TABLE events DISABLE TRIGGER USER")
            owner.execute("UPDATE events SET body = substring(body FROM 1 FOR 20)")
        assert broken_links(campaign, await log.tail(campaign, 0)) != []


@pytest.mark.anyio
async def test_bodies_that_sql_looks_into_stay_json(database):
    async with Database(database.service, readers=2) as connections:
        log = PostgresEventStore(connections, packs_events=True)
        for kind in sorted(READ_BY_STATEMENTS):
            batch = batch_after(new_campaign(), body=BODY)
            batch = replace(batch, events=[replace(batch.events[0], kind=kind)])
            await log.append([batch])
            assert in_database(database.owner, batch.campaign_id)[0][1] == BODY


def test_sql_looks_into_the_bodies_of_these_kinds_only():
    schema = (POSTGRES / "schema.sql").read_text()
    functions = re.findall(r"CREATE FUNCTION.*?\$\$;", schema, re.DOTALL)
    statements = [path.read_text() for path in (POSTGRES / "sql").glob("*.sql")]
    looking = [sql for sql in (*functions, *statements) if re.search(r"convert_from\(e?\.?body", sql)]
    assert {kind for sql in looking for kind in re.findall(r"'(campaign\.[a-z_]+)'", sql)} == READ_BY_STATEMENTS
    assert len(looking) == len(READ_BY_STATEMENTS)


def test_an_sql_prompt_shows_packed_bodies_as_null(database):
    with psycopg.connect(database.owner) as owner:
        row = owner.execute(
            "INSERT INTO events SELECT gen_random_uuid(), 1, 0, 0, 1, gen_random_uuid(), NULL, 'tests.happened', "
            "'request', 'all', '', '', %s, %s RETURNING campaign_id",
            [b'{"command":1}', pack(BODY)],
        ).fetchone()
        assert row is not None
        owner.execute("SELECT set_config('fieldlog.campaigns', %s, true)", [f"{{{row[0]}}}"])
        shown = owner.execute("SELECT command, body FROM readable_events").fetchall()
    assert shown == [({"command": 1}, None)]
