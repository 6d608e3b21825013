"""The turn of FREE/FALL: declared downwards, resolved upwards; beneath it what waits, clocks and machines."""

from xml.etree.ElementTree import Element

from domain.sentences import say
from domain.systems.freefall.state import Action
from projections.drawings import canvas
from projections.drawings.board_parts import Drawing, Words
from projections.drawings.dice import die, flow
from projections.systems.freefall import turn_words as told
from projections.systems.freefall.boards import SeatStands, TurnBoard
from projections.systems.freefall.dials import CARD, CLOCK, CLOCK_WIDTH, clock, machine

LINE = 18
DICE_LINE = 26
NAME = 30
SEAT, FACE, LEFT = 26, 54, 74
"""Where the number of a seat, the token and the texts stand."""

RIGHT = canvas.WIDTH - 44
CONFLICT_DIE = 9


def draw(board: TurnBoard, words: Words) -> Drawing:
    """The turn; outside turns what waits, clocks and machines, if there are any."""
    sentence, rows = told.told(board, words), told.turn_tables(board, words)
    waiting = [*(told.harm(each, words) for each in board.pending_harm)]
    waiting += [told.called(each, words) for each in board.called_rolls]
    if not (board.seats or board.clocks or board.machines or waiting):
        return Drawing("", sentence, rows)
    root = canvas.drawing(words.say(say("The turn")), sentence, canvas.Box(0, 0, canvas.WIDTH, 0))
    mode, _, phase = sentence.partition(" · ")
    canvas.text(root, 8, 14, f"{mode} \u00d7{board.scale}", "strong")
    canvas.text(root, canvas.WIDTH - 8, 14, phase, "muted", "end")
    lower = _draw_turn(root, board, words) if board.seats else 28.0
    for line in waiting:
        lower = _draw_waiting(root, lower, line)
    clocks = ((CLOCK_WIDTH, clock(root, each)) for each in board.clocks)
    lower = flow(4, lower + 8, canvas.WIDTH - 8, CLOCK + 40, clocks) if board.clocks else lower
    machines = ((CARD, machine(root, each, words)) for each in board.machines)
    lower = flow(4, lower + 4, canvas.WIDTH - 8, 44, machines) if board.machines else lower
    root.set("viewBox", f"0 0 {canvas.WIDTH} {lower:g}")
    root.set("height", f"{lower:g}")
    return Drawing(canvas.markup(root), sentence, rows)


def _draw_turn(root: Element, board: TurnBoard, words: Words) -> float:
    """Everyone in the order of declaration, between the two arrows; the lower edge."""
    top = 58.0
    letters = canvas.shortened([each.name for each in board.seats])
    canvas.text(root, 4, 42, f"↓ {words.say(say('declared'))}", "muted")
    canvas.text(root, canvas.WIDTH - 4, 42, f"{words.say(say('resolved'))} ↑", "muted", "end")
    y, before = top, None
    for each, initials in zip(board.seats, letters, strict=True):
        height = NAME + sum(map(_height, each.actions)) + 6
        if each.acts_now:
            canvas.add(root, "rect", "now", x=20, y=y - 6, width=canvas.WIDTH - 40, height=height, rx=6)
        elif before is not None:
            start = FACE - 20 if each.seat is not None and each.seat == before else 20
            canvas.path(root, "hair", "M", start, y - 6, "H", canvas.WIDTH - 20)
        _draw_seat(root, each, initials, y, each.seat != before or each.seat is None, words)
        y, before = y + height, each.seat
    canvas.arrow(root, "way", (8, top - 8), (8, y - 4))
    canvas.arrow(root, "way", (canvas.WIDTH - 8, y - 4), (canvas.WIDTH - 8, top - 8))
    return y + 4


def _draw_seat(root: Element, each: SeatStands, letters: str, y: float, first: bool, words: Words) -> None:
    """A participant with their actions; a group's seat is numbered once."""
    group = canvas.focusable(root, told.seat(each, words))
    if first and each.seat is not None:
        canvas.text(group, SEAT, y + 15, str(each.seat), "strong", "middle")
    kind = "acting" if each.acts_now else "out" if each.status == "ousted" else ""
    canvas.face(group, FACE, y + 11, letters, kind, square=each.player is None)
    if each.resolves is not None:
        canvas.text(group, canvas.WIDTH - 26, y + 15, str(each.resolves), "strong", "middle")
    left = told.left(each, words) if each.seat is not None else told.undeclared(words)
    canvas.text(group, RIGHT, y + 15, left, "muted", "end")
    room = RIGHT - LEFT - canvas.width_of(left) - 8
    canvas.text(group, LEFT, y + 15, canvas.fitted(each.name, room), "acting" if each.acts_now else "strong")
    y += NAME
    for action in each.actions:
        _draw_action(group, action, y, words)
        y += _height(action)


def _height(each: Action) -> float:
    """The height of an action's line, and of another for its dice."""
    return LINE + (DICE_LINE if each.conflict_dice else 0)


def _draw_action(group: Element, each: Action, y: float, words: Words) -> None:
    """An action: hollow while it is declared, full once rolled, crossed if it never came to be."""
    gone = each.status in ("negated", "abandoned")
    kind = "full" if each.status == "rolled" else "gone" if gone else ""
    canvas.add(group, "circle", f"pip {kind}".rstrip(), cx=LEFT + 5, cy=y, r=4.5)
    if gone:
        canvas.path(group, "cross", "M", LEFT + 1, y + 4, "l", 8, -8)
    line = canvas.fitted(told.action(each, words), RIGHT - LEFT - 16)
    canvas.text(group, LEFT + 16, y + 4, line, "gone" if gone else "")
    for nth, fallen in enumerate(each.conflict_dice):
        die(group, LEFT + 27 + DICE_LINE * nth, y + LINE + 3, 20, str(fallen.natural), half=CONFLICT_DIE)


def _draw_waiting(root: Element, top: float, line: str) -> float:
    """What waits for an answer, under a sign; the lower edge."""
    group = canvas.focusable(root, line)
    canvas.path(group, "sign", "M", 16, top + 4, "l", 8, 14, "h", -16, "Z")
    for nth, part in enumerate(canvas.in_lines(line, canvas.WIDTH - 44)):
        canvas.text(group, 32, top + 16 + 15 * nth, part)
        top += 15 * bool(nth)
    return top + 26
