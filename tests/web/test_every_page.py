"""What holds on every page, empty and full, in English and in French."""

import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from litestar.testing import TestClient

from domain.ids import AccountId
from services.cli.demo.recording import recording_of
from services.cli.demo.story import Story
from services.http.screen.routes import PAGES
from services.settings import Settings
from tests.applications import an_application
from tests.engines import DICE_KEY, PostgresServer
from tests.languages.messages import translations
from tests.refusals import ids_in
from tests.services.conftest import NO_RATES, Person
from tests.web.browser import Browser, shown_texts
from tests.web.html_page import Element, page_of

STORIES = ("overdrive", "freefall")
READY = {"overdrive": "ace", "freefall": "Vanguard"}
"""A character to start with in each."""
STEPS_MAX = 60
"""Of each story: a campaign in the middle of an evening."""
MONTH_STEPS = 32
"""Of a month of downtime: everybody has begun something."""
PAGES_OF_PLAY = (
    *("sheets", "boards", "chronicle", "a/12", "a/12/undo", "a/12/undo-since", "table", "do", "do/campaign.roll"),
    *("gm", "settings", "members", "money", "downtime", "timers", "compare", "compare?from=9&to=40", "fork?at=12"),
    *("calendar", "calendar/read", "calendar/read?preset=earth", "ledger/read"),
    *("?at=30", "sheets?at=30", "boards?at=30", "chronicle?at=30", "recap", "book"),
    *("a/12/proof", "dice", "dice/saved", "verify", "verify?run=yes&wait=yes"),
    *("end-dice-epoch", "reveal-hidden-dice", "luck", "files", "table?at=30", "next"),
)


@pytest.fixture(scope="module")
def client(postgres_server: PostgresServer) -> Iterator[TestClient[Any]]:
    urls = postgres_server.new_database()
    settings = Settings(
        database_url=urls.service, dice_key=DICE_KEY, password_kib=64, contact="noor@table.example", **NO_RATES
    )
    with an_application(settings) as app, TestClient(app, raise_server_exceptions=False) as running:
        yield running
    postgres_server.give_back(urls)


