"""The table's page in a real browser: what opening it takes, how soon others see an action, what a busy hour is.

Six browser contexts follow a recorded campaign. Beside them, in turns, they follow a page of a bare server that is
sent the same lines ready-made: what ours adds to it is what rules, log, reading and drawing take.
"""

import asyncio
import importlib
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from typing import Any

from tests.bench.load import HOST, a_request, ask, burst
from tests.bench.rows import Goal, Rounds, Row, require
from tests.bench.serving import FIELDLOG, LINES, serving
from tests.bench.stage import Stage
from tests.bench.story import Played, play
from tests.browser.chromium import chromium, missing

STORY = "angst"
CHARACTER = "jory"
"""Whose relationships the bench changes: they are drawn on a board, and stand on a sheet."""

GRADES = "ABCD"
"""In turns: two actions that overtake each other still change something each."""

SCREENS = 6
SHEETS = 15
ACTIONS_PER_SECOND = 20
FIRST_BYTES, AGAIN_BYTES, REQUESTS = 61_440, 20_480, 8
REPAINTS, COMMAND_REPAINTS = 4.0, 1.0
HEAP_MIB, ELEMENTS = 12.0, 2_500
MEBIBYTE = 2**20
PAUSE_SECONDS = 0.3
"""Before an action whose way to the screens is measured: longer than the page waits between two requests."""
SETTLE_SECONDS = 1.5
PAINTED_SECONDS_MAX = 60.0

WATCH = """() => {
  window.painted = {};
  window.repaints = { log: [], boards: [], commands: [] };
  const now = () => performance.timeOrigin + performance.now();
  const watch = (place, name) => new MutationObserver((changes) => {
    window.repaints[name].push(now());
    const ids = changes.flatMap((each) => [...each.addedNodes]).map((each) => each.id).filter(Boolean);
    requestAnimationFrame(() => setTimeout(() => ids.forEach((id) => (window.painted[id] ??= now()))));
  }).observe(place ?? document.createElement("p"), { childList: true });
  watch(document.querySelector(".chronicle"), "log");
  watch(document.getElementById("boards"), "boards");
  watch(document.getElementById("do"), "commands");
}"""
"""Notes when a line is on the screen (after the frame that has it), and when each panel is repainted."""

PAINTED = """(id) => new Promise((told) => {
  const look = () => (id in window.painted ? told(window.painted[id]) : setTimeout(look, 5));
  look();
})"""


async def screens(stage: Stage) -> list[Row]:
    """What the table's page takes; nothing is measured where there is no browser."""
    lacking = missing()
    if lacking is not None:
        stage.say(f"web: {lacking}, so no screen is measured")
        return []
    with ExitStack() as stack:
        urls = stack.enter_context(stage.database())
        port = stack.enter_context(serving(urls, FIELDLOG))
        floor = stack.enter_context(serving(urls, LINES))
        played = await play(port, STORY, stage.scale.story_steps)
        async with _browser() as browser:
            return [
                *await _opened(browser, played),
                await _served(stage, played),
                await _seen_by_others(stage, browser, played, floor),
                *await _busy_evening(stage, browser, played),
            ]


@asynccontextmanager
async def _browser() -> AsyncIterator[Any]:
    playwright = importlib.import_module("playwright.async_api")
    async with playwright.async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def _context(browser: Any, played: Played, who: str) -> AsyncIterator[Any]:
    """A browser in which one of the people is signed in."""
    context = await browser.new_context(locale="en")
    name, _, value = played.cookie(who).partition("=")
    await context.add_cookies([{"name": name, "value": value, "url": played.base}])
    try:
        yield context
    finally:
        await context.close()


async def _follow(page: Any, played: Played) -> None:
    """Open the table, and wait until it follows."""
    await page.goto(played.base + played.table)
    await page.locator("#line", has_text="live").wait_for(state="attached")


# --- opening it ---------------------------------------------------------------------------------------------


async def _opened(browser: Any, played: Played) -> list[Row]:
    """Bytes on the wire and requests, with an empty cache and with a full one."""
    async with _context(browser, played, played.gm) as context:
        first, requests = await _visit(context, played)
        again, _ = await _visit(context, played)
    return [
        _promise("table page, first visit", "bytes", first, FIRST_BYTES),
        _promise("table page, first visit, its feed included", "requests", requests, REQUESTS),
        _promise("table page, again", "bytes", again, AGAIN_BYTES),
    ]


async def _visit(context: Any, played: Played) -> tuple[int, int]:
    page = await context.new_page()
    wire = await context.new_cdp_session(page)
    await wire.send("Network.enable")
    asked: list[str] = []
    sizes: list[float] = []
    wire.on("Network.requestWillBeSent", lambda each: asked.append(each["request"]["url"]))
    wire.on("Network.loadingFinished", lambda each: sizes.append(each["encodedDataLength"]))
    await _follow(page, played)
    await page.close()
    foreign = [url for url in asked if not url.startswith((f"{played.base}/", "data:"))]
    require(not foreign, f"the page asks other hosts: {foreign}")
    return round(sum(sizes)), len(asked)


async def _served(stage: Stage, played: Played) -> Row:
    """The server's time for the page, in turns with what it consists of by the API."""
    rounds = Rounds("table page, from the server", "ms", "…/commands and 15 sheets", Goal(1.0, better="less"))
    cookie = f"\r\nCookie: {played.cookie(played.gm)}\r\n\r\n".encode()
    page = a_request("GET", played.table).replace(b"\r\n\r\n", cookie, 1)
    known = await ask(played.port, a_request("GET", f"{played.path}/sheets", token=played.token))
    names = [each["character"] for each in known["sheets"]]
    sheets = [f"{played.path}/sheets/{names[nth % len(names)]}?acts=false" for nth in range(SHEETS)]
    parts = [a_request("GET", each, token=played.token) for each in (f"{played.path}/commands", *sheets)]
    await burst(played.port, [[page, *parts]])
    for _ in range(stage.scale.rounds):
        times = stage.scale.pages
        whole = await burst(played.port, [[page] * times])
        apart = await burst(played.port, [parts * times])
        rounds.add(1000 * whole.seconds / times, 1000 * apart.seconds / times)
    return rounds.row()


