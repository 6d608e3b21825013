"""A story that was forked or imported tells when things happened as the original does.

Each story is played on a service of its own; weeks later it is forked, imported with its people, and forked again.
"""

import csv
import io
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from litestar.testing import TestClient

from domain.campaign.transfer.remap import LEFT_BEHIND
from domain.event_store_types import StoredEvent
from domain.ids import CampaignId
from projections.timestamps import moment
from services.cli.demo.recording import recorded_names
from services.cli.demo.story import Story, StoryAction
from tests.sampling import only_in_release, slow_but
from tests.stories.memory_service import memory_service
from tests.stories.playing import recording_of
from tests.stories.story_copies import WEEK, Copy, copies_of

OF_THE_COPY = frozenset({"as_of", "seq", "last_seq", "since_seq", "hash", "imported_at", "cause", "proof"})
"""What is told of each thing and is another in a copy."""

EVERY_THIRTIETH = 30


class Played(NamedTuple):
    """A story and its copies, on a service that is in memory."""

    story: Story
    client: TestClient[Any]
    rows: list[StoredEvent]
    copies: list[Copy]

    @property
    def gm(self) -> str:
        return self.story.recording.title.gm

    @property
    def moments(self) -> list[str]:
        """Every moment at which something happened in the story."""
        return sorted({moment(row.recorded_at) for row in self.rows})

    def get(self, path: str, copy: Copy | None = None, **params: str | int) -> Any:
        """Read something of the story's campaign, or of a copy."""
        answer = self._send("GET", path, copy, params=params)
        assert answer.status_code == 200, (path, params, answer.text)
        return answer.json()

    def text(self, path: str, copy: Copy | None = None) -> str:
        return str(self._send("GET", path, copy).text)

    def act(self, copy: Copy, type_: str, **fields: Any) -> Any:
        answer = self._send("POST", "/actions", copy, json={"command": {"type": type_, **fields}})
        assert answer.status_code == 201, answer.text
        return answer.json()

    def pages(self, path: str, items: str, copy: Copy | None = None, **params: str | int) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        after: int | None = 0
        while after is not None:
            page = self.get(path, copy, after=after, limit=500, **params)
            found += page[items]
            after = page["next_after"]
        return found

    def seqs_at(self, copy: Copy, moments: list[int]) -> list[int]:
        """The last seq of a copy at each of these moments."""
        log = self.client.app.state.application.log

        async def found() -> list[int]:
            return [await log.seq_at(CampaignId(UUID(copy.campaign_id)), at) for at in moments]

        with self.client.portal() as portal:
            return portal.call(found)

    def _send(self, method: str, path: str, copy: Copy | None, **how: Any) -> Any:
        campaign_id = self.story.campaign_id if copy is None else copy.campaign_id
        headers = {"Authorization": f"Bearer {self.story.tokens[self.gm]}"}
        return self.client.request(method, f"/api/campaigns/{campaign_id}{path}", headers=headers, **how)


@pytest.fixture(
    scope="module", params=slow_but(recorded_names(), "freefall", "undo", in_release=["mobile_frame", "overdrive"])
)
def played(request: pytest.FixtureRequest) -> Iterator[Played]:
    with memory_service(1) as client, client.portal() as portal:
        application = client.app.state.application
        story = Story(recording_of(request.param), client, suffix="", wait_seconds_max=0)
        for happening in story.play():
            if isinstance(happening, StoryAction):
                portal.call(application.handler.run_due, CampaignId(UUID(story.campaign_id)), 0, [])
        rows = portal.call(application.log.tail, CampaignId(UUID(story.campaign_id)), 0)
        yield Played(story, client, rows, copies_of(story, client))


def alike(told: Any) -> Any:
    """What is told, without what is another in a copy."""
    if isinstance(told, dict):
        return {key: alike(value) for key, value in told.items() if key not in OF_THE_COPY}
    return [alike(each) for each in told] if isinstance(told, list) else told


def looks(played: Played, copy: Copy | None, at: str) -> dict[str, Any]:
    """Sheets, service records, boards, balances and what was to happen, as they were at a date."""
    paths = [
        "/sheets",
        "/ledger/accounts",
        "/boards",
        "/timers",
        "/calendar",
        "/downtime",
        "/members",
        "/statistics",
    ]
    for entry in played.get("/sheets", copy, at=at)["sheets"]:
        sheet = f"/sheets/{entry['character']}"
        paths += [sheet, *([f"{sheet}/record"] if entry["system"] != "mobile_frame" else [])]
    for board in played.get("/boards", copy, at=at)["boards"]:
        paths.append(f"/boards/{board['system']}/{board['board']}")
    return {path: alike(played.get(path, copy, at=at)) for path in paths}


def test_every_date_of_the_story_finds_the_same_event_in_every_copy(played):
    come_along = [row.recorded_at for row in played.rows if row.kind not in LEFT_BEHIND]
    moments = sorted({at + aside for at in come_along for aside in (-1, 0)})
    lasts = [bisect_right(come_along, at) for at in moments]
    for copy in played.copies:
        found = played.seqs_at(copy, moments)
        assert found == [last and copy.imports + last for last in lasts], copy.name


