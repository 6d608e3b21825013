"""The fight of Overdrive: the order as a strip, rings and quadrants as a polar map, the attack under way."""

from math import cos, pi, sin
from xml.etree.ElementTree import Element

from domain.sentences import say
from projections.drawings import canvas
from projections.drawings.board_parts import Drawing, Words
from projections.drawings.labels import Point, beside, between, edge_of, is_free, place, ray_of
from projections.systems.overdrive.boards import AttackStands, FightBoard, FighterStands
from projections.systems.overdrive.fight_words import STEPS, board_sentence, fight_tables, fighter, on_plate
from projections.systems.overdrive.sector_map import Map, mapped

CROWD = 8
"""With more fighters than these the map shows no counters."""

IN_STRIP = 6
ROW = 46


def draw(board: FightBoard, words: Words) -> Drawing:
    """The fight as a map; one without positions as its order alone."""
    if board.combat_id is None:
        return Drawing("", words.say(say("There is no fight.")), [])
    letters = canvas.shortened([fighter.who.name for fighter in board.fighters])
    tokens = dict(zip((fighter.who.character for fighter in board.fighters), letters, strict=True))
    strip, field = 20 + ROW * canvas.rows_of(len(board.fighters), IN_STRIP), Element("svg", {"class": "map"})
    sector_map, sentence = mapped(board), words.say(board_sentence(board))
    extent = (
        _draw_map(field, board, sector_map, tokens, words)
        if sector_map is not None
        else canvas.Box(0, 0, canvas.WIDTH, 0)
    )
    width = max(canvas.WIDTH, extent.width)
    root = canvas.drawing(words.say(say("The fight")), sentence, canvas.Box(0, 0, width, strip + extent.height))
    _draw_strip(root, board, tokens, words, width)
    if sector_map is not None:
        left = extent.left - (width - extent.width) / 2
        field.set("viewBox", f"{left:.1f} {extent.top:.1f} {width:.1f} {extent.height:.1f}")
        for name, size in {"y": strip, "width": width, "height": extent.height}.items():
            field.set(name, f"{size:.1f}")
        root.append(field)
    return Drawing(canvas.markup(root), sentence, fight_tables(board, words))


