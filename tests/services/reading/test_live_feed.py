"""The live feed over a real server: nothing missed, nothing twice, nothing to the wrong eyes, Redis or not."""

import random
import threading
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from infra.embedded.child_process import free_port
from infra.embedded.valkey import EmbeddedValkey
from services.http.screen.shared.screen_build import build
from services.reading.live_feed import FEEDS_PER_ACCOUNT_MAX, Pace
from tests.engines import engine_folder, flush
from tests.services.conftest import Person, table_at
from tests.services.live_api import Follower, api, eventually

PROMPTLY_SECONDS = 2.0


@pytest.fixture
def nowhere():
    """The URL of a Redis that is not there."""
    return f"redis://127.0.0.1:{free_port()}/0"


@pytest.fixture
def follow():
    """A function that makes followers, who all hang up at the end."""
    made: list[Follower] = []

    def following(*args: Any, **asked: Any) -> Follower:
        made.append(Follower(*args, **asked))
        return made[-1]

    yield following
    for follower in made:
        follower.hang_up()


def note(table, who, text="so it was", **more):
    """Add a note; its seq."""
    body = {"command": {"type": "campaign.add_note", "text": text}, **more}
    answer = who.post(f"{table.path}/actions", body)
    assert answer.status_code == 201, answer.text
    return answer.json()["seq"]


def elsewhere(person, other):
    """The same person at another API."""
    twin = object.__new__(Person)
    twin.client, twin.name = other.client, person.name
    twin.account_id, twin.headers = person.account_id, person.headers
    return twin


# --- what a feed says ---------------------------------------------------------------------------------------


def test_a_feed_says_hello_and_then_every_event_as_the_history_shows_it(database, follow):
    with api(database.service) as running:
        table = table_at(running.client)
        head = table.seq()
        feed = follow(running, table.player, table.path)
        assert feed.headers["content-type"].startswith("text/event-stream")
        assert eventually(lambda: feed.told)
        assert feed.told[0][:3] == ("hello", head, {"as_of": head, "after": head, "build": build()})
        feed.reaches(note(table, table.gm, "äöü\n\nid: 7\n"))
        shown = table.player.get(f"{table.path}/events", params={"after": head}).json()["events"]
        assert [told.data for told in feed.events()] == shown


def test_a_feed_begins_where_it_is_told_to_and_the_header_goes_before_the_query(database, follow):
    with api(database.service) as running:
        table = table_at(running.client)
        last = [note(table, table.gm) for _ in range(120)][-1]
        for asked, first in (
            ({"query": "?after=0"}, 1),
            ({"last": 3}, 4),
            ({"query": "?after=1", "last": last - 1}, last),
        ):
            feed = follow(running, table.gm, table.path, **asked)
            feed.reaches(last)
            assert feed.ids() == list(range(first, last + 1))


def test_whoever_reconnects_after_any_event_misses_nothing_and_gets_nothing_twice(database, redis_url, follow):
    chance = random.Random(7)  # noqa: S311
    with api(database.service, redis_url) as running:
        table = table_at(running.client)
        begin = table.seq()
        acting = threading.Thread(target=lambda: [note(table, table.gm) for _ in range(150)])
        acting.start()
        heard, last = [], begin
        while last < begin + 150:
            feed = follow(running, table.player, table.path, last=last)
            wanted = min(chance.randint(1, 20), begin + 150 - last)
            feed.has(wanted)
            feed.hang_up()
            heard += feed.ids()
            last = heard[-1]
        acting.join()
        assert heard == list(range(begin + 1, begin + 151))


def test_a_client_that_lost_the_line_before_any_event_resumes_at_hello(database, follow):
    with api(database.service) as running:
        table = table_at(running.client)
        feed = follow(running, table.gm, table.path)
        assert eventually(lambda: feed.told)
        feed.hang_up()
        seq = note(table, table.gm)
        again = follow(running, table.gm, table.path, last=feed.told[0].id)
        again.reaches(seq)


def test_hidden_events_come_as_placeholders_to_players_and_whole_to_gms(database, follow):
    """Invariant 23."""
    with api(database.service) as running:
        table = table_at(running.client)
        feeds = [follow(running, who, table.path) for who in (table.player, table.gm)]
        seq = note(table, table.gm, "the butler", visibility="gm")
        open_seq = note(table, table.gm, "good evening")
        hidden, whole = (feed.reaches(open_seq) and feed.reaches(seq).data for feed in feeds)
        assert whole["text"] == "the butler"
        assert "butler" not in str(hidden)
        assert hidden == table.player.get(f"{table.path}/events", params={"after": seq - 1}).json()["events"][0]
        assert hidden["type"] != whole["type"]


