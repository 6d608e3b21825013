"""Every recorded story leaves the same bytes in the log as before: stored bytes never change.

They are played over HTTP on stores in memory, with what is owed done at once, as a worker would. After a change
that is meant to store something else (a new story, a new event), write the files again and read what changed:

    FIELDLOG_WRITE_GOLDEN=1 ./run test tests/stories/test_stored_bytes.py && git diff tests/stories
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from domain.event_store_types import StoredEvent
from domain.ids import CampaignId
from services.cli.demo.recording import recorded_names, short_names
from tests import golden
from tests.stories.played_story import OTHER_SEED, SEED, played
from tests.stories.stored_bytes import first_broken_link, stored_bytes

FOLDER = Path(__file__).parent
TOLD_IN_FULL = "downtime"
"""A story with undo, texts, timers and money that comes by itself, short enough to be played often."""


def golden_file(name: str) -> Path:
    return FOLDER / f"{name}.stored.json"


@pytest.mark.parametrize("name", [*recorded_names(), *short_names()])
def test_a_story_leaves_the_same_bytes_as_ever(name):
    campaign_id, rows = played(name, SEED)
    assert first_broken_link(campaign_id, rows) is None
    golden.compare(golden_file(name), stored_bytes(rows))


@pytest.fixture(scope="module")
def told() -> tuple[CampaignId, list[StoredEvent]]:
    """A story played with other ids and salts than the one that was kept."""
    return played(TOLD_IN_FULL, OTHER_SEED)


@pytest.fixture
def rows(told: tuple[CampaignId, list[StoredEvent]]) -> list[StoredEvent]:
    return told[1]


def test_other_ids_and_salts_change_nothing(rows):
    _, others = played(TOLD_IN_FULL, SEED)
    assert {row.action_id for row in rows} & {row.action_id for row in others} == set()
    assert {row.salt for row in rows} & {row.salt for row in others} == set()
    assert golden.report(stored_bytes(others), stored_bytes(rows)) is None


def test_the_story_holds_what_is_hard_to_keep_the_same(rows):
    assert any(row.actor is None and row.cause.startswith("action:") for row in rows)
    assert any(row.texts for row in rows)
    assert any(row.kind == "campaign.action_undone" for row in rows)
    assert len({row.recorded_at for row in rows}) > 10


def texts_of(row: StoredEvent) -> dict[str, str]:
    return msgspec.json.decode(row.texts or b"{}", type=dict[str, str])


CHANGES: dict[str, Callable[[StoredEvent], Any]] = {
    "kind": lambda row: row.kind + "x",
    "kind_version": lambda row: row.kind_version + 1,
    "recorded_at": lambda row: row.recorded_at + 1,
    "game_time": lambda row: row.game_time + 1,
    "actor": lambda _: None,
    "cause": lambda _: "import",
    "visibility": lambda _: "gm",
    "command": lambda row: row.command.replace(b'"type"', b'"kind"', 1) if row.command else b"",
    "body": lambda row: row.body[:-1] + b" }",
    "texts": lambda row: msgspec.json.encode(texts_of(row) | {"event.more": "x"}),
}


@pytest.mark.parametrize("field", CHANGES)
def test_one_changed_field_of_one_event_is_found_and_that_event_named(rows, field):
    """Negative control."""
    place = next(at for at, row in enumerate(rows) if at > 20 and row.command and row.actor)
    changed = structs.replace(rows[place], **{field: CHANGES[field](rows[place])})
    altered = [*rows[:place], changed, *rows[place + 1 :]]
    told = golden.report(golden.read(golden_file(TOLD_IN_FULL)), stored_bytes(altered))
    assert told is not None
    assert told.splitlines()[1].startswith(f'events[{place}]: kept "{place + 1} {rows[place].kind} ')


def test_a_text_that_is_not_the_hashed_one_and_an_id_of_no_action_are_found(rows):
    """Negative control."""
    place = next(at for at, row in enumerate(rows) if row.texts)
    other = structs.replace(
        rows[place], texts=msgspec.json.encode({path: text + "!" for path, text in texts_of(rows[place]).items()})
    )
    with pytest.raises(AssertionError, match="is the hash of none of its texts"):
        stored_bytes([*rows[:place], other])
    stranger = structs.replace(rows[0], body=b'{"pilot":"pilot-0123456789ab"}')
    with pytest.raises(AssertionError, match="no action has made pilot-0123456789ab"):
        stored_bytes([stranger])


def test_a_hash_that_does_not_follow_is_found(told):
    """Negative control."""
    campaign_id, rows = told
    assert first_broken_link(campaign_id, rows) is None
    forged = [*rows[:7], structs.replace(rows[7], salt=bytes(16)), *rows[8:]]
    assert first_broken_link(campaign_id, forged) == 8
