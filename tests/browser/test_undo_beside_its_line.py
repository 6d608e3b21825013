"""What an undo would do, read beside its line in a browser: by mouse, by finger and by keyboard alone."""

from typing import Any

import pytest

from tests.browser.axe import violations
from tests.browser.hands import Keyboard, Mouse, Touch
from tests.browser.measures import lost, small_targets
from tests.browser.screen import DESKTOP, PHONE
from tests.services.conftest import Table
from tests.services.live_api import eventually

pytestmark = pytest.mark.slow

FOCUSED = "(at => at.closest('.line')?.id ?? at.id)(document.activeElement)"
HANDS = [(Mouse, DESKTOP), (Keyboard, DESKTOP), (Touch, PHONE)]


def played(table: Table) -> int:
    """A catalogue, a pilot who rests on it, and a note; the seq of the catalogue."""
    defined = table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Noa")
    table.act(table.gm, "campaign.add_note", text="A quiet week.")
    seq: int = defined["events"][0]["seq"]
    return seq


def read_beside(page: Any) -> Any:
    """The preview, once it is there: with the focus at its head."""
    beside = page.locator("dialog#beside[open]")
    beside.locator("button.first").wait_for()
    assert eventually(lambda: page.evaluate("document.activeElement.id") == "correction-title")
    return beside


@pytest.mark.parametrize(("kind", "size"), HANDS)
def test_an_undo_is_read_and_done_beside_its_line_in_the_chronicle(table, screens, kind, size):
    seq = played(table)
    page = screens(table.gm, **size).open("/chronicle")
    hands, line = kind(page), page.locator(f"#a{seq}")
    hands.press(line.locator("summary"))
    hands.press(line.locator("a[data-beside]").first)
    beside = read_beside(page)
    assert "Noa" in beside.locator("[aria-labelledby=going]").inner_text()
    assert page.locator(".line.about").get_attribute("id") == f"a{seq}"
    assert page.evaluate("document.activeElement.closest('dialog') !== null")
    page.keyboard.press("Escape")
    assert beside.count() == 0
    assert page.evaluate(FOCUSED) == f"a{seq}"
    assert table.seq() == int(page.locator("#time").get_attribute("data-head"))

    hands.press(line.locator("a[data-beside]").first)
    beside = read_beside(page)
    hands.write(beside.locator("#reason"), "Wrong book")
    hands.press(beside.locator("button.first"))
    page.locator(f"#a{seq}.undone").wait_for()
    assert page.url.endswith(f"/chronicle#a{seq}")
    assert "Wrong book" in page.locator(".chronicle").inner_text()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_line_stays_in_sight_beside_its_undo_and_everything_can_be_reached(table, screens, size):
    seq = played(table)
    page = screens(table.gm, **size).open("/table" if size is DESKTOP else "/table#chronicle")
    page.locator(f"#a{seq} .undo").click()
    beside = read_beside(page)
    line, panel = page.locator(f"#a{seq}").bounding_box(), beside.bounding_box()
    if size is DESKTOP:
        assert panel["x"] + panel["width"] <= line["x"] or panel["x"] >= line["x"] + line["width"]
    assert lost(page) == []
    assert size is DESKTOP or small_targets(page) == []
    assert violations(page) == []


def test_a_key_shows_what_undoing_the_line_in_focus_would_do_and_the_table_goes_on(table, screens):
    seq = played(table)
    page = screens(table.gm, **DESKTOP).open("/table")
    page.evaluate("window.isTheSame = true")
    page.locator(f"#a{seq} .by a:not(.undo)").focus()
    page.keyboard.press("u")
    beside = read_beside(page)
    Keyboard(page).press(beside.locator("button.first"))
    page.locator(f"#a{seq}.undone").wait_for()
    assert page.evaluate("window.isTheSame") is True
    assert eventually(lambda: beside.count() == 0 and page.evaluate(FOCUSED) == f"a{seq}")
    page.keyboard.press("u")
    assert "Redo" in read_beside(page).inner_text()


def test_a_single_key_that_is_switched_off_does_nothing(table, screens):
    seq = played(table)
    page = screens(table.gm).open("/table")
    page.evaluate("localStorage.setItem('fieldlog-single-keys', 'off')")
    page.reload()
    page.locator(f"#a{seq} .by a:not(.undo)").focus()
    page.keyboard.press("u")
    assert page.locator("dialog[open]").count() == 0


def test_who_may_not_undo_it_asks_beside_the_line(table, screens):
    seq = played(table)
    page = screens(table.player).open("/table")
    page.locator(f"#a{seq} .undo").click()
    beside = page.locator("dialog#beside")
    beside.locator("form[action*=undo-request]").wait_for()
    beside.locator("#reason").fill("The old book, please")
    beside.locator("button.first").click()
    page.locator("dialog#beside").wait_for(state="hidden")
    assert eventually(lambda: "The old book, please" in page.locator("#chronicle").inner_text())


def test_what_came_to_depend_on_it_meanwhile_is_said_beside_the_line(table, screens):
    seq = played(table)
    screen = screens(table.gm)
    page = screen.open("/chronicle")
    page.locator(f"#a{seq} summary").click()
    page.locator(f"#a{seq} a[data-beside]").first.click()
    beside = read_beside(page)
    table.act(table.player, "frame_state.create_pilot", name="Otto")
    beside.locator("button.first").click()
    beside.locator("[role=alert]").wait_for()
    assert "Otto" in beside.locator("[aria-labelledby=going]").inner_text()
    screen.said.clear()  # the browser names what was refused
    beside.locator("button.first").click()
    page.locator(f"#a{seq}.undone").wait_for()


def test_without_a_script_the_line_leads_to_the_page_of_its_undo(table, screens):
    seq = played(table)
    page = screens(table.gm, java_script_enabled=False).open("/chronicle")
    page.locator(f"#a{seq} summary").click()
    page.locator(f"#a{seq} a[data-beside]").first.click()
    page.wait_for_url(f"**/a/{seq}/undo")
    assert page.locator("form button.first").count() == 1
