"""A real browser at a running service: Chromium from the distribution, driven by Playwright.

`FIELDLOG_BROWSER` says whether there has to be one: `required` fails without, `off` asks for none, and `auto`, the
default, skips with a line that says what is missing.
"""

import importlib
import importlib.util
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.engines import DatabaseUrls
from tests.services.browser import Browser
from tests.services.conftest import Person, Table, table_at
from tests.services.live_api import Api, api

WANTED = os.environ.get("FIELDLOG_BROWSER", "auto")
HOST = "table.test"
"""A name as phones on a LAN use it: over plain HTTP no secure context, unlike 127.0.0.1."""

EXPECTED = ("ERR_INTERNET_DISCONNECTED",)
"""What a browser complains of without a connection."""


def missing() -> str | None:
    """What there would have to be; None: all is here."""
    if WANTED == "off":
        return "FIELDLOG_BROWSER is off"
    if importlib.util.find_spec("playwright") is None:
        return "playwright is not installed"
    return None if chromium() else "there is no chromium"


def chromium() -> str | None:
    """Where Chromium is."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="package")
def chrome() -> Iterator[Any]:
    """The browser, which ends with these tests: its event loop runs in this thread, where others want theirs."""
    lacking = missing()
    if lacking is not None:
        print(f"Pages were not tested in a browser: {lacking}.")  # noqa: T201
        assert WANTED != "required", lacking
        pytest.skip(lacking)
    with ExitStack() as stack:
        driver = stack.enter_context(importlib.import_module("playwright.sync_api").sync_playwright())
        rules = f"--host-resolver-rules=MAP {HOST} 127.0.0.1"
        yield stack.enter_context(driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox", rules]))


@pytest.fixture
def running(chrome: Any, database: DatabaseUrls) -> Iterator[Api]:
    """The service on a real server; it is only started where there is a browser."""
    assert chrome
    with api(database.service) as running:
        yield running


@pytest.fixture
def table(running: Api) -> Table:
    """A campaign with its GM and one player."""
    return table_at(running.client)


class Screen:
    """A person's browser, open at a campaign. `wrong` is what its console said."""

    def __init__(self, chrome: Any, running: Api, table: Table, person: Person, **more: Any) -> None:
        self.base = running.base.replace("127.0.0.1", HOST)
        self.path = f"{self.base}/c/{table.campaign_id}"
        self.context = chrome.new_context(locale="en", **more)
        name, _, value = Browser(running.client, person.name).cookie.partition("=")
        self.context.add_cookies([{"name": name, "value": value, "url": self.base}])
        self.wrong: list[str] = []
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda failure: self.wrong.append(str(failure)))
        self.page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)

    def open(self, path: str) -> Any:
        """Go to a page of the campaign, and wait until it follows."""
        self.page.goto(f"{self.path}{path}")
        if path == "/table":
            self.sees("#line", "live")
        return self.page

    def sees(self, selector: str, text: str) -> None:
        """Wait until there is an element with a text."""
        self.page.locator(selector, has_text=text).first.wait_for(state="attached", timeout=15_000)


@pytest.fixture
def screens(chrome: Any, running: Api, table: Table) -> Iterator[Any]:
    """Makes screens for people; in the end nothing went wrong on any."""
    made: list[Screen] = []

    def screen(person: Person, **more: Any) -> Screen:
        made.append(Screen(chrome, running, table, person, **more))
        return made[-1]

    yield screen
    for each in made:
        each.context.close()
    said = [wrong for each in made for wrong in each.wrong]
    assert [wrong for wrong in said if not any(expected in wrong for expected in EXPECTED)] == []