@pytest.fixture(scope="module")
def paths(client: TestClient[Any]) -> dict[str, str]:
    """Paths of pages by name, for Noor: a GM, a player in stories, and a founder of an empty campaign."""
    noor = Person(client, "Noor")
    empty = noor.post("/campaigns", {"name": "Quiet", "systems": ["angst"]}).json()["campaign_id"]
    code = noor.post(f"/campaigns/{empty}/invites", {"role": "player"}).json()["code"]
    archived, deleted = (
        noor.post("/campaigns", {"name": name, "systems": ["angst"]}).json()["campaign_id"]
        for name in ("Old", "Gone")
    )
    assert noor.post(f"/campaigns/{archived}/archive").status_code == 200
    assert noor.send("DELETE", f"/campaigns/{deleted}", json={"name": "Gone"}).status_code == 200
    hook = {"url": "https://example.org/hook", "kinds": ["dates", "actions"]}
    assert noor.post(f"/campaigns/{empty}/webhooks", hook).status_code == 201
    found = {
        "front": "/",
        "sign-in": "/sign-in",
        "sign-up": "/sign-up",
        "about": "/about",
        "privacy": "/privacy",
        "offline": "/offline",
        "account": "/account",
        "an account's end": "/account/delete",
        "erasure": "/account/erase-words",
        "a token": "/account/programs/new",
        "found": "/found",
        "bring": "/bring",
        "join": f"/join/{code}",
        "join with an account": f"/join/{code}?known=yes",
        "invite": f"/c/{empty}/invites/{code}",
        "an empty campaign": f"/c/{empty}",
        "no sheets": f"/c/{empty}/sheets",
        "no boards": f"/c/{empty}/boards",
        "no money": f"/c/{empty}/money",
        "no things": f"/c/{empty}/things",
        "no downtime": f"/c/{empty}/downtime",
        "no timers": f"/c/{empty}/timers",
        "an empty book": f"/c/{empty}/book",
        "webhooks": f"/c/{empty}/webhooks",
        "archived webhooks": f"/c/{archived}/webhooks",
        "a quiet table": f"/c/{empty}/table",
        "no dice yet": f"/c/{empty}/dice",
        "no luck yet": f"/c/{empty}/luck",
        "leaving alone": f"/c/{empty}/leave",
        "archiving": f"/c/{empty}/archive",
        "deletion": f"/c/{empty}/delete",
        "an archived campaign": f"/c/{archived}",
        "archived settings": f"/c/{archived}/settings",
        "taking it up": f"/c/{archived}/unarchive",
        "restoring": f"/restore/{deleted}",
        "nowhere": "/nowhere",
    }
    with client.portal() as portal:
        people = client.app.state.application.people
        code, _ = portal.call(people.offer_reset, AccountId(UUID(noor.account_id)), 3600)
    found |= {"another password": f"/reset-password/{code}"}
    month = Story(recording_of("short/downtime"), client, suffix=" of a month", wait_seconds_max=0)
    for _ in zip(month.play(), range(MONTH_STEPS), strict=False):
        pass
    code = client.post(
        f"/api/campaigns/{month.campaign_id}/invites",
        json={"role": "gm"},
        headers={"Authorization": f"Bearer {month.tokens['vera']}"},
    ).json()["code"]
    assert noor.post(f"/invites/{code}/accept").status_code == 201
    running = month.get("vera", "/downtime")["activities"][0]["activity"]
    found |= {"a plan": f"/c/{month.campaign_id}/downtime"}
    found |= {"its end": f"/c/{month.campaign_id}/downtime/{running}/end"}
    for name in STORIES:
        story = Story(recording_of(name), client, suffix=f" of {name}", wait_seconds_max=0)
        for _ in zip(story.play(), range(STEPS_MAX), strict=False):
            pass
        gm = story.tokens[story.recording.title.gm]
        path = f"/api/campaigns/{story.campaign_id}"
        headers = {"Authorization": f"Bearer {gm}"}
        made = client.post(f"{path}/invites", json={"role": "gm"}, headers=headers).json()["code"]
        assert noor.post(f"/invites/{made}/accept").status_code == 201
        home = f"/c/{story.campaign_id}"
        character = client.get(f"{path}/sheets", headers=headers).json()["sheets"][0]["character"]
        sheet = f"{home}/sheets/{character}"
        found |= {name: home, f"{name} sheet": sheet, f"{name} record": f"{sheet}/record"}
        held = client.get(f"{path}/ledger/accounts", headers=headers).json()["accounts"][0]
        statement = f"{home}/money/{held['account']}"
        found |= {
            f"{name} statement": statement,
            f"{name} balance": f"{statement}/why?currency={held['currency']}",
        }
        bring_in = {"type": "campaign.create_thing", "name": "Bravo", "account": "group", "new": True}
        acted = client.post(f"{path}/actions", json={"command": bring_in}, headers=headers)
        assert acted.status_code == 201
        thing = acted.json()["events"][0]["thing"]
        found |= {f"{name} things": f"{home}/things", f"{name} thing": f"{home}/things/{thing}"}
        found |= {f"{name} {page}": f"{home}/{page}" for page in PAGES_OF_PLAY}
        found |= {f"{name} {page}": f"{home}/build/{name}{page}" for page in ("/fight", "/catalogue")} | {
            f"{name} builder": f"{home}/build/{name}?preset={READY[name]}"
        }
        member = f"{home}/members/{story.bound[story.recording.title.gm]}"
        found |= {"removal": f"{member}/remove", "handover": f"{member}/handover"}
        members = client.get(f"{path}/members", headers=headers).json()["members"]
        eyes = next(each["account"] for each in members if each["role"] == "player")
        link = client.post(f"{path}/invites", json={"role": "watcher"}, headers=headers).json()["code"]
        found |= {f"{name} watched": f"/watch/{link}/table", f"{name} in a stream": f"/watch/{link}/stream"}
        found |= {f"{name} link": f"{home}/invites/{link}"}
        found |= {f"{name} as a player": f"{home}/as/{eyes}/table", f"{name} reveal": f"{home}/a/12/reveal"}
    return found


AS = "/c/{campaign:str}/as/{member:str}"
NAMES = (
    *(
        "front",
        "sign-in",
        "sign-up",
        "about",
        "privacy",
        "account",
        "found",
        "bring",
        "join",
        "join with an account",
        "another password",
        "a token",
    ),
    *("invite", "an empty campaign", "no sheets", "no boards", "no money", "no things", "no downtime"),
    "no timers",
    *("an empty book", "a quiet table", "a plan", "its end", "no dice yet", "no luck yet", "nowhere"),
    *("an account's end", "erasure", "leaving alone", "archiving", "deletion", "taking it up", "restoring"),
    *("an archived campaign", "archived settings", "removal", "handover", "webhooks", "archived webhooks"),
    *(
        f"{story}{page}"
        for story in STORIES
        for page in (
            "",
            " sheet",
            " builder",
            " /fight",
            " /catalogue",
            " statement",
            " balance",
            " things",
            " thing",
            " as a player",
            " watched",
            " in a stream",
            " link",
            " reveal",
            *(f" {each}" for each in PAGES_OF_PLAY),
        )
    ),
)
WHO = ("stranger", "Noor")


