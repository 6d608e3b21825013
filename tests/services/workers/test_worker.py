"""`fieldlog worker` as a process, and beside the API: stopped, killed, without Redis, its views folded anew."""

import contextlib
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from litestar import Litestar
from litestar.testing import TestClient
from psycopg import sql

from domain.event_store_types import NEVER
from infra.embedded.child_process import free_port
from infra.embedded.valkey import EmbeddedValkey
from infra.postgres.row_level_security import name_campaigns
from services.http.screen.app import create_app
from services.settings import Settings
from services.workers.process import working_beside
from services.workers.timer_worker import TimerWorker
from tests.applications import an_application
from tests.engines import DICE_KEY, engine_folder
from tests.services.conftest import Table, table_at
from tests.services.processes import Program, eventually, running, worker

SWEEPS_SECONDS_MAX = 3.0
"""The sweep looks every second; this leaves room for a slow machine."""

BEHIND = "SELECT count(*) FROM campaign_heads WHERE seq > caught_up"
CAUGHT_UP = "SELECT sum(caught_up) FROM campaign_heads"


class Database:
    """What a worker has done, as the database tells."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._connection = psycopg.connect(url, autocommit=True)

    def close(self) -> None:
        self._connection.close()

    def execute(self, query: Any, arguments: Any = None) -> Any:
        """Row-level security shows what belongs to the campaigns that were named: all of them."""
        with self._connection.transaction():
            name_campaigns(self._connection)
            return self._connection.execute(query, arguments)

    def number(self, query: str) -> int:
        found = self.execute(query.encode()).fetchone()
        assert found is not None
        return int(found[0] or 0)

    def is_followed(self) -> bool:
        return self.number(BEHIND) == 0 and self.number(CAUGHT_UP) > 0


@pytest.fixture
def followed(database) -> Iterator[Database]:
    found = Database(database.service)
    yield found
    found.close()


@contextlib.contextmanager
def api(database_url: str, redis_url: str | None = None) -> Iterator[Table]:
    """An API of this process, and a table at it with one pilot."""
    settings = Settings(database_url=database_url, dice_key=DICE_KEY, redis_url=redis_url, password_kib=64)
    with an_application(settings) as app, TestClient(app) as client:
        yield with_a_pilot(table_at(client))


def with_a_pilot(seat: Table) -> Table:
    seat.act(seat.gm, "frame_state.define_catalogue", preset="playtest1.2")
    seat.act(seat.player, "frame_state.create_pilot", name="Mara")
    return seat


def fly(seat: Table, pay: int) -> None:
    """A mission with a payout for everybody."""
    seat.act(seat.gm, "frame_state.start_mission", name="Salvage")
    pilots = [each["character"] for each in seat.gm.get(f"{seat.path}/sheets").json()["sheets"]]
    seat.act(seat.gm, "frame_state.conclude_mission", payouts=dict.fromkeys(pilots, pay))


def currency(seat: Table) -> int:
    [pilot] = seat.gm.get(f"{seat.path}/sheets").json()["sheets"]
    sheet: dict[str, Any] = seat.gm.get(f"{seat.path}/sheets/{pilot['character']}").json()["sheet"]
    return int(sheet["currency"])


def has(seat: Table, amount: int) -> bool:
    return currency(seat) == amount


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_follows_pays_and_stops_when_asked(followed, redis_url, tmp_path, how):
    with api(followed.url, redis_url) as seat, worker(tmp_path, followed.url, redis_url) as program:
        before = currency(seat)
        fly(seat, 400)
        assert eventually(lambda: currency(seat) == before + 400, SWEEPS_SECONDS_MAX)
        assert eventually(followed.is_followed, SWEEPS_SECONDS_MAX)
        assert program.stop(how, seconds_max=5.0) == 0, program.said()
        assert "worker_stopped" in program.said()
        assert "Traceback" not in program.said()


def test_workers_share_the_jobs_by_queue(followed, redis_url, tmp_path):
    timers_only = ("worker", "--queues", "timers")
    settings = {"database_url": followed.url, "redis_url": redis_url}
    with api(followed.url, redis_url) as seat, running(tmp_path, *timers_only, **settings) as program:
        assert eventually(lambda: program.has_said("worker_ready")), program.said()
        seat.act(seat.gm, "campaign.schedule_timer", title="Now", after={"seconds": 1}, clock="real")
        assert eventually(lambda: not timers(followed))
        assert not followed.is_followed()
        assert followed.number("SELECT count(*) FROM ledger_checks") == 0
        with running(tmp_path, "worker", "--queues", "catch_up,accounting", **settings):
            assert eventually(followed.is_followed)
        assert program.stop() == 0


@pytest.mark.parametrize("queues", ["", "nonsense", "timers,,catch_up"])
def test_a_worker_of_no_queue_that_there_is_is_refused(followed, tmp_path, queues):
    with running(tmp_path, "worker", f"--queues={queues}", database_url=followed.url) as program:
        assert program.process.wait(30) == 2, program.said()
        assert "there are catch_up, timers, accounting, webhooks, erasing" in program.said()
        assert "Traceback" not in program.said()


def test_a_killed_worker_leaves_its_work_to_another(followed, tmp_path):
    with api(followed.url) as seat, worker(tmp_path, followed.url) as first:
        assert eventually(followed.is_followed, SWEEPS_SECONDS_MAX)
        first.kill()
        before = currency(seat)
        fly(seat, 250)
        assert not followed.is_followed()
        with worker(tmp_path, followed.url):
            assert eventually(followed.is_followed, SWEEPS_SECONDS_MAX)
            assert currency(seat) == before + 250


# --- beside the API ------------------------------------------------------------------------------------------


def one_that_works(database_url: str) -> Litestar:
    settings = Settings(database_url=database_url, dice_key=DICE_KEY, password_kib=64, views_quiet_seconds=0)
    return create_app(settings, beside=working_beside)


def test_an_api_with_a_worker_follows_pays_and_fires_timers_by_itself(followed):
    with TestClient(one_that_works(followed.url)) as client:
        seat = with_a_pilot(table_at(client))
        before = currency(seat)
        fly(seat, 400)
        assert eventually(lambda: currency(seat) == before + 400, SWEEPS_SECONDS_MAX)
        assert eventually(followed.is_followed, SWEEPS_SECONDS_MAX)
        seat.act(seat.gm, "campaign.schedule_timer", title="Now", after={"seconds": 1}, clock="real")
        assert eventually(lambda: not timers(followed), 1 + SWEEPS_SECONDS_MAX)
        application = client.app.state.application
        assert len(application.worker_looks) == 2
    assert application.worker_looks == []


def test_a_defect_in_a_job_ends_neither_the_api_nor_the_job(followed, monkeypatch):
    whole = TimerWorker.round
    failed: list[str] = []

    async def failing_once(self: TimerWorker) -> float:
        if not failed:
            failed.append("once")
            raise ZeroDivisionError
        return await whole(self)

    monkeypatch.setattr(TimerWorker, "round", failing_once)
    with TestClient(one_that_works(followed.url)) as client:
        seat = with_a_pilot(table_at(client))
        assert failed
        seat.act(seat.gm, "campaign.schedule_timer", title="Now", after={"seconds": 1}, clock="real")
        assert eventually(lambda: not timers(followed), 1 + SWEEPS_SECONDS_MAX)


# --- without Redis --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_with_redis_away_from_the_start_everything_happens_within_the_sweep(followed, tmp_path):
    away = f"redis://127.0.0.1:{free_port()}/0"
    with api(followed.url, away) as seat, worker(tmp_path, followed.url, away) as program:
        before = currency(seat)
        for paid in (before + 10, before + 20, before + 30):
            fly(seat, 10)
            assert eventually(partial(has, seat, paid), SWEEPS_SECONDS_MAX)
        seat.act(seat.gm, "campaign.schedule_timer", title="Now", after={"seconds": 1}, clock="real")
        assert eventually(lambda: not timers(followed), 1 + SWEEPS_SECONDS_MAX)
        assert eventually(followed.is_followed, SWEEPS_SECONDS_MAX)
        # Time for the consumers to try again: what they would say each time must stand there once.
        assert eventually(lambda: program.has_said("doorbells_unheard"))
        assert program.stop(seconds_max=6.0) == 0
        assert told_of_the_outage(program) <= 3, program.said()
        assert "Traceback" not in program.said()


def told_of_the_outage(program: Program) -> int:
    """Lines about Redis: of the worker's consumers, of its wake-up messages, of the notifier for live feeds."""
    words = ("doorbells_unheard", "doorbell_silent", "redis_away", "dramatiq", "onsumer")
    return sum(any(word in line for word in words) for line in program.said().splitlines())


