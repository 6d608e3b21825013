"""What somebody who is not signed in can do to the service: little, and none of it stays."""

import base64
import json
import re
import socket
import threading
from contextlib import ExitStack, suppress
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import pytest
from structlog.testing import capture_logs

from domain.ids import AccountId
from infra.embedded.child_process import free_port
from infra.in_process.rate_counter import InProcessRateCounter
from infra.redis.rate_counter import RedisRateCounter
from services.accounts.authentication import SAID_NAME_CHARACTERS_MAX
from services.accounts.rate_limits import RateLimiter, RateLimits
from services.errors import RateLimitExceeded
from services.http.middleware import connection_limits
from services.http.middleware.connection_limits import HEAD_BYTES_MAX
from tests.engines import DICE_KEY
from tests.services.conftest import NO_RATES, PASSWORD, Person, table_at
from tests.services.live_api import SECONDS_MAX, Follower, api
from tests.services.processes import Program, eventually, running

GROWTH_KIB_MAX = 40 * 1024
WIDE = "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}"
"""One character that becomes 18 when names are compared."""


def limits(**some: int) -> RateLimits:
    return RateLimits(**dict.fromkeys(RateLimits.__struct_fields__, 0) | some)


# --- names and passwords ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["name", "password"])
def test_a_name_or_password_that_nobody_can_have_is_refused_unread(client, field):
    said = {"name": "Ana", "password": PASSWORD} | {field: WIDE * (SAID_NAME_CHARACTERS_MAX + 1)}
    refusal = client.post("/api/tokens", json=said)
    assert (refusal.status_code, refusal.json()["code"]) == (400, "malformed")
    assert field in refusal.json()["detail"]


def test_a_password_to_confirm_with_is_bounded_too(client):
    ana, long = Person(client, "Ana"), "x" * 201
    changed = ana.send("PUT", "/accounts/me/password", json={"password": long, "new_password": PASSWORD})
    left = ana.send("DELETE", "/accounts/me", json={"password": long})
    assert [(each.status_code, each.json()["code"]) for each in (changed, left)] == [(400, "malformed")] * 2


def test_the_longest_name_is_signed_in_under_in_any_of_its_forms(client):
    Person(client, "\N{LATIN SMALL LETTER O WITH CIRCUMFLEX AND ACUTE}" * 40)
    apart = "O\N{COMBINING CIRCUMFLEX ACCENT}\N{COMBINING ACUTE ACCENT}" * 40
    assert client.post("/api/tokens", json={"name": f" {apart} ", "password": PASSWORD}).status_code == 201


# --- rates ----------------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_what_is_counted_is_kept_in_one_size_and_not_by_name():
    shared = InProcessRateCounter()
    rates = RateLimiter(
        shared, InProcessRateCounter(), limits(sign_ups_per_hour=9, sign_ins_per_minute=9, invites_per_hour=9)
    )
    for said in ("a", WIDE * 4_000, "\ud800"):
        await rates.sign_up(said)
        await rates.sign_in(said, said)
    assert len(shared._counts) == 9
    assert max(len(key) for key in shared._counts) < 64
    assert not any(WIDE in key for key in shared._counts)


@pytest.mark.anyio
async def test_an_address_that_did_too_much_leaves_nothing_behind():
    shared = InProcessRateCounter(lambda: 600.0)
    rates = RateLimiter(shared, InProcessRateCounter(), limits(sign_ins_per_minute=1))
    for number in range(10):
        await rates.sign_in(f"name {number}", "192.0.2.1")
    kept = len(shared._counts)
    for number in range(10, 30):
        with pytest.raises(RateLimitExceeded):
            await rates.sign_in(f"name {number}", "192.0.2.1")
    assert len(shared._counts) == kept
    await rates.sign_in("name 29", "192.0.2.2")


@pytest.mark.anyio
async def test_strangers_who_try_a_name_lock_out_strangers_only():
    shared = InProcessRateCounter(lambda: 600.0)
    rates = RateLimiter(shared, InProcessRateCounter(), limits(sign_ins_per_minute=3))
    home, account = "192.0.2.1", AccountId(uuid4())
    await rates.signed_in("ana", home)
    for _ in range(3):
        await rates.sign_in("ana", "198.51.100.1")
    for stranger in ("198.51.100.1", "198.51.100.2"):
        with pytest.raises(RateLimitExceeded):
            await rates.sign_in("ana", stranger)
    for _ in range(3):
        await rates.sign_in("ana", home)
        await rates.confirm(account, home)
    with pytest.raises(RateLimitExceeded):
        await rates.sign_in("ana", home)
    with pytest.raises(RateLimitExceeded):
        await rates.confirm(account, home)