# --- from an action to the screens --------------------------------------------------------------------------


async def _seen_by_others(stage: Stage, browser: Any, played: Played, floor: int) -> Row:
    """From the request of an action until its line is on six screens, and the same with the bare server."""
    goal = Goal(3.0, better="less")
    rounds = Rounds("act to painted on six screens, p95", "ms", "the same screens, sent ready-made lines", goal)
    people = [*played.story.tokens]
    notes = stage.scale.notes
    async with AsyncExitStack() as stack:
        pages = []
        for nth in range(SCREENS):
            context = await stack.enter_async_context(_context(browser, played, people[nth % len(people)]))
            pages.append(await context.new_page())
        await _follow(pages[0], played)
        line = await pages[0].evaluate("document.querySelector('.chronicle > .line').outerHTML")
        of_line = line.partition(' id="')[2].partition('"')[0]

        async def note(_: int) -> str:
            return await played.act(type="campaign.add_note", text="The bell rings again.")

        async def ready_made(nth: int) -> str:
            reached = await ask(floor, a_request("POST", "/lines", line.replace(f'"{of_line}"', f'"n{nth}"', 1)))
            require(reached == SCREENS, f"{reached} of {SCREENS} pages follow")
            return f"n{nth}"

        for _ in range(stage.scale.rounds):
            for page in pages:
                await page.goto(f"http://{HOST}:{floor}/")
                await page.locator("html[data-live]").wait_for(state="attached")
            floors = await _ways(pages, ready_made, notes)
            for page in pages:
                await _follow(page, played)
            rounds.add(_p95(await _ways(pages, note, notes)), _p95(floors))
    return rounds.row()


async def _ways(pages: list[Any], act: Callable[[int], Coroutine[Any, Any, str]], times: int) -> list[float]:
    """The milliseconds from each action to each of the pages that show it."""
    for page in pages:
        await page.evaluate(WATCH)
    ways: list[float] = []
    for nth in range(times):
        await asyncio.sleep(PAUSE_SECONDS)
        began = time.time()
        line = await act(nth)
        async with asyncio.timeout(PAINTED_SECONDS_MAX):
            painted = await asyncio.gather(*(page.evaluate(PAINTED, line) for page in pages))
        ways += [each - 1000 * began for each in painted]
    return ways


def _p95(ways: list[float]) -> float:
    return sorted(ways)[len(ways) * 95 // 100]


# --- a busy evening -----------------------------------------------------------------------------------------


async def _busy_evening(stage: Stage, browser: Any, played: Played) -> list[Row]:
    """Repaints under 20 actions a second, then what the page has become."""
    actions = stage.scale.live_actions
    async with _context(browser, played, played.gm) as context:
        page = await context.new_page()
        await _follow(page, played)
        await page.evaluate(WATCH)
        last, seconds = await _act_steadily(actions, played)
        async with asyncio.timeout(PAINTED_SECONDS_MAX):
            await page.evaluate(PAINTED, last)
        await asyncio.sleep(SETTLE_SECONDS)
        repaints: dict[str, list[float]] = await page.evaluate("window.repaints")
        wire = await context.new_cdp_session(page)
        await wire.send("HeapProfiler.collectGarbage")
        heap = (await wire.send("Runtime.getHeapUsage"))["usedSize"]
        elements = await page.evaluate("document.getElementsByTagName('*').length")
    painted = ", ".join(f"{name} {len(moments)} times" for name, moments in repaints.items())
    stage.say(f"web: {actions} actions in {seconds:.1f} s; painted: {painted}")
    limits = {"log": REPAINTS, "boards": REPAINTS, "commands": COMMAND_REPAINTS}
    return [
        *(
            _promise(f"{name}, 20 actions a second", "repaints/s", _rate(repaints[name]), most)
            for name, most in limits.items()
        ),
        _promise("script's memory after 500 actions", "MiB", heap / MEBIBYTE, HEAP_MIB),
        _promise("elements after 500 actions", "elements", elements, ELEMENTS),
    ]


async def _act_steadily(actions: int, played: Played) -> tuple[str, float]:
    """Act 20 times a second, every other time on a board; the last line, and how long it took."""
    character = played.story.bound[CHARACTER]
    began, sent = time.monotonic(), []
    for nth in range(actions):
        await asyncio.sleep(max(0.0, began + nth / ACTIONS_PER_SECOND - time.monotonic()))
        command: dict[str, Any] = {"type": "campaign.add_note", "text": f"Stroke {nth}."}
        if nth % 2 == 0:
            drawn = {"character": character, "target": "The bell", "grade": GRADES[nth // 2 % len(GRADES)]}
            command = {"type": "angst.set_relationship", **drawn}
        sent.append(asyncio.create_task(played.act(**command)))
    lines = await asyncio.gather(*sent)
    return max(lines, key=lambda line: int(line[1:])), time.monotonic() - began


def _rate(moments: list[float]) -> float:
    """How many a second; the moments are in milliseconds."""
    return 1000 * (len(moments) - 1) / (moments[-1] - moments[0]) if len(moments) > 1 else 0.0


def _promise(name: str, unit: str, figure: float, most: float) -> Row:
    rounds = Rounds(name, unit, "what it may be", Goal(1.0, better="less"))
    rounds.add(figure, most)
    return rounds.row()
