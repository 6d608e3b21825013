"""What a campaign in memory owes itself, and what of that the database has as timers already."""

from collections.abc import Sequence

from msgspec import structs

from domain.campaign.scheduling.schedule import OwedKey, key_of, owed
from domain.campaign.state import CampaignState
from domain.event_store_types import NEVER, KeptTimer, Timer
from domain.ids import ActionId
from domain.systems.system import InRealTime, OnCalendar, Owed

AWAKE = 0
"""A moment that has long come, for what is to happen at once."""


class ScheduleIndex:
    """Worked out when it is asked for, and again after the campaign has moved on.

    Every action moves a campaign on, and hardly any changes what it owes: what follows from that stays, too.
    `set_aside` are those that failed: nobody but a worker that was given them tries them again.
    """

    def __init__(self, kept: Sequence[KeptTimer] = ()) -> None:
        self._is_stale = True
        self._found: list[Owed] = []
        self._owed: dict[OwedKey, Owed] = {}
        self._next_second = NEVER
        self._timers_of: tuple[dict[OwedKey, Owed], int, int | None] | None = None
        self.stored_as(kept)

    def stored_as(self, kept: Sequence[KeptTimer]) -> None:
        """The database has these timers."""
        self.stored = {(each.timer.cause, each.timer.subject): each.timer for each in kept}
        self.set_aside = {(each.timer.cause, each.timer.subject) for each in kept if each.attempts}
        self._timers, self._timers_of = self.stored, None

    def invalidate(self) -> None:
        """Look at the campaign again before the next answer: it is not what it was."""
        self._is_stale = True

    def all(self, state: CampaignState) -> dict[OwedKey, Owed]:
        """Everything that a campaign in this state owes."""
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
        """Whether nothing happens to a campaign in this state before its calendar moves."""
        self.all(state)
        return self._next_second > state.game_time

    def timers(self, state: CampaignState, now: int) -> dict[OwedKey, Timer]:
        """The same as rows of the database, in which what stayed as it was stays as it is."""
        timers_of = (self.all(state), state.game_time, state.archived_at)
        if timers_of != self._timers_of:
            self._timers_of = timers_of
            self._timers = {key: self._row_of(key, each, state, now) for key, each in self._owed.items()}
        return self._timers

    def _row_of(self, key: OwedKey, each: Owed, state: CampaignState, now: int) -> Timer:
        old = self.stored.get(key)
        if old is None:
            return row(each, state, now)
        # When what failed wakes again is counted with its failures.
        now_there = old.wake_at if key in self.set_aside else AWAKE
        return old if is_same(old, row(each, state, now_there)) else row(each, state, now)

    def changes(self, timers: dict[OwedKey, Timer]) -> tuple[list[Timer], list[tuple[ActionId, str]]]:
        """What the database has to learn, and to forget."""
        if timers is self.stored:
            return [], []
        new = [timer for key, timer in timers.items() if self.stored.get(key) is not timer]
        return new, [key for key in self.stored if key not in timers]

    def is_stored(self, timers: dict[OwedKey, Timer]) -> None:
        """The database has learnt it."""
        self.stored = timers
        if self.set_aside:
            self.set_aside &= timers.keys()


def row(each: Owed, state: CampaignState, now: int) -> Timer:
    """Something owed, as the database knows it from `now` (microseconds UTC) on. Archived, nothing wakes."""
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
    """Whether the database need not hear of it again."""
    sleeps = (fresh.wake_at == NEVER) == (stored.wake_at == NEVER)
    return (fresh.clock, fresh.due) == (stored.clock, stored.due) and sleeps
