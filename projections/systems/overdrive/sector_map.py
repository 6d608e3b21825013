"""The sectors of Overdrive's map: rings as bands about the centre, quadrants as its parts, clockwise.

A ring is as wide as its fullest sector needs, and an empty one narrow. Those who share a sector stand side by
side, and in a second row where there are too many.
"""

from collections import defaultdict
from itertools import pairwise
from math import cos, floor, pi, sin
from typing import NamedTuple

from projections.drawings.labels import Point
from projections.systems.overdrive.boards import FightBoard

PACE = 35
"""From the middle of one token to that of the next: squares do not meet, however they stand."""

_TO_EDGE = 22
_EMPTY_BAND = 16
_EMPTY_SHOWN = 3
"""So many empty rings between occupied ones are drawn; more are left out."""

_ABREAST = 3


class Map(NamedTuple):
    """Where everything is about the centre: the fighters, each ring's outer edge, its quadrants, the objective."""

    places: dict[str, Point]
    edges: dict[int, float]
    quadrants: int
    objective: Point | None


def mapped(board: FightBoard) -> Map | None:
    """The map; None for a fight without positions."""
    sectors: dict[int, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for fighter in board.fighters:
        if fighter.position is not None:
            sectors[fighter.position.ring][fighter.position.quadrant].append(fighter.who.character)
    if not sectors:
        return None
    if board.objective_position is not None:
        sectors[board.objective_position.ring][board.objective_position.quadrant].append("")
    places: dict[str, Point] = {}
    edges: dict[int, float] = {}
    inner = 0.0
    for ring in _visible_rings(sectors):
        quadrants = sectors.get(ring, {})
        edges[ring] = inner + _EMPTY_BAND
        for quadrant, there in quadrants.items():
            edges[ring] = max(edges[ring], _stand(there, quadrant, inner, places, board.quadrants))
        inner = edges[ring]
    return Map(places, edges, board.quadrants, places.pop("", None))


def _visible_rings(occupied: dict[int, dict[int, list[str]]]) -> list[int]:
    """The rings that are drawn, from the centre outward."""
    rings = sorted(occupied)
    visible_rings = [*range(rings[0] + 1)] if rings[0] <= _EMPTY_SHOWN else [rings[0]]
    for before, ring in pairwise(rings):
        visible_rings += [*range(before + 1, ring + 1)] if ring - before - 1 <= _EMPTY_SHOWN else [ring]
    return visible_rings


def _stand(there: list[str], quadrant: int, inner: float, places: dict[str, Point], around: int) -> float:
    """Put everything of a sector in its place; how far from the centre the sector reaches then."""
    part = 2 * pi / around
    radius = max(inner + _TO_EDGE, min(len(there), _ABREAST) * PACE / part)
    rest = [*there]
    while rest:
        count = max(1, floor(radius * part / PACE))
        row, rest = rest[:count], rest[count:]
        for nth, who in enumerate(row):
            angle = -pi / 2 + (quadrant + 0.5) * part + (nth - (len(row) - 1) / 2) * PACE / radius
            places[who] = (radius * cos(angle), radius * sin(angle))
        radius += PACE
    return radius - PACE + _TO_EDGE
