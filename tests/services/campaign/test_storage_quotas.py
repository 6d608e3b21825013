"""What a campaign and an account may take: warnings at 80 %, refusals when it is full, and what goes on anyway."""

from contextlib import contextmanager
from uuid import UUID

import psycopg
import pytest
from litestar.testing import TestClient

from domain.ids import CampaignId
from services.settings import Settings
from services.workers.projector import Projector
from tests.applications import an_application
from tests.engines import DICE_KEY
from tests.services.conftest import NO_RATES, PASSWORD, Table, table_at
from tests.web.browser import Browser

MIB = 2**20


@contextmanager
def service(database, **settings):
    made = Settings(database_url=database.service, dice_key=DICE_KEY, password_kib=64, **NO_RATES, **settings)
    with an_application(made) as app, TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def client(database):
    with service(database, campaign_bytes_max=10 * MIB, account_bytes_max=20 * MIB) as client:
        yield client


@pytest.fixture
def table(client):
    return table_at(client)


def takes(client, database, table, size):
    """The campaign takes so many bytes, and the process has looked."""
    with psycopg.connect(database.owner) as owner:
        owner.execute("UPDATE campaign_heads SET bytes = %s WHERE campaign_id = %s", [size, table.campaign_id])
    with client.portal() as portal:
        portal.call(client.app.state.application.quotas.look)


def warning_in(table, who):
    room = who.get(table.path).json()["storage"]
    return None if room is None else room["warning"]


def test_gms_are_warned_from_four_fifths_on(client, database, table):
    takes(client, database, table, 8 * MIB - 1)
    assert warning_in(table, table.gm) is None
    takes(client, database, table, 8 * MIB)
    assert warning_in(table, table.gm).startswith("This campaign takes 8 of 10 MiB. When that is full")
    assert warning_in(table, table.player) is None, "who can do nothing about it"
    home = f"/c/{table.campaign_id}"
    assert "This campaign takes 8 of 10 MiB." in Browser(client).sign_in("Ana").page(home).text
    assert "Cette campagne occupe 8 sur 10 Mio" in Browser(client, "fr").sign_in("Ana").page(home).text
    assert "10 MiB" not in Browser(client).sign_in("Mara").page(home).text
    table.act(table.gm, "campaign.add_note", text="x")


def test_a_full_campaign_refuses_new_actions_and_nothing_else(client, database, table):
    noted = table.act(table.gm, "campaign.add_note", text="x", headers={"Idempotency-Key": "once"})
    takes(client, database, table, 10 * MIB)
    assert table.refused(table.gm, "campaign.add_note", text="y") == (409, "campaign_full")
    assert table.refused(table.player, "campaign.roll", notation="d6") == (409, "campaign_full")
    again = table.act(table.gm, "campaign.add_note", text="x", headers={"Idempotency-Key": "once"})
    assert again == noted, "a repetition is told the first answer"
    assert "new actions are refused" in warning_in(table, table.gm)
    undo = f"{table.path}/actions/{noted['action_id']}"
    assert table.gm.post(f"{undo}/undo", {}).status_code == 201
    assert table.gm.post(f"{undo}/redo", {}).status_code == 201
    assert table.gm.get(f"{table.path}/export").status_code == 200
    assert table.gm.send("DELETE", f"{undo}/texts").status_code in (200, 204)
    assert table.gm.post(f"{table.path}/archive").status_code == 200
    assert table.gm.post(f"{table.path}/unarchive").status_code == 200
    assert table.player.send("DELETE", f"{table.path}/members/{table.player.account_id}").status_code == 204
    assert table.gm.send("DELETE", table.path, json={"name": "Iron Rain"}).status_code == 200


def test_timers_of_a_full_campaign_fire(client, database, table):
    table.act(table.gm, "campaign.schedule_timer", title="Rent", after={"hours": 1})
    takes(client, database, table, 10 * MIB)
    application, campaign = client.app.state.application, CampaignId(UUID(table.campaign_id))
    with client.portal() as portal:
        portal.call(application.handler.run_due, campaign, 0, [])


