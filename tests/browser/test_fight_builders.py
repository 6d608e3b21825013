"""A fight on one page in a browser: two taps from the board, opponents by name and number, and a map to tap."""

from typing import Any

import pytest

from domain.systems import SYSTEMS
from tests.browser.axe import violations
from tests.browser.builder_screen import NAME, SEND, table_of
from tests.browser.conftest import screens_of
from tests.browser.hands import Touch
from tests.browser.measures import lost, small_targets
from tests.browser.screen import DESKTOP, PHONE
from tests.services.conftest import Table

pytestmark = pytest.mark.slow

GAMES = [game for game, rules in SYSTEMS.items() if rules.fight is not None]


def with_a_character(running: Any, game: str) -> Table:
    """A table whose player has a character, or the frame of one."""
    table = table_of(running, game)
    preset = table.player.get(f"{table.path}/commands/presets").json()["presets"][0]
    made = table.player.post(f"{table.path}/actions", {"commands": preset["commands"]})
    assert made.status_code == 201, made.text
    return table


def settle(page: Any) -> None:
    """Wait until the form has asked what would happen."""
    page.locator("form.builder").wait_for()
    page.locator("form[aria-busy]").wait_for(state="detached")


@pytest.mark.parametrize("game", GAMES)
def test_a_fight_is_set_up_on_a_phone_from_the_board(running, chrome, game):
    table = with_a_character(running, game)
    with screens_of(chrome, running, table) as screens:
        page = screens(table.gm, **PHONE).open("/table")
        hands = Touch(page)
        hands.press(page.locator(f'#boards a[href*="/build/{game}/fight"]'))
        row = page.locator(".row-of-step").first
        row.wait_for()
        row.locator('[name$=".name"]').fill("Raider")
        row.locator('[name$=".count"]').fill("3")
        kind = row.locator('select[name$=".kind"]')
        if kind.count():
            kind.select_option(index=1)
        if game == "frame_state":
            page.locator('[name="s1.name"]').fill("The Long Tow")
        page.locator("body").click(position={"x": 5, "y": 5})
        page.locator(".happens p").first.wait_for()
        settle(page)
        assert lost(page) == []
        assert small_targets(page) == []
        assert violations(page) == []
        hands.press(page.locator(SEND))
        page.wait_for_url("**/table?done=*")
        assert page.locator(f'#boards a[href*="/build/{game}/fight"]').count() == 0
        [fight, *_] = table.gm.get(f"{table.path}/actions?limit=100").json()["actions"][::-1]
        assert table.gm.post(f"{table.path}/actions/{fight['action_id']}/undo", {}).status_code in (200, 201)


def test_everybody_is_put_by_taps_on_the_map_one_after_the_other(running, chrome):
    table = with_a_character(running, "overdrive")
    with screens_of(chrome, running, table) as screens:
        page = screens(table.gm, **DESKTOP).open("/build/overdrive/fight")
        row = page.locator(".row-of-step")
        row.locator('[name$=".count"]').fill("2")
        row.locator('[name$=".name"]').fill("Raider")
        row.locator('select[name$=".kind"]').select_option("ready:bruiser")
        page.locator("[data-places] label", has_text="Raider 2").wait_for()
        settle(page)
        for count, (ring, quadrant) in enumerate(((1, 0), (2, 1), (2, 2)), 1):
            page.locator(f'[data-ring="{ring}"][data-quadrant="{quadrant}"]').click()
            page.locator(".token").nth(count - 1).wait_for()
            settle(page)
            assert page.locator(".token").count() == count
        assert page.locator('[name="placing"]:checked').get_attribute("value") == "s1.objective_position"
        page.locator(SEND).click()
        page.wait_for_url("**/table?done=*")
        board = table.gm.get(f"{table.path}/boards/overdrive/fight").json()
        places = [fighter["position"] for fighter in board["fighters"]]
        assert places == [
            {"ring": 1, "quadrant": 0},
            {"ring": 2, "quadrant": 1},
            {"ring": 2, "quadrant": 2},
        ]


def test_a_fight_stays_in_the_browser_until_it_begins(running, chrome):
    table = with_a_character(running, "freefall")
    with screens_of(chrome, running, table) as screens:
        screen = screens(table.gm, **DESKTOP)
        page = screen.open("/build/freefall/fight")
        page.locator('[name="s1.0.name"]').fill("Raider")
        page.locator('[name="s1.0.count"]').fill("4")
        page.close()
        screen.turn_page()
        page = screen.open("/build/freefall/fight")
        page.locator("[data-kept]:not([hidden])").wait_for()
        assert page.locator('[name="s1.0.name"]').input_value() == "Raider"
        assert page.locator('[name="s1.0.count"]').input_value() == "4"
        assert screen.open("/build/freefall").locator(NAME).input_value() == ""


def test_a_catalogue_is_written_on_a_phone(running, chrome):
    table = with_a_character(running, "freefall")
    with screens_of(chrome, running, table) as screens:
        page = screens(table.gm, **PHONE).open("/build/freefall/catalogue")
        page.locator('button[value="add:s0"]').click()
        page.locator('[name="s0.0.item.name"]').fill("Long rifle")
        page.locator('button[value="like:s0.0"]').click()
        page.locator('[name="s0.1.item.name"]').wait_for()
        settle(page)
        assert page.locator('[name="s0.1.item.name"]').input_value() == "Long rifle"
        assert lost(page) == []
        assert small_targets(page) == []
        assert violations(page) == []
        page.locator('[name="s0.1.item.name"]').fill("Short rifle")
        page.locator(SEND).click()
        page.wait_for_url("**/table?done=*")
