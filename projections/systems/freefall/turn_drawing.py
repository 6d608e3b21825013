"""The turn of FREE/FALL: declared downwards, resolved upwards; beneath it what waits, clocks and machines."""

from xml.etree.ElementTree import Element

from domain.sentences import say
from projections.drawings import canvas
from projections.drawings.board_parts import Drawing, Words
from projections.drawings.dice import die, flow
from projections.systems.freefall import turn_words
from projections.systems.freefall.boards import SeatStands, TurnBoard
from projections.systems.freefall.clocks_and_machines import CARD, CLOCK, CLOCK_WIDTH, clock, machine
from projections.systems.freefall.sheet import ActionStands

LINE = 18
DICE_LINE = 26
NAME = 30
SEAT, FACE, LEFT = 26, 54, 74
"""Where the number of a seat, the token and the texts stand."""

RIGHT = canvas.WIDTH - 44
CONFLICT_DIE = 9


def draw(board: TurnBoard, words: Words) -> Drawing:
    """The turn; outside turns what waits, clocks and machines, if there are any."""
    sentence, rows = turn_words.board_line(board, words), turn_words.turn_tables(board, words)
    waiting = [*(turn_words.harm(harm, words) for harm in board.pending_harm)]
    waiting += [turn_words.called_roll(roll, words) for roll in board.called_rolls]
    if not (board.seats or board.clocks or board.machines or waiting):
        return Drawing("", sentence, rows)
    root = canvas.drawing(words.say(say("The turn")), sentence, canvas.Box(0, 0, canvas.WIDTH, 0))
    mode, _, phase = sentence.partition(" · ")
    canvas.text(root, 8, 14, f"{mode} \u00d7{board.scale}", "strong")
    canvas.text(root, canvas.WIDTH - 8, 14, phase, "muted", "end")
    lower = _draw_turn(root, board, words) if board.seats else 28.0
    for line in waiting:
        lower = _draw_waiting(root, lower, line)
    clocks = ((CLOCK_WIDTH, clock(root, dial)) for dial in board.clocks)
    lower = flow(4, lower + 8, canvas.WIDTH - 8, CLOCK + 40, clocks) if board.clocks else lower
    machines = ((CARD, machine(root, machine_view, words)) for machine_view in board.machines)
    lower = flow(4, lower + 4, canvas.WIDTH - 8, 44, machines) if board.machines else lower
    root.set("viewBox", f"0 0 {canvas.WIDTH} {lower:g}")
    root.set("height", f"{lower:g}")
    return Drawing(canvas.markup(root), sentence, rows)


def _draw_turn(root: Element, board: TurnBoard, words: Words) -> float:
    """Everyone in the order of declaration, between the two arrows; the lower edge."""
    top = 58.0
    letters = canvas.shortened([seat.name for seat in board.seats])
    canvas.text(root, 4, 42, f"↓ {words.say(say('declared'))}", "muted")
    canvas.text(root, canvas.WIDTH - 4, 42, f"{words.say(say('resolved'))} ↑", "muted", "end")
    y, before = top, None
    for seat, initials in zip(board.seats, letters, strict=True):
        height = NAME + sum(map(_height, seat.actions)) + 6
        if seat.acts_now:
            canvas.add(root, "rect", "now", x=20, y=y - 6, width=canvas.WIDTH - 40, height=height, rx=6)
        elif before is not None:
            start = FACE - 20 if seat.seat is not None and seat.seat == before else 20
            canvas.path(root, "hair", "M", start, y - 6, "H", canvas.WIDTH - 20)
        _draw_seat(root, seat, initials, y, seat.seat != before or seat.seat is None, words)
        y, before = y + height, seat.seat
    canvas.arrow(root, "way", (8, top - 8), (8, y - 4))
    canvas.arrow(root, "way", (canvas.WIDTH - 8, y - 4), (canvas.WIDTH - 8, top - 8))
    return y + 4


def _draw_seat(root: Element, seat: SeatStands, letters: str, y: float, first: bool, words: Words) -> None:
    """A participant with their actions; a group's seat is numbered once."""
    group = canvas.focusable(root, turn_words.seat(seat, words), thing=seat.actor)
    if first and seat.seat is not None:
        canvas.text(group, SEAT, y + 15, str(seat.seat), "strong", "middle")
    kind = "acting" if seat.acts_now else "out" if seat.status == "ousted" else ""
    canvas.face(group, FACE, y + 11, letters, kind, square=seat.player is None)
    if seat.resolves is not None:
        canvas.text(group, canvas.WIDTH - 26, y + 15, str(seat.resolves), "strong", "middle")
    dice_left = turn_words.dice_left(seat, words) if seat.seat is not None else turn_words.undeclared(words)
    canvas.text(group, RIGHT, y + 15, dice_left, "muted", "end")
    room = RIGHT - LEFT - canvas.width_of(dice_left) - 8
    canvas.text(group, LEFT, y + 15, canvas.fitted(seat.name, room), "acting" if seat.acts_now else "strong")
    y += NAME
    for action in seat.actions:
        _draw_action(group, action, y, words)
        y += _height(action)


def _height(action: ActionStands) -> float:
    """The height of an action's line, and of another for its dice."""
    return LINE + (DICE_LINE if action.conflict_dice else 0)


def _draw_action(group: Element, action: ActionStands, y: float, words: Words) -> None:
    """An action: hollow while it is declared, full once rolled, crossed if it never came to be."""
    is_off = action.status in ("negated", "abandoned")
    kind = "full" if action.status == "rolled" else "gone" if is_off else ""
    canvas.add(group, "circle", f"pip {kind}".rstrip(), cx=LEFT + 5, cy=y, r=4.5)
    if is_off:
        canvas.path(group, "cross", "M", LEFT + 1, y + 4, "l", 8, -8)
    line = canvas.fitted(turn_words.action(action, words), RIGHT - LEFT - 16)
    canvas.text(group, LEFT + 16, y + 4, line, "gone" if is_off else "")
    for nth, conflict_die in enumerate(action.conflict_dice):
        die(group, LEFT + 27 + DICE_LINE * nth, y + LINE + 3, 20, str(conflict_die.natural), half=CONFLICT_DIE)


def _draw_waiting(root: Element, top: float, line: str) -> float:
    """Something that waits for an answer, under a sign; the lower edge."""
    group = canvas.focusable(root, line)
    canvas.path(group, "sign", "M", 16, top + 4, "l", 8, 14, "h", -16, "Z")
    for nth, part in enumerate(canvas.in_lines(line, canvas.WIDTH - 44)):
        canvas.text(group, 32, top + 16 + 15 * nth, part)
        top += 15 * bool(nth)
    return top + 26
