"""Every page there is, with what has to stand in its path filled in, from stories in the middle of their play."""

import re
from functools import cache
from itertools import islice
from typing import Any

from domain.systems import SYSTEMS
from services.cli.demo.recording import recorded_names, recording_of
from services.cli.demo.story import Story
from services.web.routes import PAGES
from tests.browser.screen import DESKTOP, Screen
from tests.services.live_api import Api

NOT_LOOKED_AT = {
    *("/c/{campaign:str}/table/{panel:str}", "/c/{campaign:str}/gm/{panel:str}"),
    *("/c/{campaign:str}/undo/{action:str}", "/restore/{campaign:str}"),
}
"""What stands on another page, leads to one, or is there only where something is gone."""
READ_AS = "/c/{campaign:str}/as/{member:str}"
"""A GM reads the same pages as a member; of these one is looked at.

Not the table: axe-core holds nothing within a disabled `fieldset` for focusable, although all but its controls is.
"""
LANGUAGES = {"overdrive": "fr"}
"""Whose pages are looked at in another language than English."""
PLAYED = 0.7
"""How much of a story is played: something is always going on there, and waited for."""
STORIES = [name for name in recorded_names() if name in SYSTEMS]
IN_STORY = {"/c/{campaign:str}/sheets/{key:str}/why": "freefall"}
"""Which story has a page that others lack: a sheet with numbers."""
OF_PLAY = {
    *(f"/c/{{campaign:str}}/{page}" for page in ("boards", "do", "do/{command:str}", "table", "sheets/{key:str}")),
}
"""Pages that each system fills in another way."""


def page_paths() -> list[str]:
    """The paths of all pages, as their routes have them."""
    return sorted(
        path
        for each in PAGES
        if "GET" in each.http_methods
        for path in each.paths
        if path not in NOT_LOOKED_AT and (not path.startswith(READ_AS) or path == f"{READ_AS}/chronicle")
    )


def looked_at() -> list[tuple[str, str]]:
    """Every page, with the story it is looked at in: those of play in each, all others in one."""
    return [
        (path, story)
        for nth, path in enumerate(page_paths())
        for story in (STORIES if path in OF_PLAY else [IN_STORY.get(path, STORIES[nth % len(STORIES)])])
    ]


class Gallery:
    """Stories on a service, and a screen of the GM of each."""

    def __init__(self, chrome: Any, running: Api) -> None:
        self._chrome = chrome
        self._running = running
        self._screens: dict[Any, Screen] = {}
        self.story = cache(self._played)

    def _played(self, name: str) -> Story:
        recording = recording_of(name)
        story = Story(recording, self._running.client, suffix=f" of {name}", wait_seconds_max=0)
        for _ in islice(story.play(), int(PLAYED * len(recording.steps))):
            pass
        return story

    def screen(self, name: str, who: str | None = None, **more: Any) -> Screen:
        """A browser of one of a story's people; without a name that of its GM."""
        key = (name, who, *more)
        if key not in self._screens:
            story = self.story(name)
            self._screens[key] = Screen(
                self._chrome,
                self._running,
                story.name(who or story.recording.title.gm),
                story.password,
                **{**DESKTOP, "locale": LANGUAGES.get(name, "en"), **more},
            )
        return self._screens[key]

    def stranger(self, **more: Any) -> Screen:
        """A browser in which nobody is signed in."""
        key = ("stranger", *more)
        if key not in self._screens:
            self._screens[key] = Screen(self._chrome, self._running, **{**DESKTOP, **more})
        return self._screens[key]

    def path(self, path: str, name: str) -> str:
        """The path of a page in a story. A part that nothing is known for fails."""
        filled = re.sub(r"\{(\w+):\w+\}", lambda part: self._part(part[1], name), path)
        return self._explained(filled, name) if path.endswith("/why") else filled

    def _explained(self, path: str, name: str) -> str:
        """The address that explains the first number of a sheet."""
        screen = self.screen(name)
        screen.page.goto(screen.base + path.removesuffix("/why"))
        return str(screen.page.locator("a.why").first.get_attribute("href"))

    def _part(self, part: str, name: str) -> str:
        story = self.story(name)
        gm = story.recording.title.gm
        match part:
            case "campaign" | "campaign_id":
                return story.campaign_id
            case "member" | "account":
                members = story.get(gm, "/members")["members"]
                return str(next(each["account"] for each in members if each["role"] == "player"))
            case "seq":
                rolled = [each["seq"] for each in story.pages(gm, "/actions", "actions") if each["rolls"]]
                return str(rolled[-1])
            case "key":
                sheets = story.get(gm, "/sheets")["sheets"]
                return str(
                    sheets[0]["character"] if sheets else name
                )  # where there are none, a board stands for them
            case "code":
                return self._code(name)
            case "command":
                offers = story.get(gm, "/commands")["commands"]
                possible = [each for each in offers if each["possible"] != "no"]
                return str(max(possible, key=lambda each: len(each.get("fields", ())))["command"])
        raise AssertionError(f"Say in tests/browser/gallery.py what may stand for {{{part}}} in a page's path.")

    @cache  # noqa: B019 — a gallery lives as long as its tests
    def _code(self, name: str) -> str:
        story = self.story(name)
        return str(story.table(story.recording.title.gm).post("/invites", {"role": "player"})["code"])

    def wrong(self) -> list[str]:
        """What went wrong on any screen."""
        return [wrong for each in self._screens.values() for wrong in each.wrong]

    def close(self) -> None:
        """Close every screen."""
        for each in self._screens.values():
            each.close()
