"""No page keeps anyone from using it: on a phone and a desktop, in light and dark, by axe-core and by hand."""

from typing import Any

import pytest

from tests.browser.axe import COLOURS, violations
from tests.browser.gallery import looked_at
from tests.browser.screen import DESKTOP, PHONE

pytestmark = pytest.mark.slow

HEIGHT = "Math.max(innerHeight, document.documentElement.scrollHeight)"
SIZES: dict[str, Any] = {"phone": PHONE["viewport"], "desktop": DESKTOP["viewport"]}


def broken(page) -> list[str]:
    """What breaks rules on an open page, in both sizes, in light and in dark."""
    found = []
    for size, viewport in SIZES.items():
        page.set_viewport_size(viewport)
        whole = {"width": viewport["width"], "height": page.evaluate(HEIGHT)}
        page.set_viewport_size(whole)  # nothing is covered by what stays put
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            rules = () if theme == "light" else COLOURS
            found += [f"{size} {theme} {each}" for each in violations(page, *rules)]
    return found


def shown(gallery, path: str, story: str):
    """A page, read anew."""
    screen = gallery.screen(
        story, reduced_motion="reduce"
    )  # else colours are still changing when they are looked at
    answer = screen.page.goto(screen.base + gallery.path(path, story), wait_until="domcontentloaded")
    assert answer.status == 200
    return screen.page


@pytest.mark.parametrize(("path", "story"), looked_at())
def test_a_page_keeps_to_wcag_2_2_aa(gallery, path, story):
    page = shown(gallery, path, story)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    found = broken(page)
    assert not found, "\n".join(found)


def test_the_first_tab_offers_the_way_to_the_content_and_shows_where_it_is(gallery):
    page = shown(gallery, "/c/{campaign:str}", "freefall")
    page.keyboard.press("Tab")
    skip = page.locator("a.skip")
    assert skip.evaluate("link => link === document.activeElement && link.getBoundingClientRect().top >= 0")
    assert skip.evaluate("link => getComputedStyle(link).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_nothing_moves_for_who_asked_for_that(gallery):
    page = shown(gallery, "/c/{campaign:str}/table", "freefall")
    moving = (
        "[...document.querySelectorAll('*')].filter((each) => parseFloat(getComputedStyle(each).%s) > 0).length"
    )
    assert page.evaluate(moving % "transitionDuration") == page.evaluate(moving % "animationDuration") == 0
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(moving % "transitionDuration") > 0
    page.emulate_media(reduced_motion="reduce")
