"""Chromium from the distribution, driven by Playwright.

`FIELDLOG_BROWSER` says whether there has to be one: `required` fails without, `off` asks for none, and `auto`, the
default, skips with a line that says what is missing.
"""

import importlib
import importlib.util
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

WANTED = os.environ.get("FIELDLOG_BROWSER", "auto")
HOST = "table.test"
"""A name as phones on a LAN use it: over plain HTTP no secure context, unlike 127.0.0.1."""
WINDOWLESS = "chromium-headless-shell"
NAMES = ("chromium", "chromium-browser", WINDOWLESS)
FLAGS = ("--no-sandbox", "--disable-gpu", "--ignore-certificate-errors")
NEEDED = ("playwright", "axe_playwright_python")


def missing() -> str | None:
    """What there would have to be; None: all is here."""
    if WANTED == "off":
        return "FIELDLOG_BROWSER is off"
    lacking = [each for each in NEEDED if importlib.util.find_spec(each) is None]
    if lacking:
        return f"{lacking[0]} is not installed"
    return None if chromium() else "there is no chromium"


def chromium() -> str | None:
    """The path of Chromium as people use it: its build without windows keeps feeds open while it is offline."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def launched() -> Iterator[Any]:
    """The browser, which finds no host but this machine, and that under a name of its own, by any certificate."""
    with (
        importlib.import_module("playwright.sync_api").sync_playwright() as driver,
        _launched(driver.chromium, chromium()) as found,
    ):
        yield found


@contextmanager
def windowless(chrome: Any) -> Iterator[Any]:
    """The same without windows, which opens a page in a third of the time; where it is missing, `chrome`."""
    path = shutil.which(WINDOWLESS)
    if path is None:
        yield chrome
        return
    with _launched(chrome.browser_type, path) as found:
        yield found


@contextmanager
def _launched(kind: Any, path: str | None) -> Iterator[Any]:
    rules = f"--host-resolver-rules=MAP {HOST} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    found = kind.launch(executable_path=path, args=[*FLAGS, rules])
    try:
        yield found
    finally:
        found.close()