def _draw_strip(root: Element, board: FightBoard, tokens: dict[str, str], words: Words, width: float) -> None:
    """The order of the turn, each combatant with the first of their names."""
    head = say("Turn {turn}", turn=board.turn) if board.turn is not None else say("Initiative")
    canvas.text(root, 8, 13, words.say(head), "strong")
    pace = width / min(IN_STRIP, max(1, len(board.fighters)))
    for nth, combatant in enumerate(board.fighters):
        x, y = pace * (nth % IN_STRIP + 0.5), 34 + ROW * (nth // IN_STRIP)
        _draw_token(root, (x, y), combatant, tokens, words)
        first = canvas.fitted(combatant.who.name.partition(" ")[0], pace - 6)
        canvas.text(root, x, y + 25, first, combatant.status or "muted", "middle")
        if combatant.place is not None and nth % IN_STRIP:
            canvas.path(root, "line", "M", x - pace / 2 - 3, y - 4, "l", 4, 4, "l", -4, 4)


def _draw_map(
    field: Element, board: FightBoard, sector_map: Map, tokens: dict[str, str], words: Words
) -> canvas.Box:
    """Rings, everyone on them, and the attack; gives the part of the map that has to be seen."""
    taken_boxes = [canvas.around(*at) for at in sector_map.places.values()]
    if sector_map.objective is not None:
        taken_boxes.append(canvas.around(*sector_map.objective))
    _draw_rings(field, sector_map)
    if sector_map.objective is not None:
        _draw_objective(field, sector_map.objective, words.field(FightBoard, "objective_position"))
    here = [combatant for combatant in board.fighters if combatant.who.character in sector_map.places]
    for combatant in here:
        if combatant.protects is not None and combatant.protects.character in sector_map.places:
            whom = sector_map.places[combatant.protects.character]
            canvas.path(field, "link", "M", *sector_map.places[combatant.who.character], "L", *whom)
    for combatant in here:
        _draw_token(field, sector_map.places[combatant.who.character], combatant, tokens, words)
    if board.attack is not None:
        _draw_attack(field, board.attack, sector_map, taken_boxes)
    for combatant in here:
        _draw_label(
            field, combatant, sector_map.places[combatant.who.character], taken_boxes, counters=len(here) <= CROWD
        )
    _draw_numbers(field, sector_map, taken_boxes)
    return canvas.hull([*taken_boxes, canvas.Box(-8, -8, 16, 16)], 8)


def _draw_rings(field: Element, sector_map: Map) -> None:
    """Each ring by its outer edge, and the lines between the quadrants."""
    reach = max(sector_map.edges.values()) + 8
    lines = [2 * pi * nth / sector_map.quadrants - pi / 2 for nth in range(sector_map.quadrants)]
    ends = [step for line in lines for step in ("M", 0, 0, "L", reach * cos(line), reach * sin(line))]
    canvas.path(field, "ring", *ends)
    for edge in sector_map.edges.values():
        canvas.add(field, "circle", "ring", cx=0, cy=0, r=edge)


def _draw_numbers(field: Element, sector_map: Map, taken_boxes: list[canvas.Box]) -> None:
    """The number of each ring, once, along the ray with most room in what is shown anyway."""
    extent, rays = canvas.hull(taken_boxes), [pi * nth / 12 for nth in (18, 0, 6, 12, *range(24))]
    lines = [
        {
            ring: canvas.around((edge - 8) * cos(ray), (edge - 8) * sin(ray), 7)
            for ring, edge in sector_map.edges.items()
        }
        for ray in rays
    ]
    free = [{ring: box for ring, box in line.items() if is_free(box, taken_boxes)} for line in lines]
    best = max(free, key=lambda line: sum(map(extent.holds, line.values())))
    for ring, box in best.items():
        canvas.text(field, box.left + 7, box.top + 11, str(ring), "halo muted", "middle")
        taken_boxes.append(box)


def _draw_objective(field: Element, at: Point, name: str) -> None:
    star = [(at[0] + r * sin(pi * n / 5), at[1] - r * cos(pi * n / 5)) for n, r in enumerate([11, 5] * 5)]
    group = canvas.focusable(field, name, "objective")
    canvas.path(group, "", "M", *star[0], *(step for point in star[1:] for step in ("L", *point)), "Z")


def _draw_attack(field: Element, attack: AttackStands, sector_map: Map, taken_boxes: list[canvas.Box]) -> None:
    """An arrow from who attacks to the target, and on a plate its successes against the best defence."""
    ends = [sector_map.places.get(person.character) for person in (attack.attacker, attack.target)]
    if ends[0] is None or ends[1] is None:
        return
    line, words = between(ends[0], ends[1]), canvas.fitted(on_plate(attack), 140)
    canvas.arrow(field, "attack", *line)
    size = canvas.plate_box(0, 0, words)
    room = beside(line, size.width, size.height, taken_boxes)
    middle = ((line[0][0] + line[1][0]) / 2, (line[0][1] + line[1][1]) / 2)
    canvas.path(field, "leader", "M", *middle, "L", *edge_of(room, middle))
    canvas.plate(field, room, words, "attack")
    x, y = line[1][0] - line[0][0], line[1][1] - line[0][1]
    taken_boxes += [canvas.around(line[0][0] + x * part, line[0][1] + y * part, 3) for part in (0.2, 0.5, 0.8)]


def _draw_label(
    field: Element, fighter: FighterStands, at: Point, taken_boxes: list[canvas.Box], *, counters: bool
) -> None:
    """A fighter's name, and the counter that takes the next damage unless it is empty."""
    name, value = canvas.fitted(fighter.who.name, 120), fighter.damage.stands.value
    has_counter = counters and value > 0
    room = place(
        at,
        max(canvas.width_of(name), 46 if has_counter else 0),
        22 if has_counter else 13,
        ray_of(at),
        taken_boxes,
    )
    if room is None:
        return
    if room.far:
        edge = edge_of(room.box, at)
        canvas.path(field, "leader", "M", *between(at, edge, canvas.TOKEN)[0], "L", *edge)
    middle = room.box.left + room.box.width / 2
    canvas.text(field, middle, room.box.top + 10, name, "halo", "middle")
    if has_counter:
        canvas.pips(field, middle - 23, room.box.top + 15, min(value, STEPS), STEPS)


def _draw_token(field: Element, at: Point, combatant: FighterStands, tokens: dict[str, str], words: Words) -> None:
    kind = f"{combatant.status or ''} {combatant.condition if combatant.condition != 'fit' else ''}".strip()
    canvas.token(
        field,
        *at,
        tokens[combatant.who.character],
        fighter(combatant, words),
        kind,
        square=combatant.player is None,
        thing=combatant.who.character,
    )
