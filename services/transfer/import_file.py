"""Reads an export for an import: first its contents, then whether its events can be played here."""

import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from itertools import groupby
from typing import BinaryIO

from msgspec import Struct, field

from domain.campaign.commands import SetSetting
from domain.campaign.due_commands import due_commands
from domain.campaign.events import Hidden, SettingChanged
from domain.campaign.messages.imports import MARK
from domain.campaign.play.characters import characters
from domain.campaign.secrecy.audience import GM, accounts_in, as_now
from domain.campaign.settings import change_setting, language_of
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import EVENT_TYPES, decode_event, decode_request, record_of
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.campaign.transfer.export_format import CheckpointLine, Header, PersonLine
from domain.campaign.transfer.export_verifier import PEOPLE_MAX, FileCheck
from domain.campaign.transfer.remap import ID, LEFT_BEHIND, is_canonical
from domain.event_store_types import REWRITE_KINDS, StoredEvent
from domain.ids import AccountId, ActionId
from domain.recorded_event import RecordedEvent
from domain.rejection import Rejection
from domain.sentences import Sentence, say
from projections.campaign.campaign_view import roster
from projections.campaign.chronicle import index_rows
from projections.campaign.full_view import everything
from projections.campaign.ledger import statement_rows
from projections.narration import narrate
from services.campaign.audience_fold import fold_event
from services.campaign.history_changes import (
    HistoryChange,
    history_changes_in,
    identified_by,
    revealed_by,
    undone_by,
)
from services.campaign.name_resolver import NameResolver
from services.transfer.uploaded_export import LIMITS, Limits, lines, too_many_events

_MARKED = re.compile(MARK + r"\d{1,16}:.*")
_FIRST = ("campaign.created", "campaign.imported")


class Contents(Struct):
    """The contents of a file whose chain is sound."""

    header: Header
    people: list[PersonLine]
    """All that are named in it."""
    checkpoint: CheckpointLine | None
    events: int = 0
    """How many are imported."""
    left_behind: list[int] = field(default_factory=list)
    """The seqs of excluded events."""
    undone_ids: set[ActionId] = field(default_factory=set)
    """The actions that are undone at its end."""
    own_ids: set[str] = field(default_factory=set)
    """Ids of actions that its events name."""
    secrets: Counter[AccountId] = field(default_factory=Counter)
    """How many hidden actions each person may read who is no GM."""


def rows_of(file: BinaryIO, limits: Limits = LIMITS) -> Iterator[StoredEvent]:
    """The events of a file, each checked as in the first reading."""
    check = FileCheck()
    for raw in lines(file, limits):
        row = check.take(raw)
        if row is not None:
            yield row


def contents(file: BinaryIO, limits: Limits = LIMITS) -> Generator[None, None, Contents]:
    """Read a whole file, a line at each step.

    Raises what `FileCheck` and `lines` raise, and for events that cannot be imported: `file_not_whole`,
    `file_too_many_events`, `file_kind_unknown` and `file_event_unreadable`.
    """
    check, findings = FileCheck(), _Findings()
    for raw in lines(file, limits):
        row = check.take(raw)
        if check.hidden:
            sentence = say("This export was made for somebody who may not see all of it; ask a GM for one.")
            raise Rejection("file_not_whole", sentence)
        if check.seq > limits.events:
            raise too_many_events(limits)
        if row is not None:
            findings.look(row)
        yield
    header = check.finish()
    undone_ids, secrets = undone_by(findings.rewrites), Counter[AccountId]()
    stands_for = identified_by(findings.rewrites)
    no_secrets = undone_ids | revealed_by(findings.rewrites)
    for action_id, readers in findings.private.items():
        if action_id not in no_secrets:
            secrets.update(accounts_in(as_now(readers, stands_for)))
        yield
    people = [person for person in check.people if person.account not in stands_for]
    accounts = {person.account for person in people}
    strangers = [PersonLine(account, "?") for account in sorted(findings.actors - accounts - stands_for.keys())]
    return Contents(
        header=header,
        people=[*people, *strangers],
        checkpoint=check.checkpoint,
        events=header.as_of - len(findings.left_behind),
        left_behind=findings.left_behind,
        undone_ids=undone_ids,
        own_ids=findings.own_ids,
        secrets=secrets,
    )


