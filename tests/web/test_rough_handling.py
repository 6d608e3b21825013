"""Pages under people who never read anything: odd entries, ends of sign-ins, and what they typed."""

import pytest

from domain.campaign.commands import SetSetting
from services.http.screen.commands.form_entries import DEPTH_MAX, FormEntries, as_text, entries_of, read_command
from services.http.screen.shared.page_responses import own_path
from tests.web.html_page import page_of
from tests.web.reader import Reader, filled, hidden


def test_a_name_of_many_parts_costs_no_more_than_a_short_one():
    """Rows were noted under every beginning of a name: 80 KB of them took 17 seconds and all of the memory."""
    many = FormEntries([("c" + ".1" * 40_000, "x")])
    assert len(many._rows) <= DEPTH_MAX
    assert FormEntries([("c.dice.7.die", "d6")]).rows("c.dice") == [7]


@pytest.mark.parametrize("said", ['"\\ud800"', '{"\\ud800": 1}', '["\\udfff"]'])
def test_half_of_a_character_stays_the_text_that_was_entered(said):
    read = read_command(SetSetting, FormEntries([("c.key", "k"), ("c.value", said)]))
    assert read["value"] == said
    assert read_command(SetSetting, FormEntries(entries_of(SetSetting, read))) == read
    assert as_text(said).encode()


def test_a_die_of_thousands_of_digits_is_refused(table):
    form = {"face.0": "1", "sides.0": "9" * 5_000, "dice": "typed", "c.text": "a", "do": "act", "key": "k"}
    assert Reader(table, table.player).answer("campaign.add_note", form).status_code == 400


def test_a_form_that_was_sent_before_with_something_else_says_so_in_plain_words(table):
    player = Reader(table, table.player)
    form = {**filled(player.page("campaign.add_note")), "do": "act"}
    player.answer("campaign.add_note", {**form, "c.text": "One."})
    told = player.page("campaign.add_note", {**form, "c.text": "Two."}).one("p", role="alert").text
    assert "Idempotency" not in told
    assert "Send it again" in told


@pytest.mark.parametrize("path", ["do/campaign.add_note", "notes", "session", "invites"])
def test_a_form_after_the_sign_in_ended_says_that_nothing_was_done(table, path):
    player = Reader(table, table.player)
    player.browser.cookies = {}
    before = table.seq()
    answer = player.browser.client.request(
        "POST", f"/c/{table.campaign_id}/{path}", headers=player.browser.headers, data={"c.text": "Rain."}
    )
    assert answer.status_code == 401
    assert "nothing was done" in page_of(answer.text).one("main").text
    assert table.seq() == before


def test_a_note_that_cannot_be_taken_is_kept(table):
    player = Reader(table, table.player)
    player.path = f"/c/{table.campaign_id}"
    answer = player.answer("notes", {"text": "x" * 2_001})
    assert answer.status_code == 422
    page = page_of(answer.text).one("main")
    assert page.one("textarea").text == "x" * 2_001
    assert page.one("p", role="alert").text
    assert hidden(page, "next") == f"/c/{table.campaign_id}/table"


def test_lines_of_a_note_count_as_the_browser_counts_them(table):
    player = Reader(table, table.player)
    player.path = f"/c/{table.campaign_id}"
    assert player.answer("notes", {"text": "a\r\n" * 999 + "b"}).status_code == 303


def test_a_member_whom_a_page_refuses_still_reads_their_name_at_its_head(table):
    player = Reader(table, table.player)
    page = page_of(player.answer("no.such_command").text)
    assert table.player.name in page.one("header").text


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("/c/8/do/campaign.add_note", "/c/8/do/campaign.add_note"),
        ("/c/../account", "/"),
        ("/c/..", "/"),
        ("/.well", "/"),
        ("//host.test", "/"),
        ("/c//host.test", "/c//host.test"),
    ],
)
def test_after_signing_in_one_comes_back_to_the_form_of_a_command(said, path):
    assert own_path(said) == path


@pytest.mark.parametrize("path", ["session", "notes", "invites"])
def test_who_comes_back_to_the_address_of_a_form_reads_a_page(table, path):
    client, address = table.player.client, f"/c/{table.campaign_id}/{path}"
    answer = client.get(address, headers={"Accept": "text/html,*/*", "Accept-Language": "fr"})
    assert answer.status_code == 405
    assert page_of(answer.text).one("h1").text.startswith("Cette page")
    assert client.get(address).json()["code"] == "method_not_allowed"
