"""Undos, redos, reveals, identified people and erasures among rows, and which earlier events they change."""

from collections.abc import Collection, Mapping
from math import inf

from msgspec import Struct

from domain.campaign.events import ActionRevealed
from domain.campaign.lifecycle.imported_people import with_person
from domain.campaign.messages.imports import PersonIdentified
from domain.campaign.messages.text_erasure import TextsErased
from domain.campaign.messages.undo import ActionRedone, ActionUndone
from domain.campaign.storage.event_codec import decode_event
from domain.event_store_types import REWRITE_KINDS, StoredEvent, UnsealedEvent
from domain.ids import AccountId, ActionId

ERASED_KIND = TextsErased.__struct_config__.tag


class HistoryChange(Struct, frozen=True):
    """An undo, redo or reveal of an action."""

    seq: int
    """Where it is."""
    action_id: ActionId
    first_seq: int
    """Where the action's events begin."""
    how: type[ActionUndone | ActionRedone | ActionRevealed | PersonIdentified]
    identified: PersonIdentified | None = None
    """The person of an import, where it is the action of that itself.

    It changes what the member reads from the first event on.
    """


def history_changes_in(rows: Collection[StoredEvent | UnsealedEvent]) -> list[HistoryChange]:
    """The undos, redos, reveals and identified people among these rows, in order."""
    changes = []
    for row in rows:
        if row.kind in REWRITE_KINDS:
            event = decode_event(row)
            if isinstance(event, PersonIdentified):
                changes.append(HistoryChange(row.seq, row.action_id, 1, PersonIdentified, event))
                continue
            changes.append(HistoryChange(row.seq, event.action_id, event.first_seq, type(event)))
    return changes


def undone_by(rewrites: Collection[HistoryChange]) -> set[ActionId]:
    """The actions that are undone after these undos and redos."""
    undone_ids: set[ActionId] = set()
    for rewrite in rewrites:
        if rewrite.how is ActionUndone:
            undone_ids.add(rewrite.action_id)
        elif rewrite.how is ActionRedone:
            undone_ids.discard(rewrite.action_id)
    return undone_ids


def revealed_by(rewrites: Collection[HistoryChange]) -> set[ActionId]:
    """The actions that are open to everyone after these reveals."""
    return {rewrite.action_id for rewrite in rewrites if rewrite.how is ActionRevealed}


def identified_by(
    rewrites: Collection[HistoryChange], before: Mapping[AccountId, AccountId] | None = None
) -> dict[AccountId, AccountId]:
    """Each person's account after these changes and those `before`; undone identifications do not count."""
    undone, stands_for = undone_by(rewrites), {**(before or {})}
    for each in rewrites:
        if each.identified is not None and each.action_id not in undone:
            stands_for = with_person(stands_for, each.identified.person, each.identified.account)
    return stands_for


def rereads_from(rewrites: Collection[HistoryChange], after: int) -> list[int]:
    """The seqs from which on earlier events are read otherwise since a change later than `after`."""
    identifying = {each.action_id for each in rewrites if each.identified is not None}
    newer = [each for each in rewrites if each.seq > after]
    return [
        1 if each.action_id in identifying else each.first_seq
        for each in newer
        if each.how is ActionRevealed or each.action_id in identifying
    ]


def earliest_change(rows: Collection[StoredEvent]) -> float:
    """The first seq of which any of these rows changes how it counts, or is read; infinity: there is none."""
    erased = (decode_event(row).seqs[0] for row in rows if row.kind == ERASED_KIND)
    return min((*(change.first_seq for change in history_changes_in(rows)), *erased), default=inf)


def changes_earlier_events(rows: Collection[StoredEvent], seq: int) -> bool:
    """Whether any of these rows, which follow a seq, changes how an event up to it counts, or is read."""
    return earliest_change(rows) <= seq