def test_who_leads_what_takes_all_room_founds_nothing_more(client, database, table):
    takes(client, database, table, 16 * MIB)
    me = table.gm.get("/accounts/me").json()
    assert (me["storage"]["bytes"], me["storage"]["bytes_max"]) == (16 * MIB, 20 * MIB)
    assert "When that is full, no other can be added, and those" in me["storage"]["warning"]
    assert "16 of 20 MiB" in Browser(client).sign_in("Ana").page("/account").text
    another = {"name": "Salt", "systems": ["angst"]}
    assert table.gm.post("/campaigns", another).status_code == 201
    takes(client, database, table, 20 * MIB)
    refused = table.gm.post("/campaigns", another)
    assert (refused.status_code, refused.json()["code"]) == (422, "account_full")
    assert table.player.post("/campaigns", another).status_code == 201
    assert table.player.get("/accounts/me").json()["storage"]["warning"] is None


def test_a_campaign_that_only_full_accounts_lead_takes_no_new_actions(client, database, table):
    noted = table.act(table.gm, "campaign.add_note", text="x")
    founded = [
        table.gm.post("/campaigns", {"name": name, "systems": ["angst"]}).json()["campaign_id"]
        for name in ("Salt", "Rust")
    ]
    salt, rust = (Table(table.gm, table.gm, each) for each in founded)
    takes(client, database, table, 9 * MIB)
    takes(client, database, salt, 9 * MIB)
    table.act(table.gm, "campaign.add_note", text="18 of 20")
    takes(client, database, rust, 2 * MIB)
    assert table.refused(table.gm, "campaign.add_note", text="y") == (409, "campaign_full")
    assert table.refused(table.player, "campaign.roll", notation="d6") == (409, "campaign_full")
    told = warning_in(rust, rust.gm)
    assert told.startswith("The campaigns that you lead take 20 of 20 MiB, all that they may: new actions are")
    assert table.gm.post(f"{table.path}/actions/{noted['action_id']}/undo", {}).status_code == 201
    assert table.gm.get(f"{table.path}/export").status_code == 200
    member = f"{table.path}/members/{table.player.account_id}"
    assert table.gm.send("PATCH", member, json={"role": "gm"}).status_code == 200
    takes(client, database, table, 9 * MIB)
    table.act(table.gm, "campaign.add_note", text="another GM has room for it")
    assert rust.refused(rust.gm, "campaign.add_note", text="y") == (409, "campaign_full")


def test_what_is_offered_and_tried_says_that_a_campaign_is_full(client, database, table):
    def offered(command):
        commands = table.gm.get(f"{table.path}/commands?all=true").json()["commands"]
        [found] = [each for each in commands if each["command"] == command]
        return found["possible"], found["refused"] and found["refused"]["code"]

    def tried():
        note = {"command": {"type": "campaign.add_note", "text": "x"}}
        return table.gm.post(f"{table.path}/actions?dry_run=true", note).json()

    assert offered("campaign.add_note")[1] is None
    assert tried()["possible"]
    takes(client, database, table, 10 * MIB)
    assert offered("campaign.add_note") == ("no", "campaign_full")
    assert offered("campaign.end_dice_epoch")[1] is None
    assert (tried()["possible"], tried()["refused"]["code"]) == (False, "campaign_full")
    takes(client, database, table, 1)
    assert offered("campaign.add_note")[1] is None


def test_storing_views_measures_a_campaign(client, table):
    application, campaign = client.app.state.application, CampaignId(UUID(table.campaign_id))
    with client.portal() as portal:
        portal.call(Projector(application.log, application.views, application.handler).campaign, campaign)
    assert 1_000 < table.gm.get("/accounts/me").json()["storage"]["bytes"] < 10_000


def test_without_quotas_nobody_is_refused(database):
    with service(database, campaign_bytes_max=0, account_bytes_max=0) as client:
        table = table_at(client)
        takes(client, database, table, 2**40)
        table.act(table.gm, "campaign.add_note", text="x")
        assert table.gm.post("/campaigns", {"name": "Salt", "systems": ["angst"]}).status_code == 201
        assert warning_in(table, table.gm) is None
        assert client.post("/api/tokens", json={"name": "Ana", "password": PASSWORD}).status_code == 201
