"""What a browser is answered where the service refuses for now: a page, with everything that was entered."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from services.http.middleware.time_limit import TimeLimit
from services.http.screen.shared.page_responses import own_path
from services.settings import Settings
from tests.applications import an_application, limit_around
from tests.engines import DICE_KEY, DatabaseUrls
from tests.services.conftest import NO_RATES, Person, table_at
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of
from tests.web.reader import Reader, filled

HTML = {"Accept": "text/html,*/*"}


def told(answer) -> Element:
    """The page of an answer that is one."""
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-store"
    return page_of(answer.text).one("main")


async def wait_for_ever(*_: Any) -> None:
    await asyncio.Event().wait()


def come_too_late(app: Any, rest: Any) -> None:
    """Let every answer of an application come too late."""
    app.asgi_handler = TimeLimit(rest, seconds_max=0.05, problem_of=limit_around(app)._problem_of)


@pytest.fixture
def slow(database: DatabaseUrls) -> Iterator[TestClient[Litestar]]:
    """A service that takes two actions a minute."""
    settings = Settings(
        database_url=database.service, dice_key=DICE_KEY, password_kib=64, **{**NO_RATES, "actions_per_minute": 2}
    )
    with an_application(settings) as app, TestClient(app, raise_server_exceptions=False) as running:
        yield running


def test_who_looks_too_often_reads_when_to_come_back(slow):
    ana = Browser(slow).sign_in(Person(slow, "Ana").name)
    answers = [slow.get("/?a=1", headers={**ana.headers, **HTML}) for _ in range(3)]
    assert [each.status_code for each in answers] == [200, 200, 429]
    page = told(answers[2])
    assert "too often" in page.text
    assert int(answers[2].headers["retry-after"]) > 0
    assert page.one("a", class_="button first").attributes["href"] == "/?a=1"


def test_strangers_who_look_too_often_are_stopped_by_their_address(slow):
    assert [slow.get("/about", headers=HTML).status_code for _ in range(21)][-2:] == [200, 429]


def test_what_was_entered_into_a_form_that_is_refused_for_now_is_sent_again_from_its_page(slow):
    table = table_at(slow)
    player = Reader(table, table.player)
    form = {"c.text": "Rain & <wind>.", "do": "act", "key": "k"}
    page = told([player.answer("campaign.add_note", form) for _ in range(3)][2])
    again = page.one("form")
    assert again.attributes["action"] == f"{player.path}/campaign.add_note"
    assert filled(again) == form


def test_a_page_that_comes_too_late_says_so_and_blames_nothing(table):
    client = table.gm.client
    come_too_late(client.app, wait_for_ever)
    page = told(client.get("/c/x/do/y?c.text=Rain", headers={**HTML, "Accept-Language": "en"}))
    assert "database" not in page.text
    assert page.one("a", class_="button first").attributes["href"] == "/c/x/do/y?c.text=Rain"
    problem = client.get("/api/campaigns", headers=HTML).json()
    assert problem["detail"].startswith("The service did not answer in time")


def test_a_form_whose_answer_comes_too_late_is_kept(table):
    client, reader = table.gm.client, Reader(table, table.player)

    async def answer_too_late(scope, receive, _):
        await client.app.asgi_router(scope, receive, lambda _: asyncio.Event().wait())

    come_too_late(client.app, answer_too_late)
    page = told(reader.answer("campaign.add_note", {"c.text": "Rain.", "do": "act", "key": "k"}, headers=HTML))
    assert filled(page.one("form"))["c.text"] == "Rain."


def test_a_body_that_is_too_large_is_refused_by_a_page(table):
    answer = Reader(table, table.player).answer("campaign.add_note", {"c.text": "x" * 20_000_000})
    assert answer.status_code == 413
    assert "Go back" in told(answer).text


@pytest.mark.parametrize("path", ["/c/x/nowhere", "/nowhere", "/c/00000000-0000-4000-8000-000000000000/table"])
def test_an_address_of_nothing_is_a_page(table, path):
    reader = Reader(table, table.player)
    answer = reader.browser.client.get(path, headers={**reader.browser.headers, **HTML})
    assert answer.status_code == 404
    assert told(answer).one("h1").text == "There is no such page"


def test_a_note_that_is_sent_twice_without_a_script_is_written_once(table):
    player = Reader(table, table.player)
    player.path = f"/c/{table.campaign_id}"
    form = {"key": filled(player.page("table").one("form", id="note"))["key"], "text": "Rain."}
    before = table.seq()
    assert {player.answer("notes", form).status_code for _ in range(2)} == {303}
    assert table.seq() == before + 1
    fresh = filled(player.page("table").one("form", id="note"))["key"]
    assert fresh != form["key"]
    assert player.answer("notes", {**form, "key": fresh}).status_code == 303
    assert table.seq() == before + 2


def test_a_play_session_that_is_begun_twice_from_one_page_begins_once(table):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Anka")
    gm = Reader(table, table.gm)
    gm.path = f"/c/{table.campaign_id}"
    form = {**filled(gm.page().one("form", class_="panel")), "title": "", "what": "begin"}
    assert [gm.answer("session", form).status_code for _ in range(2)] == [303, 303]


@pytest.mark.parametrize(
    "path",
    [
        "/c/00000000-0000-4000-8000-000000000000/sheets?at=118",
        "/c/8/do/campaign.roll?c.notation=2d6%2B1&next=%2Fc%2F8",
    ],
)
def test_the_query_of_a_page_survives_signing_in(client, path):
    asked = client.get(path, headers=HTML, follow_redirects=False)
    page = page_of(client.get(asked.headers["location"], headers=HTML).text)
    assert filled(page)["next"] == path


@pytest.mark.parametrize("said", ["/c/8?a=//evil.test\r\nX: y", "//evil.test?a", "/\\evil.test", "/c?a=<b>"])
def test_what_is_no_own_path_is_forgotten(said):
    assert own_path(said) == "/"
