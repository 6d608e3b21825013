"""Every recorded story reads as sentences on its chronicle and its table, for everyone, in two languages."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from services.cli.demo.recording import recorded_names, recording_of
from services.cli.demo.story import Story
from services.http.screen.shared.chronicle_lines import OUTCOMES
from tests.refusals import not_for_people
from tests.sampling import slow_but
from tests.stories.memory_service import memory_service
from tests.web.browser import Browser
from tests.web.form_keys import without_keys
from tests.web.html_page import Element, page_of

READ_ALOUD = ("aria-label", "title", "alt", "placeholder", "label")
"""Attributes that people see or hear."""
UNTOLD = {None, "none"}
"""What dice come to that is no outcome in a word."""
FACES = re.compile(
    r"(?<!\w)(?:[234]?d20 \([\d ]+\)"  # FREE/FALL
    r"|\([\d, →]*\d, \d\)"  # Overdrive
    r"|(?<!\+ )d6 \d|d\d+\s?: \d"  # Angst, Frame State
    r"|(?:white|blanc) \d|(?:dice|dés|die|dé)\s?: \d"  # Mobile Frame
    r"|: [\d ()!]+ → \d)"  # free rolls
)
"""How sentences say what dice show."""
PANELS = ("sheets", "do", "boards", "chronicle")


class Read(NamedTuple):
    """A story's pages as one person reads them in one language."""

    who: str
    language: str
    actions: list[dict[str, Any]]
    chronicle: list[Element]
    table: str
    panels: dict[str, str]


def heard(page: Element) -> str:
    """All that is seen or heard of a page."""
    told = [each.attributes[name] for each in page.all("*") for name in READ_ALOUD if name in each.attributes]
    return " ".join((page.text, *told))


def wrong_in(page: Element) -> list[str]:
    text = heard(page)
    return [*not_for_people(text), *re.findall(r"\S*_\S*", text), *re.findall(r"\bNone\b|\bundefined\b", text)]


def pages_of(name: str) -> Iterator[Read]:
    """For the GM and for a player."""
    with memory_service(1) as client:
        story = Story(recording_of(name), client, suffix="", wait_seconds_max=0)
        for _ in story.play():
            pass
        people = story.recording.title.people
        player = next(who for who, person in people.items() if person.role == "player")
        for who in (story.recording.title.gm, player):
            for language in ("en", "fr"):
                headers = Browser(client, language).sign_in(story.name(who), story.password).headers

                def read(path: str, headers: dict[str, str] = headers) -> str:
                    answer = client.get(path, headers=headers)
                    assert answer.status_code == 200, answer.text
                    return str(answer.text)

                at = f"/c/{story.campaign_id}"
                pages, path = list[Element](), f"{at}/chronicle"
                while path:
                    pages.insert(0, page_of(read(path)))
                    buttons = [each.attributes["href"] for each in pages[0].all("a", class_="button")]
                    path = next((each for each in buttons if "before=" in each), "")
                actions = list(story.pages(who, "/actions", "actions"))
                panels = {panel: read(f"{at}/table/{panel}") for panel in PANELS}
                yield Read(who, language, actions, pages, read(f"{at}/table"), panels)


@pytest.fixture(scope="module", params=slow_but(recorded_names(), "freefall"))
def read(request: pytest.FixtureRequest) -> list[Read]:
    return [*pages_of(request.param)]


def lines_on(pages: list[Element]) -> dict[int, Element]:
    found = [each for page in pages for each in page.all("li") if each.attributes.get("id", "").startswith("a")]
    return {int(each.attributes["id"][1:]): each for each in found}


def test_every_action_has_its_line_and_each_die_is_drawn(read):
    for each in read:
        lines = lines_on(each.chronicle)
        assert list(lines) == [action["seq"] for action in each.actions]
        for action in each.actions:
            line = lines[action["seq"]]
            dice = [die for roll in action["rolls"] for die in roll["dice"]]
            faces = [f"{die['face']}{die['letters'] or ''}" for die in dice]
            assert [svg.text for svg in line.all("svg")] == faces
            assert len(line.all("s")) == (len(action["summary"]) if action["undone_in"] else 0)


def shown_in(line: Element) -> str:
    """What eyes read: the dice in words are for ears, and for who copies the line."""
    heard = [each.text for each in line.all("span", class_="visually-hidden")]
    text = line.text
    for words in heard:
        text = text.replace(words, "")
    return text


def test_what_dice_show_is_drawn_and_not_said_beside_it(read):
    for each in read:
        lines = lines_on(each.chronicle)
        told, drawn = set(), set()
        for action in each.actions:
            if action["rolls"] and not action["undone_in"]:
                told |= {*FACES.findall(" ".join(action["summary"]))}
                drawn |= {*FACES.findall(shown_in(lines[action["seq"]]))}
        assert told or not any(action["rolls"] for action in each.actions), "no faces are said in this story"
        assert drawn == set()


def test_no_line_and_no_panel_shows_an_id_an_underscore_or_none(read):
    for each in read:
        for page in (*each.chronicle, *map(page_of, each.panels.values())):
            assert wrong_in(page) == [], (each.who, each.language)


def test_the_pages_are_in_the_language_that_was_asked_for(read):
    for each in read:
        assert {page.one("html").attributes["lang"] for page in each.chronicle} == {each.language}
        title = {"en": "Chronicle", "fr": "Chronique"}[each.language]
        assert each.chronicle[0].one("h1").text == title


def test_every_outcome_of_dice_has_its_word(read):
    for each in read:
        told = {roll["outcome"] for action in each.actions for roll in action["rolls"]}
        assert told - UNTOLD <= OUTCOMES.keys()


def test_each_panel_by_itself_is_that_of_the_table_byte_for_byte(read):
    for each in read:
        for name, panel in each.panels.items():
            assert without_keys(panel) in without_keys(each.table), (each.who, each.language, name)


def test_an_id_an_underscore_and_a_none_are_noticed():
    """Negative control."""
    assert wrong_in(page_of("<p>Noa rolls</p>")) == []
    for text in ("character-0123456789ab", "out_of_scene", "None"):
        assert wrong_in(page_of(f"<p>Noa: {text}</p>")) != []
        assert wrong_in(page_of(f'<p aria-label="{text}">Noa</p>')) != []
