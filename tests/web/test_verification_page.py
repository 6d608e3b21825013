"""The whole log checked as a page: in words, with progress, and with all that is needed to check it elsewhere."""

from typing import Any

import msgspec
import pytest

from services.http.screen.dice import verification
from tests.engines import DatabaseUrls
from tests.services.conftest import Table
from tests.services.forged_log import changed
from tests.web.html_page import page_of


@pytest.fixture
def path(table: Table) -> str:
    return f"/c/{table.campaign_id}/verify"


def an_evening(table: Table) -> Any:
    rolled = table.act(table.player, "campaign.roll", notation="4d20")
    table.act(table.player, "campaign.roll", notation="2d6", rolled=[[6, 1], [6, 2]])
    table.act(table.gm, "campaign.end_dice_epoch")
    table.act(table.player, "campaign.roll", notation="1d6")
    return rolled["events"][0]


def test_nothing_is_checked_before_it_is_asked_for(table, player, path):
    page = player.page(path)
    assert f"{table.seq()} events so far" in page.text
    assert page.all("p", role="status") == []
    assert page.one("a", class_="button first").attributes["href"] == f"{path}?run=yes"


def test_what_was_checked_is_told_in_words(table, player, path):
    an_evening(table)
    page = player.page(f"{path}?run=yes&wait=yes")
    assert "✓ All is as it was written." in page.one("p", role="status").text
    for told in (
        f"{table.seq()} events: every hash follows",
        "4 dice recomputed",
        "1 die waits",
        "2 dice of the table",
    ):
        assert told in page.text
    assert table.gm.get(f"{table.path}/verify").json()["head_hash"] in page.text


def test_a_die_that_was_changed_in_the_database_is_told_with_its_line(table, player, path, database: DatabaseUrls):
    rolled = an_evening(table)
    shown = rolled["dice"][0]["natural"]
    old, new = (b'"natural":%d,"value":%d' % (each, each) for each in (shown, shown % 20 + 1))
    changed(database, table.campaign_id, rolled["seq"], lambda body: body.replace(old, new, 1), rechained=True)
    page = player.page(f"{path}?run=yes&wait=yes")
    assert "NOT as it was written" in page.one("p", role="status").text
    [fault] = [each for each in page.all("li") if "another face" in each.text]
    assert fault.one("a").attributes["href"].endswith(f"/a/{rolled['seq']}")


def test_an_event_that_was_changed_is_told_by_its_number(table, player, path, database: DatabaseUrls):
    seq = an_evening(table)["seq"]
    changed(database, table.campaign_id, seq, lambda body: body.replace(b"4d20", b"4d12"), rechained=False)
    page = player.page(f"{path}?run=yes&wait=yes")
    assert f"No. {seq} is not what was written" in page.text


def test_a_long_check_says_how_far_it_is(table, player, path, monkeypatch):
    monkeypatch.setattr(verification, "PATIENCE_SECONDS", 0)
    page = player.page(f"{path}?run=yes")
    assert page.one("div", id="searching").one("progress")
    assert page.one("noscript").one("a").attributes["href"] == f"{path}?run=yes&wait=yes"
    streamed = player.send("GET", f"{path}?run=yes", headers={"Accept": "text/event-stream"})
    *_, last = streamed.text.strip().split("\n\n")
    kind, data = last.split("\n")
    assert kind == "event: answer"
    assert "All is as it was written" in page_of(msgspec.json.decode(data.removeprefix("data: "))).text


def test_the_checkpoint_on_the_page_is_the_one_to_download(table, player, path):
    page = player.page(path)
    kept = table.player.get(f"{table.path}/checkpoint").json()
    assert all(kept[name] in page.text for name in ("hash", "signature", "public_key"))
    links = [each.attributes["href"] for each in page.all("a") if "download" in each.attributes]
    assert links == [f"/api{table.path}/export", f"/api{table.path}/checkpoint"]
    for link in links:
        assert player.send("GET", link).status_code == 200
