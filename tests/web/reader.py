"""Somebody who reads the pages of a campaign and sends their forms, without a script."""

from typing import Any

import httpx

from tests.services.conftest import Person, Table
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of


class Reader:
    """Somebody at a campaign's pages."""

    def __init__(self, table: Table, who: Person, language: str = "en") -> None:
        self.table = table
        self.browser = Browser(table.gm.client, language).sign_in(who.name)
        self.path = f"/c/{table.campaign_id}/do"

    def answer(self, command: str = "", said: dict[str, str] | None = None, **request: Any) -> httpx.Response:
        """What is sent for a form's page, or for a form that is sent with these entries."""
        path = f"{self.path}/{command}" if command else self.path
        headers = {**self.browser.headers, **request.pop("headers", {})}
        method = "GET" if said is None else "POST"
        answer = self.browser.client.request(
            method, path, headers=headers, follow_redirects=False, data=said, **request
        )
        self.browser.client.cookies.clear()
        return answer

    def page(self, command: str = "", said: dict[str, str] | None = None, **request: Any) -> Element:
        answer = self.answer(command, said, **request)
        return page_of(answer.text).one("main")


def hidden(page: Element, name: str) -> str:
    return page.all("input", type="hidden", name=name)[0].attributes["value"]


def filled(page: Element) -> dict[str, str]:
    """What a browser would send of a form as it stands, but for its buttons."""
    found = {}
    for each in page.all("input"):
        kind = each.attributes.get("type", "text")
        if "name" in each.attributes and (kind not in ("radio", "checkbox") or "checked" in each.attributes):
            found[each.attributes["name"]] = each.attributes.get("value", "")
    for each in page.all("select"):
        chosen = [option for option in each.all("option") if "selected" in option.attributes]
        found[each.attributes["name"]] = (chosen or each.all("option"))[0].attributes["value"]
    return found
