"""What an action costs a whole table: processor time of the server while six screens follow a recorded campaign.

A screen does what its page's scripts do: it follows the live feed, and after an action it asks at once for all
panels that the action touches. In a second play it asks for one after the other, so that each has its own time.
With a build of another commit both play in turns, each its own recording, and the ratios are of the actions that
both have.
"""

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import httpx
import msgspec
from msgspec import Struct, structs

from fieldlog.client import Service
from services.cli.demo.recording import Act, Recording, Wait, read_recording
from services.cli.demo.story import Story, StoryAction
from tests.bench.load import HOST
from tests.bench.other_build import database_of
from tests.bench.rows import Goal, Rounds, Row, require
from tests.bench.serving import FIELDLOG, ROOT, Server, started
from tests.bench.stage import Stage

FIRST_STEPS = {"overdrive": 109, "frame_state": 130, "freefall": 115, "mobile_frame": 190, "angst": 100}
"""By story: after so many steps its actions count. In Overdrive that is the first turn of a fight of five."""
FIGHT = "overdrive"
STORIES = Path("services/cli/demo/stories")
SEATS = ("gm", "player", "player", "player", "player", "observer")
ACTION_SECONDS = 20
"""A table acts so often: that is how many tables fill a core."""
TOLD_SECONDS_MAX = 30.0
SETTLE_SECONDS = 0.1
SHORT_KEPT = httpx.Limits(keepalive_expiry=1.0)
"""A connection is given up before the server does so, which would end a request that is just sent."""

Asked: TypeAlias = Literal["api", "parts", "pages"]
"""What screens ask for after an action: possible commands, panels one by one, or as their pages do."""
Cost: TypeAlias = defaultdict[str, float]
"""Milliseconds by part, and how many `actions` took them."""

ALONE = Goal(45.0, aim=25.0, better="less")
GOALS = {
    "all in": Goal(0.35, aim=0.2, better="less"),
    "do": Goal(0.3, better="less"),
    "boards": Goal(0.4, better="less"),
    "feeds": Goal(0.4, better="less"),
    "…/commands": Goal(0.4, better="less"),
}
OTHER_SYSTEMS = Goal(0.45, better="less")

TELLS_TIME = Path("/proc/self/schedstat").exists()
PANEL = re.compile(r'data-panel="([a-z]+)" data-of="([^"]*)"')
SEQ = re.compile(r'data-seq="(\d+)"')
FEED = re.compile(r'data-feed="([^"]*)"')
SLOW = ("do", "waiting", "tests", "time", "hidden")
"""Panels that `feed.js` asks for after the others."""
FEED_OF_ALL = "/live"
"""The feed that is told which campaigns to follow. Builds up to 6e26ded5 had one for each campaign."""


class Action(Struct):
    """What is read of an action that a feed tells."""

    seq: int
    touches: list[str]