def seen_by(client: TestClient[Any], who: str, path: str, language: str) -> tuple[str, Element]:
    browser = Browser(client, language)
    if who != "stranger":
        browser.sign_in(who)
    answer = browser.get(path)
    assert answer.status_code in (200, 404), answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    return answer.text, page_of(answer.text)


def test_every_page_with_a_path_of_its_own_is_looked_at():
    """Paths that take forms only are in the tests of their pages, and so is what GMs read as somebody else.

    Those of links for watching are in `test_watched_pages.py`.
    """
    read = {
        path
        for each in PAGES
        if "GET" in each.http_methods
        for path in each.paths
        if "/as/" not in path and not path.startswith("/watch/")
    }
    assert read == {
        *("/", "/sign-in", "/sign-up", "/about", "/privacy", "/offline", "/account", "/found", "/bring"),
        *(
            "/join/{code:str}",
            "/reset-password/{code:str}",
            "/c/{campaign:str}",
            "/c/{campaign:str}/invites/{code:str}",
        ),
        *("/c/{campaign:str}/chronicle", "/c/{campaign:str}/a/{seq:int}", "/c/{campaign:str}/build/{system:str}"),
        "/c/{campaign:str}/build/{system:str}/{product:str}",
        *("/c/{campaign:str}/compare", "/c/{campaign:str}/fork", "/c/{campaign:str}/next"),
        *(f"/c/{{campaign:str}}/a/{{seq:int}}/{verb}" for verb in ("undo", "redo", "undo-since")),
        "/c/{campaign:str}/undo/{action:str}",
        *("/c/{campaign:str}/table", "/c/{campaign:str}/table/{panel:str}"),
        *("/c/{campaign:str}/do", "/c/{campaign:str}/do/{command:str}"),
        *("/c/{campaign:str}/settings", "/c/{campaign:str}/members", "/restore/{campaign:str}"),
        "/c/{campaign:str}/webhooks",
        *(f"/c/{{campaign:str}}/{step}" for step in ("archive", "unarchive", "delete", "leave")),
        *(f"/c/{{campaign:str}}/{step}" for step in ("end-dice-epoch", "reveal-hidden-dice")),
        *(f"/c/{{campaign:str}}/{page}" for page in ("dice", "dice/saved", "verify", "luck")),
        "/c/{campaign:str}/a/{seq:int}/proof",
        *(f"/c/{{campaign:str}}/members/{{account:str}}/{step}" for step in ("remove", "handover")),
        *("/account/delete", "/account/erase-words", "/account/programs/new"),
        *(
            f"/c/{{campaign:str}}/{page}"
            for page in ("boards", "sheets", "sheets/{key:str}", "sheets/{key:str}/why")
        ),
        "/c/{campaign:str}/boards/{system:str}/{board_key:str}/why",
        *("/c/{campaign:str}/gm", "/c/{campaign:str}/gm/{panel:str}", "/c/{campaign:str}/a/{seq:int}/reveal"),
        *(f"/c/{{campaign:str}}/{page}" for page in ("money", "money/{account:str}", "money/{account:str}/why")),
        *("/c/{campaign:str}/things", "/c/{campaign:str}/things/{thing:str}"),
        *(f"/c/{{campaign:str}}/{page}" for page in ("ledger.csv", "ledger/export", "ledger/read")),
        *(
            f"/c/{{campaign:str}}/{page}"
            for page in ("downtime", "downtime/{activity:str}/end", "timers", "files")
        ),
        *(f"/c/{{campaign:str}}/{page}" for page in ("calendar", "calendar/read")),
        *(f"/c/{{campaign:str}}/{page}" for page in ("recap", "book", "sheets/{key:str}/record")),
    }


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_well_made(client, paths, name, language, who):
    html, page = seen_by(client, who, paths[name], language)
    assert page.one("html").attributes["lang"] == language
    assert len(page.all("h1")) == 1
    assert len(page.all("main")) == len(page.all("header")) == len(page.all("footer")) == 1
    assert page.one("a", class_="skip").attributes["href"] == "#main"
    assert unlabelled(page) == []
    assert [each.attributes["id"] for each in page.all("*") if "id" in each.attributes] == [*ids_once(page)]
    assert dangling(page) == []
    assert page.all("style") == []
    assert [each for each in page.all("script") if "src" not in each.attributes] == []
    kinds = {key for each in page.all("*") for key in each.attributes}
    assert {key for key in kinds if key == "style" or key.startswith("on")} == set()
    assert nameless(page) == []
    assert left_to_browsers(page) == []
    assert {each.attributes["href"].partition("/static/")[0] for each in page.all("link")} == {""}
    text = shown_texts(page)
    for named in page.all("*", translate="no"):  # packages and hashes are called as they are
        text = text.replace(named.text, "")
    assert ids_in(text) == []
    assert re.findall(r"\w*_\w*", text) == []
    assert "None" not in text
    assert html.startswith("<!doctype html>")


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("name", NAMES)
def test_a_page_in_french_has_no_english_sentence_left(client, paths, name, who):
    _, page = seen_by(client, who, paths[name], "fr")
    assert english_in(shown_texts(page)) == []


