"""Every recorded story is exported and imported: what comes out is what it was, apart from who and where."""

import io
import re
from typing import Any

import psycopg
import pytest
from msgspec import structs
from psycopg.rows import class_row

from domain.campaign.codec import decode_event
from domain.campaign.evolve import evolve
from domain.campaign.snapshot import freeze
from domain.campaign.state import CampaignState, ServerDice
from domain.stored import StoredEvent
from services.cli.recording import recorded_names
from services.export_file import verified
from services.standing import rewrites_in, struck_by
from tests.stories.playing import READ_EVENTS, Played, play

UUID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
LEFT_BEHIND = {"campaign.dice_epoch_started", "campaign.dice_epoch_ended"}


@pytest.fixture(scope="module", params=recorded_names())
def played(request: pytest.FixtureRequest, client: Any, database: Any) -> Played:
    return play(request.param, client, database)


def rows_of(database: Any, campaign_id: str) -> list[StoredEvent]:
    with psycopg.connect(database.owner, row_factory=class_row(StoredEvent)) as connection:
        return connection.execute(READ_EVENTS, [campaign_id]).fetchall()


def without_ids(content: bytes) -> bytes:
    """Content in which every id has the number of its first appearance."""
    seen: dict[bytes, int] = {}
    return UUID.sub(lambda found: b"id-%d" % seen.setdefault(found[0], len(seen)), content)


def stood(rows: list[StoredEvent]) -> CampaignState:
    """The campaign as these rows leave it, but for its members and its seeds."""
    struck = struck_by(rewrites_in(rows))
    state = CampaignState()
    for row in rows:
        if row.action_id not in struck:
            state = evolve(state, decode_event(row))
    return structs.replace(state, members={}, dice=ServerDice(), imported_people={})


def test_a_story_comes_back_as_it_was(played, client, database):
    story = played.story
    headers = {"Authorization": f"Bearer {story.tokens[played.gm]}"}
    exported = client.get(f"/api/campaigns/{story.campaign_id}/export", headers=headers)
    assert verified(io.BytesIO(exported.content)).fault is None
    preview = client.post("/api/campaigns/import?dry_run=true", headers=headers, content=exported.content)
    assert preview.status_code == 200, preview.text
    assert preview.json()["attested"] is True
    answer = client.post("/api/campaigns/import", headers=headers, content=exported.content)
    assert answer.status_code == 201, answer.text
    assert preview.json()["events"] == answer.json()["events"]
    rows = rows_of(database, answer.json()["campaign_id"])
    original = [row for row in played.rows if row.kind not in LEFT_BEHIND]
    brought = rows[1:-2]
    assert [row.kind for row in brought] == [row.kind for row in original]
    assert [row.texts for row in brought] == [row.texts for row in original]
    assert without_ids(freeze(stood(rows))) == without_ids(freeze(stood(played.rows)))
    again = client.get(f"/api/campaigns/{answer.json()['campaign_id']}/verify", headers=headers).json()
    assert again["sound"] is True
    assert again["dice"]["recomputed"] == 0
