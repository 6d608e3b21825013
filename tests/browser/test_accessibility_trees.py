"""The trees that screen readers walk, of one page of each kind; where one changes, the difference is read."""

import re
from pathlib import Path

import pytest

from tests import golden

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).with_name("accessibility_trees.golden.json")
TREES = {
    "table": ("/c/{campaign:str}/table", "overdrive"),
    "sheet": ("/c/{campaign:str}/sheets/{key:str}", "freefall"),
    "chronicle": ("/c/{campaign:str}/chronicle", "frame_state"),
    "command": ("/c/{campaign:str}/do/{command:str}", "mobile_frame"),
    "gm": ("/c/{campaign:str}/gm", "angst"),
}
VOLATILE = (
    (re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=-)[0-9a-f]{12}\b"), "…"),
    (re.compile(r"\b\d{2}:\d{2}\b"), "hh:mm"),
    (re.compile(r"\b\d{1,2} \w+ 20\d\d\b"), "a day"),
    (re.compile(r"(?<=key=)[^&]+|(?<=choice=)[^&]+"), "…"),
)
"""What another play of the same story has otherwise: ids, the day and the time of day."""


def tree(page) -> list[str]:
    """What a screen reader finds on a page, line by line."""
    told: str = page.locator("body").aria_snapshot()
    for what, instead in VOLATILE:
        told = what.sub(instead, told)
    return told.splitlines()


@pytest.mark.parametrize("name", TREES)
def test_a_screen_reader_finds_what_it_found_before(gallery, name):
    path, story = TREES[name]
    screen = gallery.screen(story, reduced_motion="reduce")
    screen.page.goto(screen.base + gallery.path(path, story), wait_until="load")
    screen.page.locator("body:not(:has(#line:not(.live)))").wait_for(state="attached")
    found, kept = tree(screen.page), golden.read(GOLDEN)
    if golden.is_writing():
        golden.write(GOLDEN, {**kept, name: found})
    else:
        told = golden.report(kept.get(name), found)
        assert told is None, told


def test_a_heading_that_is_gone_would_be_noticed(gallery):
    """Negative control."""
    path, story = TREES["sheet"]
    screen = gallery.screen(story, reduced_motion="reduce")
    screen.page.goto(screen.base + gallery.path(path, story), wait_until="load")
    screen.page.evaluate("document.querySelector('h2').setAttribute('role', 'presentation')")
    assert golden.report(golden.read(GOLDEN)["sheet"], tree(screen.page)) is not None
