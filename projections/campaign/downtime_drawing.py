"""Lanes of downtime: a bar for each activity, the days above, and a line for today."""

from collections.abc import Iterator
from typing import TypeAlias
from xml.etree.ElementTree import Element

from domain.sentences import say
from projections.campaign.dates import date_in
from projections.campaign.downtime_lanes import Bar, Lane, Lanes, Mark, day_in_words
from projections.drawings import canvas
from projections.drawings.board_parts import Words

WIDE = 760
"""The width of the drawing on a desktop, where names stand beside their lanes."""
BESIDE = 148
RIGHT = 8
HEAD = 44
BAR = 24
STEPS = (1, 2, 5, 10, 15, 20, 30, 60)
TICK_ROOM = {False: 62, True: 84}
GAP = 6
INSET = 6
"""How far a text stands from where its bar or its lane begins: the line of today may be there."""
SHORT = 5
"""A bar that is narrower is drawn as wide as this; a text that is cut shorter is left out."""


_Within: TypeAlias = tuple[float, float, float, float]
"""Where a bar begins and ends, and the room before and after it."""


class _Place:
    """Where things stand in a drawing: names `beside` the lanes on a wide one, above them on a narrow one."""

    def __init__(self, lanes: Lanes, width: float) -> None:
        self.is_wide = width > canvas.WIDTH
        self.left = BESIDE if self.is_wide else 6
        self.right = width - RIGHT
        self.lane = 52 if self.is_wide else 66
        self.bar = 4 if self.is_wide else 20
        self._window = lanes.window

    def x(self, second: int) -> float:
        """Where a moment stands."""
        share = (second - self._window.begin) / (self._window.end - self._window.begin)
        return self.left + min(max(share, 0.0), 1.0) * (self.right - self.left)


def draw_lanes(lanes: Lanes, words: Words, width: float = canvas.WIDTH) -> str:
    """The drawing, one picture for screen readers: the table beside it says the same."""
    place = _Place(lanes, width)
    rows = [*lanes.lanes, *([None] if lanes.marks else [])]
    height = HEAD + place.lane * len(rows) + 4
    first, last = lanes.window.first, lanes.window.first + lanes.window.days - 1
    sentence = say(
        "From {begin} to {end}",
        begin=day_in_words(words.language, first, lanes),
        end=day_in_words(words.language, last, lanes),
    )
    box = canvas.Box(0, 0, width, height)
    root = canvas.drawing(words.say(say("What everybody does with their time")), words.say(sentence), box)
    root.set("class", "board lanes")
    root.set("role", "img")
    for period in lanes.periods:
        wide = max(place.x(period.end) - place.x(period.begin), 2)
        canvas.add(
            root, "rect", "period", x=place.x(period.begin), y=HEAD - 20, width=wide, height=height - HEAD + 20
        )
    _draw_days(root, lanes, words, place, height)
    is_today = lanes.window.begin <= lanes.now < lanes.window.end
    if is_today:
        canvas.path(root, "today", "M", place.x(lanes.now), HEAD - 8, "L", place.x(lanes.now), height)
    for nth, lane in enumerate(rows):
        top = HEAD + nth * place.lane
        _draw_name(root, words.say(say("By itself")) if lane is None else lane.name, top, place)
        if lane is None:
            _draw_marks(root, lanes.marks, top, place)
        else:
            _draw_lane(root, lane, lanes.now, top, words, place)
    if is_today:
        _draw_today(root, lanes, words, place)
    return canvas.markup(root)


def _draw_days(root: Element, lanes: Lanes, words: Words, place: _Place, height: float) -> None:
    """A hairline every few days, with the day, and the month where it is another."""
    room = place.right - place.left
    step = next((days for days in STEPS if room * days / lanes.window.days >= TICK_ROOM[place.is_wide]), STEPS[-1])
    month = ""
    for day in range(lanes.window.first, lanes.window.first + lanes.window.days, step):
        date = date_in(words.language, lanes.window.moment_of(day), lanes.shape)
        x = place.x(lanes.window.moment_of(day))
        canvas.path(root, "hair", "M", x, 22, "L", x, height)
        label = str(date.day)
        if date.month_name != month:
            label = words.say(say("{day} {month}", day=date.day, month=date.month_name))
        month = date.month_name
        canvas.text(root, x + 2, 14, canvas.fitted(label, room * step / lanes.window.days - 6), "muted")


