"""Numbers of boards and balances lead to what moved them, in every story; what has no path has no link."""

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from domain.systems import SYSTEMS
from services.cli.demo.recording import recorded_names, recording_of
from services.cli.demo.story import Story
from services.reading import diff
from tests.sampling import slow_but
from tests.services.conftest import Person
from tests.stories.memory_service import memory_service
from tests.stories.played_story import SEED
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of

STORIES = [name for name in recorded_names() if name in SYSTEMS]
MOMENTS = 53
"""So many moments of a story are looked at."""
NUMBER = re.compile(r"\d+")
NAMES = ("tick", "halo muted", "letters", "letter ")
"""Classes of a drawing's texts that name something: marks of a scale, rings, and tokens."""
EXPLAINED = {
    "angst": (
        *("relationships bonds.grade", "relationships bonds.modifier", "relationships bonds.since_session"),
        *("scene called_tests.test.dn", "scene open_tests.test.total", "scene opposed_tests.test.total"),
        *(
            "scene people.cores.physical.effective",
            "scene people.overwhelming",
            "scene offers.types.guilt.next_dn",
        ),
    ),
    "frame_state": (
        *("mission open_tests.mark", "mission open_tests.added", "mission frames_due.price"),
        "mission payouts.amount",
    ),
    "freefall": (
        *("turn seats.seat", "turn seats.resolves", "turn seats.dice_left", "turn clocks.filled"),
        *("turn machines.frm.current", "turn machines.sys.current", "turn pending_harm.harm.levels"),
    ),
    "mobile_frame": (
        *("battle players.ppa", "battle players.assets", "battle players.score", "battle frames.defense"),
        *("battle frames.spot", "battle covers.height", "battle results.rounds"),
    ),
    "overdrive": (
        *("fight fighters.place", "fight fighters.damage.stands.value", "fight fighters.pm"),
        *("fight fighters.position.ring", "fight attack.successes", "story duel.sides.successes"),
        *("story duel.sides.reserve", "story reactions.recovers", "story tensions.difficulty"),
    ),
}
"""What is linked on the boards of each story."""


