"""Whole recorded campaigns, played over HTTP on a real database and compared with how they came out before.

After a change that is meant to be seen in chronicle, sheets or ledger, write the golden files anew and read
what changed in them:

    FIELDLOG_WRITE_GOLDEN=1 ./run test tests/stories && git diff tests/stories
"""

import asyncio
import json
from collections.abc import Iterator
from typing import Any, NamedTuple, get_args
from uuid import UUID

import msgspec
import psycopg
import pytest
from litestar.testing import TestClient
from msgspec import structs
from psycopg.rows import class_row

from domain.campaign.codec import recorded
from domain.campaign.evolve import evolve
from domain.campaign.request import ActRequest
from domain.campaign.state import CampaignState
from domain.campaign.visibility import Audience, seen_by
from domain.chain import GENESIS, event_hash, private_hash
from domain.ids import AccountId, ActionId, CampaignId
from domain.stored import StoredEvent
from domain.systems import SYSTEMS
from domain.systems.frame_state import FRAME_STATE
from projections.ledger import account_balances
from projections.sheets import sheet
from services.api.app import create_app
from services.cli.recording import STORIES, Act, Recording, read_recording
from services.cli.story import Acted, Checked, Diverged, Happening, Story, Waited
from services.decision import Ask
from services.house import House
from services.settings import Settings
from tests.engines import DatabaseUrls, PostgresServer
from tests.stories.golden import expected, picture, read_golden

COMMANDS_MIN = 150
REFUSALS = {
    "advance_limit_reached",
    "attribute_at_maximum",
    "dice_mismatch",
    "handler_exists",
    "insufficient_currency",
    "mission_in_progress",
    "no_unspent_point",
    "not_the_handler",
    "not_your_pilot",
    "npc_never_rolls",
    "same_attribute",
    "test_already_resolved",
}
"""What players run into; each is refused at least once on the way."""

OUTCOMES = {"fumble", "miss", "hit", "critical"}
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

    @property
    def acts(self) -> list[Acted]:
        return [each for each in self.happenings if isinstance(each, Acted)]


@pytest.fixture(scope="module")
def database(postgres_server: PostgresServer) -> Iterator[DatabaseUrls]:
    """One database for the whole module: a story takes a second, and most tests only look at it."""
    urls = postgres_server.new_database()
    yield urls
    postgres_server.drop_database(urls)


@pytest.fixture(scope="module")
def client(database: DatabaseUrls) -> Iterator[TestClient[Any]]:
    settings = Settings(database_url=database.service, password_kib=64)
    with TestClient(create_app(settings)) as running:
        yield running


@pytest.fixture(scope="module")
def recording() -> Recording:
    return read_recording(STORIES / "frame_state.jsonl")


@pytest.fixture(scope="module")
def played(client: TestClient[Any], database: DatabaseUrls, recording: Recording) -> Played:
    story = Story(recording, client, suffix="", wait_seconds_max=0)
    happenings = list(story.play())
    with psycopg.connect(database.service, row_factory=class_row(StoredEvent)) as connection:
        rows = connection.execute(READ_EVENTS, [story.campaign_id]).fetchall()
    return Played(story, happenings, client, rows)


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


def test_the_campaign_comes_out_as_written_down(played):
    found = picture(played.story, player="sam")
    assert found == expected("frame_state", found)


def test_it_is_long_and_reaches_every_command_outcome_and_refusal(played):
    assert len(played.acts) >= COMMANDS_MIN
    tags = {kind.__struct_config__.tag for kind in get_args(FRAME_STATE.commands)}
    assert tags - {act.type for act in played.acts} == set()
    assert {act.outcome for act in played.acts} >= OUTCOMES
    assert REFUSALS - {act.code for act in played.acts} == set()
    kinds = {kind.__struct_config__.tag for kind in get_args(FRAME_STATE.events)}
    assert kinds - {row.kind for row in played.rows} == set()


def test_its_hash_chain_holds_over_the_stored_rows(played):
    campaign_id, previous = CampaignId(UUID(played.story.campaign_id)), GENESIS
    for seq, row in enumerate(played.rows, 1):
        private = private_hash(
            row.salt, row.kind, row.kind_version, row.actor, row.cause, row.game_time, row.command, row.body
        )
        previous = event_hash(campaign_id, seq, previous, row.recorded_at, row.visibility, private)
        assert (row.seq, row.hash) == (seq, previous)
    assert played.story.last_answer["head_hash"] == previous.hex()


