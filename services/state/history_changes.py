"""Undos, redos, reveals and erasures among rows, and which earlier events they change."""

from collections.abc import Collection

from msgspec import Struct

from domain.campaign.events import ActionRevealed
from domain.campaign.messages.erasure import TextsErased
from domain.campaign.messages.history import ActionRedone, ActionUndone
from domain.campaign.storage.event_codec import decode_event
from domain.event_store_types import REWRITE_KINDS, StoredEvent, UnsealedEvent
from domain.ids import ActionId

ERASED_KIND = TextsErased.__struct_config__.tag


class HistoryChange(Struct, frozen=True):
    """An undo, redo or reveal at `seq` of an action whose events begin at `first_seq`."""

    seq: int
    action_id: ActionId
    first_seq: int
    how: type[ActionUndone | ActionRedone | ActionRevealed]


def history_changes_in(rows: Collection[StoredEvent | UnsealedEvent]) -> list[HistoryChange]:
    """The undos, redos and reveals among these rows, in order."""
    found = []
    for row in rows:
        if row.kind in REWRITE_KINDS:
            event = decode_event(row)
            found.append(HistoryChange(row.seq, event.action_id, event.first_seq, type(event)))
    return found


def undone_by(rewrites: Collection[HistoryChange]) -> set[ActionId]:
    """The actions that are undone after these undos and redos."""
    undone: set[ActionId] = set()
    for rewrite in rewrites:
        if rewrite.how is ActionUndone:
            undone.add(rewrite.action_id)
        elif rewrite.how is ActionRedone:
            undone.discard(rewrite.action_id)
    return undone


def revealed_by(rewrites: Collection[HistoryChange]) -> set[ActionId]:
    """The actions that are open to everyone after these reveals."""
    return {rewrite.action_id for rewrite in rewrites if rewrite.how is ActionRevealed}


def changes_earlier_events(rows: Collection[StoredEvent], seq: int) -> bool:
    """Whether any of these rows, which follow a seq, is an undo, redo, reveal or erasure of an event up to it."""
    erased = (decode_event(row).seqs[0] for row in rows if row.kind == ERASED_KIND)
    return any(first <= seq for first in (*(each.first_seq for each in history_changes_in(rows)), *erased))
