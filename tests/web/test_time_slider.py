"""Pages as they were, along a line of time: what leads where, what is skipped, and that nothing acts there."""

from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
from litestar.testing import TestClient

from services.cli.demo.recording import recording_of
from services.cli.demo.story import Story
from tests.sampling import slow_but
from tests.services.conftest import Person, Table
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of

SYSTEMS = ("angst", "frame_state", "freefall", "mobile_frame", "overdrive")
PAGES = ("", "/sheets", "/boards", "/chronicle")
AT_MOMENTS = (*PAGES, "/table")
"""Those that are read as they were; the table of now has no slider."""
STEPS_MAX = 110


def note(table: Table, text: str, who: Person | None = None, **more: Any) -> dict[str, Any]:
    body = {"command": {"type": "campaign.add_note", "text": text}, **more}
    made: dict[str, Any] = (who or table.gm).post(f"{table.path}/actions", body).json()
    return made


def undo(table: Table, made: dict[str, Any]) -> None:
    answer = table.gm.post(f"{table.path}/actions/{made['action_id']}/undo", {})
    assert answer.status_code == 201, answer.text


def seq_of(made: dict[str, Any]) -> int:
    return int(made["events"][-1]["seq"])


class Looking(NamedTuple):
    """Somebody who looks at pages of a campaign."""

    browser: Browser
    home: str

    def page(self, path: str) -> Element:
        return self.browser.page(f"{self.home}{path}")

    def line(self, path: str) -> Element:
        return self.page(path).one("section", id="time")

    def way(self, path: str, name: str) -> str:
        """Where a link on the line leads; empty: there is none."""
        found = [
            each for each in self.line(path).all("a") if name in (each.attributes.get("aria-label"), each.text)
        ]
        return found[0].attributes["href"].removeprefix(self.home) if found else ""


@pytest.fixture
def gm(table: Table) -> Looking:
    return Looking(Browser(table.gm.client).sign_in(table.gm.name), f"/c/{table.campaign_id}")


@pytest.fixture
def player(table: Table) -> Looking:
    return Looking(Browser(table.gm.client).sign_in(table.player.name), f"/c/{table.campaign_id}")


def test_a_campaign_with_one_action_has_no_line_of_time(client):
    founder = Person(client, "Founder")
    campaign = founder.post("/campaigns", {"name": "Quiet", "systems": ["angst"]}).json()["campaign_id"]
    looking = Looking(Browser(client).sign_in(founder.name), f"/c/{campaign}")
    for page in PAGES:
        assert looking.page(page).all("section", id="time") == []
    founder.post(f"/campaigns/{campaign}/actions", {"command": {"type": "campaign.add_note", "text": "One."}})
    for page in PAGES:
        assert looking.way(page, "Earlier action") != ""


def test_the_slider_goes_over_all_numbers_and_says_where_it_is(table, gm):
    seq = seq_of(note(table, "Rain."))
    note(table, "Thunder.")
    now = gm.line("/sheets").one("input", type="range").attributes
    assert (now["min"], now["max"], now["value"]) == ("1", str(table.seq()), str(table.seq()))
    then = gm.line(f"/sheets?at={seq}")
    assert then.one("input", type="range").attributes["value"] == str(seq)
    assert then.one("input", type="range").attributes["aria-valuetext"].startswith(f"Action {seq}, ")
    assert f"as it was at no. {seq}." in then.text
    assert "past" not in gm.line("/sheets").attributes["class"].split()


def test_earlier_and_later_go_action_by_action_and_over_what_was_undone(table, gm):
    first = note(table, "Rain.")
    gone = [note(table, f"Hail {nth}.") for nth in range(2)]
    last = note(table, "Thunder.")
    for each in gone:
        undo(table, each)
    begin = f"/boards?at={seq_of(first)}"
    assert gm.way(begin, "Later action") == f"/boards?at={seq_of(last)}"
    assert gm.way(f"/boards?at={seq_of(last)}", "Earlier action") == begin
    steps = gm.line(begin).attributes["data-steps"].split()
    assert [each for each in steps if each.endswith("-")] == [f"{seq_of(each)}:{seq_of(each)}-" for each in gone]


def test_a_number_within_an_action_means_all_of_it_and_one_that_is_undone_what_stood_before(table, gm):
    founded = gm.line("/boards?near=1").one("input", type="range").attributes["value"]
    assert int(founded) > 1  # its first action has several events
    kept, gone = note(table, "Rain."), note(table, "Hail.")
    undo(table, gone)
    shown = gm.line(f"/boards?near={seq_of(gone)}").one("input", type="range").attributes["value"]
    assert shown == str(seq_of(kept))
    assert gm.line("/boards?near=999999").attributes["class"] == "time"  # the end of the line is now


