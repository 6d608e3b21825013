"""Boards as drawings: whole, readable without seeing, in one's own language, and never one text over another."""

import re
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
from msgspec import structs

from domain.campaign.evolve import evolve
from domain.campaign.state import CampaignState
from domain.systems.frame_state.commands import CallTest, CreatePilot
from domain.systems.frame_state.state import TestDie
from domain.systems.mobile_frame.tables import Weapon
from domain.systems.overdrive.state import Position
from projections.drawings import canvas
from projections.languages import render
from projections.systems.overdrive.fight_drawing import CROWD
from projections.view_types import BOARDS
from tests.campaign_played import GM, TABLE, CampaignPlayed
from tests.domain.frame_state.table import CATALOGUE
from tests.fold import fold
from tests.golden import compare, is_writing
from tests.languages.messages import said_in
from tests.projections.drawn_boards import (
    STORIES,
    SVG,
    Drawn,
    boards_of,
    collisions,
    drawn,
    labels_of,
    read,
    texts_of,
    tokens_of,
    views_of,
)
from tests.root import ROOT

FULL = {
    "angst/relationships": ("angst", 120, "en"),
    "angst/scene": ("angst", 103, "en"),
    "frame_state/mission": ("frame_state", 128, "en"),
    "freefall/turn": ("freefall", 63, "en"),
    "mobile_frame/battle": ("mobile_frame", 116, "en"),
    "overdrive/fight": ("overdrive", 115, "fr"),
    "overdrive/story": ("overdrive", 144, "fr"),
}
"""For each board a moment of a story at which it is full, and the language of that story."""

GOLDEN = ROOT / "tests" / "projections" / "drawings"
NOT_FOR_PEOPLE = re.compile(r"_|\bNone\b|[a-z]+-[0-9a-f]{12}|[0-9a-f]{8}-[0-9a-f]{4}|\bTrue\b|\bFalse\b|[{}]")
ATTRIBUTES = {
    *(
        "class",
        "role",
        "tabindex",
        "data-thing",
        "aria-label",
        "viewBox",
        "width",
        "height",
        "x",
        "y",
        "cx",
        "cy",
        "r",
        "rx",
    ),
    *("d", "points", "font-size", "text-anchor", "stroke-width"),
}
"""What drawings are made of: no style and no script, which the pages' policy refuses."""


def full(key: str) -> Drawn:
    story, nth, language = FULL[key]
    return next(each for each in boards_of(story, nth, (language,)) if (each.board, each.nth) == (key, nth))


def full_view(key: str) -> Any:
    return full(key).view


@pytest.fixture(scope="module", params=STORIES)
def some(request) -> list[Drawn]:
    """The boards of a story, now and then."""
    return [*boards_of(request.param, 9)]


def test_a_full_one_of_every_board_is_drawn_here():
    assert set(FULL) == {f"{system}/{key}" for system, key in BOARDS}


@pytest.mark.parametrize("key", FULL)
def test_a_full_board_is_drawn_as_it_was(key):
    """Look at the drawing, if it changes."""
    found, name = full(key).drawing, key.replace("/", "-")
    lines = found.svg.replace("><", ">\n<") + "\n"
    path = GOLDEN / f"{name}.svg"
    if is_writing():
        path.write_text(lines, "utf-8")
    assert lines == path.read_text("utf-8")
    compare(GOLDEN / f"{name}.json", msgspec.to_builtins([found.sentence, found.tables], enc_hook=str), width=110)


@pytest.mark.parametrize("key", FULL)
def test_drawings_are_made_of_what_the_policy_allows_and_can_be_reached_by_keyboard(key):
    root = read(full(key).drawing)
    assert root is not None
    assert {name for each in root.iter() for name in each.attrib} <= ATTRIBUTES
    assert (root[0].tag, root[1].tag) == (f"{SVG}title", f"{SVG}desc")
    assert root.attrib["aria-label"] == root[0].text
    reached = [each for each in root.iter() if "tabindex" in each.attrib]
    assert reached
    for each in reached:
        assert (each.get("tabindex"), each.get("role"), each[0].tag) == ("0", "img", f"{SVG}title")
        assert each.get("aria-label") == each[0].text


