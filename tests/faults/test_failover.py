"""A primary dies and its standby takes over, under load, with PostgreSQL as a distribution has it; and poolers."""

import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import psycopg
import pytest

from services.wiring.engines import migrate_database
from tests.faults import checker
from tests.faults.campaign import GIVE_UP_SECONDS, Crowd
from tests.faults.clusters import (
    OWNER,
    SERVICE,
    Cluster,
    Pair,
    a_cluster,
    a_pair,
    a_pooler,
    distribution_programs,
)
from tests.faults.journal import Journal, read
from tests.faults.log import read_logs
from tests.faults.seats import Seat, gather, sign_up
from tests.faults.town import kept_port
from tests.services.outage import NO_RATES
from tests.services.processes import Program, eventually, running

pytestmark = pytest.mark.slow

TABLES = 2
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


class Service:
    """Two API processes and a worker on whichever of two servers takes writes."""

    def __init__(self, stack: ExitStack, folder: Path, database_url: str, **settings: str) -> None:
        self.folder = folder
        self.ports = [kept_port(), kept_port()]
        (folder / "home").mkdir()
        common = {
            "database_url": database_url,
            "home": str(folder / "home"),
            "campaigns_per_account": "0",
            **NO_RATES,
            **settings,
        }
        self.apis = [
            stack.enter_context(running(folder, "serve", port=str(port), **common)) for port in self.ports
        ]
        self.worker: Program = stack.enter_context(running(folder, "worker", **common))
        assert eventually(self.is_ready), self.said()
        assert eventually(lambda: self.worker.has_said("worker_ready")), self.worker.said()

    @property
    def urls(self) -> list[str]:
        return [f"http://127.0.0.1:{port}" for port in self.ports]

    def readiness(self) -> list[tuple[int, str]]:
        answers = [httpx.get(f"{url}/health/ready", timeout=5) for url in self.urls]
        return [(answer.status_code, answer.json().get("code", "")) for answer in answers]

    def is_ready(self) -> bool:
        for program in (*self.apis, self.worker):
            assert program.process.poll() is None, program.said()
        with suppress(httpx.TransportError):
            return {status for status, _ in self.readiness()} == {200}
        return False

    def said(self) -> str:
        return "".join(program.said()[-3_000:] for program in (*self.apis, self.worker))


@contextmanager
def a_crowd(
    service: Service, folder: Path, give_up_seconds: float = GIVE_UP_SECONDS
) -> Iterator[tuple[list[Seat], Journal]]:
    """People who play on, in a thread of their own, and write down what they are told."""
    with httpx.Client(base_url=service.urls[0], timeout=30) as client:
        seats = [gather(client, number, sign_up(client, number)) for number in range(TABLES)]
    journal = Journal(folder / "journal.ndjson")
    crowd = Crowd(service.ports, journal, seats, seed=26)
    crowd.start()
    try:
        yield seats, journal
    finally:
        crowd.stop(give_up_seconds)
        journal.close()


def played(journal: Journal, seconds: float) -> float:
    """Wait so long; the longest time in which nobody was told anything, in seconds."""
    until = time.monotonic() + seconds
    told, since, longest = journal.told, time.monotonic(), 0.0
    while time.monotonic() < until:
        if journal.told != told:
            told, since = journal.told, time.monotonic()
        longest = max(longest, time.monotonic() - since)
        time.sleep(0.005)
    return longest


def wrong_in(cluster: Cluster, journal: Path, seats: list[Seat], seconds: float = 30.0) -> list[str]:
    """What does not hold between what people were told and what this server has, once nothing is left to do."""
    keys_of = "SELECT campaign_id::text, key, action_id::text FROM idempotency_keys"
    own = {str(seat.campaign_id) for seat in seats}
    with psycopg.connect(cluster.superuser_url(), autocommit=True) as connection:
        eventually(lambda: connection.execute(checker.UNSETTLED).fetchone() == (0,), seconds)
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        logs = read_logs(connection)
        keys = connection.execute(keys_of).fetchall()
    logs = {campaign: log for campaign, log in logs.items() if campaign in own}
    return checker.check_journal(checker.Evidence(read(journal), logs, keys))


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
        assert wrong_in(pair.second, journal.path, seats) == []
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
        lost = [each for each in wrong_in(pair.second, journal.path, seats, 0) if "not in the log" in each]
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
        assert wrong_in(pair.first, journal.path, seats) == []
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
            assert wrong_in(cluster, journal.path, seats) == []
        for program in (*service.apis, service.worker):
            assert "database_away" not in program.said(), program.said()
