"""The append statement, and how chunks are laid out as the arrays it takes."""

from typing import Any

from msgspec import Struct

from domain.stored import Chunk
from infra.postgres.binary_arrays import BigintArray, BytesArray, IntegerArray, TextArray, UuidArray
from infra.postgres.statements import Statement, source

SELDOM = "-- Seldom:"
"""Where in `append.sql` begins what is only there for members, timers and seeds."""


class Append(Struct, frozen=True):
    """The append as one kind of group needs it.

    `passing_locked` is the same, but a campaign whose head somebody holds is stale, so that the others need not
    wait for it.
    """

    statement: Statement
    passing_locked: Statement

    @classmethod
    def written(cls, sql: str) -> "Append":
        """From the text of its statement."""
        return cls(Statement(sql), Statement(sql.replace("FOR UPDATE", "FOR UPDATE SKIP LOCKED")))


def without_seldom(sql: str) -> str:
    """The text of the statement for groups without members, timers and seeds."""
    common, _, seldom = sql.partition(SELDOM)
    return common.rstrip().removesuffix(",") + "\n\n" + seldom[seldom.index("SELECT outcome.status") :]


WHOLE = Append.written(source("append"))
COMMON = Append.written(without_seldom(source("append")))
"""Without what is seldom: opening its tables takes the server a fifth of the time that one action takes."""


def append_of(chunks: list[Chunk]) -> tuple[Append, list[Any]]:
    """What appends these chunks, and its arguments in order."""
    common = _of_chunks(chunks) | _of_events(chunks) | _of_texts(chunks) | _of_answers(chunks)
    if not any(chunk.members or chunk.timers or chunk.fired or chunk.seeds for chunk in chunks):
        return COMMON, COMMON.statement.arguments(**common)
    seldom = _of_members(chunks) | _of_timers(chunks) | _of_seeds(chunks)
    return WHOLE, WHOLE.statement.arguments(**common, **seldom)


def _of_chunks(chunks: list[Chunk]) -> dict[str, Any]:
    return {
        "campaigns": UuidArray([chunk.campaign_id for chunk in chunks]),
        "expected_seqs": BigintArray([chunk.expected_seq for chunk in chunks]),
        "last_seqs": BigintArray([chunk.events[-1].seq for chunk in chunks]),
        "last_hashes": BytesArray([chunk.events[-1].hash for chunk in chunks]),
        "first_ats": BigintArray([chunk.events[0].recorded_at for chunk in chunks]),
        "last_ats": BigintArray([chunk.events[-1].recorded_at for chunk in chunks]),
    }


def _of_events(chunks: list[Chunk]) -> dict[str, Any]:
    events = [event for chunk in chunks for event in chunk.events]
    return {
        "event_chunks": IntegerArray([place for place, chunk in enumerate(chunks, 1) for _ in chunk.events]),
        "seqs": BigintArray([event.seq for event in events]),
        "recorded_ats": BigintArray([event.recorded_at for event in events]),
        "game_times": BigintArray([event.game_time for event in events]),
        "kind_versions": IntegerArray([event.kind_version for event in events]),
        "action_ids": UuidArray([event.action_id for event in events]),
        "actors": UuidArray([event.actor for event in events]),
        "kinds": TextArray([event.kind for event in events]),
        "causes": TextArray([event.cause for event in events]),
        "visibilities": TextArray([event.visibility for event in events]),
        "salts": BytesArray([event.salt for event in events]),
        "hashes": BytesArray([event.hash for event in events]),
        "commands": BytesArray([event.command for event in events]),
        "bodies": BytesArray([event.body for event in events]),
    }


def _of_texts(chunks: list[Chunk]) -> dict[str, Any]:
    texts = [
        (place, event)
        for place, chunk in enumerate(chunks, 1)
        for event in chunk.events
        if event.texts is not None
    ]
    return {
        "text_chunks": IntegerArray([place for place, _ in texts]),
        "text_seqs": BigintArray([event.seq for _, event in texts]),
        "text_salts": BytesArray([event.text_salt for _, event in texts]),
        "texts": BytesArray([event.texts for _, event in texts]),
    }


def _of_answers(chunks: list[Chunk]) -> dict[str, Any]:
    answers = [answer for chunk in chunks for answer in chunk.answers]
    return {
        "answer_chunks": IntegerArray([place for place, chunk in enumerate(chunks, 1) for _ in chunk.answers]),
        "answer_accounts": UuidArray([answer.account_id for answer in answers]),
        "answer_keys": TextArray([answer.key for answer in answers]),
        "answer_requests": BytesArray([answer.request_hash for answer in answers]),
        "answer_actions": UuidArray([answer.action_id for answer in answers]),
        "answers": BytesArray([answer.answer for answer in answers]),
    }


def _of_members(chunks: list[Chunk]) -> dict[str, Any]:
    # The actions of a chunk may change one member twice: the last word counts.
    last_words = {
        (place, change.account_id): change.role
        for place, chunk in enumerate(chunks, 1)
        for change in chunk.members
    }
    return {
        "member_chunks": IntegerArray([place for place, _ in last_words]),
        "member_accounts": UuidArray([account for _, account in last_words]),
        "member_roles": TextArray(list(last_words.values())),
    }


def _of_timers(chunks: list[Chunk]) -> dict[str, Any]:
    timers = [(place, timer) for place, chunk in enumerate(chunks, 1) for timer in chunk.timers]
    fired = [(place, *key) for place, chunk in enumerate(chunks, 1) for key in chunk.fired]
    return {
        "timer_chunks": IntegerArray([place for place, _ in timers]),
        "timer_causes": UuidArray([timer.cause for _, timer in timers]),
        "timer_subjects": TextArray([timer.subject for _, timer in timers]),
        "timer_clocks": TextArray([timer.clock for _, timer in timers]),
        "timer_dues": BigintArray([timer.due for _, timer in timers]),
        "timer_wakes": BigintArray([timer.wake_at for _, timer in timers]),
        "fired_chunks": IntegerArray([place for place, _, _ in fired]),
        "fired_causes": UuidArray([cause for _, cause, _ in fired]),
        "fired_subjects": TextArray([subject for _, _, subject in fired]),
    }


def _of_seeds(chunks: list[Chunk]) -> dict[str, Any]:
    seeds = [(place, sealed) for place, chunk in enumerate(chunks, 1) for sealed in chunk.seeds]
    return {
        "seed_chunks": IntegerArray([place for place, _ in seeds]),
        "seed_epochs": BigintArray([sealed.epoch for _, sealed in seeds]),
        "sealed_seeds": BytesArray([sealed.sealed for _, sealed in seeds]),
    }