def test_nothing_is_said_that_is_not_for_people(some):
    assert [
        (each.label, said) for each in some for said in texts_of(each.drawing) if NOT_FOR_PEOPLE.search(said)
    ] == []


def test_no_amount_is_drawn_without_what_it_counts(some):
    drawn_texts = [
        (each.label, text.text or "")
        for each in some
        if (root := read(each.drawing)) is not None
        for text in root.iter(f"{SVG}text")
    ]
    assert drawn_texts
    assert [(label, said) for label, said in drawn_texts if re.fullmatch(r"\d+/\d+", said)] == []


def test_no_text_stands_on_another_nor_on_a_token(some):
    assert [(each.label, wrong) for each in some for wrong in collisions(each.drawing)] == []


def test_everybody_on_a_board_is_named_on_it(some):
    for each in some:
        said = texts_of(each.drawing)
        for name in named_on(each.view):
            assert any(name in one for one in said), (each.label, name)


def named_on(view: Any) -> Iterator[str]:
    """Who stands on a board, by the fields that say so."""
    for field in ("fighters", "seats", "frames", "people", "missions", "open_tests"):
        for each in getattr(view, field, ()):
            whose = next((getattr(each, name) for name in ("who", "roller") if hasattr(each, name)), each)
            yield whose.name


def english_alone() -> set[str]:
    """Sentences without parts that drawings say, and that are said otherwise in French."""
    sources = (path.read_bytes() for path in (ROOT / "projections").rglob("*.py"))
    said = {message.text for source in sources if b"projections.drawings" in source for message in said_in(source)}
    return {text for text in said if "{" not in text and render(text, "fr") != text}


def test_a_french_reader_reads_french(some):
    english = english_alone()
    assert "not rolled yet" in english
    found = {each.label: english.intersection(texts_of(each.drawing)) for each in some if each.language == "fr"}
    assert {label: words for label, words in found.items() if words} == {}
    if any(each.board == "overdrive/fight" for each in some):
        said = {text for each in some if each.language == "en" for text in texts_of(each.drawing)}
        assert english.intersection(said), "these are said in English"


def test_a_fighter_is_told_in_full():
    said = texts_of(full("overdrive/fight").drawing)
    assert any(each.startswith("Maëlle Ferrand, anneau 3, ") and each.endswith(" sur 6") for each in said)
    told = drawn(full_view("overdrive/fight"), "en")
    assert "Orso Galli, ring 2, waiting, fatal counter 1 of 6" in texts_of(told)


def test_what_people_wrote_is_text_and_nothing_else():
    board = full_view("overdrive/fight")
    evil = '<script>alert("1")</script>&amp; \x07\u202e'
    fighters = [structs.replace(each, who=structs.replace(each.who, name=evil)) for each in board.fighters]
    root = read(drawn(structs.replace(board, fighters=fighters)))
    assert root is not None
    assert "script" not in {each.tag.removeprefix(SVG) for each in root.iter()}
    assert any(
        (each.get("aria-label") or "").startswith('<script>alert("1")</script>&amp; ,') for each in root.iter()
    )


@pytest.mark.parametrize("size", [9, 14, 30])
def test_a_crowd_fans_out_and_shows_no_counters(size):
    board = full_view("overdrive/fight")
    one = structs.replace(board.fighters[0], position=Position(2, 1), protects=None)
    crowd = [
        structs.replace(one, who=structs.replace(one.who, character=f"c{nth}", name=f"Fighter {nth}"))
        for nth in range(size)
    ]
    drawing = drawn(structs.replace(board, fighters=crowd, attack=None))
    root = read(drawing)
    assert root is not None
    assert collisions(drawing) == []
    assert "pip" not in {each.get("class", "").split(" ")[0] for each in root.iter()}
    places = [*tokens_of(root)]
    assert len(places) == 2 * size
    assert not any(one.meets(other) for nth, one in enumerate(places) for other in places[:nth])
    assert size > CROWD