@pytest.mark.anyio
async def test_which_address_signed_in_is_known_to_every_process_and_for_a_while_only(redis_url):
    now = SimpleNamespace(seconds=600.0)
    here = InProcessRateCounter(lambda: now.seconds)
    await here.remember("a", 60)
    assert (await here.remembers("a"), await here.remembers("b")) == (True, False)
    now.seconds = 660.0
    assert not await here.remembers("a")
    async with RedisRateCounter(redis_url) as one, RedisRateCounter(redis_url) as other:
        await one.remember("a", 60)
        assert (await other.remembers("a"), await other.remembers("b")) == (True, False)


def test_a_victim_of_wrong_sign_ins_goes_on_at_home(database):
    rates = NO_RATES | {"sign_ins_per_minute": 3}
    with api(database.service, rates=rates, proxies=("127.0.0.1/32",)) as running:
        ana = Person(running.client, "Ana")
        right, wrong = ({"name": "Ana", "password": each} for each in (PASSWORD, "wrong password"))
        away = {"X-Forwarded-For": "198.51.100.1"}
        tries = [running.client.post("/api/tokens", json=wrong, headers=away).status_code for _ in range(10)]
        assert 429 in tries
        assert running.client.post("/api/tokens", json=right).status_code == 201
        assert ana.get("/accounts/me").status_code == 200
        new = {"password": PASSWORD, "new_password": "another password"}
        assert ana.send("PUT", "/accounts/me/password", json=new).status_code == 204


@pytest.mark.parametrize("proxies", [(), ("127.0.0.1/32",), ("192.0.2.0/24",)])
def test_only_a_proxy_that_is_named_says_where_a_request_comes_from(database, monkeypatch, proxies):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    rates = NO_RATES | {"sign_ups_per_hour": 2}
    with api(database.service, rates=rates, proxies=proxies) as running:
        statuses = [
            running.client.post(
                "/api/accounts",
                json={"name": f"New {number}", "password": PASSWORD},
                headers={"X-Forwarded-For": f"198.51.100.{number}"},
            ).status_code
            for number in range(6)  # an hour may end in between, once
        ]
        assert (429 not in statuses) == ("127.0.0.1/32" in proxies)


# --- connections ----------------------------------------------------------------------------------------


class Line:
    """A connection, and what the other side does to it."""

    def __init__(self, base: str, source: str = "127.0.0.1", room: int | None = None) -> None:
        place = urlsplit(base)
        self._socket = socket.socket()
        self._socket.settimeout(SECONDS_MAX)
        self._socket.bind((source, 0))
        if room is not None:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        self._socket.connect((str(place.hostname), place.port or 80))

    def say(self, said: bytes) -> "Line":
        self._socket.sendall(said)
        return self

    def answer(self, pause: float = 0.0) -> bytes:
        """Everything until the other side closes; `pause`: seconds between pieces of it."""
        heard = b""
        with suppress(ConnectionError):
            while piece := self._socket.recv(65_536):
                heard += piece
                threading.Event().wait(pause)  # time itself is what this is about
        self._socket.close()
        return heard

    def heard(self, count: int) -> bytes:
        """The next bytes."""
        return self._socket.recv(count)

    def close(self) -> None:
        self._socket.close()


HEAD = b"POST /api/tokens HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CUT = {
    "nothing": b"",
    "blank lines": b"\r\n\r\n",
    "half a line": b"POST /api/tok",
    "half a head": HEAD,
    "half a body": HEAD + b'Content-Length: 100\r\n\r\n{"name":',
    "half a chunked body": HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
}


