"""`/c/{campaign}/gm`: what a GM looks after: who is waited for, time, tests, and what is hidden."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from msgspec import Struct, structs

from domain.campaign.calendar.dates import CalendarShape
from domain.campaign.settings import OWN, settings_of
from domain.rejection import Forbidden
from domain.sentences import Part, Sentence, say, say_many
from projections.campaign.campaign_view import members
from projections.campaign.chronicle import ActionEntry
from projections.campaign.dates import date_in, date_in_words
from projections.campaign.narration import span
from projections.campaign.timers import TimerView, timer_board
from projections.possible_commands import CommandOffer
from services.api.paths import AfterQuery
from services.api.timers import retry, timer_views
from services.application import Application
from services.queries.campaign_reader import VisibleCampaign
from services.queries.chronicle import Filters, actions_page
from services.web.answers import Link, see_other, shown
from services.web.campaign_page import campaign_path, seen_by
from services.web.chronicle_lines import Line, lines_of
from services.web.command_entries import entries_of
from services.web.command_form import Option
from services.web.command_list import CommandList, Doing, doing_of
from services.web.command_page import readers_of
from services.web.pages.commands import can_do
from services.web.pages.table import (
    PANELS,
    Panel,
    Panels,
    TablePage,
    panel_alone,
    standing_still,
    table_parts,
)
from services.web.play_table import PlayTable, table_of
from services.web.visitor import Visitor

HOUR, DAY = 3600, 86_400
COMING_MAX = 8
FALLS_MAX = 5
HIDDEN_MAX = 12
LOOKED_THROUGH_MAX = 2_000
"""So many events are searched for hidden actions; who looks for older ones reads the chronicle."""
TESTS = ("frame_state.call_test", "angst.call_test", "freefall.roll_action", "overdrive.roll")
"""The commands that set a test, or roll one; all of them may be hidden."""
CONTESTS = ("angst.resolve_opposed", "freefall.resolve_conflict", "overdrive.start_duel")
"""The commands that compare rolls of two, in the open."""
ADVANCE, ROLL, ENTER, RESUME, PAUSE, CANCEL = (
    f"campaign.{each}"
    for each in ("advance_calendar", "roll", "enter_play", "resume_timer", "pause_timer", "cancel_timer")
)
STOPPED = ("paused", "failing", "parked")
TOLD_WITH_ANOTHER = frozenset(
    f"campaign.{each}" for each in ("undo_action", "redo_action", "request_undo", "decline_undo")
)
"""Commands about another action, with which they are revealed."""


class Press(Struct, frozen=True):
    """A button that does something: where its form is sent, and with what."""

    title: Part
    action: str
    entries: list[tuple[str, str]] = []


class Falling(Struct, frozen=True):
    """Something that falls due, and how often by then where that is more than once."""

    title: str
    times: Sentence | None


class Advance(Struct, frozen=True):
    """A way to move the calendar on: until when, and what falls due by then; `more` of it is left out."""

    press: Press
    until: Part
    falling: list[Falling]
    more: int


class Coming(Struct, frozen=True):
    """Something that happens by itself, or does not: what, when, and what can be done about it.

    `at` is its moment in real time, else `date` is that of the calendar. `wrong` says why it could not happen.
    """

    title: str
    does: str
    date: Part
    at: str
    is_secret: bool
    state: Sentence | None
    wrong: str
    press: Press | None
    links: list[Link]


class HiddenLine(Struct, frozen=True):
    """A hidden action, and the way to reveal it; empty where it is revealed with another."""

    line: Line
    reveal: str


class WaitingPanel(Panel, frozen=True):
    """Everything that the table waits for, from everybody."""

    template: ClassVar[str] = "gm_waiting.html"
    title: ClassVar[Sentence] = say("Waited for")
    can: CommandList


class TimePanel(Panel, frozen=True):
    """The date, ways to move it on (or why that cannot be), and what happens by itself."""

    template: ClassVar[str] = "gm_time.html"
    title: ClassVar[Sentence] = say("Time")
    now: Part
    advances: list[Advance]
    refused: str
    stopped: list[Coming]
    coming: list[Coming]
    more: int


class HiddenPanel(Panel, frozen=True):
    """The last hidden actions, newest first, and the command that brings hidden things into play."""

    template: ClassVar[str] = "gm_hidden.html"
    title: ClassVar[Sentence] = say("Hidden")
    lines: list[HiddenLine]
    is_all: bool
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
    tests: list[Test]
    contests: list[Doing]
    rolling: Rolling | None
    roll_form: str


class GmPage(TablePage, frozen=True):
    """What a GM looks after, on one screen. `eyes` are the members as whom the GM can read the campaign.

    `has_failed`: what was just tried again failed once more.
    """

    template: ClassVar[str] = "gm.html"
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
) -> Response[bytes]:
    """Every panel, all as of one seq; for GMs."""
    seen = await _seen_by_gm(application, visitor, campaign)
    path = campaign_path(seen)
    eyes = [
        Link(f"{path}/as/{each.account}/table", each.name)
        for each in members(seen.state, seen.name)
        if each.account != seen.account
    ]
    parts = await table_parts(application, seen, GM_PANELS)
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


@post("/c/{campaign:str}/timers/{timer:str}/retry")
async def retry_timer(
    application: NamedDependency[Application],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    timer: FromPath[str],
) -> Response[bytes]:
    """Have something that failed tried again."""
    tried = await retry(application, visitor.signed_in.account_id, campaign, timer)
    return see_other(f"/c/{campaign}/gm" + ("" if tried.happened else "?failed=yes"))


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
    shape = settings_of(OWN, seen.state.changed_settings).calendar
    table, board = table_of(application, seen), await timer_views(application, seen, None)
    offer = (await _offers(table))[ADVANCE]
    open_to_all = {} if seen.common is None else {each.id for each in timer_board(seen.common, {}, seen.name)}
    drawn = _Timers(table, shape, open_to_all)
    coming = [each for each in board if each.state not in STOPPED]
    return TimePanel(
        path=campaign_path(seen),
        now=date_in_words(date_in(seen.language, seen.state.game_time, shape)),
        advances=[] if offer.possible == "no" else drawn.advances(board),
        refused=offer.refused.detail if offer.possible == "no" and offer.refused is not None else "",
        stopped=[drawn.coming(each) for each in board if each.state in STOPPED],
        coming=[drawn.coming(each) for each in coming[:COMING_MAX]],
        more=len(coming[COMING_MAX:]),
    )


class _Timers:
    """Puts timers into words; `open_to_all` are the ids of those that the table knows."""

    def __init__(self, table: PlayTable, shape: CalendarShape, open_to_all: Iterable[str]) -> None:
        self._table = table
        self._state = table.seen.state
        self._ways = table.ways(_back(table.seen))
        self._shape = shape
        self._open = open_to_all

    def advances(self, board: Sequence[TimerView]) -> list[Advance]:
        """The ways to move the calendar on: an hour, a day, and to what is due next."""
        now = self._state.game_time
        later = [each.game_time for each in board if each.game_time is not None and each.game_time > now]
        ways = [(say("Advance {span}", span=span(each)), each) for each in (HOUR, DAY)]
        if later:
            to_next = min(later) - now
            ways.append((say("To the next due: {span}", span=span(to_next)), to_next))
        return [self._advance(title, seconds, board) for title, seconds in ways]

    def _advance(self, title: Sentence, seconds: int, board: Sequence[TimerView]) -> Advance:
        until = self._state.game_time + seconds
        falling = [
            Falling(each.title, self._times(each, until))
            for each in board
            if each.state not in STOPPED and each.game_time is not None and each.game_time <= until
        ]
        press = _press(self._table, title, ADVANCE, {"by": {"seconds": seconds}})
        return Advance(press, self._date(until), falling[:FALLS_MAX], len(falling[FALLS_MAX:]))

    def _times(self, each: TimerView, until: int) -> Sentence | None:
        own = self._state.timers.get(each.timer or "")
        if own is None or own.every is None or each.game_time is None:
            return None
        times = 1 + (until - each.game_time) // own.every
        times = times if own.times is None else min(times, own.times)
        return say("{n} times", n=times) if times > 1 else None

    def coming(self, each: TimerView) -> Coming:
        """A timer, with what can be done about it."""
        return Coming(
            title=each.title,
            does=each.does if each.does != each.title else "",
            date=self._date(each.game_time) if each.game_time is not None else "",
            at=each.at or "",
            is_secret=each.id not in self._open,
            state=self._told(each),
            wrong=each.error or "",
            press=self._way_on(each),
            links=self._links(each),
        )

    def _told(self, each: TimerView) -> Sentence | None:
        match each.state:
            case "paused":
                return say("Paused, with {span} left.", span=each.remaining or "")
            case "failing":
                return _tried(each.attempts)
            case "parked":
                return say("It failed too often and waits for you: take away what is in its way, then try again.")
            case "due":
                return say("Due now.")
            case "resting":
                return say("It rests while the campaign is archived.")
            case _:
                return say("in {span}", span=each.remaining) if each.remaining else None

    def _way_on(self, each: TimerView) -> Press | None:
        if each.state in ("failing", "parked"):
            return Press(say("Try again"), f"{self._table.path}/timers/{each.id}/retry")
        if each.state == "paused":
            return _press(self._table, say("Resume"), RESUME, {"timer": each.timer}, self._readers(each))
        return None

    def _readers(self, each: TimerView) -> str:
        """Who may read what is done about a timer: what the table does not know of stays so."""
        return "all" if each.id in self._open else "gm"

    def _links(self, each: TimerView) -> list[Link]:
        """What else can be done about one of the campaign's own timers."""
        if each.timer is None or each.state == "resting":
            return []
        said = {"timer": each.timer}
        ways = [(PAUSE, say("Pause"))] if each.state == "waiting" else []
        return [
            Link(
                f"{self._ways.form(command, said)}&visibility={self._readers(each)}",
                self._table.seen.told(title),
                self._table.seen.told(say("{what}: {timer}", what=title, timer=each.title)),
            )
            for command, title in (*ways, (CANCEL, say("Cancel")))
        ]

    def _date(self, second: int) -> Part:
        return date_in_words(date_in(self._table.seen.language, second, self._shape))


