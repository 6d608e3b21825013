"""Luck drawn as SVG: how far dice strayed from fair ones, and how often each face fell."""

from collections.abc import Sequence
from math import ceil

from msgspec import Struct

from domain.dice import Origin
from domain.sentences import say
from projections.drawings import canvas
from projections.drawings.board_parts import Words

SIGMA = "\N{GREEK SMALL LETTER SIGMA}"
REACH = 3
"""How many standard deviations to each side are drawn at least: as many as the furthest strayed."""
USUAL = 1
"""Two of three fair series stay within so many."""
NAME = 112
"""The room of names before the scale."""
MARGIN = 12
ROOM = canvas.WIDTH - NAME - 2 * MARGIN
LINE = 14
"""From one line of a name to the next."""
ROW = 30
"""How high a row is at least."""
DOT = 6
HIGH = 96
"""How high the highest bar is."""
FACES_TOLD_MAX = 20
"""With more sides, only the first and the last face are written below their bars."""
SMALL = 10


class LuckOfDice(Struct, frozen=True):
    """Someone's dice: how many, how far they strayed in standard deviations (None: too few), and that in words."""

    name: str
    origin: Origin
    rolls: int
    z: float | None
    text: str


def scale(title: str, sentence: str, rows: Sequence[LuckOfDice], words: Words) -> str:
    """A row for each, with a mark on the scale: round for the service's dice, square for those of the table."""
    names = [canvas.wrapped(_name_of(row, words), NAME - 4) for row in rows]
    heights = [max(ROW, LINE * (len(lines) + 1)) for lines in names]
    lower = 8 + sum(heights)
    reach = max(REACH, *(ceil(abs(row.z or 0)) for row in rows))
    step = ROOM / (2 * reach)
    root = canvas.drawing(title, sentence, canvas.Box(0, 0, canvas.WIDTH, lower + 26))
    canvas.add(root, "rect", "fair", x=_at(-USUAL, reach), y=4, width=2 * USUAL * step, height=lower - 4)
    for sigma in (
        sign * multiple
        for multiple in range(0, reach + 1, ceil(reach / REACH))
        for sign in ((-1, 1) if multiple else (1,))
    ):
        canvas.path(root, "line" if sigma == 0 else "hair", "M", _at(sigma, reach), 4, "V", lower)
        canvas.text(root, _at(sigma, reach), lower + 14, _signed(sigma), "muted", "middle", SMALL)
    for nth, (row, lines) in enumerate(zip(rows, names, strict=True)):
        y = 8 + sum(heights[:nth]) + heights[nth] / 2
        group = canvas.focusable(root, f"{row.name}: {row.text}")
        for line, told_in_it in enumerate(lines):
            canvas.text(group, 0, y + 4 + LINE * (line - (len(lines) - 1) / 2), told_in_it)
        if row.z is None:
            canvas.text(group, _at(0, reach), y + 4, words.say(say("too few")), "muted halo", "middle", SMALL)
            continue
        x = _at(row.z, reach)
        kind = "strayed" if abs(row.z) > USUAL else "usual"
        if row.origin == "table":
            canvas.add(group, "rect", kind, x=x - DOT, y=y - DOT, width=2 * DOT, height=2 * DOT)
        else:
            canvas.add(group, "circle", kind, cx=x, cy=y, r=DOT)
    return canvas.markup(root)


def histogram(title: str, sentence: str, faces: Sequence[int]) -> str:
    """A bar for each face, and the line that fair dice keep to."""
    expected = sum(faces) / len(faces)
    unit = HIGH / max(*faces, expected)
    width = canvas.WIDTH / len(faces)
    root = canvas.drawing(title, sentence, canvas.Box(0, 0, canvas.WIDTH, HIGH + 26))
    floor = HIGH + 6.0
    gap = min(3.0, width / 5)
    for nth, count in enumerate(faces):
        height = count * unit
        canvas.add(
            root, "rect", "bar", x=nth * width + gap / 2, y=floor - height, width=width - gap, height=height
        )
        if len(faces) <= FACES_TOLD_MAX or nth in (0, len(faces) - 1):
            anchor: canvas.Anchor = "middle"
            x = (nth + 0.5) * width
            if len(faces) > FACES_TOLD_MAX:
                anchor, x = ("start", 0) if nth == 0 else ("end", canvas.WIDTH)
            canvas.text(root, x, floor + 14, str(nth + 1), "muted", anchor, SMALL)
    canvas.path(root, "hair", "M", 0, floor, "H", canvas.WIDTH)
    canvas.path(root, "expected", "M", 0, floor - expected * unit, "H", canvas.WIDTH)
    return canvas.markup(root)


def _name_of(row: LuckOfDice, words: Words) -> str:
    return words.say(say("{name}, table", name=row.name)) if row.origin == "table" else row.name


def _at(sigma: float, reach: int) -> float:
    return NAME + MARGIN + (sigma + reach) * ROOM / (2 * reach)


def _signed(sigma: int) -> str:
    return f"{sigma:+}{SIGMA}".replace("-", "\N{MINUS SIGN}") if sigma else "0"