class _Findings:
    """The contents of a file, collected event by event."""

    def __init__(self) -> None:
        self.left_behind: list[int] = []
        self.rewrites: list[HistoryChange] = []
        self.own_ids: set[str] = set()
        self.actors: set[AccountId] = set()
        self.private: dict[ActionId, str] = {}
        self._actions: set[bytes] = set()

    def look(self, row: StoredEvent) -> None:
        _require_readable(row)
        if row.kind in REWRITE_KINDS:
            self.rewrites += history_changes_in([row])
        elif accounts_in(row.visibility):
            self.private.setdefault(row.action_id, row.visibility)
        if row.kind in LEFT_BEHIND:
            self.left_behind.append(row.seq)
        if row.actor is not None:
            self.actors.add(row.actor)
            if len(self.actors) > PEOPLE_MAX:
                raise Rejection("file_malformed", say("There are too many people in it."))
        self._actions.add(row.action_id.bytes)
        for text in (row.body, row.command or b""):
            for id_bytes in ID.findall(text):
                if bytes.fromhex(id_bytes.decode().replace("-", "")) in self._actions:
                    self.own_ids.add(id_bytes.decode())


def _require_readable(row: StoredEvent) -> None:
    kind = EVENT_TYPES.get(row.kind)
    if kind is None or kind is Hidden or row.kind_version > kind.kind_version:  # type: ignore[attr-defined]
        sentence = say("This service does not know {kind} (event {seq}).", kind=row.kind, seq=row.seq)
        raise Rejection("file_kind_unknown", sentence, seq=row.seq)
    if row.seq == 1 and row.kind not in _FIRST:
        raise _unreadable(row.seq, say("An export begins with the founding of its campaign."))
    if row.cause.startswith(MARK) and not _MARKED.fullmatch(row.cause):
        raise _unreadable(row.seq, row.cause)
    try:
        decode_event(row)
        decode_request(row)
        canonical = all(is_canonical(text) for text in (row.body, row.command or b"null"))
    except Exception as failure:  # noqa: BLE001 — foreign bytes: any failure at all means that they are refused
        raise _unreadable(row.seq, _words(failure)) from None
    if not canonical:
        raise _unreadable(row.seq, say("It is not in the form this service writes."))


def played(
    rows: Iterable[StoredEvent], undone_ids: set[ActionId], names: NameResolver
) -> Generator[None, None, CampaignState]:
    """The campaign after these rows, each told and listed on the way, a row at each step.

    Raises `file_not_playable`.

    An event that the rules never decided may leave a state that they cannot continue; then nothing is imported.
    """
    state, seq = CampaignState(), 0
    try:
        for _, action in groupby(rows, key=lambda row: row.action_id):
            records = []
            for row in action:
                seq = row.seq
                records.append(record_of(row))
                _require_setting(records[-1], state)
                state = fold_event(state, GM, records[-1], undone_ids)
                yield
            _make_views(records, state, names)
        _draw(state, names)
    except Rejection:
        raise
    except Exception as failure:  # noqa: BLE001 — the same
        raise _not_playable(seq, _words(failure)) from None
    return state


def _require_setting(record: RecordedEvent, state: CampaignState) -> None:
    """Check a setting now: it is read long after it was set, when its origin would not be known."""
    if isinstance(record.event, SettingChanged):
        try:
            change_setting([*state.systems], SetSetting(record.event.key, record.event.value))
        except Rejection as refused:
            raise _not_playable(record.seq, refused.message) from None


def _make_views(records: list[RecordedEvent], state: CampaignState, names: NameResolver) -> None:
    """Make everything of an action that readers request."""
    index_rows(records, {str(character.character) for character in characters(state)})
    statement_rows(records)
    narrate((record.event for record in records), names.within(state), language_of(state.changed_settings))


def _draw(state: CampaignState, names: NameResolver) -> None:
    """Draw all views of a campaign."""
    decode_state(encode_state(state))
    due_commands(state)
    roster(state, names.within(state))
    everything(state, names.within(state))


def _not_playable(seq: int, why: Sentence | str) -> Rejection:
    first = max(seq - 1, 1)  # the opening stands before the file's own events
    sentence = say("Event {seq} cannot have happened in this campaign: {why}", seq=first, why=why)
    return Rejection("file_not_playable", sentence, seq=first)


def _unreadable(seq: int, why: Sentence | str) -> Rejection:
    return Rejection("file_event_unreadable", say("Event {seq} cannot be read: {why}", seq=seq, why=why), seq=seq)


def _words(failure: Exception) -> str:
    return f"{type(failure).__name__}: {failure}"[:200]
