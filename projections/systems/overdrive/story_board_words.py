"""The story board of Overdrive in words, and as tables."""

from domain.sentences import Sentence, say, say_many
from projections.drawings.board_parts import Figure, Table, Words, in_a_line, item, tables
from projections.systems.overdrive.sheet import RecoveryView
from projections.systems.overdrive.story_board import (
    DuelStands,
    HeldStands,
    Played,
    QuestionStands,
    RaiseStands,
    ReactionStands,
    RecoveryStands,
    SceneStands,
    SideStands,
    StoryBoard,
    TensionStands,
)

STANDS = {"rolled": say("has rolled"), "not_yet": say("still to roll")}
"""Where one person stands in the open scene."""


def board_sentence(board: StoryBoard, words: Words) -> Sentence:
    """The story in a sentence: the duel, else the open scene, else what is left."""
    if board.duel is not None:
        return say("A duel: {sides}", sides=" : ".join(side.name for side in board.duel.sides))
    if board.scene is not None:
        return say("A scene is open: {kind}", kind=words.value(SceneStands, "kind", board.scene.kind).lower())
    return say("No duel and no scene is open.")


def side(side: SideStands, words: Words) -> str:
    """A side of a duel in full."""
    return in_a_line(side.name, *standing(side, words))


def standing(side: SideStands, words: Words) -> list[str]:
    """The successes of a side and the Overdrive it has left, as far as its reader knows."""
    if side.hidden and side.successes is None and side.reserve is None:
        return [words.field(SideStands, "hidden")]
    if not side.rolled:
        return [words.say(say("not rolled yet"))]
    successes = say_many("{n} success", "{n} successes", side.successes) if side.successes is not None else None
    reserve = f"{words.field(SideStands, 'reserve')} {side.reserve}" if side.reserve is not None else None
    return [
        part for part in (words.say(successes) if successes is not None else None, reserve) if part is not None
    ]


def turn(duel: DuelStands, words: Words) -> str:
    """The side whose turn it is in a duel, and how far it may raise."""
    if duel.speaker is None:
        return words.value(DuelStands, "phase", duel.phase)
    if duel.may_raise is None:
        return words.say(say("{who} is to answer", who=duel.speaker))
    least, most = duel.may_raise.least, duel.may_raise.most
    return words.say(say("{who} may raise by {least} to {most}", who=duel.speaker, least=least, most=most))


def held_roll(roll: HeldStands, words: Words) -> str:
    """A held roll."""
    result = words.value(HeldStands, "tier", roll.tier).lower()
    hidden_note = words.field(HeldStands, "hidden") if roll.hidden else None
    sentence = say_many(
        "{who} holds a roll with {n} success",
        "{who} holds a roll with {n} successes",
        roll.successes,
        who=roll.who.name,
    )
    whom = roll.target if roll.target != roll.who.name else None
    return in_a_line(words.say(sentence), result, whom or roll.relation, hidden_note)


def reaction(reaction: ReactionStands, words: Words) -> str:
    """A shown reaction."""
    sentence = say_many(
        "{who} shows “{text}”: {n} point of Overdrive comes back",
        "{who} shows “{text}”: {n} points of Overdrive come back",
        reaction.recovers,
        who=reaction.who.name,
        text=reaction.text,
    )
    return words.say(sentence)


def question(asked: QuestionStands, words: Words) -> str:
    """A question that waits for its answer."""
    return words.say(say("{who} asks the GM: {text}", who=asked.who.name, text=asked.text))


def tension(tension: TensionStands, words: Words) -> str:
    """A tension, and what it takes."""
    between = say(
        "Tension between {who} and {whom} ({nature}): more than {difficulty}",
        who=tension.who.name,
        whom=tension.whom,
        nature=tension.nature,
        difficulty=tension.difficulty,
    )
    return words.say(between)


