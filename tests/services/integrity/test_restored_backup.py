"""An old backup is put back: nobody goes on from it before it was accepted, and then with other dice."""

import subprocess
from pathlib import Path
from typing import Any

import psycopg
import pytest
from litestar.testing import TestClient

from services.campaign import rollback_detector
from services.settings import Settings
from tests.applications import an_application, service
from tests.changeable_events import let_events_be_changed
from tests.engines import DICE_KEY, DatabaseUrls
from tests.services.conftest import Person, Table
from tests.services.live_api import eventually
from tests.services.verify_command import cli, told_by

ROLL = {"command": {"type": "campaign.roll", "notation": "2d20"}}


def set_back(database: DatabaseUrls, seq: int) -> None:
    """What a restored backup does to every campaign that had come further."""
    with psycopg.connect(database.owner) as owner:
        let_events_be_changed(owner)
        owner.execute("DELETE FROM events WHERE seq > %s", [seq])
        owner.execute("DELETE FROM idempotency_keys")
        owner.execute("DELETE FROM stored_folds")
        owner.execute("DELETE FROM view_segments")
        owner.execute(
            "UPDATE campaign_heads AS head SET seq = e.seq, hash = e.hash, caught_up = 0 FROM events AS e "
            "WHERE e.campaign_id = head.campaign_id AND e.seq = %s",
            [seq],
        )


def test_a_log_that_was_set_back_waits_for_its_owner_and_gets_new_dice(database, tmp_path):
    """Invariants 8 and 20, and the fault of a restored old backup."""
    with service(database, tmp_path) as client:
        gm = Person(client, "Ana")
        campaign = gm.post("/campaigns", {"name": "Iron Rain", "systems": ["frame_state"]}).json()["campaign_id"]
        table = Table(gm, gm, campaign)
        seq = table.seq()
        lost = gm.post(f"{table.path}/actions", ROLL).json()["events"][0]["dice"]
    assert (tmp_path / "heads" / campaign).read_text().startswith(f"{seq + 1} ")
    set_back(database, seq)
    with service(database, tmp_path) as client:
        refused = client.post(f"/api{table.path}/actions", json=ROLL, headers=gm.headers)
        assert (refused.status_code, refused.json()["code"]) == (409, "log_behind_checkpoint")
        read = client.get(f"/api{table.path}", headers=gm.headers)
        assert read.status_code == 200, "what is there can be read"
    listed = accept(database, tmp_path)
    assert listed.returncode == 0, listed.stderr
    assert f"campaign {campaign}: its log ends at event {seq} (" in listed.stdout
    assert f"and was seen to reach event {seq + 1} (" in listed.stdout
    assert listed.stdout.endswith("1 wait: name one of them, or say --all\n")
    accepted = accept(database, tmp_path, campaign)
    assert accepted.returncode == 0, accepted.stderr
    assert "goes on from there, with a new dice epoch" in accepted.stdout
    [noted] = told_by(database, "audit")["host_actions"]
    assert (noted["command"], noted["campaign"], noted["refused"]) == ("accept-restore", campaign, None)
    again = accept(database, tmp_path, "--all")
    assert again.stdout == "no campaign waits: every log has all that was seen of it\n"
    with service(database, tmp_path) as client:
        answer = client.post(f"/api{table.path}/actions", json=ROLL, headers=gm.headers)
        assert answer.status_code == 201, answer.text
        dice = answer.json()["events"][0]["dice"]
        assert [die["proof"] for die in dice] == ["open:2:0", "open:2:1"]
        assert [die["proof"] for die in lost] == ["open:1:0", "open:1:1"]
        epochs = client.get(f"/api{table.path}/dice", headers=gm.headers).json()["epochs"]
        assert [(epoch["epoch"], epoch["ended"]) for epoch in epochs] == [(2, None), (1, "restored")]
        assert client.get(f"/api{table.path}/verify", headers=gm.headers).json()["sound"] is True


def test_a_log_that_another_process_went_on_with_is_no_old_backup(database, tmp_path):
    with service(database, tmp_path / "one") as one, service(database, tmp_path / "two") as two:
        gm = Person(one, "Ana")
        campaign = gm.post("/campaigns", {"name": "Iron Rain", "systems": ["frame_state"]}).json()["campaign_id"]
        for client in (two, one, two, one):
            answer = client.post(f"/api/campaigns/{campaign}/actions", json=ROLL, headers=gm.headers)
            assert answer.status_code == 201, answer.text
    with service(database, tmp_path / "one") as one:
        assert one.post(f"/api/campaigns/{campaign}/actions", json=ROLL, headers=gm.headers).status_code == 201


