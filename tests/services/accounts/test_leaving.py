"""Accounts that are deleted: days of grace, then gone from everywhere but the log's ids."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

import services.accounts.erase_account
import services.campaign.name_resolver
import services.workers.erasure_worker
from domain.event_store_types import DatabaseUnavailable
from infra.postgres.event_store import PostgresEventStore
from services.settings import Settings
from services.wiring.application import open_application
from services.workers.erasure_worker import ErasureWorker
from tests.engines import DICE_KEY, DatabaseUrls
from tests.services.confession import WORD, WORDS, Confession, saying, tables_with
from tests.services.conftest import NO_RATES, PASSWORD, Person, Table, table_at
from tests.services.live_api import Api, api, eventually
from tests.services.processes import running as program

NAME = "Zoë Ysengrin"
KEY = {"Idempotency-Key": "first"}


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for what other processes may still believe."""
    monkeypatch.setattr(services.accounts.erase_account, "SETTLE_SECONDS", 0)
    monkeypatch.setattr(services.campaign.name_resolver, "NAME_SECONDS_MAX", 0.0)


@pytest.fixture
def running(database: DatabaseUrls) -> Iterator[Api]:
    with api(database.service, rates={**NO_RATES, "account_grace_days": 0}) as one:
        yield one


def work(database: DatabaseUrls, times: int | None = None) -> None:
    """A worker does all there is to erase, or so much of it."""

    async def until_done() -> None:
        settings = Settings(database_url=database.service, dice_key=DICE_KEY, password_kib=64)
        async with open_application(settings) as application:
            erasing = ErasureWorker(application)
            done = 0
            while done != times and await erasing.once():
                done += 1

    asyncio.run(until_done())


def leave(person: Person, *, erase_texts: bool = False, password: str = PASSWORD) -> Any:
    body = {"password": password, "erase_texts": erase_texts}
    return person.send("DELETE", "/accounts/me", json=body)


def sign_in(person: Person) -> int:
    """Try to; the status."""
    answer = person.client.post("/api/tokens", json={"name": person.name, "password": PASSWORD})
    if answer.status_code == 201:
        person.headers = {"Authorization": f"Bearer {answer.json()['token']}"}
    status: int = answer.status_code
    return status


def seat(running: Api) -> Table:
    """Ana's campaign, in which Zoë plays."""
    table = table_at(running.client, "Ana", NAME)
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Ines")
    return table


def test_a_deleted_account_has_days_of_grace_in_which_it_can_be_kept(client):
    zoe = Person(client, NAME)
    assert zoe.get("/accounts/me").json()["leaving"] is None
    refused = leave(zoe, password="something else")
    assert (refused.status_code, refused.json()["code"]) == (401, "wrong_name_or_password")
    assert zoe.post("/accounts/me/keep").json()["code"] == "not_leaving"
    deleted = leave(zoe, erase_texts=True)
    assert deleted.status_code == 202, deleted.text
    assert zoe.get("/accounts/me").status_code == 401
    assert sign_in(zoe) == 201
    assert zoe.get("/accounts/me").json()["leaving"] == deleted.json()
    assert deleted.json()["erase_texts"] is True
    assert zoe.post("/accounts/me/keep").status_code == 204
    assert zoe.get("/accounts/me").json()["leaving"] is None


def test_who_leads_others_alone_is_told_which_campaigns_to_hand_over(table):
    refused = leave(table.gm)
    assert (refused.status_code, refused.json()["code"]) == (409, "last_gm")
    led = [{"campaign_id": table.campaign_id, "name": "Iron Rain"}]
    assert refused.json()["details"]["campaigns"] == led
    assert table.gm.get("/accounts/me").status_code == 200
    handed = table.gm.post(f"{table.path}/handover", {"account": table.player.account_id})
    assert handed.status_code < 300, handed.text
    assert leave(table.gm).status_code == 202


