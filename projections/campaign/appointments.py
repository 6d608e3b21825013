"""The moments of a campaign that have a date in real time, for calendars: play sessions and timers.

An appointment keeps its key for good. Its sequence is the seq of the last event that made, moved, dropped or
brought it back, so that it follows from the log alone and only grows.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct, field

from domain.campaign.messages.archive import CampaignArchived, CampaignUnarchived
from domain.campaign.messages.next_session import DateChosen, DatesCalledOff, DatesProposed
from domain.campaign.messages.timers import TimerCancelled, TimerPaused, TimerResumed, TimerScheduled
from domain.campaign.play.next_session import moment_of
from domain.campaign.state import CampaignState, OwnTimer
from domain.ids import ActionId
from domain.lifecycle_events import SessionStarted
from domain.recorded_event import RecordedEvent

SESSION_KINDS = (DateChosen, DatesCalledOff, DatesProposed, SessionStarted)
APPOINTMENT_KINDS = (
    *SESSION_KINDS,
    TimerScheduled,
    TimerCancelled,
    TimerPaused,
    TimerResumed,
    CampaignArchived,
    CampaignUnarchived,
)
"""The events of which appointments are made; that a timer fires is counted in its occurrence."""
SESSIONS_MAX = 50
"""So many play sessions, the last ones, are appointments."""
CANCELLED_MAX = 50
"""So many cancelled timers, the last ones, are told as cancelled."""
MICROSECONDS = 1_000_000


class Appointment(Struct, frozen=True, kw_only=True):
    """A moment in real time, with what a calendar has to know of it."""

    key: str
    """Its name in the campaign, which stays when it moves."""
    kind: Literal["session", "timer"]
    timer: str | None = None
    """The id of a timer of the campaign's own."""
    name: str = ""
    """The name of a timer that is gone."""
    at: int
    """Microseconds UTC."""
    is_cancelled: bool
    sequence: int
    changed_at: int
    """When that was recorded, microseconds UTC."""
    every: int | None = None
    """Microseconds after which it comes again."""
    times: int | None = None
    """How often it still comes; None: for ever."""


class HistoryTouch(Struct, frozen=True):
    """An undo or a redo: its seq and moment, its action, and the timers that had fired in that."""

    seq: int
    recorded_at: int
    action_id: ActionId
    fired: frozenset[str] = frozenset()


class Changes(Struct):
    """When each thing last changed: its seq and moment, never before `floor`."""

    floor: int = 0
    last: dict[str, tuple[int, int]] = field(default_factory=dict)

    def note(self, key: str, seq: int, recorded_at: int) -> None:
        """Note that something changed."""
        self.last[key] = max(self.last.get(key, (0, 0)), (seq, recorded_at))

    def of(self, key: str) -> tuple[int, int]:
        """The seq and the moment of its last change."""
        seq, recorded_at = self.last.get(key, (0, 0))
        return max(seq, self.floor), recorded_at


def session_appointments(
    records: Iterable[RecordedEvent], undone_ids: Collection[ActionId], touches: Sequence[HistoryTouch]
) -> list[Appointment]:
    """The play sessions that have, or had, a date; the last ones.

    From the first choice of a date until it is called off or the session begins, it is one appointment, wherever
    it moves. One that has begun stays where it was.
    """
    records = list(records)
    changes = Changes()
    key_of: dict[int, str] = {}
    dates: dict[str, int] = {}
    actions: dict[str, set[ActionId]] = {}
    key = None
    for record in records:
        if isinstance(record.event, DateChosen):
            moment = _microseconds(record.event.date)
            if moment is None:
                continue
            key = key or f"session:{record.seq}"
            key_of[record.seq], dates[key] = key, moment
        if key is None or not isinstance(record.event, SESSION_KINDS):
            continue
        changes.note(key, record.seq, record.recorded_at)
        actions.setdefault(key, set()).add(record.action_id)
        if isinstance(record.event, DatesCalledOff | SessionStarted):
            key = None
    standing_records = [record for record in records if record.action_id not in undone_ids]
    standing = _standing_sessions(standing_records, key_of, changes)
    _note_touches(changes, actions, touches)
    return [
        Appointment(
            key=key,
            kind="session",
            at=standing.get(key, dates[key]),
            is_cancelled=key not in standing,
            sequence=changes.of(key)[0],
            changed_at=changes.of(key)[1],
        )
        for key in [*dates][-SESSIONS_MAX:]
    ]


