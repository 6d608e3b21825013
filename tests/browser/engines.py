"""Firefox and WebKit from the distribution, as far as an evening at a table needs them.

Playwright drives Chromium in the other tests, and Firefox by WebDriver BiDi; Selenium drives the MiniBrowser of
WebKitGTK, on a display that nobody sees.
"""

import importlib
import importlib.util
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

SECONDS_MAX = 20
WEBKIT_DRIVER = "WebKitWebDriver"
DISPLAY_SERVER = "Xvfb"
MINI_BROWSERS = "*/webkit2gtk-4.*/MiniBrowser"


class Window(Protocol):
    """A window of a browser. Elements are named by selectors of CSS; the first that can be seen is meant."""

    def go(self, url: str) -> None:
        """Open a page, also one that answers with an error."""

    def wait_for(self, selector: str, text: str = "") -> None:
        """Wait until an element can be seen whose text has this in it."""

    def press(self, selector: str) -> None:
        """Wait for a button or link and press it."""

    def write(self, selector: str, text: str) -> None:
        """Type into an empty field."""

    def find(self, script: str) -> Any:
        """The value of an expression of JavaScript, or of its promise."""


class FirefoxWindow:
    """A window of Firefox."""

    def __init__(self, page: Any) -> None:
        self._page = page

    def go(self, url: str) -> None:
        self._page.goto(url, wait_until="domcontentloaded")

    def wait_for(self, selector: str, text: str = "") -> None:
        self._first(selector, text).wait_for(timeout=SECONDS_MAX * 1000)

    def press(self, selector: str) -> None:
        self._first(selector).click(timeout=SECONDS_MAX * 1000)

    def write(self, selector: str, text: str) -> None:
        self._first(selector).press_sequentially(text)

    def find(self, script: str) -> Any:
        return self._page.evaluate(script)

    def _first(self, selector: str, text: str = "") -> Any:
        return self._page.locator(selector, has_text=text).locator("visible=true").first


class WebKitWindow:
    """The window of a MiniBrowser."""

    def __init__(self, driver: Any) -> None:
        problems = importlib.import_module("selenium.common.exceptions")
        again = (
            problems.StaleElementReferenceException,
            problems.ElementNotInteractableException,
            problems.ElementClickInterceptedException,
        )
        wait = importlib.import_module("selenium.webdriver.support.wait").WebDriverWait
        self._driver = driver
        self._waiting = wait(driver, SECONDS_MAX, 0.05, again)

    def go(self, url: str) -> None:
        self._driver.get(url)

    def wait_for(self, selector: str, text: str = "") -> None:
        self._first(selector, text)

    def press(self, selector: str) -> None:
        self._do(selector, lambda element: element.click())

    def write(self, selector: str, text: str) -> None:
        self._do(selector, lambda element: element.send_keys(text))

    def find(self, script: str) -> Any:
        done = "arguments[arguments.length - 1]"
        return self._driver.execute_async_script(f"Promise.resolve({script}).then({done})")

    def _do(self, selector: str, act: Callable[[Any], None]) -> None:
        """Do it to the first visible element, as soon as that can be reached: a dialog may still lie over it."""

        def is_done(_driver: Any) -> bool:
            act(self._first(selector))
            return True

        self._waiting.until(is_done, f"{selector} is not reached at {self._driver.current_url}")

    def _first(self, selector: str, text: str = "") -> Any:
        """The first visible element; pages change meanwhile, and what has gone is looked for again."""

        def seen(driver: Any) -> Any:
            found = driver.find_elements("css selector", selector)
            return next((each for each in found if each.is_displayed() and text in each.text), None)

        return self._waiting.until(seen, f"{selector} {text!r} at {self._driver.current_url}")


def missing_for_firefox() -> str | None:
    """What Firefox lacks here."""
    return None if shutil.which("firefox-esr") else "there is no firefox-esr"


@contextmanager
def firefox(playing: Any) -> Iterator[Window]:
    """Firefox without windows."""
    browser = playing.firefox.launch(channel="moz-firefox", executable_path=shutil.which("firefox-esr"))
    try:
        yield FirefoxWindow(browser.new_context(locale="en").new_page())
    finally:
        browser.close()


def mini_browser() -> Path | None:
    """Where the distribution has WebKit's own browser."""
    return next(Path("/usr/lib").glob(MINI_BROWSERS), None)


def missing_for_webkit() -> str | None:
    """What WebKit lacks here."""
    if importlib.util.find_spec("selenium") is None:
        return "selenium is not installed"
    lacking = [each for each in (WEBKIT_DRIVER, DISPLAY_SERVER) if shutil.which(each) is None]
    return f"there is no {lacking[0]}" if lacking else None if mini_browser() else "there is no MiniBrowser"


@contextmanager
def webkit(_playing: Any) -> Iterator[Window]:
    """WebKit's own browser, which Playwright does not drive."""
    webdriver = importlib.import_module("selenium.webdriver")
    kept = importlib.import_module("selenium.webdriver.webkitgtk.service")
    options = webdriver.WebKitGTKOptions()
    options.binary_location = str(mini_browser())
    options.add_argument("--automation")
    with a_display() as display:
        service = kept.Service(
            shutil.which(WEBKIT_DRIVER), env={**os.environ, "DISPLAY": display, "LANGUAGE": "en"}
        )
        driver = webdriver.WebKitGTK(options=options, service=service)
        try:
            yield WebKitWindow(driver)
        finally:
            driver.quit()


@contextmanager
def a_display() -> Iterator[str]:
    """The name of a display that nobody sees."""
    reading, writing = os.pipe()
    command = [DISPLAY_SERVER, "-displayfd", str(writing), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:  # noqa: S603 — a constant
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        try:
            yield f":{number}"
        finally:
            server.terminate()


ENGINES: dict[str, tuple[Callable[[], str | None], Callable[[Any], AbstractContextManager[Window]]]] = {
    "firefox": (missing_for_firefox, firefox),
    "webkit": (missing_for_webkit, webkit),
}
"""What each lacks, and a window of it, for what launches browsers."""
