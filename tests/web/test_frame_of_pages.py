"""What every page has: compression, a tag, a language, and files that clients keep."""

import gzip

import pytest

from services.http.screen.shared.static_files import COMMENT, FOLDER, asset, content_of
from tests.web.html_page import page_of


def test_a_stranger_reads_what_this_is(client):
    answer = client.get("/")
    assert answer.status_code == 200
    page = page_of(answer.text)
    assert page.one("html").attributes["lang"] == "en"
    assert page.one("h1").text == "A logbook for long campaigns"


def test_a_page_is_in_the_language_of_the_browser(client):
    answer = client.get("/", headers={"Accept-Language": "fr-CA, en;q=0.5"})
    assert answer.headers["content-language"] == "fr"
    assert page_of(answer.text).one("html").attributes["lang"] == "fr"
    assert "journal de bord" in answer.text


def test_a_page_that_has_not_changed_is_not_sent_again(client):
    first = client.get("/")
    again = client.get("/", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    in_french = client.get("/", headers={"If-None-Match": first.headers["etag"], "Accept-Language": "fr"})
    assert in_french.status_code == 200
    assert {"Accept-Language", "Cookie"} <= {each.strip() for each in first.headers["vary"].split(",")}


def test_the_stylesheet_is_compressed_small_and_kept_for_ever(client):
    with client.stream("GET", asset("app.css"), headers={"Accept-Encoding": "gzip"}) as answer:
        packed = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "gzip"
    assert "immutable" in answer.headers["cache-control"]
    assert len(packed) <= 12 * 1024
    plain = client.get(asset("app.css"), headers={"Accept-Encoding": "identity"})
    assert gzip.decompress(packed) == plain.content
    assert plain.headers["content-type"] == "text/css; charset=utf-8"
    assert client.get(asset("feed.js")).headers["content-type"] == "text/javascript; charset=utf-8"


@pytest.mark.parametrize(
    ("place", "said", "is_trusted"),
    [
        ("http://table.lan:8420/", {}, False),
        ("https://table.lan:8420/", {}, True),
        ("http://127.0.0.1:8420/", {"Sec-Fetch-Site": "none"}, True),
    ],
)
def test_no_other_window_holds_a_page_where_browsers_see_to_that(client, place, said, is_trusted):
    """Over plain HTTP on a network a browser ignores the policy, and complains of it."""
    assert ("cross-origin-opener-policy" in client.get(place, headers=said).headers) is is_trusted


def test_a_file_that_is_not_there_is_not_found(client):
    assert client.get("/static/app.0000.css").status_code == 404
    assert client.get("/static/..%2Ftemplates.py").status_code == 404


def test_a_page_takes_forms_and_no_nul(client):
    assert client.get("/?a=%00").status_code == 400


@pytest.mark.parametrize("script", sorted(FOLDER.glob("*.js")), ids=lambda path: path.name)
def test_the_lines_left_out_of_a_script_are_comments(script):
    source = script.read_bytes()
    assert b"//" not in {line.strip()[:2] for line in content_of(script.name).splitlines()}
    for comment in COMMENT.finditer(source):
        before = COMMENT.sub(b"", source[: comment.start()])
        assert before.count(b"`") % 2 == 0, "it is within a text of several lines"