def test_sessions_are_ticks_and_can_be_stepped_through(table, gm):
    table.act(table.player, "campaign.roll", notation="1d6")
    starts = []
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Noa")
    for nth in range(3):
        began = table.act(table.gm, "campaign.start_session", title=f"Night {nth}")
        starts.append(began["events"][0]["seq"])
        for _ in range(12):
            note(table, "Rain.")
        table.act(table.gm, "campaign.end_session")
    line = gm.line("/boards")
    assert [each.attributes["value"] for each in line.all("option") if "label" in each.attributes] == [
        str(each) for each in starts
    ]
    assert line.all("option")[0].attributes["label"] == "Play session 1: Night 0"
    assert {"S1", "S2", "S3"} <= {each.text for each in line.all("text")}
    second = gm.way("/boards", "Earlier play session")
    assert second == f"/boards?near={starts[2]}"
    at = gm.line(second).one("input", type="range").attributes["value"]
    assert gm.way(f"/boards?at={at}", "Earlier play session") == f"/boards?near={starts[1]}"
    assert gm.way(f"/boards?at={starts[1]}", "Later play session") == f"/boards?near={starts[2]}"
    assert "play session 3" in gm.line(f"/boards?at={at}").one("input", type="range").attributes["aria-valuetext"]


def test_a_pin_goes_along_and_leads_to_the_comparison(table, gm):
    one, other = (seq_of(note(table, text)) for text in ("Rain.", "Thunder."))
    pinned = gm.way(f"/boards?at={one}", "Pin it to compare others with it")
    assert pinned == f"/boards?at={one}&pin={one}"
    assert gm.way(pinned, "Later action") == f"/boards?at={other}&pin={one}"
    assert gm.way(f"/boards?at={other}&pin={one}", f"Compare with no. {one}") == f"/compare?from={one}&to={other}"
    assert gm.way(f"/boards?at={other}&pin={one}", f"Unpin no. {one}") == f"/boards?at={other}"
    assert gm.line("/boards?pin=x").attributes["data-pin"] == ""


def test_a_sheet_marks_what_differs_from_the_pinned_moment(table, gm):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    made = table.act(table.player, "frame_state.create_pilot", name="Otto")
    pilot, seq = made["events"][0]["pilot_id"], table.seq()
    table.act(table.player, "frame_state.allocate_point", category="skills", attribute="smarts")
    page = gm.page(f"/sheets/{pilot}?pin={seq}")
    assert "before: d4" in [each.text for each in page.all("span", class_="was")]
    assert gm.page(f"/sheets/{pilot}").all("span", class_="was") == []
    assert gm.page(f"/sheets/{pilot}?pin=1").all("span", class_="was") == []


def test_a_sheet_before_there_was_one_says_so_and_keeps_the_line(table, gm):
    seq = table.seq()
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    pilot = table.act(table.player, "frame_state.create_pilot", name="Otto")["events"][0]["pilot_id"]
    answer = gm.browser.get(f"{gm.home}/sheets/{pilot}?at={seq}")
    assert answer.status_code == 404
    page = page_of(answer.text)
    assert (page.one("h1").text, "This sheet was not there yet." in page.text) == ("Otto", True)
    assert page.one("section", id="time").all("a", rel="next")


def test_the_overview_is_told_as_it_was(table, gm):
    seq = table.seq()
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Otto")
    then, now = gm.page(f"?at={seq}"), gm.page("")
    assert ("Otto" in then.text, "Otto" in now.text) == (False, True)
    assert gm.way(f"?at={table.seq() - 1}", "Sheets") == f"/sheets?at={table.seq() - 1}"


def test_a_moment_that_there_is_not_is_refused(gm):
    wrong = {"at=-1": 400, "at=soon": 400, "at=999999": 404, "near=x": 400}
    statuses = {
        (page, at): gm.browser.get(f"{gm.home}{page}?{at}").status_code for page in AT_MOMENTS for at in wrong
    }
    assert statuses == {(page, at): wrong[at] for page in AT_MOMENTS for at in wrong}


@pytest.mark.parametrize("page", AT_MOMENTS)
def test_a_day_leads_to_its_last_action_on_every_page(table, gm, page):
    note(table, "Rain.")
    last = table.seq()
    table.act(table.gm, "campaign.advance_calendar", by={"days": 3})
    entries = {
        field.attributes["name"]: field.attributes["value"]
        for field in gm.line(f"{page}?at={last}").all("input")
        if "value" in field.attributes
    }
    day = {"year": entries["year"], "month": "1", "day": entries["day"]}
    assert gm.line(f"{page}?{urlencode(day)}").attributes["data-at"] == str(last)


@pytest.mark.parametrize("left_out", ["year", "month", "day"])
def test_a_day_to_go_to_must_be_whole(gm, left_out):
    whole = {"year": "2187", "month": "2", "day": "3"}
    empty, absent = whole | {left_out: " "}, {name: part for name, part in whole.items() if name != left_out}
    for page in AT_MOMENTS:
        for entries in (empty, absent):
            answer = gm.browser.get(f"{gm.home}{page}?{urlencode(entries)}")
            assert answer.status_code == 400
            told = page_of(answer.text).text
            assert told.count("Enter the day, the month and the year of the date.") == 1


