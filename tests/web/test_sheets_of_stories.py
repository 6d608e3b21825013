"""At the end of every recorded story, the page of each sheet says what the API says, in words for people."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from litestar.testing import TestClient

from projections.campaign.diff import value_at
from projections.word_list import word_list
from services.cli.demo.recording import recorded_names, recording_of
from services.cli.demo.story import Story
from tests import golden
from tests.refusals import ids_in
from tests.sampling import slow_but
from tests.stories.memory_service import memory_service
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of
from tests.web.sheet_reading import (
    Read,
    missing_numbers,
    numbers_in,
    numbers_on,
    texts_in,
    unexplained,
    unlabelled,
    views_of,
)

GOLDEN = Path(__file__).with_name("sheets_of_stories.golden.json")
GOLDEN_SHEETS = {
    "angst": ("en", "Sister Calla"),
    "frame_state": ("en", "Ines Okafor"),
    "freefall": ("en", "Wren"),
    "mobile_frame": ("fr", "La bataille"),
    "overdrive": ("fr", "Idris Benhaddou"),
}
PARTS = 4
"""Sheets are read at the end of each of so many parts of a story."""


def pages_of(name: str) -> Iterator[Read]:
    """Every sheet of a story at its end, and the board that stands for sheets, for its GM and for a player."""
    with memory_service(1) as client:
        story = Story(recording_of(name), client, suffix="", wait_seconds_max=0)
        for _ in story.play():
            pass
        people = story.recording.title.people
        gm = story.recording.title.gm
        player = next(each for each, person in people.items() if person.role == "player")
        for who, language in product((gm, player), ("en", "fr")):
            yield from pages_read(client, story, who, language, None)
        end = story.get(gm)["as_of"]
        for part in range(1, PARTS):
            yield from pages_read(client, story, gm, "en", part * end // PARTS)


def pages_read(client: TestClient[Any], story: Story, who: str, language: str, at: int | None) -> Iterator[Read]:
    """Every sheet as one person reads it."""
    headers = Browser(client, language).sign_in(story.name(who), story.password).headers
    when = {} if at is None else {"at": at}
    for key, struct, view in views_of(story, who, language, when):
        answer = client.get(f"/c/{story.campaign_id}/sheets/{key}", headers=headers, params=when)
        assert answer.status_code == 200, answer.text
        page = page_of(answer.text)
        asked = explaining(page) if (who, language) == (story.recording.title.gm, "en") else []
        explained = [client.get(each.attributes["href"], headers=headers) for each in first_and_last(asked)]
        assert {each.status_code for each in explained} <= {200}, [each.text for each in explained]
        yield Read(who, language, at, struct, view, page, tuple(page_of(each.text) for each in explained))


def explaining(page: Element) -> list[Element]:
    """The links from numbers to why they are what they are."""
    return page.all("a", class_="why")


@pytest.fixture(scope="module", params=slow_but(recorded_names(), "freefall"))
def read(request: pytest.FixtureRequest) -> tuple[str, list[Read]]:
    return request.param, [*pages_of(request.param)]


def test_every_sheet_is_read_by_the_gm_and_a_player_in_two_languages(read):
    name, pages = read
    assert pages
    assert len({(each.who, each.language) for each in pages if each.at is None}) == 4, name
    assert {each.at for each in pages} != {None}, name
    assert {each.page.one("html").attributes["lang"] for each in pages} == {"en", "fr"}
    assert all(len(each.page.all("h1")) == 1 for each in pages)


def test_no_page_shows_an_id_an_underscore_or_none(read):
    for each in read[1]:
        wrong = [
            *ids_in(each.text),
            *re.findall(r"\S*_\S*", each.text),
            *re.findall(r"\bNone\b|\bundefined\b", each.text),
        ]
        assert wrong == [], (each.view.get("name"), each.language, each.at)


def test_every_number_of_a_sheet_is_on_its_page_as_often_as_in_the_api(read):
    for each in read[1]:
        assert missing_numbers(each) == Counter(), (each.view.get("name"), each.language, each.at)


def test_every_figure_that_says_something_has_its_title(read):
    for each in read[1]:
        assert unlabelled(each) == [], (each.view.get("name"), each.language, each.at)


def test_the_number_that_leads_to_why_is_the_one_that_stands_there(read):
    for each in read[1]:
        for link in explaining(each.page):
            [path] = parse_qs(urlsplit(link.attributes["href"]).query)["path"]
            value = value_at(each.view, path)
            if isinstance(value, dict | list):
                continue  # a thing by its name, whose figures stand beside it
            heard = [link.text, *(inner.attributes.get("aria-label", "") for inner in link.all("*"))]
            assert numbers_on(str(value)) <= numbers_on(" ".join(heard)), (path, value, heard)


def test_every_number_of_a_sheet_leads_to_why_it_is_so(read):
    for each in read[1]:
        if each.language == "en":
            found = [*unexplained(each.page.one("article"))]
            assert found == [], (each.view.get("name"), each.who, each.at)


def test_a_number_that_leads_nowhere_is_noticed():
    """Negative control."""
    drawn = (
        "<dt>Day 9</dt><dd><b>2</b> <a class='why' href='/x'><b>3</b></a></dd><p>Monday, 1 May 7, 03:00 and 4</p>"
    )
    slots = "<ol class='slots'><li><b>1</b><span>5</span></li></ol>"
    assert [*unexplained(page_of(drawn + slots))] == ["2", "Monday, 1 May 7, 03:00 and 4", "5"]


def test_why_is_told_in_words_up_to_the_number_on_the_sheet(read):
    name, pages = read
    found = [each for each in pages if each.explained]
    assert found or name == "mobile_frame", name
    for each in found:
        for link, page in zip(first_and_last(explaining(each.page)), each.explained, strict=True):
            [path] = parse_qs(urlsplit(link.attributes["href"]).query)["path"]
            value, now = value_at(each.view, path), page.one("p", class_="now").all("b")
            if isinstance(value, dict):
                assert now == [], path
            else:
                assert numbers_on(str(value)) == numbers_on(now[0].text), path
                moves = [line.one("span", class_="moved").one("b").text for line in page.one("main").all("li")]
                assert moves[-1:] in ([], [now[0].text]), path
                assert moves[:1] != ["\N{EN DASH}"], path
            told = " ".join(texts_in(page.one("main")))
            assert [*ids_in(told), *re.findall(r"\S*_\S*", told)] == [], path


def first_and_last(links: list[Element]) -> list[Element]:
    return links[:1] + links[-1:]


def test_a_sheet_of_each_system_reads_as_it_did(read):
    name, pages = read
    if name not in GOLDEN_SHEETS:
        pytest.skip("a story of a system that has another")
    language, title = GOLDEN_SHEETS[name]
    [found] = [
        lines(each.page.one("article"))
        for each in pages
        if (each.who, each.language, each.at) == (pages[0].who, language, None)
        if each.page.one("h1").text == title
    ]
    kept = golden.read(GOLDEN)
    if golden.is_writing():
        golden.write(GOLDEN, {**kept, name: found})
    told = golden.report(kept.get(name), found) if not golden.is_writing() else None
    assert told is None, told


BLOCKS = {"h2", "h3", "dt", "dd", "li", "tr", "div", "summary"}


def lines(element: Element) -> list[str]:
    """The texts of an element, a line for each block that holds no other."""
    if element.tag == "tr" or not any(each.tag in BLOCKS for each in below(element)):
        cells = [each.text for each in element.inside] if element.tag == "tr" else [element.text]
        heard = [each.attributes["aria-label"] for each in element.all("span", role="img")]
        told = " | ".join(cells) if element.tag == "tr" else " ".join(filter(None, (*cells, *heard)))
        return [told] if told else []
    found: list[str] = []
    loose: list[str] = []
    for each in element.inside:
        if each.tag in BLOCKS or any(inner.tag in BLOCKS for inner in below(each)):
            found += lines(each)
        else:
            loose += [each.text] if each.text else lines(each)
    return [*found, *loose]


def below(element: Element) -> Iterator[Element]:
    for each in element.inside:
        yield each
        yield from below(each)


def test_a_number_that_a_page_does_not_show_and_a_title_that_is_missing_are_noticed():
    """Negative control."""
    fields = word_list("en").structs["OverdriveCharacterSheetView"]
    said = [*numbers_in(word_list("en"), fields["stats"], {"agility": 3, "will": 0})]
    assert said == [3]
    assert Counter(said) - numbers_on("Agility 33 and 3 times") == Counter()
    assert Counter(said) - numbers_on("Agility a3 and 33") == Counter([3])
    assert numbers_on("12\u202f500 or 1,640") == Counter([12_500, 1_640])
    page = page_of("<main><article><h1>Noa</h1></article></main>")
    assert unlabelled(
        Read("gm", "en", None, "OverdriveCharacterSheetView", {"stats": {"will": 2}, "fatal": 0}, page)
    ) == ["stats"]
