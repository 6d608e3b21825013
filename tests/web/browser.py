"""A browser without JavaScript, at pages or at the API: it keeps its cookies, says where its forms come from, and
follows redirects."""

import re
from typing import Any

import httpx

from tests.services.conftest import PASSWORD
from tests.web.html_page import Element, page_of

FIREFOX_ON_ANDROID = "Mozilla/5.0 (Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0"
FOLLOWED_MAX = 5
HEARD = ("aria-label", "alt", "title", "placeholder")
"""Attributes that people hear or read."""


class Browser:
    """One person's browser; `at` is the path that it shows. Without a `language`, it says none."""

    def __init__(self, client: httpx.Client, language: str = "en", *, agent: str = FIREFOX_ON_ANDROID) -> None:
        self.client = client
        self.cookies: dict[str, str] = {}
        self.at = ""
        self._says = {"Accept": "text/html", "Accept-Language": language, "User-Agent": agent}

    @property
    def origin(self) -> str:
        return str(self.client.base_url).rstrip("/")

    @property
    def cookie(self) -> str:
        """All cookies, as they are sent."""
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    @property
    def headers(self) -> dict[str, str]:
        """What goes with every request from pages of the service."""
        said = {**self._says, "Origin": self.origin, "Cookie": self.cookie}
        return {name: value for name, value in said.items() if value}

    def send(self, method: str, path: str, **request: Any) -> httpx.Response:
        """One request, without following anything; a header that is None in `headers` is left out."""
        given = {**self.headers, **request.pop("headers", {})}
        headers = {name: value for name, value in given.items() if value is not None}
        self.client.cookies.clear()
        answer = self.client.request(method, path, headers=headers, follow_redirects=False, **request)
        self.client.cookies.clear()  # else the other people of a test would send them too
        for said in answer.headers.get_list("set-cookie"):
            name, _, value = said.partition(";")[0].partition("=")
            self.cookies.pop(name, None)
            if value and "max-age=0" not in said.lower():
                self.cookies[name] = value
        self.at = path
        return answer

    def api(self, method: str, path: str, json: Any = None, **request: Any) -> httpx.Response:
        """A request under `/api`, as a page's script makes it."""
        headers = {"Accept": "*/*", **request.pop("headers", {})}
        return self.send(method, f"/api{path}", json=json, headers=headers, **request)

    def get(self, path: str) -> httpx.Response:
        """Open a page, wherever it leads."""
        return self._followed(self.send("GET", path))

    def post(self, path: str, origin: str | None = None, **form: Any) -> httpx.Response:
        """Send a form, and go where its answer leads."""
        headers = {"Origin": origin or self.origin}
        return self._followed(self.send("POST", path, data=form, headers=headers))

    def page(self, path: str) -> Element:
        """A page that is there."""
        answer = self.get(path)
        assert answer.status_code == 200, answer.text
        return page_of(answer.text)

    def sign_in(self, name: str, password: str = PASSWORD) -> "Browser":
        answer = self.api("POST", "/session", {"name": name, "password": password})
        assert answer.status_code == 201, answer.text
        assert self.cookies
        return self

    def _followed(self, answer: httpx.Response) -> httpx.Response:
        for _ in range(FOLLOWED_MAX):
            if answer.status_code != 303:
                return answer
            answer = self.send("GET", answer.headers["location"])
        raise AssertionError("redirected without end")


def errors_of(page: Element) -> dict[str, str]:
    """What is wrong with each field of a page, as its reader is told by `aria-describedby`."""
    by_id = {each.attributes["id"]: each.text for each in page.all("*") if "id" in each.attributes}
    return {
        each.attributes["name"]: by_id[f"{each.attributes['name']}-error"]
        for each in page.all("input")
        if f"{each.attributes.get('name')}-error" in each.attributes.get("aria-describedby", "").split()
    }


def shown_texts(page: Element) -> str:
    """Everything on a page that a person reads or hears."""
    heard = [each.attributes[name] for each in page.all("*") for name in HEARD if name in each.attributes]
    return re.sub(r"\s+", " ", " ".join([page.one("head").one("title").text, page.one("body").text, *heard]))