@pytest.mark.parametrize("page", AT_MOMENTS)
def test_before_the_first_action_there_is_little_to_read(gm, page):
    answer = gm.browser.get(f"{gm.home}{page}?at=0")
    assert answer.status_code == 200
    assert page_of(answer.text).one("section", id="time").all("a", rel="next")


def test_the_table_is_read_as_it_was_and_its_end_is_the_table_itself(table, gm, player):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    pilot = table.act(table.player, "frame_state.create_pilot", name="Otto")["events"][0]["pilot_id"]
    note(table, "Rain.")
    seq = table.seq()
    note(table, "Thunder.")
    page = player.page(f"/table?at={seq}")
    assert ("Rain." in page.text, "Thunder." in page.text) == (True, False)
    assert page.one("h3", class_="own-sheet").one("a").attributes["href"].endswith(f"/sheets/{pilot}?at={seq}")
    assert [each.attributes["data-panel"] for each in page.all("section", class_="table-panel")] == [
        *("sheets", "boards", "chronicle")
    ]
    assert gm.way(f"/table?at={seq}", "Back to now") == "/table"
    now = player.browser.send("GET", f"{player.home}/table?near={table.seq()}")
    assert (now.status_code, now.headers["location"]) == (303, f"{player.home}/table")


def acting(page: Element) -> list[str]:
    """What acts on a page: forms that are posted, and links to where something is done."""
    forms = [each.attributes.get("action", "") for each in page.all("form") if each.attributes["method"] == "post"]
    ways = ("/do", "/undo", "/redo", "/reveal")
    links = [each.attributes.get("href", "") for each in page.one("main").all("a")]
    return forms + [each for each in links if each.partition("?")[0].endswith(ways) or "/do/" in each]


@pytest.mark.parametrize("system", slow_but(SYSTEMS, "overdrive"))
def test_nothing_can_be_done_on_a_page_of_the_past(client: TestClient[Any], system: str):
    story = Story(recording_of(system), client, suffix="", wait_seconds_max=0)
    for _ in zip(story.play(), range(STEPS_MAX), strict=False):
        pass
    gm = Browser(client).sign_in(story.name(story.recording.title.gm), story.password).headers
    api = f"/api/campaigns/{story.campaign_id}"
    head = client.get(api, headers=gm).json()["as_of"]
    sheets = [each["character"] for each in client.get(f"{api}/sheets", headers=gm).json()["sheets"]]
    pages = (*AT_MOMENTS, *(f"/sheets/{each}" for each in sheets or [system]))
    acts = []
    for page in pages:
        for at in (head, head // 2):
            answer = client.get(f"/c/{story.campaign_id}{page}?at={at}", headers=gm)
            read = page_of(answer.text)
            assert read.one("section", id="time").attributes["class"] == "time past"
            assert acting(read) == [], page
            assert [each for each in read.all("a", class_="why") if "at=" not in each.attributes["href"]] == [], (
                page
            )
        acts += acting(page_of(client.get(f"/c/{story.campaign_id}{page}", headers=gm).text))
    assert acts  # they are there now


def test_what_acts_is_noticed():
    """Negative control."""
    links = '<a href="/c/1/do/a.b">A</a><a href="/c/1/a/2/undo">B</a><a href="/c/1/sheets">C</a>'
    assert len(acting(page_of(f'<main><form method="post" action="/x"></form>{links}</main>'))) == 3


def test_a_player_reads_of_the_past_what_the_api_says(table, player, gm):
    note(table, "The mole is Jun.", visibility="gm")
    seq = table.seq()
    note(table, "Rain.")
    assert "mole" in gm.page(f"/chronicle?at={seq}").text
    page = player.page(f"/chronicle?at={seq}")
    assert "mole" not in page.text
    assert "Rain." not in page.text
    assert "Fork" not in player.page(f"/boards?at={seq}").text


def test_a_gm_goes_through_time_as_a_member(table, gm):
    note(table, "Rain.")
    seq = table.seq() - 1
    seen_as = Looking(gm.browser, f"{gm.home}/as/{table.player.account_id}")
    assert seen_as.way(f"/boards?at={seq}", "Later action") == f"/boards?at={seq + 1}"
    page = seen_as.page(f"/boards?at={seq}")
    assert page.one("fieldset", class_="as-read").all("input", type="range") == []  # it is not switched off


@pytest.fixture
def long(table: Table) -> Table:
    for nth in range(150):
        note(table, f"Note {nth}.")
    return table


def test_the_line_does_not_grow_with_the_campaign(long, gm):
    few = len(str(gm.browser.get(f"{gm.home}/boards?at=120").text))
    for nth in range(120):
        note(long, f"More {nth}.")
    many = len(str(gm.browser.get(f"{gm.home}/boards?at=120").text))
    assert many < few * 1.5
    assert len(gm.line("/boards?at=120").attributes["data-steps"].split()) < 200