class Screen:
    """A table's page that somebody has open, as far as a server sees it."""

    def __init__(self, client: httpx.AsyncClient, campaign_id: str) -> None:
        self._client = client
        self._campaign_id = campaign_id
        self._actions: asyncio.Queue[Action] = asyncio.Queue()
        self._panels: dict[str, list[str]] = {}
        self._following: asyncio.Task[None] | None = None
        self._asks_together = True

    async def open(self) -> None:
        """Read the page, and follow the campaign from there on."""
        page = (await self._get("")).text
        self._panels = {name: of.split() for name, of in PANEL.findall(page)}
        seq, feed = SEQ.search(page), FEED.search(page)
        known = seq is not None and feed is not None and bool(self._panels)
        require(known, "the table has another form than the bench knows")
        assert seq is not None
        assert feed is not None
        several = await self._client.get(f"/c/{self._campaign_id}/table/boards,chronicle")
        self._asks_together = several.is_success  # builds up to 6e26ded5 have one panel a request
        begun = asyncio.Event()
        self._following = asyncio.create_task(self._follow(feed[1], seq[1], begun))
        async with asyncio.timeout(TOLD_SECONDS_MAX):
            await begun.wait()

    async def close(self) -> None:
        """Hang up."""
        if self._following is not None:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)

    async def touched(self) -> set[str]:
        """The panels that are touched by the actions since the last time: at least one is waited for."""
        async with asyncio.timeout(TOLD_SECONDS_MAX):
            actions = [await self._actions.get()]
        await asyncio.sleep(SETTLE_SECONDS)
        while not self._actions.empty():
            actions.append(self._actions.get_nowait())
        return {name for name, of in self._panels.items() for action in actions if _touches(action.touches, of)}

    async def ask(self, panel: str) -> None:
        """Ask for a panel again."""
        await self._get(f"/{panel}")

    async def ask_all(self, panels: set[str]) -> None:
        """Ask for several panels again, at once where the build can, those first that are drawn soonest."""
        names = sorted(panels, key=lambda name: (name in SLOW, name))
        for asked in [",".join(names)] if self._asks_together else names:
            await self.ask(asked)

    async def ask_commands(self) -> None:
        """Ask by the API what may be done."""
        (await self._client.get(f"/api/campaigns/{self._campaign_id}/commands")).raise_for_status()

    async def _get(self, panel: str) -> httpx.Response:
        return (await self._client.get(f"/c/{self._campaign_id}/table{panel}")).raise_for_status()

    async def _follow(self, path: str, seq: str, begun: asyncio.Event) -> None:
        event = ""
        after = {"follow": f"{self._campaign_id}:{seq}"} if path == FEED_OF_ALL else {"after": seq}
        async with self._client.stream("GET", path, params=after) as feed:
            async for line in feed.aiter_lines():
                if line.startswith("event: "):
                    event = line.removeprefix("event: ")
                    if event == "hello":
                        begun.set()
                elif line.startswith("data: {") and event == "action":
                    self._actions.put_nowait(msgspec.json.decode(line.removeprefix("data: "), type=Action))


def _touches(words: list[str], of: list[str]) -> bool:
    """What `feed.js` looks at: whether one of the words is of the panel, or about a part of it."""
    return any(word in ("everything", own) or word.startswith(f"{own}:") for word in words for own in of)


class Play(NamedTuple):
    """A build's own recording of a story: the step from which on actions count, and the steps that do."""

    recording: Recording
    first: int
    shared: frozenset[int]


def plays_of(story: str, builds: list[Path]) -> list[Play]:
    """What each build plays, this one first; the steps that count are those that all of them have."""
    recordings = [_without_waits(read_recording(build / STORIES / f"{story}.jsonl")) for build in builds]
    steps = [[msgspec.json.encode(step) for step in recording.steps] for recording in recordings]
    first = FIRST_STEPS[story]
    pairs = [_pairs(steps[0], own) for own in steps]
    shared = [nth for nth in range(first, len(steps[0])) if all(nth in own for own in pairs)]
    actions = [nth for nth in shared if isinstance(recordings[0].steps[nth], Act)]
    return [
        Play(recording, own[shared[0]], frozenset(own[nth] for nth in actions))
        for recording, own in zip(recordings, pairs, strict=True)
    ]


def _without_waits(recording: Recording) -> Recording:
    """A play that waits for no worker leaves these steps out."""
    return structs.replace(recording, steps=[step for step in recording.steps if not isinstance(step, Wait)])


def _pairs(steps: list[bytes], others: list[bytes]) -> dict[int, int]:
    """The number of a step among others, by its own."""
    blocks = SequenceMatcher(None, steps, others, autojunk=False).get_matching_blocks()
    return {block.a + nth: block.b + nth for block in blocks for nth in range(block.size)}


class Accepted(NamedTuple):
    """An accepted action, and the server's time before it, in milliseconds."""

    before: float
    is_open: bool
    """Whether everybody is told of it."""
    counts: bool
    """Whether the other build does the same."""