def test_a_reveal_is_told_and_whoever_reads_from_before_it_reads_the_revealed_whole(database, follow):
    with api(database.service) as running:
        table = table_at(running.client)
        before = table.seq()
        body = {"command": {"type": "campaign.add_note", "text": "the butler"}, "visibility": "gm"}
        secret = table.gm.post(f"{table.path}/actions", body).json()
        feed = follow(running, table.player, table.path, last=before)
        assert feed.reaches(secret["seq"]).data["type"] == "campaign.hidden"
        opened = table.act(table.gm, "campaign.reveal_action", action_id=secret["action_id"])
        told = feed.reaches(opened["seq"]).data
        assert (told["type"], told["action_id"]) == ("campaign.action_revealed", secret["action_id"])
        again = follow(running, table.player, table.path, last=before)
        assert again.reaches(secret["seq"]).data["text"] == "the butler"


def test_comments_are_sent_while_nothing_happens(database, follow):
    with api(database.service, pace=Pace(heartbeat_seconds=0.05)) as running:
        table = table_at(running.client)
        feed = follow(running, table.gm, table.path)
        assert eventually(lambda: len(feed.told) >= 5)
        told = [(each.event, each.data) for each in feed.told[1:] if each.event != "presence"]
        assert told[:3] == [(None, "keep-alive")] * 3


def test_the_documentation_knows_the_feed(database):
    with api(database.service) as running:
        described = running.client.get("/api/docs/openapi.json").json()["paths"][
            "/api/campaigns/{campaign_id}/live"
        ]
        assert "text/event-stream" in described["get"]["responses"]["200"]["content"]
        assert {"Last-Event-ID", "after"} <= {one["name"] for one in described["get"]["parameters"]}


# --- who may have one ---------------------------------------------------------------------------------------


def test_a_feed_that_cannot_be_is_refused_before_it_begins(database, follow):
    with api(database.service) as running:
        table = table_at(running.client)
        stranger = Person(running.client, "Somebody else")
        nobody = SimpleNamespace(headers={})
        refusals: list[tuple[Any, dict[str, Any], int, str]] = [
            (table.gm, {"last": "x"}, 400, "malformed"),
            (table.gm, {"last": "-1"}, 400, "malformed"),
            (table.gm, {"last": "9" * 40}, 400, "malformed"),
            (table.gm, {"query": "?after=-1"}, 400, "malformed"),
            (table.gm, {"last": 9999}, 409, "ahead_of_log"),
            (nobody, {}, 401, "not_signed_in"),
            (stranger, {}, 404, "campaign_not_found"),
        ]
        for who, asked, status, code in refusals:
            feed = follow(running, who, table.path, **asked)
            assert (feed.status, feed.problem()["code"]) == (status, code)
            assert feed.headers["content-type"] == "application/problem+json"
        foreign = follow(running, table.gm, f"/campaigns/{uuid4()}")
        assert (foreign.status, foreign.problem()["code"]) == (404, "campaign_not_found")


def test_nobody_has_more_feeds_than_the_limit_and_one_closed_makes_room(database, follow):
    with api(database.service) as running:
        table = table_at(running.client)
        feeds = [follow(running, table.player, table.path) for _ in range(FEEDS_PER_ACCOUNT_MAX)]
        one_too_many = follow(running, table.player, table.path)
        assert (one_too_many.status, one_too_many.problem()["code"]) == (429, "too_many_feeds")
        others = follow(running, table.gm, table.path)
        assert others.status == 200
        feeds.pop().hang_up()
        assert eventually(lambda: running.feeds_open() == FEEDS_PER_ACCOUNT_MAX)
        feeds.append(follow(running, table.player, table.path))
        assert feeds[-1].status == 200
        for feed in (*feeds, others):
            feed.hang_up()
        assert eventually(lambda: running.feeds_open() == 0), "who hangs up is counted no more"


@pytest.mark.parametrize("redis", ["here", "away", "none"])
def test_the_feed_of_a_removed_member_ends_within_two_seconds_wherever_that_happened(
    database, redis_url, nowhere, redis, follow
):
    url = {"here": redis_url, "away": nowhere, "none": None}[redis]
    with api(database.service, url) as one, api(database.service, url) as other:
        table = table_at(one.client)
        feed = follow(other, table.player, table.path)
        feed.reaches(note(table, table.gm))
        assert table.gm.send("DELETE", f"{table.path}/members/{table.player.account_id}").status_code == 204
        assert feed.ends(PROMPTLY_SECONDS) == "campaign_not_found"
        before = feed.ids()
        note(table, table.gm)
        assert feed.ids() == before


