"""The database away in each way that was seen to stop a table: every request is answered, and all comes back."""

import asyncio
import os
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from tests.services.outage import Insistent, Server, Service, a_server, a_service, a_small_disk
from tests.services.processes import eventually, worker

pytestmark = pytest.mark.slow

BACK_SECONDS_MAX = 2.0
DISK_MEGABYTES = 400
CLIENTS = int(os.environ.get("FIELDLOG_OUTAGE_CLIENTS", "150"))
"""Those that ask again through an outage; before a release there are 500."""

SPREAD = {"1", "2", "3"}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with a_server() as running:
        yield running


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as entered:
        yield entered


def is_well(service: Service) -> bool:
    return service.ready().status == 200


def refused(service: Service, code: str) -> None:
    """Readiness says why, in time."""
    ready = service.ready()
    assert (ready.status, ready.code) == (503, code), ready.response.text
    assert ready.response.headers["Retry-After"] in SPREAD
    assert ready.response.headers["Content-Type"] == "application/problem+json"
    assert ready.seconds < 1


def test_a_server_that_is_stopped_costs_no_request_ten_seconds_and_is_back_within_two(server, stack, tmp_path):
    service = stack.enter_context(a_service(tmp_path, server.new_database()))
    assert service.note("before").status == 201
    with server.stopped():
        refused(service, "database_away")
        acted = service.note("during", key="the-key")
        assert (acted.status, acted.code) == (503, "database_away")
        assert acted.response.headers["Retry-After"] in SPREAD
        assert acted.seconds < 10
        read = service.read()
        assert (read.status, read.code) == (503, "database_away")
        assert read.seconds < 10
        for _ in range(50):
            known = service.read()
            assert known.status == 503
            assert known.seconds < 1, "it is known, and nobody waits again"
        refused(service, "database_away")
    continued = time.monotonic()
    assert eventually(lambda: is_well(service))
    assert time.monotonic() - continued < BACK_SECONDS_MAX
    assert service.note("during", key="the-key").status == 201
    assert service.note("after").status == 201
    assert service.notes() == ["before", "during", "after"]
    assert eventually(lambda: service.said("database_back")), service.program.said()
    assert len(service.said("database_away")) == 1
    [back] = service.said("database_back")
    assert "failed=52" in back
    assert "Traceback" not in service.program.said()


def test_requests_that_wait_together_while_the_server_stops_are_all_answered(server, stack, tmp_path):
    """More than there are connections for."""
    service = stack.enter_context(a_service(tmp_path, server.new_database()))
    with ThreadPoolExecutor(24) as threads, server.stopped():
        asked = [threads.submit(service.read if n % 2 else lambda: service.note("x")) for n in range(24)]
        answers = [each.result() for each in asked]
    assert {answer.status for answer in answers} == {503}
    assert max(answer.seconds for answer in answers) < 6, "sooner than the limit of each call by itself"
    assert eventually(lambda: is_well(service), BACK_SECONDS_MAX)


@pytest.mark.parametrize("share", [1.0, 0.2], ids=["as they are told", "five times as soon"])
def test_many_clients_that_ask_again_do_not_keep_a_database_away(server, stack, tmp_path, share):
    """It hangs, and then crashes. What they write meanwhile is there once."""
    room = {"connections_per_address": "0", "request_seconds": "300"}  # they all have one address, and are silent
    service = stack.enter_context(a_service(tmp_path, server.new_database(), **room))
    clients = Insistent(service, CLIENTS, share)

    async def play() -> None:
        await clients.connect()
        with server.stopped():
            asking = asyncio.create_task(clients.ask())
            await clients.refused.wait()
        server.crash()
        assert await asyncio.to_thread(eventually, lambda: is_well(service)), service.program.said()
        await asking
        clients.hang_up()

    asyncio.run(play())
    assert eventually(lambda: is_well(service))
    assert sorted(service.notes()) == sorted(f"no. {number}" for number in range(0, CLIENTS, 2))


def test_a_database_that_takes_no_writes_refuses_actions_and_takes_them_again_afterwards(server, stack, tmp_path):
    """As a standby, or a primary that was demoted. The worker, too, goes on by itself."""
    urls = server.new_database()
    service = stack.enter_context(a_service(tmp_path, urls))
    working = stack.enter_context(worker(tmp_path, urls.service))
    assert service.note("before").status == 201
    server.tell("ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")
    try:
        assert eventually(lambda: not is_well(service))
        refused(service, "database_read_only")
        for _ in range(10):
            acted = service.note("during")
            assert (acted.status, acted.code) == (503, "database_away")
            assert acted.seconds < 10
        assert service.read().status == 200, service.program.said()
        assert eventually(lambda: working.has_said("database_read_only")), working.said()
    finally:
        server.tell("ALTER SYSTEM RESET default_transaction_read_only", "SELECT pg_reload_conf()")
    assert eventually(lambda: is_well(service))
    assert service.note("after").status == 201
    assert eventually(lambda: working.has_said("database_back")), working.said()
    assert service.notes() == ["before", "after"]
    assert working.process.poll() is None
    assert eventually(lambda: service.said("database_back")), service.program.said()
    for said in (working.said(), service.program.said()):
        assert "Traceback" not in said
        assert (said.count("database_away "), said.count("database_back")) == (1, 1)


def test_a_full_disk_turns_readiness_red_until_there_is_room_again(stack, tmp_path):
    try:
        disk = stack.enter_context(a_small_disk(DISK_MEGABYTES))
    except OSError as impossible:
        pytest.skip(str(impossible))
    server = stack.enter_context(a_server(disk))
    service = stack.enter_context(a_service(tmp_path, server.new_database()))
    assert service.note("before").status == 201
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        while free := shutil.disk_usage(disk).free:
            file.write(bytes(min(65_536, free)))
    acted = service.note("x" * 2_000)
    for _ in range(2_000):
        if acted.status != 201:
            break
        acted = service.note("x" * 2_000)
    assert (acted.status, acted.code) == (503, "database_away"), acted.response.text
    refused(service, "disk_full")
    assert service.read().status == 200
    with server.stopped():
        assert eventually(lambda: service.ready().code == "database_away")
    assert eventually(lambda: service.ready().code == "disk_full"), "it answers, and is as full as before"
    assert service.read().status == 200
    filler.unlink()
    assert eventually(lambda: is_well(service), 5), "without anybody having to act"
    assert service.note("after").status == 201
    assert service.notes()[-1] == "after"
    codes = [line.split("code=")[1].split()[0] for line in service.said("database_away")]
    assert codes == ["disk_full", "database_away", "disk_full"], "one outage, said when it changes"
