"""Playing a recorded campaign over HTTP on a real database, and what is left of it afterwards."""

from typing import Any, NamedTuple

import psycopg
from litestar.testing import TestClient
from msgspec import structs
from psycopg.rows import class_row

from domain.event_store_types import StoredEvent
from infra.postgres.packed_json import unpacked
from services.cli.demo.recording import STORIES, Act, Recording, read_recording
from services.cli.demo.story import Happening, Story, StoryAction
from tests.engines import DatabaseUrls

READ_EVENTS = """
    SELECT e.seq, e.action_id, e.kind, e.kind_version, e.recorded_at, e.game_time, e.actor, e.cause,
           e.visibility, e.command, e.body, e.salt, e.hash, t.salt AS text_salt, t.texts
    FROM events AS e LEFT JOIN personal_text AS t USING (campaign_id, seq)
    WHERE e.campaign_id = %s ORDER BY e.seq
"""


class Played(NamedTuple):
    """A story that was played to its end."""

    story: Story
    happenings: list[Happening]
    client: TestClient[Any]
    rows: list[StoredEvent]
    answered: list[tuple[Act, str, dict[str, Any]]]
    """What was accepted: the command, its key, and the answer."""

    @property
    def acts(self) -> list[StoryAction]:
        return [each for each in self.happenings if isinstance(each, StoryAction)]

    @property
    def gm(self) -> str:
        return self.story.recording.title.gm

    @property
    def player(self) -> str:
        """Whoever of the players is named last."""
        people = self.story.recording.title.people
        return [who for who, person in people.items() if person.role == "player"][-1]


PLAYED: dict[tuple[str, str], Played] = {}
"""What was played, by database and story."""


def recording_of(name: str) -> Recording:
    return read_recording(STORIES / f"{name}.jsonl")


def play(name: str, client: TestClient[Any], database: DatabaseUrls) -> Played:
    """Play a story without a worker; once in a database.

    A worker that takes tests over from another makes a module's fixture a second time.
    """
    if (database.owner, name) not in PLAYED:
        PLAYED[database.owner, name] = _play(name, client, database)
    return PLAYED[database.owner, name]


def _play(name: str, client: TestClient[Any], database: DatabaseUrls) -> Played:
    story = Story(recording_of(name), client, suffix=f" of {name}", wait_seconds_max=0)
    happenings, answered = [], list[tuple[Act, str, dict[str, Any]]]()
    for happening in story.play():
        happenings.append(happening)
        if story.last_request is not None and (not answered or answered[-1][:2] != story.last_request):
            answered.append((*story.last_request, story.last_answer))
    with psycopg.connect(database.owner) as connection:
        rows = read_rows(connection, story.campaign_id)
    return Played(story, happenings, client, rows, answered)


def read_rows(connection: psycopg.Connection, campaign_id: str) -> list[StoredEvent]:
    """The events of a campaign, unpacked."""
    with connection.cursor(row_factory=class_row(StoredEvent)) as cursor:
        rows = cursor.execute(READ_EVENTS, [campaign_id]).fetchall()
    return [
        structs.replace(row, command=row.command and unpacked(row.command), body=unpacked(row.body))
        for row in rows
    ]


def changed(recording: Recording, seen: list[list[int]], instead: list[tuple[int, int]]) -> Recording:
    """The recording with the dice of its last such roll changed."""
    steps = list(recording.steps)
    places = [
        at for at, step in enumerate(steps) if isinstance(step, Act) and [*map(list, step.dice or [])] == seen
    ]
    act = steps[places[-1]]
    assert isinstance(act, Act)
    steps[places[-1]] = structs.replace(act, dice=instead)
    return structs.replace(recording, steps=steps)
