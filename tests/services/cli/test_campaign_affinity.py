"""The recipes for several processes send a campaign to one of them, wherever on its host Fieldlog lies."""

import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar
from uuid import UUID

import httpx
import pytest
from cryptography import x509

from infra.embedded.child_process import free_port
from tests.services.certificates import a_pair
from tests.services.processes import eventually
from tests.services.recipes import BALANCERS

PROCESSES = 4
BASE = "/games/fieldlog"
CAMPAIGNS = [UUID(int=nth << 96 | nth) for nth in range(0xA1, 0xA1 + 24)]
ADDRESSES = ("/api/campaigns/{}", "/api/campaigns/{}/actions?limit=20", "/c/{}", "/c/{}/money")


class Answerer(BaseHTTPRequestHandler):
    """A server that tells which of several it is, whatever it is asked."""

    names: ClassVar[dict[int, str]] = {}

    def do_GET(self) -> None:
        name = self.names[self.server.server_address[1]].encode()  # type: ignore[index]
        self.send_response(200)
        self.send_header("Content-Length", str(len(name)))
        self.end_headers()
        self.wfile.write(name)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(params=BALANCERS)
def front(request: pytest.FixtureRequest, tmp_path) -> Iterator[httpx.Client]:
    """A client of a proxy before servers that tell which of them was asked."""
    program = shutil.which(request.param) or shutil.which(request.param, path="/usr/sbin")
    if program is None:
        pytest.skip(f"{request.param} is not installed here")
    certificate, key = a_pair(tmp_path, names=x509.SubjectAlternativeName([x509.DNSName("localhost")]))
    with ExitStack() as stack:
        ports = []
        for nth in range(PROCESSES):
            server = stack.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), Answerer))
            ports.append(server.server_address[1])
            Answerer.names[ports[-1]] = f"process {nth}"
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
            stack.callback(server.shutdown)
        port, plain = free_port(), free_port()
        _, *words = BALANCERS[request.param](tmp_path, ports, port, plain, certificate, key)
        proxy = stack.enter_context(subprocess.Popen([program, *words]))  # noqa: S603
        stack.callback(proxy.terminate)
        trusting = ssl.create_default_context(cafile=certificate)
        client = stack.enter_context(httpx.Client(base_url=f"https://localhost:{port}", verify=trusting))

        def all_answer() -> bool:
            try:
                return len({client.get("/health/ready").text for _ in range(8 * PROCESSES)}) == PROCESSES
            except httpx.TransportError:
                return False

        assert eventually(all_answer)
        yield client


@pytest.mark.parametrize("base", ["", BASE, "/c"], ids=["the whole host", "below a path", "below /c"])
def test_every_address_of_a_campaign_leads_to_one_process_and_campaigns_are_shared_out(front, base):
    asked = {
        campaign: {front.get(base + address.format(campaign)).text for address in ADDRESSES}
        for campaign in CAMPAIGNS
    }
    assert [where for where in asked.values() if len(where) != 1] == []
    assert len(set[str]().union(*asked.values())) == PROCESSES


def test_a_campaign_is_in_one_process_whether_the_proxy_is_asked_below_the_path_or_not(front):
    """Its own machine asks without it."""
    for campaign in CAMPAIGNS:
        assert len({front.get(f"{base}/c/{campaign}").text for base in ("", BASE)}) == 1


def test_what_is_about_no_campaign_goes_to_all_of_them(front):
    """The control: a proxy that sent everything to one would pass the others."""
    for address in ("/api/campaigns", f"{BASE}/c/new", f"{BASE}/api/accounts/me"):
        assert len({front.get(address).text for _ in range(16 * PROCESSES)}) == PROCESSES
