"""What is read again is not sent again, and what is sent is small where the client takes it so."""

import gzip
from typing import Any

import pytest

from tests.services.conftest import Table, table_at
from tests.services.live_api import Follower, api

PLAIN = {"Accept-Encoding": "identity"}
GZIPPED = {"Accept-Encoding": "gzip"}


@pytest.fixture
def talkative(table: Table) -> Table:
    for nth in range(20):
        table.act(table.gm, "campaign.add_note", text=f"note {nth} " * 20)
    return table


def raw(table: Table, path: str, **headers: str) -> tuple[Any, bytes]:
    """An answer with the bytes that came."""
    asked = {**table.gm.headers, **headers}
    with table.gm.client.stream("GET", f"/api{table.path}{path}", headers=asked) as response:
        return response, b"".join(response.iter_raw())


@pytest.mark.parametrize("path", ["", "/actions", "/events", "/sheets", "/ledger/entries", "/members"])
def test_what_has_not_changed_is_not_sent_again(table, path):
    first = table.gm.get(table.path + path)
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "private, no-cache"
    assert "Authorization" in first.headers["vary"]
    for known in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
        again = table.gm.get(table.path + path, headers={"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert "content-type" not in again.headers
    assert table.gm.get(table.path + path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_what_has_changed_is_sent_again_and_refusals_have_no_tag(table):
    tag = table.gm.get(table.path).headers["etag"]
    table.act(table.gm, "campaign.add_note", text="x")
    assert table.gm.get(table.path, headers={"If-None-Match": tag}).status_code == 200
    nothing = table.gm.get(f"{table.path}/sheets/nobody", headers={"If-None-Match": "*"})
    assert (nothing.status_code, "etag" in nothing.headers) == (404, False)
    acted = table.try_to(table.gm, "campaign.add_note", text="x", headers=GZIPPED)
    assert not {"etag", "content-encoding"} & acted.headers.keys()


def test_a_long_text_comes_gzipped_to_who_takes_that_and_is_the_same(talkative):
    plain, whole = raw(talkative, "/actions", **PLAIN)
    assert "content-encoding" not in plain.headers
    packed, some = raw(talkative, "/actions", **GZIPPED)
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) == len(some) < len(whole) / 3
    assert gzip.decompress(some) == whole
    assert packed.headers["etag"] == plain.headers["etag"]
    refused, _ = raw(talkative, "/actions", **{"Accept-Encoding": "gzip;q=0, br"})
    assert "content-encoding" not in refused.headers
    short, _ = raw(talkative, "/actions?limit=1&type=angst.call_test", **GZIPPED)
    assert "content-encoding" not in short.headers


@pytest.mark.parametrize("path", ["/export", "/ledger/entries.csv", "/ledger/export?format=hledger"])
def test_what_comes_in_pieces_is_compressed_on_its_way(talkative, path):
    plain, whole = raw(talkative, path, **PLAIN)
    packed, some = raw(talkative, path, **GZIPPED)
    assert (plain.headers.get("content-encoding"), packed.headers["content-encoding"]) == (None, "gzip")
    # An export begins and ends with what was made for it only.
    assert gzip.decompress(some).splitlines()[1:20] == whole.splitlines()[1:20]
    assert packed.headers["content-disposition"] == plain.headers["content-disposition"]


def test_the_head_of_everything_says_the_same(talkative):
    for path in ("/actions", "/export", "/live"):
        head = talkative.gm.send("HEAD", talkative.path + path, headers=PLAIN)
        assert (head.status_code, head.content) == (200, b"")
        assert ("etag" in head.headers) == (path == "/actions")


def test_a_live_feed_is_never_compressed(database):
    with api(database.service) as running:
        table = table_at(running.client)
        table.gm.headers = table.gm.headers | GZIPPED
        feed = Follower(running, table.gm, table.path)
        table.act(table.gm, "campaign.add_note", text="x" * 2000)
        feed.reaches(table.seq())
        assert "content-encoding" not in {name.lower() for name in feed.headers}
        feed.hang_up()
