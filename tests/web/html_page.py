"""A page as a test reads it: its elements with their attributes and texts."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import NamedTuple, Self

EMPTY = {"meta", "link", "input", "img", "br", "hr", "path", "rect", "circle", "line", "use"}


class Element(NamedTuple):
    """An element: what it is, what it holds, and the text in it, blanks made one."""

    tag: str
    attributes: dict[str, str]
    texts: list[str]
    inside: "list[Element]"

    @property
    def text(self) -> str:
        whole = "".join(each if isinstance(each, str) else each.text for each in self._parts())
        return re.sub(r"\s+", " ", whole).strip()

    def _parts(self) -> "Iterator[str | Element]":
        inner = iter(self.inside)
        for each in self.texts:
            yield next(inner) if each == "\0" else each

    def all(self, tag: str, **attributes: str) -> "list[Element]":
        """Every element inside of that tag and with these attributes; an underscore at the end is dropped."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        found = []
        for each in self.inside:
            if tag in ("*", each.tag) and wanted.items() <= each.attributes.items():
                found.append(each)
            found += each.all(tag, **attributes)
        return found

    def one(self, tag: str, **attributes: str) -> "Element":
        found = self.all(tag, **attributes)
        assert len(found) == 1, f"{len(found)} of {tag} {attributes}"
        return found[0]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.stack = [Element("document", {}, [], [])]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, {name: value or "" for name, value in attrs}, [], [])
        self.stack[-1].inside.append(made)
        self.stack[-1].texts.append("\0")
        if tag not in EMPTY:
            self.stack.append(made)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in EMPTY:  # a browser that is asked for its page closes these, too
            return
        assert self.stack[-1].tag == tag, f"</{tag}> closes <{self.stack[-1].tag}>"
        self.stack.pop()

    def handle_data(self, data: str) -> None:
        self.stack[-1].texts.append(data)

    @classmethod
    def read(cls, html: str) -> Self:
        reader = cls()
        reader.feed(html)
        reader.close()
        assert len(reader.stack) == 1, f"<{reader.stack[-1].tag}> is not closed"
        return reader


def page_of(html: str) -> Element:
    """A page's elements. An element that is closed wrongly fails the test."""
    return _Reader.read(html).stack[0]
