"""People play on while Citus moves the shards of their campaigns between its nodes, and while a node breaks off.

`FIELDLOG_TEST_CITUS_URL` has to name a database whose `pg_dist_node` has another node than the coordinator. Nodes
let each other in without a password, and have `track_commit_timestamp` and `wal_level = logical`.
"""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import sql

from infra.postgres.citus_distribution import distribute
from infra.postgres.migrate import migrate
from tests.engines import SHARDS, PostgresServer
from tests.faults.journal import read
from tests.faults.under_load import Service, a_crowd, wrong_in
from tests.services.processes import eventually, running

CITUS_URL = os.environ.get("FIELDLOG_TEST_CITUS_URL")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CITUS_URL is None, reason="FIELDLOG_TEST_CITUS_URL names no PostgreSQL that has Citus"),
]

OTHERS = "SELECT nodename, nodeport FROM pg_dist_node WHERE isactive AND noderole = 'primary' AND groupid > 0"
PLACES = """
    SELECT s.shardid, n.nodename, n.nodeport
    FROM pg_dist_shard AS s
    INNER JOIN pg_dist_placement AS p USING (shardid)
    INNER JOIN pg_dist_node AS n USING (groupid)
    WHERE s.logicalrelid = 'campaign_heads'::regclass
    ORDER BY s.shardid
"""
END_ALL = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s"
BREAKS = 10
MODES = ("force_logical", "block_writes")
"""Rows are copied while they are written, and waited for in the end; or nothing is written meanwhile."""
MOVE = """
    SELECT citus_move_shard_placement(%s, %s, %s, %s, %s, shard_transfer_mode => %s::citus.shard_transfer_mode)
"""


class Spread(NamedTuple):
    """A database whose campaigns are shared out to two nodes, each by its host and port."""

    service_url: str
    superuser_url: str
    other_url: str
    """A superuser's, of the node that is not the coordinator."""

    nodes: list[tuple[str, int]]


@pytest.fixture
def spread() -> Iterator[Spread]:
    assert CITUS_URL is not None
    with psycopg.connect(CITUS_URL, autocommit=True) as named:
        has_nodes = named.execute("SELECT to_regclass('pg_dist_node')").fetchone() != (None,)
        others = named.execute(OTHERS).fetchall() if has_nodes else []
    if not others:
        pytest.skip("the database of FIELDLOG_TEST_CITUS_URL has no other node in its pg_dist_node")
    [host, port] = others[0]
    server = PostgresServer(CITUS_URL, has_citus=True)
    with ExitStack() as stack:
        stack.callback(server.close)
        urls = server.empty_database()
        name = urlsplit(urls.owner).path.lstrip("/")
        beside_url = at(CITUS_URL, host, port, urlsplit(CITUS_URL).path.lstrip("/"))
        with psycopg.connect(beside_url, autocommit=True) as other:
            other.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        stack.callback(drop, beside_url, name)
        other_url = at(CITUS_URL, host, port, name)
        with psycopg.connect(other_url, autocommit=True) as other:
            other.execute("CREATE EXTENSION citus")
        server.add_citus(urls)
        superuser_url = urlunsplit(urlsplit(CITUS_URL)._replace(path=f"/{name}"))
        with psycopg.connect(superuser_url, autocommit=True) as coordinator:
            coordinator.execute("SELECT citus_add_node(%s, %s)", [host, port])
        migrate(urls.owner, urls.service)
        distribute(urls.owner)
        own = urlsplit(CITUS_URL)
        nodes = [(str(own.hostname), own.port or 5432), (host, port)]
        yield Spread(urls.service.partition("?")[0], superuser_url, other_url, nodes)


def at(url: str, host: str, port: int, database: str) -> str:
    """The same login at another place."""
    parts = urlsplit(url)
    login, has_login, _ = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{login}{has_login}{host}:{port}", path=f"/{database}"))


def drop(url: str, name: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def moved_to(node: int, coordinator: psycopg.Connection, spread: Spread, mode: str) -> int:
    """Move every shard to one node, with what lies beside it; how many were moved."""
    to = spread.nodes[node]
    moves = [(shard, host, port) for shard, host, port in coordinator.execute(PLACES) if (host, port) != to]
    for shard, host, port in moves:
        coordinator.execute(MOVE, [shard, host, port, *to, mode])
    return len(moves)


def test_nothing_is_lost_while_shards_move_from_node_to_node(spread, tmp_path):
    moved = Counter[str]()
    with ExitStack() as stack:
        service = Service(stack, tmp_path, spread.service_url)
        coordinator = stack.enter_context(psycopg.connect(spread.superuser_url, autocommit=True))
        with a_crowd(service, tmp_path) as (seats, journal):
            assert eventually(lambda: journal.told > 20)
            for mode in MODES:
                for node in (0, 1):
                    told = journal.told
                    moved[mode] += moved_to(node, coordinator, spread, mode)
                    assert eventually(lambda: journal.told > told + 20), service.said()  # noqa: B023
            coordinator.execute("SELECT citus_rebalance_start()")
            coordinator.execute("SELECT citus_rebalance_wait()")
            told = journal.told
            assert eventually(lambda: journal.told > told + 20), service.said()
        lines = read(journal.path)
        codes = Counter(line["code"] for line in lines if line["what"] == "away")
        print(f"moved {dict(moved)}; {journal.told} acknowledged, answered 503: {dict(codes)}")  # noqa: T201
        assert wrong_in(spread.superuser_url, journal.path, seats) == []
        assert {(host, port) for _, host, port in coordinator.execute(PLACES)} == set(spread.nodes), "shared again"
        assert all(count >= SHARDS for count in moved.values())
        assert set(codes) <= {"database_away"}
        for seat in seats:
            asked = ("verify", "--campaign", str(seat.campaign_id))
            with running(tmp_path, *asked, database_url=spread.service_url) as verify:
                assert verify.process.wait(60) == 0, verify.said()


def test_people_play_on_after_a_node_broke_off_all_of_its_connections(spread, tmp_path):
    login = urlsplit(spread.service_url).username
    with ExitStack() as stack:
        service = Service(stack, tmp_path, spread.service_url)
        coordinator = stack.enter_context(psycopg.connect(spread.superuser_url, autocommit=True))
        moved_to(1, coordinator, spread, "block_writes")
        other = stack.enter_context(psycopg.connect(spread.other_url, autocommit=True))
        ended = 0
        with a_crowd(service, tmp_path) as (seats, journal):
            for _ in range(BREAKS):
                told = journal.told
                assert eventually(lambda: journal.told > told + 10), service.said()  # noqa: B023
                ended += len(other.execute(END_ALL, [login]).fetchall())
            told = journal.told
            assert eventually(lambda: journal.told > told + 10), service.said()
        assert ended >= BREAKS
        assert wrong_in(spread.superuser_url, journal.path, seats) == []
        for program in (*service.apis, service.worker):
            assert program.process.poll() is None, program.said()
