"""The recap of one play session: the people present, the highlights, and the events scene by scene."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, tzinfo
from functools import partial
from typing import Any

from msgspec import Struct

from domain.campaign.messages.undo import ActionRedone, ActionUndone
from domain.ids import AccountId, ActionId
from domain.lifecycle_events import SceneEnded, SceneStarted, SessionEnded, SessionStarted
from domain.recorded_event import RecordedEvent
from domain.sentences import Sentence, in_a_row, say
from projections.campaign.dates import CampaignDates
from projections.campaign.recap_weights import chapter, weight
from projections.campaign_words.narration_history import Quote, summed_up, unquoted
from projections.languages import render
from projections.narration import tell, tell_line
from projections.timestamps import moment

HIGHLIGHTS_MAX = 8
SENTENCES_MAX = 25
"""Per part; a recap is read in a minute."""

PARTS_MAX = 60
AFTERWARDS = say("Afterwards")
BETWEEN = say("At the table")
NO_TITLES: Mapping[str, str] = {}

Name = Callable[[Any], str]
Say = Callable[[str | Sentence], str]
"""Renders a sentence in a language."""


class SessionTold(Struct, frozen=True):
    """The play session of a recap; `ended_at` is null while it lasts."""

    session_id: str
    number: int
    title: str | None
    began_at: str
    ended_at: str | None
    present: list[AccountId]


class RecapPart(Struct, frozen=True):
    """The events between two changes of scene or mission; `left_out` counts the sentences beyond the limit."""

    title: str
    sentences: list[str]
    left_out: int


class Recap(Struct, frozen=True):
    """A play session retold. `text` is all of it as plain text, to be sent to the group.

    `dates` are its days by the campaign's calendar, such as 3 to 5 January 2187; empty where time has not moved.
    """

    as_of: int
    session: SessionTold
    present: list[str]
    highlights: list[str]
    parts: list[RecapPart]
    text: str
    names: dict[str, str] = {}
    dates: str = ""


class _Part(Struct):
    title: str
    sentences: list[str]


def recap(
    records: list[RecordedEvent],
    as_of: int,
    name: Name,
    language: str,
    quote: Quote = unquoted,
    time_zone: tzinfo = UTC,
    dates: CampaignDates | None = None,
    *,
    name_at: Callable[[int], Name] | None = None,
    titles: Mapping[str, str] = NO_TITLES,
    in_words: Say | None = None,
) -> Recap:
    """The recap of a session from its events as the reader sees them; the first is its `SessionStarted`.

    Events after its end, up to the next session, are told as what happened afterwards. `quote` gives the sentences
    of actions that were undone or redone. `time_zone` is where its day is told; with `dates`, its days by the
    campaign's calendar are told, too. `name_at` gives the names of the time of an event, `titles` are those that
    sessions and scenes were given later. `in_words` renders its sentences otherwise than in `language`.
    """
    started = records[0].event
    assert isinstance(started, SessionStarted)
    ended = next((record for record in records if isinstance(record.event, SessionEnded)), None)
    session = SessionTold(
        session_id=started.session_id,
        number=started.number,
        title=titles.get(started.session_id, started.title),
        began_at=moment(records[0].recorded_at),
        ended_at=moment(ended.recorded_at) if ended is not None else None,
        present=started.present,
    )
    in_words = in_words or partial(render, language=language)
    present = [name(account) for account in started.present]
    then = name_at or (lambda _: name)
    highlights = [in_words(tell(record.event, then(record.seq))) for record in _highlights(records)]
    parts = [
        RecapPart(part.title, part.sentences[:SENTENCES_MAX], max(0, len(part.sentences) - SENTENCES_MAX))
        for part in _parts(records, then, quote, in_words, titles)
    ][:PARTS_MAX]
    day = datetime.fromisoformat(session.began_at).astimezone(time_zone).date().isoformat()
    days = "" if dates is None else in_words(_days(records, ended, dates))
    text = _text(session, " · ".join([day, days] if days else [day]), present, highlights, parts, in_words)
    return Recap(as_of, session, present, highlights, parts, text, dates=days)


def _days(records: list[RecordedEvent], ended: RecordedEvent | None, dates: CampaignDates) -> Sentence | str:
    """The days of a session by the campaign's calendar: from its first to its last moment."""
    first, last = records[0].game_time, (ended or records[-1]).game_time
    return dates.days(first, max(first, last))


