"""A ledger of another tool on pages: its file, its columns, its names, the look at it, then one action."""

from typing import Any

import httpx
import pytest

from services.reading.foreign_ledger_table import FILE_BYTES_MAX
from tests.services.conftest import Table
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of

TEXT = (
    "When,From,To,Amount,Note\n2026-01-03,The group,Smithy,40,New axle\n2026-01-05,The group,Smithy,=2+2,Nails\n"
)


def send(
    browser: Browser, home: str, fields: list[tuple[str, str]], file: bytes = b"", **more: Any
) -> httpx.Response:
    files = [("file", ("ledger.csv", file)), *((name, (None, value)) for name, value in fields)]
    return browser.send("POST", f"{home}/ledger/read", files=files, **more)


def look(browser: Browser, home: str, text: str) -> Element:
    answer = send(browser, home, [], text.encode())
    assert answer.status_code == 200, answer.text
    return page_of(answer.text).one("main")


def entered(page: Element, **changes: str) -> list[tuple[str, str]]:
    """The fields of the form as a browser sends them, some with another value."""
    form = page.one("form")
    fields = [(field.attributes["name"], field.attributes["value"]) for field in form.all("input", type="hidden")]
    for select in form.all("select"):
        chosen = [option for option in select.all("option") if "selected" in option.attributes]
        fields.append((select.attributes["name"], chosen[0].attributes["value"] if chosen else ""))
    return [(name, changes.get(name, value)) for name, value in fields]


def press(browser: Browser, home: str, page: Element, do: str, **changes: str) -> httpx.Response:
    return send(browser, home, [*entered(page, **changes), ("do", do)])


def marks(table: Table) -> dict[str, int]:
    accounts = table.gm.get(f"{table.path}/ledger/accounts").json()["accounts"]
    return {account["account"]: account["balance"] for account in accounts}


@pytest.fixture
def banked(table: Table) -> Table:
    """A campaign whose group has 100 marks of the bank."""
    fields = {"debit": "world:bank", "credit": "group", "currency": "marks", "amount": 100, "reason": "Fee"}
    table.act(table.gm, "campaign.post_entry", new=True, **fields)
    return table


def test_a_file_is_read_its_names_are_explained_and_its_lines_posted_once(banked: Table, gm: Browser, home: str):
    assert gm.page(f"{home}/money").one("main").all("a", href=f"{home}/ledger/read")
    page = look(gm, home, TEXT)
    assert "Choose the column or value that is still missing: Currency" in page.text
    page = page_of(press(gm, home, page, "look", one_currency="marks").text).one("main")
    assert "Say which account of this campaign “Smithy” is." in page.text
    page = page_of(press(gm, home, page, "look", account_key="smithy").text).one("main")
    assert "“=2+2” is no amount." in page.one("section", aria_labelledby="refused").text
    assert "2026-01-03: New axle" in page.one("section", aria_labelledby="entries").text
    assert marks(banked) == {"group": 100, "world:bank": -100}
    refused = press(gm, home, page, "post")
    assert refused.status_code == 422
    assert "Some lines are refused now" in refused.text
    after = press(gm, home, page, "post_rest")
    assert after.status_code == 303, after.text
    assert "New axle" in gm.page(after.headers["location"]).one("main").text
    assert marks(banked) == {"group": 60, "smithy": 40, "world:bank": -100}
    again = press(gm, home, page, "post_rest")
    assert again.headers["location"] == after.headers["location"]
    assert marks(banked)["smithy"] == 40
    last = banked.gm.get(f"{banked.path}/actions?before=9007199254740992&limit=1").json()["actions"][0]
    assert banked.gm.post(f"{banked.path}/actions/{last['action_id']}/undo", {}).status_code == 201
    assert marks(banked)["group"] == 100


def test_a_file_that_is_no_such_table_is_refused_beside_its_field(banked: Table, gm: Browser, home: str):
    for file, words in (
        (b"", "Choose a file, or paste its text."),
        (b"from,to\na,b\0", "Line 2 holds a character that stands in no text"),
        (b"from,to\na,b\n\xe9,b", "Line 3 is not written in UTF-8"),
        ("from,to\na,b".encode("utf-16"), "Line 1 is not written in UTF-8"),
        (b'from,to\n"a,b', "Line 2 opens a quotation mark that is never closed."),
    ):
        answer = send(gm, home, [], file)
        assert answer.status_code == 422
        assert words in page_of(answer.text).one("p", id="text-error").text
    assert send(gm, home, [], b"x" * (FILE_BYTES_MAX + 1)).status_code == 413
    too_long = send(gm, home, [("text", "x" * (FILE_BYTES_MAX + 1))])
    assert "A table has 128 KiB at most." in too_long.text
    assert send(gm, home, [("text", TEXT), ("debit", "9999")]).status_code == 422
    assert (
        send(gm, home, [("text", TEXT), ("account_name", "Smithy"), ("account_key", "No key")]).status_code == 422
    )


def test_another_separator_lets_the_columns_be_guessed_again(banked: Table, gm: Browser, home: str):
    page = look(gm, home, "from;to,amount;currency\ngroup;world:bank,5;marks\n")
    page = page_of(press(gm, home, page, "look", separator="comma").text).one("main")
    assert [option.text for option in page.one("select", id="debit").all("option")] == [
        "Not in this table",
        "from;to",
        "amount;currency",
    ]


def test_only_gms_read_a_ledger(banked: Table, player: Browser, home: str):
    assert player.get(f"{home}/ledger/read").status_code == 403
    answer = send(player, home, [("text", "from,to,amount,currency\nworld:secret,group,1,marks\n")])
    assert answer.status_code == 403
    assert "secret" not in answer.text
    assert not player.page(f"{home}/money").one("main").all("a", href=f"{home}/ledger/read")
    foreign = send(player, home, [("text", TEXT)], headers={"Origin": "https://elsewhere.example"})
    assert foreign.status_code == 403


def test_the_pages_speak_french(banked: Table, client: Any, home: str):
    page = look(Browser(client, "fr").sign_in(banked.gm.name), home, TEXT)
    assert "Compte qui perd" in page.text
    assert "est encore passé. Toutes" in page.text
    page = page_of(
        press(Browser(client, "fr").sign_in(banked.gm.name), home, page, "look", one_currency="marks").text
    )
    assert "« Smithy »" in page.one("section", aria_labelledby="refused").text.replace("\u00a0", " ")
    assert "The group" not in page.one("section", aria_labelledby="refused").text
