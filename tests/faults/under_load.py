"""Two API processes and a worker, people who play at them, and what does not hold afterwards."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import psycopg

from tests.faults import checker
from tests.faults.campaign import GIVE_UP_SECONDS, Crowd
from tests.faults.journal import Journal, read
from tests.faults.log import read_logs
from tests.faults.seats import Seat, gather, sign_up
from tests.faults.town import kept_port
from tests.services.outage import NO_RATES
from tests.services.processes import Program, eventually, running

TABLES = 2


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


def wrong_in(superuser_url: str, journal: Path, seats: list[Seat], seconds: float = 30.0) -> list[str]:
    """What does not hold between what people were told and what a database has, once nothing is left to do."""
    keys_of = "SELECT campaign_id::text, key, action_id::text FROM idempotency_keys"
    own = {str(seat.campaign_id) for seat in seats}
    with psycopg.connect(superuser_url, autocommit=True) as connection:
        eventually(lambda: connection.execute(checker.UNSETTLED).fetchone() == (0,), seconds)
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        logs = read_logs(connection)
        keys = connection.execute(keys_of).fetchall()
    logs = {campaign: log for campaign, log in logs.items() if campaign in own}
    return checker.check_journal(checker.Evidence(read(journal), logs, keys))
