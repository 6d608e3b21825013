"""The relationships of Angst as a graph: the stronger a grade, the thicker its line; bad ones are dashed."""

from math import cos, hypot, pi, sin
from xml.etree.ElementTree import Element

from domain.sentences import say
from projections.drawings import canvas
from projections.drawings.board_parts import Drawing, Words
from projections.drawings.labels import Point, beside, edge_of, is_free, place, ray_of
from projections.systems.angst.boards import Bond, Node, RelationshipWeb
from projections.systems.angst.relationships_words import board_sentence, person, short, web_tables

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
    bound = {bond.who for bond in board.bonds} | {bond.toward for bond in board.bonds}
    people = _ordered([node for node in board.people if node.id in bound], board.bonds)
    sentence, rows = words.say(board_sentence(board)), web_tables(board, words)
    if not people:
        return Drawing("", sentence, rows)
    radius = max(RADIUS, len(people) * PACE / (2 * pi))
    places = {node.id: _on(radius, nth / len(people)) for nth, node in enumerate(people)}
    taken_boxes = [canvas.around(*at) for at in places.values()]
    lines, tokens = Element("g"), Element("g")
    for bond in board.bonds:
        if bond.who != bond.toward:
            _draw_bond(lines, tokens, bond, places, taken_boxes)
    for node, letters in zip(people, canvas.shortened([node.name for node in people]), strict=True):
        kind = "out" if node.status == "dead" else "done" if node.status == "out_of_scene" else ""
        at, square = places[node.id], node.kind != "pc"
        canvas.token(tokens, *at, letters, person(node, board, words), kind, square=square, thing=node.id)
        name = canvas.in_lines(node.name, NAME)
        room = place(at, max(map(canvas.width_of, name)), 14 * len(name) - 1, ray_of(at), taken_boxes)
        if room is not None:
            if room.far:
                canvas.path(lines, "leader", "M", *at, "L", *edge_of(room.box, at))
            for line, part in enumerate(name):
                middle = room.box.left + room.box.width / 2
                canvas.text(tokens, middle, room.box.top + 10 + 14 * line, part, "halo", "middle")
    extent = canvas.hull(taken_boxes, 8)
    spare = max(0, canvas.WIDTH - extent.width)
    box = canvas.Box(extent.left - spare / 2, extent.top, extent.width + spare, extent.height)
    root = canvas.drawing(words.say(say("Relationships")), sentence, box)
    root.extend((lines, tokens))
    return Drawing(canvas.markup(root), sentence, rows)


def _on(radius: float, share: float) -> Point:
    return radius * sin(2 * pi * share), -radius * cos(2 * pi * share)


def _ordered(people: list[Node], bonds: list[Bond]) -> list[Node]:
    """People near those they are bound to: each is put where lines stay shortest, the most bound first."""
    pairs = sorted({(min(bond.who, bond.toward), max(bond.who, bond.toward)) for bond in bonds})

    def bound(node: Node) -> int:
        return sum(node.id in pair for pair in pairs)

    def length(order: list[Node]) -> int:
        places = {node.id: nth for nth, node in enumerate(order)}
        steps = [abs(places[one] - places[other]) for one, other in pairs if one in places and other in places]
        return sum(min(step, len(order) - step) ** 2 for step in steps)

    order: list[Node] = []
    for node in sorted(people, key=bound, reverse=True):
        order = min(([*order[:nth], node, *order[nth:]] for nth in range(len(order) + 1)), key=length)
    return order


def _draw_bond(
    lines: Element, plates: Element, bond: Bond, places: dict[str, Point], taken_boxes: list[canvas.Box]
) -> None:
    """One person's feeling toward another, with the grade on the line."""
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
    room = next((spot for spot in spots if is_free(spot, taken_boxes)), None)
    if room is None:
        room = beside((tail, tip), width, 18, taken_boxes)
    else:
        taken_boxes.append(room)
    canvas.plate(plates, room, grade, kind)
