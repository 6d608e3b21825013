"""The chronicle: every action in words, with who, when and why."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from domain.campaign.settings import language_of
from domain.campaign.state import CampaignState
from domain.ids import AccountId, ActionId
from domain.recorded import Recorded
from domain.stored_views import ViewRow
from projections.moments import moment
from projections.narration import told

VIEW = "chronicle"
_encoder = msgspec.json.Encoder()


class _Tagged(Struct, frozen=True):
    type: str


class _Asked(Struct, frozen=True):
    command: _Tagged


_asked = msgspec.json.Decoder(_Asked)


def index_rows(records: list[Recorded], characters: set[str]) -> list[ViewRow]:
    """The row by which an action is found again: by person, character, and kind of command or event.

    The words are told when it is read, so that neither names nor erased texts are kept here.
    """
    first = records[0]
    keys: list[str] = []
    if first.command is not None:
        keys += [f"type:{_asked.decode(first.command).command.type}"]
        keys += sorted({f"type:{record.kind}" for record in records})
        keys += [f"actor:{first.actor}"] if first.actor is not None else []
        keys += sorted(
            {f"character:{about}" for record in records for about in concerned(record.event, characters)}
        )
    return [ViewRow(VIEW, first.seq, 0, keys, _encoder.encode(first.action_id))]


def action_of(row: ViewRow) -> ActionId:
    """The action that a row of the index stands for."""
    return msgspec.json.decode(row.content, type=ActionId)


def concerned(event: Struct, characters: set[str]) -> set[str]:
    """The characters that an event names in any of its fields."""
    found: set[str] = set()
    for field in event.__struct_fields__:
        value = getattr(event, field)
        if isinstance(value, str):
            if value in characters:
                found.add(value)
        elif isinstance(value, list | dict):
            found.update(item for item in value if isinstance(item, str) and item in characters)
    return found


class ActionEntry(Struct, frozen=True):
    """One action as its reader may know it.

    `seq` and `last_seq` are the first and last of its events. `type` is the command's wire name; null where
    the reader may not see the action. `events` are the wire names of what happened, `summary` the same in words.
    `undone_in` is the action that struck it, to be shown struck through; `affected_in` the undo or redo that would
    have made it go otherwise.
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
    undone_in: ActionId | None = None
    affected_in: ActionId | None = None


def action_entry(
    records: list[Recorded],
    request: dict[str, Any] | None,
    state: CampaignState,
    name: Callable[[Any], str],
) -> ActionEntry:
    """An entry from the events of one action, already as the reader may see them, and what was asked."""
    first, last_seq = records[0], records[-1].seq
    if request is None:
        records = [first]  # a hidden action is one placeholder, however many dice it rolled
    undone = state.undone.get(first.action_id)
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
        summary=told((record.event for record in records), name, language_of(state.changed_settings)),
        undone_in=undone.undone_in if undone is not None else None,
        affected_in=state.affected.get(first.action_id),
    )
