"""Long campaigns in the browser: gone through, searched and undone in, without any page growing.

`FIELDLOG_EVENTS_LONG` says how long; `.ci/release` takes 100,000 events.
"""

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import pytest
from litestar.testing import TestClient

from domain.campaign.history.undo import CONSEQUENCES_MAX
from domain.campaign.secrecy.audience import GM, TABLE, Audience
from domain.ids import AccountId, CampaignId
from services.campaign.state_at import StateReader
from services.http.screen.routes import PAGES
from services.reading.chronicle import WORDS_SEARCHED_MAX
from services.settings import Settings
from services.workers.projector import Projector
from tests.applications import an_application
from tests.bench.campaigns import NOTE, Script, a_script, write
from tests.engines import DICE_KEY, PostgresServer
from tests.services.conftest import NO_RATES, Person
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of

pytestmark = pytest.mark.slow

SHORT = 2_000
LONG = int(os.environ.get("FIELDLOG_EVENTS_LONG", "10000"))
CATALOGUE = 5
"""The seq of what every pilot and frame of the campaign rests on."""
MOMENTS = 10
REACH = 1.1
"""So much longer may a page of a long campaign be: numbers have more digits."""
MEMBER = "/c/{campaign:str}/as/{member:str}"
WHOLE = ("/ledger.csv", "/ledger/export", "/book")
"""Files, and a book to print, have everything in them."""
ASKED = {
    "/sheets/{key:str}/why": "?path=currency",
    "/boards/{system:str}/{board_key:str}/why": "?path=open_tests",
    "/money/{account:str}/why": "?currency=credits",
    "/compare": "?from={early}&to={late}",
    "/verify": "?run=yes&wait=yes",
    "/a/{seq:int}/undo": "?wait=yes",
    "/a/{seq:int}/redo": "?wait=yes",
}
UNFILLED = ("{activity:str}", "{command:str}", "{thing:str}", "/recap")
"""What this campaign has none of."""


