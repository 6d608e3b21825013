"""`/c/{campaign}/gm`: the GM's screen: the players waited for, time, tests, and the hidden things."""

from collections.abc import Awaitable, Callable
from typing import ClassVar

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from msgspec import Struct, structs

from domain.rejection import Forbidden
from domain.sentences import Part, Sentence, say
from projections.campaign.campaign_view import members
from projections.campaign.chronicle import ActionEntry
from projections.systems import SYSTEM_VIEWS
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.route_parameters import AfterQuery, BeforeQuery
from services.http.screen.commands.command_form import Option
from services.http.screen.commands.command_list import CommandList, Doing, doing_of
from services.http.screen.commands.command_page import readers_of
from services.http.screen.commands.commands import can_do
from services.http.screen.commands.one_click_button import Press, press
from services.http.screen.commands.play_table import PlayTable, offers_of, table_of
from services.http.screen.shared.campaign_page import campaign_path
from services.http.screen.shared.chronicle_lines import Line, lines_of
from services.http.screen.shared.page_responses import Link, show_page
from services.http.screen.shared.visitor import Visit, open_campaign
from services.http.screen.table.table import (
    OPENED,
    PANELS,
    Panel,
    Panels,
    TablePage,
    panels_alone,
    table_parts,
)
from services.http.screen.time.timer_lines import ADVANCE, STOPPED, Advance, TimerLine, TimerLines, refusal_of
from services.reading.chronicle import Filters, actions_page
from services.reading.timers import timer_views

