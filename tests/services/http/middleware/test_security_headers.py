"""What a browser may do with pages: the strict headers of our own reach it as they are, once each."""

import pytest
from litestar import Litestar, MediaType, get
from litestar.testing import TestClient

from services.http.middleware.common_middleware import Envelope
from services.http.screen.shared.security_headers import PAGE_HEADERS


@get("/page", response_headers=PAGE_HEADERS, media_type=MediaType.HTML)
async def page() -> str:
    return "<!doctype html><title>Table</title><script>alert(1)</script>"


@get("/plain", media_type=MediaType.HTML)
async def plain() -> str:
    return "<!doctype html><title>Docs</title><script>alert(1)</script>"


@pytest.fixture
def site():
    app = Litestar([page, plain], openapi_config=None)
    app.asgi_handler = Envelope(app.asgi_handler)
    with TestClient(app) as client:
        yield client


def test_a_page_with_a_policy_of_its_own_keeps_it(site):
    answer = site.get("/page")
    for name, value in PAGE_HEADERS.items():
        assert answer.headers.get_list(name) == [value]
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.text.endswith("</script>")


def test_no_policy_of_ours_lets_anything_in_but_our_own_files():
    policy = dict(each.split(" ", 1) for each in PAGE_HEADERS["Content-Security-Policy"].split("; "))
    assert {source for name, source in policy.items()} == {"'none'", "'self'"}
    assert {name for name, source in policy.items() if source == "'none'"} == {
        "default-src",
        "base-uri",
        "frame-ancestors",
    }


def test_another_page_is_given_the_policy_of_the_scripts_in_it(site):
    """Negative control."""
    (policy,) = site.get("/plain").headers.get_list("content-security-policy")
    assert "sha256-" in policy
    assert policy != PAGE_HEADERS["Content-Security-Policy"]