@pytest.mark.slow
def test_redis_may_go_and_come_back_while_people_play(followed, tmp_path):
    with engine_folder() as folder:
        valkey = EmbeddedValkey.start(folder)
        url = valkey.url
        try:
            with api(followed.url, url) as seat, worker(tmp_path, followed.url, url) as program:
                before = currency(seat)
                fly(seat, 10)
                assert eventually(lambda: currency(seat) == before + 10, SWEEPS_SECONDS_MAX)
                valkey.stop()
                fly(seat, 10)
                assert eventually(lambda: currency(seat) == before + 20, SWEEPS_SECONDS_MAX)
                assert eventually(lambda: program.has_said("doorbells_unheard"))
                valkey = EmbeddedValkey.start(folder)
                assert valkey.url == url
                assert eventually(lambda: program.has_said("doorbells_heard_again"))
                fly(seat, 10)
                assert eventually(lambda: currency(seat) == before + 30, SWEEPS_SECONDS_MAX)
                assert program.said().count("doorbells_unheard") == 1
                assert program.stop(seconds_max=6.0) == 0
        finally:
            valkey.stop()


@pytest.mark.slow
def test_a_redis_that_hangs_delays_neither_people_nor_payouts_nor_the_stop(followed, tmp_path):
    with (
        engine_folder() as folder,
        EmbeddedValkey.start(folder) as valkey,
        api(followed.url, valkey.url) as seat,
        worker(tmp_path, followed.url, valkey.url) as program,
    ):
        before = currency(seat)
        valkey.process.send_signal(signal.SIGSTOP)
        try:
            began = time.monotonic()
            fly(seat, 10)
            assert time.monotonic() - began < 1.0
            assert eventually(lambda: currency(seat) == before + 10, SWEEPS_SECONDS_MAX)
            assert eventually(lambda: program.has_said("doorbells_unheard"))
            assert program.stop(seconds_max=10.0) == 0, program.said()
            assert "Traceback" not in program.said()
            assert told_of_the_outage(program) <= 3, program.said()
        finally:
            valkey.process.send_signal(signal.SIGCONT)


