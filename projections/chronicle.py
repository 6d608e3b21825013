"""The chronicle: every action in words, with who, when and why."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.ids import AccountId, ActionId
from domain.recorded import Recorded
from projections.moments import moment
from projections.narration import told


class ActionEntry(Struct, frozen=True):
    """One action as its reader may know it.

    `seq` and `last_seq` are the first and last of its events. `type` is the command's wire name; null where
    the reader may not see the action. `events` are the wire names of what happened, `summary` the same in words.
    """

    action_id: ActionId
    seq: int
    last_seq: int
    at: str
    game_time: int
    actor: AccountId | None
    actor_name: str | None
    cause: str
    visibility: str
    type: str | None
    note: str | None
    events: list[str]
    summary: list[str]


def action_entry(
    records: list[Recorded], request: dict[str, Any] | None, name: Callable[[Any], str]
) -> ActionEntry:
    """An entry from the events of one action, already as the reader may see them, and what was asked."""
    first, last_seq = records[0], records[-1].seq
    if request is None:
        records = [first]  # a hidden action is one placeholder, however many dice it rolled
    return ActionEntry(
        action_id=first.action_id,
        seq=first.seq,
        last_seq=last_seq,
        at=moment(first.recorded_at),
        game_time=first.game_time,
        actor=first.actor,
        actor_name=name(first.actor) if first.actor is not None else None,
        cause=first.cause,
        visibility=first.visibility,
        type=request["command"]["type"] if request is not None else None,
        note=request.get("note") if request is not None else None,
        events=[record.kind for record in records],
        summary=told((record.event for record in records), name),
    )
