"""The story of Overdrive: a duel as two sides with their successes, the open scene, and what waits beside them."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from domain.sentences import say
from projections.drawings import canvas
from projections.drawings.board_parts import Drawing, Words
from projections.drawings.dice import Draw, flow
from projections.systems.overdrive import story_board_words
from projections.systems.overdrive.story_board import DuelStands, Played, SceneStands, SideStands, StoryBoard

LEFT = 16
ROOM = canvas.WIDTH - 2 * LEFT
HALF = ROOM / 2
NAME = 160
PIPS_MAX = 12


def draw(board: StoryBoard, words: Words) -> Drawing:
    """A duel, the scene, and a line for each thing that is open."""
    sentence = words.say(story_board_words.board_sentence(board, words))
    rows = story_board_words.story_tables(board, words)
    lines = [*_lines(board, words)]
    if board.duel is None and board.scene is None and not lines:
        return Drawing("", sentence, rows)
    root = canvas.drawing(words.say(say("The story")), sentence, canvas.Box(0, 0, canvas.WIDTH, 0))
    lower = 4.0
    if board.duel is not None:
        lower = _draw_duel(root, board.duel, lower, words)
    if board.scene is not None:
        lower = _draw_scene(root, board.scene, lower, words)
    for line in lines:
        lower = _draw_line(root, line, lower)
    root.set("viewBox", f"0 0 {canvas.WIDTH} {lower:g}")
    root.set("height", f"{lower:g}")
    return Drawing(canvas.markup(root), sentence, rows)


def _draw_duel(root: Element, duel: DuelStands, top: float, words: Words) -> float:
    """Both sides face to face, and whose turn it is; the lower edge."""
    y = top
    for line in canvas.in_lines(duel.stakes or "", ROOM):
        canvas.text(root, canvas.WIDTH / 2, y + 14, line, "strong", "middle")
        y += 18
    letters = canvas.shortened([side.name for side in duel.sides])
    for nth, (side, initials) in enumerate(zip(duel.sides, letters, strict=True)):
        _draw_side(root, side, initials, (LEFT + HALF * (nth + 0.5), y + 20), words, acts=side.side == duel.turn)
    canvas.path(root, "line", "M", canvas.WIDTH / 2 - 7, y + 13, "l", 14, 14, "m", 0, -14, "l", -14, 14)
    y += 102
    for line in canvas.in_lines(story_board_words.turn(duel, words), ROOM):
        canvas.text(root, canvas.WIDTH / 2, y + 12, line, "acting" if duel.turn is not None else "muted", "middle")
        y += 16
    return y + 12


def _draw_side(
    root: Element, side: SideStands, letters: str, at: tuple[float, float], words: Words, *, acts: bool
) -> None:
    """A side: its token, name, and successes as pips; a hidden one as far as its reader knows."""
    group = canvas.focusable(
        root, story_board_words.side(side, words), thing=side.who.character if side.who else ""
    )
    square = side.who is None or side.who.player is None
    canvas.face(group, *at, letters, "acting" if acts else "", square=square)
    canvas.text(group, at[0], at[1] + 28, canvas.fitted(side.name, HALF - 12), "strong", "middle")
    successes = side.successes or 0
    if 0 < successes <= PIPS_MAX:
        canvas.pips(group, at[0] - (successes * 10 - 2) / 2, at[1] + 36, successes, successes, 8)
    for nth, line in enumerate(story_board_words.standing(side, words)):
        canvas.text(group, at[0], at[1] + 60 + 15 * nth, canvas.fitted(line, HALF - 8), "muted", "middle")


def _draw_scene(root: Element, scene: SceneStands, top: float, words: Words) -> float:
    """The open scene: those who have rolled for it, and those who have not; the lower edge."""
    head = words.value(SceneStands, "kind", scene.kind)
    canvas.text(root, LEFT - 8, top + 16, canvas.fitted(head, ROOM), "strong")
    lower = top + 24
    letters = dict(
        zip(
            (person.character for person in (*scene.rolled, *scene.not_yet)),
            canvas.shortened([person.name for person in (*scene.rolled, *scene.not_yet)]),
            strict=True,
        )
    )
    for name, people, kind in (("rolled", scene.rolled, "done"), ("not_yet", scene.not_yet, "")):
        if people:
            title = words.field(SceneStands, name)
            canvas.text(root, LEFT - 8, lower + 14, title, "muted")
            items = [
                (
                    NAME,
                    _person(
                        root,
                        person,
                        letters[person.character],
                        f"{person.name}, {words.say(story_board_words.STANDS[name])}",
                        kind,
                    ),
                )
                for person in people
            ]
            lower = flow(LEFT - 10, lower + 22, canvas.WIDTH - 8, 34, items)
    return lower + 4


def _person(root: Element, person: Played, letters: str, full: str, kind: str) -> Draw:
    def at(x: float, y: float) -> None:
        square = person.player is None
        canvas.token(root, x + 14, y + 14, letters, full, kind, square=square, thing=person.character)
        canvas.text(root, x + 30, y + 18, canvas.fitted(person.name, NAME - 34), "muted" if kind else "")

    return at


def _lines(board: StoryBoard, words: Words) -> Iterator[str]:
    """Everything open beside duel and scene, in a sentence each."""
    yield from (story_board_words.held_roll(roll, words) for roll in board.held_rolls)
    yield from (story_board_words.reaction(reaction, words) for reaction in board.reactions)
    yield from (story_board_words.question(asked, words) for asked in board.questions if asked.answer is None)
    yield from (story_board_words.tension(tension, words) for tension in board.tensions)
    yield from (story_board_words.recovery(recovery, words) for recovery in board.recoveries)


def _draw_line(root: Element, line: str, top: float) -> float:
    """A sentence with its sign; the lower edge."""
    group = canvas.focusable(root, line)
    canvas.path(group, "sign", "M", LEFT, top + 5, "l", 8, 14, "h", -16, "Z")
    parts = canvas.in_lines(line, ROOM - 16, 3)
    for nth, part in enumerate(parts):
        canvas.text(group, LEFT + 16, top + 17 + 15 * nth, part)
    return top + 10 + 15 * len(parts)
