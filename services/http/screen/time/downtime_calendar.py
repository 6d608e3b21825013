"""The lanes of downtime as a page shows them: a span of days, drawn, and the same in words."""

from markupsafe import Markup
from msgspec import Struct

from domain.sentences import Sentence, say
from projections.campaign.downtime import DowntimeView
from projections.campaign.downtime_drawing import WIDE, draw_lanes
from projections.campaign.downtime_lanes import Window, day_in_words, lanes_of, usual_window
from projections.campaign.timers import TimerView
from projections.drawings import canvas
from projections.titles import words_in
from services.campaign.visible_campaign import VisibleCampaign
from services.http.screen.time.timer_lines import TimerLines

MARKS_MAX = 30
WIDTHS = (canvas.WIDTH, WIDE)


class PastRow(Struct, frozen=True):
    """An activity that is over: its character, its name, and since when or how."""

    who: str
    title: str
    told: Sentence


class PeriodRow(Struct, frozen=True):
    """A downtime that is over: from when to when, and what it was for."""

    told: Sentence
    reason: str


class MarkRow(Struct, frozen=True):
    """Something that happens by itself, and when."""

    title: str
    date: Sentence


class CalendarPart(Struct, frozen=True):
    """The span that is shown, drawn twice."""

    told: Sentence
    narrow: Markup
    """For a narrow screen; empty: nothing is in it."""
    wide: Markup
    """For a wide screen; empty: nothing is in it."""
    earlier: str
    """A path; empty: it leads nowhere."""
    later: str
    """A path; empty: it leads nowhere."""
    usual: str
    """A path; empty: it leads nowhere."""
    past: list[PastRow]
    periods: list[PeriodRow]
    marks: list[MarkRow]


def calendar_part(
    campaign: VisibleCampaign,
    view: DowntimeView,
    board: list[TimerView],
    lines: TimerLines,
    here: str,
    day: int | None,
) -> CalendarPart:
    """The calendar from a day on; None: as usual. `here` is the path of the page, with its moment."""
    usual = usual_window(campaign.state, view)
    window = usual if day is None else Window(usual.calendar, day, usual.days)
    lanes = lanes_of(campaign.state, view, window, board)
    words = words_in(campaign.language)
    drawings = [Markup("" if lanes.is_empty else draw_lanes(lanes, words, width)) for width in WIDTHS]  # noqa: S704 — escaped where it is drawn
    over = [(lane.name, bar) for lane in lanes.lanes for bar in lane.bars if bar.state in ("done", "stopped")]
    last = window.first + window.days - 1
    return CalendarPart(
        told=say(
            "{begin} to {end}",
            begin=day_in_words(campaign.language, window.first, lanes),
            end=day_in_words(campaign.language, last, lanes),
        ),
        narrow=drawings[0],
        wide=drawings[1],
        earlier=_path(here, max(0, window.first - window.days)) if window.first else "",
        later=_path(here, last + 1) if last < _last_day(usual, board) else "",
        usual="" if window == usual else here,
        past=[PastRow(name, bar.title, bar.sentence) for name, bar in sorted(over, key=lambda pair: pair[1].end)],
        periods=[
            PeriodRow(_period(lines, period.began, period.ended), period.reason or "")
            for period in view.periods
            if period.ended is not None and window.holds(period.began, period.ended)
        ],
        marks=[MarkRow(mark.title, lines.date(mark.at)) for mark in lanes.marks[:MARKS_MAX]],
    )


def _period(lines: TimerLines, began: int, ended: int) -> Sentence:
    return say("Downtime from {begin} to {end}", begin=lines.date(began), end=lines.date(ended))


def _last_day(usual: Window, board: list[TimerView]) -> int:
    """The last day on which something is known to happen."""
    coming = [timer.game_time for timer in board if timer.game_time is not None]
    return usual.day_of(max([usual.end - 1, *coming]))


def _path(here: str, day: int) -> str:
    return f"{here}{'&' if '?' in here else '?'}day={day}"
