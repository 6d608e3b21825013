"""What no form of ours sends: entries that would be costly, kept for ever or taken for another's."""

from typing import Any
from uuid import uuid4

import pytest

from domain.campaign.commands import SetSetting
from domain.json_depth import is_too_deep
from services.http.middleware.session_cookie import session_secret
from services.http.screen.commands.form_entries import FormEntries, read_command
from tests.web.browser import Browser

PARTS = 60_000
SPACED = (b"\xa0__Host-fieldlog_session=", b"\x85__Host-fieldlog_session=", b"__Host-fieldlog_session\xa0=")
"""A browser lets another host set these: for it, none of them is called `__Host-fieldlog_session`."""


@pytest.fixture
def do(table):
    """Send the form of a command as the table's GM; the status."""
    browser = Browser(table.gm.client).sign_in(table.gm.name)

    def sent(command: str, **entries: str) -> int:
        path, said = f"/c/{table.campaign_id}/do/{command}", {"Origin": browser.origin}
        answer = browser.send("POST", path, data={"key": str(uuid4()), **entries}, headers=said)
        status: int = answer.status_code
        return status

    return sent


def test_an_entry_of_very_many_parts_is_noted_by_its_first(do):
    """Noted under every beginning of its name, it would cost the square of its length."""
    name = "c." + "0." * PARTS
    assert do("campaign.add_note", **{"do": "ask", name: "x"}) == 200
    assert FormEntries([(name, "x")]).rows("c") == []


def test_no_form_writes_down_what_no_import_would_take(table, do):
    for month, status in (("Snow", 303), ("\\u0000", 422), ("\\ud800", 422)):
        shape = f'{{"months": [{{"name": "{month}", "days": 30}}]}}'
        assert do("campaign.set_setting", do="act", **{"c.key": "campaign.calendar", "c.value": shape}) == status
    kept = table.gm.get(f"{table.path}/export").content
    assert b"Snow" in kept
    headers = table.gm.headers | {"Content-Type": "application/x-ndjson"}
    again = table.gm.client.post("/api/campaigns/import", content=kept, headers=headers)
    assert again.status_code == 201, again.text


@pytest.mark.parametrize(
    "said", ['"\\u0000"', '{"a\\u0000": 1}', '"\\ud800"', "[" * 900 + "]" * 900, "NaN", "1e999"]
)
def test_what_the_api_would_not_take_as_json_is_text(said):
    assert value_of(said) == said


def test_other_json_is_read():
    """Negative control."""
    assert [value_of(each) for each in ("5", '["a"]', '"\\u00e9"', "Snow")] == [5, ["a"], "é", "Snow"]


def value_of(said: str) -> Any:
    entered = FormEntries([("c.key", "campaign.calendar"), ("c.value", said)])
    return read_command(SetSetting, entered)["value"]


def test_a_text_that_does_not_end_is_read_once_to_the_end_of_a_body(client):
    """Begun again at every quotation mark in it, that would cost the square of its length."""
    for body in (b'"' + b'\\"[' * 100, b"[" + b'"' * 61 + b"[" * 100):
        assert not is_too_deep(body)
        answer = client.post("/api/session", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == 400


def test_a_die_of_very_many_sides_is_no_defect(do):
    typed = {"dice": "typed", "sides.0": "9" * 5_000, "face.0": "1"}
    assert do("campaign.add_note", do="ask", **typed) == 200


def test_a_panel_allows_no_more_than_its_page(table):
    browser = Browser(table.gm.client).sign_in(table.player.name)
    page = browser.get(f"/c/{table.campaign_id}/table").headers
    for panel in ("sheets", "do", "boards", "chronicle", "chronicle?after=1"):
        alone = browser.get(f"/c/{table.campaign_id}/table/{panel}").headers
        for name in ("content-security-policy", "cross-origin-resource-policy", "referrer-policy"):
            assert alone[name] == page[name]


def test_a_cookie_that_only_looks_like_ours_is_none():
    secret = b"fs_" + b"x" * 43
    for scheme in ("http", "https"):
        for begun in (b"__Host-fieldlog_session=", b"other=1;  __Host-fieldlog_session="):
            assert secret_of(scheme, begun + secret) == secret.decode()
        for begun in SPACED:
            assert secret_of(scheme, begun + secret) is None
            own = b"__Host-fieldlog_session=fs_" + b"y" * 43
            assert secret_of(scheme, own + b"; " + begun + secret) == "fs_" + "y" * 43


def secret_of(scheme: str, cookie: bytes) -> str | None:
    scope: Any = {"type": "http", "scheme": scheme, "headers": [(b"cookie", cookie)]}
    return session_secret(scope)


def test_what_can_be_done_is_not_kept_for_whoever_is_not_there(table):
    browser = Browser(table.gm.client).sign_in(table.gm.name)
    assert browser.get(f"/c/{table.campaign_id}/do").status_code == 200
    kept = table.gm.client.app.state.application.possible._lists
    before = len(kept)
    for nth in range(3):
        assert browser.get(f"/c/{table.campaign_id}/do?character=nobody-{nth}").status_code == 400
    assert len(kept) == before


def test_nobody_keeps_that_a_page_is_not_there(table):
    browser = Browser(table.gm.client).sign_in(table.gm.name)
    for path in ("/nope", f"/c/{table.campaign_id}/sheets/nobody"):
        answer = browser.get(path)
        assert (answer.status_code, answer.headers["cache-control"]) == (404, "no-store")


def test_a_host_that_is_none_is_a_bad_request(client):
    for path in ("/", "/api/accounts/me"):
        answer = client.get(path, headers={"Host": 'evil"><script>'})
        assert answer.status_code == 400
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
