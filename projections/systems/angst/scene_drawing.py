"""The scene of Angst: tests as they lie, everyone's Cores on the ladder of dice, and chances to purge."""

from xml.etree.ElementTree import Element

from domain.sentences import say
from domain.systems.angst.tables import CORES, rank, sides
from projections.drawings import canvas
from projections.drawings.board_parts import Drawing, Words
from projections.drawings.dice import DIE, Draw, die, flow
from projections.systems.angst import scene_words
from projections.systems.angst.boards import CalledStands, CoreStands, OpenStands, SceneBoard, SomebodyInScene

LEFT = 16
ROOM = canvas.WIDTH - 2 * LEFT
LADDER = 128
"""Where the first Core stands; names stand before it."""

PACE = (canvas.WIDTH - LADDER) / len(CORES)
ROW = 46
SMALL = 10
SIX, FOUR = 6, 4


def draw(board: SceneBoard, words: Words) -> Drawing:
    """The scene from its tests down to the chances to purge."""
    sentence, rows = words.say(scene_words.board_sentence(board)), scene_words.scene_tables(board, words)
    if not board.people:
        return Drawing("", sentence, rows)
    root = canvas.drawing(words.say(say("The scene")), sentence, canvas.Box(0, 0, canvas.WIDTH, 0))
    letters = canvas.shortened([person.who.name for person in board.people])
    tokens = dict(zip((person.who.character for person in board.people), letters, strict=True))
    lower = 4.0
    for roll in (*board.open_tests, *board.opposed_tests):
        lower = _draw_rolled(root, roll, tokens, lower, words)
    for call in board.called_tests:
        lower = _draw_called(root, call, tokens, lower, words)
    lower = _draw_ladder(root, board.people, tokens, lower, words)
    for offer in board.offers:
        lower = _draw_line(root, scene_words.offer(offer, words), lower)
    root.set("viewBox", f"0 0 {canvas.WIDTH} {lower:g}")
    root.set("height", f"{lower:g}")
    return Drawing(canvas.markup(root), sentence, rows)


def _head(
    root: Element, full: str, name: str, line: str, letters: str, plate: str, top: float, *, square: bool
) -> tuple[Element, Element]:
    """A card's frame and its head: a token, a name, a line, and a plate at the right."""
    card = canvas.add(root, "rect", "card", x=4, y=top, width=canvas.WIDTH - 8, rx=6)
    group = canvas.focusable(root, full)
    canvas.face(group, LEFT + 12, top + 22, letters, "acting", square=square)
    box = canvas.plate_box(0, 0, plate)
    plate_box = canvas.Box(canvas.WIDTH - LEFT - box.width, top + 12, box.width, box.height)
    canvas.plate(group, plate_box, plate)
    room = ROOM - 40 - box.width
    canvas.text(group, LEFT + 32, top + 19, canvas.fitted(name, room), "strong")
    canvas.text(group, LEFT + 32, top + 33, canvas.fitted(line, room), "muted")
    return card, group


def _draw_rolled(root: Element, roll: OpenStands, tokens: dict[str, str], top: float, words: Words) -> float:
    """A rolled test: its dice as they lie, what counted beside them, and the total; the lower edge."""
    test, who = roll.test, roll.who
    core = scene_words.core(test.core, words)
    letters = tokens.get(who.character) or canvas.shortened([who.name])[0]
    card, group = _head(
        root,
        scene_words.rolled_test(roll, words),
        who.name,
        core,
        letters,
        scene_words.total(roll, words),
        top,
        square=who.player is None,
    )
    dice = [(DIE + 8.0, _die(group, SIX, str(face))) for face in test.dice.base]
    if test.core_die != "d0":
        dice.append((DIE + 8.0, _die(group, sides(test.core_die), str(test.dice.core), "core")))
    for sign, extra in (("+", test.dice.bonus), ("\u2212", test.dice.penalty)):
        if extra is not None:
            dice += [(16.0, _words(group, sign)), (DIE + 8.0, _die(group, FOUR, str(extra)))]
    dice += [(canvas.width_of(line) + 14, _words(group, line)) for line in scene_words.modifiers(roll, words)]
    lower = flow(LEFT, top + 44, ROOM, DIE + 8, dice)
    card.set("height", f"{lower - top:g}")
    return lower + 10


def _draw_called(root: Element, call: CalledStands, tokens: dict[str, str], top: float, words: Words) -> float:
    """A called test that is not rolled yet; the lower edge."""
    who, core = call.who, scene_words.core(call.test.core, words)
    letters = tokens.get(who.character) or canvas.shortened([who.name])[0]
    mark = scene_words.against(call.test.dn, words)
    card, _ = _head(
        root, scene_words.called_test(call, words), who.name, core, letters, mark, top, square=who.player is None
    )
    card.set("height", "44")
    return top + 54


def _die(group: Element, of: int, face: str, kind: str = "") -> Draw:
    return lambda x, y: die(group, x + DIE / 2, y + DIE / 2, of, face, kind)


def _words(group: Element, line: str) -> Draw:
    def at(x: float, y: float) -> None:
        canvas.text(group, x, y + 18, canvas.fitted(line, ROOM))

    return at


def _draw_ladder(
    root: Element, people: list[SomebodyInScene], tokens: dict[str, str], top: float, words: Words
) -> float:
    """Everyone with the die of each Core, and beneath it how high it stands on the ladder; the lower edge."""
    for nth, core in enumerate(CORES):
        name = canvas.fitted(scene_words.core(core, words), PACE - 2, SMALL)
        canvas.text(root, LADDER + PACE * (nth + 0.5), top + 12, name, "muted", "middle", SMALL)
    top += 20
    for person in people:
        group = canvas.focusable(root, scene_words.person(person, words), thing=person.who.character)
        kind = "out" if person.status == "dead" else "done" if person.status == "out_of_scene" else ""
        canvas.path(root, "hair", "M", 4, top - 2, "H", canvas.WIDTH - 4)
        canvas.face(group, 18, top + 20, tokens[person.who.character], kind, square=person.kind != "pc")
        for line, part in enumerate(parts := canvas.in_lines(person.who.name, LADDER - 40)):
            canvas.text(group, 36, top + 24 + 15 * line - 7 * (len(parts) - 1), part, kind and "muted")
        for nth, core in enumerate(CORES):
            if core in person.cores:
                _draw_core(group, person.cores[core], LADDER + PACE * (nth + 0.5), top)
        top += ROW
    return top + 4


def _draw_core(group: Element, core: CoreStands, x: float, top: float) -> None:
    """A Core's die as it rolls now, over the steps of its rating."""
    kind = "hurt" if core.effective != core.rated else ""
    die(group, x, top + 17, sides(core.effective), str(sides(core.effective)), kind, half=12)
    steps = rank(core.rated)
    canvas.pips(group, x - (steps * 7 - 2) / 2, top + 35, rank(core.effective), steps, 5)


def _draw_line(root: Element, line: str, top: float) -> float:
    """A sentence with its sign; the lower edge."""
    group = canvas.focusable(root, line)
    canvas.path(group, "sign", "M", LEFT, top + 5, "l", 8, 14, "h", -16, "Z")
    parts = canvas.in_lines(line, ROOM - 16)
    for nth, part in enumerate(parts):
        canvas.text(group, LEFT + 16, top + 17 + 15 * nth, part)
    return top + 10 + 15 * len(parts)
