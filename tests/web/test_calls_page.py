"""Calls on the page of the account: switched on by a script, changed and stopped by forms."""

from typing import Any

import pytest

from tests.services.conftest import Person
from tests.services.world import SUBSCRIPTION
from tests.web.browser import Browser
from tests.web.html_page import page_of

KEYS: Any = SUBSCRIPTION["keys"]
FORM = {"endpoint": "https://push.example/one", **KEYS}


@pytest.fixture
def ana(client: Any) -> Browser:
    Person(client, "Ana")
    return Browser(client).sign_in("Ana")


def steps(browser: Browser) -> list[str]:
    """The paths of the buttons of devices."""
    forms = browser.page("/account").all("form")
    return [path for form in forms if "/account/devices/" in (path := form.attributes["action"])]


def test_it_is_off_until_it_is_switched_on_and_without_words_until_they_are_wanted(ana):
    page = ana.page("/account")
    assert "You are called on no device." in page.text
    assert len(page.one("section", id="calls").attributes["data-key"]) == 87
    assert steps(ana) == []
    assert "You are called on this device" in ana.post("/account/devices", **FORM).text
    assert "calls say only that something waits" in ana.page("/account").text
    say_what, stop = steps(ana)
    assert "Calls there say what waits" in ana.post(say_what).text
    assert "calls say what waits" in ana.page("/account").text
    assert "You are called there no more." in ana.post(stop).text
    assert steps(ana) == []
    assert ana.post(stop).status_code == 404


def test_a_renewed_subscription_keeps_its_words_and_one_that_was_stopped_stays_stopped(ana):
    ana.post("/account/devices", **FORM, with_words="yes")
    ana.post("/account/devices", **{**FORM, "endpoint": "https://push.example/two"}, renewed="yes")
    assert "calls say what waits" in ana.page("/account").text
    ana.post(steps(ana)[1])
    ana.post("/account/devices", **FORM, renewed="yes")
    assert steps(ana) == []


def test_another_browser_stops_the_calls_of_one_and_signing_out_does(ana, client):
    ana.post("/account/devices", **FORM)
    desk = Browser(client).sign_in("Ana")
    assert "You are called there no more." in desk.post(steps(desk)[1]).text
    assert steps(ana) == []
    ana.post("/account/devices", **FORM)
    ana.post("/sign-out")
    assert steps(desk) == []


@pytest.mark.parametrize("fault", [{"endpoint": "http://push.example/one"}, {"auth": "AAAA"}])
def test_a_refusal_stands_beside_the_button(ana, fault):
    answer = ana.post("/account/devices", **{**FORM, **fault})
    assert answer.status_code == 422
    assert page_of(answer.text).one("p", id="calls-error").text


def test_without_the_script_nothing_happens(ana):
    ana.post("/account/devices")
    assert steps(ana) == []


def test_another_site_switches_nothing_on(ana, client):
    answer = client.post("/account/devices", data=FORM, headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403
    assert steps(ana) == []


def test_the_service_worker_has_the_words_of_a_call_without_any_in_every_language(client):
    script = client.get("/service-worker.js").text
    assert '"en":"A table waits for you."' in script
    assert '"fr":"Une table vous attend."' in script
