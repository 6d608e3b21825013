"""What pages say to a browser that keeps them: whose they are, and whether what it keeps may still be read."""

from typing import Any

import httpx

from services.http.screen.shared.offline_pages import KEPT_AS, NOBODY, READER
from services.http.screen.shared.screen_build import build
from tests.services.conftest import Person, Table
from tests.web.browser import Browser

TRUSTED = {"Sec-Fetch-Mode": "navigate"}
"""What browsers send only where they trust the connection."""
KEPT = ("", *(f"/{page}" for page in ("table", "sheets", "boards", "chronicle", "money", "downtime", "members")))
NOT_KEPT = ("/do", "/gm", "/files", "/leave", "/book")


def home(table: Table) -> str:
    return f"/c/{table.campaign_id}"


def asked(browser: Browser, path: str) -> httpx.Response:
    return browser.send("GET", path, headers=TRUSTED)


def mark(browser: Browser, table: Table) -> str | None:
    """Under which mark pages of the campaign are kept now."""
    answer = asked(browser, f"/offline/marks?campaign={table.campaign_id}")
    found: str | None = answer.json().get(table.campaign_id)
    return found


def erase(person: Person, table: Table, action: dict[str, Any]) -> None:
    assert person.send("DELETE", f"{table.path}/actions/{action['action_id']}/texts").is_success


def test_a_page_that_is_read_may_be_kept_and_one_that_acts_may_not(gm, table):
    kept = {each: asked(gm, home(table) + each).headers.get(KEPT_AS) for each in (*KEPT, *NOT_KEPT)}
    assert kept == dict.fromkeys(KEPT, mark(gm, table)) | dict.fromkeys(NOT_KEPT)
    assert asked(gm, f"{home(table)}/as/{table.player.account_id}/chronicle").headers.get(KEPT_AS) is None
    assert asked(gm, "/offline").headers.get(KEPT_AS)
    for path in ("/", "/account", "/found"):
        assert KEPT_AS not in asked(gm, path).headers


def test_nothing_is_said_of_keeping_where_browsers_cannot(gm, table):
    assert KEPT_AS not in gm.send("GET", home(table)).headers


def test_the_past_of_a_page_with_a_time_line_is_kept_under_the_mark_of_now(player, table):
    table.act(table.gm, "campaign.add_note", text="Rain.")
    assert asked(player, f"{home(table)}/chronicle?at=2").headers[KEPT_AS] == mark(player, table)
    assert KEPT_AS not in asked(player, f"{home(table)}/money?at=2").headers


def test_every_sign_in_is_another_reader_and_a_stranger_is_none(client, gm, table):
    again = Browser(client).sign_in(table.gm.name)
    readers = [asked(each, "/about").headers[READER] for each in (gm, again, Browser(client))]
    assert len(set(readers)) == 3
    assert readers[2] == NOBODY
    assert asked(gm, home(table)).headers[READER] == readers[0]


def test_a_page_that_was_not_found_says_nothing_of_its_reader(gm):
    """Nobody was looked for: a browser that took that for nobody would forget everything."""
    answer = asked(gm, "/nowhere")
    assert answer.status_code == 404
    assert READER not in answer.headers


def test_a_mark_stays_while_a_campaign_goes_on(player, table):
    before = mark(player, table)
    assert before
    table.act(table.gm, "campaign.add_note", text="Rain.")
    assert mark(player, table) == before


def test_a_mark_changes_with_what_is_erased_and_with_roles(player, table):
    made = table.act(table.gm, "campaign.add_note", text="My real name is Ines.")
    marks = [mark(player, table)]
    erase(table.gm, table, made)
    marks.append(mark(player, table))
    assert asked(player, f"{home(table)}/chronicle").headers[KEPT_AS] == marks[-1]
    who = f"{table.path}/members/{table.player.account_id}"
    for role in ("gm", "observer"):
        assert table.gm.send("PATCH", who, json={"role": role}).is_success
        marks.append(mark(player, table))
    assert len(set(marks)) == len(marks)


def test_there_is_no_mark_for_who_may_not_read(client, player, table):
    assert table.gm.send("DELETE", f"{table.path}/members/{table.player.account_id}").is_success
    assert mark(player, table) is None
    assert mark(Browser(client), table) is None
    for said in ("nothing", "0", ""):
        assert asked(player, f"/offline/marks?campaign={said}").json() == {}
    assert asked(player, "/offline/marks").json() == {}
    assert asked(player, "/offline/marks?" + "&".join(["campaign=x"] * 21)).status_code == 400


def test_the_worker_may_answer_for_every_page_and_says_its_build(client):
    answer = client.get("/service-worker.js")
    assert answer.text.startswith(f'const BUILD = "{build()}";\n')
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert "connect-src 'self'" in answer.headers["content-security-policy"]
    assert "worker-src 'self'" in client.get("/").headers["content-security-policy"]