def lasting(records: list[RecordedEvent]) -> list[RecordedEvent]:
    """A session's events without undos and redos that changed nothing of what was known before it.

    Of actions that went back and forth, the last change remains if it changed anything. An action that was undone
    in the session in which it happened is not told, and so neither is its undo.
    """
    turns: dict[ActionId, dict[ActionId, type]] = {}
    for record in records:
        if isinstance(record.event, ActionUndone | ActionRedone):
            turns.setdefault(record.event.action_id, {})[record.action_id] = type(record.event)
    last: dict[ActionId, ActionId | None] = {}
    for action, changes in turns.items():
        kinds = [*changes.values()]
        last[action] = [*changes][-1] if kinds[0] is kinds[-1] else None
    return [
        record
        for record in records
        if not isinstance(record.event, ActionUndone | ActionRedone)
        or (last[record.event.action_id] == record.action_id and record.event.first_seq < records[0].seq)
    ]


def _highlights(records: list[RecordedEvent]) -> list[RecordedEvent]:
    """The weightiest events, in the order they happened."""
    weighed = [(weight(record.event), record) for record in records]
    most = sorted((pair for pair in weighed if pair[0] > 0), key=lambda pair: (-pair[0], pair[1].seq))
    return sorted((record for _, record in most[:HIGHLIGHTS_MAX]), key=lambda record: record.seq)


def _parts(
    records: list[RecordedEvent],
    name_at: Callable[[int], Name],
    quote: Quote,
    in_words: Say,
    titles: Mapping[str, str],
) -> list[_Part]:
    """The sentences, under a new title whenever a scene or a mission begins or ends."""
    missions: dict[str, str] = {}
    scene: str | None = None
    over = False
    between = in_words(BETWEEN)
    parts = [_Part(between, [])]
    seqs = {id(record.event): record.seq for record in records}
    for line in summed_up(record.event for record in records):
        event = line[0]
        name = name_at(seqs.get(id(event), 0))
        larger = chapter(event)
        if larger is not None and larger.opens:
            missions[larger.key] = in_words(larger.title)
        match event:
            case SceneStarted():
                called = titles.get(event.scene_id, event.name)
                scene = in_words(say("Scene: {scene}", scene=called) if called else say("A scene"))
            case SceneEnded():
                scene = None
            case SessionEnded():
                over = True
        when = [in_words(AFTERWARDS)] if over else []
        title = " · ".join([*when, *missions.values(), *([scene] if scene else [])]) or between
        if title != parts[-1].title or isinstance(event, SceneStarted):
            parts.append(_Part(title, []))
        if larger is not None and not larger.opens:
            missions.pop(larger.key, None)
        is_title = isinstance(event, SessionStarted | SessionEnded | SceneStarted | SceneEnded)
        if not is_title and weight(event) >= 0 and (sentence := tell_line(line, name, quote)):
            parts[-1].sentences.append(in_words(sentence))
    return [part for part in parts if part.sentences]


def _text(
    session: SessionTold,
    day: str,
    present: list[str],
    highlights: list[str],
    parts: list[RecapPart],
    in_words: Say,
) -> str:
    number = session.number
    title = say("Play session {number} ({day})", number=number, day=day)
    if session.title:
        title = say("Play session {number}, “{title}” ({day})", number=number, title=session.title, day=day)
    who = say("At the table: {present}", present=in_a_row(present) if present else say("nobody"))
    lines = [in_words(title), in_words(who)]
    if highlights:
        lines += ["", in_words(say("Highlights")), *(f"* {_indented(sentence)}" for sentence in highlights)]
    for part in parts:
        lines += ["", part.title, *(f"- {_indented(sentence)}" for sentence in part.sentences)]
        if part.left_out:
            lines.append(in_words(say("- … and {n} more", n=part.left_out)))
    if not parts:
        lines += ["", in_words(say("Nothing that was written down."))]
    return "\n".join(lines)


def _indented(sentence: str) -> str:
    """A sentence of a list whose own lines stay below its first."""
    return "\n  ".join(sentence.splitlines())
