"""Service records: a character's history, folded from the events."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.ids import CharacterId, SystemId
from domain.lifecycle_events import SessionEnded, SessionStarted
from domain.recorded_event import RecordedEvent
from projections.service_record_fold import When
from projections.systems import SYSTEM_VIEWS
from projections.timestamps import moment

SESSIONS = frozenset(str(kind.__struct_config__.tag) for kind in (SessionStarted, SessionEnded))


class ServiceRecord(Struct, frozen=True):
    """A character's record as of a seq. `after` is 0, unless the log is too long to be read as a whole.

    `elsewhere` is what the campaign's other systems record of the character: battles it was fielded in.
    `names` are those of the ids in it.
    """

    as_of: int
    after: int
    character: CharacterId
    name: str
    system: SystemId
    record: Any
    elsewhere: dict[SystemId, Any]
    names: dict[str, str] = {}


class ServiceRecordFold:
    """The fold: events in, record out. Needs at least the events whose kinds are in `kinds`."""

    def __init__(self, system: SystemId, character: CharacterId) -> None:
        keeper = SYSTEM_VIEWS[system].record
        guests = {
            other: views.record
            for other, views in SYSTEM_VIEWS.items()
            if views.sheet is None and other != system  # its characters are those of other systems
        }
        self.kinds: frozenset[str] = keeper.kinds().union(SESSIONS, *(guest.kinds() for guest in guests.values()))
        self._system = system
        self._character = character
        self._own = keeper.kinds()
        self._fold = keeper(character)
        self._elsewhere = {other: (guest.kinds(), guest(character)) for other, guest in guests.items()}
        self._session: int | None = None

    def add(self, record: RecordedEvent) -> None:
        """Fold one event, as its reader sees it."""
        event = record.event
        if isinstance(event, SessionStarted):
            self._session = event.number
        elif isinstance(event, SessionEnded):
            self._session = None
        elif event.__struct_config__.tag in self.kinds:  # a hidden event has another tag than its kind
            when = When(record.seq, moment(record.recorded_at), record.game_time, self._session)
            self._add(event, when)

    def _add(self, event: Any, when: When) -> None:
        """Give an event to the records of all systems that want its kind."""
        kind = event.__struct_config__.tag
        if kind in self._own:
            self._fold.add(event, when)
        for kinds, fold in self._elsewhere.values():
            if kind in kinds:
                fold.add(event, when)

    def view(self, as_of: int, after: int, name: Callable[[Any], str]) -> ServiceRecord:
        """The record so far."""
        elsewhere = {system: fold.view(name) for system, (_, fold) in self._elsewhere.items()}
        return ServiceRecord(
            as_of=as_of,
            after=after,
            character=self._character,
            name=name(self._character),
            system=self._system,
            record=self._fold.view(name),
            elsewhere={system: record for system, record in elsewhere.items() if record is not None},
        )