def _draw_name(root: Element, name: str, top: float, place: _Place) -> None:
    if place.is_wide:
        canvas.text(root, 4, top + 21, canvas.fitted(name, (BESIDE - 16) / canvas.BOLD), "strong")
    else:
        room = (place.right - place.left - INSET) / canvas.BOLD
        canvas.text(root, place.left + INSET, top + 13, canvas.fitted(name, room), "strong")


def _draw_lane(root: Element, lane: Lane, now: int, top: float, words: Words, place: _Place) -> None:
    """The bars of a lane, each with its title and how it stands, where texts before them leave room."""
    title_end: float = place.left
    words_end: float = place.left
    for nth, bar in enumerate(lane.bars):
        after = place.x(lane.bars[nth + 1].begin) - GAP if nth + 1 < len(lane.bars) else place.right
        group = canvas.grouped(root, f"{bar.title}: {words.say(bar.sentence)}", bar.state)
        _draw_bar(group, bar, now, top + place.bar, place)
        x, end = place.x(bar.begin), max(place.x(bar.end), place.x(bar.begin) + SHORT)
        title_end = _draw_title(group, bar.title, (x, end, title_end, after), top + place.bar + 16) + GAP
        words_end = (
            _draw_words(group, words.say(bar.sentence), (x, end, words_end, after), top + place.bar + BAR + 14)
            + GAP
        )


def _draw_bar(group: Element, bar: Bar, now: int, y: float, place: _Place) -> None:
    x = place.x(bar.begin)
    wide = max(place.x(bar.end) - x, SHORT)
    x = min(x, place.right - wide)
    canvas.add(group, "rect", "bar", x=x, y=y, width=wide, height=BAR, rx=4)
    if bar.state == "running" and bar.begin < now:
        done_width = min(max(place.x(now) - x, 0), wide)
        canvas.add(group, "rect", "gone", x=x, y=y, width=done_width, height=BAR, rx=4)


def _draw_title(group: Element, title: str, within: _Within, y: float) -> float:
    """A title in its bar, else beside it where there is room, else as much of it as there is room for.

    Returns how far it and the bar reach.
    """
    begin, end, before, after = within
    wide = canvas.width_of(title) + 2 * INSET
    if wide > end - begin and wide <= after - end:
        canvas.text(group, end + INSET, y, title, "title")
        return end + wide
    if wide > end - begin and wide <= begin - before:
        canvas.text(group, begin - INSET, y, title, "title", "end")
        return end
    fitted_title = canvas.fitted(title, max(end, after) - begin - 2 * INSET)
    canvas.text(group, begin + INSET, y, fitted_title, "title")
    return max(end, begin + INSET + canvas.width_of(fitted_title))


def _draw_words(group: Element, words: str, within: _Within, y: float) -> float:
    """A text below its bar, from its beginning on, or where that is too near to the edge, up to its end.

    Returns how far it reaches.
    """
    begin, end, before, after = within
    begin = max(begin + INSET, before)
    wide = canvas.width_of(words)
    if after - begin < wide and end - before > after - begin:
        canvas.text(group, end, y, canvas.fitted(words, end - before), "muted", "end")
        return end
    fitted_words = canvas.fitted(words, after - begin)
    if len(fitted_words) > SHORT:
        canvas.text(group, begin, y, fitted_words, "muted")
    return begin + canvas.width_of(fitted_words)


def _draw_marks(root: Element, marks: list[Mark], top: float, place: _Place) -> None:
    """Things that happen by themselves: a diamond at the moment of each, named where there is room to."""
    y = top + place.bar + BAR / 2
    for mark, after in _with_next(marks, place):
        x = place.x(mark.at)
        group = canvas.grouped(root, mark.title, "falls-due")
        canvas.path(group, "diamond", "M", x, y - 7, "l", 7, 7, "l", -7, 7, "l", -7, -7, "Z")
        name = canvas.fitted(mark.title, after - x - 14)
        if name and (name == mark.title or len(name) > SHORT):
            canvas.text(group, x + 11, y + 4, name)


def _with_next(marks: list[Mark], place: _Place) -> Iterator[tuple[Mark, float]]:
    for nth, mark in enumerate(marks):
        yield mark, place.x(marks[nth + 1].at) - 4 if nth + 1 < len(marks) else place.right


def _draw_today(root: Element, lanes: Lanes, words: Words, place: _Place) -> None:
    """The plate above the line of today, within the drawing."""
    name = words.say(say("today"))
    box = canvas.plate_box(place.x(lanes.now), HEAD - 16, name)
    plate_left = min(max(box.left, place.left - 4), place.right + 4 - box.width)
    canvas.plate(root, canvas.Box(plate_left, box.top, box.width, box.height), name)
