"""A service below a path of its host: what its addresses lead to, and what it says without that setting."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient

from services.cli.demo.recording import recording_of
from services.cli.demo.story import Story
from services.http.middleware.connection_limits import RefusedRequest
from services.http.screen.app import create_app
from services.http.screen.shared.connection_refusal_page import page_of_refusal
from services.settings import OWN_PLACES, Settings, SettingsInvalid, read_settings
from tests.applications import an_application
from tests.engines import DICE_KEY, DatabaseUrls
from tests.sampling import slow_but
from tests.services.conftest import NO_RATES, PASSWORD, table_at
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of

BASE = "/games/fieldlog"
NOWHERE = Settings(database_url="postgresql://nobody@127.0.0.1:1/none", dice_key=DICE_KEY)
IDS = re.compile(r"[0-9a-f-]{36}|[0-9]+|(?<=/)(?:sheets|money|do|join)/[^/?]+|=[^&]+")
NOT_ONES_OWN = re.compile(f"^{BASE}/c/[^/]+/as/[^/]+/(?:(?:do|build)/.*|files|leave)$")
"""What only the member may do through whose eyes a GM reads."""
OF_A_SHAPE = 2
"""Of so many addresses that differ in ids alone each is followed."""
ADDRESSES = ("href", "src", "action", "data-path", "data-feed", "data-script", "data-here")


@pytest.fixture
def client(database: DatabaseUrls) -> Iterator[TestClient[Any]]:
    """The service below `BASE`, for who asks a proxy that takes nothing off."""
    settings = Settings(
        database_url=database.service, dice_key=DICE_KEY, password_kib=64, base_path=BASE, **NO_RATES
    )
    with an_application(settings) as app, TestClient(app, raise_server_exceptions=False) as running:
        yield running


def addresses(page: Element) -> set[str]:
    """Where a page leads, and what it asks for, on its own host."""
    said = {each.attributes[key] for each in page.all("*") for key in ADDRESSES if key in each.attributes}
    return {each for each in said if each.startswith("/")}


def followed(browser: Browser, start: str) -> dict[str, httpx.Response]:
    """What is answered where links lead, from one page on: of those that differ in ids alone, to some."""
    found: dict[str, httpx.Response] = {}
    waiting, shapes = [start], dict[str, int]()
    while waiting:
        path = waiting.pop()
        shape = IDS.sub("#", path.partition("#")[0])
        if path in found or shapes.get(shape, 0) >= OF_A_SHAPE:
            continue
        shapes[shape] = shapes.get(shape, 0) + 1
        found[path] = answer = browser.get(path.partition("#")[0])
        if answer.headers.get("content-type", "").startswith("text/html"):
            links = page_of(answer.text)
            waiting += sorted(
                each.attributes["href"]
                for tag in ("a", "link")
                for each in links.all(tag)
                if each.attributes.get("href", "").startswith("/")
            )
    return found


@pytest.mark.parametrize("who", slow_but(["nobody", "vera"], "nobody"))
def test_every_link_of_a_played_campaign_stays_below_the_base_path_and_leads_somewhere(client, who):
    story = Story(recording_of("undo"), client, suffix="", wait_seconds_max=0)
    for _ in story.play():
        pass
    browser = Browser(client)
    if who == "vera":
        browser.sign_in(story.name("vera"), story.password)
    found = followed(browser, f"{BASE}/")
    pages = {path: each for path, each in found.items() if "text/html" in each.headers.get("content-type", "")}
    assert len(pages) > (5 if who == "nobody" else 60)
    refused = {path: each.status_code for path, each in found.items() if each.status_code >= 400}
    assert {path: status for path, status in refused.items() if not NOT_ONES_OWN.search(path)} == {}
    assert {*refused.values()} <= {403}
    told = {to for each in pages.values() for to in addresses(page_of(each.text))}
    assert {to for to in told if not to.startswith(f"{BASE}/") or to.startswith(BASE * 2)} == set()


def test_people_sign_up_invite_act_and_sign_out_by_forms_below_the_base_path(client):
    gm = Browser(client)
    signed_up = gm.post(f"{BASE}/sign-up", name="Ana", password=PASSWORD)
    assert (signed_up.status_code, gm.at) == (200, f"{BASE}/")
    assert [*gm.cookies] == ["fieldlog_session.games.fieldlog"]
    founded = gm.api("POST", "/campaigns", {"name": "Iron Rain", "systems": ["frame_state"]})
    home = f"{BASE}/c/{founded.json()['campaign_id']}"
    link = gm.post(f"{home}/invites", role="player")
    shown = page_of(link.text).one("input", readonly="").attributes["value"]
    assert shown == f"{gm.origin}{BASE}/join/{gm.at.rpartition('/')[2]}"
    player = Browser(client)
    joined = player.post(shown.removeprefix(gm.origin), name="Mara", password=PASSWORD, fresh="yes")
    assert joined.status_code == 200
    assert player.at == f"{home}/table"
    key = page_of(joined.text).one("form", action=f"{home}/notes").one("input", name="key").attributes["value"]
    noted = player.post(f"{home}/notes", text="The lamp went out.", key=key)
    assert "The lamp went out." in noted.text
    assert player.at.startswith(f"{home}/table")
    asked = Browser(client).get(f"{home}/money?currency=credit")
    assert asked.url.path == f"{BASE}/sign-in"
    assert asked.url.params["next"] == f"{home.removeprefix(BASE)}/money?currency=credit"
    player.post(f"{BASE}/sign-out")
    assert player.cookies == {}
    gone = gm.api("DELETE", "/session")
    assert gone.status_code == 204
    assert gm.cookies == {}


def test_what_comes_without_the_base_path_is_answered_alike(client):
    """Some proxies take it off, and on its own machine nobody says it."""
    table = table_at(client)
    browser = Browser(client).sign_in(table.gm.name)
    for path in ("/", f"/c/{table.campaign_id}", "/health/live", "/api/accounts/me"):
        plain, below = browser.send("GET", path), browser.send("GET", f"{BASE}{path}")
        assert plain.status_code == below.status_code == 200
        assert addresses(page_of(plain.text)) == addresses(page_of(below.text))
    assert client.get(f"{BASE}and/more").status_code == 404
    led = client.get(BASE, follow_redirects=False)
    assert (led.status_code, led.headers["location"]) == (308, f"{BASE}/")


def test_answers_of_the_api_and_its_document_say_where_it_is(client):
    table = table_at(client)
    kept = client.get(f"{BASE}/api/accounts/me/data", headers=table.gm.headers).json()
    export = kept["campaigns"][0]["export"]
    assert export == f"{BASE}/api/campaigns/{table.campaign_id}/export"
    assert client.get(export, headers=table.gm.headers).status_code == 200
    document = client.get(f"{BASE}/api/docs/openapi.json").json()
    assert document["servers"] == [{"url": BASE}]
    assert document["components"]["securitySchemes"]["session"]["name"] == "fieldlog_session.games.fieldlog"
    page = client.get(f"{BASE}/api/docs", headers={"Accept": "text/html"}).text
    assets = re.findall(r'(?:src|href)="(/[^"]+)"', page)
    assert assets
    assert {each: client.get(each).status_code for each in assets} == dict.fromkeys(assets, 200)
    assert all(each.startswith(f"{BASE}/") for each in assets)


def test_a_session_of_another_service_on_the_host_is_not_taken_for_one_of_ours(client):
    table = table_at(client)
    browser = Browser(client).sign_in(table.gm.name)
    [secret] = browser.cookies.values()
    browser.cookies = {"fieldlog_session": secret}
    assert browser.api("GET", "/accounts/me").status_code == 401


def test_a_request_that_the_server_refuses_itself_is_told_below_the_base_path():
    refused = RefusedRequest(431, f"{BASE}/c", [(b"accept", b"text/html")])
    told = page_of_refusal(refused, BASE)
    assert told is not None
    found = addresses(page_of(told[1].decode()))
    assert found
    assert all(each.startswith(f"{BASE}/") for each in found)
    assert page_of_refusal(RefusedRequest(431, f"{BASE}/api/words", refused.headers), BASE) is None


def test_no_base_path_begins_like_an_address_of_the_service():
    places = {each.path.split("/")[1] for each in create_app(NOWHERE).routes} - {""}
    assert all(OWN_PLACES.fullmatch(each) for each in places), places
    for place in places:
        with pytest.raises(SettingsInvalid):
            read_settings({"FIELDLOG_BASE_PATH": f"/{place}"})
