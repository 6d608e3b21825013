"""The chronicle: every action as sentences, with its author, time and reason."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Any, Literal, get_args, get_origin, get_type_hints
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, UnsetType, structs

from domain.campaign.events import Hidden
from domain.campaign.state import CampaignState
from domain.ids import AccountId, ActionId
from domain.recorded_event import RecordedEvent
from domain.sentences import beside_dice
from domain.stored_view_types import ViewRow
from domain.type_cache import once_per_kind
from projections.campaign.dice_of_action import DiceRoll, rolls_of
from projections.campaign_words.narration_history import Quote
from projections.languages import render
from projections.narration import sentences
from projections.timestamps import moment

VIEW = "chronicle"
HIDDEN_KIND = Hidden.__struct_config__.tag
"""A hidden event is not indexed by its kind: the kind would reveal something of an otherwise open action."""
EVENTS_LISTED_MAX = 20
"""An undo of thousands has as many events; in a list its line names so many."""
_NO_TEXT = (int, float, Struct, type(None))


class _CommandType(Struct, frozen=True):
    type: str


class _CommandOfAction(Struct, frozen=True):
    command: _CommandType
    follow: "list[_CommandOfAction]" = []


_request_decoder = msgspec.json.Decoder(_CommandOfAction)


def index_rows(records: list[RecordedEvent], characters: AbstractSet[str]) -> list[ViewRow]:
    """The index row of an action, with keys for actor, characters, and the kinds of its command and events.

    Sentences are made when the row is read, so that it holds neither names nor personal texts.
    """
    first = records[0]
    if first.command is None:
        return [ViewRow(VIEW, first.seq, 0, (), first.action_id.bytes)]
    about: set[str] = set()
    for record in records:
        about |= concerned(record.event, characters)
    request = _request_decoder.decode(first.command)
    commands = dict.fromkeys([request.command.type, *(further.command.type for further in request.follow)])
    actor = None if first.actor is None else first.actor.int  # compared many times as fast as the UUID
    keys = _keys(tuple(commands), tuple([record.kind for record in records]), actor, frozenset(about))
    return [ViewRow(VIEW, first.seq, 0, keys, first.action_id.bytes)]


@lru_cache(maxsize=1024)
def _keys(
    commands: tuple[str, ...], kinds: tuple[str, ...], actor: int | None, about: AbstractSet[str]
) -> tuple[str, ...]:
    """The keys of an action, cached because most of a campaign shares a few sets."""
    return (
        *(f"type:{command}" for command in commands),
        *sorted({f"type:{kind}" for kind in kinds if kind != HIDDEN_KIND}),
        *([] if actor is None else [f"actor:{UUID(int=actor)}"]),
        *(f"character:{character}" for character in sorted(about)),
    )


def action_of(row: ViewRow) -> ActionId:
    """The action of an index row."""
    return ActionId(UUID(bytes=row.content))


def concerned(event: Struct, characters: AbstractSet[str]) -> set[str]:
    """The characters whose ids stand in any field of an event."""
    ids: set[str] = set()
    for field in _fields_with_names(type(event)):
        value = getattr(event, field)
        if isinstance(value, str):
            if value in characters:
                ids.add(value)
        elif isinstance(value, list | dict):
            ids.update(item for item in value if isinstance(item, str) and item in characters)
    return ids


@once_per_kind
def _fields_with_names(kind: type[Struct]) -> tuple[str, ...]:
    """The fields that may hold an id by their annotation; numbers and literals cannot."""
    hints = get_type_hints(kind)
    return tuple(field for field in kind.__struct_fields__ if not _has_no_text(hints[field]))


def _has_no_text(hint: Any) -> bool:
    if get_origin(hint) is Literal:
        return True
    inner = get_args(hint)
    return all(map(_has_no_text, inner)) if inner else isinstance(hint, type) and issubclass(hint, _NO_TEXT)


class ActionEntry(Struct, frozen=True):
    """One action as its reader may know it.

    `seq` and `last_seq` are the first and last of its events. `type` is the command's wire name; null where the
    reader may not see the action. `events` are the wire names of its events, `summary` the same as sentences,
    `rolls` its dice; `beside_dice` is the summary for who draws these beside it: without their faces. It is left
    out where no dice fell. A list names the first 20 of an action's `events`, and says under `events_count` how
    many there are; it is left out where all are named, as they are of an action that is read by itself.
    `undone_in` is the action that undid it, `affected_in` the undo or redo that would have changed its outcome.
    `visibility` is who could read it at first, `revealed_in` the reveal that opened it. `at` is when it happened;
    `imported_at` when it was imported, if it happened in another campaign.
    """

    action_id: ActionId
    seq: int
    last_seq: int
    at: str
    game_time: int | None
    actor: AccountId | None
    actor_name: str | None
    cause: str
    visibility: str
    type: str | None
    note: str | None
    events: list[str]
    summary: list[str]
    rolls: list[DiceRoll]
    beside_dice: list[str] | UnsetType = UNSET
    undone_in: ActionId | None = None
    affected_in: ActionId | None = None
    revealed_in: ActionId | None = None
    imported_at: str | None = None
    events_count: int | UnsetType = UNSET


def listed(entry: ActionEntry) -> ActionEntry:
    """An entry as lists have it."""
    if len(entry.events) <= EVENTS_LISTED_MAX:
        return entry
    return structs.replace(entry, events=entry.events[:EVENTS_LISTED_MAX], events_count=len(entry.events))


def action_entry(
    records: list[RecordedEvent],
    request: dict[str, Any] | None,
    state: CampaignState,
    name: Callable[[Any], str],
    quote: Quote,
    language: str,
) -> ActionEntry:
    """The entry of one action, from its events as the reader sees them and the request."""
    first, last_seq = records[0], records[-1].seq
    if request is None:
        records = [first]  # a hidden action is one placeholder, however many dice it rolled
    undoing = state.undone.get(first.action_id)
    summary = sentences((record.event for record in records), name, quote)
    rolls = rolls_of(records, state, name)
    return ActionEntry(
        action_id=first.action_id,
        seq=first.seq,
        last_seq=last_seq,
        at=moment(first.recorded_at),
        game_time=first.game_time if request is not None else None,
        actor=first.actor,
        actor_name=name(first.actor) if first.actor is not None else None,
        cause=first.cause,
        visibility=first.visibility,
        type=request["command"]["type"] if request is not None else None,
        note=request.get("note") if request is not None else None,
        events=[record.kind for record in records],
        summary=[render(sentence, language) for sentence in summary],
        rolls=rolls,
        beside_dice=[render(beside_dice(sentence), language) for sentence in summary] if rolls else UNSET,
        undone_in=undoing.undone_in if undoing is not None else None,
        affected_in=state.affected.get(first.action_id),
        revealed_in=state.revealed.get(first.action_id),
        imported_at=moment(first.imported_at) if first.imported_at is not None else None,
    )
