"""`/c/{campaign}/gm`: what a GM looks after: who is waited for, time, tests, and what is hidden."""

from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

from litestar import Request, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from msgspec import Struct, structs

from domain.rejection import Forbidden
from domain.sentences import Part, Sentence, say
from projections.campaign.campaign_view import members
from projections.campaign.chronicle import ActionEntry
from projections.systems import SYSTEM_VIEWS
from services.api.paths import AfterQuery, BeforeQuery
from services.api.timers import timer_views
from services.application import Application
from services.pages.commands import can_do
from services.pages.table import (
    PANELS,
    Panel,
    Panels,
    TablePage,
    panel_alone,
    standing_still,
    table_parts,
)
from services.queries.campaign_reader import VisibleCampaign
from services.queries.chronicle import Filters, actions_page
from services.web.answers import Link, shown
from services.web.campaign_page import campaign_path, seen_by
from services.web.chronicle_lines import Line, lines_of
from services.web.command_form import Option
from services.web.command_list import CommandList, Doing, doing_of
from services.web.command_page import readers_of
from services.web.play_table import PlayTable, offers_of, table_of
from services.web.press import Press, press
from services.web.timer_lines import ADVANCE, STOPPED, Advance, TimerLine, TimerLines, refusal_of
from services.web.visitor import Visitor

COMING_MAX = 8
HIDDEN_MAX = 12
LOOKED_THROUGH_MAX = 2_000
"""So many events are searched for hidden actions at once."""
TESTS = tuple(f"{system}.{each}" for system, views in SYSTEM_VIEWS.items() for each in views.tests)
"""The commands that set a test, or roll one; all of them may be hidden."""
CONTESTS = tuple(f"{system}.{each}" for system, views in SYSTEM_VIEWS.items() for each in views.contests)
"""The commands that compare rolls of two, in the open."""
ROLL, ENTER = "campaign.roll", "campaign.enter_play"
TOLD_WITH_ANOTHER = frozenset(
    f"campaign.{each}" for each in ("undo_action", "redo_action", "request_undo", "decline_undo")
)
"""Commands about another action, with which they are revealed."""


class HiddenLine(Struct, frozen=True):
    """A hidden action, and the way to reveal it; empty where it is revealed with another."""

    line: Line
    reveal: str


class WaitingPanel(Panel, frozen=True):
    """Everything that the table waits for, from everybody."""

    template: ClassVar[str] = "gm_waiting.html"
    title: ClassVar[Sentence] = say("Waited for")
    words: ClassVar[tuple[str, ...]] = ("commands", "members")
    can: CommandList


class TimePanel(Panel, frozen=True):
    """The date, ways to move it on (or why that cannot be), and what happens by itself."""

    template: ClassVar[str] = "gm_time.html"
    title: ClassVar[Sentence] = say("Time")
    words: ClassVar[tuple[str, ...]] = ("timers", "calendar", "commands")
    now: Part
    advances: list[Advance]
    refused: str
    stopped: list[TimerLine]
    coming: list[TimerLine]
    more: int


class HiddenPanel(Panel, frozen=True):
    """Hidden actions, newest first, and the command that brings hidden things into play.

    `earlier` leads to older ones, empty where there are none; `latest` back to the newest.
    """

    template: ClassVar[str] = "gm_hidden.html"
    title: ClassVar[Sentence] = say("Hidden")
    words: ClassVar[tuple[str, ...]] = ("recap", "chronicle", "commands")  # every action touches the recap
    lines: list[HiddenLine]
    earlier: str
    latest: str
    enter: Doing | None


class Test(Struct, frozen=True):
    """A test that can be set openly; `hidden` is the path of the same form for one that the table does not see."""

    doing: Doing
    hidden: str


class Rolling(Struct, frozen=True):
    """A form that rolls dice for those who are chosen: where it is sent, its key, and who may read the roll."""

    press: Press
    readers: list[Option]


class TestsPanel(Panel, frozen=True):
    """Tests to set, rolls to compare, and dice of the GM's own."""

    template: ClassVar[str] = "gm_tests.html"
    title: ClassVar[Sentence] = say("Tests and rolls")
    words: ClassVar[tuple[str, ...]] = ("commands", "members")
    tests: list[Test]
    contests: list[Doing]
    rolling: Rolling | None
    roll_form: str


class GmPage(TablePage, frozen=True):
    """What a GM looks after, on one screen. `eyes` are the members as whom the GM can read the campaign.

    `has_failed`: what was just tried again failed once more.
    """

    template: ClassVar[str] = "gm.html"
    may_be_kept: ClassVar[bool] = False
    section: ClassVar[str] = "gm"
    eyes: list[Link]
    has_failed: bool

    @property
    def panels_path(self) -> str:
        """What the path of each panel begins with."""
        return f"{self.path}/gm"

    @property
    def title(self) -> Part:
        """What the page is called."""
        return say("{campaign}: GM", campaign=self.name)


@get("/c/{campaign:str}/gm")
async def gm_page(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    before: BeforeQuery = None,
) -> Response[bytes]:
    """Every panel, all as of one seq; for GMs. `before` a seq are the hidden actions that it shows."""
    seen = await _seen_by_gm(application, visitor, campaign)
    path = campaign_path(seen)
    eyes = [
        Link(f"{path}/as/{each.account}/table", each.name)
        for each in members(seen.state, seen.name)
        if each.account != seen.account
    ]
    panels = GM_PANELS
    if before is not None:
        panels = {**panels, "hidden": (HiddenPanel, _hidden_before(before))}
    parts = await table_parts(application, seen, panels, request.query_params.get("done", ""))
    return shown(request, visitor, GmPage(**parts, eyes=eyes, has_failed="failed" in request.query_params))


