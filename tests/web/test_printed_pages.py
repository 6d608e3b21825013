"""Service records, recaps and the book: pages to be read aloud and printed."""

from typing import Any

import pytest

from services.http.screen.book import campaign_book as module
from tests.services.conftest import Person, Table
from tests.web.browser import Browser
from tests.web.html_page import Element


@pytest.fixture
def pilot(table: Table) -> str:
    """A pilot who was on a mission in the first of two play sessions."""
    gm = table.gm
    table.act(gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Noa")
    [sheet] = gm.get(f"{table.path}/sheets").json()["sheets"]
    table.act(gm, "campaign.start_session", title="The Long Tow")
    table.act(gm, "campaign.start_scene", name="The bridge")
    table.act(gm, "frame_state.award_currency", pilot=sheet["character"], amount=40, reason="salvage rights")
    note(table, "The salt moon rises")
    table.act(gm, "frame_state.start_mission", name="Cold Harbour")
    table.act(gm, "frame_state.conclude_mission", payouts={sheet["character"]: 60})
    table.act(gm, "campaign.end_session")
    table.act(gm, "campaign.start_session", title="Bad Weather")
    note(table, "It rains salt")
    return str(sheet["character"])


def note(table: Table, text: str, visibility: str = "all") -> dict[str, Any]:
    body = {"command": {"type": "campaign.add_note", "text": text}, "visibility": visibility}
    answer = table.gm.post(f"{table.path}/actions", body)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def chapters(page: Element) -> list[str]:
    return [each.one("h2").text for each in page.all("section", class_="chapter record")]


def test_a_record_tells_what_happened_and_counts_it(gm, home, pilot):
    sheet = gm.page(f"{home}/sheets/{pilot}")
    [link] = [each for each in sheet.all("a") if each.text == "Service record"]
    page = gm.page(link.attributes["href"])
    assert page.one("h1").text == "Service record of Noa"
    assert "played by Mara" in page.text
    figures = page.one("article", class_="sheet").text
    assert "Awards 40" in figures
    assert "Starting money 100" in figures
    assert "Aces" not in figures, "what never happened"
    tale = page.one("section", class_="panel tale-of")
    assert "Play session 1" in tale.one("h3").text
    assert "Cold Harbour" in tale.one("ul").text
    assert "play session 1" in figures


def test_recap_and_book_keep_the_lines_of_a_note(table, gm, home, pilot):
    note(table, "Rain.\nStill rain.\n \nThen sun.")
    recap = gm.get(f"{home}/recap").text
    assert '<p class="written">Note: Rain.\nStill rain.\n \nThen sun.</p>' in recap
    book = gm.get(f"{home}/book").text
    assert '<p class="written">Note: Rain.\nStill rain.</p>\n<p class="written">Then sun.</p>' in book
    sent = table.gm.get(f"{table.path}/recap").json()["text"]
    assert "- Note: Rain.\n  Still rain.\n   \n  Then sun." in sent


def test_a_recap_does_not_repeat_what_was_undone_in_its_session(table, gm, home, pilot):
    before = note(table, "It rained frogs")
    table.act(table.gm, "campaign.end_session")
    table.act(table.gm, "campaign.start_session", title="Third")
    slip = note(table, "A slip of the pen")
    for made in (before, slip):
        assert table.gm.post(f"{table.path}/actions/{made['action_id']}/undo", {}).status_code == 201
    recap = gm.page(f"{home}/recap").text
    assert "slip" not in recap
    assert "Undone: Note: It rained frogs" in recap, "of an earlier session it is news"
    assert "slip" not in table.gm.get(f"{table.path}/recap").json()["text"]


def test_a_record_of_the_past_ends_there(table, gm, home, pilot):
    started = table.gm.get(f"{table.path}/actions?type=campaign.start_session").json()["actions"][0]["last_seq"]
    then = gm.page(f"{home}/sheets/{pilot}/record?at={started}")
    assert f"no. {started}." in then.one("p", class_="notice past row between").text
    assert "salvage rights" not in then.text
    assert gm.get(f"{home}/sheets/nobody/record").status_code == 404


def test_what_is_printed_says_of_which_moment_it_is_with_the_hash_of_that(table, gm, home, pilot):
    seq = table.seq()
    [last] = table.gm.get(f"{table.path}/events?before={seq + 1}&limit=1").json()["events"]
    for path in (f"sheets/{pilot}", f"sheets/{pilot}/record", "recap", "book", f"money/pilot:{pilot}"):
        page = gm.page(f"{home}/{path}")
        foot = page.one("p", class_="printed").text
        assert f"as of no. {seq}," in foot
        assert last["recorded"]["hash"].startswith(page.one("span", class_="mono").text.rstrip("…"))
        assert len(page.one("span", class_="mono").text) > 8
        assert [each.attributes["media"] for each in page.all("link") if "media" in each.attributes] == ["print"]


def test_a_recap_is_of_the_last_play_session_or_of_the_one_that_is_asked_for(gm, home, pilot):
    last = gm.page(f"{home}/recap")
    assert last.one("h1").text == "Play session 2: Bad Weather"
    assert "It rains salt" in last.text
    first = gm.page(f"{home}/recap?session=1")
    assert first.one("h1").text == "Play session 1: The Long Tow"
    assert "The salt moon rises" in first.text
    missing = gm.get(f"{home}/recap?session=7")
    assert missing.status_code == 404
    assert "There was no play session 7." in missing.text


def test_a_book_has_a_chapter_for_each_play_session(gm, home, pilot):
    page = gm.page(f"{home}/book")
    told = ["Before the first play session", "Play session 1: The Long Tow", "Play session 2: Bad Weather"]
    assert chapters(page) == told
    assert [each.text for each in page.one("nav", aria_labelledby="contents").all("a")] == told
    [first] = page.all("section", id="s1")
    assert "The salt moon rises" in first.text
    assert "It rains salt" not in first.text
    assert [each.text for each in first.all("h3")] == ["Scene: The bridge"]


def test_a_book_is_the_same_however_many_actions_are_told_at_once(gm, home, pilot, monkeypatch):
    whole = gm.get(f"{home}/book").text
    monkeypatch.setattr(module, "ACTIONS", 2)
    assert gm.get(f"{home}/book").text.split() == whole.split()


def test_a_book_is_compressed_on_its_way(gm, home, pilot):
    assert gm.get(f"{home}/book").headers["content-encoding"] == "gzip"


def test_a_book_leaves_out_what_was_undone_and_what_its_reader_may_not_know(table, gm, player, home, pilot):
    mistake = note(table, "A slip of the pen")
    note(table, "The mole is Jun", "gm")
    assert table.gm.post(f"{table.path}/actions/{mistake['action_id']}/undo", {}).status_code == 201
    text = gm.page(f"{home}/book").text
    assert "A slip of the pen" not in text
    assert "The mole is Jun" in text
    own = player.page(f"{home}/book").text
    assert "The mole is Jun" not in own
    assert "hidden" not in own
    assert "The mole is Jun" not in gm.page(f"{home}/as/{table.player.account_id}/book").text


def test_a_campaign_in_which_nothing_was_played_has_a_book_too(table, gm, player, home):
    assert chapters(gm.page(f"{home}/book")) == ["Before the first play session"]
    early = gm.get(f"{home}/recap")
    assert early.status_code == 404
    assert "No play session has begun yet." in early.text
    stranger = Browser(table.gm.client).sign_in(Person(table.gm.client, "Somebody else").name)
    assert {stranger.get(f"{home}/{path}").status_code for path in ("book", "recap")} == {404}
