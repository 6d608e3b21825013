"""The page of a builder, used without a script, and the tables at which things are made."""

from collections.abc import Mapping

import httpx

from tests.services.conftest import Person, Table
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of


class Builder:
    """Somebody who makes characters on the page of a builder, without a script."""

    def __init__(self, table: Table, who: Person, game: str, language: str = "en") -> None:
        self.table = table
        self.browser = Browser(table.gm.client, language).sign_in(who.name)
        self.path = f"/c/{table.campaign_id}/build/{game}"

    def page(self, query: str = "") -> Element:
        answer = self.browser.send("GET", f"{self.path}{query}")
        assert answer.status_code == 200, answer.text
        return page_of(answer.text).one("main")

    def send(self, entries: Mapping[str, str], do: str) -> httpx.Response:
        return self.browser.send("POST", self.path, data={**entries, "do": do})

    def after(self, entries: Mapping[str, str], do: str) -> Element:
        """The form as the service shows it again."""
        answer = self.send(entries, do)
        assert answer.status_code in (200, 400, 403, 409, 422), answer.text
        return page_of(answer.text).one("main")


def table_of(client: httpx.Client, game: str) -> Table:
    """A table of a game at which characters can be made."""
    gm, player = Person(client, "Ana"), Person(client, "Mara")
    campaign = gm.post("/campaigns", {"name": "Iron Rain", "systems": [game]}).json()["campaign_id"]
    code = gm.post(f"/campaigns/{campaign}/invites", {"role": "player"}).json()["code"]
    assert player.post(f"/invites/{code}/accept").status_code == 201
    table = Table(gm, player, campaign)
    if game == "frame_state":
        table.act(gm, "frame_state.define_catalogue", preset="playtest1.2")
    return table


def things_of(table: Table, who: Person, game: str) -> list[str]:
    """The names of a game's characters, or of the frames of one that has none."""
    if game != "mobile_frame":
        campaign = who.get(table.path).json()
        return [character["name"] for character in campaign["characters"]]
    board = who.get(f"{table.path}/boards/mobile_frame/battle").json()
    return [name for name in board["names"].values() if name not in ("Ana", "Mara")]


def actions_of(table: Table) -> list[dict[str, object]]:
    listed: list[dict[str, object]] = table.gm.get(f"{table.path}/actions?limit=100").json()["actions"]
    return listed


def presets_of(page: Element) -> list[str]:
    values = [button.attributes.get("value", "") for button in page.all("button", name="do")]
    return [value for value in values if value.startswith("preset:")]