def test_a_gone_account_is_a_former_member_and_its_name_is_free(running, database):
    table = seat(running)
    zoe, ana = table.player, table.gm
    note = {"command": {"type": "campaign.add_note", "text": "mine"}}
    zoe.post(f"{table.path}/actions", note, headers=KEY)
    roll = {"command": {"type": "campaign.start_session"}}
    told = ana.post(f"{table.path}/actions", roll, headers=KEY)
    assert NAME in told.text
    fork = ana.post(f"{table.path}/fork", {}).json()["campaign_id"]
    assert tables_with(database, fork, NAME)
    assert leave(zoe).status_code == 202
    work(database)
    for campaign_id in (table.campaign_id, fork):
        assert tables_with(database, campaign_id, NAME, NAME.casefold()) == []
        read = [
            ana.get(f"/campaigns/{campaign_id}{page}").text
            for page in ("", "/actions", "/members", "/recap", "/sheets", "/export", "/statistics")
        ]
        assert NAME not in "".join(read)
    chronicle = ana.get(f"{table.path}/actions").json()["actions"]
    assert "a former member left the campaign" in [line for each in chronicle for line in each["summary"]]
    noted = next(each for each in chronicle if each["summary"] == ["Note: mine"])
    assert (noted["actor"], noted["actor_name"]) == (zoe.account_id, "a former member")
    again = ana.post(f"{table.path}/actions", roll, headers=KEY)
    assert (again.status_code, NAME in again.text, "a former member" in again.text) == (201, False, True)
    assert [each["account"] for each in ana.get(f"{table.path}/members").json()["members"]] == [ana.account_id]
    assert ana.get(f"{table.path}/verify").json()["sound"] is True
    assert ana.send("DELETE", f"{table.path}/actions/{noted['action_id']}/texts").json()["texts"] == 1
    assert sign_in(zoe) == 401
    other = Person(running.client, NAME)
    assert other.account_id != zoe.account_id
    assert other.get("/campaigns").json()["campaigns"] == []
    chronicle = ana.get(f"{table.path}/actions").json()["actions"]
    assert next(each["actor_name"] for each in chronicle if each["actor"] == zoe.account_id) == "a former member"


def keep_dice(person: Person, path: str) -> None:
    """Save dice by a name that nobody else reads."""
    assert person.post(f"{path}/dice/saved", {"name": WORDS, "notation": "d6"}).status_code == 200


def test_its_words_go_with_it_if_it_asks_so_and_stay_otherwise(running, database):
    table = Confession(running)
    keep_dice(table.player, table.path)
    assert leave(table.player, erase_texts=True).status_code == 202
    work(database)
    left = table.gm.get(f"{table.path}/export").text
    assert WORD in left  # what Ana wrote
    for who, action_id in table.wrote:
        if who is table.gm:
            table.erase(table.gm, action_id)
    assert WORD not in table.gm.get(f"{table.path}/export").text
    assert tables_with(database, table.campaign_id, WORD) == []
    assert table.gm.get(f"{table.path}/verify").json()["sound"] is True


def test_all_words_of_an_account_go_from_every_campaign_and_fork_and_the_account_stays(running, database):
    table = Confession(running)
    zoe, ana = table.gm, table.player
    other = zoe.post("/campaigns", {"name": "Another", "systems": ["frame_state"]}).json()["campaign_id"]
    zoe.post(f"/campaigns/{other}/actions", {"command": {"type": "campaign.add_note", "text": WORDS}})
    fork = zoe.post(f"/campaigns/{other}/fork", {}).json()["campaign_id"]
    keep_dice(zoe, f"/campaigns/{other}")
    assert "campaign_members" in tables_with(database, other, WORD)
    asked = zoe.send("DELETE", "/accounts/me/texts")
    assert (asked.status_code, asked.json()["texts"]) == (202, 0)
    assert zoe.get("/accounts/me").json()["erasing"] is not None
    work(database)
    assert zoe.get("/accounts/me").json()["erasing"] is None
    assert tables_with(database, other, WORD) == tables_with(database, fork, WORD) == []
    erased = [
        each["summary"]
        for each in ana.get(f"{table.path}/actions", params={"type": "campaign.erase_texts"}).json()["actions"]
    ]
    assert erased == [[f"4 texts of {zoe.name} were erased"]]
    assert WORD in ana.get(f"{table.path}/export").text
    assert ana.send("DELETE", "/accounts/me/texts").status_code == 202
    work(database)
    assert tables_with(database, table.campaign_id, WORD) == []
    assert saying({"export": ana.get(f"{table.path}/export").text}) == []