def test_english_left_on_a_page_is_noticed():
    """Negative control."""
    assert english_in("Bienvenue. Found a campaign, puis jouez.") == ["Found a campaign"]
    assert english_in("Fonder une campagne") == []


def test_flaws_of_a_page_are_noticed():
    """Negative control."""
    page = page_of(
        '<p id="a"><input name="x"><label for="b">B</label><input id="b"><i id="a"></i><a href="/"></a></p>'
    )
    assert unlabelled(page) == ["x"]
    assert [*ids_once(page)] == ["a", "b"]
    assert nameless(page) == ["a"]
    assert dangling(page_of('<p aria-describedby="b"></p>')) == ["b"]
    for method in ("post", "get"):
        assert left_to_browsers(page_of(f'<form method="{method}" action="/a"><input required></form>')) == ["/a"]


def test_a_browser_may_do_little_with_a_page(client, paths):
    headers = Browser(client).get("/").headers
    policy = dict(each.strip().partition(" ")[::2] for each in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert {policy["script-src"], policy["style-src"], policy["form-action"]} == {"'self'"}
    assert (policy["base-uri"], policy["frame-ancestors"]) == ("'none'", "'none'")
    assert headers["referrer-policy"] == "same-origin"
    assert headers["x-content-type-options"] == "nosniff"


def test_only_what_is_for_everybody_may_be_listed_by_search_engines(client, paths):
    def is_listed(path: str) -> bool:
        return "noindex" not in Browser(client).get(path).text

    assert {name for name in NAMES if is_listed(paths[name])} == {"front", "about", "privacy"}


def test_the_privacy_page_says_what_the_settings_say(client, paths):
    text = page_of(Browser(client).get("/privacy").text).text
    assert "noor@table.example" in text
    assert "erased after 14 days" in text
    assert "restored for 30 days" in text


def english_in(text: str) -> list[str]:
    """The sentences of several words that a page says in English although there is French for them."""
    return [
        message.text
        for message, into in translations("fr", "web").items()
        if " " in message.text and "{" not in message.text and into[0] != message.text and message.text in text
    ]


def unlabelled(page: Element) -> list[str]:
    """The fields that no label names."""
    labelled = {each.attributes.get("for", "") for each in page.all("label")}
    wrapped = {id(field) for label in page.all("label") for field in label.all("input")}
    fields = [each for tag in ("input", "select", "textarea") for each in page.all(tag)]
    return [
        each.attributes.get("name", "")
        for each in fields
        if each.attributes.get("type") != "hidden" and "aria-hidden" not in each.attributes
        if each.attributes.get("id", "-") not in labelled and id(each) not in wrapped
    ]


def nameless(page: Element) -> list[str]:
    """Links and buttons that say nothing, and hold no picture that does."""
    every = [each for tag in ("a", "button") for each in page.all(tag)]
    pictures = {id(each): [*each.all("svg"), *each.all("span", role="img")] for each in every}
    heard = {key: any("aria-label" in one.attributes for one in several) for key, several in pictures.items()}
    return [each.tag for each in every if not each.text and not heard[id(each)]]


def left_to_browsers(page: Element) -> list[str]:
    """The forms in which a browser says what is missing, in its own words and language, before the service can."""
    return [
        each.attributes.get("action", "")
        for each in page.all("form")
        if "novalidate" not in each.attributes
        if any(
            "required" in field.attributes or field.attributes.get("type") in ("number", "url")
            for tag in ("input", "select", "textarea")
            for field in each.all(tag)
        )
    ]


def ids_once(page: Element) -> dict[str, None]:
    return dict.fromkeys(each.attributes["id"] for each in page.all("*") if "id" in each.attributes)


def dangling(page: Element) -> list[str]:
    """What is referred to, and not there."""
    known = ids_once(page)
    refers = ("aria-describedby", "aria-labelledby", "for")
    said = [each.attributes[key] for each in page.all("*") for key in refers if key in each.attributes]
    return [name for each in said for name in each.split() if name not in known]
