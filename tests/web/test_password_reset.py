"""`/reset-password`: another password by a link that the host gave."""

import pytest

from tests.services.conftest import PASSWORD, Person, table_at
from tests.web.browser import Browser, errors_of
from tests.web.html_page import page_of
from tests.web.reset_links import reset_link

NEW = "another horse"


@pytest.fixture
def link(client, database):
    """The path of a link for Ana."""
    Person(client, "Ana")
    return reset_link(database, "ana")


def test_who_forgot_the_password_sets_another_one_and_signs_in_with_it(client, database):
    table = table_at(client)
    path = reset_link(database, "Mara")
    signed_in, browser = Browser(client).sign_in("Mara"), Browser(client)
    page = browser.page(path)
    assert "Mara" in page.one("main").text
    assert page.one("input", name_="username").attributes["value"] == "Mara"
    answer = page_of(browser.post(path, new_password=NEW).text)
    assert browser.at == "/sign-in?ended=password"
    assert "every sign-in has ended" in answer.one("p", role="status").text
    assert table.player.get("/accounts/me").status_code == 401
    assert signed_in.page("/").one("h1").text == "A logbook for long campaigns"
    assert Browser(client).post("/sign-in", name="Mara", password=PASSWORD).status_code == 422
    browser.post("/sign-in", name="Mara", password=NEW)
    assert browser.page("/").one("h1").text == "Your campaigns"
    assert table.gm.get("/accounts/me").status_code == 200


def test_a_link_works_once(client, link):
    browser = Browser(client)
    browser.post(link, new_password=NEW)
    for answer in (browser.get(link), browser.post(link, new_password="a third horse")):
        assert answer.status_code == 404
        assert "This link is not valid, or not any more." in answer.text
    assert "Demandez-en un autre" in Browser(client, "fr").get(link).text
    Browser(client).sign_in("Ana", NEW)


def test_a_password_that_cannot_be_taken_leaves_the_link_as_it_is(client, link):
    browser = Browser(client, "fr")
    page = page_of(browser.post(link, new_password="horse").text)
    assert page.one("h1").text == "Choisissez un nouveau mot de passe"
    assert list(errors_of(page)) == ["new_password"]
    assert "value" not in page.one("input", name_="new_password").attributes
    browser.post(link, new_password=NEW)
    Browser(client).sign_in("Ana", NEW)


def test_another_site_cannot_use_a_link(client, link):
    assert Browser(client).post(link, origin="https://evil.example", new_password=NEW).status_code == 403
    Browser(client).sign_in("Ana")


def test_whoever_is_signed_in_where_a_link_is_used_is_signed_out(client, link):
    Person(client, "Dell")
    browser = Browser(client).sign_in("Dell")
    browser.post(link, new_password=NEW)
    assert browser.page("/").one("h1").text == "A logbook for long campaigns"
