"""`fieldlog account` and `fieldlog audit`, beside a running service."""

from uuid import UUID

import pytest

from services.cli.errors import EXIT_BAD_SETTING, EXIT_FAILED
from tests.services.conftest import PASSWORD, Person, table_at
from tests.services.verify_command import cli, told_by
from tests.web.browser import Browser

UNKNOWN = "00000000-0000-4000-8000-000000000000"


def did(database, *command):
    """What a command says that does what it is asked for."""
    ran = cli(database, *command)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_a_link_to_a_new_password_is_of_the_address_that_people_use(client, database):
    ana = Person(client, "Ana")
    link = told_by(database, "account", "reset-password", ana.account_id, "--address", "https://fieldlog.example/")
    assert link["link"].startswith("https://fieldlog.example/reset-password/")
    assert link["account_id"] == ana.account_id
    named = cli(database, "account", "reset-password", "Ana", origins="http://table.lan:8420")
    assert "\nhttp://table.lan:8420/reset-password/" in named.stdout
    below = cli(database, "account", "reset-password", "Ana", origins="http://table.lan", base_path="/games")
    assert "\nhttp://table.lan/games/reset-password/" in below.stdout


def test_what_a_host_says_wrongly_is_named(client, database):
    Person(client, "Ana")
    for command, said in (
        (("account", "reset-password", "Noor"), "There is no account 'Noor'."),
        (("account", "reset-password", "Ana", "--hours", "0"), "--hours must be from 1 to 720, not 0."),
        (("account", "reset-password", "Ana", "--address", "here"), "'here' is no address such as"),
        (("account", "disable", "Noor"), "There is no account 'Noor'."),
        (("campaign", "archive", "x"), "'x' is no campaign's id."),
        (("campaign", "delete", UNKNOWN), f"There is no campaign {UNKNOWN}."),
        (("campaign", "restore", UNKNOWN), f"There is no deleted campaign {UNKNOWN}."),
        (("audit", "--limit", "501"), "Must be <= 500"),
        (("audit", "--before", "yesterday"), "'yesterday' is no host action's id."),
    ):
        ran = cli(database, *command)
        assert (ran.returncode, said in " ".join(ran.stderr.split())) == (EXIT_BAD_SETTING, True), ran.stderr
        assert "Traceback" not in ran.stderr


def test_what_hosts_did_is_listed_the_last_first(client, database):
    assert cli(database, "audit").stdout == "hosts have done nothing by the command line\n"
    ana, ben = Person(client, "Ana"), Person(client, "Ben")
    for each in (ana, ben):
        told_by(database, "account", "reset-password", each.name)
    page = told_by(database, "audit", "--limit", "1")
    [last] = page["host_actions"]
    assert (last["command"], last["account"], last["refused"]) == ("account reset-password", ben.account_id, None)
    assert "@" in last["done_by"]
    rest = told_by(database, "audit", "--before", page["next_before"])
    assert [each["account"] for each in rest["host_actions"]] == [ana.account_id]
    lines = cli(database, "audit").stdout.splitlines()
    assert [line.rpartition("  ")[2] for line in lines] == [
        "account reset-password Ben",
        "account reset-password Ana",
    ]


@pytest.fixture
def table(client):
    return table_at(client)


def test_a_disabled_account_is_refused_everywhere_until_it_is_enabled(client, database, table):
    mara = table.player
    signed_in, other = Browser(client).sign_in("Mara"), Browser(client, "fr")
    assert did(database, "account", "disable", "mara") == "Mara is disabled\n"
    assert did(database, "account", "disable", "Mara") == "Mara is disabled already\n"
    client.app.state.application.people.forget_tokens_of(UUID(mara.account_id))  # what a second does
    for answer in (mara.get("/accounts/me"), table.try_to(mara, "campaign.add_note", text="x")):
        assert (answer.status_code, answer.json()["code"]) == (403, "account_disabled")
    assert signed_in.api("GET", "/accounts/me").json()["code"] == "account_disabled"
    page = signed_in.get("/account")
    assert (page.status_code, "This account is disabled" in page.text) == (403, True)
    assert signed_in.page("/").one("h1").text == "A logbook for long campaigns"
    assert "Ce compte est désactivé" in other.post("/sign-in", name="Mara", password=PASSWORD).text
    assert "ne vont pas ensemble" in other.post("/sign-in", name="Mara", password="not this one").text
    refused = client.post("/api/tokens", json={"name": "Mara", "password": PASSWORD})
    assert (refused.status_code, refused.json()["code"]) == (403, "account_disabled")
    assert signed_in.post("/sign-in", name="Ana", password=PASSWORD).status_code == 200
    assert signed_in.page("/").one("h1").text == "Your campaigns"
    assert table.gm.get("/accounts/me").status_code == 200
    assert did(database, "account", "enable", "Mara") == "Mara is enabled\n"
    assert mara.get("/accounts/me").status_code == 200


