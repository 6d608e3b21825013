"""Who may make an account: everybody, who has an invite to a campaign, or nobody but the host."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from litestar.testing import TestClient

from fieldlog.client import Service
from services.settings import Settings
from tests.applications import an_application
from tests.engines import DICE_KEY
from tests.services.conftest import NO_RATES, PASSWORD, Person
from tests.services.verify_command import cli, told_by
from tests.web.browser import Browser
from tests.web.html_page import page_of


@contextmanager
def service(database, sign_up):
    settings = Settings(
        database_url=database.service, dice_key=DICE_KEY, password_kib=64, sign_up=sign_up, **NO_RATES
    )
    with an_application(settings) as app, TestClient(app, raise_server_exceptions=False) as client:
        yield client


def code_of_an_invite(database, **limits):
    """The code of an invite that Ana made while everybody could sign up."""
    with service(database, "open") as client:
        ana = Person(client, "Ana")
        campaign = ana.post("/campaigns", {"name": "Iron Rain", "systems": ["angst"]}).json()["campaign_id"]
        return ana.post(f"/campaigns/{campaign}/invites", {"role": "player", **limits}).json()["code"]


@pytest.fixture
def code(database):
    return code_of_an_invite(database)


def tried(client, **more):
    answer = client.post("/api/accounts", json={"name": "Noor", "password": PASSWORD, **more})
    return answer.status_code, answer.json().get("code")


def test_where_an_invite_is_needed_only_a_good_one_makes_an_account(database, code):
    with service(database, "invite") as client:
        assert tried(client) == (403, "sign_up_by_invite")
        assert tried(client, invite="x" * 43) == (404, "invite_not_found")
        assert tried(client, invite="x" * 101) == (400, "malformed")
        account = Service(client).sign_up("Noor", PASSWORD, code)
        assert account.get("/campaigns")["campaigns"] == [], "an account joins nothing by itself"


def test_an_invite_for_one_account_makes_no_other(database, code):
    with service(database, "invite") as client:
        browser = Browser(client).sign_in("Ana")
        [campaign] = browser.api("GET", "/campaigns").json()["campaigns"]
        ana = browser.api("GET", "/accounts/me").json()["account_id"]
        sent = {"role": "player", "account": ana}
        own = browser.api("POST", f"/campaigns/{campaign['campaign_id']}/invites", sent).json()["code"]
        assert tried(client, invite=own) == (404, "invite_not_found")
        assert tried(client, invite=code) == (201, None)


def test_an_invite_makes_one_account_for_each_of_its_uses_which_then_joins(database):
    once = code_of_an_invite(database, uses_max=1)
    with service(database, "invite") as client:
        assert tried(client, name="Ana", invite=once) == (409, "name_taken"), "which uses nothing up"
        noor = Service(client).sign_up("Noor", PASSWORD, once)
        assert tried(client, name="Ben", invite=once) == (404, "invite_not_found")
        assert client.get(f"/api/invites/{once}").status_code == 404
        browser = Browser(client).sign_in("Noor")
        assert "Iron Rain" in browser.page(f"/join/{once}").text, "who has an account by it may still come in"
        assert noor.post(f"/invites/{once}/accept", None)["role"] == "player"
        [campaign] = noor.get("/campaigns")["campaigns"]
        ana = Browser(client).sign_in("Ana")
        [invite] = ana.api("GET", f"/campaigns/{campaign['campaign_id']}/invites").json()["invites"]
        assert (invite["uses"], invite["uses_max"]) == (1, 1)


def test_of_many_who_use_the_last_of_an_invite_at_once_one_gets_an_account(database):
    once = code_of_an_invite(database, uses_max=1)
    with service(database, "invite") as client, ThreadPoolExecutor(8) as threads:
        answers = [*threads.map(lambda nth: tried(client, name=f"Noor {nth}", invite=once), range(8))]
    assert sorted(answers) == [(201, None), *[(404, "invite_not_found")] * 7]


def test_who_opens_an_invite_makes_an_account_and_joins_where_an_invite_is_needed(database, code):
    with service(database, "invite") as client:
        browser = Browser(client)
        assert browser.page("/").all("a", href="/sign-up") == []
        assert browser.page("/sign-up").all("input", name_="password") == []
        assert "needs an invite" in browser.page("/sign-up").text
        assert browser.post("/sign-up", name="Noor", password=PASSWORD).status_code == 422
        browser.post(f"/join/{code}", name="Noor", password=PASSWORD)
        assert browser.page("/").one("h1").text == "Your campaigns"
        assert "Iron Rain" in browser.page("/").text


def test_where_sign_up_is_closed_nobody_makes_an_account_and_known_people_join(database, code):
    with service(database, "closed") as client:
        assert tried(client) == tried(client, invite=code) == (403, "sign_up_closed")
        browser = Browser(client, "fr")
        assert "créés par la personne qui tient ce service" in browser.page("/sign-up").text
        assert browser.page("/").all("a", href="/sign-up") == []
        page = browser.page(f"/join/{code}")
        assert page.one("h2").text == "Se connecter"
        assert "créés par la personne qui tient ce service" in page.text
        refused = page_of(browser.post(f"/join/{code}", name="Noor", password=PASSWORD).text)
        assert "créés par la personne qui tient ce service" in refused.one("p", role="alert").text
        link = told_by(database, "account", "create", "Noor")["link"].partition(":8420")[2]
        browser.post(link, new_password=PASSWORD)
        browser.post(f"/join/{code}", name="Noor", password=PASSWORD, known="yes")
        assert "Iron Rain" in browser.page("/").text


def test_a_host_makes_accounts_with_names_that_can_be_taken(database, code):
    taken = cli(database, "account", "create", "ANA")
    assert (taken.returncode, "(name_taken)" in taken.stderr) == (1, True)
    assert cli(database, "account", "create", "x").returncode == 2
    noted = cli(database, "audit").stdout.splitlines()
    assert [line.partition("account create")[2] for line in noted] == [", refused: name_taken", ""]
    cli(database, "account", "create", "Noor")
    assert cli(database, "audit").stdout.splitlines()[0].endswith("account create Noor")
