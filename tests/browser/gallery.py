"""Every page there is, with what has to stand in its path filled in, from stories in the middle of their play."""

import re
from collections.abc import Callable
from functools import cache
from itertools import islice
from typing import Any
from zlib import crc32

from domain.systems import SYSTEMS
from services.cli.demo.recording import recorded_names, recording_of
from services.cli.demo.story import Story
from services.http.screen.routes import PAGES
from tests.browser.screen import DESKTOP, Screen
from tests.engines import DatabaseUrls
from tests.sampling import RELEASE
from tests.services.live_api import Api
from tests.services.verify_command import told_by

NOT_LOOKED_AT = {
    *("/c/{campaign:str}/table/{panel:str}", "/c/{campaign:str}/gm/{panel:str}"),
    *("/c/{campaign:str}/undo/{action:str}", "/restore/{campaign:str}"),
    *("/c/{campaign:str}/ledger.csv", "/c/{campaign:str}/ledger/export"),
}
"""What stands on another page, leads to one, or is there only where something is gone."""
READ_AS = "/c/{campaign:str}/as/{member:str}"
"""A GM reads the same pages as a member; of these one is looked at.

Not the table: axe-core holds nothing within a disabled `fieldset` for focusable, although all but its controls is.
"""
WATCHED = "/watch/{watching:str}"
"""By a link anyone reads the pages of an observer; of these two are looked at."""
LANGUAGES = {"overdrive": "fr"}
"""Whose pages are looked at in another language than English."""
PLAYED = 0.7
"""How much of a story is played: something is always going on there, and waited for."""
STORIES = [name for name in recorded_names() if name in SYSTEMS]
IN_STORY = {
    "/c/{campaign:str}/sheets/{key:str}/why": "freefall",
    "/c/{campaign:str}/sheets/{key:str}/record": "freefall",
    "/c/{campaign:str}/boards/{system:str}/{board_key:str}/why": "freefall",
    "/c/{campaign:str}/money/{account:str}": "freefall",
    "/c/{campaign:str}/money/{account:str}/why": "freefall",
    "/c/{campaign:str}/downtime/{activity:str}/end": "frame_state",
    "/c/{campaign:str}/downtime": "frame_state",
    "/c/{campaign:str}/things": "frame_state",
    "/c/{campaign:str}/things/{thing:str}": "frame_state",
    "/c/{campaign:str}/table": "overdrive",
    "/c/{campaign:str}/luck": "overdrive",
    "/c/{campaign:str}/build/{system:str}/{product:str}": "freefall",
}
"""Which story has a page that others lack: a sheet with numbers, money, a board, and a character with time.

The table is looked at where most stands on it.
"""
OF_PLAY = {
    f"/c/{{campaign:str}}/{page}"
    for page in ("boards", "build/{system:str}", "do", "do/{command:str}", "sheets/{key:str}")
}
"""Pages that each system fills in another way. On the table are all of them: it takes as long as five others."""
if RELEASE:
    OF_PLAY |= {"/c/{campaign:str}/table"}


def page_paths() -> list[str]:
    """The paths of all pages, as their routes have them."""
    return sorted(
        path
        for each in PAGES
        if "GET" in each.http_methods
        for path in each.paths
        if path not in NOT_LOOKED_AT
        and (not path.startswith(READ_AS) or path == f"{READ_AS}/chronicle")
        and (not path.startswith(WATCHED) or path in (f"{WATCHED}/table", f"{WATCHED}/stream"))
    )


def looked_at() -> list[tuple[str, str]]:
    """Every page, with the story it is looked at in: those of play in each, all others in one and the same."""
    return [
        (path, story)
        for path in page_paths()
        for story in (
            STORIES if path in OF_PLAY else [IN_STORY.get(path, STORIES[crc32(path.encode()) % len(STORIES)])]
        )
    ]


def begin_downtime(story: Story) -> None:
    """Begin downtime unless it goes on, and plan what the first character does in it."""
    gm = story.recording.title.gm
    table = story.table(gm)
    if story.get(gm, "/downtime")["downtime"] is None:
        table.act({"type": "campaign.start_downtime", "span": {"days": 9}}, key="downtime")
    who = story.get(gm, "/sheets")["sheets"][0]["character"]
    plan = {"type": "campaign.plan_activity", "character": who, "kind": "train", "title": "Practice"}
    table.act(plan | {"takes": {"days": 4}, "requires": ["a teacher"]}, key="activity")


