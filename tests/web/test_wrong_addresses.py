"""Addresses that choose what there is not, or leave out a part: the page says which part, and where to go on."""

import pytest

from tests.services.conftest import Table
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of


def refused(browser: Browser, path: str) -> tuple[int, Element]:
    answer = browser.get(path)
    return answer.status_code, page_of(answer.text).one("main")


@pytest.mark.parametrize(
    "page",
    [
        "?session=last",
        "/build/frame_state?preset=hero",
        "/build/frame_state?like=nobody",
        "/calendar/read?preset=moon",
        "/chronicle?actor=nobody",
        "/chronicle?session=9",
        "/chronicle?type=campaign.dance",
        "/compare?from=1&page=last",
        "/do?character=nobody",
        "/ledger.csv?session=last",
        "/luck?session=last",
        "/recap?session=last",
    ],
)
def test_a_value_that_there_is_not_is_no_choice(table: Table, gm: Browser, home: str, page: str):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    name, _, value = page.partition("?")[2].rpartition("&")[2].partition("=")
    status, told = refused(gm, home + page)
    assert (status, f"There is no “{value}” to choose after “{name}=”." in told.text) == (400, True)


def test_a_play_session_that_never_was_is_not_retold(gm: Browser, home: str):
    status, told = refused(gm, f"{home}?session=9")
    assert (status, "There was no play session 9." in told.text) == (404, True)
    assert home in [link.attributes["href"] for link in told.all("a")]


def test_empty_values_choose_nothing(gm: Browser, home: str):
    for page in (
        "?session=",
        "/chronicle?character=&actor=&type=&text=&session=",
        "/do?character=",
        "/luck?session=",
    ):
        assert gm.get(home + page).status_code == 200, page


def test_programs_are_told_of_a_kind_of_action_that_there_is_not(table: Table):
    answer = table.gm.get(f"{table.path}/actions", params={"type": "campaign.dance"})
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (400, "unknown_value")
    assert problem["details"] == {"parameter": "type"}
    for kind in ("campaign.add_note", "campaign.note_added", "angst.call_test"):
        assert table.gm.get(f"{table.path}/actions", params={"type": kind}).status_code == 200, kind


def test_the_part_that_an_address_lacks_is_named(gm: Browser, home: str):
    for page, lacking in (("/sheets/x/why", "path"), ("/money/x/why", "currency")):
        status, told = refused(gm, home + page)
        assert (status, f"{lacking}: missing" in told.text) == (400, True), page


def test_each_number_that_cannot_be_read_is_named_as_its_page_calls_it(gm: Browser, home: str):
    for page, sentence in (("/downtime?day=x", "day: send"), ("/timers?from=x", "from: send")):
        status, told = refused(gm, home + page)
        assert (status, sentence in told.text) == (400, True), page
    status, told = refused(gm, f"{home}/chronicle?before=x")
    assert (status, "After “before=” an address has the number of an action." in told.text) == (400, True)


@pytest.mark.parametrize(
    ("date", "sentence"),
    [
        ("year=1&month=2&day=31", "February 1 has 28 days."),
        ("year=1&month=2&day=0", "February 1 has 28 days."),
        ("year=1&month=2&day=99999", "February 1 has 28 days."),
        ("year=1&month=0&day=1", "the calendar has 12 months and festivals."),
        ("year=1&month=999&day=1", "the calendar has 12 months and festivals."),
        ("year=9999999999&month=1&day=1", "a whole number from -1000000 to 1000000."),
    ],
)
def test_a_date_that_there_is_not_is_told_with_what_there_is(gm: Browser, home: str, date: str, sentence: str):
    _, told = refused(gm, f"{home}/table?{date}")
    assert sentence in told.text
    assert "Enter the day" not in told.text


@pytest.mark.parametrize(
    "page", ["?session=9", "/chronicle?before=x", "/chronicle?type=dance", "/gm", "/table?at=9999", "/no"]
)
def test_a_problem_behind_a_watching_link_leads_back_to_its_table(table: Table, page: str):
    code = table.gm.post(f"{table.path}/invites", {"role": "watcher"}).json()["code"]
    _, told = refused(Browser(table.gm.client), f"/watch/{code}{page}")
    assert [link.attributes["href"] for link in told.all("a")] == [f"/watch/{code}/table"]


def test_a_watching_link_that_fails_leads_to_the_beginning(table: Table):
    _, told = refused(Browser(table.gm.client), f"/watch/fw_{'A' * 43}/table")
    assert [link.attributes["href"] for link in told.all("a")] == ["/"]
