"""A service below a path of its host, in a browser: scripts, live feed and kept pages find it there."""

from typing import Any

import pytest

from tests.browser.screen import Screen
from tests.engines import DatabaseUrls
from tests.services.certificates import a_pair
from tests.services.conftest import table_at
from tests.services.live_api import api, eventually

pytestmark = pytest.mark.slow

BASE = "/games/fieldlog"
KEPT = """async () => {
    const pages = await caches.open("fieldlog-pages/games/fieldlog");
    return (await pages.keys()).map((each) => new URL(each.url).pathname);
}"""
"""The addresses of kept pages."""


def test_a_command_is_played_and_followed_below_a_base_path_and_its_page_kept(
    windowed_chrome: Any, database: DatabaseUrls, tmp_path: Any
) -> None:
    certificate, key = a_pair(tmp_path)
    with api(database.service, base_path=BASE, tls_certificate=certificate, tls_key=key) as running:
        table = table_at(running.client)
        screens = [
            Screen(windowed_chrome, running, who.name, ignore_https_errors=True)
            for who in (table.gm, table.player)
        ]
        for each in screens:
            each.path = f"{each.base}{BASE}/c/{table.campaign_id}"
        gm, player = screens
        gm.open("/table")
        page = player.open("/table")
        page.locator("#note-text").fill("The lamp went out.")
        page.get_by_role("button", name="Write down").click()
        gm.sees("#chronicle .line.new", "The lamp went out.")
        page.goto(f"{player.path}/do/campaign.roll")
        page.locator("[name='c.notation']").fill("2d6")
        page.locator("button[value=act]").click()
        page.wait_for_url(f"{player.path}/**")
        gm.sees("#chronicle .line.new", "2d6")
        asked: list[str] = []
        player.page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{player.path}/sheets")
        home = player.path.removeprefix(player.base)
        assert eventually(lambda: f"{home}/sheets" in page.evaluate(KEPT))
        player.context.set_offline(True)
        page.goto(f"{player.path}/sheets")
        assert page.locator("html").get_attribute("data-kept")
        page.goto(f"{player.path}/money")
        page.locator("#kept a").first.wait_for()  # the page's script lists them
        listed = [each.get_attribute("href") for each in page.locator("#kept a").all()]
        assert f"{home}/sheets" in listed
        player.context.set_offline(False)
        assert [each for each in asked if not each.startswith(f"{player.base}{BASE}/")] == []
        for each in screens:
            each.close()
        assert [wrong for each in screens for wrong in each.wrong] == []