def recovery(recovery: RecoveryStands, words: Words) -> str:
    """Successes of a scene that are left."""
    sentence = say_many(
        "{who} has {n} success of a scene left for {target}",
        "{who} has {n} successes of a scene left for {target}",
        recovery.recovery.points,
        who=recovery.who.name,
        target=recovery.recovery.target_name,
    )
    return words.say(sentence)


def story_tables(board: StoryBoard, words: Words) -> list[Table]:
    """The duel, the scene, and everything that is open beside them."""
    people: list[tuple[Played, str]] = []
    if (scene := board.scene) is not None:
        people = [(person, "rolled") for person in scene.rolled] + [
            (person, "not_yet") for person in scene.not_yet
        ]
    return tables(
        Table(
            words.field(StoryBoard, "duel"),
            words.header(SideStands, "name", "successes", "reserve"),
            [_side_row(side, words) for side in (board.duel.sides if board.duel is not None else [])],
        ),
        Table(
            words.field(DuelStands, "may_raise"),
            [words.field(DuelStands, "speaker"), *words.header(RaiseStands, "least", "most")],
            _raises(board.duel) if board.duel is not None else [],
        ),
        Table(
            words.field(StoryBoard, "scene"),
            [words.field(HeldStands, "who"), words.field(SceneStands, "kind")],
            [[person.name, words.say(STANDS[stands])] for person, stands in people],
        ),
        Table(
            words.field(StoryBoard, "held_rolls"),
            words.header(HeldStands, "who", "kind", "successes", "tier"),
            [_held_row(roll, words) for roll in board.held_rolls],
        ),
        Table(
            words.field(StoryBoard, "reactions"),
            words.header(ReactionStands, "who", "text", "recovers"),
            [
                [
                    reaction.who.name,
                    reaction.text,
                    Figure(
                        reaction.recovers, "reactions", item(reaction.who.character, reaction.reaction), "recovers"
                    ),
                ]
                for reaction in board.reactions
            ],
        ),
        Table(
            words.field(StoryBoard, "questions"),
            words.header(QuestionStands, "who", "text", "answer"),
            [[asked.who.name, asked.text, asked.answer or ""] for asked in board.questions],
        ),
        Table(
            words.field(StoryBoard, "tensions"),
            words.header(TensionStands, "who", "whom", "nature", "difficulty"),
            [
                [
                    tension.who.name,
                    tension.whom,
                    tension.nature,
                    Figure(
                        tension.difficulty, "tensions", item(tension.who.character, tension.relation), "difficulty"
                    ),
                ]
                for tension in board.tensions
            ],
        ),
        Table(
            words.field(StoryBoard, "recoveries"),
            [words.field(RecoveryStands, "who"), *words.header(RecoveryView, "points", "target")],
            [
                [
                    recovery.who.name,
                    Figure(
                        recovery.recovery.points, "recoveries", item(recovery.who.character), "recovery", "points"
                    ),
                    recovery.recovery.target_name,
                ]
                for recovery in board.recoveries
            ],
        ),
    )


def _raises(duel: DuelStands) -> list[list[str]]:
    if duel.may_raise is None:
        return []
    at = ("duel", "may_raise")
    figures = Figure(duel.may_raise.least, *at, "least"), Figure(duel.may_raise.most, *at, "most")
    return [[duel.speaker or "", *figures]]


def _side_row(side: SideStands, words: Words) -> list[str]:
    at = ("duel", "sides", item(side.side))
    successes = "" if side.successes is None else Figure(side.successes, *at, "successes")
    cells = [successes, "" if side.reserve is None else Figure(side.reserve, *at, "reserve")]
    return [side.name, *(cells if any(cells) else [in_a_line(*standing(side, words)), ""])]


def _held_row(roll: HeldStands, words: Words) -> list[str]:
    kind, tier = (words.value(HeldStands, name, getattr(roll, name)) for name in ("kind", "tier"))
    return [roll.who.name, kind, Figure(roll.successes, "held_rolls", item(roll.roll_id), "successes"), tier]
