"""A password that is among the first that people try is refused, wherever one is chosen."""

import pytest

from domain.rejection import Rejection
from services.accounts.password_strength import require_hard_to_guess
from tests.services.conftest import PASSWORD, Person
from tests.services.verify_command import cli
from tests.web.browser import Browser, errors_of
from tests.web.html_page import page_of
from tests.web.reset_links import reset_link

CODE = "password_easily_guessed"


@pytest.mark.parametrize(
    "password",
    [
        "password",
        "P@ssw0rd1",
        "        ",
        "12345678",
        "azertyuiop",
        "motdepasse",
        "iloveyou2",
        "fieldlog",
        "a" * 200,
    ],
)
def test_what_everybody_tries_is_refused(password):
    with pytest.raises(Rejection, match="among the first"):
        require_hard_to_guess(password, "Ana")


@pytest.mark.parametrize("password", ["Kestrel-Wyn", "kestrelwyn", "lertsekwyn"])
def test_a_persons_own_name_is_tried_first(password):
    require_hard_to_guess(password, "Ana")
    with pytest.raises(Rejection, match="among the first"):
        require_hard_to_guess(password, "Kestrel-Wyn")


@pytest.mark.parametrize(
    "password", [PASSWORD, "ptxvbqmw", "a" * 30 + "ptxvbqmw", "ptxvbqmw" + "a" * 190, "un été à Sète"]
)
def test_what_nobody_would_try_soon_is_taken(password):
    """Negative control; a hard end is enough."""
    require_hard_to_guess(password, "Ana")


def test_a_new_account_needs_a_password_that_is_not_easily_guessed(client):
    refusal = client.post("/api/accounts", json={"name": "Ana", "password": "password1"})
    assert (refusal.status_code, refusal.json()["code"]) == (422, CODE)
    assert refusal.json()["details"] == {"tries": 1000}
    assert "among the first 1,000 that" in refusal.json()["detail"]
    french = client.post(
        "/api/accounts", json={"name": "Ana", "password": "password1"}, headers={"Accept-Language": "fr"}
    )
    assert "parmi les 1\u202f000 premiers" in french.json()["detail"]
    Person(client, "Ana")  # the name is still free


def test_a_changed_password_is_not_easily_guessed(client):
    ana = Person(client, "Anastasia")
    new = {"password": PASSWORD, "new_password": "anastasia1"}
    refusal = ana.send("PUT", "/accounts/me/password", json=new)
    assert (refusal.status_code, refusal.json()["code"]) == (422, CODE)
    assert Browser(client).sign_in("Anastasia").page("/").one("h1").text == "Your campaigns"


def test_pages_say_beside_the_field_that_a_password_is_easily_guessed(client, database):
    signed_up = page_of(Browser(client, "fr").post("/sign-up", name="Noor", password="password1").text)
    assert list(errors_of(signed_up)) == ["password"]
    assert errors_of(signed_up)["password"].startswith("Ce mot de passe est parmi les")
    Person(client, "Noor")
    browser = Browser(client).sign_in("Noor")
    changed = page_of(browser.post("/account/password", password=PASSWORD, new_password="noornoor").text)
    assert list(errors_of(changed)) == ["new_password"]
    link = reset_link(database, "Noor")
    answer = Browser(client).post(link, new_password="noornoor")
    assert (answer.status_code, list(errors_of(page_of(answer.text)))) == (422, ["new_password"])
    assert Browser(client).post(link, new_password="another horse").status_code == 200


def test_an_invite_is_not_used_up_by_a_password_that_is_refused(client, table):
    code = table.gm.post(f"{table.path}/invites", {"role": "player", "uses_max": 1}).json()["code"]
    page = page_of(Browser(client).post(f"/join/{code}", name="Noor", password="password1").text)
    assert list(errors_of(page)) == ["password"]
    assert "Noor" in Browser(client).post(f"/join/{code}", name="Noor", password=PASSWORD).text


def test_a_host_makes_an_account_as_before(database):
    assert cli(database, "account", "create", "Password1").returncode == 0
