"""Every recorded story is exported and imported: what comes out is what it was, apart from who and where.

Undo finds in a copy what it finds in the original: what is owed, and since when, came along.
"""

import io
import re
from typing import Any
from uuid import UUID, uuid5

import psycopg
import pytest
from msgspec import structs

from domain.campaign.evolve import evolve, evolve_undone
from domain.campaign.history.undo import Search
from domain.campaign.messages.imports import CampaignImported
from domain.campaign.state import CampaignState, ServerDice
from domain.campaign.storage.event_codec import decode_event, past_action
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.campaign.transfer.remap import Crossing
from domain.event_store_types import Head, StoredEvent
from domain.hash_chain import GENESIS
from domain.ids import AccountId, ActionId, CampaignId
from services.campaign.history_changes import history_changes_in, undone_by
from services.cli.demo.recording import recorded_names
from services.reading.event_scan import by_action
from services.transfer.uploaded_export import verified
from tests.sampling import only_in_release, slow_but
from tests.stories.playing import Played, play, read_rows

ID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
LEFT_BEHIND = {"campaign.dice_epoch_started", "campaign.dice_epoch_ended"}
HERE = CampaignId(UUID(int=7))
IMPORTED_AT = 1_900_000_000_000_000
EVERY_NINTH = 9
"""All of them, one after the other, are for the slow tests."""


@pytest.fixture(scope="module", params=slow_but(recorded_names(), "freefall", "undo"))
def played(request: pytest.FixtureRequest, client: Any, database: Any) -> Played:
    return play(request.param, client, database)


def rows_of(database: Any, campaign_id: str) -> list[StoredEvent]:
    with psycopg.connect(database.owner) as connection:
        return read_rows(connection, campaign_id)


def without_ids(content: bytes) -> bytes:
    """Content in which every id has the number of its first appearance."""
    seen: dict[bytes, int] = {}
    return ID.sub(lambda found: b"id-%d" % seen.setdefault(found[0], len(seen)), content)


def stood(rows: list[StoredEvent]) -> CampaignState:
    """The campaign as these rows leave it, but for its members, its founder and its seeds."""
    struck = undone_by(history_changes_in(rows))
    state = CampaignState()
    for row in rows:
        if row.action_id not in struck:
            state = evolve(state, decode_event(row))
    return structs.replace(state, members={}, founder=None, dice=ServerDice(), imported_people={})


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
    assert without_ids(encode_state(stood(rows))) == without_ids(encode_state(stood(played.rows)))
    again = client.get(f"/api/campaigns/{answer.json()['campaign_id']}/verify", headers=headers).json()
    assert again["sound"] is True
    assert again["dice"]["recomputed"] == 0


def copied(rows: list[StoredEvent], people: dict[AccountId, AccountId]) -> list[StoredEvent]:
    """The rows as they stand in a copy of the campaign, after its opening event."""
    left_behind = [row.seq for row in rows if row.kind in LEFT_BEHIND]
    crossing = Crossing(HERE, lambda each: people.get(AccountId(each), AccountId(each)), left_behind)
    opened = Head(1, GENESIS, IMPORTED_AT)
    return [*crossing.brought(rows, opened, lambda: IMPORTED_AT, lambda: bytes(16))]


class Telling:
    """A campaign's actions, and what undoing them would do."""

    def __init__(self, rows: list[StoredEvent], *, is_copy: bool) -> None:
        self._actions = [past_action(action) for action in by_action(rows)]
        self._struck = undone_by(history_changes_in(rows))
        self._opening: list[Any] = []
        if is_copy:
            self._opening.append(CampaignImported(HERE, len(rows), "", "", len(rows), attested=False))

    def undoable(self) -> list[ActionId]:
        """The actions that can be struck, in order."""
        return [each.action_id for each in self._actions if each.undoable and each.action_id not in self._struck]

    def undoing_each(self, chosen: set[ActionId]) -> dict[ActionId, list[Any]]:
        """What is found when an action is struck, by action, for these of them."""
        found = {}
        state = CampaignState()
        for event in self._opening:
            state = evolve(state, event)
        for place, action in enumerate(self._actions):
            if action.action_id in chosen:
                found[action.action_id] = self._undoing(place, state)
            happens = evolve_undone if action.action_id in self._struck else evolve
            for event in action.events:
                state = happens(state, event)
        return found

    def _undoing(self, place: int, before: CampaignState) -> list[Any]:
        search = Search(
            decode_state(encode_state(before)), {*self._struck}, {self._actions[place].action_id}, set()
        )
        for action in self._actions[place:]:
            search.take(action)
        struck = [(each.action.action_id, each.because, str(each.refusal)) for each in search.to_undo]
        return [*struck, *(each.action_id for each in search.affected)]


@pytest.mark.parametrize("mapped", [False, True], ids=["fork", "import"])
@pytest.mark.parametrize("step", [EVERY_NINTH, only_in_release(1)])
def test_undoing_any_action_of_a_copy_finds_what_it_finds_in_the_original(played, step, mapped):
    accounts = {row.actor for row in played.rows if row.actor is not None}
    people = {each: AccountId(uuid5(HERE, each.hex)) for each in accounts} if mapped else {}
    original = Telling(played.rows, is_copy=False)
    copy = Telling(copied(played.rows, people), is_copy=True)
    chosen = {*copy.undoable()[::step]}
    assert chosen
    assert copy.undoing_each(chosen) == original.undoing_each(chosen)
