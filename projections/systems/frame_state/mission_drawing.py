"""Missions and tests of Frame State: each test as a card with its dice and exact odds; then what is owed."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from domain.sentences import say
from projections.drawings import canvas
from projections.drawings.board_parts import Drawing, Words
from projections.drawings.dice import DIE, Draw, die, flow, width_with_words
from projections.systems.frame_state import mission_words
from projections.systems.frame_state.boards import DieStands, MissionBoard, MissionStands, PersonRef, TestStands
from projections.systems.frame_state.mission_tables import mission_tables

LEFT = 16
ROOM = canvas.WIDTH - 2 * LEFT
BAR = 18
NAME = 160


def draw(board: MissionBoard, words: Words) -> Drawing:
    """Tests that wait for their roll, running missions, and lines for what else is open."""
    sentence, rows = words.say(mission_words.board_sentence(board)), mission_tables(board, words)
    lines = [*_lines(board, words)]
    if not (board.open_tests or board.missions or lines):
        return Drawing("", sentence, rows)
    root = canvas.drawing(words.say(say("Missions and tests")), sentence, canvas.Box(0, 0, canvas.WIDTH, 0))
    people = {pilot.id: pilot.name for mission in board.missions for pilot in mission.pilots}
    people |= {test.roller.id: test.roller.name for test in board.open_tests}
    tokens = dict(zip(people, canvas.shortened([*people.values()]), strict=True))
    pilots = {pilot.id for mission in board.missions for pilot in mission.pilots}
    lower = 4.0
    for test in board.open_tests:
        square = bool(pilots) and test.roller.id not in pilots
        lower = _draw_test(root, test, tokens[test.roller.id], lower, words, square=square) + 12
    for mission in board.missions:
        lower = _draw_mission(root, mission, tokens, lower)
    for kind, line in lines:
        lower = _draw_line(root, kind, line, lower)
    root.set("viewBox", f"0 0 {canvas.WIDTH} {lower:g}")
    root.set("height", f"{lower:g}")
    return Drawing(canvas.markup(root), sentence, rows)


def _draw_test(root: Element, test: TestStands, letters: str, top: float, words: Words, *, square: bool) -> float:
    """A card: the roller, the mark, the dice, and how likely each outcome is; its lower edge."""
    card = canvas.add(root, "rect", "card", x=4, y=top, width=canvas.WIDTH - 8, rx=6)
    group = canvas.focusable(root, mission_words.test(test, words), thing=test.test_id)
    canvas.face(group, LEFT + 12, top + 22, letters, "acting", square=square)
    mark = mission_words.mark(test, words)
    box = canvas.plate_box(0, 0, mark)
    plate_box = canvas.Box(canvas.WIDTH - LEFT - box.width, top + 12, box.width, box.height)
    canvas.plate(group, plate_box, mark, "hidden" if test.mark_hidden else "")
    canvas.text(group, LEFT + 32, top + 19, canvas.fitted(test.roller.name, ROOM - 40 - box.width), "strong")
    kind = words.value(TestStands, "test_type", test.test_type)
    canvas.text(group, LEFT + 32, top + 33, canvas.fitted(kind, ROOM - 40 - box.width), "muted")
    y = top + 46
    for line in canvas.in_lines(test.situation or "", ROOM):
        canvas.text(group, LEFT, y + 10, line)
        y += 16
    dice = [
        (width_with_words(mission_words.die(offer, words)), _die(group, offer, words)) for offer in test.offers
    ]
    modifiers = mission_words.modifier_total(test, words)
    if modifiers:
        dice.append((canvas.width_of(modifiers) + 8, _words(group, modifiers)))
    y = flow(LEFT, y + 6, ROOM, DIE + 8, dice) if dice else y
    y = _draw_odds(group, test, y + 2, words) if test.odds else y
    card.set("height", f"{y - top + 4:g}")
    return y + 4


def _die(group: Element, offer: DieStands, words: Words) -> Draw:
    def at(x: float, y: float) -> None:
        die(group, x + DIE / 2, y + DIE / 2, offer.sides, str(offer.sides))
        canvas.text(group, x + DIE + 8, y + 18, mission_words.die(offer, words), "muted")

    return at


def _words(group: Element, line: str) -> Draw:
    def at(x: float, y: float) -> None:
        canvas.text(group, x, y + 18, canvas.fitted(line, ROOM))

    return at


def _draw_odds(group: Element, test: TestStands, y: float, words: Words) -> float:
    """A bar of all outcomes from the worst to the best, and beneath it each with its share."""
    odds, x = test.odds or {}, float(LEFT)
    there = [outcome for outcome in mission_words.OUTCOMES if outcome in odds]
    for outcome in there:
        canvas.add(group, "rect", f"odds {outcome}", x=x, y=y, width=odds[outcome] * ROOM, height=BAR)
        x += odds[outcome] * ROOM
    canvas.add(group, "rect", "frame", x=LEFT, y=y, width=ROOM, height=BAR)
    legend = zip(there, mission_words.chances(test, words), strict=True)
    items = [(canvas.width_of(line) + 30, _chance(group, outcome, line)) for outcome, line in legend]
    return flow(LEFT, y + BAR + 4, ROOM, 20, items)


def _chance(group: Element, outcome: str, line: str) -> Draw:
    def at(x: float, y: float) -> None:
        canvas.add(group, "rect", f"odds key {outcome}", x=x, y=y + 4, width=10, height=10)
        canvas.text(group, x + 15, y + 13, line)

    return at


def _draw_mission(root: Element, mission: MissionStands, tokens: dict[str, str], top: float) -> float:
    """A mission by its name, and its pilots; the lower edge."""
    canvas.text(root, LEFT - 8, top + 16, canvas.fitted(mission.name, canvas.WIDTH - 16), "strong")
    items = [(NAME, _pilot(root, pilot, tokens[pilot.id])) for pilot in mission.pilots]
    return flow(LEFT - 10, top + 26, canvas.WIDTH - 4, 34, items) + 4


def _pilot(root: Element, pilot: PersonRef, letters: str) -> Draw:
    def at(x: float, y: float) -> None:
        canvas.token(root, x + 14, y + 14, letters, pilot.name, square=False, thing=pilot.id)
        canvas.text(root, x + 30, y + 18, canvas.fitted(pilot.name, NAME - 34))

    return at


def _lines(board: MissionBoard, words: Words) -> Iterator[tuple[str, str]]:
    """Everything else that is open, in a sentence each: requests to the Handler, and money."""
    yield from (("ask", mission_words.proposal(proposal, words)) for proposal in board.proposals)
    yield from (("ask", mission_words.replacement(replacement, words)) for replacement in board.replacements)
    yield from (("coin", mission_words.payout(payout, words)) for payout in board.payouts)
    yield from (("coin", mission_words.due(due, words)) for due in board.frames_due)


def _draw_line(root: Element, kind: str, line: str, top: float) -> float:
    """A sentence with its sign; the lower edge."""
    group = canvas.focusable(root, line)
    if kind == "coin":
        canvas.add(group, "circle", "coin", cx=LEFT, cy=top + 13, r=6)
    else:
        canvas.path(group, "sign", "M", LEFT, top + 5, "l", 8, 14, "h", -16, "Z")
    told_in = canvas.in_lines(line, ROOM - 12)
    for nth, part in enumerate(told_in):
        canvas.text(group, LEFT + 16, top + 17 + 15 * nth, part)
    return top + 12 + 15 * len(told_in)
