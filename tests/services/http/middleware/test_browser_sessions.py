"""Browsers sign in by a cookie: what it opens, from which pages, and how it ends."""

import re
from datetime import datetime
from hashlib import sha256
from http.cookies import SimpleCookie
from uuid import UUID

import psycopg
import pytest
from litestar.testing import TestClient

from domain.accounts import SESSION_IDLE, SESSION_SHARED
from services.settings import Settings
from tests.applications import an_application
from tests.engines import DICE_KEY
from tests.services.conftest import NO_RATES, PASSWORD, Person
from tests.services.live_api import Follower, api
from tests.services.paging import FIRST_ID, LAST_ID, pages
from tests.web.browser import Browser

CHROME_ON_WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/150.0 Safari/537.36"
ANA = {"name": "Ana", "password": PASSWORD}
NOTE = {"command": {"type": "campaign.add_note", "text": "by cookie"}}
COOKIE = re.compile(
    r"fieldlog_session=fs_[A-Za-z0-9_-]{43}; HttpOnly; Max-Age=31536000; Path=/; SameSite=lax", re.IGNORECASE
)


def refusal(response):
    assert response.headers["content-type"] == "application/problem+json", response.text
    return response.status_code, response.json()["code"]


@pytest.fixture
def client(database):
    """The API under two addresses besides the one that it is asked at."""
    settings = Settings(
        database_url=database.service,
        dice_key=DICE_KEY,
        password_kib=64,
        origins=("https://fieldlog.example", "http://table.lan:8420"),
        **NO_RATES,
    )
    with an_application(settings) as app, TestClient(app, raise_server_exceptions=False) as running:
        yield running


@pytest.fixture
def browser(table):
    return Browser(table.gm.client).sign_in(table.gm.name)


def test_signing_in_sets_a_cookie_that_no_script_reads_and_tells_the_account(table):
    browser = Browser(table.gm.client)
    signed_in = browser.api("POST", "/session", ANA)
    assert signed_in.json() == table.gm.get("/accounts/me").json()
    assert COOKIE.fullmatch(signed_in.headers["set-cookie"])
    assert browser.cookie.partition("=")[2] not in signed_in.text
    assert browser.api("GET", "/accounts/me").json()["account_id"] == table.gm.account_id


def test_over_https_the_cookie_is_the_hosts_own_and_secure(client, table):
    for base, origin in (("https://testserver.local", None), ("", "https://testserver.local")):
        headers = {} if origin is None else {"Origin": origin}
        signed_in = client.post(f"{base}/api/session", json=ANA, headers=headers)
        client.cookies.clear()
        cookie = SimpleCookie(signed_in.headers["set-cookie"])["__Host-fieldlog_session"]
        assert (cookie["secure"], cookie["httponly"], cookie["path"], cookie["domain"]) == (True, True, "/", "")
        sent = {"Cookie": f"__Host-fieldlog_session={cookie.value}"}
        assert client.get(f"{base}/api/accounts/me", headers=sent).status_code == 200
        plain = {"Cookie": f"fieldlog_session={cookie.value}"}
        assert client.get("https://testserver.local/api/accounts/me", headers=plain).status_code == 401


def test_a_browser_acts_by_either_route_and_reads_by_its_cookie(table, browser):
    for query in ("", "?"):
        acted = browser.api("POST", f"{table.path}/actions{query}", NOTE)
        assert acted.status_code == 201, acted.text
    assert browser.api("GET", f"{table.path}/actions").status_code == 200
    assert browser.api("HEAD", f"{table.path}/actions", headers={"Origin": None}).status_code == 200


OWN = [
    {"Origin": "http://testserver.local"},
    {"Origin": "https://testserver.local"},
    {"Origin": "HTTP://TestServer.local:80"},
    {"Origin": None, "Referer": "http://testserver.local/c/1/table?x=//evil.test"},
    {"Origin": "https://fieldlog.example"},
    {"Origin": "https://fieldlog.example:443"},
    {"Origin": "http://table.lan:8420"},
    {"Origin": "http://testserver.local:8420", "Host": "testserver.local:8420"},
    {"Origin": "http://[::1]:8420", "Host": "[::1]:8420"},
]
FOREIGN = [
    {"Origin": None},
    {"Origin": ""},
    {"Origin": "null"},
    {"Origin": "http://evil.test"},
    {"Origin": "http://testserver.local.evil.test"},
    {"Origin": "http://testserver.local@evil.test"},
    {"Origin": "http://evil.test\\@testserver.local"},
    {"Origin": "http://testserver.local:8420"},
    {"Origin": "http://fieldlog.example"},
    {"Origin": "http://table.lan"},
    {"Origin": "testserver.local"},
    {"Origin": "http://"},
    {"Origin": "http://[::1"},
    {"Origin": "ftp://testserver.local"},
    {"Origin": "http://evil.test", "Referer": "http://testserver.local/"},
    {"Origin": None, "Referer": "http://evil.test/testserver.local"},
    {"Origin": "http://evil.test", "X-Forwarded-Host": "evil.test", "Forwarded": "host=evil.test"},
    {"Host": ""},
]


