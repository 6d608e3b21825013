"""The field of Mobile Frame as cards: frames without an open turn, stations and cover."""

from collections.abc import Callable, Iterator
from functools import partial
from xml.etree.ElementTree import Element

from domain.systems.mobile_frame.state import account_of
from projections.drawings import canvas
from projections.drawings.board_parts import Words
from projections.drawings.dice import Draw
from projections.systems.mobile_frame import battle_words
from projections.systems.mobile_frame.boards import BattleView, FrameStands

CARD, CARD_HEIGHT = 164, 40


def field_cards(
    root: Element, board: BattleView, in_turn: set[str], tokens: dict[str, str], words: Words
) -> Iterator[Draw]:
    """Frames that have no open turn, then stations and cover."""
    for frame in board.frames:
        if frame.frame not in in_turn:
            kind = "out" if frame.status == "destroyed" else "done" if frame.activated else ""
            label = battle_words.frame(frame, words, acting=False, waiting=False)
            draw_mark = partial(mark, frame=frame, tokens=tokens, kind=kind)
            yield _card(root, frame.frame, label, frame.name, battle_words.standing(frame, words), draw_mark)
    for station in board.stations:
        holder = battle_words.holder(station, words)
        yield _card(root, station.station, f"{station.name}, {holder}", station.name, holder, _draw_station)
    for cover in board.covers:
        height = battle_words.height(cover, words)
        yield _card(root, cover.cover, f"{cover.name}, {height}", cover.name, height, _draw_cover)


def _card(
    root: Element, thing: str, label: str, name: str, line: str, draw_mark: Callable[[Element, float, float], None]
) -> Draw:
    """A card: a mark, a name, and a line on how it stands."""

    def at(x: float, y: float) -> None:
        group = canvas.focusable(root, label, thing=thing)
        draw_mark(group, x + 14, y + 17)
        canvas.text(group, x + 32, y + 14, canvas.fitted(name, CARD - 36))
        canvas.text(group, x + 32, y + 28, canvas.fitted(line, CARD - 36), "muted")

    return at


def mark(group: Element, x: float, y: float, frame: FrameStands, tokens: dict[str, str], kind: str) -> None:
    """A frame's token."""
    canvas.face(group, x, y, tokens[frame.frame], kind, square=account_of(frame.owner) is None)


def _draw_station(group: Element, x: float, y: float) -> None:
    canvas.path(group, "station", "M", x - 6, y + 12, "V", y - 12, "L", x + 10, y - 7, "L", x - 6, y - 1)


def _draw_cover(group: Element, x: float, y: float) -> None:
    for row, shift in enumerate((0, 6, 0)):
        top = y + 4 - 8 * row
        canvas.path(
            group, "cover", "M", x - 11, top, "h", 22, "v", 8, "h", -22, "z", "M", x - 5 + shift, top, "v", 8
        )
