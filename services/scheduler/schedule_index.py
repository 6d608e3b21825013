"""The due commands of a loaded campaign, and which of them the database has as timers."""

from collections.abc import Sequence

from msgspec import structs

from domain.campaign.schedule import OwedKey, key_of, owed
from domain.campaign.state import CampaignState
from domain.event_store_types import NEVER, KeptTimer, Timer
from domain.ids import ActionId
from domain.systems.system import InRealTime, OnCalendar, Owed

AWAKE = 0
"""A moment in the past, for commands that are due at once."""


class ScheduleIndex:
    """Computed on demand, and again after the campaign has gone on.

    Every action changes a campaign, but hardly any changes its due commands: what follows from these is kept, too.
    `failed_timers` are those that failed: only a worker that was given them tries them again.
    """

    def __init__(self, kept: Sequence[KeptTimer] = ()) -> None:
        self._is_stale = True
        self._found: list[Owed] = []
        self._owed: dict[OwedKey, Owed] = {}
        self._next_second = NEVER
        self._timers_of: tuple[dict[OwedKey, Owed], int, int | None] | None = None
        self.stored_as(kept)

    def stored_as(self, kept: Sequence[KeptTimer]) -> None:
        """Note the timers in the database."""
        self.stored = {(each.timer.cause, each.timer.subject): each.timer for each in kept}
        self.failed_timers = {(each.timer.cause, each.timer.subject) for each in kept if each.attempts}
        self._timers, self._timers_of = self.stored, None

    def invalidate(self) -> None:
        """Compute everything again before the next answer, because the campaign has changed."""
        self._is_stale = True

    def all(self, state: CampaignState) -> dict[OwedKey, Owed]:
        """Every command that a campaign in this state owes."""
        if self._is_stale:
            found = owed(state)
            if found != self._found:
                self._found = found
                self._owed = {key_of(each): each for each in found}
                on_calendar = (each.due.second for each in found if isinstance(each.due, OnCalendar))
                self._next_second = min(on_calendar, default=NEVER)
            self._is_stale = False
        return self._owed

    def waits_for_calendar(self, state: CampaignState) -> bool:
        """Whether a campaign in this state owes nothing before its calendar moves."""
        self.all(state)
        return self._next_second > state.game_time

    def timers(self, state: CampaignState, now: int) -> dict[OwedKey, Timer]:
        """The due commands as timers; unchanged ones are the rows in the database."""
        timers_of = (self.all(state), state.game_time, state.archived_at)
        if timers_of != self._timers_of:
            self._timers_of = timers_of
            self._timers = {key: self._row_of(key, each, state, now) for key, each in self._owed.items()}
        return self._timers

    def _row_of(self, key: OwedKey, each: Owed, state: CampaignState, now: int) -> Timer:
        old = self.stored.get(key)
        if old is None:
            return row(each, state, now)
        # The next attempt at a failed timer depends on its failures.
        now_there = old.wake_at if key in self.failed_timers else AWAKE
        return old if is_same(old, row(each, state, now_there)) else row(each, state, now)

    def changes(self, timers: dict[OwedKey, Timer]) -> tuple[list[Timer], list[tuple[ActionId, str]]]:
        """The timers to store, and the keys of those to delete."""
        if timers is self.stored:
            return [], []
        new = [timer for key, timer in timers.items() if self.stored.get(key) is not timer]
        return new, [key for key in self.stored if key not in timers]

    def is_stored_for(self, state: CampaignState, now: int) -> bool:
        """Whether the database has the timers of a campaign in this state, as far as is known."""
        return self.changes(self.timers(state, now)) == ([], [])

    def is_stored(self, timers: dict[OwedKey, Timer]) -> None:
        """Note that the database has these timers."""
        self.stored = timers
        if self.failed_timers:
            self.failed_timers &= timers.keys()


def row(each: Owed, state: CampaignState, now: int) -> Timer:
    """A due command as a timer from `now` (microseconds UTC) on. In an archived campaign, no timer wakes."""
    fresh = _row(each, state, now)
    return fresh if state.archived_at is None else structs.replace(fresh, wake_at=NEVER)


def _row(each: Owed, state: CampaignState, now: int) -> Timer:
    match each.due:
        case OnCalendar(second):
            return Timer(each.cause, each.subject, "game", second, now if second <= state.game_time else NEVER)
        case InRealTime(microsecond):
            return Timer(each.cause, each.subject, "real", microsecond, microsecond)
        case None:
            return Timer(each.cause, each.subject, "now", 0, now)


def is_same(stored: Timer, fresh: Timer) -> bool:
    """Whether the stored timer needs no update."""
    sleeps = (fresh.wake_at == NEVER) == (stored.wake_at == NEVER)
    return (fresh.clock, fresh.due) == (stored.clock, stored.due) and sleeps
