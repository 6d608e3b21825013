"""A campaign's boards in the browser: drawn from what the API tells of them, for members alone."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx
import pytest

from services.cli.demo.recording import recording_of
from services.cli.demo.story import Story
from tests.services.conftest import Person, Table
from tests.stories.memory_service import memory_service
from tests.stories.played_story import SEED
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of

MOMENTS = range(20, 10_000, 15)
NOT_FOR_PEOPLE = ("_", "None", "character-")


def read(browser: Browser, path: str, **headers: str) -> httpx.Response:
    answer = browser.client.get(path, headers=browser.headers | headers, follow_redirects=False)
    browser.client.cookies.clear()
    return answer


def boards_page(browser: Browser, campaign: str, query: str = "", **headers: str) -> Element:
    answer = read(browser, f"/c/{campaign}/boards{query}", **headers)
    assert answer.status_code == 200, answer.text
    return page_of(answer.text)


class Newcomer(NamedTuple):
    """A browser of a player who joined a campaign after its story."""

    browser: Browser
    campaign: str

    def fight(self, seq: int) -> Any:
        return self.browser.api("GET", f"/campaigns/{self.campaign}/boards/overdrive/fight?at={seq}").json()

    def during(self, told: str) -> int:
        """A moment at which the fight has something."""
        return next(seq for seq in MOMENTS if self.fight(seq)[told])


@pytest.fixture(scope="module")
def newcomer() -> Iterator[Newcomer]:
    with memory_service(SEED) as client:
        story = Story(recording_of("overdrive"), client, suffix=" of boards", wait_seconds_max=0)
        for _ in story.play():
            pass
        gm = next(iter(story.tokens.values()))
        path = f"/api/campaigns/{story.campaign_id}/invites"
        made = client.post(path, json={"role": "player"}, headers={"Authorization": f"Bearer {gm}"})
        late = Person(client, "Zoë")
        assert late.post(f"/invites/{made.json()['code']}/accept").status_code == 201
        yield Newcomer(Browser(client, language="").sign_in("Zoë"), story.campaign_id)


def test_a_board_is_drawn_with_the_same_as_a_table_beside_it(newcomer):
    seq = newcomer.during("attack")
    board = newcomer.fight(seq)
    page = boards_page(newcomer.browser, newcomer.campaign, f"?at={seq}")
    fight, story = page.all("section", class_="panel board-panel")
    assert [each.one("h2").text for each in (fight, story)] == ["Le combat", "L\u2019histoire"]
    assert fight.attributes["data-game"] == "overdrive"
    drawing = fight.one("svg", class_="board")
    told = [each.attributes["aria-label"] for each in drawing.all("a")]
    rows = [
        each.one("th", scope="row").text
        for table in fight.one("details").all("table")
        if table.one("caption").text == "Combattants"
        for each in table.one("tbody").all("tr")
    ]
    names = [each["who"]["name"] for each in board["fighters"]]
    assert len(names) > 3
    assert rows == names
    assert all(any(each.startswith(f"{name}, ") for each in told) for name in names)
    assert drawing.all("rect", class_="plate attack")


def test_a_page_says_nothing_that_is_not_for_people(newcomer):
    page = boards_page(newcomer.browser, newcomer.campaign, f"?at={newcomer.during('attack')}")
    assert [word for word in NOT_FOR_PEOPLE if word in page.one("main").text] == []
    assert page.one("header").all("a", href=f"/c/{newcomer.campaign}")
    assert [each for each in page.all("*") if "style" in each.attributes] == []


def test_boards_are_in_the_language_of_their_reader(newcomer):
    seq = newcomer.during("attack")
    found = boards_page(newcomer.browser, newcomer.campaign, f"?at={seq}", **{"Accept-Language": "en"})
    assert [each.text for each in found.all("h2")] == ["The fight", "The story"]
    assert "Fighters" in [each.text for each in found.all("caption")]


def test_a_board_with_nothing_on_it_says_so(newcomer):
    page = boards_page(newcomer.browser, newcomer.campaign, **{"Accept-Language": "en"})
    assert "There is no fight." in [each.text for each in page.all("p")]


def test_boards_are_for_members_who_signed_in(newcomer):
    path = f"/c/{newcomer.campaign}/boards"
    client = newcomer.browser.client
    asked = client.get(path, follow_redirects=False)
    assert (asked.status_code, asked.headers["location"]) == (303, f"/sign-in?next={path}")
    Person(client, "Stranger")
    stranger = Browser(client).sign_in("Stranger")
    assert read(stranger, path).status_code == 404
    for wrong in ("?at=99999999", "?at=-1", "?at=never"):
        assert read(newcomer.browser, path + wrong).status_code in (400, 404)
    assert read(newcomer.browser, "/c/nowhere/boards").status_code in (400, 404)


@pytest.mark.parametrize("system", ["frame_state", "mobile_frame"])
def test_boards_without_anybody_say_what_to_do_first(table: Table, system: str):
    founded = table.gm.post("/campaigns", {"name": "Bare", "systems": [system]}).json()["campaign_id"]
    gm = Browser(table.gm.client).sign_in(table.gm.name)
    page = boards_page(gm, founded)
    [first] = [each for each in page.all("section") if each.attributes["class"] == "panel empty"]
    links = first.all("a")
    assert links
    for link in links:
        assert gm.get(link.attributes["href"]).status_code == 200