def test_who_became_the_last_gm_meanwhile_leaves_the_campaign_to_who_has_been_there_longest(running, database):
    table = seat(running)
    zoe, ana = table.player, table.gm
    watcher = Person(running.client, "Olaf")
    code = ana.post(f"{table.path}/invites", {"role": "observer"}).json()["code"]
    assert watcher.post(f"/invites/{code}/accept").status_code == 201
    assert leave(zoe).status_code == 202
    assert sign_in(zoe) == 201
    ana.send("PATCH", f"{table.path}/members/{zoe.account_id}", json={"role": "gm"})
    ana.send("PATCH", f"{table.path}/members/{ana.account_id}", json={"role": "player"})
    work(database)
    members = ana.get(f"{table.path}/members").json()["members"]
    assert [(each["name"], each["role"]) for each in members] == [("Ana", "gm"), ("Olaf", "observer")]


def test_a_campaign_that_rests_or_has_nobody_else_is_left_too(running, database):
    zoe = Person(running.client, NAME)
    alone = zoe.post("/campaigns", {"name": "Alone", "systems": ["frame_state"]}).json()["campaign_id"]
    table = seat_of(running, zoe)
    assert table.gm.post(f"{table.path}/archive").status_code < 300
    assert leave(zoe).status_code == 202
    work(database)
    assert [each["name"] for each in table.gm.get(f"{table.path}/members").json()["members"]] == ["Ana"]
    assert tables_with(database, alone, NAME) == []


def seat_of(running: Api, player: Person) -> Table:
    gm = Person(running.client, "Ana")
    founded = gm.post("/campaigns", {"name": "Iron Rain", "systems": ["frame_state"]}).json()
    table = Table(gm, player, founded["campaign_id"])
    code = gm.post(f"{table.path}/invites", {"role": "player"}).json()["code"]
    assert player.post(f"/invites/{code}/accept").status_code == 201
    return table


def test_a_worker_that_dies_anywhere_leaves_the_rest_to_another(running, database, monkeypatch):
    """Each step in turn is the last one that a worker does."""
    table = Confession(running)
    zoe, ana = table.player, table.gm
    assert leave(zoe, erase_texts=True).status_code == 202
    monkeypatch.setattr(services.workers.erasure_worker, "LEASE_SECONDS", 0)
    monkeypatch.setattr(services.accounts.erase_account, "LEASE_SECONDS", 0)
    died = 0
    for method in (
        "campaigns_of",
        "events_with_texts",
        "tail",
        "forget_answers",
        "answers_saying",
        "events_with_texts",
    ):
        with monkeypatch.context() as patch:

            async def die(*_: Any, **__: Any) -> Any:
                raise DatabaseUnavailable("killed")

            patch.setattr(PostgresEventStore, method, die)
            with pytest.raises(DatabaseUnavailable):
                work(database)
            died += 1
    assert died == 6
    work(database)
    left = ana.get(f"{table.path}/events", params={"limit": 500}).json()["events"]
    assert [each["account"] for each in left if each["type"] == "campaign.member_left"] == [zoe.account_id]
    erased = [each for each in left if each["type"] == "campaign.texts_erased"]
    assert len({seq for each in erased for seq in each["seqs"]}) == sum(len(each["seqs"]) for each in erased)
    assert WORD not in "".join(json.dumps(each) for each in left if each["recorded"]["actor"] == zoe.account_id)


def test_a_campaign_that_was_deleted_meanwhile_loses_their_words_when_it_is_restored(
    running, database, monkeypatch
):
    monkeypatch.setattr(services.accounts.erase_account, "LOOK_AGAIN_SECONDS", 0)
    table = Confession(running)
    zoe, ana = table.player, table.gm
    name = ana.get(table.path).json()["name"]
    assert ana.send("DELETE", table.path, json={"name": name}).status_code == 200
    assert leave(zoe, erase_texts=True).status_code == 202
    work(database, times=4)
    assert erasures_left(database) == 1, "it waits for the deleted campaign"
    assert ana.post(f"{table.path}/restore").status_code == 200
    work(database)
    assert erasures_left(database) == 0
    left = ana.get(f"{table.path}/events", params={"limit": 500}).json()["events"]
    assert [each["account"] for each in left if each["type"] == "campaign.member_left"] == [zoe.account_id]
    assert WORD not in "".join(json.dumps(each) for each in left if each["recorded"]["actor"] == zoe.account_id)
    assert ana.get(f"{table.path}/verify").json()["sound"] is True