class Table:
    """A recorded campaign at a server, with people in six seats."""

    def __init__(self, server: Server, play: "Play", suffix: str) -> None:
        self._server = server
        self._play = play
        self._http = httpx.Client(base_url=f"http://{HOST}:{server.port}", timeout=TOLD_SECONDS_MAX)
        self._story = Story(play.recording, self._http, suffix=suffix, wait_seconds_max=0)
        self._steps = enumerate(self._story.play())
        self._guests: list[tuple[str, str]] = []

    async def begin(self) -> None:
        """Play the steps before those that count, and have people in every seat."""
        for _ in range(self._play.first):
            await asyncio.to_thread(next, self._steps)
        await asyncio.to_thread(self._fill_seats)

    async def act(self) -> "Accepted | None":
        """Go on to the next action that is accepted; None: there is none."""
        while True:
            before = self._server.milliseconds()
            nth, step = await asyncio.to_thread(next, self._steps, (0, None))
            if step is None:
                return None
            if isinstance(step, StoryAction) and step.code is None and self._story.last_answer.get("events"):
                return Accepted(before, is_open=not step.is_hidden, counts=nth in self._play.shared)

    @asynccontextmanager
    async def screens(self) -> AsyncIterator[list[Screen]]:
        """Somebody signed in for every seat, whose pages are not open yet."""
        async with AsyncExitStack() as stack:
            screens = []
            for name, _ in self._guests:
                client = await stack.enter_async_context(
                    httpx.AsyncClient(base_url=self._http.base_url, timeout=TOLD_SECONDS_MAX, limits=SHORT_KEPT)
                )
                credentials = {"name": name, "password": self._story.password}
                (await client.post("/api/session", json=credentials)).raise_for_status()
                screen = Screen(client, self._story.campaign_id)
                stack.push_async_callback(screen.close)
                screens.append(screen)
            yield screens

    def close(self) -> None:
        """Hang up."""
        self._http.close()

    def _fill_seats(self) -> None:
        people = self._story.recording.title.people
        here: list[tuple[str, str]] = [(self._story.name(who), person.role) for who, person in people.items()]
        table, service = self._story.table(self._story.recording.title.gm), Service(self._http)
        for role in Counter(SEATS) - Counter(role for _, role in here):
            missing = SEATS.count(role) - sum(own == role for _, own in here)
            for nth in range(missing):
                name = f"{role} {nth} {self._story.name(self._story.recording.title.gm)}"
                service.sign_up(name, self._story.password).accept(table.invite(role))
                here.append((name, role))
        self._guests = here[: len(SEATS)]


async def table(stage: Stage) -> list[Row]:
    """An action all in, in each system; beside a bare action, or beside the same at another build."""
    if not TELLS_TIME:
        stage.say("table: this system does not say how much processor time a process took")
        return []
    rows: list[Row] = []
    for story in FIRST_STEPS:
        rows += await _rows_of(stage, story)
    return rows


async def _rows_of(stage: Stage, story: str) -> list[Row]:
    builds = [ROOT] if stage.against is None else [ROOT, stage.against]
    with ExitStack() as stack:
        databases = [stage.database() if build == ROOT else database_of(build, stage.server) for build in builds]
        servers = [
            stack.enter_context(started(stack.enter_context(database), FIELDLOG, build))
            for build, database in zip(builds, databases, strict=True)
        ]
        plays = plays_of(story, builds)
        asked: tuple[Asked, ...] = ("api", "parts", "pages")
        counts = [await _play(stage, servers, plays, way) for way in asked]
    costs = [_by_part(*of_build) for of_build in zip(*counts, strict=True)]
    for cost in costs:
        all_in = cost["all in"]
        parts = ", ".join(f"{part} {milliseconds:.1f}" for part, milliseconds in cost.items())
        stage.say(f"table: {story}: ms an action: {parts}; {1000 * ACTION_SECONDS / all_in:.0f} tables a core")
    return [*_compared(story, *costs)]


