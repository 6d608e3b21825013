"""The append statement, and how chunks are laid out as the arrays it takes."""

from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import Any

from msgspec import Struct

from domain.event_store_types import Chunk, Outcome
from infra.postgres.driver.binary_arrays import (
    BigintArray,
    BytesArray,
    IntegerArray,
    Packed,
    PackedArray,
    TextArray,
    UuidArray,
)
from infra.postgres.driver.statements import Statement, source

SELDOM = "-- Seldom:"
"""Where in `append.sql` begins what is only there for members, timers and seeds."""

_Columns = Mapping[str, type[PackedArray]]
"""The arguments that rows of one kind become, in the order of their columns."""

_CHUNKS: _Columns = {
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
    "event_chunks": IntegerArray,
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
_TEXTS: _Columns = {
    "text_chunks": IntegerArray,
    "text_seqs": BigintArray,
    "text_salts": BytesArray,
    "texts": BytesArray,
}
_ANSWERS: _Columns = {
    "answer_chunks": IntegerArray,
    "answer_accounts": UuidArray,
    "answer_keys": TextArray,
    "answer_requests": BytesArray,
    "answer_actions": UuidArray,
    "answers": BytesArray,
}
_MEMBERS: _Columns = {
    "member_chunks": IntegerArray,
    "member_accounts": UuidArray,
    "member_roles": TextArray,
}
_TIMERS: _Columns = {
    "timer_chunks": IntegerArray,
    "timer_causes": UuidArray,
    "timer_subjects": TextArray,
    "timer_clocks": TextArray,
    "timer_dues": BigintArray,
    "timer_wakes": BigintArray,
}
_FIRED: _Columns = {
    "fired_chunks": IntegerArray,
    "fired_causes": UuidArray,
    "fired_subjects": TextArray,
}
_SEEDS: _Columns = {
    "seed_chunks": IntegerArray,
    "seed_epochs": BigintArray,
    "sealed_seeds": BytesArray,
}


class Append(Struct, frozen=True):
    """The append as one kind of group needs it, and the types of its arguments.

    `passing_locked` is the same, but a campaign whose head somebody holds is in conflict, so that the others need
    not wait for it.
    """

    statement: Statement
    passing_locked: Statement
    types: tuple[int, ...]

    @classmethod
    def written(cls, sql: str, *parts: _Columns) -> "Append":
        """From the text of its statement, and what it takes in order."""
        arrays = {name: array for part in parts for name, array in part.items()}
        return cls(
            Statement(sql, tuple(arrays)),
            Statement(sql.replace("FOR UPDATE", "FOR UPDATE SKIP LOCKED"), tuple(arrays)),
            tuple(array.array_oid for array in arrays.values()),
        )


_OFTEN = (_CHUNKS, _EVENTS, _TEXTS, _ANSWERS)


def without_seldom(sql: str) -> Append:
    """The statement for groups without members, timers and seeds."""
    common, _, seldom = sql.partition(SELDOM)
    end = seldom[seldom.index("SELECT\n    outcome.status") :]
    return Append.written(common.rstrip().removesuffix(",") + "\n\n" + end, *_OFTEN)


WHOLE = Append.written(source("append"), *_OFTEN, _MEMBERS, _TIMERS, _FIRED, _SEEDS)
COMMON = without_seldom(source("append"))
"""Without what is seldom: opening its tables takes the server a fifth of the time that one action takes."""


def append_of(chunks: list[Chunk]) -> tuple[Append, Packed]:
    """What appends these chunks, and its arguments in order."""
    packed = [
        *_packed(_CHUNKS, _chunks(chunks)),
        *_packed(_EVENTS, _events(chunks)),
        *_packed(_TEXTS, _texts(chunks)),
        *_packed(_ANSWERS, _answers(chunks)),
    ]
    if not any(chunk.members or chunk.timers or chunk.fired or chunk.seeds for chunk in chunks):
        return COMMON, Packed(COMMON.types, packed)
    packed += _packed(_MEMBERS, _members(chunks))
    packed += _packed(_TIMERS, _timers(chunks))
    packed += _packed(_FIRED, _fired(chunks))
    packed += _packed(_SEEDS, _seeds(chunks))
    return WHOLE, Packed(WHOLE.types, packed)


def outcomes_of(chunks: list[Chunk], rows: Sequence[Sequence[Any]]) -> list[Outcome]:
    """What became of each chunk, from the rows that the statement gives, both in the same order."""
    outcomes = []
    answers_before = 0
    for chunk, (status, duplicates) in zip(chunks, rows, strict=True):
        places = [] if duplicates is None else [nth - 1 - answers_before for nth in duplicates]
        outcomes.append(Outcome(status, places))
        answers_before += len(chunk.answers)
    return outcomes


def compared(chunk: Chunk, seq: int | None, hash_: bytes | None, gone_at: int | None) -> Outcome:
    """What becomes of a chunk without events where its campaign's head is this one (`seq` None: there is none)."""
    if gone_at is not None:
        return Outcome("gone")
    is_expected = (
        chunk.expected_seq == 0 if seq is None else (seq, hash_) == (chunk.expected_seq, chunk.expected_hash)
    )
    return Outcome("committed" if is_expected else "version_conflict")


def _packed(columns: _Columns, rows: list[tuple[Any, ...]]) -> list[bytes]:
    """Rows as one array for each column."""
    values = zip(*rows, strict=True) if rows else repeat((), len(columns))
    return [array.pack(column) for array, column in zip(columns.values(), values, strict=True)]


def _chunks(chunks: list[Chunk]) -> list[tuple[Any, ...]]:
    return [
        (
            chunk.campaign_id,
            chunk.expected_seq,
            chunk.expected_hash,
            chunk.events[-1].seq,
            chunk.events[-1].hash,
            chunk.decided_at or chunk.events[0].recorded_at,
            chunk.events[0].recorded_at,
            chunk.events[-1].recorded_at,
        )
        for chunk in chunks
    ]


def _events(chunks: list[Chunk]) -> list[tuple[Any, ...]]:
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
        for place, chunk in enumerate(chunks, 1)
        for event in chunk.events
    ]


