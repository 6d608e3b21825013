"""`fieldlog serve --processes N`, as somebody runs it: processes on one port, of which some are killed."""

import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.embedded.child_process import free_port
from services.cli import listen_address
from services.cli.errors import EXIT_BAD_SETTING, EXIT_FAILED, EXIT_WILL_NOT
from services.wiring.keys import KEY_FILE
from tests.engines import DatabaseUrls
from tests.services.conftest import Table, table_at
from tests.services.live_api import Follower
from tests.services.processes import Program, eventually

pytestmark = pytest.mark.slow

PROCESSES = 3
CLIENTS = 6
NOTES = 80
TRIES_MAX = 50
CREATED = 201
TOKEN = "t" * 20
LOST = "no answer"
ESTABLISHED = "01"
"""As /proc/net/tcp has it."""
NO_RATES = {"sign_ups_per_hour": "0", "actions_per_minute": "0", "read_seconds_per_minute": "0"}


def open_files(pid: int) -> set[str]:
    """What the descriptors of a process that runs stand for; it may close any of them while they are read."""
    found = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            found.add(str(descriptor.readlink()))
    return found


class Port:
    """`fieldlog serve --processes` under way on a port."""

    def __init__(self, program: Program, port: int) -> None:
        self.program = program
        self.port = port
        self.base = f"http://127.0.0.1:{port}"

    def children(self) -> list[int]:
        """The processes that answer, oldest first."""
        pid = self.program.process.pid
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def is_ready(self) -> bool:
        assert self.program.process.poll() is None, self.program.said()
        return listen_address.status("127.0.0.1", self.port, "/health/ready") == 200

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.base, timeout=20)

    def connections(self) -> list[int]:
        """How many clients' connections each of them has."""
        lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()]
        here = f":{self.port:04X}"
        ours = {f"socket:[{line[9]}]" for line in lines if line[1].endswith(here) and line[3] == ESTABLISHED}
        return [len(ours & open_files(pid)) for pid in self.children()]

    def started(self) -> int:
        return self.program.said().count("process_started")


@contextmanager
def shared_port(folder: Path, *more: str, **settings: str | None) -> Iterator[Port]:
    port = free_port()
    program = Program(folder, "serve", "--processes", str(PROCESSES), *more, port=str(port), **settings)
    try:
        found = Port(program, port)
        assert eventually(found.is_ready), program.said()
        with ExitStack() as clients:

            def is_answered_by_each() -> bool:
                clients.enter_context(found.client()).get("/health/ready")
                connections = found.connections()
                return len(connections) == PROCESSES and min(connections) > 0

            # Else a process that is still starting may read what a test does later.
            assert eventually(is_answered_by_each), program.said()
        yield found
    finally:
        program.stop()


@pytest.fixture
def served(database: DatabaseUrls, redis_url: str, tmp_path: Path) -> Iterator[Port]:
    urls = {"database_url": database.service, "redis_url": redis_url}
    with shared_port(tmp_path, **urls, **NO_RATES, metrics_token=TOKEN, home=str(tmp_path)) as found:
        yield found


def play(served: Port, table: Table, failures: Counter[Any], under_way: threading.Event) -> None:
    """Add notes on lines that are kept and on new ones, each repeated with its key until it is answered."""
    client = served.client()
    for nth in range(NOTES):
        if nth == NOTES // 4:
            under_way.set()
        headers = table.gm.headers | {"Idempotency-Key": f"note {nth}"}
        body = {"command": {"type": "campaign.add_note", "text": f"No. {nth}."}}
        for _ in range(TRIES_MAX):
            try:
                status: Any = client.post(f"/api{table.path}/actions", json=body, headers=headers).status_code
            except httpx.TransportError:
                status = LOST
            if status == CREATED:
                break
            failures[status] += 1
        if nth % 10 == 0:
            client.close()
            client = served.client()
    client.close()