def test_what_is_left_half_sent_is_closed_and_what_is_answered_is_not(database):
    with api(database.service, request_seconds=1) as running:
        table = table_at(running.client)
        follower = Follower(running, table.gm, table.path)
        heard = {what: Line(running.base).say(said) for what, said in CUT.items()}
        ends = {what: line.answer() for what, line in heard.items()}
        assert {what for what, end in ends.items() if end.startswith(b"HTTP/1.1 408 ")} == {
            "half a line",
            "half a head",
        }
        assert ends["nothing"] == ends["half a body"] == ends["half a chunked body"] == b""
        table.act(table.gm, "campaign.add_note", text="still there")
        follower.reaches(table.seq())
        follower.hang_up()


def test_a_body_that_goes_on_coming_may_take_longer(database):
    with api(database.service, request_seconds=1) as running:
        line = Line(running.base).say(HEAD + b"Connection: close\r\nContent-Length: 12000\r\n\r\n")
        for _ in range(6):
            line.say(b" " * 2_000)
            threading.Event().wait(0.3)  # time itself is what this is about
        assert line.answer().startswith(b"HTTP/1.1 400 "), "read to its end, and only then found to be no JSON"


@pytest.mark.parametrize(
    "begun", [b"GET /", b"GET / HTTP/1.1\r\nA: ", b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 9_000]
)
def test_a_head_without_an_end_is_refused(database, begun):
    with api(database.service) as running:
        line = Line(running.base).say(begun + b"x" * (HEAD_BYTES_MAX + 1 - len(begun)))
        told = line.answer()
        assert told.startswith(b"HTTP/1.1 431 ")
        assert b'"headers_too_large"' in told
        assert running.client.get("/health/live", headers={"X-Long": "x" * 60_000}).status_code == 200


AS_BROWSER = b"GET /about HTTP/1.1\r\nAccept: text/html,*/*;q=0.8\r\nAccept-Language: fr\r\nDNT: 1\r\n"


def test_a_browser_whose_request_is_refused_before_it_is_read_gets_a_page(database):
    with api(database.service, request_seconds=1) as running:
        long = b"Cookie: " + b"x" * HEAD_BYTES_MAX
        for said, status in ((AS_BROWSER + long, 431), (AS_BROWSER, 408), (AS_BROWSER + b"\0: \r\n", 400)):
            head, _, page = Line(running.base).say(said).answer().partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 %d " % status)
            assert b"content-type: text/html" in head
            assert b"content-language: fr" in head
            assert b"default-src 'none'; script-src 'self'" in head
            assert b"pas march\xc3\xa9" in page
        as_program = AS_BROWSER.replace(b"/about", b"/api/campaigns")
        assert b'"headers_too_large"' in Line(running.base).say(as_program + long).answer()


