"""The relationships of Angst as a graph: the stronger a grade, the thicker its line; bad ones are dashed."""

from math import cos, hypot, pi, sin
from xml.etree.ElementTree import Element

from domain.sentences import say
from projections.drawings import canvas
from projections.drawings.board_parts import Drawing, Words
from projections.drawings.labels import Point, beside, edge_of, is_free, place, ray_of
from projections.systems.angst.boards import Bond, Node, RelationshipWeb
from projections.systems.angst.relationships_words import person, short, told_of, web_tables

RADIUS = 96
PACE = 48
"""From one person to the next along the circle, at least."""

BEND = 0.14
"""How far a line bends aside, as a share of its length, where the other person feels something, too."""

THICK = (1.5, 3.0, 5.0)
"""How thick a line is, by how much its grade counts for or against."""

HEAD = 11
NAME = 72


def draw(board: RelationshipWeb, words: Words) -> Drawing:
    """Everyone in Relationships on a circle."""
    bound = {each.who for each in board.bonds} | {each.toward for each in board.bonds}
    people = _ordered([each for each in board.people if each.id in bound], board.bonds)
    told, rows = words.say(told_of(board)), web_tables(board, words)
    if not people:
        return Drawing("", told, rows)
    radius = max(RADIUS, len(people) * PACE / (2 * pi))
    places = {each.id: _on(radius, nth / len(people)) for nth, each in enumerate(people)}
    taken = [canvas.around(*at) for at in places.values()]
    lines, tokens = Element("g"), Element("g")
    for bond in board.bonds:
        if bond.who != bond.toward:
            _draw_bond(lines, tokens, bond, places, taken)
    for each, letters in zip(people, canvas.shortened([each.name for each in people]), strict=True):
        kind = "out" if each.status == "dead" else "done" if each.status == "out_of_scene" else ""
        at, square = places[each.id], each.kind != "pc"
        canvas.token(tokens, *at, letters, person(each, board, words), kind, square=square)
        name = canvas.in_lines(each.name, NAME)
        room = place(at, max(map(canvas.width_of, name)), 14 * len(name) - 1, ray_of(at), taken)
        if room is not None:
            if room.far:
                canvas.path(lines, "leader", "M", *at, "L", *edge_of(room.box, at))
            for line, part in enumerate(name):
                middle = room.box.left + room.box.width / 2
                canvas.text(tokens, middle, room.box.top + 10 + 14 * line, part, "halo", "middle")
    shown = canvas.hull(taken, 8)
    spare = max(0, canvas.WIDTH - shown.width)
    box = canvas.Box(shown.left - spare / 2, shown.top, shown.width + spare, shown.height)
    root = canvas.drawing(words.say(say("Relationships")), told, box)
    root.extend((lines, tokens))
    return Drawing(canvas.markup(root), told, rows)


def _on(radius: float, share: float) -> Point:
    return radius * sin(2 * pi * share), -radius * cos(2 * pi * share)


def _ordered(people: list[Node], bonds: list[Bond]) -> list[Node]:
    """People near those they are bound to: each is put where lines stay shortest, the most bound first."""
    pairs = sorted({(min(each.who, each.toward), max(each.who, each.toward)) for each in bonds})

    def bound(each: Node) -> int:
        return sum(each.id in pair for pair in pairs)

    def length(order: list[Node]) -> int:
        places = {each.id: nth for nth, each in enumerate(order)}
        steps = [abs(places[one] - places[other]) for one, other in pairs if one in places and other in places]
        return sum(min(step, len(order) - step) ** 2 for step in steps)

    order: list[Node] = []
    for each in sorted(people, key=bound, reverse=True):
        order = min(([*order[:nth], each, *order[nth:]] for nth in range(len(order) + 1)), key=length)
    return order


def _draw_bond(
    lines: Element, plates: Element, bond: Bond, places: dict[str, Point], taken: list[canvas.Box]
) -> None:
    """What one person feels toward another, with the grade on the line."""
    tail, tip = places[bond.who], places[bond.toward]
    bend = BEND if bond.answered is not None else 0.0
    bow = (
        (tail[0] + tip[0]) / 2 + (tip[1] - tail[1]) * bend,
        (tail[1] + tip[1]) / 2 - (tip[0] - tail[0]) * bend,
    )

    def at(share: float) -> Point:
        one, two, three = (1 - share) ** 2, 2 * share * (1 - share), share**2
        x = one * tail[0] + two * bow[0] + three * tip[0]
        return x, one * tail[1] + two * bow[1] + three * tip[1]

    gap = (canvas.TOKEN + 4) / hypot(tip[0] - tail[0], tip[1] - tail[1])
    kind = "for" if bond.modifier > 0 else "against" if bond.modifier < 0 else "even"
    ends, neck = (at(gap), at(1 - gap)), at(1 - gap * (1 + HEAD / (canvas.TOKEN + 4)))
    line = canvas.path(lines, f"bond {kind}", "M", *ends[0], "Q", *bow, *neck)
    line.set("stroke-width", f"{THICK[min(abs(bond.modifier), 2)]:g}")
    canvas.arrow(lines, f"tip {kind}", neck, ends[1], HEAD / 2)
    grade = short(bond.grade)
    width = canvas.width_of(grade) + 8
    spots = [
        canvas.Box(x - width / 2, y - 9, width, 18) for x, y in map(at, (0.5, 0.4, 0.6, 0.3, 0.7, 0.25, 0.75))
    ]
    room = next((each for each in spots if is_free(each, taken)), None)
    if room is None:
        room = beside((tail, tip), width, 18, taken)
    else:
        taken.append(room)
    canvas.plate(plates, room, grade, kind)