def test_accounts_are_listed_page_by_page_and_found(client, database, table):
    page = told_by(database, "account", "list", "--limit", "1")
    assert [each["name"] for each in page["accounts"]] == ["Ana"]
    rest = told_by(database, "account", "list", "--after", page["next_after"])
    assert ([each["name"] for each in rest["accounts"]], rest["next_after"]) == (["Mara"], None)
    did(database, "account", "disable", table.player.account_id)
    assert [each["name"] for each in told_by(database, "account", "list", "--disabled")["accounts"]] == ["Mara"]
    [line] = did(database, "account", "list", "--find", "AR").splitlines()
    assert line.startswith(table.player.account_id)
    assert line.endswith("in 1 campaign  Mara, disabled")
    assert did(database, "account", "list", "--find", "zz") == "there are no such accounts\n"


def test_an_account_that_is_not_made_is_noted_as_every_other_refusal(client, database, table):
    refused = cli(database, "account", "create", "ana")
    assert (refused.returncode, "(name_taken)" in refused.stderr) == (EXIT_FAILED, True)
    noted = told_by(database, "audit")["host_actions"]
    assert [(each["command"], each["account"], each["refused"]) for each in noted] == [
        ("account create", None, "name_taken"),
        ("account create", None, None),
    ]


def test_an_account_is_deleted_after_its_grace_unless_it_is_kept(client, database, table):
    refused = cli(database, "account", "delete", "Ana")
    assert refused.returncode == EXIT_FAILED
    assert refused.stdout == f"{table.campaign_id}  Iron Rain\n"
    assert "(last_gm)" in refused.stderr
    assert "is disabled, and will be erased on 2" in did(database, "account", "delete", "Ana", "--hand-on")
    assert client.post("/api/tokens", json={"name": "Ana", "password": PASSWORD}).status_code == 403
    assert ", will be erased on 2" in did(database, "account", "list", "--find", "ana")
    assert did(database, "account", "keep", "Ana") == "Ana stays\n"
    assert cli(database, "account", "keep", "Ana").stderr == "fieldlog: Ana is not going to be deleted.\n"
    assert client.post("/api/tokens", json={"name": "Ana", "password": PASSWORD}).status_code == 201
    noted = told_by(database, "audit")["host_actions"]
    assert [(each["command"], each["refused"]) for each in noted] == [
        ("account keep", None),
        ("account keep", None),
        ("account delete", None),
        ("account delete", "last_gm"),
        ("account delete", None),
    ]


def test_campaigns_are_listed_archived_deleted_and_restored(client, database, table):
    ben = Person(client, "Ben")
    salt = ben.post("/campaigns", {"name": "Salt", "systems": ["angst"]}).json()["campaign_id"]
    [found] = told_by(database, "campaign", "list", "--find", "IRON")["campaigns"]
    assert (found["campaign_id"], found["gms"], found["members"]) == (table.campaign_id, ["Ana"], 2)
    [theirs] = told_by(database, "campaign", "list", "--member", "Ben")["campaigns"]
    assert (theirs["campaign_id"], theirs["name"], theirs["systems"]) == (salt, "Salt", ["angst"])
    first = told_by(database, "campaign", "list", "--limit", "1")
    rest = told_by(database, "campaign", "list", "--after", first["next_after"])
    assert {first["campaigns"][0]["name"], rest["campaigns"][0]["name"]} == {"Salt", "Iron Rain"}
    assert rest["next_after"] is None
    assert did(database, "campaign", "archive", table.campaign_id) == f"{table.campaign_id} is archived\n"
    assert table.refused(table.gm, "campaign.add_note", text="x") == (409, "campaign_archived")
    assert ", archived" in did(database, "campaign", "list", "--find", "rain")
    did(database, "campaign", "unarchive", table.campaign_id)
    table.act(table.gm, "campaign.add_note", text="x")
    assert "“Iron Rain” is deleted" in did(database, "campaign", "delete", table.campaign_id)
    assert table.gm.get(table.path).status_code == 404
    [gone] = table.gm.get("/campaigns/deleted").json()["campaigns"]
    assert (gone["name"], gone["deleted_by"]) == ("Iron Rain", "the host of this service")
    assert "deleted, can be restored until 2" in did(database, "campaign", "list", "--deleted")
    did(database, "campaign", "restore", table.campaign_id)
    assert table.gm.get(table.path).status_code == 200
    assert told_by(database, "campaign", "list", "--deleted")["campaigns"] == []


def test_an_export_by_the_host_is_noted(client, database, table, tmp_path):
    for nth, command in enumerate((["export"], ["campaign", "export"])):
        did(database, *command, table.campaign_id, "--out", str(tmp_path / str(nth)))
    assert (tmp_path / "0").read_bytes().splitlines()[1:3] == (tmp_path / "1").read_bytes().splitlines()[1:3]
    noted = told_by(database, "audit")["host_actions"]
    assert [(each["command"], each["campaign"]) for each in noted] == [("campaign export", table.campaign_id)] * 2
