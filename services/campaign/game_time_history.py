"""How the clock of a campaign went, with the undos and redos that moved it back and on."""

from collections.abc import Iterable

from msgspec import Struct

from domain.campaign.messages.undo import ActionRedone, ActionUndone
from domain.ids import ActionId
from domain.lifecycle_events import CalendarAdvanced
from domain.recorded_event import RecordedEvent


class ClockMove(Struct, frozen=True):
    """An action that moved the clock, and the game time after it."""

    action_id: ActionId
    game_time: int


def clock_moves(records: Iterable[RecordedEvent]) -> list[ClockMove]:
    """Every advance, and every undo and redo of one, in order, as the reader of these events knew it each time."""
    seconds: dict[ActionId, int] = {}
    undone_ids: set[ActionId] = set()
    moves: list[ClockMove] = []
    game_time = 0
    for record in records:
        event = record.event
        if isinstance(event, CalendarAdvanced):
            seconds[record.action_id] = seconds.get(record.action_id, 0) + event.seconds
            game_time += event.seconds
        elif isinstance(event, ActionUndone) and event.action_id in seconds.keys() - undone_ids:
            undone_ids.add(event.action_id)
            game_time -= seconds[event.action_id]
        elif isinstance(event, ActionRedone) and event.action_id in undone_ids:
            undone_ids.remove(event.action_id)
            game_time += seconds[event.action_id]
        else:
            continue
        if moves and moves[-1].action_id == record.action_id:
            moves.pop()
        moves.append(ClockMove(record.action_id, game_time))
    return moves


def move_past(moves: list[ClockMove], end: int) -> ClockMove | None:
    """The latest move that took the clock to `end` or past it; None if the clock is before it now."""
    past: ClockMove | None = None
    before = 0
    for move in moves:
        if before < end <= move.game_time:
            past = move
        before = move.game_time
    return past if before >= end else None