def played_on(client: TestClient[Any]) -> tuple[Table, int, int]:
    """A campaign's table, and where its log ended before the last roll and ends."""
    gm = Person(client, "Ana")
    campaign = gm.post("/campaigns", {"name": "Iron Rain", "systems": ["frame_state"]}).json()["campaign_id"]
    table = Table(gm, gm, campaign)
    seq = table.seq()
    assert gm.post(f"{table.path}/actions", ROLL).status_code == 201
    return table, seq, table.seq()


def answer_of(client: TestClient[Any], table: Table) -> tuple[int, str | None]:
    """The status and code with which a roll is answered."""
    answer = client.post(f"/api{table.path}/actions", json=ROLL, headers=table.gm.headers)
    return answer.status_code, answer.json().get("code")


def test_an_old_backup_is_refused_by_a_home_that_no_request_had_reached(database, tmp_path, monkeypatch):
    monkeypatch.setattr(rollback_detector, "KEEP_SECONDS", 0.05)
    one, two = tmp_path / "one", tmp_path / "two"
    with service(database, one) as first, service(database, two):
        table, before, seq = played_on(first)
        file = two / "heads" / table.campaign_id
        assert eventually(lambda: file.exists() and file.read_text().startswith(f"{seq} "))
    set_back(database, before)
    for home in (one, two):
        with service(database, home) as client:
            assert answer_of(client, table) == (409, "log_behind_checkpoint")
    assert accept(database, one, "--all").stdout.count("goes on from there") == 1
    for home in (two, one):
        with service(database, home) as client:
            assert answer_of(client, table) == (201, None), "one home accepted it for all"
    assert accept(database, two).stdout == "no campaign waits: every log has all that was seen of it\n"
    set_back(database, before)
    for home in (one, two):
        with service(database, home) as client:
            assert answer_of(client, table) == (409, "log_behind_checkpoint"), (
                "that was accepted once, not for ever"
            )


def test_a_log_that_was_set_back_goes_on_waiting_where_a_process_without_a_home_went_on_with_it(
    database, tmp_path, monkeypatch
):
    monkeypatch.setattr(rollback_detector, "KEEP_SECONDS", 0.05)
    with service(database, tmp_path) as client:
        table, before, seq = played_on(client)
    set_back(database, before)
    homeless = Settings(database_url=database.service, dice_key=DICE_KEY, password_kib=64)
    with an_application(homeless) as app, TestClient(app) as careless, service(database, tmp_path) as client:
        for _ in range(3):
            assert answer_of(careless, table) == (201, None)
        other = (
            Person(careless, "Ben")
            .post("/campaigns", {"name": "Hot Sand", "systems": ["frame_state"]})
            .json()["campaign_id"]
        )
        assert eventually((tmp_path / "heads" / other).exists), "heads are followed"
        assert answer_of(client, table) == (409, "log_behind_checkpoint")
    assert (tmp_path / "heads" / table.campaign_id).read_text().startswith(f"{seq} ")


@pytest.mark.slow
def test_a_log_that_was_not_set_back_is_left_as_it_is(database, tmp_path):
    with service(database, tmp_path) as client:
        gm = Person(client, "Ana")
        campaign = gm.post("/campaigns", {"name": "Iron Rain", "systems": ["frame_state"]}).json()["campaign_id"]
        seq = Table(gm, gm, campaign).seq()
    accepted = accept(database, tmp_path, campaign)
    assert accepted.returncode == 0, accepted.stderr
    assert accepted.stdout.endswith("the last that was seen of it: nothing to accept\n")
    with service(database, tmp_path) as client:
        assert client.get(f"/api/campaigns/{campaign}", headers=gm.headers).json()["as_of"] == seq


def test_all_that_wait_are_accepted_at_once(database, tmp_path):
    with service(database, tmp_path) as client:
        gm = Person(client, "Ana")
        founding = {"name": "Iron Rain", "systems": ["frame_state"]}
        campaigns = [gm.post("/campaigns", founding).json()["campaign_id"] for _ in range(2)]
        seq = Table(gm, gm, campaigns[0]).seq()
        for campaign in campaigns:
            gm.post(f"/campaigns/{campaign}/actions", ROLL)
    set_back(database, seq)
    assert accept(database, tmp_path, "--all").stdout.count("goes on from there") == len(campaigns)
    with service(database, tmp_path) as client:
        for campaign in campaigns:
            path = f"/api/campaigns/{campaign}/actions"
            assert client.post(path, json=ROLL, headers=gm.headers).status_code == 201


def accept(database: DatabaseUrls, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return cli(database, "accept-restore", *arguments, home=str(home))


def test_what_is_no_campaign_cannot_be_accepted(database, tmp_path):
    for wrong in ("nonsense", "00000000-0000-0000-0000-000000000000"):
        refused = accept(database, tmp_path, wrong)
        assert refused.returncode in (1, 2)
        assert refused.stderr.startswith("fieldlog: ")
