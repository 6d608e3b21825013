"""A character on one page in a browser: three taps from the table, steppers, and a draft that stays."""

from typing import Any

import pytest

from domain.systems import SYSTEMS
from tests.browser.axe import violations
from tests.browser.builder_screen import NAME, PRESET, SEND, table_of
from tests.browser.conftest import screens_of
from tests.browser.hands import Touch
from tests.browser.measures import lost, small_targets
from tests.browser.screen import DESKTOP, PHONE
from tests.services.live_api import eventually

pytestmark = pytest.mark.slow

TAPS_MAX = 3


def has_value(page: Any, selector: str, value: str) -> None:
    """Wait until a field has a value."""
    page.wait_for_selector(f'{selector}[value="{value}"]', state="attached")


@pytest.mark.parametrize("game", SYSTEMS)
def test_a_ready_made_character_is_three_taps_from_the_table_on_a_phone(running, chrome, game):
    table = table_of(running, game)
    with screens_of(chrome, running, table) as screens:
        page = screens(table.player, **PHONE).open("/table")
        hands, taps = Touch(page), 0
        hands.press(page.locator(".bottom-bar a[href='#sheets']"))
        for target in (f'#sheets a[href*="/build/{game}"]', PRESET, SEND):
            if target == SEND:
                page.locator(f"{NAME}:not([value=''])").wait_for()
                page.locator("form[aria-busy]").wait_for(state="detached")
                assert lost(page) == []
                assert small_targets(page) == []
                assert violations(page) == []
            hands.press(page.locator(target).first)
            taps += 1
        page.wait_for_url("**/table?done=*")
        assert taps <= TAPS_MAX
        assert page.locator(".happened, .line").first.is_visible()


def test_steppers_count_what_is_left_and_what_each_attribute_comes_to(running, chrome):
    table = table_of(running, "frame_state")
    with screens_of(chrome, running, table) as screens:
        page = screens(table.player, **DESKTOP).open("/build/frame_state")
        skills = page.locator("fieldset.counters", has_text="sharpness")
        more = skills.get_by_role("button", name="sharpness: one more")
        for _ in range(3):
            more.click()
        assert skills.locator("[data-left]").inner_text() == "4"
        assert skills.locator("output").first.inner_text() == "d10"
        skills.get_by_role("button", name="sharpness: one less").click()
        assert skills.locator("[data-left]").inner_text() == "5"
        assert skills.locator("output").first.inner_text() == "d8"


def test_a_draft_stays_in_the_browser_until_it_is_sent(running, chrome):
    table = table_of(running, "frame_state")
    with screens_of(chrome, running, table) as screens:
        screen = screens(table.player, **DESKTOP)
        page = screen.open("/build/frame_state")
        page.locator(PRESET).first.click()
        has_value(page, NAME, "Mika Ray")
        page.locator(NAME).fill("Ines Okafor")
        page.close()
        screen.turn_page()
        page = screen.open("/build/frame_state")
        has_value(page, NAME, "Ines Okafor")
        assert page.locator("[data-kept]").is_visible()
        page.locator("form[aria-busy]").wait_for(state="detached")
        page.locator(SEND).click()
        page.wait_for_url("**/table?done=*")
        assert [each["name"] for each in table.gm.get(table.path).json()["characters"]] == ["Ines Okafor"]
        page = screen.open("/build/frame_state")
        assert eventually(lambda: page.evaluate("() => localStorage.length") == 0)
        assert page.locator(NAME).input_value() == ""


def test_a_draft_can_be_dropped_and_is_not_there_for_another_sign_in(running, chrome):
    table = table_of(running, "angst")
    with screens_of(chrome, running, table) as screens:
        screen = screens(table.player, **DESKTOP)
        page = screen.open("/build/angst")
        page.locator(NAME).fill("Jonah Reed")
        page = screen.open("/build/angst")
        has_value(page, NAME, "Jonah Reed")
        page.get_by_role("button", name="Begin anew").click()
        has_value(page, NAME, "")
        assert screen.open("/build/angst").locator(NAME).input_value() == ""
        page.locator(NAME).fill("Ada Brandt")
        screen.open("/sheets")
        page.evaluate("() => localStorage.setItem('fieldlog-draft somebody-else /x', 's0.name=Secret')")
        page = screen.open("/build/angst")
        has_value(page, NAME, "Ada Brandt")
        assert page.evaluate("() => Object.keys(localStorage).filter((each) => each.includes('else'))") == []
        page.goto(f"{screen.base}/account")
        page.get_by_role("button", name="Sign out", exact=True).click()
        page.wait_for_url(lambda url: "/account" not in url)
        assert page.evaluate("() => Object.keys(localStorage).filter((each) => each.includes('draft'))") == []
