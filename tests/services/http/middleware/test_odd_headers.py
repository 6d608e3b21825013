"""No header and no query makes the service fail: a `Host` that is none is refused, whatever is asked for."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from litestar import Litestar, Request, get
from litestar.testing import TestClient

from services.http.middleware.authentication import counted_address
from services.http.screen.app import create_app
from services.settings import Settings
from tests.engines import DICE_KEY

PATHS = ["/", "/sign-in", "/nothing", "/api/health/live", "/api/campaigns", "/api/nothing", "/static/nothing.js"]
NO_HOSTS = [
    b"table.lan:x",
    b"table.lan:99999",
    b"table.lan:-1",
    b"table.lan:80:80",
    b"[::1",
    b"[table]",
    b"[::1]x",
    b"a b",
    b"table/lan",
    b"user@table.lan",
    b"\xe2\x84\x80.lan",
]
HOSTS = [b"", b"table.lan", b"table.lan:", b"table.lan:8420", b"127.0.0.1:80", b"[::1]:8420", b"a_b.lan"]
ODD = st.one_of(
    st.sampled_from([*NO_HOSTS, *HOSTS]),
    st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=40).map(str.encode),
    st.binary(max_size=40).map(lambda said: said.translate(None, b"\0\r\n")),
)
NAMES = [
    b"host",
    b"origin",
    b"referer",
    b"accept",
    b"accept-language",
    b"authorization",
    b"cookie",
    b"content-type",
    b"if-none-match",
    b"if-modified-since",
    b"range",
    b"last-event-id",
    b"idempotency-key",
    b"x-request-id",
    b"accept-encoding",
]


@pytest.fixture(scope="module")
def site(postgres_server, tmp_path_factory):
    urls = postgres_server.new_database()
    home = tmp_path_factory.mktemp("home")
    made = create_app(Settings(database_url=urls.service, home=home, dice_key=DICE_KEY, password_kib=64))
    with TestClient(made, raise_server_exceptions=False) as client:
        yield client
    postgres_server.drop_database(urls)


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
@pytest.mark.parametrize("path", PATHS)
def test_a_host_that_is_none_is_refused_on_every_path(site, path, accept):
    for host in NO_HOSTS:
        answer = site.get(path, headers=[(b"host", host), (b"accept", accept.encode())])
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed"), host
        assert answer.headers["x-content-type-options"] == "nosniff"
    answer = site.get(path, headers=[(b"host", b"a.lan"), (b"host", b"b.lan")])
    assert answer.status_code == 400


@pytest.mark.parametrize("path", PATHS)
def test_a_host_is_taken_in_every_form_that_an_address_has_it_in(site, path):
    """Negative control."""
    told = site.get(path, follow_redirects=False).status_code
    for host in HOSTS:
        assert site.get(path, headers=[(b"host", host)], follow_redirects=False).status_code == told, host


def test_an_application_without_that_look_fails_at_such_a_host():
    """Negative control: addresses are made of it."""

    @get("/")
    async def own_address(request: Request[Any, Any, Any]) -> str:
        return str(request.url)

    with TestClient(Litestar([own_address]), raise_server_exceptions=False) as client:
        assert client.get("/", headers=[(b"host", b"table.lan:x")]).status_code == 500


@settings(max_examples=300)
@given(
    path=st.sampled_from(PATHS),
    method=st.sampled_from(["GET", "HEAD", "POST", "PUT", "OPTIONS"]),
    headers=st.lists(st.tuples(st.sampled_from(NAMES), ODD), max_size=4),
    asks_for_a_page=st.booleans(),
)
def test_no_header_makes_the_service_fail(site, path, method, headers, asks_for_a_page):
    accept = [(b"accept", b"text/html")] if asks_for_a_page else []
    answer = site.request(method, path, headers=[*accept, *headers], follow_redirects=False)
    assert answer.status_code < 500, (path, method, headers, answer.text)


@pytest.mark.parametrize(
    ("said", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("nowhere", "nowhere"),
    ],
)
def test_limits_count_a_household_s_ipv6_network_and_an_ipv4_address(said, counted):
    assert counted_address(said) == counted
