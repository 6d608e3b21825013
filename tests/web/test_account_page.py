"""`/account`: sign-ins, language, password."""

from tests.services.conftest import PASSWORD, Person
from tests.web.browser import Browser, errors_of
from tests.web.html_page import Element, page_of


def paths_of_forms(page: Element, part: str) -> list[str]:
    return [path for each in page.all("form") if part in (path := each.attributes["action"])]


def test_every_sign_in_is_listed_and_can_be_ended(client):
    Person(client, "Ana")
    phone, desk = Browser(client).sign_in("Ana"), Browser(client).sign_in("Ana")
    page = desk.page("/account")
    [end] = [
        each.attributes["action"]
        for each in page.all("form")
        if "/sign-ins/" in each.attributes["action"] and "others" not in each.attributes["action"]
    ]
    assert "That sign-in has ended." in desk.post(end).text
    assert phone.page("/").one("h1").text == "A logbook for long campaigns"
    assert desk.page("/").one("h1").text == "Your campaigns"
    assert desk.post(end).status_code == 404


def test_all_other_sign_ins_end_at_once(client):
    Person(client, "Ana")
    others = [Browser(client).sign_in("Ana") for _ in range(3)]
    desk = Browser(client).sign_in("Ana")
    desk.post("/account/sign-ins/end-others")
    assert {each.page("/").one("h1").text for each in others} == {"A logbook for long campaigns"}
    assert desk.page("/account").one("h1").text == "Your account"


def test_a_token_of_a_program_can_be_ended(client):
    ana = Person(client, "Ana")
    browser = Browser(client).sign_in("Ana")
    [end] = [
        each.attributes["action"]
        for each in browser.page("/account").all("form")
        if "/programs/" in each.attributes["action"]
    ]
    browser.post(end)
    assert ana.get("/accounts/me").status_code == 401


def test_a_chosen_language_goes_before_the_browsers(client):
    Person(client, "Ana")
    browser = Browser(client, "en").sign_in("Ana")
    page = page_of(browser.post("/account/language", language="fr").text)
    assert page.one("html").attributes["lang"] == "fr"
    assert page.one("h1").text == "Votre compte"
    assert browser.post("/account/language", language="tlh").status_code == 422


def test_a_password_is_changed_with_the_old_one_only(client):
    Person(client, "Ana")
    other, browser = Browser(client).sign_in("Ana"), Browser(client).sign_in("Ana")
    wrong = browser.post("/account/password", password="not this", new_password="another horse")
    assert errors_of(page_of(wrong.text)) == {"password": "That is not your password."}
    short = browser.post("/account/password", password=PASSWORD, new_password="horse")
    assert list(errors_of(page_of(short.text))) == ["new_password"]
    assert (
        "Your password is changed"
        in browser.post("/account/password", password=PASSWORD, new_password="another horse").text
    )
    assert other.page("/").one("h1").text == "A logbook for long campaigns"
    assert Browser(client).post("/sign-in", name="Ana", password=PASSWORD).status_code == 422


def test_who_deleted_the_account_can_keep_it(client):
    ana = Person(client, "Ana")
    assert ana.send("DELETE", "/accounts/me", json={"password": PASSWORD}).status_code == 202
    browser = Browser(client).sign_in("Ana")
    assert "will be deleted on" in browser.page("/account").text
    assert "Your account stays." in browser.post("/account/keep").text
