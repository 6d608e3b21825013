"""Signing up, in and out in a browser."""

from litestar.testing import TestClient

from services.settings import Settings
from tests.applications import an_application
from tests.engines import DICE_KEY
from tests.services.conftest import NO_RATES, PASSWORD, Person
from tests.web.browser import Browser, errors_of
from tests.web.html_page import page_of


def test_who_signs_up_is_signed_in_and_has_no_token_for_programs(client):
    browser = Browser(client)
    page = page_of(browser.post("/sign-up", name="Ana", password=PASSWORD).text)
    assert (browser.at, page.one("h1").text) == ("/", "Your campaigns")
    assert len(browser.page("/account").all("form", action="/sign-out")) == 1
    assert "Programs" not in browser.page("/account").text


def test_the_cookie_is_for_the_browser_alone(client):
    answer = Browser(client).send(
        "POST", "/sign-up", data={"name": "Ana", "password": PASSWORD}, headers={"Origin": str(client.base_url)}
    )
    [said] = answer.headers.get_list("set-cookie")
    assert {"httponly", "samesite=lax", "path=/"} <= {each.strip().lower() for each in said.split(";")}


def test_a_wrong_password_is_refused_and_the_name_stays(client):
    Person(client, "Ana")
    browser = Browser(client)
    answer = browser.post("/sign-in", name="Ana", password="not this one")
    page = page_of(answer.text)
    assert answer.status_code == 422
    assert page.one("p", role="alert").text == "That name and password do not go together."
    assert page.one("input", name_="name").attributes["value"] == "Ana"
    assert "value" not in page.one("input", name_="password").attributes
    assert browser.cookies == {}


def test_what_is_wrong_with_a_new_account_stands_beside_its_fields(client):
    page = page_of(Browser(client).post("/sign-up", name="x", password="short").text)
    assert errors_of(page) == {
        "name": "A name has 2 to 40 characters.",
        "password": "A password has 8 to 200 characters.",
    }
    assert page.one("input", name_="name").attributes["value"] == "x"
    assert errors_of(page_of(Browser(client, "fr").post("/sign-up", name="x").text))["name"].startswith("Un nom a")


def test_a_name_that_is_taken_is_refused_in_words(client):
    Person(client, "Ana")
    page = page_of(Browser(client, "fr").post("/sign-up", name="ana", password="another horse").text)
    assert page.one("p", role="alert").text.startswith("Une autre personne porte ce nom")


def test_a_form_to_sign_up_that_is_sent_twice_signs_in(client):
    """Without a script a second press sends it again, and its answer is the one that is read."""
    for _ in range(2):
        browser = Browser(client)
        page = page_of(browser.post("/sign-up", name="Ana", password=PASSWORD).text)
        assert (browser.at, page.one("h1").text) == ("/", "Your campaigns")
    assert len(browser.page("/account").all("form", action="/sign-out")) == 1


def test_who_signs_out_is_a_stranger_even_with_the_old_cookie(client):
    Person(client, "Ana")
    browser = Browser(client).sign_in("Ana")
    kept = dict(browser.cookies)
    assert "You are signed out." in browser.post("/sign-out").text
    assert browser.cookies == {}
    browser.cookies = kept
    assert browser.page("/").one("h1").text == "A logbook for long campaigns"


def test_a_page_for_members_asks_strangers_to_sign_in_and_then_goes_on(client):
    Person(client, "Ana")
    browser = Browser(client)
    page = page_of(browser.get("/account").text)
    assert browser.at == "/sign-in?next=/account"
    onwards = page.one("input", name_="next").attributes["value"]
    browser.post("/sign-in", name="Ana", password=PASSWORD, next=onwards)
    assert browser.at == "/account"


def test_nobody_is_sent_to_another_site_after_signing_in(client):
    Person(client, "Ana")
    for elsewhere in ("//evil.example/", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"):
        browser = Browser(client)
        page = page_of(browser.send("GET", "/sign-in", params={"next": elsewhere}).text)
        assert page.one("input", name_="next").attributes["value"] == "/"
        browser.post("/sign-in", name="Ana", password=PASSWORD, next=elsewhere)
        assert browser.at == "/"


def test_a_form_of_another_site_signs_nobody_in(client):
    Person(client, "Ana")
    browser = Browser(client)
    answer = browser.post("/sign-in", origin="https://evil.example", name="Ana", password=PASSWORD)
    assert answer.status_code == 403
    assert "nothing was done" in answer.text
    assert browser.cookies == {}
    headerless = browser.send(
        "POST", "/sign-in", data={"name": "Ana", "password": PASSWORD}, headers={"Origin": None}
    )
    assert headerless.status_code == 403


def test_who_tries_too_often_is_told_when_to_try_again(database):
    settings = Settings(
        database_url=database.service,
        dice_key=DICE_KEY,
        password_kib=64,
        **NO_RATES | {"sign_ins_per_minute": 2},
    )
    with an_application(settings) as app, TestClient(app, raise_server_exceptions=False) as client:
        browser = Browser(client, "fr")
        for _ in range(2):
            assert "ne vont pas ensemble" in browser.post("/sign-in", name="Ana", password=PASSWORD).text
        assert "est trop souvent" in browser.post("/sign-in", name="Ana", password=PASSWORD).text


def test_what_is_no_form_is_refused(client):
    browser = Browser(client)
    own = {"Origin": browser.origin}
    assert browser.send("POST", "/sign-in", json={"name": "Ana"}, headers=own).status_code == 415
    assert browser.send("POST", "/sign-in", content=b"name=%00", headers=own).status_code == 400
    assert browser.post("/sign-in").status_code == 422
