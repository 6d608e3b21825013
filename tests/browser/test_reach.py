"""Every page can be used by finger, and read large: nothing is too small to hit, cut, or off the screen."""

import pytest

from tests.browser.gallery import looked_at
from tests.browser.measures import lost, small_targets
from tests.browser.screen import DESKTOP, PHONE

pytestmark = pytest.mark.slow

REFLOW = {"width": 320, "height": 640}
ENLARGED = {"width": DESKTOP["viewport"]["width"] // 2, "height": DESKTOP["viewport"]["height"] // 2}
"""What is left of a desktop's screen at 200 %."""
OPEN = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"


def shown(gallery, path: str, story: str):
    """A page as a phone shows it, everything unfolded."""
    screen = gallery.screen(story, **PHONE, reduced_motion="reduce")
    screen.page.set_viewport_size(PHONE["viewport"])
    answer = screen.page.goto(screen.base + gallery.path(path, story), wait_until="domcontentloaded")
    assert answer.status == 200
    screen.page.evaluate(OPEN)
    return screen.page


@pytest.mark.parametrize(("path", "story"), looked_at())
def test_every_target_fits_a_finger_and_nothing_is_lost_at_any_size(gallery, path, story):
    page = shown(gallery, path, story)
    found = {"phone": [*small_targets(page), *lost(page)]}
    for size, viewport in (("320 pixels", REFLOW), ("200 %", ENLARGED)):
        page.set_viewport_size(viewport)
        found[size] = lost(page)
    told = [f"{size}: {each}" for size, wrong in found.items() for each in wrong]
    assert not told, "\n".join(told)


def test_what_is_small_cut_or_off_the_screen_would_be_noticed(gallery):
    """Negative control."""
    page = shown(gallery, "/c/{campaign:str}", "freefall")
    page.evaluate(
        """() => {
          const main = document.querySelector("main");
          const html = "<div id=wrong><button id=small>x</button><p id=cut>Word</p></div>";
          main.insertAdjacentHTML("beforeend", html);
          const set = (id, style) => Object.assign(document.getElementById(id).style, style);
          set("small", {minHeight: "20px", height: "20px", padding: 0});
          set("cut", {width: "10px", overflow: "hidden", whiteSpace: "nowrap"});
          set("wrong", {width: "500px"});
          document.body.style.paddingBottom = "70px";
        }"""
    )
    [small] = small_targets(page)
    assert 'id="small"' in small
    told = "\n".join(lost(page))
    for each in ("pixels too wide", "cut: P", "beyond the edge: DIV", "empty pixels below the footer"):
        assert each in told