def _tried(attempts: int) -> Sentence:
    return say_many(
        "Tried once in vain; it is tried again.", "Tried {n} times in vain; it is tried again.", attempts
    )


# ---- what is hidden ---------------------------------------------------------------------------------------------


async def _hidden(application: Application, seen: VisibleCampaign, _: str) -> HiddenPanel:
    first = max(0, seen.seq - LOOKED_THROUGH_MAX)
    wanted = Filters(hidden=True)
    page = await actions_page(application.log, application.views, seen, first, HIDDEN_MAX, wanted, seen.seq + 1)
    entries = {each.seq: each for each in page.actions}
    lines = await lines_of(application, seen, page)
    table = table_of(application, seen)
    enter = (await _offers(table)).get(ENTER)
    return HiddenPanel(
        path=campaign_path(seen),
        lines=[HiddenLine(each, _reveal(each, entries[each.seq])) for each in reversed(lines)],
        is_all=page.next_before is None and first == 0,
        enter=None if enter is None or enter.possible == "no" else doing_of(enter, table.ways(_back(seen))),
    )


def _reveal(line: Line, entry: ActionEntry) -> str:
    return "" if entry.type in TOLD_WITH_ANOTHER or entry.undone_in is not None else f"{line.path}/reveal"


# ---- tests and rolls --------------------------------------------------------------------------------------------