@get("/c/{campaign:str}/gm/{panel:str}")
async def one_panel(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    panel: FromPath[str],
    after: AfterQuery = None,
) -> Response[bytes]:
    """One panel as the page has it."""
    seen = await _seen_by_gm(application, visitor, campaign)
    return await panel_alone(application, request, seen, GM_PANELS, panel, after)


async def _seen_by_gm(application: Application, visitor: Visitor, campaign: str) -> VisibleCampaign:
    """The campaign as a GM sees it, standing still. Refuses `gm_only`."""
    seen = await seen_by(application, visitor, campaign)
    if seen.role != "gm":
        raise Forbidden("gm_only", say("This page is for GMs: it shows what is hidden from the others."))
    return standing_still(seen)


def _back(seen: VisibleCampaign) -> str:
    return f"{campaign_path(seen)}/gm"


# ---- what the table waits for -----------------------------------------------------------------------------------


async def _waiting(application: Application, seen: VisibleCampaign, _: str) -> WaitingPanel:
    return WaitingPanel(campaign_path(seen), await can_do(table_of(application, seen), _back(seen)))


# ---- time -------------------------------------------------------------------------------------------------------


async def _time(application: Application, seen: VisibleCampaign, _: str) -> TimePanel:
    table, board = table_of(application, seen), await timer_views(application, seen, None)
    drawn = TimerLines(table, _back(seen))
    refused = refusal_of((await offers_of(table))[ADVANCE])
    coming = [each for each in board if each.state not in STOPPED]
    return TimePanel(
        path=campaign_path(seen),
        now=drawn.now(),
        advances=[] if refused else drawn.advances(board),
        refused=refused,
        stopped=[drawn.line(each) for each in board if each.state in STOPPED],
        coming=[drawn.line(each) for each in coming[:COMING_MAX]],
        more=len(coming[COMING_MAX:]),
    )


# ---- what is hidden ---------------------------------------------------------------------------------------------


async def _hidden(
    application: Application, seen: VisibleCampaign, _: str, before: int | None = None
) -> HiddenPanel:
    end = seen.seq + 1 if before is None else min(before, seen.seq + 1)
    first = max(0, end - 1 - LOOKED_THROUGH_MAX)
    wanted, here = Filters(hidden=True), f"{_back(seen)}#hidden"
    page = await actions_page(application.log, application.views, seen, first, HIDDEN_MAX, wanted, end)
    older = page.next_before or (first + 1 if first else None)
    entries = {each.seq: each for each in page.actions}
    lines = await lines_of(application, seen, page)
    table = table_of(application, seen)
    enter = (await offers_of(table)).get(ENTER)
    return HiddenPanel(
        path=campaign_path(seen),
        lines=[HiddenLine(each, _reveal(each, entries[each.seq])) for each in reversed(lines)],
        earlier="" if older is None else f"{_back(seen)}?before={older}#hidden",
        latest="" if end > seen.seq else here,
        enter=None if enter is None or enter.possible == "no" else doing_of(enter, table.ways(_back(seen))),
    )


def _hidden_before(before: int) -> Callable[[Application, VisibleCampaign, str], Awaitable[HiddenPanel]]:
    """What makes the panel of the hidden actions before a seq."""

    async def made(application: Application, seen: VisibleCampaign, done: str) -> HiddenPanel:
        return await _hidden(application, seen, done, before)

    return made


def _reveal(line: Line, entry: ActionEntry) -> str:
    return "" if entry.type in TOLD_WITH_ANOTHER or entry.undone_in is not None else f"{line.path}/reveal"


# ---- tests and rolls --------------------------------------------------------------------------------------------


async def _tests(application: Application, seen: VisibleCampaign, _: str) -> TestsPanel:
    table = table_of(application, seen)
    offers, ways = await offers_of(table), table.ways(_back(seen))
    possible = {name: each for name, each in offers.items() if each.possible != "no"}
    return TestsPanel(
        path=campaign_path(seen),
        tests=[
            Test(doing_of(possible[each], ways), f"{ways.form(each, {})}&visibility=gm")
            for each in TESTS
            if each in possible
        ],
        contests=[doing_of(possible[each], ways) for each in CONTESTS if each in possible],
        rolling=_rolling(table) if ROLL in possible and ways.rolls_here else None,
        roll_form=f"{ways.form(ROLL, {})}&visibility=gm" if ROLL in possible else "",
    )


def _rolling(table: PlayTable) -> Rolling:
    pressed = press(table, _back(table.seen), say("Roll the dice"), ROLL, {})
    asked = [each for each in pressed.entries if each[0] != "visibility"]
    return Rolling(structs.replace(pressed, entries=asked), readers_of(table, "gm"))


GM_PANELS: Panels = {
    "waiting": (WaitingPanel, _waiting),
    "time": (TimePanel, _time),
    "hidden": (HiddenPanel, _hidden),
    "tests": (TestsPanel, _tests),
    "boards": PANELS["boards"],
    "chronicle": PANELS["chronicle"],
}