def test_our_own_pages_change_things_by_cookie(table, browser):
    for said in OWN:
        for path in (f"{table.path}/actions", f"{table.path}/actions?"):
            acted = browser.api("POST", path, NOTE, headers=said)
            assert acted.status_code == 201, (said, acted.text)


def test_no_other_page_does(table, browser):
    before = table.seq()
    for said in FOREIGN:
        for path in (f"{table.path}/actions", f"{table.path}/actions?", f"{table.path}/invites", "/campaigns"):
            assert refusal(browser.api("POST", path, NOTE, headers=said)) == (403, "foreign_origin"), said
        for method, path in (
            ("DELETE", "/session"),
            ("DELETE", "/sessions"),
            ("PATCH", "/accounts/me"),
            ("PUT", "/accounts/me/password"),
        ):
            refused = browser.api(method, path, json={}, headers=said)
            assert refusal(refused) == (403, "foreign_origin"), (said, method, path)
    assert (table.seq(), len(browser.api("GET", "/sessions").json()["sessions"])) == (before, 1)


def test_a_page_over_plain_http_changes_nothing_over_https(table, browser):
    secret = browser.cookie.partition("=")[2]
    for origin, status in (("http://testserver.local", 403), ("https://testserver.local", 201)):
        acted = table.gm.client.post(
            f"https://testserver.local/api{table.path}/actions",
            json=NOTE,
            headers={"Origin": origin, "Cookie": f"__Host-fieldlog_session={secret}"},
        )
        assert acted.status_code == status


def test_reading_needs_no_origin(table, browser):
    for said in FOREIGN:
        assert browser.api("GET", f"{table.path}/actions", headers=said).status_code == 200


def test_a_bearer_token_needs_none_and_goes_before_a_cookie(table, browser):
    evil = {"Origin": "http://evil.test"}
    assert table.player.post(f"{table.path}/actions", NOTE, headers=evil).status_code == 201
    both = {**table.player.headers, **evil}
    for path in (f"{table.path}/actions", f"{table.path}/actions?"):
        assert browser.api("POST", path, NOTE, headers=both).status_code == 201
    assert browser.api("GET", "/accounts/me", headers=both).json()["name"] == "Mara"
    assert refusal(browser.api("GET", "/accounts/me", headers={"Authorization": "Bearer fl_worthless"}))[0] == 401
    basic = browser.api("GET", "/accounts/me", headers={"Authorization": "Basic YTpi"})  # a proxy's own password
    assert basic.json()["name"] == "Ana"


def test_neither_secret_is_taken_for_the_other(table, browser):
    secret = browser.cookie.partition("=")[2]
    as_bearer = table.gm.client.get("/api/accounts/me", headers={"Authorization": f"Bearer {secret}"})
    assert refusal(as_bearer) == (401, "not_signed_in")
    token = table.gm.headers["Authorization"].partition(" ")[2]
    as_cookie = browser.api("GET", "/accounts/me", headers={"Cookie": f"fieldlog_session={token}"})
    assert refusal(as_cookie) == (401, "not_signed_in")


def test_a_page_of_another_site_cannot_sign_a_browser_in(table):
    for origin in ("http://evil.test", "null", ""):
        refused = table.gm.client.post("/api/session", json=ANA, headers={"Origin": origin})
        assert refusal(refused) == (403, "foreign_origin")
        assert "set-cookie" not in refused.headers
    assert table.gm.get("/sessions").json()["sessions"] == []
    assert table.gm.client.post("/api/session", json=ANA).status_code == 201  # no browser: it says nothing
    table.gm.client.cookies.clear()


def test_a_wrong_password_signs_nobody_in(table, browser):
    refused = browser.api("POST", "/session", {**ANA, "password": "another horse battery"})
    assert refusal(refused) == (401, "wrong_name_or_password")
    assert "set-cookie" not in refused.headers
    assert browser.api("GET", "/accounts/me").status_code == 200


