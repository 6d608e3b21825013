"""A campaign comes from a file: what is in it is read first, and bringing it is one button."""

import gzip
from typing import Any

import pytest
from litestar.testing import TestClient

from services.settings import Settings
from tests.applications import an_application
from tests.engines import DICE_KEY, DatabaseUrls
from tests.services.conftest import NO_RATES, Person, Table
from tests.services.transfers import export, played_at
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of

NAMED = b'--x\r\nContent-Disposition: form-data; name="a"\r\n'


@pytest.fixture
def content(table: Table) -> bytes:
    """The file of a played campaign."""
    return export(played_at(table), table.gm)


@pytest.fixture
def noor(client: TestClient[Any], content: bytes) -> Browser:
    """Somebody who was not in it."""
    Person(client, "Noor")
    return Browser(client).sign_in("Noor")


def send(browser: Browser, content: bytes | None, page: Element | None = None, **more: str) -> Any:
    """Send the form with a file, as a browser without script does."""
    fields = [] if page is None else page.one("form", id="bring").all("input")
    said = {
        each.attributes["name"]: each.attributes.get("value", "")
        for each in fields
        if each.attributes.get("type") != "file"
    }
    files = {"file": ("x.ndjson", content)} if content is not None else {"file": ("", b"")}
    headers = {"Origin": browser.origin}
    return browser.send("POST", "/bring", data={**said, **more}, files=files, headers=headers)


def campaigns(noor: Browser) -> int:
    return len(noor.page("/").all("li", class_="entry"))


def test_the_way_there_is_on_the_front_page(noor: Browser):
    link = next(each for each in noor.page("/").all("a") if each.text == "Bring a campaign")
    page = noor.page(link.attributes["href"])
    assert "Looking stores nothing" in page.text
    assert page.one("form", id="bring").attributes["enctype"] == "multipart/form-data"
    assert [each.text for each in page.all("button") if each.attributes.get("value") == "bring"] == []


def test_what_is_in_a_file_and_what_it_means_is_read_before_it_is_brought(noor: Browser, content: bytes):
    answer = send(noor, content, noor.page("/bring"), do="look")
    assert answer.status_code == 200, answer.text
    page = page_of(answer.text)
    text = page.one("main").text
    assert "Frame State" in text
    assert "This service signed it." in text
    assert "You become its game master and only member." in text
    assert "Dice keep their faces, and prove nothing here" in text
    people = page.one("fieldset")
    assert [each.text for each in people.all("label")] == ["Ana Game master", "Mara Player"]
    assert people.one("p", id="alone-1").text == "Theirs alone: 1 hidden action and the character Mara"
    assert "Once they have joined, say on the page of the members who they are, and it is theirs." in people.text
    assert campaigns(noor) == 0
    brought = send(noor, content, page, do="bring", name="Iron Rain again", **{"account.0": "Noor"})
    assert brought.status_code == 303
    home = noor.get(brought.headers["location"])
    assert "Iron Rain again" in home.text
    again = send(noor, content, page, do="bring", name="Iron Rain again", **{"account.0": "Noor"})
    assert again.headers["location"] == brought.headers["location"]
    assert campaigns(noor) == 1


def test_a_gzipped_file_comes_too(noor: Browser, content: bytes):
    packed = gzip.compress(content)
    page = page_of(send(noor, packed, noor.page("/bring"), do="look").text)
    assert send(noor, packed, page, do="bring").status_code == 303


def test_another_file_than_the_one_looked_at_is_not_brought(noor: Browser, content: bytes):
    page = page_of(send(noor, content, noor.page("/bring"), do="look").text)
    answer = send(noor, gzip.compress(content), page, do="bring")
    assert answer.status_code == 422
    assert "another file than the one that you looked at" in answer.text
    assert campaigns(noor) == 0


def test_who_is_not_here_is_named_and_what_was_entered_stays(noor: Browser, content: bytes):
    page = page_of(send(noor, content, noor.page("/bring"), do="look").text)
    answer = send(noor, content, page, do="bring", **{"account.1": "Nemo"})
    assert answer.status_code == 422
    shown = page_of(answer.text)
    assert "There is no account called Nemo." in shown.one("p", role="alert").text
    assert shown.one("input", id="account-1").attributes["value"] == "Nemo"
    assert campaigns(noor) == 0


@pytest.mark.parametrize("content_sent", [None, b"", b"hello", b"\x1f\x8b nothing", b"{}\n"])
def test_what_is_no_campaign_is_refused_in_words(noor: Browser, content_sent: bytes | None):
    answer = send(noor, content_sent, noor.page("/bring"), do="look")
    assert answer.status_code == 422
    page = page_of(answer.text)
    told = [*page.all("p", class_="error"), *page.all("p", role="alert")]
    assert [each.text for each in told] != []
    assert "_" not in told[0].text


def test_a_changed_file_and_a_players_copy_are_refused(noor: Browser, content: bytes, table: Table):
    wrong = content.replace(b"Salvage", b"Salvaga").replace(b"One", b"Two", 1)
    assert send(noor, wrong, do="look").status_code == 422
    copy = send(noor, export(table, table.player), do="look")
    assert "ask a GM for one" in page_of(copy.text).one("p", role="alert").text


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data; boundary=x", b"--x\r\nnothing"),
        (
            "multipart/form-data; boundary=x",
            NAMED + b"\r\n\xff\r\n--x--\r\n",
        ),
        (
            "multipart/form-data; boundary=x",
            NAMED + b"Content-Type: text/plain; charset=no\r\n\r\nb\r\n--x--",
        ),
        ("multipart/form-data", b"--x"),
        ("application/x-www-form-urlencoded", b"do=look"),
        ("application/octet-stream", b"x"),
    ],
)
def test_no_broken_form_breaks_the_page(noor: Browser, kind: str, body: bytes):
    headers = {"Content-Type": kind, "Origin": noor.origin}
    answer = noor.send("POST", "/bring", content=body, headers=headers)
    assert 400 <= answer.status_code < 500, answer.text


def test_a_file_comes_from_our_own_page_and_of_who_is_signed_in(noor: Browser, content: bytes, client: Any):
    files = {"file": ("x", content)}
    foreign = noor.send("POST", "/bring", files=files, headers={"Origin": "https://evil.example"})
    assert foreign.status_code == 403
    stranger = Browser(client)
    assert send(stranger, content).status_code == 401
    assert stranger.send("GET", "/bring").status_code == 303


def test_other_pages_still_take_no_files(noor: Browser):
    answer = noor.send("POST", "/found", files={"file": ("x", b"y")}, headers={"Origin": noor.origin})
    assert answer.status_code == 415


def test_a_file_that_is_too_large_is_refused_before_it_is_read(noor: Browser, client: TestClient[Any]):
    client.app.state.import_bytes_max = 1000
    assert send(noor, b"x" * 100_000, do="look").status_code == 413


def test_an_upload_is_counted_before_it_is_read(database: DatabaseUrls):
    rates = NO_RATES | {"imports_per_hour": 1}
    settings = Settings(database_url=database.service, dice_key=DICE_KEY, password_kib=64, **rates)
    with an_application(settings) as app, TestClient(app, raise_server_exceptions=False) as client:
        Person(client, "Noor")
        noor = Browser(client).sign_in("Noor")
        headers = {"Origin": noor.origin, "Content-Type": "multipart/form-data; boundary=x"}
        first, second = (noor.send("POST", "/bring", content=NAMED, headers=headers) for _ in range(2))
        assert "The browser sent something that cannot be read here." in first.text
        assert "That is too often" in second.text
