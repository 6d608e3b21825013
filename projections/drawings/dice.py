"""Dice as drawn on boards: each size has its own shape, so that none is told by its colour alone."""

from collections.abc import Callable, Iterable
from math import cos, pi, sin
from typing import Final
from xml.etree.ElementTree import Element

from projections.drawings.canvas import TEXT, add, text, width_of

DIE = 28
"""How wide and high a die is."""

SMALL = 10
"""The size of the text on a small die."""

Draw = Callable[[float, float], None]
"""Draws something whose left and upper edge it is given."""

_CORNERS: Final[dict[int, tuple[int, float]]] = {
    4: (3, -90),
    6: (4, -45),
    8: (4, -90),
    12: (5, -90),
    20: (6, -90),
}
"""The corners of a die's shape by its sides, and the angle of the first."""

_KITE: Final = ((0.0, -1.0), (0.93, -0.27), (0.73, 0.33), (0.0, 1.0), (-0.73, 0.33), (-0.93, -0.27))
"""The corners of a ten-sided die about its middle, which are not all alike."""


def die(
    parent: Element, x: float, y: float, sides: int, face: str, kind: str = "", *, half: float = DIE / 2
) -> None:
    """A die about a point, with what is written on it."""
    reach = half * (1.3 if sides == 6 else 1.24)  # noqa: PLR2004 — the corners of a square lie further out
    low = 2 if sides == 4 else 0  # noqa: PLR2004 — the middle of a triangle lies low
    points = " ".join(f"{x + reach * across:.1f},{y + low + reach * down:.1f}" for across, down in _corners(sides))
    add(parent, "polygon", f"die {kind}".rstrip(), points=points)
    if face:
        size = SMALL if half < SMALL else TEXT
        text(parent, x, y + size / 3 + low, face, f"face {kind}".rstrip(), "middle", size)


def _corners(sides: int) -> Iterable[tuple[float, float]]:
    """The corners of a die's shape about its middle, at most 1 away from it."""
    if sides == 10:  # noqa: PLR2004
        return _KITE
    count, turned = _CORNERS.get(sides, (8, 22.5))
    angles = [(turned + 360 * nth / count) * pi / 180 for nth in range(count)]
    return [(cos(angle), sin(angle)) for angle in angles]


def flow(
    left: float,
    top: float,
    room: float,
    step: float,
    items: Iterable[tuple[float, Callable[[float, float], None]]],
) -> float:
    """Draw items side by side, each by its width, in rows of a height; the lower edge of the last row."""
    x, y = left, top
    for width, draw in items:
        if x > left and x + width > left + room:
            x, y = left, y + step
        draw(x, y)
        x += width
    return y + step


def width_with_words(words: str, die_width: float = DIE) -> float:
    """The width of a die with words beside it."""
    return die_width + 8 + (width_of(words) + 10 if words else 0)
