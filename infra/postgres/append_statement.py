"""The append statement, and how batches are laid out as the arrays it takes."""

from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import Any

from msgspec import Struct

from domain.event_store_types import AppendResult, EventBatch
from infra.postgres import packed_json
from infra.postgres.driver.binary_arrays import (
    ArrayArguments,
    BigintArray,
    BytesArray,
    IntegerArray,
    PackedArray,
    TextArray,
    UuidArray,
)
from infra.postgres.driver.statements import Statement, source

SELDOM = "-- Seldom:"
"""Marks the part of `append.sql` that only members, timers and seeds need."""

_Columns = Mapping[str, type[PackedArray]]
"""The array arguments that rows of one kind become, in the order of their columns."""

_BATCHES: _Columns = {
    "campaigns": UuidArray,
    "expected_seqs": BigintArray,
    "expected_hashes": BytesArray,
    "last_seqs": BigintArray,
    "last_hashes": BytesArray,
    "decided_ats": BigintArray,
    "first_ats": BigintArray,
    "last_ats": BigintArray,
}
_EVENTS: _Columns = {
    "event_batches": IntegerArray,
    "seqs": BigintArray,
    "recorded_ats": BigintArray,
    "game_times": BigintArray,
    "kind_versions": IntegerArray,
    "action_ids": UuidArray,
    "actors": UuidArray,
    "kinds": TextArray,
    "causes": TextArray,
    "visibilities": TextArray,
    "salts": BytesArray,
    "hashes": BytesArray,
    "commands": BytesArray,
    "bodies": BytesArray,
}
KIND = [*_EVENTS].index("kinds")
_TEXTS: _Columns = {
    "text_batches": IntegerArray,
    "text_seqs": BigintArray,
    "text_salts": BytesArray,
    "texts": BytesArray,
}
_ANSWERS: _Columns = {
    "answer_batches": IntegerArray,
    "answer_accounts": UuidArray,
    "answer_keys": TextArray,
    "answer_requests": BytesArray,
    "answer_actions": UuidArray,
    "answers": BytesArray,
}
_MEMBERS: _Columns = {
    "member_batches": IntegerArray,
    "member_accounts": UuidArray,
    "member_roles": TextArray,
}
_TIMERS: _Columns = {
    "timer_batches": IntegerArray,
    "timer_causes": UuidArray,
    "timer_subjects": TextArray,
    "timer_clocks": TextArray,
    "timer_dues": BigintArray,
    "timer_wakes": BigintArray,
}
_FIRED: _Columns = {
    "fired_batches": IntegerArray,
    "fired_causes": UuidArray,
    "fired_subjects": TextArray,
}
_SEEDS: _Columns = {
    "seed_batches": IntegerArray,
    "seed_epochs": BigintArray,
    "sealed_seeds": BytesArray,
}


class Append(Struct, frozen=True):
    """The append statement for one kind of group, with the types of its arguments.

    `passing_locked` treats a campaign whose head is locked by another session as in conflict, so that the others
    need not wait.
    """

    statement: Statement
    passing_locked: Statement
    types: tuple[int, ...]

    @classmethod
    def written(cls, sql: str, *parts: _Columns) -> "Append":
        """Make the statement from its SQL; `parts` are its arguments in order."""
        arrays = {name: array for part in parts for name, array in part.items()}
        waiting, passing = (
            Statement(sql.replace("FOR UPDATE", lock), tuple(arrays), distributed=_call(arrays, passing_locked))
            for lock, passing_locked in (("FOR UPDATE", "false"), ("FOR UPDATE SKIP LOCKED", "true"))
        )
        return cls(waiting, passing, tuple(array.array_oid for array in arrays.values()))


def _call(arrays: _Columns, passing_locked: str) -> str:
    """The statement for a campaign in a shard: a call of what `fieldlog migrate --distribute` puts there."""
    arguments = ", ".join(f"{name} => :{name}" for name in arrays)
    return f"SELECT status, duplicates FROM append_batches((:campaigns)[1], {passing_locked}, {arguments})"  # noqa: S608 — names


_OFTEN = (_BATCHES, _EVENTS, _TEXTS, _ANSWERS)


def without_seldom(sql: str) -> Append:
    """The statement for groups without members, timers and seeds."""
    return Append.written(_common_part(sql), *_OFTEN)


def _common_part(sql: str) -> str:
    common, _, seldom = sql.partition(SELDOM)
    end = seldom[seldom.index("SELECT\n    outcome.status") :]
    return common.rstrip().removesuffix(",") + "\n\n" + end


WHOLE = Append.written(source("append"), *_OFTEN, _MEMBERS, _TIMERS, _FIRED, _SEEDS)
COMMON = without_seldom(source("append"))
"""Without the seldom part: opening its tables takes the server a fifth of the time of one action."""