def test_one_of_the_processes_is_killed_under_load_and_nothing_is_lost(served):
    with served.client() as client:
        tables = [table_at(client, f"Ana {nth}", f"Mara {nth}") for nth in range(CLIENTS)]
    failures, under_way = Counter[Any](), threading.Event()
    threads = [threading.Thread(target=play, args=(served, table, failures, under_way)) for table in tables]
    for thread in threads:
        thread.start()
    under_way.wait()
    killed = served.children()[0]
    os.kill(killed, signal.SIGKILL)
    for thread in threads:
        thread.join()

    assert set(failures) <= {LOST}, failures
    assert failures.total() <= CLIENTS, failures  # what that process was answering, and nothing after it
    with served.client() as client:
        for table in tables:
            table.gm.client = client
            events = table.gm.get(f"{table.path}/events?limit=500").json()["events"]
            assert len([each for each in events if each["type"] == "campaign.note_added"]) == NOTES
    assert eventually(lambda: served.started() == PROCESSES + 1), served.program.said()
    assert "killed by SIGKILL" in served.program.said()
    assert len(served.children()) == PROCESSES
    assert killed not in served.children()


def test_connections_are_shared_out_and_feeds_hear_what_any_of_the_processes_was_told(served):
    with served.client() as client:
        table = table_at(client)
    feeds: list[Follower] = []

    def everyone_has_one() -> bool:
        feeds.append(Follower(served, table.player, table.path))
        return bool(min(served.connections()) > 0)

    try:
        assert eventually(everyone_has_one), served.connections()
        for nth in range(2 * PROCESSES):
            with served.client() as client:
                table.gm.client = client
                seq = table.act(table.gm, "campaign.add_note", text=f"No. {nth}.")["seq"]
        for feed in feeds:
            feed.reaches(seq)
    finally:
        for feed in feeds:
            feed.hang_up()


def test_a_stop_ends_all_of_them_and_frees_the_port(served):
    children = served.children()
    assert len(children) == PROCESSES
    assert served.program.stop() == 0
    assert not [each for each in children if Path(f"/proc/{each}").exists()]
    listen_address.require_free("127.0.0.1", served.port)


def test_processes_whose_parent_is_killed_end_too(served):
    """Nobody would start them again, and the next parent could not have the port."""
    children = served.children()
    served.program.kill()
    assert eventually(lambda: not [each for each in children if Path(f"/proc/{each}").exists()])
    listen_address.require_free("127.0.0.1", served.port)


def test_metrics_are_of_all_processes_whichever_is_asked(served):
    with served.client() as client:
        table = table_at(client)
    for nth in range(2 * PROCESSES):
        with served.client() as client:
            table.gm.client = client
            table.act(table.gm, "campaign.add_note", text=f"No. {nth}.")
    told = set()
    for _ in range(2 * PROCESSES):
        with served.client() as client:
            text = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text
        told |= {line for line in text.splitlines() if line.startswith("fieldlog_action_seconds_count")}
    assert told == {f'fieldlog_action_seconds_count{{status="201"}} {2 * PROCESSES:.1f}'}


def test_when_one_of_them_will_not_run_all_end_with_its_exit_code(database, redis_url, tmp_path):
    urls = {"database_url": database.service, "redis_url": redis_url, "dice_key": None}
    with shared_port(tmp_path, **urls, **NO_RATES, home=str(tmp_path)) as served:
        with served.client() as client:
            table_at(client)
        (tmp_path / KEY_FILE).write_text("damaged")
        os.kill(served.children()[-1], signal.SIGKILL)
        assert served.program.process.wait(30) == EXIT_WILL_NOT, served.program.said()
        assert "process 3 will not run" in served.program.said()
        listen_address.require_free("127.0.0.1", served.port)


def test_a_port_that_is_taken_and_a_number_that_cannot_be_are_refused(served, database, tmp_path):
    def exit_code(processes: str) -> tuple[int, str]:
        said = {"database_url": database.service, "port": str(served.port)}
        program = Program(tmp_path, "serve", "--processes", processes, **said)
        return program.process.wait(30), program.said()

    code, said = exit_code("2")
    assert (code, "taken by another Fieldlog" in said) == (EXIT_FAILED, True), said
    assert exit_code("0")[0] == EXIT_BAD_SETTING