def test_signing_out_ends_the_session_and_clears_the_cookie_as_often_as_one_likes(table, browser):
    for _ in range(2):
        out = browser.api("DELETE", "/session")
        assert (out.status_code, out.content) == (204, b"")
        cleared = out.headers.get_list("set-cookie")
        assert {each.partition("=")[0] for each in cleared} == {"fieldlog_session", "__Host-fieldlog_session"}
        assert all("Max-Age=0" in each for each in cleared)
        assert refusal(browser.api("GET", "/accounts/me")) == (401, "not_signed_in")
    assert table.gm.get("/sessions").json()["sessions"] == []


def test_signing_out_a_session_that_just_ended_elsewhere_is_no_failure(database, table, browser):
    assert browser.api("GET", "/accounts/me").status_code == 200  # for a second, nobody asks the database again
    with psycopg.connect(database.owner) as owner:
        owner.execute("DELETE FROM tokens WHERE expires_at IS NOT NULL")
    assert browser.api("DELETE", "/session").status_code == 204


def test_signing_in_again_in_one_of_twenty_browsers_ends_no_other(table):
    browsers = [Browser(table.gm.client).sign_in("Ana") for _ in range(20)]
    assert browsers[5].api("POST", "/session", ANA).status_code == 201
    assert [each.api("GET", "/accounts/me").status_code for each in browsers] == [200] * 20


def test_signing_in_again_gives_another_secret_and_ends_the_session_before(table, browser):
    first = browser.cookie
    assert browser.api("POST", "/session", ANA).status_code == 201
    assert browser.cookie != first
    assert browser.api("GET", "/accounts/me", headers={"Cookie": first}).status_code == 401
    assert len(browser.api("GET", "/sessions").json()["sessions"]) == 1
    other = Browser(browser.client).sign_in("Ana")
    assert [len(each.api("GET", "/sessions").json()["sessions"]) for each in (browser, other)] == [2, 2]


def test_sessions_are_listed_and_ended_one_by_one_or_all_but_this(table, browser):
    desk = Browser(browser.client, agent=CHROME_ON_WINDOWS).sign_in("Ana")
    third = Browser(browser.client, agent="curl/8.9").sign_in("Ana")
    listed = {each["label"]: each for each in desk.api("GET", "/sessions").json()["sessions"]}
    assert {label: each["current"] for label, each in listed.items()} == {
        "browser, Firefox on Android": False,
        "browser, Chrome on Windows": True,
        "browser": False,
    }
    assert {each["current"] for each in table.gm.get("/sessions").json()["sessions"]} == {False}
    path = f"/sessions/{listed['browser']['session_id']}"
    assert refusal(table.player.send("DELETE", path)) == (404, "session_not_found")
    assert desk.api("DELETE", path).status_code == 204
    assert refusal(desk.api("DELETE", path)) == (404, "session_not_found")
    assert refusal(desk.api("DELETE", "/sessions/this")) == (404, "session_not_found")
    assert third.api("GET", "/accounts/me").status_code == 401
    assert desk.api("DELETE", "/sessions").status_code == 204
    assert browser.api("GET", "/accounts/me").status_code == 401
    assert [each["current"] for each in desk.api("GET", "/sessions").json()["sessions"]] == [True]
    assert table.gm.get("/accounts/me").status_code == 200


def test_tokens_and_sessions_are_lists_of_their_own(table, browser):
    token = table.gm.get("/tokens").json()["tokens"][0]["token_id"]
    session = browser.api("GET", "/sessions").json()["sessions"][0]["session_id"]
    assert session not in table.gm.get("/tokens").text
    assert refusal(browser.api("DELETE", f"/tokens/{session}")) == (404, "token_not_found")
    assert refusal(browser.api("DELETE", f"/sessions/{token}")) == (404, "session_not_found")


def test_the_twenty_first_session_ends_the_one_that_was_idle_longest(database, table):
    browsers = [Browser(table.gm.client).sign_in("Ana") for _ in range(20)]
    assert all(each.api("GET", "/accounts/me").status_code == 200 for each in browsers)
    (third,) = [
        each["session_id"] for each in browsers[3].api("GET", "/sessions").json()["sessions"] if each["current"]
    ]
    with psycopg.connect(database.owner) as owner:
        owner.execute("UPDATE tokens SET last_used_at = now() - interval '1 minute' WHERE token_id = %s", (third,))
    Browser(table.gm.client).sign_in("Ana")
    assert [nth for nth, each in enumerate(browsers) if each.api("GET", "/accounts/me").status_code == 401] == [3]


