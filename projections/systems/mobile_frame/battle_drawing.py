"""A battle of Mobile Frame: doomsday clock, companies, nested turns with their dice, and the field."""

from xml.etree.ElementTree import Element

from domain.sentences import say
from domain.systems.mobile_frame.loadout import letters_of
from projections.drawings import canvas
from projections.drawings.board_parts import Drawing, Words, in_a_line
from projections.drawings.dice import DIE, Draw, die, flow, width_with_words
from projections.systems.mobile_frame import battle_words
from projections.systems.mobile_frame.boards import (
    BattleView,
    DieLies,
    FrameStands,
    PlayerStands,
    TurnStands,
)
from projections.systems.mobile_frame.field_drawing import CARD, CARD_HEIGHT, field_cards, mark

DOOMSDAY = 11
TICK = 29
INSET = 8
NAME = 22
"""Where the name of a company begins, behind the mark of who may go now."""
NAMES_MAX = 150


def draw(board: BattleView, words: Words) -> Drawing:
    """The battle from its clock down to the field; between battles, companies and their frames."""
    sentence, rows = battle_words.board_line(board, words), battle_words.battle_tables(board, words)
    if not board.frames and not board.players:
        return Drawing("", sentence, rows)
    root = canvas.drawing(words.say(say("The battle")), sentence, canvas.Box(0, 0, canvas.WIDTH, 0))
    lower = _draw_clock(root, board, words) if board.doomsday is not None else 0.0
    lower = _draw_companies(root, board.players, lower, words)
    letters = canvas.shortened([frame.name for frame in board.frames])
    tokens = dict(zip((frame.frame for frame in board.frames), letters, strict=True))
    frames = {frame.frame: frame for frame in board.frames}
    turns = [turn for turn in board.turns if turn.frame in frames]
    if turns:
        lower = _draw_turns(root, turns, frames, tokens, lower + 8, words) + 12
    cards = field_cards(root, board, {turn.frame for turn in turns}, tokens, words)
    lower = flow(4, lower, canvas.WIDTH - 8, CARD_HEIGHT, ((CARD, card) for card in cards))
    root.set("viewBox", f"0 0 {canvas.WIDTH} {lower:g}")
    root.set("height", f"{lower:g}")
    return Drawing(canvas.markup(root), sentence, rows)


def _draw_clock(root: Element, board: BattleView, words: Words) -> float:
    """The doomsday clock, from its start down to 1, and the round; the lower edge."""
    now = board.doomsday or 0
    head = words.say(say("Round {round}", round=board.round or 0))
    clock = words.field(BattleView, "doomsday")
    canvas.text(root, 8, 14, head, "strong")
    canvas.text(root, canvas.WIDTH - 8, 14, f"{clock} {now}", "muted", "end")
    group = canvas.focusable(root, f"{clock} {now}")
    for nth in range(DOOMSDAY):
        tick, x = DOOMSDAY - nth, 8 + nth * TICK
        kind = "now" if tick == now else "past" if tick > now else "to-come"
        canvas.add(group, "rect", f"tick {kind}", x=x, y=22, width=TICK - 3, height=22, rx=3)
        canvas.text(group, x + (TICK - 3) / 2, 37, str(tick), f"tick {kind}", "middle")
    return 52


def _draw_companies(root: Element, players: list[PlayerStands], top: float, words: Words) -> float:
    """Each company by its score, and who may go now; the lower edge."""
    highest = max((player.score for player in players), default=0) or 1
    told_scores = [battle_words.score(player, words) for player in players]
    names = min(NAMES_MAX, max((canvas.width_of(player.name) for player in players), default=0))
    room = canvas.WIDTH - NAME - names - max(map(canvas.width_of, told_scores), default=0) - 40
    for nth, player in enumerate(players):
        y = top + 24 * nth
        go = words.field(PlayerStands, "next" if player.next else "passed") if player.next or player.passed else ""
        group = canvas.focusable(root, in_a_line(player.name, battle_words.score(player, words), go))
        if player.next:
            canvas.path(group, "go", "M", 8, y + 4, "l", 8, 5, "l", -8, 5, "Z")
        canvas.text(
            group,
            NAME,
            y + 13,
            canvas.fitted(player.name, names),
            "acting" if player.next else "passed" if player.passed else "",
        )
        if player.score:
            width = max(1, room * player.score / highest)
            canvas.add(group, "rect", "score", x=NAME + names + 8, y=y + 3, width=width, height=12, rx=2)
        canvas.text(group, canvas.WIDTH - 8, y + 13, battle_words.score(player, words), "", "end")
    return top + 24 * len(players) + 4


def _draw_turns(
    root: Element,
    turns: list[TurnStands],
    frames: dict[str, FrameStands],
    tokens: dict[str, str],
    top: float,
    words: Words,
) -> float:
    """The open turns, each within the one that waits for it; the lower edge of them all."""
    y, edges, boxes = top, [], []
    for depth, turn in enumerate(turns):
        frame, left, acting = frames[turn.frame], INSET * depth + 4, turn is turns[-1]
        boxes.append(canvas.add(root, "rect", f"turn {'acting' if acting else ''}".rstrip(), x=left, y=y, rx=6))
        edges.append((left, y))
        label = battle_words.frame(frame, words, acting=acting, waiting=not acting)
        group = canvas.focusable(root, label, thing=turn.frame)
        mark(group, left + 20, y + 20, frame, tokens, "acting" if acting else "")
        room = canvas.WIDTH - 2 * left - 48
        canvas.text(group, left + 40, y + 17, canvas.fitted(frame.name, room), "strong")
        aims = (
            battle_words.attack(turn.attack, words)
            if turn.attack is not None
            else battle_words.standing(frame, words)
        )
        canvas.text(group, left + 40, y + 31, canvas.fitted(aims, room), "muted")
        y += 44
        if frame.dice:
            items = (
                (width_with_words(battle_words.action_of(die, words)), _die(group, die, words))
                for die in frame.dice
            )
            y = flow(left + INSET, y, canvas.WIDTH - 2 * left - 2 * INSET, DIE + 8, items)
    for box, (left, start) in zip(reversed(boxes), reversed(edges), strict=True):
        y += 6
        for name, size in {"width": canvas.WIDTH - 2 * left, "height": y - start}.items():
            box.set(name, f"{size:g}")
    return y


def _die(group: Element, pool_die: DieLies, words: Words) -> Draw:
    """A die by colour and letter; beside it the action that has it."""

    def at(x: float, y: float) -> None:
        kind = f"{pool_die.color} used" if pool_die.used and pool_die.given_to is None else pool_die.color
        die(group, x + DIE / 2, y + DIE / 2, pool_die.sides, "", kind)
        canvas.text(group, x + DIE / 2, y + 13, str(pool_die.value), f"face {kind}", "middle")
        canvas.text(
            group, x + DIE / 2, y + 24, letters_of(pool_die.color, pool_die.range), f"letter {kind}", "middle", 9
        )
        if pool_die.given_to is not None:
            canvas.text(group, x + DIE + 7, y + 18, battle_words.action_of(pool_die, words), "muted")

    return at
