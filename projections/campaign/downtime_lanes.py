"""A span of the campaign's calendar with a lane for each character: their past, present and planned activities."""

from collections.abc import Iterable, Sequence
from itertools import islice

from msgspec import Struct

from domain.campaign.calendar.calendar_setting import calendar_in
from domain.campaign.calendar.timers import GAME_TIME_SECONDS_MAX, firings_in
from domain.campaign.calendar_shapes import DAY_SECONDS, CalendarShape, CountedCalendar
from domain.campaign.play.characters import characters
from domain.campaign.settings import OWN, settings_of
from domain.campaign.state import Activity, CampaignState
from domain.sentences import Sentence, join_parts, say
from projections.campaign.dates import date_in, date_in_words
from projections.campaign.downtime import ActivityView, DowntimeView, PastActivity
from projections.campaign.timers import TimerView, ends_of_activities

DAYS_LEAST, DAYS_MOST = 7, 62
TIMES_MAX = 62
"""So often one timer is marked at most."""
LAST_DAY = GAME_TIME_SECONDS_MAX // DAY_SECONDS


class Window(Struct, frozen=True):
    """So many days of the calendar from the `first` one, counted from that on which the campaign begins."""

    calendar: CountedCalendar
    first: int
    days: int

    @property
    def begin(self) -> int:
        """Its first second."""
        return self.moment_of(self.first)

    @property
    def end(self) -> int:
        """The second after it."""
        return self.moment_of(self.first + self.days)

    def moment_of(self, day: int) -> int:
        """The second with which a day begins."""
        return self.calendar.moment_of_day(self.calendar.day_of(0) + day)

    def day_of(self, moment: int) -> int:
        """The day of a moment."""
        return self.calendar.day_of(moment) - self.calendar.day_of(0)

    def holds(self, begin: int, end: int) -> bool:
        """Whether some of a span lies in it."""
        return begin <= self.end and end >= self.begin


class Bar(Struct, frozen=True):
    """An activity on the calendar."""

    activity: str
    title: str
    state: str
    """`done`, `stopped`, `running`, `waiting` or `planned`."""
    sentence: Sentence
    begin: int
    """Seconds."""
    end: int
    """Seconds."""


class Lane(Struct, frozen=True):
    """A character's lane."""

    character: str
    name: str
    bars: list[Bar]


class Mark(Struct, frozen=True):
    """Something that happens by itself at a moment of the calendar: a timer, by the id that its board has."""

    timer: str
    title: str
    at: int


class Period(Struct, frozen=True):
    """A downtime of which some lies in a window."""

    reason: str | None
    begin: int
    """Seconds."""
    end: int
    """Seconds."""


class Lanes(Struct, frozen=True):
    """Everything in a window, and the downtimes in it."""

    window: Window
    now: int
    shape: CalendarShape
    lanes: list[Lane]
    marks: list[Mark]
    periods: list[Period]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not (self.marks or self.periods or any(lane.bars for lane in self.lanes))