NAMES = {"name", "owner_name", "controller_name", "pilot_name", "speaker", "stakes", "weapon", "situation", "text"}
LONG = "WWWWWWWWWWWWWWWWWWWWWWWW \u6f22\u5b57\u6f22\u5b57\u6f22\u5b57 \u0645\u0631\u062d\u0628\u0627 "


def lengthened(value: Any) -> Any:
    if isinstance(value, dict):
        is_name = {
            key: key in NAMES and isinstance(inner, str) and inner not in get_args(Weapon)
            for key, inner in value.items()
        }
        return {key: LONG + inner if is_name[key] else lengthened(inner) for key, inner in value.items()}
    return [lengthened(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("key", FULL)
def test_long_names_in_any_script_find_room(key):
    view = full_view(key)
    drawing = drawn(msgspec.convert(lengthened(msgspec.to_builtins(view)), type(view)))
    assert any(LONG in each for each in texts_of(drawing))
    assert collisions(drawing) == []


def test_letters_tell_everybody_apart():
    board = full_view("overdrive/fight")
    crowd = [
        structs.replace(
            board.fighters[0], who=structs.replace(board.fighters[0].who, character=f"c{nth}", name="Ann")
        )
        for nth in range(20)
    ]
    root = read(drawn(structs.replace(board, fighters=crowd, attack=None)))
    assert root is not None
    letters = [each.text for each in root.iter() if each.get("class") == "letters"]
    assert len(set(letters)) == 20


def test_a_space_where_no_line_may_break_stays_one():
    quoted = "pour «\N{NO-BREAK SPACE}The Long Tow\N{NO-BREAK SPACE}»"
    root = canvas.drawing(f"{quoted}\x07", "", canvas.Box(0, 0, 1, 1))
    assert f"<title>{quoted}</title>" in canvas.markup(root)


def test_a_text_over_another_would_be_noticed():
    """Negative control."""
    board = full_view("angst/relationships")
    drawing = drawn(board)
    root = read(drawing)
    assert root is not None
    first, second = [each.words for each in labels_of(root)][:2]
    assert first != second
    moved = re.sub(r' x="[^"]*" y="[^"]*" font-size', ' x="0" y="0" font-size', drawing.svg)
    assert len(collisions(structs.replace(drawing, svg=moved))) > 3


def secret_test(mark: int) -> CampaignPlayed:
    """A test whose mark only GMs know."""
    played = CampaignPlayed()
    played.do("ana", CATALOGUE)
    played.do("ben", CreatePilot(name="Mara"))
    played.do("ana", CallTest(mark=mark, mark_hidden=True, test_type="proactive", dice=[TestDie(die="d6")]))
    return played


def test_a_hidden_mark_changes_nothing_that_a_player_is_drawn():
    found = {}
    for audience in (GM, TABLE):
        for mark in (4, 5):
            events = [each.event for each in secret_test(mark).seen(audience)]
            views = views_of(fold(evolve, CampaignState(), events), "en")
            found[audience, mark] = [drawn(view) for _, view in views]
    assert found[TABLE, 4] == found[TABLE, 5]
    assert found[GM, 4] != found[GM, 5]
    assert "against a hidden mark" in texts_of(found[TABLE, 4][0])


def test_nothing_is_drawn_where_nothing_is():
    for nth, story in enumerate(STORIES):
        for each in (each for each in boards_of(story, 10_000) if each.nth == 0):
            assert each.drawing.svg == "", each.label
            assert each.drawing.sentence.strip(), (nth, each.label)
