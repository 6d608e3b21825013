"""A line of the chronicle and a section of a recap are copied as text in which the dice are read."""

import pytest

from tests.browser.axe import violations
from tests.browser.screen import DESKTOP
from tests.services.live_api import eventually
from tests.services.pilots import with_pilot

pytestmark = pytest.mark.slow

KEEP = """Object.defineProperty(navigator, "clipboard", {
    value: { writeText: async (text) => { window.copied = text; } },
})"""
"""As over HTTPS; the pages of tests come without."""
LISTEN = "document.addEventListener('copy', () => { window.copied = document.activeElement.value; })"


@pytest.mark.parametrize("way", [KEEP, LISTEN], ids=["clipboard", "without it"])
def test_what_is_copied_has_the_faces_of_the_dice(table, screens, way):
    with_pilot(table)
    table.act(table.gm, "campaign.start_session", title="The dam")
    [sentence] = table.act(table.gm, "campaign.roll", notation="3d6", label="Luck")["summary"]
    screen = screens(table.gm, **DESKTOP)
    page = screen.open("/chronicle")
    page.evaluate(f"() => {{ {way} }}")
    menu = page.locator("li.line:has-text('Luck') details.menu")
    menu.locator("summary").click()
    button = menu.locator("[data-copy]")
    button.click()
    assert eventually(lambda: page.evaluate("window.copied") == sentence)
    assert eventually(lambda: button.inner_text() == "Copied.")
    assert button.evaluate("at => at === document.activeElement")
    page = screen.open("/recap")
    page.evaluate(f"() => {{ {way} }}")
    page.locator("article [data-copy]").last.click()
    assert eventually(lambda: sentence in (page.evaluate("window.copied") or ""))
    assert violations(page) == []