def usual_window(state: CampaignState, view: DowntimeView) -> Window:
    """The running downtime as far as it is known; between adventures that are over, the days around today."""
    now, running = state.game_time, next((period for period in view.periods if period.ended is None), None)
    calendar = calendar_in(state)
    day_of = Window(calendar, 0, 1).day_of
    ends = [activity.due for activity in state.activities.values() if activity.due is not None]
    ends += [now + activity.takes for activity in state.activities.values() if activity.due is None]
    last = max([now + calendar.day_seconds, state.downtime_until or 0, *ends])
    begins = [running.began] if running is not None else [period.began for period in view.periods[:1]]
    first = max(day_of(min([now, *begins])), day_of(now) - DAYS_MOST // 2)
    days = day_of(last - 1) + 1 - first
    return Window(calendar, first, min(max(days, DAYS_LEAST), DAYS_MOST))


def lanes_of(state: CampaignState, view: DowntimeView, window: Window, timers: Iterable[TimerView]) -> Lanes:
    """The window as the reader of the view knows it; `timers` are marked in it, but for those that end a bar."""
    bars = [*_past(view.past), *_present(state, view.activities)]
    visible_bars = [(who, bar) for who, bar in bars if window.holds(bar.begin, bar.end)]
    names = {str(activity.character): activity.character_name for activity in view.past}
    names |= {str(activity.character): activity.character_name for activity in view.activities}
    played = {
        str(character.character): character.name for character in characters(state) if character.player is not None
    }
    order = dict.fromkeys([*played, *(who for who, _ in visible_bars)])
    return Lanes(
        window=window,
        now=state.game_time,
        shape=settings_of(OWN, state.changed_settings).calendar,
        lanes=[Lane(who, names.get(who) or played[who], _in_order(visible_bars, who)) for who in order],
        marks=sorted(_marks(state, window, timers), key=lambda mark: (mark.at, mark.title)),
        periods=[
            Period(period.reason, period.began, end)
            for period in view.periods
            if window.holds(period.began, end := _end_of(state, period.ended))
        ],
    )


def _in_order(bars: Sequence[tuple[str, Bar]], who: str) -> list[Bar]:
    return sorted((bar for whose, bar in bars if whose == who), key=lambda bar: (bar.begin, bar.end))


def _end_of(state: CampaignState, ended: int | None) -> int:
    """When a downtime ended, or is to end."""
    if ended is not None:
        return ended
    return max(state.game_time, state.downtime_until or 0)


def _past(past: Iterable[PastActivity]) -> Iterable[tuple[str, Bar]]:
    """The activities that are over; plans that were dropped are on no calendar."""
    for activity in past:
        if activity.began is not None:
            when = date_in_words(activity.date)
            sentence = (
                say("done on {date}", date=when)
                if activity.state == "done"
                else say("stopped on {date}", date=when)
            )
            bar = Bar(
                activity.activity,
                activity.title,
                activity.state,
                sentence,
                activity.began,
                max(activity.began, activity.ended),
            )
            yield str(activity.character), bar


def _present(state: CampaignState, activities: Iterable[ActivityView]) -> Iterable[tuple[str, Bar]]:
    for view in activities:
        activity = state.activities[view.activity]
        begin, end = _span(state, activity)
        yield str(view.character), Bar(view.activity, view.title, view.state, standing(view), begin, end)


def _span(state: CampaignState, activity: Activity) -> tuple[int, int]:
    if activity.due is None:
        return state.game_time, state.game_time + activity.takes
    return activity.due - activity.takes, max(activity.due, state.game_time)


def standing(view: ActivityView) -> Sentence:
    """How an activity stands, and what it waits for."""
    needs = join_parts(view.needs)
    if view.state == "planned" or view.date is None:
        return say("planned: a GM decides")
    if view.state == "waiting":
        return say("waits for: {needs}", needs=needs)
    until = date_in_words(view.date)
    return (
        say("until {date}, needs: {needs}", date=until, needs=needs)
        if view.needs
        else say("until {date}", date=until)
    )


def _marks(state: CampaignState, window: Window, timers: Iterable[TimerView]) -> Iterable[Mark]:
    """The timers that fall due in the window, each as often as it does."""
    ends = ends_of_activities(state)
    for timer in timers:
        if timer.game_time is None or timer.state == "paused" or timer.id in ends:
            continue
        own = state.timers.get(timer.timer or "")
        moments = firings_in(state, own, window.begin, window.end) if own is not None else [timer.game_time]
        yield from (
            Mark(timer.id, timer.title, at) for at in islice(moments, TIMES_MAX) if window.begin <= at < window.end
        )


def day_in_words(language: str, day: int, lanes: Lanes) -> Sentence:
    """A day of the calendar, counted from that on which the campaign begins."""
    return date_in_words(date_in(language, lanes.window.moment_of(day), lanes.shape))