def _texts(chunks: list[Chunk]) -> list[tuple[Any, ...]]:
    return [
        (place, event.seq, event.text_salt, event.texts)
        for place, chunk in enumerate(chunks, 1)
        for event in chunk.events
        if event.texts is not None
    ]


def _answers(chunks: list[Chunk]) -> list[tuple[Any, ...]]:
    return [
        (place, answer.account_id, answer.key, answer.request_hash, answer.action_id, answer.answer)
        for place, chunk in enumerate(chunks, 1)
        for answer in chunk.answers
    ]


def _members(chunks: list[Chunk]) -> list[tuple[Any, ...]]:
    # The actions of a chunk may change one member twice: the last word counts.
    last_words = {
        (place, change.account_id): change.role
        for place, chunk in enumerate(chunks, 1)
        for change in chunk.members
    }
    return [(place, account_id, role) for (place, account_id), role in last_words.items()]


def _timers(chunks: list[Chunk]) -> list[tuple[Any, ...]]:
    return [
        (place, timer.cause, timer.subject, timer.clock, timer.due, timer.wake_at)
        for place, chunk in enumerate(chunks, 1)
        for timer in chunk.timers
    ]


def _fired(chunks: list[Chunk]) -> list[tuple[Any, ...]]:
    return [(place, *key) for place, chunk in enumerate(chunks, 1) for key in chunk.fired]


def _seeds(chunks: list[Chunk]) -> list[tuple[Any, ...]]:
    return [
        (place, sealed.epoch, sealed.sealed) for place, chunk in enumerate(chunks, 1) for sealed in chunk.seeds
    ]
