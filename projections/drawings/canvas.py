"""Parts of boards drawn as SVG: elements, texts, tokens, and where labels find room.

Lengths are units of the drawing; a phone shows one as about a pixel, a desktop as a third more. Colours come from
the stylesheet by class, so that light and dark themes need one drawing.
"""

from collections.abc import Iterable, Sequence
from math import ceil
from typing import Literal, NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

WIDTH = 336
"""The width of a drawing, which a phone shows without shrinking it."""

TEXT = 12
"""The size of texts; letters of a token are smaller."""

TOKEN = 12
"""Half the width of a token."""

Anchor = Literal["start", "middle", "end"]

_NARROW, _WIDE = "iljtfrI1.,:;'|!()[]·-\u2019\u00a0 ", "mwMW@%—…●◆"
_SHARES = {"narrow": 0.36, "wide": 0.95, "upper": 0.72, "other": 0.58, "full": 1.1}
_FULL_WIDTH_FROM = 0x1100
"""Letters from here on are about as wide as high."""


class Box(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    width: float
    height: float

    def meets(self, other: "Box", gap: float = 0) -> bool:
        """Whether two boxes overlap, or stand nearer than a gap."""
        return (
            self.left < other.left + other.width + gap
            and other.left < self.left + self.width + gap
            and self.top < other.top + other.height + gap
            and other.top < self.top + self.height + gap
        )

    def holds(self, other: "Box") -> bool:
        """Whether another box lies in this one."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and other.left + other.width <= self.left + self.width
            and other.top + other.height <= self.top + self.height
        )


def around(x: float, y: float, half: float = TOKEN) -> Box:
    """The square about a point."""
    return Box(x - half, y - half, 2 * half, 2 * half)


def hull(boxes: Iterable[Box], margin: float = 0) -> Box:
    """The smallest box about all of these, with a margin."""
    all_boxes = [*boxes]
    left, top = min(box.left for box in all_boxes) - margin, min(box.top for box in all_boxes) - margin
    right, bottom = max(box.left + box.width for box in all_boxes), max(box.top + box.height for box in all_boxes)
    return Box(left, top, right + margin - left, bottom + margin - top)


BOLD = 1.2
"""How much wider a text on a plate is at most, since it is bold there."""


def width_of(words: str, size: float = TEXT) -> float:
    """How wide a text is at most, in usual fonts."""
    return size * sum(_SHARES[_share(letter)] for letter in words)


def _share(letter: str) -> str:
    if letter in _NARROW:
        return "narrow"
    if letter in _WIDE:
        return "wide"
    if ord(letter) >= _FULL_WIDTH_FROM:
        return "full"
    return "upper" if letter.isupper() else "other"


def fitted(words: str, room: float, size: float = TEXT) -> str:
    """A text cut to the room there is, with an ellipsis where something is missing."""
    if width_of(words, size) <= room:
        return words
    while words and width_of(f"{words}…", size) > room:
        words = words[:-1].rstrip()
    return f"{words}…" if words else ""


def drawing(title: str, sentence: str, box: Box) -> Element:
    """An empty drawing that shows this box, by its title and what it says in a sentence."""
    view = " ".join(_number(side) for side in box)
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "class": "board", "role": "group"})
    sizes = {"viewBox": view, "width": _number(box.width), "height": _number(box.height)}
    for name, value in (sizes | {"aria-label": _clean(title)}).items():
        root.set(name, value)
    add(root, "title").text = _clean(title)
    add(root, "desc").text = _clean(sentence)
    return root


def add(parent: Element, tag: str, kind: str = "", **attributes: float | str) -> Element:
    """A new element; `kind` are classes of the stylesheet. An underscore in an attribute stands for a hyphen."""
    element = SubElement(parent, tag, {"class": kind} if kind else {})
    for name, value in attributes.items():
        element.set(name.replace("_", "-"), _clean(value) if isinstance(value, str) else _number(value))
    return element


def text(
    parent: Element, x: float, y: float, words: str, kind: str = "", anchor: Anchor = "start", size: float = TEXT
) -> Element:
    """A text whose base line begins, ends or has its middle at a point."""
    element = add(parent, "text", kind, x=x, y=y, font_size=size)
    if anchor != "start":
        element.set("text-anchor", anchor)
    element.text = _clean(words)
    return element


def path(parent: Element, kind: str, *steps: str | float) -> Element:
    """A line by its steps, as in `path(parent, "line", "M", 0, 0, "L", 8, 8)`."""
    return add(
        parent, "path", kind, d=" ".join(step if isinstance(step, str) else _number(step) for step in steps)
    )


THING = "data-thing"
"""The attribute of a link without an address, which is a picture until it has one: the id of what it is about."""


def focusable(parent: Element, label: str, kind: str = "", thing: str = "") -> Element:
    """A group that keyboards and screen readers reach, told in full; a link to a thing of the board by its id."""
    attributes = {THING: thing} if thing else {}
    group = add(parent, "a" if thing else "g", kind, **attributes, tabindex="0", role="img", aria_label=label)
    add(group, "title").text = _clean(label)
    return group


def grouped(parent: Element, label: str, kind: str = "") -> Element:
    """A group that says what it is where a pointer rests on it."""
    group = add(parent, "g", kind)
    add(group, "title").text = _clean(label)
    return group


def token(
    parent: Element, x: float, y: float, letters: str, label: str, kind: str = "", *, square: bool, thing: str = ""
) -> None:
    """The token of a person or a machine, told in full."""
    face(focusable(parent, label, thing=thing), x, y, letters, kind, square=square)


def face(parent: Element, x: float, y: float, letters: str, kind: str = "", *, square: bool) -> None:
    """The face of a token: round for one that a player leads, else square; hatched for one that is `out`."""
    group = add(parent, "g", f"token {kind}".rstrip())
    if square:
        add(group, "rect", x=x - TOKEN, y=y - TOKEN, width=2 * TOKEN, height=2 * TOKEN, rx=3)
    else:
        add(group, "circle", cx=x, cy=y, r=TOKEN)
    for shift in (-8, 0, 8) if "out" in kind.split() else ():
        reach = TOKEN - 4 - abs(shift) / 2
        path(group, "hatch", "M", x + shift - reach / 2, y + reach, "L", x + shift + reach / 2, y - reach)
    text(group, x, y + 4, letters, "letters", "middle", 11 if len(letters) < 3 else 9)  # noqa: PLR2004 — letters


def pips(parent: Element, x: float, y: float, full: int, of: int, size: float = 6) -> None:
    """A row of boxes, so many of them full."""
    for nth in range(of):
        add(
            parent,
            "rect",
            "pip full" if nth < full else "pip",
            x=x + nth * (size + 2),
            y=y,
            width=size,
            height=size,
        )


def arrow(
    parent: Element, kind: str, tail: tuple[float, float], tip: tuple[float, float], wing: float = 4
) -> None:
    """A straight arrow, its head twice as long as a wing."""
    length = max(1.0, ((tip[0] - tail[0]) ** 2 + (tip[1] - tail[1]) ** 2) ** 0.5)
    along = ((tip[0] - tail[0]) / length, (tip[1] - tail[1]) / length)
    neck = (tip[0] - along[0] * 2 * wing, tip[1] - along[1] * 2 * wing)
    path(parent, f"{kind} shaft", "M", *tail, "L", *neck)
    aside = (-along[1] * wing, along[0] * wing)
    left, right = (neck[0] + aside[0], neck[1] + aside[1]), (neck[0] - aside[0], neck[1] - aside[1])
    path(parent, f"{kind} head", "M", *tip, "L", *left, "L", *right, "Z")


def plate(parent: Element, box: Box, words: str, kind: str = "") -> None:
    """A short text on a plate."""
    add(parent, "rect", f"plate {kind}".rstrip(), x=box.left, y=box.top, width=box.width, height=box.height, rx=4)
    text(
        parent,
        box.left + box.width / 2,
        box.top + box.height / 2 + 4,
        words,
        f"on-plate {kind}".rstrip(),
        "middle",
    )


def plate_box(x: float, y: float, words: str) -> Box:
    """The room of a plate about a point."""
    width = width_of(words) * BOLD + 12
    return Box(x - width / 2, y - 10, width, 20)


def shortened(names: Sequence[str]) -> list[str]:
    """One to three letters for each name, no two alike."""
    letters: list[str] = []
    for name in names:
        words = [word for word in name.replace("-", " ").replace("\u2019", " ").split() if word[:1].isalnum()] or [
            "?"
        ]
        candidates = [(words[0][0] + words[-1][0] if len(words) > 1 else words[0][:2]).upper()]
        candidates += [words[0][:2], words[0][0].upper() + words[-1][:2], words[0][:3]]
        candidates += [f"{words[0][0].upper()}{nth}" for nth in range(2, len(names) + 2)]
        letters.append(next(candidate for candidate in candidates if candidate not in letters))
    return letters


def in_lines(words: str, room: float, lines: int = 2) -> list[str]:
    """A text in at most so many lines that fit the room; the last is cut if it has to be."""
    fitted_lines: list[str] = []
    rest = words.split(" ")  # not where a space must not break
    while rest and len(fitted_lines) < lines - 1:
        count = next((n for n in range(len(rest), 0, -1) if width_of(" ".join(rest[:n])) <= room), 1)
        fitted_lines.append(fitted(" ".join(rest[:count]), room))
        rest = rest[count:]
    return [*fitted_lines, fitted(" ".join(rest), room)] if any(rest) else fitted_lines


def wrapped(words: str, room: float) -> list[str]:
    """A text whole, in as many lines as it takes; a word wider than the room goes on in the next one."""
    lines = [""]
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}".lstrip()
        if width_of(longer) <= room:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        for letter in word:
            if width_of(lines[-1] + letter) > room:
                lines.append("")
            lines[-1] += letter
    return lines


def rows_of(count: int, per_row: int) -> int:
    """How many rows so many things need; one at least."""
    return max(1, ceil(count / per_row))


def markup(root: Element) -> str:
    """A drawing as text that can stand in a page; texts that people wrote are escaped."""
    return tostring(root, encoding="unicode")


def _number(value: float) -> str:
    return f"{round(value, 1):g}"


def _clean(words: str) -> str:
    """A text without the characters that no document may have; a space stays, also where no line may break."""
    return "".join(letter for letter in words if letter.isprintable() or letter in " \N{NO-BREAK SPACE}")
