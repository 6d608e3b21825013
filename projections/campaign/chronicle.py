"""The chronicle: every action in words, with who, when and why."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Any, Literal, get_args, get_origin, get_type_hints
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.campaign.events import Hidden
from domain.campaign.settings import language_of
from domain.campaign.state import CampaignState
from domain.ids import AccountId, ActionId
from domain.projection_types import ViewRow
from domain.recorded_event import Recorded
from domain.type_cache import once_per_kind
from projections.campaign.narration_history import Quote
from projections.narration import told
from projections.timestamps import moment

VIEW = "chronicle"
HIDDEN_KIND = Hidden.__struct_config__.tag
"""What is hidden has no kind to be found by: it may stand in an open action, which it would tell something of."""
_NO_TEXT = (int, float, Struct, type(None))


class _Tagged(Struct, frozen=True):
    type: str


class _Asked(Struct, frozen=True):
    command: _Tagged


_asked = msgspec.json.Decoder(_Asked)


def index_rows(records: list[Recorded], characters: AbstractSet[str]) -> list[ViewRow]:
    """The row by which an action is found again: by person, character, and kind of command or event.

    The words are told when it is read, so that neither names nor erased texts are kept here.
    """
    first = records[0]
    if first.command is None:
        return [ViewRow(VIEW, first.seq, 0, (), first.action_id.bytes)]
    about: set[str] = set()
    for record in records:
        about |= concerned(record.event, characters)
    command = _asked.decode(first.command).command.type
    actor = None if first.actor is None else first.actor.int  # compared many times as fast as the UUID
    keys = _keys(command, tuple([record.kind for record in records]), actor, frozenset(about))
    return [ViewRow(VIEW, first.seq, 0, keys, first.action_id.bytes)]


@lru_cache(maxsize=1024)
def _keys(command: str, kinds: tuple[str, ...], actor: int | None, about: AbstractSet[str]) -> tuple[str, ...]:
    """The same few for most of a campaign."""
    return (
        f"type:{command}",
        *sorted({f"type:{kind}" for kind in kinds if kind != HIDDEN_KIND}),
        *([] if actor is None else [f"actor:{UUID(int=actor)}"]),
        *(f"character:{character}" for character in sorted(about)),
    )


def action_of(row: ViewRow) -> ActionId:
    """The action that a row of the index stands for."""
    return ActionId(UUID(bytes=row.content))


def concerned(event: Struct, characters: AbstractSet[str]) -> set[str]:
    """The characters that an event names in any of its fields."""
    found: set[str] = set()
    for field in _fields_with_names(type(event)):
        value = getattr(event, field)
        if isinstance(value, str):
            if value in characters:
                found.add(value)
        elif isinstance(value, list | dict):
            found.update(item for item in value if isinstance(item, str) and item in characters)
    return found


@once_per_kind
def _fields_with_names(kind: type[Struct]) -> tuple[str, ...]:
    """The fields in which an id may stand, as they are annotated: a number or a choice of words is none."""
    hints = get_type_hints(kind)
    return tuple(field for field in kind.__struct_fields__ if not _has_no_text(hints[field]))


def _has_no_text(hint: Any) -> bool:
    if get_origin(hint) is Literal:
        return True
    inner = get_args(hint)
    return all(map(_has_no_text, inner)) if inner else isinstance(hint, type) and issubclass(hint, _NO_TEXT)


class ActionEntry(Struct, frozen=True):
    """One action as its reader may know it.

    `seq` and `last_seq` are the first and last of its events. `type` is the command's wire name; null where
    the reader may not see the action. `events` are the wire names of what happened, `summary` the same in words.
    `undone_in` is the action that struck it, to be shown struck through; `affected_in` the undo or redo that would
    have made it go otherwise. `visibility` is who could read it at first, `revealed_in` the reveal that opened it.
    `at` is when it happened; `imported_at` when it was brought over, where that was in another campaign.
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
    undone_in: ActionId | None = None
    affected_in: ActionId | None = None
    revealed_in: ActionId | None = None
    imported_at: str | None = None


def action_entry(
    records: list[Recorded],
    request: dict[str, Any] | None,
    state: CampaignState,
    name: Callable[[Any], str],
    quote: Quote,
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
        game_time=first.game_time if request is not None else None,
        actor=first.actor,
        actor_name=name(first.actor) if first.actor is not None else None,
        cause=first.cause,
        visibility=first.visibility,
        type=request["command"]["type"] if request is not None else None,
        note=request.get("note") if request is not None else None,
        events=[record.kind for record in records],
        summary=told((record.event for record in records), name, language_of(state.changed_settings), quote),
        undone_in=undone.undone_in if undone is not None else None,
        affected_in=state.affected.get(first.action_id),
        revealed_in=state.revealed.get(first.action_id),
        imported_at=moment(first.imported_at) if first.imported_at is not None else None,
    )
