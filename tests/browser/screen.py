"""A person's browser at a running service, and what went wrong in it."""

from typing import Any
from urllib.parse import urlsplit

from tests.browser.chromium import HOST
from tests.services.conftest import PASSWORD
from tests.services.live_api import Api
from tests.web.browser import Browser

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}

EXPECTED = ("ERR_INTERNET_DISCONNECTED",)
"""What a browser complains of without a connection."""
SHOWN = """isShown => {
    Object.defineProperty(document, "hidden", {configurable: true, get: () => !isShown});
    document.dispatchEvent(new Event("visibilitychange"));
}"""


ALONE = "delete window.SharedWorker"
"""What makes each window follow for itself."""


def put_behind(page: Any) -> None:
    """Put a tab behind another one, as far as it can tell."""
    page.evaluate(SHOWN, False)


def bring_back(page: Any) -> None:
    """Show a tab again."""
    page.evaluate(SHOWN, True)


def hold_first(page: Any, address: Any) -> list[Any]:
    """What a page sends there; the first waits until it is told to go on, as each that is routed has to be."""
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)
        if len(held) > 1:
            route.continue_()

    page.route(address, hold)
    return held


class Screen:
    """A browser in which somebody is signed in, or nobody.

    `wrong` is what its console said, and what it asked other hosts for.
    """

    def __init__(
        self,
        chrome: Any,
        running: Api,
        name: str | None = None,
        password: str = PASSWORD,
        host: str = HOST,
        **more: Any,
    ) -> None:
        self.base = running.base.replace("127.0.0.1", host)
        self.path = self.base
        self.context = chrome.new_context(**{"locale": "en", **more})
        if name is not None:
            kept = Browser(running.client).sign_in(name, password).cookies
            self.context.add_cookies([{"name": key, "value": kept[key], "url": self.base} for key in kept])
        self.said: list[str] = []
        self.page: Any = None
        self.turn_page()

    def turn_page(self) -> None:
        """Open another page beside the one that is open."""
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda failure: self.said.append(str(failure)))
        self.page.on("console", lambda said: self.said.append(said.text) if said.type == "error" else None)
        self.page.on("request", self._note_host)

    def _note_host(self, request: Any) -> None:
        if urlsplit(request.url).hostname != urlsplit(self.base).hostname:
            self.said.append(f"a request to {request.url}")

    @property
    def wrong(self) -> list[str]:
        """What nobody expects."""
        return [each for each in self.said if not any(expected in each for expected in EXPECTED)]

    def open(self, path: str) -> Any:
        """Go to a page of the campaign, and wait until it follows."""
        self.page.goto(f"{self.path}{path}", wait_until="domcontentloaded")
        if path == "/table":
            self.page.locator("#line.live").wait_for(timeout=15_000)
        return self.page

    def sees(self, selector: str, text: str) -> None:
        """Wait until there is an element with a text."""
        self.page.locator(selector, has_text=text).first.wait_for(state="attached", timeout=15_000)

    def close(self) -> None:
        """Close the browser's windows."""
        self.context.close()