def append_of(batches: list[EventBatch], *, packs_events: bool = False) -> tuple[Append, ArrayArguments]:
    """The statement that appends these batches, and its arguments in order."""
    columns = [
        *_pack_columns(_BATCHES, _batches(batches)),
        *_pack_columns(_EVENTS, _packed_events(batches) if packs_events else _events(batches)),
        *_pack_columns(_TEXTS, _texts(batches)),
        *_pack_columns(_ANSWERS, _answers(batches)),
    ]
    if not any(batch.members or batch.timers or batch.fired or batch.seeds for batch in batches):
        return COMMON, ArrayArguments(COMMON.types, columns)
    columns += _pack_columns(_MEMBERS, _members(batches))
    columns += _pack_columns(_TIMERS, _timers(batches))
    columns += _pack_columns(_FIRED, _fired(batches))
    columns += _pack_columns(_SEEDS, _seeds(batches))
    return WHOLE, ArrayArguments(WHOLE.types, columns)


def outcomes_of(batches: list[EventBatch], rows: Sequence[Sequence[Any]]) -> list[AppendResult]:
    """The result for each batch, from the statement's rows, which have the same order."""
    outcomes = []
    answers_before = 0
    for batch, (status, duplicates) in zip(batches, rows, strict=True):
        places = [] if duplicates is None else [nth - 1 - answers_before for nth in duplicates]
        outcomes.append(AppendResult(status, places))
        answers_before += len(batch.answers)
    return outcomes


def compared(batch: EventBatch, seq: int | None, hash_: bytes | None, gone_at: int | None) -> AppendResult:
    """The result for a batch without events; `seq`, `hash_`: the campaign's head (`seq` None: no campaign)."""
    if gone_at is not None:
        return AppendResult("gone")
    is_expected = (
        batch.expected_seq == 0 if seq is None else (seq, hash_) == (batch.expected_seq, batch.expected_hash)
    )
    return AppendResult("committed" if is_expected else "version_conflict")


def _pack_columns(columns: _Columns, rows: list[tuple[Any, ...]]) -> list[bytes]:
    """Rows as one array for each column."""
    values = zip(*rows, strict=True) if rows else repeat((), len(columns))
    return [array.pack(column) for array, column in zip(columns.values(), values, strict=True)]


def _batches(batches: list[EventBatch]) -> list[tuple[Any, ...]]:
    return [
        (
            batch.campaign_id,
            batch.expected_seq,
            batch.expected_hash,
            batch.events[-1].seq,
            batch.events[-1].hash,
            batch.decided_at or batch.events[0].recorded_at,
            batch.events[0].recorded_at,
            batch.events[-1].recorded_at,
        )
        for batch in batches
    ]


def _events(batches: list[EventBatch]) -> list[tuple[Any, ...]]:
    return [
        (
            place,
            event.seq,
            event.recorded_at,
            event.game_time,
            event.kind_version,
            event.action_id,
            event.actor,
            event.kind,
            event.cause,
            event.visibility,
            event.salt,
            event.hash,
            event.command,
            event.body,
        )
        for place, batch in enumerate(batches, 1)
        for event in batch.events
    ]


def _packed_events(batches: list[EventBatch]) -> list[tuple[Any, ...]]:
    """The same rows with commands and bodies packed, which are the last two of their columns."""
    return [
        (
            *row,
            command and packed_json.pack(command),
            body if row[KIND] in packed_json.READ_BY_STATEMENTS else packed_json.pack(body),
        )
        for *row, command, body in _events(batches)
    ]


def _texts(batches: list[EventBatch]) -> list[tuple[Any, ...]]:
    return [
        (place, event.seq, event.text_salt, event.texts)
        for place, batch in enumerate(batches, 1)
        for event in batch.events
        if event.texts is not None
    ]


def _answers(batches: list[EventBatch]) -> list[tuple[Any, ...]]:
    return [
        (place, answer.account_id, answer.key, answer.request_hash, answer.action_id, answer.answer)
        for place, batch in enumerate(batches, 1)
        for answer in batch.answers
    ]


def _members(batches: list[EventBatch]) -> list[tuple[Any, ...]]:
    # The actions of a batch may change one member twice: the last word counts.
    last_words = {
        (place, change.account_id): change.role
        for place, batch in enumerate(batches, 1)
        for change in batch.members
    }
    return [(place, account_id, role) for (place, account_id), role in last_words.items()]


def _timers(batches: list[EventBatch]) -> list[tuple[Any, ...]]:
    return [
        (place, timer.cause, timer.subject, timer.clock, timer.due, timer.wake_at)
        for place, batch in enumerate(batches, 1)
        for timer in batch.timers
    ]


def _fired(batches: list[EventBatch]) -> list[tuple[Any, ...]]:
    return [(place, *key) for place, batch in enumerate(batches, 1) for key in batch.fired]


def _seeds(batches: list[EventBatch]) -> list[tuple[Any, ...]]:
    return [
        (place, seeds.epoch, seeds.ciphertext) for place, batch in enumerate(batches, 1) for seeds in batch.seeds
    ]
