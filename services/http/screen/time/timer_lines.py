"""Timers in words, with the buttons for them, and ways to move the calendar on."""

from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec import Struct

from domain.campaign.calendar.timers import firings_in
from domain.campaign.settings import OWN, settings_of
from domain.ids import SystemId
from domain.sentences import Part, Sentence, say, say_many
from domain.systems import SYSTEMS
from projections.campaign.dates import date_in, date_in_words
from projections.campaign.timers import TimerView, ends_of_activities, timer_board
from projections.campaign_words.narration import span
from projections.command_forms import CommandOffer
from services.http.screen.commands.one_click_button import Press, press
from services.http.screen.commands.play_table import PlayTable

HOUR, DAY = 3600, 86_400
FALLS_MAX = 5
ADVANCE, RESUME, PAUSE, CANCEL = (
    f"campaign.{command}" for command in ("advance_calendar", "resume_timer", "pause_timer", "cancel_timer")
)
FAILED = ("failing", "parked")
STOPPED = ("paused", *FAILED)


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


class TimerLine(Struct, frozen=True):
    """A timer in words, with its buttons."""

    title: str
    does: str
    whose: Part
    date: Part
    """In the calendar; empty if the timer is in real time."""
    at: str
    """In real time; empty if the timer is in the calendar."""
    every: Part | None
    is_secret: bool
    state: Sentence | None
    wrong: str
    """Why it could not happen."""
    presses: list[Press]


class TimerLines:
    """Puts timers into words for the page at `back`. `may_act`: its reader can do something about them here."""

    def __init__(self, table: PlayTable, back: str, *, may_act: bool = True) -> None:
        self._table = table
        self._back = back
        self._may_act = may_act
        self._state = table.campaign.state
        self._shape = settings_of(OWN, self._state.changed_settings).calendar
        common = table.campaign.common
        timers = [] if common is None else timer_board(common, {}, table.campaign.name)
        self._open = {timer.id for timer in timers}
        self._is_past = common is None

    def now(self) -> Sentence:
        """The date in the campaign."""
        return self.date(self._state.game_time)

    def advances(self, board: Sequence[TimerView]) -> list[Advance]:
        """The ways to move the calendar on: an hour, a day, and to what is due next."""
        now = self._state.game_time
        later = [timer.game_time for timer in board if timer.game_time is not None and timer.game_time > now]
        ways = [(say("Advance {span}", span=span(seconds)), seconds) for seconds in (HOUR, DAY)]
        if later:
            to_next = min(later) - now
            ways.append((say("To the next due: {span}", span=span(to_next)), to_next))
        return [self._advance(title, seconds, board) for title, seconds in ways]

    def _advance(self, title: Sentence, seconds: int, board: Sequence[TimerView]) -> Advance:
        until = self._state.game_time + seconds
        falling = [
            Falling(timer.title, self._times(timer, until))
            for timer in board
            if timer.state not in STOPPED and timer.game_time is not None and timer.game_time <= until
        ]
        pressed = press(self._table, self._back, title, ADVANCE, {"by": {"seconds": seconds}}, about=str(seconds))
        return Advance(pressed, self.date(until), falling[:FALLS_MAX], len(falling[FALLS_MAX:]))

    def _times(self, timer: TimerView, until: int) -> Sentence | None:
        own = self._state.timers.get(timer.timer or "")
        if own is None or timer.game_time is None:
            return None
        times = len(firings_in(self._state, own, timer.game_time, until + 1))
        return say("{n} times", n=times) if times > 1 else None

    def line(self, timer: TimerView) -> TimerLine:
        """A timer, with what can be done about it."""
        own = self._state.timers.get(timer.timer or "")
        return TimerLine(
            title=timer.title,
            does=timer.does if timer.does != timer.title else "",
            whose=self._whose(timer),
            date=self.date(timer.game_time) if timer.game_time is not None else "",
            at=timer.at or "",
            every=_repeats(timer, None if own is None else own.times),
            is_secret=not self._is_past and timer.id not in self._open,
            state=self._state_in_words(timer),
            wrong=timer.error or "",
            presses=self._presses(timer) if self._may_act else [],
        )

    def _whose(self, timer: TimerView) -> Part:
        """The owner of a timer: a character, else a rule system; empty for the table's own."""
        if timer.character_name is not None:
            return timer.character_name
        activity = self._state.activities.get(ends_of_activities(self._state).get(timer.id, ""))
        if activity is not None:
            return self._table.campaign.name(activity.character)
        return "" if timer.system is None else SYSTEMS[SystemId(timer.system)].title

    def _state_in_words(self, timer: TimerView) -> Sentence | None:
        match timer.state:
            case "paused":
                return say("Paused, with {span} left.", span=timer.remaining or "")
            case "failing":
                return _tried(timer.attempts)
            case "parked":
                return say("It failed too often and waits for you: take away what is in its way, then try again.")
            case "due":
                return say("Due now.")
            case "resting":
                return say("It rests while the campaign is archived.")
            case _:
                return self._waits(timer)

    def _waits(self, timer: TimerView) -> Sentence | None:
        if timer.at is not None and not self._is_past and datetime.fromisoformat(timer.at) <= datetime.now(UTC):
            return say("Its moment has come: it happens within seconds.")
        return say("in {span}", span=timer.remaining) if timer.remaining else None

    def _presses(self, timer: TimerView) -> list[Press]:
        """The buttons for a timer: for GMs, and for the member who scheduled it."""
        campaign = self._table.campaign
        presses = []
        if timer.state in FAILED:
            path = f"{self._table.path}/timers/{timer.id}/retry"
            presses.append(Press(say("Try again"), path, [("next", self._back)], _about(say("Try again"), timer)))
        own = self._state.timers.get(timer.timer or "")
        if (
            own is None
            or timer.state == "resting"
            or (campaign.role != "gm" and own.scheduled_by != campaign.account)
        ):
            return presses
        ways = [(RESUME, say("Resume"))] if timer.state == "paused" else []
        ways += [(PAUSE, say("Pause"))] if timer.state == "waiting" else []
        return presses + [self._press(timer, *way) for way in (*ways, (CANCEL, say("Cancel")))]

    def _press(self, timer: TimerView, command: str, title: Sentence) -> Press:
        """A button; a command about a hidden timer is hidden, too."""
        return press(
            self._table,
            self._back,
            title,
            command,
            {"timer": timer.timer},
            visibility="all" if timer.id in self._open else "gm",
            about=timer.timer or "",
            label=_about(title, timer),
        )

    def date(self, second: int) -> Sentence:
        """A moment of the calendar."""
        return date_in_words(date_in(self._table.campaign.language, second, self._shape))


def refusal_of(offer: CommandOffer) -> str:
    """Why a command cannot be given; empty: it can be."""
    return offer.refused.detail if offer.possible == "no" and offer.refused is not None else ""


def _about(title: Sentence, timer: TimerView) -> Sentence:
    return say("{what}: {timer}", what=title, timer=timer.title)


def _repeats(timer: TimerView, times: int | None) -> Part | None:
    """How a timer repeats, and how often still; None: it does not."""
    rule: Part | None = timer.repeats or (None if timer.every is None else say("every {span}", span=timer.every))
    if rule is None or times is None:
        return rule
    return say_many("{rule}, once more", "{rule}, {n} more times", times, rule=rule)


def _tried(attempts: int) -> Sentence:
    return say_many(
        "Tried once in vain; it is tried again.", "Tried {n} times in vain; it is tried again.", attempts
    )