class Length(NamedTuple):
    """A campaign of so many events, as its GM reads it."""

    browser: Browser
    campaign_id: CampaignId
    events: int
    pilot: str
    player: str

    @property
    def home(self) -> str:
        return f"/c/{self.campaign_id}"

    def read(self, path: str) -> tuple[int, int]:
        """How many bytes and elements a page has."""
        answer = self.browser.get(self.home + self.filled(path))
        assert answer.status_code == 200, (path, answer.text)
        return len(answer.content), len(page_of(answer.text).all("*"))

    def page(self, path: str) -> Element:
        return self.browser.page(self.home + path)

    def filled(self, path: str) -> str:
        """The address of a page here, of something near the end."""
        known = {
            "key:str": self.pilot,
            "account:str": f"pilot:{self.pilot}",
            "seq:int": str(self.events - 20),
            "system:str": "frame_state",
            "board_key:str": "mission",
            "product:str": "fight",
            "early": str(self.events // 2),
            "late": str(self.events - 5),
        }
        step = "/members/{account:str}/{step:str}"
        address = path.replace(step, f"/members/{self.player}/remove") + ASKED.get(path, "")
        for name, value in known.items():
            address = address.replace(f"{{{name}}}", value)
        return address


class Lengths(NamedTuple):
    """A short campaign, and a long one with the same kind of past."""

    short: Length
    long: Length
    people: list[Person]


def read_pages() -> list[str]:
    """Every page that members read, by what follows the campaign's path."""
    paths = (path for page in PAGES for path in page.paths if path.startswith(MEMBER))
    pages = sorted(path.removeprefix(MEMBER) for path in paths)
    return [each for each in pages if each not in WHOLE and not any(part in each for part in UNFILLED)]


@pytest.fixture(scope="module")
def lengths(postgres_server: PostgresServer) -> Iterator[Lengths]:
    urls = postgres_server.new_database()
    settings = Settings(database_url=urls.service, dice_key=DICE_KEY, password_kib=64, **NO_RATES)
    with an_application(settings) as app, TestClient(app, raise_server_exceptions=False) as client:
        gm, player = Person(client, "Ana"), Person(client, "Mara")
        made = CampaignId(uuid4()), CampaignId(uuid4())

        async def written() -> tuple[Script, list[int]]:
            script = a_script(*(AccountId(UUID(each.account_id)) for each in (gm, player)))
            events = [script.whole(each) for each in (SHORT, LONG)]
            await write(urls, script, dict(zip(made, events, strict=True)))
            application = app.state.application
            for each in made:
                await Projector(application.log, application.views, application.handler).campaign(each)
            return script, events

        with client.portal() as portal:
            script, events = portal.call(written)
        browser = Browser(client).sign_in("Ana")
        who = script.pilots[0], player.account_id
        short, long = (Length(browser, *each, *who) for each in zip(made, events, strict=True))
        yield Lengths(short, long, [gm, player])
    postgres_server.drop_database(urls)


@pytest.mark.parametrize("path", read_pages())
def test_no_page_grows_with_its_campaign(lengths: Lengths, path: str):
    (small, few), (large, many) = lengths.short.read(path), lengths.long.read(path)
    assert large <= small * REACH, f"{large:,} bytes, not {small:,}"
    assert many <= few * REACH, f"{many:,} elements, not {few:,}"


def test_every_page_of_the_past_is_as_long_as_any(lengths: Lengths):
    for path in ("", "/sheets/{key:str}", "/boards", "/chronicle", "/table"):
        few, many = (
            max(each.read(f"{path}?at={each.events * nth // (MOMENTS + 1)}")[1] for nth in range(2, MOMENTS + 1))
            for each in lengths[:2]
        )
        assert many <= few * REACH, path


def test_words_are_found_in_a_long_campaign_page_by_page(lengths: Lengths):
    long, asked = lengths.long, "/chronicle?text=seventh"
    found = long.page(asked).all("li", class_="line")
    assert found
    assert all(NOTE.text in each.text for each in found)
    before = long.browser.page(further_back(long.page(asked))).all("li", class_="line")
    assert {each.attributes["id"] for each in found}.isdisjoint(each.attributes["id"] for each in before)


def test_words_that_nobody_said_are_looked_for_page_by_page_to_the_beginning(lengths: Lengths):
    long = lengths.long
    page, pages = long.page("/chronicle?text=nothing+of+the+kind"), 1
    while address := further_back(page):
        assert "What came before was not looked through yet" in page.text
        page = long.browser.page(address)
        pages += 1
        assert page.all("li", class_="line") == []
    assert "Nothing here fits what you look for" in page.text
    assert pages >= long.events // WORDS_SEARCHED_MAX


def test_an_early_action_of_a_long_campaign_is_undone_and_redone(lengths: Lengths):
    """A note: what rests on it is looked for in everything that came after, and nothing does."""
    long, table = lengths.long, lengths.short.read("/table")
    [line] = long.page(f"/chronicle?text=seventh&before={long.events // 10}").all("li", class_="line")[-1:]
    seq = line.attributes["id"].removeprefix("a")
    for verb, is_undone in (("undo", True), ("redo", False)):
        page = long.page(f"/a/{seq}/{verb}?wait=yes")
        assert page.all("section", aria_labelledby="going") == []
        form: Any = next(each for each in page.all("form") if each.attributes["action"].endswith(verb))
        hidden = {each.attributes["name"]: each.attributes["value"] for each in form.all("input", type="hidden")}
        answer = long.browser.post(form.attributes["action"], **hidden)
        assert ("Undone by" in page_of(answer.text).text) is is_undone
        kept = long.page(f"/chronicle?before={int(seq) + 1}").one("li", id=f"a{seq}")
        assert ("undone" in kept.attributes["class"].split()) is is_undone
        assert all(now <= then * REACH for now, then in zip(long.read("/table"), table, strict=True))


def test_after_an_early_undo_twenty_readers_are_answered_from_one_fold_for_each_audience(lengths, monkeypatch):
    """And those of another campaign meanwhile."""
    long, short, folds = lengths.long, lengths.short, Counter[tuple[CampaignId, str]]()
    at = StateReader.at

    async def counted(
        states: StateReader, campaign_id: CampaignId, audience: Audience, *upto: Any, **of: Any
    ) -> Any:
        folds[campaign_id, audience.key] += 1
        return await at(states, campaign_id, audience, *upto, **of)

    [line] = long.page(f"/chronicle?text=seventh&before={long.events // 10}").all("li", class_="line")[-1:]
    seq, people = int(line.attributes["id"].removeprefix("a")), lengths.people

    def read(nth: int) -> Any:
        length = short if nth % 3 == 2 else long
        return people[nth % 2].get(f"/campaigns/{length.campaign_id}").status_code

    assert [read(nth) for nth in range(6)] == [200] * 6, "both campaigns are in memory, whatever ran before"
    for verb in ("undo", "redo"):
        [action] = (
            people[0].get(f"/campaigns/{long.campaign_id}/actions?after={seq - 1}&limit=1").json()["actions"]
        )
        done = people[0].post(f"/campaigns/{long.campaign_id}/actions/{action['action_id']}/{verb}", {})
        assert done.status_code == 201, done.text
        monkeypatch.setattr(StateReader, "at", counted)
        with ThreadPoolExecutor(30) as readers:
            assert [*readers.map(read, range(30))] == [200] * 30
        monkeypatch.undo()
        assert folds == {(long.campaign_id, TABLE.key): 1, (long.campaign_id, GM.key): 1}
        folds.clear()


def test_what_a_whole_long_campaign_rests_on_is_not_undone(lengths: Lengths):
    long = lengths.long
    page = long.page(f"/a/{CATALOGUE}/undo?wait=yes")
    assert f"More than {CONSEQUENCES_MAX:,} later actions" in page.one("p", role="alert").text
    assert "Undo these" not in page.text


def further_back(page: Element) -> str:
    """Where a search goes on; empty: nowhere."""
    buttons = page.all("a", class_="button")
    return next((each.attributes["href"] for each in buttons if each.text == "Look further back"), "")
