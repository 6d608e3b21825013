"""A primary dies and its standby takes over, under load, with PostgreSQL as a distribution has it; and poolers."""

import os
import shutil
import threading
from contextlib import ExitStack
from pathlib import Path

import httpx
import psycopg
import pytest

from services.wiring.schema import migrate_database
from tests.faults.clusters import (
    OWNER,
    SERVICE,
    Pair,
    a_cluster,
    a_pair,
    a_pooler,
    distribution_programs,
)
from tests.faults.journal import Journal
from tests.faults.under_load import Service, a_crowd, played, wrong_in
from tests.services.processes import eventually, running

pytestmark = pytest.mark.slow

PLAY_SECONDS = 4.0
GAP_SECONDS_MAX = 15.0
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"


def skip(why: str) -> None:
    """Say on the terminal, too, what was not tried."""
    print(f"not tried: {why}")  # noqa: T201 - people should read it
    pytest.skip(why)


@pytest.fixture
def programs() -> Path:
    found = distribution_programs()
    if found is None:
        skip("there is no PostgreSQL of a Debian package here (postgresql-15 or newer)")
    assert found is not None
    return found


def taken_over(pair: Pair, service: Service, journal: Journal) -> float:
    """Kill the primary and promote the standby; for how many seconds nobody was told anything."""

    def take_over() -> None:
        pair.first.kill()
        pair.second.promote()

    taking_over = threading.Thread(target=take_over)
    taking_over.start()
    gap = played(journal, GAP_SECONDS_MAX / 2)
    taking_over.join()
    assert eventually(service.is_ready), service.said()
    return gap


def test_a_standby_that_commits_wait_for_takes_over_and_nothing_that_was_acknowledged_is_lost(programs, tmp_path):
    with ExitStack() as stack:
        pair = stack.enter_context(a_pair(programs))
        migrate_database(pair.url(OWNER), pair.url(SERVICE))
        pair.wait_for_standby(pair.first)
        service = Service(stack, tmp_path, pair.url(SERVICE), require_sync_standby="1")
        assert not any("standby_missing" in program.said() for program in service.apis)
        with a_crowd(service, tmp_path) as (seats, journal):
            played(journal, PLAY_SECONDS)
            assert eventually(lambda: journal.told > 20)
            before = journal.told
            gap = taken_over(pair, service, journal)
            assert eventually(lambda: journal.told > before + 20)
        assert wrong_in(pair.second.superuser_url(), journal.path, seats) == []
        assert gap < GAP_SECONDS_MAX / 2, "people play on"
        print(  # noqa: T201 - the figures are what it is for
            f"failover with a synchronous standby: {journal.told} acknowledged, 0 lost, gap {gap:.2f} s"
        )
        for program in service.apis:
            assert eventually(lambda: program.has_said("standby_missing")), "the new one confirms alone"  # noqa: B023

        # The old primary comes back as the standby of the new one, and takes over from it in turn.
        pair.first.copy(pair.second)
        pair.first.start()
        pair.wait_for_standby(pair.second)
        with running(tmp_path, "doctor", database_url=pair.url(SERVICE), require_sync_standby="1") as doctor:
            assert doctor.process.wait(30) == 0, doctor.said()
            assert "commits are confirmed once a standby has them" in doctor.said()
        pair.second.stop()
        assert [code for _, code in service.readiness()] != ["", ""], "readiness knows"
        pair.first.promote()
        assert eventually(service.is_ready), service.said()
        headers = seats[0].tokens[0]
        note = {"command": {"type": "campaign.add_note", "text": "Home again."}}
        with httpx.Client(base_url=service.urls[0], timeout=30) as client:
            assert client.post(f"{seats[0].path}/actions", json=note, headers=headers).status_code == 201