# --- rebuild-views --------------------------------------------------------------------------------------------


def rebuild(folder: Path, database_url: str, *campaign: str) -> tuple[int, str]:
    with running(folder, "rebuild-views", *campaign, database_url=database_url) as program:
        code = program.process.wait(30)
        return code, program.said()


@pytest.mark.slow
def test_views_rebuilt_from_the_command_line_are_the_same_and_a_tampered_one_is_not(followed, tmp_path):
    with api(followed.url) as seat:
        fly(seat, 400)
        campaign = seat.campaign_id
        code, said = rebuild(tmp_path, followed.url)
        assert (code, currency(seat)) == (0, 500), "it pays on the way"
        assert f"1 campaign rebuilt from {seat.seq()} events" in said
        assert "all the same as before" in said
        stored = "SELECT encode(content, 'escape') FROM stored_folds WHERE audience = 'gm'"
        as_it_was = followed.execute(stored).fetchone()
        forge = "UPDATE stored_folds SET content = replace(encode(content, 'escape'), '500', '900')::bytea"
        followed.execute(f"{forge} WHERE audience = 'gm'".encode())
        assert followed.execute(stored).fetchone() != as_it_was
        code, said = rebuild(tmp_path, followed.url, campaign)
        assert code == 1
        assert f"{campaign}: the rebuilt views DIFFER" in said
        assert followed.execute(stored).fetchone() == as_it_was
        kept = "SELECT view, number, audience FROM view_segments ORDER BY 1, 2, 3 LIMIT 1"
        lost = sql.SQL("DELETE FROM view_segments WHERE (view, number, audience) = ({}, {}, {})")
        followed.execute(lost.format(*followed.execute(kept).fetchone()))
        assert rebuild(tmp_path, followed.url)[0] == 1
        assert rebuild(tmp_path, followed.url)[0] == 0
        followed.execute(b"UPDATE stored_folds SET form = 'of-long-ago'")
        code, said = rebuild(tmp_path, followed.url)
        assert (code, "1 were stored by another version" in said) == (0, True)