def test_another_password_ends_all_sessions_but_the_one_that_changed_it(table, browser):
    other = Browser(browser.client).sign_in("Ana")
    changed = {"password": PASSWORD, "new_password": "another horse battery"}
    assert browser.api("PUT", "/accounts/me/password", json=changed).status_code == 204
    assert other.api("GET", "/accounts/me").status_code == 401
    assert table.gm.get("/accounts/me").status_code == 401
    assert browser.api("GET", "/accounts/me").status_code == 200


def test_a_session_that_has_expired_opens_nothing(database, table, browser):
    with psycopg.connect(database.owner) as owner:
        owner.execute("UPDATE tokens SET expires_at = now() WHERE expires_at IS NOT NULL")
    other = Browser(browser.client).sign_in("Ana")  # which asks the database again
    assert refusal(browser.api("GET", "/accounts/me")) == (401, "not_signed_in")
    assert refusal(browser.api("POST", f"{table.path}/actions", NOTE)) == (401, "not_signed_in")
    assert len(other.api("GET", "/sessions").json()["sessions"]) == 1


def test_using_a_session_writes_nothing(database, table, browser):
    with psycopg.connect(database.owner, autocommit=True) as owner:
        versions = "SELECT token_id, xmin::text FROM tokens WHERE expires_at IS NOT NULL"
        before = owner.execute(versions).fetchall()
        for _ in range(5):
            table.gm.client.app.state.application.people.forget_tokens_of(UUID(table.gm.account_id))
            assert browser.api("GET", "/accounts/me").status_code == 200
        assert owner.execute(versions).fetchall() == before
        owner.execute("UPDATE tokens SET last_used_at = now() - interval '61 minutes'")
        table.gm.client.app.state.application.people.forget_tokens_of(UUID(table.gm.account_id))
        before = owner.execute(versions).fetchall()
        assert browser.api("GET", "/accounts/me").status_code == 200
        assert owner.execute(versions).fetchall() != before, "negative control: once an hour it is noted"


def test_only_a_hash_of_the_secret_is_stored(database, table, browser):
    secret = browser.cookie.partition("=")[2]
    with psycopg.connect(database.owner) as owner:
        rows = owner.execute("SELECT tokens::text, token_hash FROM tokens WHERE expires_at IS NOT NULL").fetchall()
    assert [(row[1], secret in row[0]) for row in rows] == [(sha256(secret.encode()).digest(), False)]


def test_a_french_browser_is_answered_in_french(table):
    french = {"Accept-Language": "fr"}
    agent = {"User-Agent": CHROME_ON_WINDOWS}
    assert table.gm.client.post("/api/session", json=ANA, headers=french | agent).status_code == 201
    table.gm.client.cookies.clear()
    (session,) = table.gm.get("/sessions").json()["sessions"]
    assert session["label"] == "navigateur, Chrome sur Windows"
    wrong = {**ANA, "password": "another horse"}
    for answer in (
        table.gm.client.post("/api/session", json=wrong, headers=french),
        table.gm.client.post("/api/session", json=ANA, headers={**french, "Origin": "null"}),
        table.gm.client.get("/api/accounts/me", headers={**french, "Cookie": f"fieldlog_session=fs_{'A' * 43}"}),
        table.gm.client.get("/api/accounts/me", headers=french),
        table.gm.send("DELETE", "/sessions/none", headers=french),
    ):
        assert re.search(r"\b(Ce|Cette|cookie|Envoyez|Vous)\b", answer.json()["detail"]), answer.text


def test_deleting_the_account_signs_all_its_browsers_out(table):
    table.player.post(f"{table.path}/leave")
    browsers = [Browser(table.gm.client).sign_in("Mara") for _ in range(2)]
    assert browsers[0].api("DELETE", "/accounts/me", json={"password": PASSWORD}).status_code == 202
    assert [each.api("GET", "/accounts/me").status_code for each in browsers] == [401, 401]


def test_sessions_are_paged_as_other_lists_are(table):
    for _ in range(5):
        Browser(table.gm.client).sign_in("Ana")
    whole = table.gm.get("/sessions").json()
    assert (len(whole["sessions"]), whole["next_after"], whole["next_before"]) == (5, None, None)
    for limit in (1, 2, 5, 500):
        assert pages(table.gm, "/sessions", "sessions", "after", FIRST_ID, limit=limit) == whole["sessions"]
        assert pages(table.gm, "/sessions", "sessions", "before", LAST_ID, limit=limit) == whole["sessions"][::-1]
    both = {"after": LAST_ID, "before": LAST_ID}
    assert refusal(table.gm.get("/sessions", params=both)) == (400, "after_and_before")


