"""The recipes of docs/operate/deploy.md for proxies in front, Caddy and nginx of the distribution, over TLS."""

import os
import shutil
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509

from fieldlog.client import Service
from infra.embedded.child_process import free_port
from services.reading.live_feed import Pace
from tests.root import ROOT
from tests.services.certificates import a_pair
from tests.services.conftest import NO_RATES, PASSWORD, table_at
from tests.services.live_api import Api, api, eventually
from tests.services.recipes import SITE, changed, nginx_command
from tests.web.browser import Browser

pytestmark = pytest.mark.slow

SERVICE = "127.0.0.1:8420"
BELIEVED = {"proxies": ("127.0.0.1/32",)}
BASE = "/games/fieldlog"
Words = dict[str, str]
"""What is written in a recipe in place of what it says."""
BELOW_A_PATH: dict[str, Words] = {
    "caddy": {f"reverse_proxy {SERVICE} {{": f"reverse_proxy {BASE}* {SERVICE} {{"},
    "nginx": {"location / {": f"location {BASE}/ {{"},
}
TAKEN_OFF: dict[str, Words] = {
    "caddy": {f"reverse_proxy {SERVICE} {{": f"uri strip_prefix {BASE}\n\treverse_proxy {SERVICE} {{"},
    "nginx": {
        "location / {": f"location {BASE}/ {{",
        f"proxy_pass http://{SERVICE};": f"proxy_pass http://{SERVICE}/;",
    },
}
PROMPTLY_SECONDS = 2.0
"""For one event through two programs; what is held back comes with the next comment after 15, or never."""
NOTE_CHARACTERS = 4_000
NGINX_BYTES_MAX = 2**20
"""What nginx lets through unless it is told otherwise."""


def caddy(
    folder: Path, port: int, plain: int, service: str, certificate: Path, key: Path, words: Words
) -> list[str]:
    """The command of a Caddy as its recipe has it, but with a certificate of our own and other ports."""
    recipe = changed((ROOT / "infra/front/Caddyfile").read_text("utf-8"), **words)
    site = f"https://localhost:{port} {{\n\ttls {certificate} {key}"
    ours = changed(recipe, **{f"{SITE} {{": site, SERVICE: service})
    options = f"{{\n\tadmin off\n\tskip_install_trust\n\thttp_port {plain}\n\thttps_port {port}\n}}\n"
    file = folder / "Caddyfile"
    file.write_text(options + ours, "utf-8")
    return ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]


def nginx(
    folder: Path, port: int, plain: int, service: str, certificate: Path, key: Path, words: Words
) -> list[str]:
    """The command of an nginx that includes its recipe."""
    recipe = changed((ROOT / "infra/front/nginx.conf").read_text("utf-8"), **words)
    return nginx_command(folder, changed(recipe, **{SERVICE: service}), port, plain, certificate, key)


class Front:
    """A proxy under way, and whoever comes to it from some address of this machine."""

    def __init__(self, running: Api, port: int, plain: int, certificate: Path, base: str) -> None:
        self.service, self.plain, self.base = running, plain, base
        self.address = f"https://localhost:{port}"
        self.trusting = ssl.create_default_context(cafile=certificate)

    def client(self, address: str = "127.0.0.2") -> httpx.Client:
        line = httpx.HTTPTransport(verify=self.trusting, local_address=address)
        return httpx.Client(base_url=self.address, transport=line, timeout=20)


PROXIES: dict[str, Callable[..., list[str]]] = {"caddy": caddy, "nginx": nginx}