COMING_MAX = 8
HIDDEN_MAX = 12
LOOKED_THROUGH_MAX = 2_000
"""So many events are searched for hidden actions at once."""
TESTS = tuple(f"{system}.{command}" for system, views in SYSTEM_VIEWS.items() for command in views.tests)
"""The commands that set a test, or roll one; all of them may be hidden."""
CONTESTS = tuple(f"{system}.{command}" for system, views in SYSTEM_VIEWS.items() for command in views.contests)
"""The commands that compare rolls of two, in the open."""
ROLL, ENTER = "campaign.roll", "campaign.enter_play"
TOLD_WITH_ANOTHER = frozenset(
    f"campaign.{command}" for command in ("undo_action", "redo_action", "request_undo", "decline_undo")
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
    """All that a GM looks after, on one screen. `eyes` are the members as whom the GM can read the campaign.

    `has_failed`: the timer just tried again failed once more.
    """

    template: ClassVar[str] = "gm.html"
    may_be_kept: ClassVar[bool] = False
    section: ClassVar[str] = "gm"
    eyes: list[Link]
    has_failed: bool

    @property
    def panels_path(self) -> str:
        """The beginning of the path of each panel."""
        return f"{self.path}/gm"

    @property
    def title(self) -> Part:
        """The page's title."""
        return say("{campaign}: GM", campaign=self.name)


@get("/c/{campaign:str}/gm")
async def gm_page(visit: NamedDependency[Visit], before: BeforeQuery = None) -> Response[bytes]:
    """Every panel, all as of one seq; for GMs. `before` a seq are the hidden actions that it shows."""
    visible = await _open_as_gm(visit)
    path = campaign_path(visible)
    eyes = [
        Link(f"{path}/as/{member.account}/table", member.name)
        for member in members(visible.state, visible.name)
        if member.account != visible.account
    ]
    panels = GM_PANELS
    if before is not None:
        panels = {**panels, "hidden": (HiddenPanel, _hidden_before(before))}
    parts = await table_parts(visit.application, visible, panels, visit.request.query_params.get("done", ""))
    return show_page(visit, GmPage(**parts, eyes=eyes, has_failed="failed" in visit.request.query_params))


@get("/c/{campaign:str}/gm/{panel:str}")
async def one_panel(
    visit: NamedDependency[Visit], panel: FromPath[str], after: AfterQuery = None
) -> Response[bytes]:
    """A panel as the page has it, or several."""
    visible = await _open_as_gm(visit)
    return await panels_alone(visit.application, visit.request, visible, GM_PANELS, panel, after)


async def _open_as_gm(visit: Visit) -> VisibleCampaign:
    """The campaign as a GM sees it, standing still. Refuses `gm_only`."""
    visible = await open_campaign(visit)
    if visible.role != "gm":
        raise Forbidden("gm_only", say("This page is for GMs: it shows what is hidden from the others."))
    return visible.standing_still()


def _back(campaign: VisibleCampaign) -> str:
    return f"{campaign_path(campaign)}/gm"


# ---- what the table waits for -----------------------------------------------------------------------------------


async def _waiting(application: Application, campaign: VisibleCampaign, _: str) -> WaitingPanel:
    return WaitingPanel(
        campaign_path(campaign), await can_do(table_of(application, campaign, OPENED), _back(campaign))
    )


# ---- time -------------------------------------------------------------------------------------------------------


async def _time(application: Application, campaign: VisibleCampaign, _: str) -> TimePanel:
    table, board = table_of(application, campaign, OPENED), await timer_views(application, campaign, None)
    lines = TimerLines(table, _back(campaign))
    refusal = refusal_of((await offers_of(table))[ADVANCE])
    coming = [timer for timer in board if timer.state not in STOPPED]
    return TimePanel(
        path=campaign_path(campaign),
        now=lines.now(),
        advances=[] if refusal else lines.advances(board),
        refused=refusal,
        stopped=[lines.line(timer) for timer in board if timer.state in STOPPED],
        coming=[lines.line(timer) for timer in coming[:COMING_MAX]],
        more=len(coming[COMING_MAX:]),
    )


# ---- what is hidden ---------------------------------------------------------------------------------------------


async def _hidden_actions(
    application: Application, campaign: VisibleCampaign, _: str, before: int | None = None
) -> HiddenPanel:
    end = campaign.seq + 1 if before is None else min(before, campaign.seq + 1)
    first = max(0, end - 1 - LOOKED_THROUGH_MAX)
    filters, here = Filters(only_hidden=True), f"{_back(campaign)}#hidden"
    page = await actions_page(application.log, application.views, campaign, first, HIDDEN_MAX, filters, end)
    older = page.next_before or (first + 1 if first else None)
    entries = {entry.seq: entry for entry in page.actions}
    lines = await lines_of(application, campaign, page)
    table = table_of(application, campaign, OPENED)
    enter = (await offers_of(table)).get(ENTER)
    return HiddenPanel(
        path=campaign_path(campaign),
        lines=[HiddenLine(line, _reveal(line, entries[line.seq])) for line in reversed(lines)],
        earlier="" if older is None else f"{_back(campaign)}?before={older}#hidden",
        latest="" if end > campaign.seq else here,
        enter=None if enter is None or enter.possible == "no" else doing_of(enter, table.ways(_back(campaign))),
    )


def _hidden_before(before: int) -> Callable[[Application, VisibleCampaign, str], Awaitable[HiddenPanel]]:
    """The function that makes the panel of the hidden actions before a seq."""

    async def make_panel(application: Application, campaign: VisibleCampaign, last_action: str) -> HiddenPanel:
        return await _hidden_actions(application, campaign, last_action, before)

    return make_panel


def _reveal(line: Line, entry: ActionEntry) -> str:
    return "" if entry.type in TOLD_WITH_ANOTHER or entry.undone_in is not None else f"{line.path}/reveal"


# ---- tests and rolls --------------------------------------------------------------------------------------------


async def _tests(application: Application, campaign: VisibleCampaign, _: str) -> TestsPanel:
    table = table_of(application, campaign, OPENED)
    offers, ways = await offers_of(table), table.ways(_back(campaign))
    possible = {name: offer for name, offer in offers.items() if offer.possible != "no"}
    return TestsPanel(
        path=campaign_path(campaign),
        tests=[
            Test(doing_of(possible[command], ways), f"{ways.form(command, {})}&visibility=gm")
            for command in TESTS
            if command in possible
        ],
        contests=[doing_of(possible[command], ways) for command in CONTESTS if command in possible],
        rolling=_rolling(table) if ROLL in possible and ways.rolls_here else None,
        roll_form=f"{ways.form(ROLL, {})}&visibility=gm" if ROLL in possible else "",
    )


def _rolling(table: PlayTable) -> Rolling:
    pressed = press(table, _back(table.campaign), say("Roll the dice"), ROLL, {})
    entries = [entry for entry in pressed.entries if entry[0] != "visibility"]
    return Rolling(structs.replace(pressed, entries=entries), readers_of(table, "gm"))


GM_PANELS: Panels = {
    "waiting": (WaitingPanel, _waiting),
    "time": (TimePanel, _time),
    "hidden": (HiddenPanel, _hidden_actions),
    "tests": (TestsPanel, _tests),
    "boards": PANELS["boards"],
    "chronicle": PANELS["chronicle"],
}