def test_headers_after_a_body_without_an_end_are_refused(database):
    with api(database.service) as running:
        line = Line(running.base).say(HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n")
        with suppress(ConnectionError):
            for _ in range(100):
                line.say(b"A: b\r\n" * 2_000)
        line.close()
        assert eventually(lambda: not running.connections())


def test_beyond_so_many_connections_one_is_told_and_closed(database):
    with api(database.service, connections_max=3) as running:
        lines = [Line(running.base) for _ in range(3)]
        assert eventually(lambda: running.connections() == 3)
        told = Line(running.base).answer()
        assert told.startswith(b"HTTP/1.1 503 ")
        assert b'"too_many_clients"' in told
        for line in lines:
            line.close()
        assert eventually(lambda: running.connections() == 0)
        assert running.client.get("/health/live").status_code == 200


def test_a_connection_is_kept_longer_than_clients_keep_theirs_unless_many_are_open(database, monkeypatch):
    assert (httpx.Limits().keepalive_expiry or 0) < connection_limits.KEPT_SECONDS
    monkeypatch.setattr(connection_limits, "KEPT_SECONDS_IN_A_CROWD", 0.02)
    ask = b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"
    with api(database.service, connections_max=3) as running:
        alone = Line(running.base).say(ask)
        assert alone.heard(65_536).startswith(b"HTTP/1.1 200 ")
        assert Line(running.base).say(ask).answer().startswith(b"HTTP/1.1 200 ")  # closed, being one of two
        assert alone.say(ask).heard(65_536).startswith(b"HTTP/1.1 200 ")
        alone.close()


@pytest.mark.parametrize("begun", [b"", HEAD])
def test_who_opens_connections_without_end_is_one_address_and_others_are_served(database, begun):
    with api(database.service, connections_per_address=20) as running:
        lines = [Line(running.base, "127.0.0.2").say(begun) for _ in range(20)]
        assert eventually(lambda: running.connections() == 20)
        told = Line(running.base, "127.0.0.2").answer()
        assert told.startswith(b"HTTP/1.1 429 ")
        assert b'"too_many_from_address"' in told
        assert re.search(rb"\r\nretry-after: [123]\r\n", told)
        assert running.client.get("/health/live").status_code == 200
        for line in lines:
            line.close()
        running.client.close()
        assert eventually(lambda: not running.connections())
        as_others = b"GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        assert Line(running.base, "127.0.0.2").say(as_others).answer().startswith(b"HTTP/1.1 200 ")


def test_behind_a_proxy_the_requests_of_each_address_are_counted(database):
    """Its own connections are not: they carry everybody's."""
    with api(database.service, proxies=("127.0.0.1/32",), connections_per_address=2) as running:
        table = table_at(running.client)
        path = f"/api{table.path}/live"

        def status(address: str, **headers: str) -> int:
            said = table.gm.headers | {"X-Forwarded-For": address} | headers
            with running.client.stream("GET", path, headers=said) as answer:
                return answer.status_code

        with ExitStack() as feeds:
            for address in ("198.51.100.1", "198.51.100.1", "2001:db8::1", "2001:db8::2"):
                said = table.gm.headers | {"X-Forwarded-For": address}
                assert feeds.enter_context(running.client.stream("GET", path, headers=said)).status_code == 200
            told = running.client.get("/api/accounts/me", headers={"X-Forwarded-For": "2001:db8::3"})
            assert (told.status_code, told.json()["code"]) == (429, "too_many_from_address")
            as_browser = {"X-Forwarded-For": "198.51.100.1", "Accept": "text/html", "Accept-Language": "fr"}
            page = running.client.get("/about", headers=as_browser)
            assert (page.status_code, page.headers["content-language"]) == (429, "fr")
            assert "Trop de connexions" in page.text
            assert [status(address) for address in ("198.51.100.2", "2001:db8:0:1::1")] == [200, 200]
        assert eventually(lambda: status("198.51.100.1") == 200)


BUNDLE = b"GET /api/docs/assets/swagger_bundle.js HTTP/1.1\r\nHost: x\r\n\r\n"


def test_who_reads_nothing_is_cut_and_who_reads_slowly_gets_all(database):
    with api(database.service, request_seconds=1) as running:
        whole = running.client.get("/api/docs/assets/swagger_bundle.js").content
        running.client.close()
        assert eventually(lambda: not running.connections())
        silent = Line(running.base, room=4_096).say(BUNDLE)
        assert eventually(lambda: running.connections() == 1)
        assert eventually(lambda: not running.connections())
        assert len(silent.answer()) < len(whole)
        slow = Line(running.base, room=65_536).say(BUNDLE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        assert slow.answer(pause=0.05).endswith(whole), "in more seconds than a client may read nothing"


@pytest.mark.parametrize(
    "path",
    ["/api/tokens", "/api/campaigns/import", "/api/campaigns/2f1c7d52-6a5e-4a39-9d51-0c8f4be0a1aa/actions"],
)
def test_whoever_hangs_up_in_the_middle_breaks_nothing(database, path):
    with api(database.service) as running, capture_logs() as logs:
        ana = Person(running.client, "Ana")
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: {ana.headers['Authorization']}\r\n"
        line = Line(running.base).say(head.encode() + b'Content-Length: 100\r\n\r\n{"name":')
        assert eventually(running.requests)
        line.close()
        assert eventually(lambda: not running.requests())
        assert [each for each in logs if each["log_level"] == "error"] == []
        assert running.client.post(path, headers=ana.headers, content=b"{}").status_code in (400, 404, 422)


# --- headers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/health/live", "/api/nothing", "/api/docs", "/api/docs/assets/swagger_style.css", "/api/campaigns"]
)
def test_every_answer_says_what_a_browser_may_do_with_it(client, path):
    for answer in (client.get(path), client.head(path)):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-frame-options"] == "DENY"
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; ")
        assert policy.endswith("frame-ancestors 'none'")


@pytest.mark.parametrize("path", ["/api/docs", "/health/live", "/api/nothing"])
def test_head_has_the_same_policy_as_get(client, path):
    got, headed = client.get(path), client.head(path)
    assert headed.headers["content-security-policy"] == got.headers["content-security-policy"]
    assert headed.content == b""


@pytest.mark.parametrize(
    ("said", "status"), [(b"nonsense\r\n\r\n", 400), (HEAD + b"A: " + b"x" * HEAD_BYTES_MAX, 431)]
)
def test_what_is_refused_before_the_application_says_so_too(database, said, status):
    with api(database.service) as running:
        head, _, body = Line(running.base).say(said).answer().partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        assert first.startswith(f"HTTP/1.1 {status} ")
        told = dict(line.split(": ", 1) for line in lines)
        usual = httpx.get(f"{running.base}/api/nothing").headers
        for name in (
            "content-security-policy",
            "x-content-type-options",
            "referrer-policy",
            "x-frame-options",
            "content-type",
        ):
            assert told[name] == usual[name]
        assert json.loads(body)["status"] == status


def test_an_action_says_so_too(table):
    answer = table.try_to(table.gm, "campaign.add_note", text="x")
    assert answer.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_page_of_the_documentation_runs_its_own_scripts_only(client):
    page = client.get("/api/docs")
    policy = dict(each.split(" ", 1) for each in page.headers["content-security-policy"].split("; "))
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", page.text, re.DOTALL)
    inline = [base64.b64encode(sha256(each.encode()).digest()).decode() for each in scripts if each]
    assert len(inline) == 1
    assert policy["script-src"] == f"'self' 'sha256-{inline[0]}'"
    sources = re.findall(r"(?:src|href)=[\"']([^\"']+)", page.text)
    assets = [each for each in sources if each.endswith((".js", ".css"))]
    kinds = []
    for asset in assets:
        answer = client.get(asset)
        assert (asset[:17], answer.status_code, len(answer.content) > 100_000) == ("/api/docs/assets/", 200, True)
        kinds.append(answer.headers["content-type"].partition(";")[0])
    assert sorted(kinds) == ["text/css", "text/javascript", "text/javascript"]


# --- memory ----------------------------------------------------------------------------------------


class Served:
    """`fieldlog serve` as a process of its own, so that its memory is its own."""

    def __init__(self, program: Program, port: int) -> None:
        self.program = program
        self.port = port
        self.base = f"http://127.0.0.1:{port}"

    def resident_kib(self) -> int:
        status = Path(f"/proc/{self.program.process.pid}/status").read_text("ascii")
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))

    def is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.base}/health/ready").status_code == 200
        except httpx.HTTPError:
            return False