@pytest.fixture(params=PROXIES)
def fronted(request, database, tmp_path) -> Callable[..., Any]:
    """Opens the service, with these settings, behind the proxy of this test."""
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed here")

    @contextmanager
    def opened(recipes: dict[str, Words] | None = None, **settings: Any) -> Iterator[Front]:
        names = x509.SubjectAlternativeName([x509.DNSName("localhost")])
        certificate, key = a_pair(tmp_path, names=names)
        said = tmp_path / "said.txt"
        with api(database.service, **settings) as running, said.open("wb") as output:
            # Taken when the service has made its own connections, one of which could have had them otherwise.
            port, plain = free_port(), free_port()
            service = running.base.removeprefix("http://")
            words = (recipes or {}).get(request.param, {})
            command = PROXIES[request.param](tmp_path, port, plain, service, certificate, key, words)
            environ = os.environ | {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
            with subprocess.Popen(command, stdout=output, stderr=output, env=environ) as proxy:  # noqa: S603
                try:
                    front = Front(running, port, plain, certificate, settings.get("base_path", ""))
                    assert eventually(lambda: proxy.poll() is not None or answers(front)), said.read_text("utf-8")
                    assert proxy.poll() is None, said.read_text("utf-8")
                    yield front
                finally:
                    proxy.terminate()

    return opened


def answers(front: Front) -> bool:
    with front.client() as client:
        try:
            return client.get(f"{front.base}/health/ready").status_code == 200
        except httpx.TransportError:
            return False


def test_people_sign_up_act_and_follow_over_https_behind_a_proxy(fronted):
    with fronted(**BELIEVED) as front, front.client() as client:
        browser = Browser(client)
        signed_up = browser.post("/sign-up", name="Ana", password=PASSWORD)
        assert signed_up.status_code < 400, signed_up.text
        assert [*browser.cookies] == ["__Host-fieldlog_session"]  # whose prefix says: Secure
        page = browser.send("GET", "/")
        assert "max-age=31536000" in page.headers["Strict-Transport-Security"]
        founded = browser.api("POST", "/campaigns", {"name": "Iron Rain", "systems": ["frame_state"]})
        assert founded.status_code == 201, founded.text
        path = f"/campaigns/{founded.json()['campaign_id']}"

        with client.stream("GET", f"/api{path}/live", headers=browser.headers) as feed:
            assert feed.headers["content-type"].startswith("text/event-stream")
            lines = feed.iter_lines()
            assert next(line for line in lines if line.startswith("event:")) == "event: hello"
            for number in range(3):
                acted = browser.api("POST", f"{path}/actions", note(f"so it was {number}"))
                began = time.monotonic()
                assert acted.status_code == 201, acted.text
                assert next(line for line in lines if line == f"id: {acted.json()['seq']}")
                assert time.monotonic() - began < PROMPTLY_SECONDS
            assert eventually(lambda: front.service.feeds_open() == 1)
        assert eventually(lambda: front.service.feeds_open() == 0)


@pytest.mark.parametrize("recipes", [BELOW_A_PATH, TAKEN_OFF], ids=["below a path", "taken off by the proxy"])
def test_people_sign_up_act_and_follow_below_a_path_of_the_host(fronted, recipes):
    with fronted(recipes, **BELIEVED, base_path=BASE) as front, front.client() as client:
        browser = Browser(client)
        assert browser.post(f"{BASE}/sign-up", name="Ana", password=PASSWORD).status_code == 200
        assert browser.at == f"{BASE}/"
        assert [*browser.cookies] == ["__Host-fieldlog_session.games.fieldlog"]
        links = [each.attributes["href"] for each in browser.page(f"{BASE}/").all("link")]
        assert {client.get(each).status_code for each in links} == {200}
        with httpx.Client(base_url=f"{front.address}{BASE}", verify=front.trusting) as http:
            table = Service(http).sign_in("Ana", PASSWORD).found("Iron Rain", ["frame_state"])
        feed_path = f"{BASE}/api{table.path}/live"
        with client.stream("GET", feed_path, headers=browser.headers) as feed:
            lines = feed.iter_lines()
            assert next(line for line in lines if line.startswith("event:")) == "event: hello"
            acted = browser.send("POST", f"{BASE}/api{table.path}/actions", json=note("so it was"))
            assert acted.status_code == 201, acted.text
            assert next(line for line in lines if line == f"id: {acted.json()['seq']}")
        away = browser.send("POST", f"{BASE}/sign-out")
        assert away.headers["location"].startswith(f"{BASE}/sign-in")


def test_a_quiet_feed_says_through_a_proxy_that_it_is_there_and_its_reader_counts_as_here(fronted):
    with fronted(**BELIEVED, pace=Pace(heartbeat_seconds=0.5)) as front, front.client() as client:
        table = table_at(client)
        with client.stream("GET", f"/api{table.path}/live", headers=table.player.headers) as feed:
            lines = feed.iter_lines()
            assert any(line.startswith(": keep-alive") for line in lines)  # the first comes after 15 seconds
            here = table.gm.get(f"{table.path}/presence").json()["present"]
            assert [each["name"] for each in here] == [table.player.name]


def test_rates_count_the_address_of_each_client_and_not_what_clients_say(fronted):
    with fronted(**BELIEVED, rates=NO_RATES | {"sign_ups_per_hour": 2}) as front:

        def sign_ups(address: str) -> list[int]:
            with front.client(address) as client:
                return [
                    client.post(
                        "/api/accounts",
                        json={"name": f"New {address[-1]}{number}", "password": PASSWORD},
                        headers={"X-Forwarded-For": f"198.51.100.{number}", "X-Forwarded-Proto": "http"},
                    ).status_code
                    for number in range(6)  # an hour may end in between, once
                ]

        assert 429 in sign_ups("127.0.0.2")
        assert sign_ups("127.0.0.3")[:2] == [201, 201]


def test_without_the_setting_all_who_come_through_a_proxy_are_one_address_and_cookies_are_not_secure(fronted):
    """Negative control: what the recipe asks for is needed."""
    with fronted(rates=NO_RATES | {"sign_ups_per_hour": 2}) as front:
        statuses = []
        for last in range(2, 8):
            with front.client(f"127.0.0.{last}") as client:
                body = {"name": f"New {last}", "password": PASSWORD}
                statuses.append(client.post("/api/accounts", json=body).status_code)
        assert 429 in statuses
        with front.client() as client:
            body = {"name": "New 2", "password": PASSWORD}
            signed_in = client.post("/api/session", json=body)
            assert signed_in.status_code < 300, signed_in.text
            assert "Secure" not in signed_in.headers["set-cookie"]


def test_a_large_file_is_imported_through_a_proxy(fronted):
    with fronted(**BELIEVED) as front, front.client() as client:
        table = table_at(client)
        text = "ß" * (NOTE_CHARACTERS // 2)
        while len(file := table.gm.get(f"{table.path}/export").content) <= NGINX_BYTES_MAX:
            for _ in range(60):
                assert table.gm.post(f"{table.path}/actions", note(text)).status_code == 201
        imported = table.gm.send(
            "POST",
            "/campaigns/import",
            content=file,
            headers={"Content-Type": "application/x-ndjson", "Idempotency-Key": "once"},
        )
        assert imported.status_code == 201, imported.text


def test_who_comes_without_tls_is_led_to_it(fronted):
    with fronted(**BELIEVED) as front:
        led = httpx.get(f"http://localhost:{front.plain}/sign-in?to=/account", follow_redirects=False)
        assert led.status_code in (301, 308)
        assert led.headers["location"].startswith("https://localhost")
        assert led.headers["location"].endswith("/sign-in?to=/account")


def note(text: str) -> dict[str, Any]:
    return {"command": {"type": "campaign.add_note", "text": text}}
