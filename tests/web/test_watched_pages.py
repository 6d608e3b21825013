"""Whoever opens a link for watching reads what everybody at the table may read, and is shown no form."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import pytest
from litestar.testing import TestClient

from services.campaign import visible_campaign
from services.cli.demo.recording import recording_of
from services.cli.demo.story import Story
from services.http.screen.routes import PAGES
from services.http.screen.table.live import followed
from services.settings import Settings
from tests.applications import an_application
from tests.engines import DICE_KEY, PostgresServer
from tests.services.conftest import NO_RATES, Person
from tests.services.live_api import eventually
from tests.web.browser import Browser
from tests.web.html_page import page_of

STORIES = ("overdrive", "freefall", "short/downtime")
STEPS_MAX = 60
WATCH = "/watch/{watching:str}"
SECRETS = {"gm": "The mole is Jun", "player": "You hear a knock", "saved": "Backstab"}
MAIN = re.compile(r"<main.*?</main>", re.DOTALL)
NOTE = re.compile(r'<p class="notice watched".*?</p>\n', re.DOTALL)
FEED = re.compile(r'data-feed="[^"]*"')
YOU = re.compile(r' <span class="muted">\(you\)</span>')
AGO = re.compile(r"\d+ (?:seconds?|minutes?)")
OF_ACCOUNTS = re.compile(
    r'<li><a class="target" href="[^"]*/(?:members|settings)">.*?</li>|<a class="undo".*?</a>'
)
"""What leads an observer to pages that nobody watches."""
ADD_WORDS = re.compile(r'<form novalidate class="panel"[^>]*/dice/words".*?</form>', re.DOTALL)
"""Every member may; and what leads on from there is a file of their own."""
CHECK = re.compile(
    r'<p>The dice of every line.*?</p>\n|<p class="row"><a class="button" href="[^"]*/verify".*?</p>'
)
DATES = re.compile(r'<p><a class="(?:button|target)[^"]*" href="[^"]*/next(?:#feed)?">.*?</p>')
OWN_PANELS = re.compile(
    r'<section class="table-panel[^>]*id="(?:do|dice)".*?</section>|<a href="#(?:do|dice)">.*?</a>', re.DOTALL
)
DATA_OWN = re.compile(r'(?<=data-own=")[^"]*')
DATA_OVER = re.compile(r'(?<=data-over=")[^"]*')


@pytest.fixture(scope="module")
def client(postgres_server: PostgresServer) -> Iterator[TestClient[Any]]:
    urls = postgres_server.new_database()
    settings = Settings(database_url=urls.service, dice_key=DICE_KEY, password_kib=64, **NO_RATES)
    with an_application(settings) as app, TestClient(app, raise_server_exceptions=False) as running:
        yield running
    postgres_server.give_back(urls)


class Watched:
    """A story in the middle, with secrets of each kind, an observer who has nothing, and a link."""

    def __init__(self, client: TestClient[Any], name: str) -> None:
        story = Story(recording_of(name), client, suffix=f" of {name}", wait_seconds_max=0)
        for _ in zip(story.play(), range(STEPS_MAX), strict=False):
            pass
        self.client = client
        self.home = f"/c/{story.campaign_id}"
        self.path = f"/campaigns/{story.campaign_id}"
        self.gm = {"Authorization": f"Bearer {story.tokens[story.recording.title.gm]}"}
        self.observer = Person(client, f"Olaf of {name}")
        code = self.ask("POST", "/invites", {"role": "observer"})["code"]
        assert self.observer.post(f"/invites/{code}/accept").status_code == 201
        members = self.ask("GET", "/members")["members"]
        player = next(each["account"] for each in members if each["role"] == "player")
        for readers, text in (("gm", SECRETS["gm"]), (f"account:{player}", SECRETS["player"])):
            self.ask(
                "POST", "/actions", {"command": {"type": "campaign.add_note", "text": text}, "visibility": readers}
            )
        self.ask("POST", "/dice/saved", {"name": SECRETS["saved"], "notation": "1d20"})
        self.invite = self.ask("POST", "/invites", {"role": "player"})["code"]
        made = self.ask("POST", "/invites", {"role": "watcher"})
        self.code, self.link_id = made["code"], made["invite_id"]
        self.watch = f"/watch/{self.code}"

    def ask(self, method: str, path: str, json: Any = None) -> Any:
        answer = self.client.request(method, f"/api{self.path}{path}", json=json, headers=self.gm)
        assert answer.is_success, answer.text
        return answer.json()

    def crawled(self, pages_max: int) -> dict[str, str]:
        """Pages by the path behind the link, each reached from another one; those of different kinds first."""
        browser, found = Browser(self.client), dict[str, str]()
        waiting = [self.watch, f"{self.watch}/stream", f"{self.watch}/table/boards", f"{self.watch}/boards"]
        kinds: dict[str, int] = {}
        while waiting and len(found) < pages_max:
            path = waiting.pop(0)
            kind = kind_of(path)
            if path.removeprefix(self.watch) in found or kinds.get(kind, 0) >= 3:
                continue
            kinds[kind] = kinds.get(kind, 0) + 1
            answer = browser.get(path)
            if answer.status_code == 404 and "near=" in path:
                continue  # a character was not there yet
            assert answer.status_code == 200, (path, answer.text)
            assert answer.headers["referrer-policy"] == "no-referrer", path
            assert answer.headers["x-robots-tag"] == "noindex", path
            assert "fieldlog-reader" not in answer.headers, path
            assert not browser.cookies, path
            found[path.removeprefix(self.watch)] = answer.text
            if answer.headers["content-type"].startswith("text/html"):
                waiting += ways_in(answer.text, self.watch)
        return found


def kind_of(path: str) -> str:
    """The kind of page that an address is of: ids and numbers, and the values of its query, are of no account."""
    split = urlsplit(path)
    parts = [each if each.isalpha() or each == "ledger.csv" else "*" for each in split.path.split("/")[3:]]
    return "/".join(parts) + "?" + "&".join(sorted(each.partition("=")[0] for each in split.query.split("&")))


def ways_in(html: str, watch: str) -> list[str]:
    """The addresses behind the link that a page leads to."""
    found = [unescape(each).partition("#")[0] for each in re.findall(r'href="([^"]*)"', html)]
    return [each for each in dict.fromkeys(found) if each.startswith(watch)]


def faults(watched: Watched, pages: dict[str, str]) -> list[str]:
    """What nobody who watches may be shown."""
    found = []
    for path, html in pages.items():
        if re.search(r'<form[^>]*method="post"', html):
            found.append(f"{path}: a form")
        led = {
            each
            for each in re.findall(r'href="([^"#?]*)', html)
            if not each.startswith((watched.watch, "/static"))
        }
        if led - {"", "/", "/sign-in", "/sign-up", "/about", "/privacy"}:
            found.append(f"{path}: leads to {led}")
        if "/c/" in html.replace("/static/", ""):
            found.append(f"{path}: an address of members")
        words = [*SECRETS.values(), watched.invite, "Bearer", "fl_", "fs_"]
        found += [f"{path}: {word}" for word in words if word in html]
    return found


@pytest.fixture(scope="module", params=STORIES)
def watched(request: Any, client: TestClient[Any]) -> Watched:
    return Watched(client, request.param)


def comparable(html: str, home: str) -> str:
    """What a page shows, whoever of those that know nothing reads it."""
    html = html.replace(home, "")
    for left_out in (NOTE, FEED, AGO, YOU, ADD_WORDS, CHECK, OF_ACCOUNTS, DATES, OWN_PANELS, DATA_OWN, DATA_OVER):
        html = left_out.sub("", html)
    main = MAIN.search(html)
    return "\n".join(line for line in (main[0] if main else html).splitlines() if line.strip())


def test_whatever_a_link_leads_to_can_be_read_has_no_form_and_tells_no_secret(watched):
    pages = watched.crawled(80)
    assert len(pages) > 25
    assert faults(watched, pages) == []


def test_a_page_that_is_watched_is_the_page_of_an_observer_of_whom_nobody_knows_anything(watched):
    observer = Browser(watched.client).sign_in(watched.observer.name)
    for path, html in watched.crawled(40).items():
        if path.startswith("/stream"):
            continue
        own = observer.get(f"{watched.home}{path}")
        assert own.status_code == 200, path
        assert comparable(html, watched.watch) == comparable(own.text, watched.home), path


def test_a_link_that_reads_what_gms_read_is_noticed(watched, monkeypatch):
    """Negative control."""
    read_as = visible_campaign._reads_as

    def as_gm(campaign_id: Any, common: Any, account: Any, folds: Any) -> Any:
        gm = next(member for member, role in common.members.items() if role == "gm")
        return read_as(campaign_id, common, gm, folds)

    monkeypatch.setattr(visible_campaign, "_reads_as", as_gm)
    found = faults(
        watched, {path: Browser(watched.client).get(f"{watched.watch}{path}").text for path in ("/chronicle", "")}
    )
    assert any(SECRETS["gm"] in each for each in found)
    assert any("a form" in each for each in found)


def test_every_page_that_may_be_watched_is_looked_at_and_none_takes_a_form(client):
    handlers = [*PAGES, followed]
    own = [(path, each) for each in handlers for path in each.paths if path.startswith(WATCH)]
    assert [path for path, each in own if each.http_methods != {"GET"}] == []
    assert {path.removeprefix(WATCH) for path, _ in own} == {
        *("", "/table", "/table/{panel:str}", "/stream", "/live", "/boards", "/chronicle", "/recap", "/book"),
        *("/sheets", "/sheets/{key:str}", "/sheets/{key:str}/why", "/sheets/{key:str}/record"),
        *("/boards/{system:str}/{board_key:str}/why", "/a/{seq:int}", "/a/{seq:int}/proof", "/compare"),
        *("/calendar", "/downtime", "/timers", "/luck", "/dice"),
        *("/money", "/money/{account:str}", "/money/{account:str}/why", "/ledger.csv", "/ledger/export"),
        *("/things", "/things/{thing:str}"),
    }


def test_nothing_else_is_behind_a_link_and_nothing_can_be_sent_there(watched):
    browser = Browser(watched.client)
    for path in (
        "/members",
        "/settings",
        "/next",
        "/do",
        "/do/campaign.roll",
        "/gm",
        "/files",
        "/fork",
        "/a/3/undo",
    ):
        assert browser.get(f"{watched.watch}{path}").status_code == 404, path
    for path in ("/table/do", "/table/dice"):
        assert browser.get(f"{watched.watch}{path}").status_code == 404, path
    for path in ("/notes", "/do/campaign.add_note", "/session", "/table", ""):
        assert browser.post(f"{watched.watch}{path}", text="x").status_code in (404, 405), path
    assert browser.get(watched.home).status_code in (200, 401)  # it signs nobody in
    assert not browser.cookies


def test_a_link_that_never_was_and_one_that_was_revoked_are_told_alike(watched):
    made = watched.ask("POST", "/invites", {"role": "watcher"})
    browser = Browser(watched.client)
    assert browser.get(f"/watch/{made['code']}/table").status_code == 200
    path = f"/api{watched.path}/invites/{made['invite_id']}"
    assert watched.client.delete(path, headers=watched.gm).status_code == 204
    pages = [browser.get(f"/watch/{code}/table") for code in (made["code"], "fw_" + "A" * 43, watched.invite, "x")]
    assert {page.status_code for page in pages} == {404}
    assert len({MAIN.search(page.text)[0] for page in pages}) == 1  # type: ignore[index]
    assert "not valid, or not any more" in pages[0].text


def test_who_is_signed_in_watches_as_anybody_does_and_stays_signed_in(watched):
    browser = Browser(watched.client).sign_in(watched.observer.name)
    page = browser.get(f"{watched.watch}/table")
    assert watched.observer.name not in page_of(page.text).one("header", class_="site-head").text
    assert browser.cookies
    assert browser.get(watched.home).status_code == 200


def test_a_gm_makes_a_link_on_the_page_of_members_and_revokes_it_there(client):
    gm = Person(client, "Vera of links")
    campaign = gm.post("/campaigns", {"name": "Quiet", "systems": ["angst"]}).json()["campaign_id"]
    player = Person(client, "Piet of links")
    code = gm.post(f"/campaigns/{campaign}/invites", {"role": "player"}).json()["code"]
    assert player.post(f"/invites/{code}/accept").status_code == 201
    own, browser = Browser(client).sign_in(player.name), Browser(client).sign_in(gm.name)
    members = f"/c/{campaign}/members"
    assert "There is no link" in own.page(members).text or "watching" not in own.page(members).text
    form = browser.page(members).one("section", aria_labelledby="watching").all("form")[-1]
    fields = {each.attributes["name"]: each.attributes["value"] for each in form.all("input")}
    shown = browser.post(form.attributes["action"], **fields)
    link = page_of(shown.text).one("input", id="link").attributes["value"]
    assert "/watch/fw_" in link
    stranger = Browser(client)
    assert "Quiet" in stranger.page(urlsplit(link).path).text
    assert "somebody may be watching" in own.page(members).text
    assert "Revoke" not in own.page(members).text
    assert link.rpartition("/")[2] not in browser.get(members).text
    revoke = browser.page(members).one("section", aria_labelledby="watching").all("form")[0]
    back = browser.post(revoke.attributes["action"], next=members)
    assert "There is no link" in page_of(back.text).text
    assert eventually(lambda: stranger.get(urlsplit(link).path).status_code == 404)


def test_the_page_of_a_link_is_for_gms(client, watched):
    observer = Browser(watched.client).sign_in(watched.observer.name)
    assert observer.get(f"{watched.home}/invites/{watched.code}").status_code == 403
