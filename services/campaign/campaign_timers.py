"""The due commands of a loaded campaign, and which of them the database has as timers."""

from collections.abc import Sequence

from msgspec import structs

from domain.campaign.due_commands import DueKey, due_commands, key_of
from domain.campaign.state import CampaignState
from domain.event_store_types import NEVER, KeptTimer, Timer
from domain.ids import ActionId
from domain.systems.system import DueCommand, InRealTime, OnCalendar

AWAKE = 0
"""A moment in the past, for commands that are due at once."""


class CampaignTimers:
    """Computed on demand, and again after the campaign has gone on.

    Every action changes a campaign, but hardly any changes its due commands: the results from these are kept,
    too. `failed_timers` have failed before: only a worker that was given them tries them again.
    """

    def __init__(self, timers: Sequence[KeptTimer] = ()) -> None:
        self._is_stale = True
        self._last_found: list[DueCommand] = []
        self._due_commands: dict[DueKey, DueCommand] = {}
        self._next_second = NEVER
        self._timers_of: tuple[dict[DueKey, DueCommand], int, int | None] | None = None
        self.stored_as(timers)

    def stored_as(self, timers: Sequence[KeptTimer]) -> None:
        """Note the timers in the database."""
        self.stored_timers = {
            (kept_timer.timer.cause, kept_timer.timer.subject): kept_timer.timer for kept_timer in timers
        }
        self.failed_timers = {
            (kept_timer.timer.cause, kept_timer.timer.subject) for kept_timer in timers if kept_timer.attempts
        }
        self._timers, self._timers_of = self.stored_timers, None

    def invalidate(self) -> None:
        """Compute everything again before the next answer, because the campaign has changed."""
        self._is_stale = True

    def all(self, state: CampaignState) -> dict[DueKey, DueCommand]:
        """Every command that a campaign in this state owes."""
        if self._is_stale:
            commands = due_commands(state)
            if commands != self._last_found:
                self._last_found = commands
                self._due_commands = {key_of(command): command for command in commands}
                on_calendar = (command.due.second for command in commands if isinstance(command.due, OnCalendar))
                self._next_second = min(on_calendar, default=NEVER)
            self._is_stale = False
        return self._due_commands

    def waits_for_calendar(self, state: CampaignState) -> bool:
        """Whether a campaign in this state owes nothing before its calendar moves."""
        self.all(state)
        return self._next_second > state.game_time

    def timers(self, state: CampaignState, now: int) -> dict[DueKey, Timer]:
        """The due commands as timers; unchanged ones are the rows in the database."""
        timers_of = (self.all(state), state.game_time, state.archived_at)
        if timers_of != self._timers_of:
            self._timers_of = timers_of
            self._timers = {
                key: self._row_of(key, command, state, now) for key, command in self._due_commands.items()
            }
        return self._timers

    def _row_of(self, key: DueKey, command: DueCommand, state: CampaignState, now: int) -> Timer:
        old = self.stored_timers.get(key)
        if old is None:
            return row(command, state, now)
        # The next attempt at a failed timer depends on its failures.
        now_there = old.wake_at if key in self.failed_timers else AWAKE
        return old if is_same(old, row(command, state, now_there)) else row(command, state, now)

    def changes(self, timers: dict[DueKey, Timer]) -> tuple[list[Timer], list[tuple[ActionId, str]]]:
        """The timers to store, and the keys of those to delete."""
        if timers is self.stored_timers:
            return [], []
        new = [timer for key, timer in timers.items() if self.stored_timers.get(key) is not timer]
        return new, [key for key in self.stored_timers if key not in timers]

    def is_stored_for(self, state: CampaignState, now: int) -> bool:
        """Whether the database has the timers of a campaign in this state, as far as is known."""
        return self.changes(self.timers(state, now)) == ([], [])

    def is_stored(self, timers: dict[DueKey, Timer]) -> None:
        """Note that the database has these timers."""
        self.stored_timers = timers
        if self.failed_timers:
            self.failed_timers &= timers.keys()


def row(command: DueCommand, state: CampaignState, now: int) -> Timer:
    """A due command as a timer from `now` (microseconds UTC) on. In an archived campaign, no timer wakes."""
    fresh = _row(command, state, now)
    return fresh if state.archived_at is None else structs.replace(fresh, wake_at=NEVER)


def _row(command: DueCommand, state: CampaignState, now: int) -> Timer:
    match command.due:
        case OnCalendar(second):
            return Timer(
                command.cause, command.subject, "game", second, now if second <= state.game_time else NEVER
            )
        case InRealTime(microsecond):
            return Timer(command.cause, command.subject, "real", microsecond, microsecond)
        case None:
            return Timer(command.cause, command.subject, "now", 0, now)


def is_same(stored_timer: Timer, fresh: Timer) -> bool:
    """Whether the stored timer needs no update."""
    sleeps = (fresh.wake_at == NEVER) == (stored_timer.wake_at == NEVER)
    return (fresh.clock, fresh.due) == (stored_timer.clock, stored_timer.due) and sleeps
