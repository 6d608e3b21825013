"""Finds room for labels, so that none stands over a token or over another label."""

from collections.abc import Iterator
from math import hypot
from typing import NamedTuple

from projections.drawings.canvas import TOKEN, Box

Point = tuple[float, float]

_AROUND: tuple[Point, ...] = ((1, 0), (-1, 0), (0, 1), (0, -1), (0.8, 0.6), (-0.8, 0.6), (0.8, -0.6), (-0.8, -0.6))
_FURTHER = (0, 10, 22, 36, 52, 72, 96)
_NEAR = 4
"""How far a label stands from its token at least."""


_LED = 16
"""A label that stands further off has a line that leads there."""


class LabelPlace(NamedTuple):
    """The room found for a label; `far` if a line has to lead there."""

    box: Box
    far: bool


def place(at: Point, width: float, height: float, ray: Point, taken_boxes: list[Box]) -> LabelPlace | None:
    """The nearest free room about a token, outward along its ray if it can be; `taken_boxes` takes it in.

    None: there is none near enough to be read as its label.
    """
    options = _options(at, width, height, ray)
    spot = next((option for option in options if is_free(option.box, taken_boxes)), None)
    if spot is not None:
        taken_boxes.append(spot.box)
    return spot


def _options(at: Point, width: float, height: float, ray: Point) -> Iterator[LabelPlace]:
    likely = sorted(_AROUND, key=lambda direction: -(direction[0] * ray[0] + direction[1] * ray[1]))
    for further in _FURTHER:
        for x, y in (ray, *likely):
            reach = TOKEN + _NEAR + further
            middle = (at[0] + x * (reach + width / 2), at[1] + y * (reach + height / 2))
            box = Box(middle[0] - width / 2, middle[1] - height / 2, width, height)
            near = edge_of(box, at)
            yield LabelPlace(box, far=hypot(near[0] - at[0], near[1] - at[1]) > TOKEN + _LED)


def is_free(box: Box, taken_boxes: list[Box]) -> bool:
    """Whether nothing stands in a box, nor touches it."""
    return not any(box.meets(other, 1) for other in taken_boxes)


def ray_of(at: Point) -> Point:
    """The direction outward from the middle; upward for the middle itself."""
    length = hypot(*at)
    return (at[0] / length, at[1] / length) if length else (0.0, -1.0)


def edge_of(box: Box, seen_from: Point) -> Point:
    """The point of a box that is nearest to another."""
    return (
        min(max(seen_from[0], box.left), box.left + box.width),
        min(max(seen_from[1], box.top), box.top + box.height),
    )


def between(tail: Point, tip: Point, gap: float = TOKEN + 4) -> tuple[Point, Point]:
    """The ends of an arrow from one token to another: each so far from the middle of its token."""
    length = max(1.0, hypot(tip[0] - tail[0], tip[1] - tail[1]))
    along = ((tip[0] - tail[0]) / length, (tip[1] - tail[1]) / length)
    reach = min(gap, length / 2 - 1)
    return (
        (tail[0] + along[0] * reach, tail[1] + along[1] * reach),
        (tip[0] - along[0] * reach, tip[1] - along[1] * reach),
    )


def beside(line: tuple[Point, Point], width: float, height: float, taken_boxes: list[Box]) -> Box:
    """Room for a plate on a line, or as near beside it as there is any; `taken_boxes` takes it in."""
    (tail, tip), options = line, []
    length = max(1.0, hypot(tip[0] - tail[0], tip[1] - tail[1]))
    across = ((tail[1] - tip[1]) / length, (tip[0] - tail[0]) / length)
    for off in (0, 14, -14, 20, -20, 28, -28, 38, -38, 50, -50, 64, -64, 90, -90, 130, -130, 180, -180, 250, -250):
        for share in (0.5, 0.35, 0.65, 0.2, 0.8):
            x = tail[0] + (tip[0] - tail[0]) * share + across[0] * off
            y = tail[1] + (tip[1] - tail[1]) * share + across[1] * off
            options.append(Box(x - width / 2, y - height / 2, width, height))
    spot = next((option for option in options if is_free(option, taken_boxes)), options[-1])
    taken_boxes.append(spot)
    return spot
