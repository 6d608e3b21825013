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
    """Where Chromium is."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def launched() -> Iterator[Any]:
    """The browser, which finds no host but this machine, and that under a name of its own."""
    rules = f"--host-resolver-rules=MAP {HOST} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    with importlib.import_module("playwright.sync_api").sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox", rules])
        try:
            yield found
        finally:
            found.close()
