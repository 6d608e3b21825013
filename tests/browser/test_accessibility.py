"""No page keeps anyone from using it: in every size, light and dark, by axe-core, by finger and by hand.

Each page is opened twice, by its GM and by somebody else, by one of them in French, and then only turned about. Of
what axe-core goes through, which takes long, each two meet somewhere: a reader, a size and a theme. In `.ci/run` a
reader has one of their two looks at a page: where both may read it, it is seen in both sizes and in one theme.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple
from zlib import crc32

import pytest

from tests.browser.axe import violations
from tests.browser.gallery import looked_at
from tests.browser.measures import lost, small_targets
from tests.browser.screen import DESKTOP, PHONE
from tests.sampling import RELEASE

pytestmark = pytest.mark.slow

HEIGHT = "Math.max(innerHeight, document.documentElement.scrollHeight)"
IS_AS_HIGH = "parseFloat(getComputedStyle(document.body).minHeight) === innerHeight"
FOLD = "isOpen => document.querySelectorAll('details').forEach((each) => { each.open = isOpen; })"
ENLARGED = {key: pixels // 2 for key, pixels in DESKTOP["viewport"].items()}
"""What is left of a desktop's screen at 200 %."""
SIZES: dict[str, dict[str, int]] = {
    "320 pixels": {"width": 320, "height": 640},
    "200 %": ENLARGED,
    "desktop": DESKTOP["viewport"],
    "phone": PHONE["viewport"],
}
EXTREMES = ("320 pixels", "desktop")
LANGUAGES = ("en", "fr")


class Look(NamedTuple):
    """A state of an open page that axe-core goes through."""

    size: str
    theme: str
    is_unfolded: bool


LOOKS = {
    True: [Look("phone", "light", True), Look("desktop", "dark", True)],
    False: [Look("phone", "dark", True), Look("desktop", "light", False)],
}
"""By whether it is the GM who looks."""


def shown(gallery, path: str, story: str, language: str = "en", *, is_gm: bool = True):
    """A page, read anew; None where a player may not read it.

    What belongs to no campaign is read by somebody who is not signed in.
    """
    look = {**PHONE, "locale": language, "reduced_motion": "reduce"}  # else colours are still changing
    filled = gallery.path(path, story)
    if is_gm:
        screen = gallery.screen(story, **look)
    else:
        screen = (
            gallery.screen(story, gallery.player(story), **look) if "/c/" in path else gallery.stranger(**look)
        )
    answer = screen.page.goto(screen.base + filled, wait_until="domcontentloaded")
    assert answer.status == 200 or (not is_gm and answer.status in (403, 404))
    return screen.page if answer.ok else None


def resize(page: Any, size: dict[str, int]) -> None:
    """Show a page in another size, and wait for heights that follow the screen: they change a moment later."""
    page.set_viewport_size(size)
    page.wait_for_function(IS_AS_HIGH)


def flaws(page: Any, looks: list[Look]) -> Iterator[str]:
    """What breaks rules on an open page in some looks, and what is out of reach in any size.

    The latter with all that can be folded in both states: folded in the smallest size and the largest.
    """
    for is_unfolded, sizes in ((False, EXTREMES), (True, SIZES)):
        page.evaluate(FOLD, is_unfolded)
        for size in sizes:
            resize(page, SIZES[size])
            missing = [*lost(page), *(small_targets(page) if size == "phone" else ())]
            yield from (f"{size}: {each}" for each in missing)
    for look in looks:
        page.evaluate(FOLD, look.is_unfolded)
        page.emulate_media(color_scheme=look.theme)
        page.set_viewport_size(SIZES[look.size])
        whole = {**SIZES[look.size], "height": page.evaluate(HEIGHT)}
        page.set_viewport_size(whole)  # nothing is covered by what stays put
        yield from (f"{look}: {each}" for each in violations(page))


@pytest.mark.parametrize(("path", "story"), looked_at())
def test_a_page_keeps_to_wcag_2_2_aa_and_within_every_screen(gallery, path, story):
    nth = crc32(f"{path} {story}".encode())
    found = []
    for is_gm, own in LOOKS.items():
        looks = own if RELEASE else [own[(nth + is_gm) % len(own)]]
        for language in LANGUAGES if RELEASE else [LANGUAGES[(nth + is_gm) % 2]]:
            page = shown(gallery, path, story, language, is_gm=is_gm)
            if page is not None:
                found += [f"{'GM' if is_gm else 'other'}, {language}: {each}" for each in flaws(page, looks)]
    assert not found, "\n".join(found)


PLANT = """() => {
  const html = `<div id=wrong><button id=small>x</button><p id=cut>Word</p></div><input id=unlabelled>
    <p id=dim>Dim</p><details><summary>More</summary><img id=folded src="data:,"></details>`;
  document.querySelector("main").insertAdjacentHTML("beforeend", html);
  const set = (id, style) => Object.assign(document.getElementById(id).style, style);
  set("small", {minHeight: "20px", height: "20px", padding: 0});
  set("cut", {width: "10px", overflow: "hidden", whiteSpace: "nowrap"});
  set("wrong", {width: "1300px"});
  set("dim", {color: "light-dark(black, #444)"});
  document.body.style.paddingBottom = "70px";
}"""


def test_what_is_small_cut_off_the_screen_nameless_or_dim_would_be_noticed(gallery):
    """Negative control: in each size, in the dark alone, and in what is folded at first."""
    page = shown(gallery, "/c/{campaign:str}", "freefall")
    page.evaluate(PLANT)
    told = [*flaws(page, LOOKS[True])]
    for size in SIZES:
        lines = "\n".join(each for each in told if each.startswith(f"{size}: "))
        for each in ("pixels too wide", "cut: P", "beyond the edge: DIV", "empty pixels below the footer"):
            assert each in lines
    assert any('phone: <button id="small"' in each for each in told)
    broken = {look: [each for each in told if each.startswith(f"{look}: ")] for look in LOOKS[True]}
    for own in broken.values():
        assert any("label: #unlabelled" in each for each in own)
        assert any("image-alt: #folded" in each for each in own)
    assert [any("color-contrast: #dim" in each for each in own) for own in broken.values()] == [False, True]


def test_a_player_looks_at_what_is_not_for_gms_alone(gallery):
    read = [
        shown(gallery, f"/c/{{campaign:str}}/{page}", "freefall", is_gm=False) is not None
        for page in ("boards", "gm")
    ]
    assert read == [True, False]


def test_every_two_of_a_reader_a_size_and_a_theme_meet():
    looks = [(is_gm, each.size, each.theme) for is_gm, several in LOOKS.items() for each in several]
    for left, right in ((0, 1), (0, 2), (1, 2)):
        assert len({(each[left], each[right]) for each in looks}) == 4


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
