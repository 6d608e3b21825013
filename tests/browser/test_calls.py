"""Calls in a browser, as far as one without a push service goes: subscription and push are brought by hand.

No host but this machine is reached, so that `subscribe` finds no push service. A subscription of the test's takes
its place; the push is delivered to the real service worker by DevTools.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.screen import Screen
from tests.engines import DatabaseUrls
from tests.services.certificates import a_pair
from tests.services.conftest import Table, table_at
from tests.services.live_api import Api, api, eventually
from tests.services.world import SUBSCRIPTION

pytestmark = pytest.mark.slow

Screens = Callable[..., Screen]

SUBSCRIBED = f"""
const forget = async () => localStorage.removeItem("own");
const subscription = {{ toJSON: () => ({json.dumps(SUBSCRIPTION)}), options: {{}}, unsubscribe: forget }};
PushManager.prototype.getSubscription = async () => (localStorage.getItem("own") ? subscription : null);
PushManager.prototype.subscribe = async () => (localStorage.setItem("own", "yes"), subscription);
"""
NOTIFICATIONS = """async () => {
    const registration = await navigator.serviceWorker.ready;
    const standing = await registration.getNotifications();
    return standing.map(({ title, body, lang, data }) => ({ title, body, lang, data }));
}"""


@pytest.fixture
def running(windowed_chrome: Any, database: DatabaseUrls, tmp_path: Path) -> Iterator[Api]:
    """The service over HTTPS."""
    assert windowed_chrome
    certificate, key = a_pair(tmp_path)
    with api(database.service, tls_certificate=certificate, tls_key=key) as running:
        yield running


def origin_of(screen: Screen) -> str:
    return str(screen.page.evaluate("location.origin"))


def delivered(screen: Screen, content: str) -> list[Any]:
    """The notifications that stand after a push was delivered to the service worker."""
    page = screen.page
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    devtools = page.context.new_cdp_session(page)
    versions: list[Any] = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: versions.extend(event["registrations"]))
    devtools.send("ServiceWorker.enable")

    def is_there() -> bool:
        page.evaluate("1")
        return bool(versions)

    assert eventually(is_there)
    message = {
        "origin": origin_of(screen),
        "registrationId": versions[-1]["registrationId"],
        "data": content,
    }
    shown: list[Any] = []

    def stands() -> bool:
        devtools.send("ServiceWorker.deliverPushMessage", message)  # DevTools lose those of the first moment
        shown[:] = page.evaluate(NOTIFICATIONS)
        return bool(shown)

    assert eventually(stands)
    return shown


@pytest.fixture
def allowed(running: Api, table: Table, windowed_screens: Screens) -> Screen:
    """A player's browser that may notify."""
    screen = windowed_screens(table.player)
    screen.page.goto(f"{screen.base}/account")
    screen.page.context.grant_permissions(["notifications"], origin=origin_of(screen))
    return screen


def test_a_push_is_shown_with_what_it_says(table, allowed):
    path = f"/c/{table.campaign_id}/table"
    call = {"title": "Iron Rain", "text": "Mara lance.", "path": path, "language": "fr"}
    [shown] = delivered(allowed, json.dumps(call))
    assert shown == {"title": "Iron Rain", "body": "Mara lance.", "lang": "fr", "data": path}


def test_a_push_without_contents_is_shown_in_the_words_of_the_browsers_language(allowed):
    [shown] = delivered(allowed, "")
    assert shown == {"title": "Fieldlog", "body": "A table waits for you.", "lang": "en", "data": "/"}


def test_a_device_is_switched_on_and_off_on_the_page(table, allowed):
    page = allowed.page
    page.context.add_init_script(SUBSCRIBED)
    page.reload()
    page.get_by_role("button", name="Call me on this device").click()
    page.get_by_text("You are called on this device from now on.").wait_for()
    [device] = table.player.get("/accounts/me/devices").json()["devices"]
    assert (device["host"], device["with_words"]) == ("push.example", False)
    page.get_by_role("button", name="Say what waits").click()
    page.get_by_text("Calls there say what waits from now on.").wait_for()
    page.get_by_role("button", name="Stop the calls").click()
    page.get_by_text("You are called there no more.").wait_for()
    assert page.evaluate("localStorage.getItem('own')") is None
    page.get_by_role("button", name="Call me on this device").wait_for()


def test_a_browser_that_may_not_notify_says_so(allowed):
    page = allowed.page
    page.context.clear_permissions()
    page.context.add_init_script("Object.defineProperty(Notification, 'permission', { get: () => 'denied' });")
    page.reload()
    page.get_by_text("You have forbidden this service to notify you.").wait_for()
    assert page.get_by_role("button", name="Call me on this device").count() == 0


def test_without_https_the_page_says_why_there_are_no_calls(chrome, database):
    with api(database.service) as running:
        table = table_at(running.client)
        screen = Screen(chrome, running, table.player.name)
        screen.page.goto(f"{screen.base}/account")
        screen.page.get_by_text("Browsers take calls only where the address begins with https://").wait_for()
        screen.close()