def test_without_one_what_was_acknowledged_can_be_lost_and_the_checker_says_so(programs, tmp_path):
    """The control: the standby has fallen behind, and nothing waited for it."""
    with ExitStack() as stack:
        pair = stack.enter_context(a_pair(programs))
        migrate_database(pair.url(OWNER), pair.url(SERVICE))
        service = Service(stack, tmp_path, pair.url(SERVICE), require_sync_standby="1")
        for program in service.apis:
            assert eventually(lambda: program.has_said("standby_missing")), program.said()  # noqa: B023
        with a_crowd(service, tmp_path, give_up_seconds=0) as (seats, journal):
            played(journal, PLAY_SECONDS)
            caught_up = "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn()"
            assert eventually(lambda: pair.first.tell(caught_up) == [(1,)])
            pair.second.tell("ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()")
            assert eventually(lambda: not pair.second.tell("SELECT FROM pg_stat_wal_receiver"))
            before = journal.told
            assert eventually(lambda: journal.told > before + 20)
            pair.first.kill()
            pair.second.promote()
            assert eventually(lambda: pair.second.tell("SELECT pg_is_in_recovery()") == [(False,)])
        lost = [
            each
            for each in wrong_in(pair.second.superuser_url(), journal.path, seats, 0)
            if "not in the log" in each
        ]
        assert lost
        print(f"failover without a synchronous standby: {len(lost)} of {journal.told} lost")  # noqa: T201


def test_while_the_standby_that_commits_wait_for_is_gone_nothing_is_acknowledged_and_no_backends_pile_up(
    programs, tmp_path
):
    with ExitStack() as stack:
        pair = stack.enter_context(a_pair(programs))
        migrate_database(pair.url(OWNER), pair.url(SERVICE))
        pair.wait_for_standby(pair.first)
        service = Service(stack, tmp_path, pair.url(SERVICE), require_sync_standby="1")
        with a_crowd(service, tmp_path) as (seats, journal):
            played(journal, PLAY_SECONDS)
            pair.second.stop()
            assert eventually(lambda: {code for _, code in service.readiness()} == {"database_away"})
            played(journal, 1)  # what was under way is answered
            told, [[before]] = journal.told, pair.first.tell(WAITING)
            played(journal, 12)
            [[after]] = pair.first.tell(WAITING)
            assert journal.told == told
            pair.second.start()
            assert eventually(service.is_ready), service.said()
            assert eventually(lambda: journal.told > told)
        assert wrong_in(pair.first.superuser_url(), journal.path, seats) == []
        assert int(str(after)) <= int(str(before)) + 3, "one question of each process at a time"


@pytest.mark.parametrize("mode", ["session", "transaction"])
def test_the_service_works_through_a_pooler(programs, tmp_path, mode):
    """In session mode from 1.18 on; in transaction mode only where one is named that keeps prepared statements."""
    pgbouncer = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
    named = os.environ.get("FIELDLOG_TEST_PGBOUNCER_URL")
    with ExitStack() as stack:
        if mode == "transaction":
            if not named:
                skip("FIELDLOG_TEST_PGBOUNCER_URL names no PgBouncer (1.21 or newer) in transaction mode")
            url = str(named)
        else:
            if pgbouncer is None:
                skip("there is no pgbouncer here")
            cluster = stack.enter_context(a_cluster(programs))
            service_url = f"postgresql://{SERVICE}@127.0.0.1:{cluster.port}/fieldlog"
            migrate_database(f"postgresql://{OWNER}@127.0.0.1:{cluster.port}/fieldlog", service_url)
            url = stack.enter_context(a_pooler(str(pgbouncer), cluster, mode))
            with psycopg.connect(url) as session:
                whence = session.execute("SELECT source FROM pg_settings WHERE name = 'lock_timeout'").fetchone()
            assert whence == ("user",), "the login brings it"
        service = Service(stack, tmp_path, url)
        with a_crowd(service, tmp_path) as (seats, journal):
            assert eventually(lambda: journal.told > 50)
        if mode == "session":
            assert wrong_in(cluster.superuser_url(), journal.path, seats) == []
        for program in (*service.apis, service.worker):
            assert "database_away" not in program.said(), program.said()
