"""`/c/{campaign}/calendar`: a month of the campaign's calendar, with what its reader knows of its days."""

from typing import ClassVar

from litestar import get
from litestar.di import NamedDependency
from litestar.response import Response
from msgspec import Struct

from domain.campaign.calendar_shapes import MoonPhase
from domain.campaign.settings import OWN, settings_of
from domain.sentences import Part, Sentence, say
from projections.campaign.calendar_month import (
    CalendarMonth,
    DayEntry,
    MonthDay,
    MonthPlace,
    week_rows,
)
from projections.campaign.dates import date_in, date_in_words, month_names
from services.http.route_parameters import AtQuery
from services.http.screen.shared.campaign_page import CampaignPage, campaign_path, frame_of, watched_paths
from services.http.screen.shared.month_form import MonthChoice, month_entry
from services.http.screen.shared.page_responses import show_page
from services.http.screen.shared.visitor import Visit, open_campaign
from services.http.screen.time.downtime import moment_told
from services.reading.calendar_month import month_of

ENTRIES_MAX = 6
"""A day says how many more there are."""
WEEK_MAX = 10
"""A longer week finds no room on a page: its days are a list."""


class EntryLine(Struct, frozen=True):
    """Something on a day, and the page that says more of it."""

    kind: str
    title: Part
    path: str
    begins: bool
    ends: bool
    is_told: bool
    """Whether a week shows its title here; else the one before does."""


class DayCell(Struct, frozen=True):
    """A day as it is shown; `more` of it is left out."""

    day: int
    name: str
    """Of a festival's day; empty: it is an ordinary one."""
    has_number: bool
    weekday: str
    is_today: bool
    moons: list[MoonPhase]
    """Those that are new or full from that day on."""
    entries: list[EntryLine]
    more: int

    @property
    def is_quiet(self) -> bool:
        """Whether there is nothing to say of it."""
        return not (self.name or self.is_today or self.moons or self.entries)


class Row(Struct, frozen=True):
    """A week, or a day apart from it; days of other months are None."""

    cells: list[DayCell | None]
    is_apart: bool


class CalendarPage(CampaignPage, frozen=True, kw_only=True):
    """A month: rows of weeks, or where there are none a list of days."""

    template: ClassVar[str] = "calendar.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "downtime"
    at: int | None
    """The seq at which it is read; None: now."""
    moment: Sentence | None
    now: Sentence
    month: CalendarMonth
    choice: MonthChoice
    rows: list[Row]
    has_weeks: bool
    earlier: str
    later: str
    usual: str
    """The path of today's month; empty: this is it."""

    @property
    def title(self) -> Part:
        """The page's title."""
        return say("Calendar: {month}", month=self.month.title)


@get(watched_paths("/calendar"))
async def calendar_page(visit: NamedDependency[Visit], at: AtQuery = None) -> Response[bytes]:
    """A month of the calendar, by `?year=` and `?month=`."""
    visible = await open_campaign(visit, at)
    entry = month_entry(visit.request.query_params)
    view = await month_of(visit.application, visible, at, entry.year, entry.month)
    shape = settings_of(OWN, visible.state.changed_settings).calendar
    path = campaign_path(visible)
    here, moment = f"{path}/calendar?", "" if at is None else f"at={visible.seq}&"
    has_weeks = 0 < len(view.week) <= WEEK_MAX
    cells = _Cells(view, path, f"?at={visible.seq}" if at is not None else "")
    if has_weeks:
        rows = [
            Row([cells.cell(day, nth) for nth, day in enumerate(row.cells)], row.is_apart)
            for row in week_rows(view)
        ]
    else:
        rows = [Row([cells.cell(day)], is_apart=True) for day in view.days]
    page = CalendarPage(
        **frame_of(visible),
        at=None if at is None else visible.seq,
        moment=moment_told(visible, at),
        now=date_in_words(date_in(visible.language, visible.state.game_time, shape)),
        month=view,
        choice=MonthChoice(
            entry.text if entry.wrong else view.year, view.month, month_names(visible.language, shape), entry.wrong
        ),
        rows=rows,
        has_weeks=has_weeks,
        earlier=_path(here + moment, view.earlier),
        later=_path(here + moment, view.later),
        usual="" if any(day.is_today for day in view.days) else _path(here + moment, view.today),
    )
    return show_page(visit, page, entry.status)


class _Cells:
    """Makes the cells of a month's days."""

    def __init__(self, month: CalendarMonth, path: str, query: str) -> None:
        self._month = month
        self._path = path
        self._query = query

    def cell(self, day: MonthDay | None, nth: int = 0) -> DayCell | None:
        """A day, the `nth` from 0 of its row."""
        if day is None:
            return None
        return DayCell(
            day=day.date.day,
            name=day.date.festival or "",
            has_number=not day.date.stands_alone,
            weekday=day.date.weekday or "",
            is_today=day.is_today,
            moons=[moon for moon in day.new_phases if moon.index in (0, moon.phases // 2)],
            entries=[
                self._line(entry, is_first=nth == 0 or day is self._month.days[0])
                for entry in day.entries[:ENTRIES_MAX]
            ],
            more=len(day.entries[ENTRIES_MAX:]),
        )

    def _line(self, entry: DayEntry, *, is_first: bool) -> EntryLine:
        title: Part = entry.title
        if entry.times > 1:
            title = say("{what}, {n} times", what=entry.title, n=entry.times)
        pages = {"session": f"/recap?session={entry.id}", "timer": f"/timers{self._query}"}
        path = self._path + pages.get(entry.kind, f"/downtime{self._query}")
        return EntryLine(entry.kind, title, path, entry.begins, entry.ends, entry.begins or is_first)


def _path(here: str, place: MonthPlace | None) -> str:
    return "" if place is None else f"{here}year={place.year}&month={place.month}"