@pytest.mark.slow
@pytest.mark.parametrize("every", [EVERY_THIRTIETH, only_in_release(10)])
def test_a_copy_looks_at_a_date_as_the_story_did(played, every):
    for at in played.moments[::every]:
        original = looks(played, None, at)
        for copy in played.copies:
            assert looks(played, copy, at) == original, (copy.name, at)


def test_a_copy_has_the_sheets_and_timers_in_the_middle_of_the_story_that_the_story_had(played):
    at = played.moments[len(played.moments) * 2 // 3]
    sheets = [f"/sheets/{entry['character']}" for entry in played.get("/sheets", at=at)["sheets"][:3]]
    for path in (*sheets, "/timers", "/calendar"):
        original = alike(played.get(path, at=at))
        for copy in played.copies:
            assert alike(played.get(path, copy, at=at)) == original, copy.name


def test_what_an_action_changed_and_what_differs_between_two_dates_is_the_same_in_every_copy(played):
    some = len(played.moments) // 3
    dates = {"from": played.moments[some], "to": played.moments[2 * some]}
    actions = [each["action_id"] for each in played.get("/actions", at=dates["to"])["actions"]][1::some]
    for path, params in [("/diff", dates), *((f"/actions/{each}", {"at": dates["to"]}) for each in actions)]:
        original = played.get(path, **params)
        assert original["changes"]
        for copy in played.copies:
            assert alike(played.get(path, copy, **params)["changes"]) == alike(original["changes"]), copy.name


def test_every_line_of_the_chronicle_says_when_it_happened_and_when_it_was_brought_over(played):
    original = {each["action_id"]: each["at"] for each in played.pages("/actions", "actions")}
    assert len(set(original.values())) > 20
    for copy in played.copies:
        opening, *rest = played.pages("/actions", "actions", copy)
        assert (opening["type"], opening["imported_at"]) == ("campaign.import", None)
        brought = [each for each in rest[:-1] if each["action_id"] in original]
        assert {each["action_id"]: each["at"] for each in brought} == original
        assert {each["imported_at"] for each in rest[:-1]} == {opening["at"]}
        assert rest[-1]["imported_at"] is None
        assert rest[-1]["at"] >= opening["at"] > max(original.values())


def test_every_event_entry_and_reason_says_so_too(played):
    entries = played.pages("/ledger/entries", "entries")
    moments = [moment(row.recorded_at) for row in played.rows if row.kind not in LEFT_BEHIND]
    for copy in played.copies:
        places = [each["recorded"] for each in played.pages("/events", "events", copy)]
        at = places[0]["at"]
        brought = [each for each in places if each["imported_at"] is not None]
        assert [each["at"] for each in brought[copy.imports - 1 :]][: len(moments)] == moments
        assert {each["imported_at"] for each in brought} == {at}
        copied = played.pages("/ledger/entries", "entries", copy)
        assert alike(copied) == alike(entries)
        assert {each["imported_at"] for each in copied} <= {at}
        lines = list(csv.DictReader(io.StringIO(played.text("/ledger/entries.csv", copy))))
        assert [(each["at"], each["imported_at"]) for each in lines] == [(each["at"], at) for each in entries]
        for held in played.get("/ledger/accounts")["accounts"][:3]:
            path = f"/ledger/accounts/{held['account']}/why"
            why, again = (played.get(path, each, currency=held["currency"]) for each in (None, copy))
            assert alike(again) == alike(why)
            assert {each["imported_at"] for each in again["moves"]} == {at}
            assert {each["imported_at"] for each in why["moves"]} == {None}


def test_sessions_last_as_long_in_every_copy_and_their_recaps_bear_the_day(played):
    sessions = [each["seq"] for each in played.pages("/actions", "actions", type="campaign.session_started")]
    for number in range(1, len(sessions) + 1):
        original = played.get("/recap", session=number)
        told = original["session"]
        assert told["ended_at"] is None or told["ended_at"] > told["began_at"]
        for copy in played.copies:
            recap = played.get("/recap", copy, session=number)
            assert recap["session"] == told
            assert recap["text"].splitlines()[0] == original["text"].splitlines()[0]


def test_what_happens_in_a_copy_happens_there_and_then(played):
    copy = played.copies[0]
    before = played.get("", copy)["as_of"]
    played.client.app.state.clock.now += WEEK
    added = played.act(copy, "campaign.add_note", text="From here on it is ours.")
    shown = played.get(f"/actions/{added['action_id']}", copy)
    assert shown["action"]["imported_at"] is None
    assert shown["events"][0]["recorded"]["imported_at"] is None
    assert played.get("/sheets", copy, at=shown["action"]["at"])["as_of"] == before + 1
    assert played.get("/sheets", copy, at=moment(played.client.app.state.clock.now - WEEK))["as_of"] == before
    since = played.get("/actions", copy, since=moment(played.rows[-1].recorded_at))["actions"]
    assert [each["type"] for each in since] == ["campaign.import", "campaign.add_note"]