@pytest.mark.slow
def test_timers_are_rebuilt_with_the_views_and_those_that_were_wrong_are_counted(followed, tmp_path):
    with api(followed.url) as seat:
        for title in ("Wages", "Rent", "Fuel", "Talks"):
            seat.act(seat.gm, "campaign.schedule_timer", title=title, after={"days": 2}, clock="real")
        as_scheduled = timers(followed)
        code, said = rebuild(tmp_path, followed.url)
        assert (code, "timers" in said) == (0, False), said
        lost, moved, asleep, failed = as_scheduled
        change = followed.execute
        change(b"DELETE FROM timers WHERE subject = %s", lost[:1])
        change(b"UPDATE timers SET due = due + 1, wake_at = wake_at + 1 WHERE subject = %s", moved[:1])
        change(b"UPDATE timers SET wake_at = %s WHERE subject = %s", (NEVER, *asleep[:1]))
        change(b"UPDATE timers SET attempts = 2, error = 'x' WHERE subject = %s", failed[:1])
        change(
            b"INSERT INTO timers (campaign_id, cause, subject, clock, due, wake_at)"
            b" VALUES (%s, gen_random_uuid(), 'made up', 'real', 1, 1)",
            (seat.campaign_id,),
        )
        code, said = rebuild(tmp_path, followed.url, seat.campaign_id)
        assert code == 1, said
        assert f"{seat.campaign_id}: 4 timers DIFFERED from what the log says" in said
        assert "all the same as before; 4 timers differed from the log, and no longer do" in said
        assert timers(followed) == as_scheduled
        assert followed.number("SELECT sum(attempts) FROM timers") == 2, "what failed so often has failed so often"
        assert rebuild(tmp_path, followed.url)[0] == 0


def timers(database: Database) -> list[tuple[str, int, int]]:
    found = database.execute(b"SELECT subject, due, wake_at FROM timers ORDER BY subject").fetchall()
    return [(str(subject), int(due), int(wake_at)) for subject, due, wake_at in found]


FOLLOWED_AT_ONCE = """
    CREATE FUNCTION stay_followed() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RETURN CASE TG_OP WHEN 'UPDATE' THEN OLD END; END $$;
    CREATE TRIGGER stay_followed BEFORE UPDATE ON campaign_heads
        FOR EACH ROW WHEN (NEW.caught_up = 0) EXECUTE FUNCTION stay_followed();
    CREATE TRIGGER stay_followed BEFORE DELETE ON stored_folds FOR EACH ROW EXECUTE FUNCTION stay_followed();
    CREATE TRIGGER stay_followed BEFORE DELETE ON view_segments FOR EACH ROW EXECUTE FUNCTION stay_followed();
"""
"""Views are stored as soon as they were invalidated, as if a worker had been quicker than whoever did that."""


@pytest.mark.slow
def test_a_campaign_that_a_worker_rebuilds_first_is_still_one_that_exists(database, followed, tmp_path):
    with api(followed.url) as seat:
        assert rebuild(tmp_path, followed.url)[0] == 0
        with psycopg.connect(database.owner, autocommit=True) as owner:
            owner.execute(FOLLOWED_AT_ONCE)
        code, said = rebuild(tmp_path, followed.url, seat.campaign_id)
        assert code == 0, said
        assert f"1 campaign rebuilt from {seat.seq()} events" in said


@pytest.mark.parametrize("campaign", ["nonsense", str(UUID(int=0))])
def test_rebuilding_what_is_no_campaign_is_refused(followed, tmp_path, campaign):
    code, said = rebuild(tmp_path, followed.url, campaign)
    assert code == 2
    assert "campaign" in said
    assert "Traceback" not in said