class Gallery:
    """Stories on a service, and a screen of the GM of each."""

    def __init__(self, chrome: Any, running: Api, database: DatabaseUrls) -> None:
        self._chrome = chrome
        self._running = running
        self._database = database
        self._screens: dict[Any, Screen] = {}
        self.story = cache(self._played)

    def _played(self, name: str) -> Story:
        recording = recording_of(name)
        story = Story(recording, self._running.client, suffix=f" of {name}", wait_seconds_max=0)
        for _ in islice(story.play(), int(PLAYED * len(recording.steps))):
            pass
        if name == IN_STORY["/c/{campaign:str}/downtime"]:
            begin_downtime(story)
            thing = {"type": "campaign.create_thing", "name": "Grapnel", "account": "group", "new": True}
            story.table(story.recording.title.gm).act(thing, key="thing")
        return story

    def screen(self, name: str, who: str | None = None, **more: Any) -> Screen:
        """A browser of one of a story's people; without a name that of its GM."""
        key = (name, who, repr(more))
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

    def player(self, name: str) -> str:
        """The first player of a story."""
        people = self.story(name).recording.title.people
        return next(who for who, person in people.items() if person.role == "player")

    def stranger(self, **more: Any) -> Screen:
        """A browser in which nobody is signed in."""
        key = ("stranger", repr(more))
        if key not in self._screens:
            self._screens[key] = Screen(self._chrome, self._running, **{**DESKTOP, **more})
        return self._screens[key]

    def path(self, path: str, name: str) -> str:
        """The path of a page in a story. A part that nothing is known for fails."""
        if path.startswith("/reset-password/"):
            path = path.replace("{code:str}", self._reset_code(name))
        if "/money/{" in path:
            path = path.replace("{account:str}", self._account(name))
        if path.endswith("/why"):  # that of a board is looked for on the page of all boards
            path = re.sub("/boards/.*", "/boards/why", path)
        filled = re.sub(r"\{(\w+):\w+\}", lambda part: self._part(part[1], name), path)
        return self._explained(filled, name) if path.endswith("/why") else filled

    def _account(self, name: str) -> str:
        """The first account of a story that holds anything."""
        story = self.story(name)
        held = story.get(story.recording.title.gm, "/ledger/accounts")["accounts"]
        return str(next(each["account"] for each in held if each["balance"] > 0))

    def _explained(self, path: str, name: str) -> str:
        """The address that explains the first number of a sheet, a statement, or the boards."""
        screen = self.screen(name)
        screen.page.goto(screen.base + path.removesuffix("/why"))
        return str(screen.page.locator("a.why").first.get_attribute("href"))

    def _part(self, part: str, name: str) -> str:
        """What stands in a page's path for one of its parts."""
        story = self.story(name)
        gm = story.recording.title.gm
        made: dict[str, Callable[[str], str]] = {
            "code": self._code,
            "watching": self._watching_code,
            "thing": self._thing,
            "product": lambda _: "fight",
        }
        if part in made:
            return made[part](name)
        match part:
            case "campaign" | "campaign_id":
                found = story.campaign_id
            case "member" | "account":
                members = story.get(gm, "/members")["members"]
                found = next(each["account"] for each in members if each["role"] == "player")
            case "seq":
                found = [each["seq"] for each in story.pages(gm, "/actions", "actions") if each["rolls"]][-1]
            case "system":
                found = name
            case "board_key":
                found = story.get(gm, "/boards")["boards"][0]["board"]
            case "key":  # where there are no sheets, a board stands for them
                found = next((each["character"] for each in story.get(gm, "/sheets")["sheets"]), name)
            case "activity":
                found = story.get(gm, "/downtime")["activities"][0]["activity"]
            case "command":
                offers = story.get(gm, "/commands")["commands"]
                possible = [each for each in offers if each["possible"] != "no"]
                found = max(possible, key=lambda each: len(each.get("fields", ())))["command"]
            case _:
                raise AssertionError(f"Say in tests/browser/gallery.py what stands for {{{part}}} in a path.")
        return str(found)

    @cache  # noqa: B019 — a gallery lives as long as its tests
    def _code(self, name: str) -> str:
        story = self.story(name)
        return str(story.table(story.recording.title.gm).post("/invites", {"role": "player"})["code"])

    def _thing(self, name: str) -> str:
        story = self.story(name)
        return str(story.get(story.recording.title.gm, "/things")["things"][0]["thing"])

    @cache  # noqa: B019 — a gallery lives as long as its tests
    def _watching_code(self, name: str) -> str:
        story = self.story(name)
        return str(story.table(story.recording.title.gm).post("/invites", {"role": "watcher"})["code"])

    @cache  # noqa: B019 — a gallery lives as long as its tests
    def _reset_code(self, name: str) -> str:
        """What a host hands to the GM of a story, who forgot a password."""
        story = self.story(name)
        gm = story.name(story.recording.title.gm)
        told = told_by(self._database, "account", "reset-password", gm, "--address", self._running.base)
        return str(told["link"]).rpartition("/")[2]

    def wrong(self) -> list[str]:
        """What went wrong on any screen."""
        return [wrong for each in self._screens.values() for wrong in each.wrong]

    def close(self) -> None:
        """Close every screen."""
        for each in self._screens.values():
            each.close()
