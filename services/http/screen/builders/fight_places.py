"""The places of those who take part in a fight: a field for each, and a map of sectors to tap."""

from collections.abc import Mapping, Sequence
from math import cos, pi, sin
from typing import Any

from msgspec import Struct

from domain.mechanics.builders import Joining
from domain.sentences import Part, say
from services.http.screen.commands.command_form import FormField, FormRow
from services.http.screen.commands.form_entries import FormEntries
from services.http.screen.commands.number_budget import WHOLE

RING, QUADRANT = "ring", "quadrant"
RINGS_MIN, RINGS_MAX = 4, 12
"""So many rings are drawn: one more than the outermost with a piece, within these bounds."""
BAND = 34
"""The width of a ring."""
TOKEN = 12
PLACING = "placing"


class Sector(Struct, frozen=True):
    """A sector of the map, and the path that draws it."""

    ring: int
    quadrant: int
    path: str


class Piece(Struct, frozen=True):
    """A member of the fight, or the goal, to be put on the map. `at` is its point; None: nowhere yet."""

    path: str
    title: Part
    letters: str
    at: tuple[float, float] | None
    is_next: bool


class PlaceMap(Struct, frozen=True):
    """A map of sectors, about its centre."""

    reach: float
    sectors: list[Sector]
    pieces: list[Piece]


def place_rows(
    path: str, members: Sequence[tuple[str, Part]], inputs: FormEntries, wrong: Mapping[str, Part]
) -> list[FormRow]:
    """A row for the place of each of those who take part, by id or by the name that they will have."""
    rows = {inputs.last(f"{path}.{row}.key"): row for row in inputs.rows(path)}
    free = iter(row for row in range(len(members) + len(rows)) if row not in rows.values())
    form_rows = []
    for who, title in members:
        row = f"{path}.{rows[who] if who in rows else next(free)}"
        fields = [
            FormField(
                path=f"{row}.item.{part}",
                title=name,
                look="number",
                value=inputs.last(f"{row}.item.{part}"),
                least=0,
                wrong=wrong.get(f"{row}.item.{part}", ""),
            )
            for part, name in ((RING, say("Ring")), (QUADRANT, say("Quadrant")))
        ]
        form_rows.append(
            FormRow(row, title, [FormField(path=f"{row}.item", title=title, look="parts", fields=fields)], who)
        )
    return form_rows


def place_map(
    fields: Sequence[FormField], settings: Any, joining: Joining, inputs: FormEntries
) -> PlaceMap | None:
    """The map with everybody who has a place; None where places are no sectors."""
    if joining.sectors is None:
        return None
    around = joining.sectors(settings)
    pieces: list[tuple[str, Part]] = []
    for field in fields:
        own = [(f"{row.path}.item", row.title) for row in field.rows]
        pieces += own if field.look == "keys" else [(field.path, field.title)]
    places = {path: place for path, _ in pieces if (place := _place(inputs, path)) is not None}
    rings = min(RINGS_MAX, max([RINGS_MIN, *(ring + 2 for ring, _ in places.values())]))
    choice = inputs.last(PLACING)
    open_paths = [path for path, _ in pieces if path not in places]
    next_path = choice if choice in dict(pieces) else next(iter(open_paths), "")
    counts: dict[tuple[int, int], int] = {}
    drawn_pieces = []
    for path, title in pieces:
        at = None
        if path in places:
            ring, quadrant = places[path][0], places[path][1] % around
            nth = counts[ring, quadrant] = counts.get((ring, quadrant), -1) + 1
            at = _point(ring, quadrant, nth, around) if ring < rings else None
        drawn_pieces.append(Piece(path, title, _letters(title), at, path == next_path))
    sectors = [
        Sector(ring, quadrant, _outline(ring, quadrant, around))
        for ring in range(rings)
        for quadrant in range(around)
    ]
    return PlaceMap(rings * BAND + 4, sectors, drawn_pieces)


def _place(inputs: FormEntries, path: str) -> tuple[int, int] | None:
    ring, quadrant = (inputs.last(f"{path}.{part}").strip() for part in (RING, QUADRANT))
    return (int(ring), int(quadrant)) if WHOLE.fullmatch(ring) and WHOLE.fullmatch(quadrant) else None


def _letters(title: Part) -> str:
    """The first letter of a name, and the number at its end."""
    text = str(title)
    end = text.rpartition(" ")[2]
    return text[:1].upper() + (end if end.isdigit() and len(end) < 3 else "")  # noqa: PLR2004 — room for two


def _point(ring: int, quadrant: int, nth: int, around: int) -> tuple[float, float]:
    """The place of the `nth` of those who share a sector: side by side, as far as there is room."""
    part = 2 * pi / around
    radius = (ring + 0.5) * BAND
    spread = min(part / 4, 2 * TOKEN / radius)
    offset = (nth + 1) // 2 * (1 if nth % 2 else -1)
    angle = -pi / 2 + (quadrant + 0.5) * part + max(-part / 2.4, min(part / 2.4, offset * spread))
    return radius * cos(angle), radius * sin(angle)


def _outline(ring: int, quadrant: int, around: int) -> str:
    """The path around a sector."""
    part = 2 * pi / around
    start, end = (-pi / 2 + turn * part for turn in (quadrant, quadrant + 1))
    inner, outer = ring * BAND, (ring + 1) * BAND
    is_wide = int(part > pi)

    def at(radius: float, angle: float) -> str:
        return f"{radius * cos(angle):.1f} {radius * sin(angle):.1f}"

    return (
        f"M{at(inner, start)}L{at(outer, start)}A{outer} {outer} 0 {is_wide} 1 {at(outer, end)}"
        f"L{at(inner, end)}A{inner} {inner} 0 {is_wide} 0 {at(inner, start)}Z"
    )
