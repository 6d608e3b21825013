"""Chromium from the distribution, driven by Playwright.

`FIELDLOG_BROWSER` says whether there has to be one: `required` fails without, `off` asks for none, and `auto`, the
default, skips with a line that says what is missing.
"""

import importlib
import importlib.util
import os
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

WANTED = os.environ.get("FIELDLOG_BROWSER", "auto")
HOST = "table.test"
"""A name as phones on a LAN use it: over plain HTTP no secure context, unlike 127.0.0.1."""
WITH_WINDOWS = ("chromium", "chromium-browser")
WITHOUT = ("chromium-headless-shell",)
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


def chromium(*names: str) -> str | None:
    """The path of the first Chromium of some names; without any, as people use it if it is there."""
    return next(filter(None, map(shutil.which, names or (*WITH_WINDOWS, *WITHOUT))), None)


@contextmanager
def launched() -> Iterator[Any]:
    """The browser as people use it."""
    with driver() as playing, windowed(playing) as found:
        yield found


@contextmanager
def driver() -> Iterator[Any]:
    """What launches browsers: Playwright, of which a thread has one at a time."""
    with importlib.import_module("playwright.sync_api").sync_playwright() as playing:
        yield playing


def windowed(playing: Any) -> AbstractContextManager[Any]:
    """Chromium as people use it; its build without windows keeps feeds open while it is offline."""
    return _launched(playing, chromium())


def windowless(playing: Any) -> AbstractContextManager[Any]:
    """The same engine without windows, which opens a page in a third of the time, where it is installed."""
    return _launched(playing, chromium(*WITHOUT, *WITH_WINDOWS))


@contextmanager
def _launched(playing: Any, path: str | None) -> Iterator[Any]:
    """A browser that finds no host but this machine, and that under a name of its own, by any certificate."""
    rules = f"--host-resolver-rules=MAP {HOST} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    found = playing.chromium.launch(executable_path=path, args=[*FLAGS, rules])
    try:
        yield found
    finally:
        found.close()
