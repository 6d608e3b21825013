"""What browsers, and what passes for one, say of themselves: origins, cookies and kinds are read, or are none."""

import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.rejection import Forbidden
from services.accounts.browser_labels import browser_label
from services.http.middleware.origin_check import require_no_foreign_page, require_own_page
from services.http.middleware.session_cookie import cleared_cookies, session_cookie, session_secret
from services.settings import origin_of

SECRET = "fs_" + "aZ09_-" * 7 + "x"
TEXT = st.text(st.characters(max_codepoint=255), max_size=60)
URLS = st.builds(
    "{}://{}{}{}".format,
    st.sampled_from(["http", "https", "HTTPS", "ftp"]),
    st.sampled_from(["our.example", "Our.Example", "[::1]", "evil.test", "a@b", "a\\b", "", "[", "x y"]),
    st.sampled_from(["", ":80", ":443", ":8420", ":", ":x"]),
    st.sampled_from(["", "/", "/c/1?x=@our.example", "#our.example", "\n"]),
)


def scope(scheme: str = "http", method: str = "POST", **headers: str) -> Any:
    """An ASGI request with these headers."""
    sent = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    return {"type": "http", "scheme": scheme, "method": method, "headers": sent, "state": {}}


def is_own(asked: Any, *origins: str) -> bool:
    try:
        require_own_page(asked, origins)
    except Forbidden:
        return False
    return True


@given(st.one_of(TEXT, URLS))
@example("https://[::1]:8420/x")
def test_an_origin_has_one_form_and_anything_else_has_none(url: str) -> None:
    found = origin_of(url)
    if found is not None:
        assert origin_of(found) == found == found.lower()
        assert re.fullmatch(r"https?://[^/?#@\\\s]+", found)
        assert not found.endswith({"https": ":443"}.get(found.partition(":")[0], ":80"))


@given(st.one_of(TEXT, URLS), st.one_of(TEXT, URLS), TEXT, st.sampled_from(["http", "https"]))
def test_no_page_but_our_own_is_taken_for_it(origin: str, referer: str, host: str, scheme: str) -> None:
    said = scope(scheme, origin=origin, referer=referer, host="our.example")
    if is_own(said):
        assert origin_of(origin) in ("https://our.example", f"{scheme}://our.example")
    is_own(scope(scheme, origin=origin, referer=referer, host=host), "https://our.example")


def test_two_origins_must_both_be_ours() -> None:
    both = scope(host="our.example")
    both["headers"] += [(b"origin", b"http://our.example"), (b"origin", b"http://evil.test")]
    assert not is_own(both)
    both["headers"].pop()
    assert is_own(both)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "post", "QUERY"])
def test_whatever_does_not_only_read_must_say_where_it_comes_from(method: str) -> None:
    assert not is_own(scope(method=method, host="our.example"))
    assert all(is_own(scope(method=each, host="our.example")) for each in ("GET", "HEAD"))


def test_a_refusal_says_what_was_said_but_not_without_end() -> None:
    with pytest.raises(Forbidden) as refused:
        require_own_page(scope(host="our.example", origin="http://evil.test/" + "x" * 5000), ())
    assert refused.value.code == "foreign_origin"
    assert len(refused.value.details["origin"]) == 200


def test_signing_in_may_come_from_nowhere_but_not_from_elsewhere() -> None:
    require_no_foreign_page(scope(host="our.example"), ())
    require_no_foreign_page(scope(host="our.example", origin="http://our.example"), ())
    for origin in ("null", "", "http://evil.test"):
        with pytest.raises(Forbidden):
            require_no_foreign_page(scope(host="our.example", origin=origin), ())


@given(st.lists(st.one_of(TEXT, st.just(f"fieldlog_session={SECRET}"))), st.sampled_from([";", "; ", ","]))
def test_whatever_a_cookie_holds_it_is_a_secret_or_none(cookies: list[str], between: str) -> None:
    for scheme in ("http", "https"):
        found = session_secret(scope(scheme, cookie=between.join(cookies)))
        assert found in (None, SECRET)


def test_the_cookie_that_is_set_is_the_one_that_is_read() -> None:
    for scheme, headers in (("http", {}), ("https", {}), ("http", {"origin": "https://our.example"})):
        cookie = session_cookie(scope(scheme, **headers), SECRET)
        sent = f"theme=dark; {cookie.key}={cookie.value}"
        assert session_secret(scope(scheme, cookie=sent)) == SECRET
    assert {each.key for each in cleared_cookies()} == {
        session_cookie(scope(scheme), SECRET).key for scheme in ("http", "https")
    }


def test_the_hosts_own_cookie_goes_before_one_that_another_host_may_have_set() -> None:
    other = SECRET.replace("a", "b")
    both = f"fieldlog_session={other}; __Host-fieldlog_session={SECRET}"
    assert session_secret(scope(cookie=both)) == SECRET
    assert session_secret(scope("https", cookie=f"fieldlog_session={other}")) is None


WINDOWS, LINUX = "(Windows NT 10.0; Win64; x64)", "(X11; Linux x86_64)"
PHONE = "(iPhone; CPU iPhone OS 19_0 like Mac OS X)"
WEBKIT, BLINK = (
    "AppleWebKit/605.1.15 (KHTML, like Gecko)",
    "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0",
)


@pytest.mark.parametrize(
    ("agent", "label"),
    [
        ("(Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0", "browser, Firefox on Android"),
        (f"{LINUX} {BLINK} Safari/537.36", "browser, Chrome on Linux"),
        (f"{WINDOWS} {BLINK} Safari/537.36 Edg/156.0.0.0", "browser, Edge on Windows"),
        (f"{PHONE} {WEBKIT} Version/19.0 Mobile/15E148 Safari/604.1", "browser, Safari on iPhone"),
        (f"{PHONE} {WEBKIT} CriOS/156.0 Mobile/15E148 Safari/604.1", "browser, Chrome on iPhone"),
        (f"(Macintosh; Intel Mac OS X 10_15_7) {WEBKIT} Version/19.0 Safari/605.1", "browser, Safari on macOS"),
        (
            f"(Linux; Android 16; K) {BLINK} SamsungBrowser/30.0 Mobile Safari/537.36",
            "browser, Samsung Internet on Android",
        ),
        (WINDOWS, "browser, Windows"),
        ("Safari/1", "browser, Safari"),
        ("curl/8.9.1", "browser"),
        ("", "browser"),
    ],
)
def test_a_session_is_called_by_its_browser_and_its_system(agent: str, label: str) -> None:
    assert str(browser_label(f"Mozilla/5.0 {agent}")) == label


@given(st.text(max_size=300))
def test_a_label_says_nothing_of_what_else_a_browser_says(agent: str) -> None:
    assert re.fullmatch("browser(, [A-Za-z ]{1,70})?", str(browser_label(agent)))
