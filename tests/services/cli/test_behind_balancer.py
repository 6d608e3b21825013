"""The recipes for HAProxy and nginx of the distribution in front of four processes: one is killed under load."""

import shutil
import ssl
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any

import httpx
import pytest
from cryptography import x509

from infra.embedded.child_process import free_port
from services.cli import listen_address
from tests.services.certificates import a_pair
from tests.services.conftest import Table, table_at
from tests.services.processes import Program, eventually
from tests.services.recipes import BALANCERS

pytestmark = pytest.mark.slow

CLIENTS = 8
NOTES = 60
CREATED = 201
CLOSED = 0
"""HAProxy closes a kept connection of HTTP/1.1 without an answer where the process died with a request."""
METRICS = "t" * 20
GONE = {502, 503, CLOSED}
TRIES_MAX = 50


class Balanced:
    """Four processes behind a proxy."""

    def __init__(self, programs: list[Program], ports: list[int], address: str, trusting: ssl.SSLContext) -> None:
        self.programs = programs
        self.ports = ports
        self._address = address
        self._trusting = trusting

    def folded(self) -> float:
        """Tails that any process folded because another one had appended."""
        told = [
            httpx.get(f"http://127.0.0.1:{port}/metrics", headers={"Authorization": f"Bearer {METRICS}"}).text
            for port in self.ports
        ]
        lines = (line for text in told for line in text.splitlines())
        return sum(float(line.split()[1]) for line in lines if line.startswith("fieldlog_tails_folded_total "))

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self._address, verify=self._trusting, timeout=20)


@pytest.fixture(params=BALANCERS)
def balanced(request, database, redis_url, tmp_path) -> Iterator[Balanced]:
    program = shutil.which(request.param) or shutil.which(request.param, path="/usr/sbin")
    if program is None:
        pytest.skip(f"{request.param} is not installed here")
    ports, port, plain = [free_port() for _ in range(4)], free_port(), free_port()
    certificate, key = a_pair(tmp_path, names=x509.SubjectAlternativeName([x509.DNSName("localhost")]))
    _, *words = BALANCERS[request.param](tmp_path, ports, port, plain, certificate, key)
    shared = {
        "database_url": database.service,
        "redis_url": redis_url,
        "proxies": "127.0.0.1",
        "metrics_token": METRICS,
    }
    rates = {"sign_ups_per_hour": "0", "actions_per_minute": "0"}
    with ExitStack() as stack:
        programs = []
        for each in ports:
            programs.append(Program(tmp_path, "serve", port=str(each), **shared, **rates))
            stack.callback(programs[-1].stop)
        for each in ports:
            assert eventually(partial(is_ready, each))
        proxy = stack.enter_context(subprocess.Popen([program, *words]))  # noqa: S603
        stack.callback(proxy.terminate)
        front = Balanced(
            programs, ports, f"https://localhost:{port}", ssl.create_default_context(cafile=certificate)
        )
        with front.client() as client:
            assert eventually(lambda: answers(client))
        yield front


def is_ready(port: int) -> bool:
    return listen_address.status("127.0.0.1", port, "/health/ready") == 200


def answers(client: httpx.Client) -> bool:
    try:
        return client.get("/health/ready").status_code == 200
    except httpx.TransportError:
        return False


def play(front: Balanced, table: Table, failures: Counter[Any], under_way: threading.Event) -> None:
    """Add notes, each repeated with its key until it is answered."""
    with front.client() as client:
        for nth in range(NOTES):
            if nth == NOTES // 4:
                under_way.set()
            headers = table.gm.headers | {"Idempotency-Key": f"note {nth}"}
            body = {"command": {"type": "campaign.add_note", "text": f"No. {nth}."}}
            for _ in range(TRIES_MAX):
                try:
                    status = client.post(f"/api{table.path}/actions", json=body, headers=headers).status_code
                except httpx.RemoteProtocolError:
                    status = CLOSED
                if status == CREATED:
                    break
                failures[status] += 1


def test_one_of_four_processes_dies_under_load_and_nothing_is_lost(balanced):
    with balanced.client() as client:
        tables = [table_at(client, f"Ana {nth}", f"Mara {nth}") for nth in range(CLIENTS)]
        failures, under_way = Counter[Any](), threading.Event()
        threads = [threading.Thread(target=play, args=(balanced, table, failures, under_way)) for table in tables]
        for thread in threads:
            thread.start()
        under_way.wait()
        balanced.programs[0].kill()
        for thread in threads:
            thread.join()

        assert set(failures) <= GONE, failures
        assert failures.total() <= CLIENTS, failures  # what was in flight, and nothing after it
        for table in tables:
            events = table.gm.get(f"{table.path}/events?limit=500").json()["events"]
            notes = [each for each in events if each["type"] == "campaign.note_added"]
            assert len(notes) == NOTES


def test_all_of_a_campaign_goes_to_one_process(balanced):
    with balanced.client() as client:
        table = table_at(client)
        table.act(table.gm, "campaign.add_note", text="Who founded and joined did so at any process.")
        failures = Counter[Any]()
        before = balanced.folded()
        play(balanced, table, failures, threading.Event())
        assert not failures
        assert balanced.folded() == before


def test_asked_past_the_proxy_processes_fold_what_each_other_appended(balanced):
    """Negative control: the count is of something."""
    with balanced.client() as client:
        table = table_at(client)
    body = {"command": {"type": "campaign.add_note", "text": "Straight away."}}
    before = balanced.folded()
    for port in balanced.ports * 2:
        path = f"http://127.0.0.1:{port}/api{table.path}/actions"
        assert httpx.post(path, json=body, headers=table.gm.headers).status_code == CREATED
    assert balanced.folded() > before