async def _tests(application: Application, seen: VisibleCampaign, _: str) -> TestsPanel:
    table = table_of(application, seen)
    offers, ways = await _offers(table), table.ways(_back(seen))
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
    press = _press(table, say("Roll the dice"), ROLL, {})
    asked = [each for each in press.entries if each[0] != "visibility"]
    return Rolling(structs.replace(press, entries=asked), readers_of(table, "gm"))


async def _offers(table: PlayTable) -> dict[str, CommandOffer]:
    """Every command that there is, with whether it may be given now."""
    return {each.command: each for each in (await table.application.possible.all(table.seen, None)).commands}


def _press(
    table: PlayTable, title: Sentence, command: str, said: Mapping[str, Any], visibility: str = "all"
) -> Press:
    """A button that gives a command at once, and comes back here."""
    ways = table.ways(_back(table.seen))
    how = {"do": "act", "next": ways.back, "key": ways.key(command), "visibility": visibility}
    return Press(title, ways.action(command), [*entries_of(table.kinds[command], said), *how.items()])


GM_PANELS: Panels = {
    "waiting": (WaitingPanel, _waiting),
    "time": (TimePanel, _time),
    "hidden": (HiddenPanel, _hidden),
    "tests": (TestsPanel, _tests),
    "boards": PANELS["boards"],
    "chronicle": PANELS["chronicle"],
}