def _by_part(alone: Cost, parts: Cost, whole: Cost) -> dict[str, float]:
    """Milliseconds of an action on average, by part; what feeds take is what it takes longer with them.

    All in are its own, those of feeds and of all panels asked for at once, not of the panels one by one.
    """
    action = alone["action"] / alone["actions"]
    feeds = max(0.0, whole["action"] / whole["actions"] - action)
    panels = whole["panels"] / whole["actions"]
    by_panel = {part: parts[part] / parts["actions"] for part in sorted(parts.keys() - {"actions", "action"})}
    own = {"action": action, "feeds": feeds, "panels": panels}
    return {"all in": sum(own.values()), **own, **by_panel, "…/commands": alone["…/commands"] / alone["actions"]}


def _compared(story: str, cost: dict[str, float], before: dict[str, float] | None = None) -> Iterator[Row]:
    if before is None:
        yield _row(
            f"an action at a table of six, {story}", "the action alone", ALONE, cost["all in"], cost["action"]
        )
        return
    for part, goal in GOALS.items():
        if part in cost and part in before and (story == FIGHT or part == "all in"):
            wanted = goal if story == FIGHT else OTHER_SYSTEMS
            yield _row(f"{part} of an action, {story}", "the other build", wanted, cost[part], before[part])


def _row(name: str, floor_name: str, goal: Goal, figure: float, floor: float) -> Row:
    rounds = Rounds(name, "ms", floor_name, goal)
    rounds.add(figure, floor)
    return rounds.row()


async def _play(stage: Stage, servers: list[Server], plays: list[Play], asked: Asked) -> list[Cost]:
    """Milliseconds by part, at each server, of the same actions: with open pages, or with the API asked."""
    counts: list[Cost] = [defaultdict(float) for _ in servers]
    async with AsyncExitStack() as stack:
        suffix = f" with {asked}"
        tables = [Table(server, play, suffix) for server, play in zip(servers, plays, strict=True)]
        seats = []
        for played in tables:
            stack.callback(played.close)
            await played.begin()
            screens = await stack.enter_async_context(played.screens())
            for screen in screens:
                await (screen.ask_commands() if asked == "api" else screen.open())
            seats.append(screens)
        for _ in range(stage.scale.table_actions):
            for server, played, screens, count in zip(servers, tables, seats, counts, strict=True):
                await _act(server, played, screens, count, asked)
    return counts


async def _act(server: Server, played: Table, screens: list[Screen], count: Cost, asked: Asked) -> None:
    """One action, and then what every screen asks for."""
    acted = await played.act()
    while acted is not None and not (acted.is_open and acted.counts):
        if asked != "api":  # what is hidden is not told to all
            await asyncio.gather(*(screen.touched() for screen in (screens if acted.is_open else screens[:1])))
        acted = await played.act()
    if acted is None:
        return
    count["actions"] += 1
    if asked == "api":
        count["action"] += server.milliseconds() - acted.before
        count["…/commands"] += await _took(server, [screen.ask_commands() for screen in screens])
        return
    touched = await asyncio.gather(*(screen.touched() for screen in screens))
    touched = [panels - {"dice"} for panels in touched]  # its form asks only if something is entered
    count["action"] += server.milliseconds() - acted.before
    if asked == "pages":
        asking = [screen.ask_all(own) for screen, own in zip(screens, touched, strict=True)]
        count["panels"] += await _took(server, asking)
        return
    for panel in sorted(set().union(*touched)):
        asking = [screen.ask(panel) for screen, own in zip(screens, touched, strict=True) if panel in own]
        count[panel] += await _took(server, asking)


async def _took(server: Server, asking: list[Coroutine[Any, Any, None]]) -> float:
    """The server's milliseconds for some requests at once."""
    before = server.milliseconds()
    await asyncio.gather(*asking)
    return server.milliseconds() - before
