"""A sheet as somebody reads it on its page, beside what the API says of it."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from projections.word_list import FieldWords, WordList, word_list
from services.cli.demo.story import Story
from tests.web.html_page import Element

READ_ALOUD = ("aria-label", "title", "alt", "data-label")
"""Attributes that people see or hear."""

NUMBER = re.compile(r"(?<!\w)d?\d+(?:[,\u202f\u00a0]\d{3})*(?!\w)")
"""A number, with its thousands separated; also the sides of a die."""

NO_AMOUNT = re.compile(r"\w+, \d+ \w+ \d+(, \d\d:\d\d)?|Slot \d")
"""A day of a calendar, and which slot it is, as English pages tell them."""

SENTENCE_WORDS = 20
"""So long a text is a sentence, which says by itself why it is so."""

NAMING = ("h1", "h2", "h3", "dt", "th", "summary")
"""What says how something is called."""

EMPTY: tuple[Any, ...] = (None, False, 0, "", "\N{EN DASH}", [], {})
NO_AMOUNTS = {"moment", "instant", "person", "thing"}


class Read(NamedTuple):
    """A sheet as one person reads it, at the end or as it was at a seq: what the API says, and its page."""

    who: str
    language: str
    at: int | None
    struct: str
    view: dict[str, Any]
    page: Element
    explained: tuple[Element, ...] = ()
    """The pages that say why its first and last numbers are what they are, for the GM's English sheets."""

    @property
    def words(self) -> WordList:
        return word_list(self.language)

    @property
    def text(self) -> str:
        """All that is seen or heard of the page."""
        heard = [
            each.attributes[name] for each in self.page.all("*") for name in READ_ALOUD if name in each.attributes
        ]
        return " ".join((*texts_in(self.page), *heard))


def texts_in(element: Element) -> Iterator[str]:
    """The texts of an element as they are, with the blanks within numbers."""
    inner = iter(element.inside)
    for each in element.texts:
        yield from texts_in(next(inner)) if each == "\0" else [each]


def views_of(
    story: Story, who: str, language: str, when: dict[str, int]
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """What the API says of each sheet, and of a board that stands for sheets."""
    words = word_list(language)
    for each in story.get(who, "/sheets", **when)["sheets"]:
        yield (
            each["character"],
            words.sheets[each["system"]],
            story.get(who, f"/sheets/{each['character']}", **when)["sheet"],
        )
    for each in story.get(who, "/boards", **when)["boards"]:
        board = words.boards[f"{each['system']}/{each['board']}"]
        if board.struct in words.layouts:
            view = story.get(who, f"/boards/{each['system']}/{each['board']}", **when)
            yield each["system"], board.struct, view


def unexplained(element: Element, within: str = "") -> Iterator[str]:
    """The texts with a number that leads nowhere; names, the places of slots, dates and sentences have none."""
    inner = iter(element.inside)
    for each in element.texts:
        if each != "\0":
            is_short = len(each.split()) < SENTENCE_WORDS
            yield from [each.strip()] if is_short and NUMBER.search(NO_AMOUNT.sub("", each)) else []
            continue
        child = next(inner)
        is_place = child.tag == "b" and within == "slots"
        if child.tag not in NAMING and child.attributes.get("class") not in ("label", "why") and not is_place:
            yield from unexplained(child, element.attributes.get("class", ""))


def numbers_in(words: WordList, field: FieldWords, value: Any) -> Iterator[int]:
    """The numbers of a field that are drawn, but for zeros, of what is drawn within it."""
    if field.shown is None or field.shown.as_ in NO_AMOUNTS or value in EMPTY:
        return
    if isinstance(value, int) and not isinstance(value, bool):
        yield abs(value)
    elif isinstance(value, list):
        for each in value:
            yield from numbers_in(words, field, each)
    elif isinstance(value, dict):
        inner = words.structs[field.structs[0]] if field.structs else {}
        is_struct = value.keys() <= inner.keys()
        for name, each in value.items():
            yield from numbers_in(words, inner[name] if is_struct else field, each)


def numbers_on(text: str) -> Counter[int]:
    return Counter(int(re.sub(r"\D", "", found)) for found in NUMBER.findall(text))


def laid_out(words: WordList, struct: str) -> list[str]:
    layout = words.layouts[struct]
    return [*layout.vitals, *(name for panel in layout.panels for name in panel.fields)]


def says_something(value: Any) -> bool:
    """Whether anything in a value is more than empty."""
    if isinstance(value, dict):
        return any(map(says_something, value.values()))
    return any(map(says_something, value)) if isinstance(value, list) else value not in EMPTY


def unlabelled(read: Read) -> list[str]:
    """The figures that say something and whose titles are not on the page."""
    fields = read.words.structs[read.struct]
    return [
        name
        for name in laid_out(read.words, read.struct)
        if says_something(read.view.get(name)) and fields[name].title not in read.text
    ]


def missing_numbers(read: Read) -> Counter[int]:
    """The numbers of a sheet that are on its page less often than in the API."""
    fields = read.words.structs[read.struct]
    said = Counter(
        number
        for name in laid_out(read.words, read.struct)
        for number in numbers_in(read.words, fields[name], read.view.get(name))
    )
    return said - numbers_on(read.text)