MALFORMED = (
    "fieldlog_session",
    "fieldlog_session=",
    "fieldlog_session=fs_",
    "fieldlog_session=" + "fs_" + "é" * 43,
    "fieldlog_session=fs_" + "A" * 44,
    "fieldlog_session=%00%ff%",
    'fieldlog_session="fs_\\777\\"',
    "=;;=; ;fieldlog_session;=fieldlog_session",
    "__Host-fieldlog_session=\x01",
    ";" * 5000,
    "fieldlog_session=" + "x" * 20_000,
)


def test_whatever_a_cookie_holds_it_is_no_session_and_no_defect(table):
    client = table.gm.client
    for cookie in MALFORMED:
        sent = {"Cookie": cookie.encode("utf-8"), "Origin": "http://testserver.local"}
        for method, path, body in (
            ("GET", "/accounts/me", None),
            ("POST", f"{table.path}/actions", NOTE),
            ("POST", f"{table.path}/actions?", NOTE),
        ):
            refused = client.request(method, f"/api{path}", json=body, headers=sent)
            assert refusal(refused) == (401, "not_signed_in"), cookie[:40]
        assert client.request("DELETE", "/api/session", headers=sent).status_code == 204


def test_signing_a_browser_in_counts_as_signing_in(database):
    with api(database.service, rates=NO_RATES | {"sign_ins_per_minute": 3}) as running:
        Person(running.client, "Ana")
        wrong = {"name": "Ana", "password": "wrong password"}
        paths = ["session", "tokens"] * 4  # two minutes at the most
        answers = [running.client.post(f"/api/{path}", json=wrong) for path in paths]
        assert refusal(answers[-2]) == refusal(answers[-1]) == (429, "too_many_sign_ins")


def test_a_proxy_that_is_named_says_that_a_page_came_over_https(database):
    over = {"X-Forwarded-Proto": "https"}
    for proxies, name in ((("127.0.0.1",), "__Host-fieldlog_session"), ((), "fieldlog_session")):
        with api(database.service, proxies=proxies) as running:
            if proxies:
                Person(running.client, "Ana")
            cookie = running.client.post("/api/session", json=ANA, headers=over).headers["set-cookie"]
            assert (cookie.partition("=")[0], "; Secure" in cookie) == (name, bool(proxies))


def test_a_feed_by_cookie_tells_what_happens_until_the_session_ends(database):
    with api(database.service) as running:
        gm = Person(running.client, "Ana")
        founded = gm.post("/campaigns", {"name": "Iron Rain", "systems": ["frame_state"]}).json()
        path = f"/campaigns/{founded['campaign_id']}"
        here, there = Browser(running.client).sign_in("Ana"), Browser(running.client).sign_in("Ana")
        feeds = [Follower(running, each, path) for each in (here, there)]
        assert [each.status for each in feeds] == [200, 200]
        seq = here.api("POST", f"{path}/actions", NOTE).json()["seq"]
        for each in feeds:
            each.reaches(seq)
        assert there.api("DELETE", "/session").status_code == 204
        assert feeds[1].ends() == "not_signed_in"
        assert not feeds[0].over
        assert gm.send("DELETE", "/sessions").status_code == 204
        assert feeds[0].ends() == "not_signed_in"
        for each in feeds:
            each.hang_up()


def test_on_a_shared_computer_the_cookie_goes_with_the_browser_and_the_session_after_hours(table, browser):
    client = table.gm.client
    for answer in (
        Browser(client).api("POST", "/session", {**ANA, "shared_computer": True}),
        Browser(client).send("POST", "/sign-in", data={**ANA, "shared": "yes"}),
    ):
        cookie = answer.headers["set-cookie"].lower()
        assert "max-age" not in cookie
        assert "expires" not in cookie
    usual, *shared = sorted(
        browser.api("GET", "/sessions").json()["sessions"], key=lambda session: session["created_at"]
    )
    assert [lasts(session) for session in shared] == [SESSION_SHARED] * 2
    assert lasts(usual) == SESSION_IDLE
    assert browser.page("/account").text.count("until ") == 4  # three browsers and a token


def lasts(session):
    return datetime.fromisoformat(session["expires_at"]) - datetime.fromisoformat(session["created_at"])