@pytest.mark.parametrize("who", ["ana", "sam"])
def test_folding_all_events_gives_what_the_api_shows(played, who):
    story, state = played.story, CampaignState()
    for row in played.rows:
        state = evolve(state, seen_by(Audience(gm=who == "ana"), recorded(row)).event)
    roster = [each for system in state.systems for each in SYSTEMS[system].characters(state.systems[system])]
    assert len(roster) == 5
    for known in roster:
        shown = story.get(who, f"/sheets/{known.character}")["sheet"]
        assert msgspec.to_builtins(sheet(state, FRAME_STATE.id, known.character)) == shown
    balances = {(each.account, each.currency): each.balance for each in account_balances(state, str)}
    accounts = story.get(who, "/ledger/accounts")["accounts"]
    assert balances == {(each["account"], each["currency"]): each["balance"] for each in accounts}
    assert sum(balance for (_, currency), balance in balances.items() if currency == "credits") == 0
    view = story.get(who)
    assert (view["as_of"], view["game_time"]) == (len(played.rows), state.game_time)


def test_what_the_gm_hid_is_in_nothing_that_a_player_reads(played):
    story, hidden = played.story, [row for row in played.rows if row.visibility == "gm"]
    assert len(hidden) == 3
    read = json.dumps(
        [
            story.pages("sam", "/actions", "actions"),
            story.pages("sam", "/events", "events"),
            story.get("sam"),
            [story.get("sam", f"/sheets/{story.bound[who]}") for who in ("mara", "teo", "ines", "wick")],
        ]
    )
    assert "noticed?" not in read
    assert "The Widow knows" not in read
    assert story.bound["message"] not in read
    assert read.count("Something happened that you cannot see") == 3


def test_sending_the_last_request_again_gives_the_same_answer_and_acts_once(played):
    assert played.story.last_request is not None
    again = played.story.send(*played.story.last_request)
    assert (again.status_code, again.json()) == (201, played.story.last_answer)
    assert played.story.get("ana")["as_of"] == len(played.rows)


def test_one_other_die_turns_the_comparison_red(client, recording):
    """The control: the last shot's second die shows 4 instead of 3, which changes no outcome."""
    other = Story(
        changed(recording, [[12, 12], [8, 3]], [(12, 12), (8, 4)]), client, suffix=" II", wait_seconds_max=0
    )
    assert len(list(other.play())) > COMMANDS_MIN
    found = picture(other, player="sam")
    golden = read_golden("frame_state")
    differing = [key for key in golden if golden[key] != found[key]]
    assert differing == ["chronicle as sam reads it", "chronicle as the GM reads it"]
    lines = [
        pair
        for pair in zip(golden["chronicle as sam reads it"], found["chronicle as sam reads it"], strict=True)
        if pair[0] != pair[1]
    ]
    assert len(lines) == 1


def test_a_die_that_changes_an_outcome_stops_the_story(client, recording):
    other = Story(
        changed(recording, [[12, 12], [8, 3]], [(12, 2), (8, 3)]), client, suffix=" III", wait_seconds_max=0
    )
    with pytest.raises(Diverged, match="expected critical, it came to miss"):
        list(other.play())


def test_it_comes_out_the_same_with_a_worker_that_pays(client, recording):
    story = Story(recording, client, suffix=" IV", wait_seconds_max=5)
    happenings = []
    for happening in story.play():
        happenings.append(happening)
        if isinstance(happening, Acted) and happening.type == "frame_state.conclude_mission":
            with client.portal() as portal:
                portal.call(pay, client.app.state.house, story)
    assert [each.came for each in happenings if isinstance(each, Waited)] == [True, True]
    assert [each for each in happenings if isinstance(each, Checked)] == [Checked(with_payouts=True)]


async def pay(house: House, story: Story) -> None:
    """What a worker does: post everything that is owed."""
    campaign_id = CampaignId(UUID(story.campaign_id))
    seen = await house.reading.see(campaign_id, AccountId(UUID(story.bound["ana"])))
    for owed in FRAME_STATE.owed(seen.state.systems[FRAME_STATE.id]):
        await house.handler.act(
            Ask(
                campaign_id=campaign_id,
                account=None,
                request=ActRequest(command=owed.command),
                action_id=ActionId(house.entropy.new_id()),
                answered=asyncio.get_running_loop().create_future(),
            )
        )
