"""What stands in front of the API: which other sites may use it, and what is noted of each request."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from litestar.testing import TestClient
from structlog.testing import capture_logs

from domain.sentences import say
from services.accounts.fair_read_queue import Reads
from services.errors import RateLimitExceeded
from services.settings import Settings
from tests.applications import an_application
from tests.engines import DICE_KEY
from tests.services.conftest import PASSWORD, table_at

ELSEWHERE = "https://bots.example"
ASKED = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
INDIRECT = "/api/campaigns"


@pytest.fixture
def fronted(database) -> Iterator[TestClient[Any]]:
    settings = Settings(
        database_url=database.service,
        dice_key=DICE_KEY,
        password_kib=64,
        cors_origins=(ELSEWHERE,),
        request_log=True,
    )
    with an_application(settings) as app, TestClient(app, raise_server_exceptions=False) as running:
        yield running


def said(answer: Any) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name.startswith("access-control-")}


def test_a_page_of_a_site_that_is_named_may_use_the_api_with_a_token_and_no_cookie(fronted):
    asked = fronted.options(INDIRECT, headers={"Origin": ELSEWHERE, **ASKED})
    assert (asked.status_code, asked.content) == (204, b"")
    assert asked.headers["access-control-allow-origin"] == ELSEWHERE
    assert "Authorization" in asked.headers["access-control-allow-headers"]
    signed_up = fronted.post(
        "/api/accounts", json={"name": "Noor", "password": PASSWORD}, headers={"Origin": ELSEWHERE}
    )
    assert signed_up.status_code == 201
    token = {"Authorization": f"Bearer {signed_up.json()['token']}", "Origin": ELSEWHERE}
    table = table_at(fronted)
    answers = [
        signed_up,
        fronted.get("/api/campaigns", headers=token),
        fronted.post("/api/tokens", json={"name": "Noor", "password": PASSWORD}, headers={"Origin": ELSEWHERE}),
        fronted.post(f"/api{table.path}/actions", json={}, headers={**table.gm.headers, "Origin": ELSEWHERE}),
        fronted.get("/api/nowhere", headers=token),
    ]
    assert [answer.status_code for answer in answers] == [201, 200, 201, 400, 404]
    for answer in (asked, *answers):
        assert answer.headers["access-control-allow-origin"] == ELSEWHERE
        assert "Origin" in answer.headers["vary"]
        assert "access-control-allow-credentials" not in answer.headers, "no cookie of a reader's counts"
    by_cookie = fronted.post(
        "/api/session", json={"name": "Noor", "password": PASSWORD}, headers={"Origin": ELSEWHERE}
    )
    assert by_cookie.json()["code"] == "foreign_origin"


def test_documents_that_are_kept_are_told_each_page_as_it_asks(fronted):
    for path in ("/api/docs", "/api/docs/openapi.json"):
        origins = (None, ELSEWHERE, "https://x.test", None)
        answers = [fronted.get(path, headers={"Origin": each} if each else {}) for each in origins]
        allowed = [answer.headers.get("access-control-allow-origin") for answer in answers]
        assert allowed == [None, ELSEWHERE, None, None]


def test_a_page_elsewhere_may_read_when_to_ask_again(fronted, monkeypatch):
    async def refuse(*_: object) -> None:
        raise RateLimitExceeded("too_many_reads", say("That is too often."), 7)

    monkeypatch.setattr(Reads, "begin", refuse)
    answer = fronted.get("/api/campaigns", headers={"Origin": ELSEWHERE})
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "7")
    assert answer.headers["access-control-allow-origin"] == ELSEWHERE
    assert "Retry-After" in answer.headers["access-control-expose-headers"]


@pytest.mark.parametrize(
    "origin", ["https://bots.example:444", "http://bots.example", "null", "", "https://x.test"]
)
def test_no_other_page_may_read_anything(fronted, origin):
    asked = fronted.options(INDIRECT, headers={"Origin": origin, **ASKED})
    read = fronted.get("/api/campaigns", headers={"Origin": origin})
    assert read.status_code == 401
    assert said(asked) == said(read) == {}
    assert "Origin" in read.headers["vary"], "for caches between"


def test_pages_of_the_screen_are_for_nobody_elsewhere(fronted):
    assert said(fronted.get("/sign-in", headers={"Origin": ELSEWHERE})) == {}


def test_where_no_site_is_named_none_may(client):
    answer = client.options(INDIRECT, headers={"Origin": ELSEWHERE, **ASKED})
    assert said(answer) == {}
    read = client.get("/api/words", headers={"Origin": ELSEWHERE})
    assert said(read) == {}
    assert "Origin" not in read.headers.get("vary", "")


def test_each_request_has_an_id_that_its_answer_and_its_line_tell(fronted):
    table = table_at(fronted)
    with capture_logs() as lines:
        answers = [
            fronted.post(f"/api{table.path}/actions", json={}, headers=table.gm.headers),
            fronted.get(f"/api{table.path}/actions?limit=1", headers=table.gm.headers),
            fronted.head("/health/live"),
            fronted.get("/nowhere/at/all"),
            fronted.get("/sign-in"),
        ]
    logged = [line for line in lines if line["event"] == "request"]
    assert [line["id"] for line in logged] == [answer.headers["x-request-id"] for answer in answers]
    assert len({line["id"] for line in logged}) == len(answers)
    assert all(re.fullmatch("[0-9a-f]{16}", line["id"]) for line in logged)
    assert [(line["method"], line["path"], line["status"]) for line in logged] == [
        ("POST", f"/api{table.path}/actions", 400),
        ("GET", f"/api{table.path}/actions", 200),
        ("GET", "/health/live", 200),
        ("GET", "(no such path)", 404),
        ("GET", "/sign-in", 200),
    ]


def test_no_line_tells_a_secret(fronted):
    table = table_at(fronted)
    code = table.gm.post(f"{table.path}/invites", {"role": "player"}).json()["code"]
    with capture_logs() as lines:
        fronted.get(f"/join/{code}")
        table.player.post(f"/invites/{code}/accept")
        fronted.get(f"/join/{code}/elsewhere?code={code}")
        fronted.get("/reset-password/aHidden-code")
    told = str(lines)
    assert len([line for line in lines if line["event"] == "request"]) == 4
    assert code not in told
    assert "aHidden" not in told
    assert "/join/…" in told


def test_without_the_log_an_answer_has_its_id_all_the_same(client):
    with capture_logs() as lines:
        assert client.get("/health/live").headers["x-request-id"]
    assert lines == []


def test_what_broke_tells_its_reader_the_id_that_the_log_tells(fronted, monkeypatch):
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a defect")

    table = table_at(fronted)
    monkeypatch.setattr(type(fronted.app.state.application.campaigns), "see", broken)
    with capture_logs() as lines:
        answer = table.gm.get(table.path)
    [line] = [line for line in lines if line["event"] == "request_broke"]
    assert answer.status_code == 500
    assert answer.json()["details"]["request"] == line["id"] == answer.headers["x-request-id"]
