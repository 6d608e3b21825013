"""Boards as recorded stories leave them, drawn, and drawings as a test reads them."""

from collections.abc import Iterator
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, fromstring

from msgspec import Struct

from domain.campaign.state import CampaignState
from domain.ids import SystemId
from projections.boards import BoardEntry, board, boards, drawing
from projections.drawings import canvas
from projections.drawings.board_parts import Drawing
from projections.titles import words_in
from projections.view_types import BOARDS
from services.campaign.name_resolver import NameResolver
from tests.doubles.account_stores import MemoryAccountStore
from tests.offers.moments import moments

STORIES = ("angst", "frame_state", "freefall", "mobile_frame", "overdrive")
SVG = "{http://www.w3.org/2000/svg}"


class Drawn(NamedTuple):
    """A board of a story before its nth action."""

    board: str
    nth: int
    language: str
    view: Any
    drawing: Drawing

    @property
    def label(self) -> str:
        return f"{self.board} before {self.nth} in {self.language}"


def drawn(view: Struct, language: str = "en") -> Drawing:
    [(system, key)] = [each for each, kind in BOARDS.items() if kind is type(view)]
    return drawing(BoardEntry(system, key, ""), view, words_in(language))


def views_of(state: CampaignState, language: str) -> Iterator[tuple[str, Any]]:
    """The boards of a campaign; members are called somebody."""
    name = NameResolver(MemoryAccountStore(lambda: 0)).within(state, language)
    for entry in boards(state, language):
        yield (
            f"{entry.system}/{entry.board}",
            board(state, SystemId(entry.system), entry.board, name, language=language)[1],
        )


def boards_of(story: str, every: int, languages: tuple[str, ...] = ("en", "fr")) -> Iterator[Drawn]:
    """Every board of a story before each so manieth action, as GMs see it."""
    for moment in moments(story):
        if moment.nth % every:
            continue
        for language in languages:
            for key, view in views_of(moment.whole, language):
                yield Drawn(key, moment.nth, language, view, drawn(view, language))


def read(drawing: Drawing) -> Element | None:
    """A drawing as elements; None where nothing is drawn."""
    return fromstring(drawing.svg) if drawing.svg else None  # noqa: S314 — we wrote it


def texts_of(drawing: Drawing) -> list[str]:
    """Everything that a drawing says: on it, of it, and in its tables."""
    said = [drawing.sentence]
    root = read(drawing)
    for each in root.iter() if root is not None else ():
        said += [each.text or "", each.get("aria-label", "")]
    for table in drawing.tables:
        said += [table.caption, *table.header, *(cell for row in table.rows for cell in row)]
    return [each for each in said if each]


class Text(NamedTuple):
    """A text of a drawing, and its room on it."""

    words: str
    box: canvas.Box


def labels_of(root: Element, shift: tuple[float, float] = (0, 0)) -> Iterator[Text]:
    """Every text that is drawn, with its room in the units of the whole drawing."""
    for each in root:
        if each.tag == f"{SVG}svg":
            left, top, *_ = map(float, each.attrib["viewBox"].split())
            yield from labels_of(each, (shift[0] - left, shift[1] - top + float(each.attrib["y"])))
        elif each.tag == f"{SVG}text":
            x, y = float(each.attrib["x"]) + shift[0], float(each.attrib["y"]) + shift[1]
            words, size = each.text or "", float(each.attrib["font-size"])
            width = canvas.width_of(words, size)
            left = {"start": x, "middle": x - width / 2, "end": x - width}[each.get("text-anchor", "start")]
            yield Text(words, canvas.Box(left, y - 0.8 * size, width, size))
        else:
            yield from labels_of(each, shift)


def tokens_of(root: Element, shift: tuple[float, float] = (0, 0)) -> Iterator[canvas.Box]:
    """The room of every token."""
    for each in root:
        if each.tag == f"{SVG}svg":
            left, top, *_ = map(float, each.attrib["viewBox"].split())
            yield from tokens_of(each, (shift[0] - left, shift[1] - top + float(each.attrib["y"])))
        elif "token" in each.get("class", "").split():
            form = each[0].attrib
            x = float(form["cx"]) if "cx" in form else float(form["x"]) + canvas.TOKEN
            y = float(form["cy"]) if "cy" in form else float(form["y"]) + canvas.TOKEN
            yield canvas.around(x + shift[0], y + shift[1])
        else:
            yield from tokens_of(each, shift)


def lies_in(inner: canvas.Box, outer: canvas.Box) -> bool:
    """Whether a box lies in another, but for what rounding adds."""
    return (
        outer.left - 1 <= inner.left
        and outer.top - 1 <= inner.top
        and inner.left + inner.width <= outer.left + outer.width + 1
        and inner.top + inner.height <= outer.top + outer.height + 1
    )


def collisions(drawing: Drawing) -> list[str]:
    """Texts that overlap each other, stand over another's token, or reach over the edge."""
    root = read(drawing)
    if root is None:
        return []
    labels, wrong = [*labels_of(root)], []
    whole = canvas.Box(*map(float, root.attrib["viewBox"].split()))
    for nth, each in enumerate(labels):
        if not lies_in(each.box, whole):
            wrong.append(f"{each.words} reaches over the edge")
        wrong += [f"{each.words} on {other.words}" for other in labels[:nth] if each.box.meets(other.box)]
    for room in tokens_of(root):
        inner = canvas.around(room.left + canvas.TOKEN, room.top + canvas.TOKEN, canvas.TOKEN - 1)
        others = (each for each in labels if not lies_in(each.box, room))
        wrong += [f"{each.words} on a token" for each in others if each.box.meets(inner)]
    return wrong