def _standing_sessions(
    records: Iterable[RecordedEvent], key_of: Mapping[int, str], changes: Changes
) -> dict[str, int]:
    """The play sessions that have a date, or had one when they began; their changes are noted."""
    standing: dict[str, int] = {}
    current: str | None = None
    for record in records:
        if not isinstance(record.event, SESSION_KINDS):
            continue
        if current is not None and not isinstance(record.event, SessionStarted):
            changes.note(current, record.seq, record.recorded_at)
            del standing[current]
        current = key_of.get(record.seq)
        if current is not None and isinstance(record.event, DateChosen):
            standing[current] = _microseconds(record.event.date) or 0
    return standing


def timer_appointments(
    state: CampaignState,
    records: Iterable[RecordedEvent],
    undone_ids: Collection[ActionId],
    touches: Sequence[HistoryTouch],
    floor: int,
) -> list[Appointment]:
    """The campaign's own timers that run in real time, and the last ones that were cancelled.

    A timer that rests, because it is paused or the campaign is archived, is cancelled until it goes on. Those that
    have fired for the last time are gone. `floor` is the seq before which `records` do not reach.
    """
    changes = Changes(floor)
    former: dict[str, tuple[str, int]] = {}
    cancelled_ids: set[str] = set()
    actions: dict[str, set[ActionId]] = {}
    for record in records:
        event = record.event
        if isinstance(event, TimerScheduled) and event.clock == "real":
            former[event.timer_id] = event.title, event.due
            if record.action_id in undone_ids:
                cancelled_ids.add(event.timer_id)
        elif isinstance(event, TimerResumed) and event.timer_id in former:
            former[event.timer_id] = event.title, event.due
        elif isinstance(event, TimerCancelled) and record.action_id not in undone_ids:
            cancelled_ids.add(event.timer_id)
        elif isinstance(event, CampaignArchived | CampaignUnarchived):
            for timer_id in {*former, *state.timers} - cancelled_ids:
                changes.note(timer_id, record.seq, record.recorded_at)
        if isinstance(event, TimerScheduled | TimerResumed | TimerCancelled | TimerPaused):
            changes.note(event.timer_id, record.seq, record.recorded_at)
            actions.setdefault(event.timer_id, set()).add(record.action_id)
    _note_touches(changes, actions, touches)
    running = [timer for timer in state.timers.values() if timer.clock == "real"]
    former_ids = [key for key in former if key in cancelled_ids and key not in state.timers][-CANCELLED_MAX:]
    return [
        *(_running(timer, changes, is_resting=state.archived_at is not None) for timer in running),
        *(
            Appointment(
                key=f"timer:{timer_id}",
                kind="timer",
                name=former[timer_id][0],
                at=former[timer_id][1],
                is_cancelled=True,
                sequence=changes.of(timer_id)[0],
                changed_at=changes.of(timer_id)[1],
            )
            for timer_id in former_ids
        ),
    ]


def _running(timer: OwnTimer, changes: Changes, *, is_resting: bool) -> Appointment:
    """A timer that has not fired for the last time. Each time that it fires moves it on by one."""
    seq, recorded_at = changes.of(timer.timer_id)
    return Appointment(
        key=f"timer:{timer.timer_id}",
        kind="timer",
        timer=timer.timer_id,
        at=timer.due,
        is_cancelled=is_resting or timer.left is not None,
        sequence=seq + timer.occurrence - 1,
        changed_at=recorded_at,
        every=timer.every,
        times=timer.times,
    )


def _note_touches(
    changes: Changes, actions: Mapping[str, Collection[ActionId]], touches: Iterable[HistoryTouch]
) -> None:
    """Note the undos and redos of the actions that made or moved something."""
    keys: dict[ActionId, list[str]] = {}
    for key, action_ids in actions.items():
        for action_id in action_ids:
            keys.setdefault(action_id, []).append(key)
    for touch in touches:
        for key in (*keys.get(touch.action_id, ()), *touch.fired):
            changes.note(key, touch.seq, touch.recorded_at)


def _microseconds(date: str) -> int | None:
    moment = moment_of(date)
    return None if moment is None else int(moment.timestamp()) * MICROSECONDS