class Reader:
    """A GM who joined a campaign after its story."""

    def __init__(self, client: Any, story: Story) -> None:
        gm = next(iter(story.tokens.values()))
        self.api = f"/api/campaigns/{story.campaign_id}"
        made = client.post(
            f"{self.api}/invites", json={"role": "gm"}, headers={"Authorization": f"Bearer {gm}"}
        ).json()
        late = Person(client, "Zoë")
        assert late.post(f"/invites/{made['code']}/accept").status_code == 201
        self.browser, self.home = Browser(client).sign_in("Zoë"), f"/c/{story.campaign_id}"
        self.last = self.browser.api("GET", f"/campaigns/{story.campaign_id}").json()["as_of"]

    def page(self, path: str) -> Element:
        return self.browser.page(path)

    @property
    def moments(self) -> range:
        return range(1, self.last, max(1, self.last // MOMENTS))

    @cached_property
    def pages(self) -> list[Element]:
        """The boards at many moments."""
        return [self.page(f"{self.home}/boards?at={at}") for at in self.moments]

    def links(self, rare: frozenset[str] = frozenset()) -> Iterator[tuple[str, str, str]]:
        """What numbers lead to, each kind of them once: its kind, its address and the text of its cell.

        As long as a `rare` kind is missing, other moments are looked at, too: spread over the story at first, and
        then ever closer.
        """
        known = set[str]()
        others = sorted({*range(1, self.last)} - {*self.moments}, key=lambda at: f"{at:b}"[::-1])
        more = (self.page(f"{self.home}/boards?at={at}") for at in others if not rare <= known)
        for page in chain(self.pages, more):
            for each in page.all("a", class_="why"):
                address = each.attributes["href"]
                kind = kind_of(address)
                if kind not in known:
                    known.add(kind)
                    yield kind, address, each.text


def kind_of(address: str) -> str:
    """Which field of which board an address explains."""
    parts = urlsplit(address)
    [path] = parse_qs(parts.query)["path"]
    return parts.path.partition("/boards/")[2].removesuffix("/why") + " " + re.sub(r"\[[^]]*\]", "", path)


@pytest.fixture(scope="module", params=slow_but(STORIES, "freefall"))
def reader(request: Any) -> Iterator[Reader]:
    with memory_service(SEED) as client:
        story = Story(recording_of(request.param), client, suffix=" of why", wait_seconds_max=0)
        for _ in story.play():
            pass
        yield Reader(client, story)


def unexplained_on(board: Element) -> Iterator[str]:
    """The texts with a number that leads nowhere: of its tables, and of its drawing what no table leads on from.

    A drawing's marks of a scale and letters of tokens are names; the sentence below it may count rows of tables.
    """
    for cell in (cell for body in board.all("tbody") for tag in ("td", "th") for cell in body.all(tag)):
        yield from (each.strip() for each in outside_links(cell) if NUMBER.search(each))
    explained = {number for link in board.all("a", class_="why") for number in NUMBER.findall(link.text)}
    counted = {0}
    for body in board.all("tbody"):
        counted |= {rows + len(body.all("tr")) for rows in counted}
    for each in board.all("figcaption"):
        yield from [each.text] if not {*NUMBER.findall(each.text)} <= explained | {*map(str, counted)} else []
    for each in (each for svg in board.all("svg") for each in (svg, *svg.all("*"))):
        named = each.tag in ("title", "desc") or each.attributes.get("class", "").startswith(NAMES)
        told = [each.attributes.get("aria-label", ""), "" if named or each.tag != "text" else each.text]
        yield from (text for text in told if not {*NUMBER.findall(text)} <= explained)


def amounts_left(element: Element) -> Iterator[str]:
    """The amounts of money that lead nowhere, but for zeros, and sums of what is listed."""
    for each in element.inside:
        kinds = each.attributes.get("class", "").split(" ")
        if "sum" in kinds and digits("".join(outside_links(each))).strip("0"):
            yield each.text
        elif each.tag != "a" and "totals" not in kinds and not each.text.startswith("In play:"):
            yield from amounts_left(each)


def amount(text: str) -> int:
    return int(digits(text)) * (-1 if text.startswith("\N{MINUS SIGN}") else 1)


def outside_links(element: Element) -> Iterator[str]:
    """The texts of an element but for those that lead somewhere."""
    inner = iter(element.inside)
    for each in element.texts:
        if each != "\0":
            yield each
        elif (child := next(inner)).tag != "a":
            yield from outside_links(child)


def digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def test_every_number_of_a_board_says_what_moved_it(request, reader):
    [story] = [name for name in STORIES if name in request.node.name]
    wanted = frozenset(f"{story}/{kind}" for kind in EXPLAINED[story])
    found = set()
    for kind, address, text in reader.links(wanted):
        page = reader.page(address)
        if not page.one("p", class_="now").all("b"):
            continue  # a thing of several parts
        value = page.one("p", class_="now").one("b").text
        assert digits(value) in digits(text), (kind, value, text)
        [*moves] = page.one("section", aria_labelledby="moves").all("li")
        assert moves, kind
        assert moves[-1].all("b")[-1].text == value, kind
        assert moves[0].one("span", class_="moved").text != "\N{EN DASH}", kind
        reader.page(moves[-1].one("a").attributes["href"])
        found.add(kind)
    assert wanted <= found


def test_only_of_a_long_campaign_a_page_says_where_the_search_began(reader, monkeypatch):
    _, address, _ = next(reader.links())
    assert "In this long campaign" not in reader.page(address).text
    monkeypatch.setattr(diff, "BOARD_EVENTS_MAX", 0)
    assert "In this long campaign" in reader.page(address).text


def test_what_no_board_has_is_not_explained(reader):
    for path in ("nonsense", "a.b[c]", "..", "turns[0]", "+", "[+]"):
        answer = reader.browser.get(f"{reader.home}/boards/freefall/turn/why?path={path}")
        assert answer.status_code in (400, 404), path


def test_every_number_of_a_board_leads_to_why_it_is_so(reader):
    boards = [board for page in reader.pages for board in page.all("section", class_="panel board-panel")]
    assert any(board.all("svg") for board in boards)
    assert {(board.one("h2").text, each) for board in boards for each in unexplained_on(board)} == set()


def test_a_number_of_a_board_that_leads_nowhere_is_noticed():
    """Negative control."""
    drawn = (
        "<svg aria-label='ring 9'><title>8</title><text class='tick past'>7</text><text>3 : 6</text></svg>"
        "<figcaption>1 test, 5 dice</figcaption><table><tbody><tr><th>Ana</th>"
        "<td>lance \N{RIGHTWARDS ARROW} 4, <a class='why' href='/x'>3</a></td></tr></tbody></table>"
    )
    found = [*unexplained_on(page_of(f"<section>{drawn}</section>").one("section"))]
    assert found == ["lance \N{RIGHTWARDS ARROW} 4,", "1 test, 5 dice", "ring 9", "3 : 6"]


def test_every_amount_of_money_leads_to_why_it_is_so(reader):
    money = reader.page(f"{reader.home}/money")
    pages = [money]
    for purse in money.all("section", class_="panel purse"):
        ours = [each for group in purse.all("div", class_="groups-of") for each in group.all("div")]
        held = [amount(each.text) for group in ours for each in group.all("a", class_="why")]
        assert amount(purse.one("span", class_="small muted").one("span").text) == sum(held)
        pages += [
            reader.page(each.attributes["href"]) for each in purse.all("a") if "class" not in each.attributes
        ]
    assert [each for page in pages for each in amounts_left(page.one("main"))] == []
    for page in pages[1:]:
        for link in page.all("a", class_="why")[:3]:
            why = reader.page(link.attributes["href"])
            now = [each.one("b").text for each in why.all("p", class_="now")]
            assert now in ([], [link.text]), link.attributes["href"]


def test_an_amount_that_leads_nowhere_is_noticed():
    """Negative control."""
    drawn = (
        "<span class='sum'>7</span><span class='sum'>0</span><a href='/x'><span class='sum'>6</span></a>"
        "<table class='totals'><span class='sum'>5</span></table><span>In play: <span class='sum'>4</span></span>"
    )
    assert [*amounts_left(page_of(drawn))] == ["7"]


def test_what_the_group_gave_its_key_is_called_by_its_name(request, reader):
    if "freefall" not in request.node.name:
        pytest.skip("no other story has such a thing on a board")
    told = {reader.page(address).one("h1").text for kind, address, _ in reader.links() if "seats.seat" in kind}
    assert {each.partition(", Place")[0] for each in told} == {"The wall guards"}
