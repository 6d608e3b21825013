"""Keys of pages that are read: to why a number is what it is, to a search for words, and from line to line."""

import pytest

from tests.services.conftest import Table

pytestmark = pytest.mark.slow

FOCUSED = "document.activeElement.closest('.line')?.id ?? document.activeElement.name ?? ''"


def pilot_of(table: Table) -> str:
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Noa")
    pilot: str = table.gm.get(f"{table.path}/sheets").json()["sheets"][0]["character"]
    return pilot


def test_a_key_asks_why_the_number_in_focus_is_what_it_is(table, screens):
    pilot = pilot_of(table)
    page = screens(table.gm).open(f"/sheets/{pilot}")
    page.keyboard.press("w")
    assert page.evaluate("document.activeElement.matches('a.why')")
    asked = page.evaluate("document.activeElement.href")
    page.keyboard.press("w")
    page.locator("#composer[open] .page-head").wait_for()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.href") == asked
    assert page.url.endswith(f"/sheets/{pilot}")


@pytest.mark.parametrize("path", ["/table", "/sheets", "/chronicle"])
def test_a_key_leads_to_the_search_for_words_from_anywhere(table, screens, path):
    pilot_of(table)
    page = screens(table.gm).open(path)
    page.keyboard.press("/")
    page.wait_for_url("**/chronicle**")
    page.locator("[name=text]:focus").wait_for()
    page.keyboard.type("w/n")
    assert page.evaluate("document.activeElement.value") == "w/n"
    page.keyboard.press("Enter")
    page.wait_for_url("**text=w%2Fn**")


def test_keys_go_from_line_to_line_of_the_chronicle(table, screens):
    pilot_of(table)
    page = screens(table.gm).open("/chronicle")
    ids = [each.get_attribute("id") for each in page.locator(".chronicle .line").all()]
    page.keyboard.press("n")
    assert page.evaluate(FOCUSED) == ids[-1]
    page.keyboard.press("p")
    assert page.evaluate(FOCUSED) == ids[-2]


def test_two_keys_lead_to_another_page(table, screens):
    pilot = pilot_of(table)
    page = screens(table.gm).open(f"/sheets/{pilot}")
    page.keyboard.press("g")
    page.keyboard.press("m")
    page.wait_for_url("**/money")


def test_keys_of_the_table_do_nothing_where_there_is_no_table(table, screens):
    """They would be errors of a script otherwise, which fail the test."""
    pilot = pilot_of(table)
    page = screens(table.gm).open(f"/sheets/{pilot}")
    for key in (".", "r", "?", "Control+k", "n"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement === document.body")


def test_keys_of_reading_that_are_switched_off_do_nothing(table, screens):
    pilot = pilot_of(table)
    page = screens(table.gm).open(f"/sheets/{pilot}")
    page.evaluate("localStorage.setItem('fieldlog-single-keys', 'off')")
    page.reload(wait_until="load")
    for key in ("w", "/", "n"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement === document.body")
    assert page.url.endswith(f"/sheets/{pilot}")