@pytest.fixture
def served(database: Any, redis_url: str, tmp_path: Path) -> Any:
    port = free_port()
    settings = {
        "database_url": database.service,
        "redis_url": redis_url,
        "dice_key": DICE_KEY,
        "home": str(tmp_path),
        "port": str(port),
    }
    with running(tmp_path, "serve", **settings) as program:
        found = Served(program, port)
        assert eventually(found.is_ready), program.said()
        yield found


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_strangers_who_read_nothing_grow_the_service_by_little(served):
    httpx.get(f"{served.base}/api/docs/assets/swagger_bundle.js")
    before = served.resident_kib()
    lines = [Line(served.base).say(BUNDLE) for _ in range(400)]
    begun = [line.heard(1) for line in lines]
    assert set(begun) == {b"H"}
    assert served.is_ready()
    assert served.resident_kib() - before <= GROWTH_KIB_MAX
    for line in lines:
        line.close()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_strangers_who_say_much_grow_the_service_by_little(served):
    with httpx.Client(base_url=served.base) as client:
        client.post("/api/tokens", json={"name": "Ana", "password": PASSWORD})
        before = served.resident_kib()
        for number in range(120):
            client.post("/api/tokens", json={"name": WIDE * 80_000 + str(number), "password": PASSWORD})
        line = Line(served.base).say(b"GET / HTTP/1.1\r\n")
        with suppress(ConnectionError):
            for _ in range(200):
                line.say(b"A: b\r\n" * 100_000)
        line.close()
        assert served.resident_kib() - before <= GROWTH_KIB_MAX
        assert eventually(served.is_ready)