def test_the_feed_of_a_revoked_token_ends_within_two_seconds_wherever_that_happened(database, redis_url, follow):
    with api(database.service, redis_url) as one, api(database.service, redis_url) as other:
        table = table_at(one.client)
        feed, here = follow(other, table.player, table.path), follow(one, table.player, table.path)
        feed.reaches(note(table, table.gm))
        token = table.player.get("/tokens").json()["tokens"][0]["token_id"]
        assert table.player.send("DELETE", f"/tokens/{token}").status_code == 204
        assert feed.ends(PROMPTLY_SECONDS) == "not_signed_in"
        assert here.ends(PROMPTLY_SECONDS) == "not_signed_in"


def test_somebody_made_gm_sees_hidden_events_from_then_on(database, follow):
    with api(database.service) as running:
        table = table_at(running.client)
        feed = follow(running, table.player, table.path)
        hidden = feed.reaches(note(table, table.gm, "secret", visibility="gm"))
        assert "secret" not in str(hidden.data)
        table.gm.send("PATCH", f"{table.path}/members/{table.player.account_id}", json={"role": "gm"})
        assert "secret" in str(feed.reaches(note(table, table.gm, "secret", visibility="gm")).data)


# --- several processes, with and without Redis ----------------------------------------------------------------


def test_what_happens_at_one_api_is_seen_at_another_promptly_through_redis(database, redis_url, follow):
    with api(database.service, redis_url) as one, api(database.service, redis_url) as other:
        table = table_at(one.client)
        feed = follow(other, table.player, table.path)
        feed.reaches(note(table, table.gm))
        for _ in range(5):
            feed.reaches(note(table, table.gm), PROMPTLY_SECONDS)
        back = follow(one, table.gm, table.path)
        seq = note(table, elsewhere(table.player, other))
        back.reaches(seq, PROMPTLY_SECONDS)


def test_redis_that_is_away_from_the_start_only_delays(database, nowhere, follow):
    """Invariant 16."""
    with api(database.service, nowhere) as one, api(database.service, nowhere) as other:
        table = table_at(one.client)
        feeds = [follow(running, table.player, table.path) for running in (one, other)]
        seqs = [note(table, table.gm) for _ in range(3)]
        for feed in feeds:
            feed.reaches(seqs[-1], PROMPTLY_SECONDS)
            assert feed.ids() == seqs


@pytest.mark.slow
def test_redis_flushed_killed_and_back_in_the_middle_costs_no_event(database, follow):
    """Invariant 16."""
    with engine_folder() as folder:
        engine = EmbeddedValkey.start(folder)
        try:
            with api(database.service, engine.url) as one, api(database.service, engine.url) as other:
                table = table_at(one.client)
                begin = table.seq()
                feed = follow(other, table.player, table.path)
                feed.reaches(note(table, table.gm))
                flush(engine.url)
                feed.reaches(note(table, table.gm), PROMPTLY_SECONDS)
                engine.process.kill()
                feed.reaches(note(table, table.gm), PROMPTLY_SECONDS + 1)
                feed.reaches(note(table, table.gm), PROMPTLY_SECONDS + 1)
                engine.stop()
                engine = EmbeddedValkey.start(folder)
                for _ in range(10):
                    feed.reaches(note(table, table.gm), PROMPTLY_SECONDS + 1)
                assert feed.ids() == list(range(begin + 1, begin + 15))
                feed.hang_up()
        finally:
            engine.stop()


def test_a_feed_outlives_its_connections_to_the_database(database, follow):
    with api(database.service) as running:
        table = table_at(running.client)
        feed = follow(running, table.player, table.path)
        feed.reaches(note(table, table.gm))
        with psycopg.connect(database.service, autocommit=True) as killer:
            killer.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                "WHERE application_name LIKE 'fieldlog-api%' AND datname = current_database()"
            )
        assert eventually(lambda: running.client.get("/health/ready").status_code == 200)
        head = table.seq()
        eventually(lambda: table.try_to(table.gm, "campaign.add_note", text="again").status_code == 201)
        feed.reaches(head + 1)


def test_a_stop_ends_every_feed_at_once(database, redis_url, follow):
    running = api(database.service, redis_url)
    with running as serving:
        table = table_at(serving.client)
        feeds = [follow(serving, table.gm, table.path) for _ in range(5)]
        assert eventually(lambda: all(feed.told for feed in feeds))
        assert serving.stop() < 3, "far less than the grace of half a minute"
        assert [feed.ends() for feed in feeds] == ["shutting_down"] * 5