def erasures_left(database: DatabaseUrls) -> int:
    with psycopg.connect(database.owner) as owner:
        [[left]] = owner.execute("SELECT count(*) FROM account_erasures").fetchall()
    return int(left)


def test_nothing_is_sent_to_the_webhooks_of_an_account_from_when_it_is_gone(running, database):
    table = seat(running)
    member = f"{table.path}/members/{table.player.account_id}"
    assert table.gm.send("PATCH", member, json={"role": "gm"}).status_code == 200
    for person in (table.gm, table.player):
        body = {"url": "https://example.org/hook", "kinds": ["actions"]}
        assert person.post(f"{table.path}/webhooks", body).status_code == 201
    assert leave(table.player).status_code == 202
    work(database, 1)
    with psycopg.connect(database.owner) as owner:
        rows = owner.execute("SELECT fault FROM webhooks WHERE parked_at IS NOT NULL").fetchall()
    assert rows == [("maker_left",)], "no worker had to look at it, and the other one goes on"


@pytest.mark.slow
def test_workers_that_are_killed_again_and_again_erase_everything_once(database, tmp_path):
    """kill -9, at a moment that nobody chose; what the next worker claims was the dead one's for a minute."""
    with api(database.service, rates={**NO_RATES, "account_grace_days": 0}) as one:
        gm, zoe = Person(one.client, "Ana"), Person(one.client, NAME)
        campaigns = []
        for nth in range(30):
            founded = gm.post("/campaigns", {"name": f"Ebb {nth}", "systems": ["frame_state"]}).json()
            campaigns.append(Table(gm, zoe, founded["campaign_id"]))
            code = gm.post(f"{campaigns[-1].path}/invites", {}).json()["code"]
            assert zoe.post(f"/invites/{code}/accept").status_code == 201
            campaigns[-1].act(zoe, "campaign.add_note", text=WORDS)
        assert leave(zoe, erase_texts=True).status_code == 202
        settings = {"database_url": database.service, "home": str(tmp_path), "dice_key": DICE_KEY}
        with psycopg.connect(database.owner, autocommit=True) as owner:
            left = "SELECT count(*) FROM account_erasures"
            for nth in range(40):
                with program(tmp_path, "worker", "--queues", "erasing", **settings) as worker:
                    eventually(lambda: worker.has_said("worker_ready"))
                    eventually(lambda: owner.execute(left).fetchone() == (0,), 0.4 + nth / 10)
                owner.execute("UPDATE account_erasures SET claimed_until = NULL")
                if owner.execute(left).fetchone() == (0,):
                    break
            assert owner.execute(left).fetchone() == (0,)
        for table in campaigns:
            events = gm.get(f"{table.path}/events", params={"limit": 500}).json()["events"]
            kinds = [event["type"] for event in events]
            assert (kinds.count("campaign.member_left"), kinds.count("campaign.texts_erased")) == (1, 1)
            assert tables_with(database, table.campaign_id, NAME, WORD) == []
            assert gm.get(f"{table.path}/verify").json()["sound"] is True


def test_a_former_member_who_has_an_account_keeps_their_name_in_every_process(running, database):
    table = seat(running)
    assert table.player.send("DELETE", f"{table.path}/members/{table.player.account_id}").status_code == 204
    with api(database.service) as fresh:
        answer = fresh.client.get(f"/api{table.path}/actions", headers=table.gm.headers).json()
    assert answer["actions"][-1]["summary"] == [f"{NAME} left the campaign"]


def test_it_is_told_in_french_where_the_group_plays_in_french(running, database):
    table = Confession(running, "fr")
    assert leave(table.player).status_code == 202
    work(database)
    told = table.gm.get(f"{table.path}/actions").json()["actions"]
    assert told[-1]["summary"][-1].casefold().startswith("un ancien membre")
