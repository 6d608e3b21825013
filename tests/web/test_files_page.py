"""The page of a campaign's file says what it holds, to whom, and leads to the download."""

from typing import Any

import pytest
from litestar.testing import TestClient

from tests.services.conftest import Table
from tests.services.transfers import lines_of, played_at
from tests.web.browser import Browser
from tests.web.html_page import Element


@pytest.fixture
def played(table: Table) -> Table:
    return played_at(table)


def page_for(client: TestClient[Any], name: str, table: Table, query: str = "") -> tuple[Browser, Element]:
    browser = Browser(client).sign_in(name)
    return browser, browser.page(f"/c/{table.campaign_id}/files{query}").one("main")


def test_a_gm_reads_that_it_is_whole_and_downloads_it(client, played):
    gm, page = page_for(client, "Ana", played)
    assert "Everything hidden is in it, in plain words" in page.text
    [link] = page.all("a", class_="button first wide")
    content = gm.get(link.attributes["href"]).content
    header, last = lines_of(content)[0], str(played.seq())
    assert (str(header["as_of"]), header["role"]) == (last, "gm")
    assert last in page.one("dl").text
    settings = gm.page(f"/c/{played.campaign_id}/settings")
    assert f"/c/{played.campaign_id}/files" in [each.attributes["href"] for each in settings.all("a")]


def test_a_player_reads_that_it_can_be_checked_only(client, played):
    player, page = page_for(client, "Mara", played)
    assert "as a fingerprint alone" in page.text
    assert "in plain words" not in page.text
    [link] = page.all("a", class_="button first wide")
    assert lines_of(player.get(link.attributes["href"]).content)[0]["role"] == "player"


def test_the_file_of_a_moment_ends_there(client, played):
    gm, page = page_for(client, "Ana", played, "?at=4")
    assert "You read this as it was at no. 4." in page.text
    [link] = page.all("a", class_="button first wide")
    assert lines_of(gm.get(link.attributes["href"]).content)[0]["as_of"] == 4
