"""Pictures of every page, to be looked at: on a phone and a desktop, in light and dark.

`python -m tests.browser.screenshots DIR [story …]` draws an empty campaign, every page of the first story,
and of the others (those of `DRAWN` when none is named) what each system fills in another way.
`python -m tests.browser.screenshots FILE.png` draws what the README shows: `table.png` or `undo.png`.
"""

import re
import sys
from itertools import islice
from pathlib import Path
from typing import Any

from services.cli.demo.recording import recording_of
from services.cli.demo.story import Story
from tests.browser.chromium import launched, missing
from tests.browser.gallery import OF_PLAY, PLAYED, STORIES, Gallery, page_paths
from tests.browser.screen import DESKTOP, PHONE, Screen
from tests.engines import a_postgres_server
from tests.services.conftest import Person
from tests.services.live_api import Api, api

DRAWN = ("overdrive", "angst", "mobile_frame")
SIZES: dict[str, dict[str, Any]] = {"phone": PHONE, "desktop": DESKTOP}
THEMES = ("light", "dark")
EMPTY_PAGES = (
    "",
    "sheets",
    "boards",
    "chronicle",
    "table",
    "do",
    "gm",
    "settings",
    "members",
    "money",
    "downtime",
    "timers",
)
FOR_STRANGERS = ("/", "/about", "/join/{code:str}", "/sign-in", "/sign-up")
HEIGHT_MAX = 6000
SHOWN: dict[str, tuple[str, float, str, str, tuple[int, int]]] = {
    "table.png": ("angst", 0.675, "Wren", "/table", (1280, 850)),
    "undo.png": ("frame_state", PLAYED, "Ana", "/a/49/undo", (1280, 720)),
}
"""The story and how much of it is played, the member, the page and its size of the pictures in the README."""
UNFILLED = re.compile(r"\{(account|action|activity|member|panel):|/restore/|/redo$|/why$")
"""Pages that a story in the middle of its play has no example of, and the one that figures of sheets lead to."""


def name_of(path: str) -> str:
    """What a picture of a page is called."""
    parts = [each for each in path.split("/") if each and each != "c" and not each.startswith("{campaign")]
    return "-".join(part.strip("{}").partition(":")[0] for part in parts) or "home"


def draw(screen: Screen, path: str, into: Path) -> None:
    """Draw a page whole, and the end of a high one as it is seen there; what is too wide is told."""
    page = screen.page
    for theme in THEMES:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        answer = page.goto(screen.base + path, wait_until="load")
        height, too_wide = page.evaluate(
            "(({scrollHeight, scrollWidth}) => [scrollHeight, scrollWidth - innerWidth])(document.documentElement)"
        )
        seen = page.viewport_size
        page.set_viewport_size({**seen, "height": min(max(height, seen["height"]), HEIGHT_MAX)})
        page.screenshot(
            path=into.with_name(f"{into.name}-{theme}.png")
        )  # `full_page` would draw it as if by mouse
        page.set_viewport_size(seen)
        if height > seen["height"]:
            page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            page.screenshot(path=into.with_name(f"{into.name}-{theme}-end.png"))
        if too_wide > 0 or not answer.ok:
            print(f"{into.name} {theme}: {answer.status}, {too_wide} pixels too wide", flush=True)  # noqa: T201


def draw_story(gallery: Gallery, story: str, into: Path, wanted: list[str]) -> None:
    """Draw the pages that a story's GM sees, and those of strangers."""
    for size, look in SIZES.items():
        screen, stranger = gallery.screen(story, **look), gallery.stranger(**look)
        for path in wanted:
            draw(screen, gallery.path(path, story), into / f"{story}-{name_of(path)}-{size}")
            if path in FOR_STRANGERS:
                draw(stranger, gallery.path(path, story), into / f"stranger-{name_of(path)}-{size}")
            why = screen.page.locator("a.why")
            if "/sheets/" in path and why.count():
                draw(screen, why.first.get_attribute("href"), into / f"{story}-why-{size}")


def draw_empty(chrome: Any, running: Api, into: Path) -> None:
    """Draw a campaign in which nothing has happened."""
    founder = Person(running.client, "Noor of nothing")
    campaign = founder.post("/campaigns", {"name": "Quiet", "systems": ["angst"]}).json()["campaign_id"]
    for size, look in SIZES.items():
        screen = Screen(chrome, running, founder.name, **look)
        for page in EMPTY_PAGES:
            draw(screen, f"/c/{campaign}/{page}".rstrip("/"), into / f"empty-{page or 'home'}-{size}")
        screen.close()


def draw_shown(chrome: Any, running: Api, into: Path) -> None:
    """Draw a page that the README shows, in the middle of a story."""
    name, part, member, path, (width, height) = SHOWN[into.name]
    recording = recording_of(name)
    story = Story(recording, running.client, suffix="", wait_seconds_max=0)
    for _ in islice(story.play(), int(part * len(recording.steps))):
        pass
    screen = Screen(chrome, running, member, story.password, viewport={"width": width, "height": height})
    screen.path += f"/c/{story.campaign_id}"
    screen.open(path).screenshot(path=into)
    screen.close()


def main(into: Path, *stories: str) -> None:
    """Draw everything into a directory, or one picture into a file."""
    assert missing() is None, missing()
    assert {*stories} <= {*STORIES}, f"Stories are {', '.join(STORIES)}."
    with a_postgres_server() as server, launched() as chrome:
        database = server.new_database()
        with api(database.service) as running:
            if into.suffix == ".png":
                draw_shown(chrome, running, into)
                return
            into.mkdir(parents=True, exist_ok=True)
            draw_all(Gallery(chrome, running, database), chrome, running, into, stories or DRAWN)


def draw_all(gallery: Gallery, chrome: Any, running: Api, into: Path, stories: tuple[str, ...]) -> None:
    """Draw what is empty, every page of the first story, and of the others those that each system fills itself."""
    draw_empty(chrome, running, into)
    wanted = [path for path in page_paths() if not UNFILLED.search(path)]
    for story in stories:
        draw_story(gallery, story, into, wanted)
        wanted = [path for path in wanted if path in OF_PLAY]
    gallery.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
