"""The story board of Overdrive in words, and as tables."""

from domain.sentences import Sentence, say, say_many
from projections.drawings.board_parts import Figure, Table, Words, in_a_line, item, tables
from projections.systems.overdrive.sheet import RecoveryView
from projections.systems.overdrive.story_board import (
    DuelStands,
    HeldStands,
    Played,
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


def told(board: StoryBoard, words: Words) -> Sentence:
    """The story in a sentence: the duel, else the open scene, else what is left."""
    if board.duel is not None:
        return say("A duel: {sides}", sides=" : ".join(each.name for each in board.duel.sides))
    if board.scene is not None:
        return say("A scene is open: {kind}", kind=words.value(SceneStands, "kind", board.scene.kind).lower())
    return say("No duel and no scene is open.")


def side(each: SideStands, words: Words) -> str:
    """A side of a duel in full."""
    return in_a_line(each.name, *standing(each, words))


def standing(each: SideStands, words: Words) -> list[str]:
    """The successes of a side and the Overdrive it has left, as far as its reader knows."""
    if each.hidden and each.successes is None and each.reserve is None:
        return [words.field(SideStands, "hidden")]
    if not each.rolled:
        return [words.say(say("not rolled yet"))]
    rolled = say_many("{n} success", "{n} successes", each.successes) if each.successes is not None else None
    left = f"{words.field(SideStands, 'reserve')} {each.reserve}" if each.reserve is not None else None
    return [part for part in (words.say(rolled) if rolled is not None else None, left) if part is not None]


def turn(duel: DuelStands, words: Words) -> str:
    """Whose turn it is in a duel, and how far they may raise."""
    if duel.speaker is None:
        return words.value(DuelStands, "phase", duel.phase)
    if duel.may_raise is None:
        return words.say(say("{who} is to answer", who=duel.speaker))
    least, most = duel.may_raise.least, duel.may_raise.most
    return words.say(say("{who} may raise by {least} to {most}", who=duel.speaker, least=least, most=most))


def held(each: HeldStands, words: Words) -> str:
    """A held roll."""
    result = words.value(HeldStands, "tier", each.tier).lower()
    hidden = words.field(HeldStands, "hidden") if each.hidden else None
    kept = say_many(
        "{who} holds a roll with {n} success",
        "{who} holds a roll with {n} successes",
        each.successes,
        who=each.who.name,
    )
    whom = each.target if each.target != each.who.name else None
    return in_a_line(words.say(kept), result, whom or each.relation, hidden)


def reaction(each: ReactionStands, words: Words) -> str:
    """A shown reaction."""
    shown = say_many(
        "{who} shows “{text}”: {n} point of Overdrive comes back",
        "{who} shows “{text}”: {n} points of Overdrive come back",
        each.recovers,
        who=each.who.name,
        text=each.text,
    )
    return words.say(shown)


def tension(each: TensionStands, words: Words) -> str:
    """A tension, and what it takes."""
    between = say(
        "Tension between {who} and {whom} ({nature}): more than {difficulty}",
        who=each.who.name,
        whom=each.whom,
        nature=each.nature,
        difficulty=each.difficulty,
    )
    return words.say(between)


def recovery(each: RecoveryStands, words: Words) -> str:
    """Successes of a scene that are left."""
    left = say_many(
        "{who} has {n} success of a scene left for {target}",
        "{who} has {n} successes of a scene left for {target}",
        each.recovery.points,
        who=each.who.name,
        target=each.recovery.target_name,
    )
    return words.say(left)


def story_tables(board: StoryBoard, words: Words) -> list[Table]:
    """The duel, the scene, and everything that is open beside them."""
    people: list[tuple[Played, str]] = []
    if (scene := board.scene) is not None:
        people = [(each, "rolled") for each in scene.rolled] + [(each, "not_yet") for each in scene.not_yet]
    return tables(
        Table(
            words.field(StoryBoard, "duel"),
            words.header(SideStands, "name", "successes", "reserve"),
            [_side_row(each, words) for each in (board.duel.sides if board.duel is not None else [])],
        ),
        Table(
            words.field(DuelStands, "may_raise"),
            [words.field(DuelStands, "speaker"), *words.header(RaiseStands, "least", "most")],
            _raises(board.duel) if board.duel is not None else [],
        ),
        Table(
            words.field(StoryBoard, "scene"),
            [words.field(HeldStands, "who"), words.field(SceneStands, "kind")],
            [[each.name, words.say(STANDS[stands])] for each, stands in people],
        ),
        Table(
            words.field(StoryBoard, "held_rolls"),
            words.header(HeldStands, "who", "kind", "successes", "tier"),
            [_held_row(each, words) for each in board.held_rolls],
        ),
        Table(
            words.field(StoryBoard, "reactions"),
            words.header(ReactionStands, "who", "text", "recovers"),
            [
                [
                    each.who.name,
                    each.text,
                    Figure(each.recovers, "reactions", item(each.who.character, each.reaction), "recovers"),
                ]
                for each in board.reactions
            ],
        ),
        Table(
            words.field(StoryBoard, "tensions"),
            words.header(TensionStands, "who", "whom", "nature", "difficulty"),
            [
                [
                    each.who.name,
                    each.whom,
                    each.nature,
                    Figure(each.difficulty, "tensions", item(each.who.character, each.relation), "difficulty"),
                ]
                for each in board.tensions
            ],
        ),
        Table(
            words.field(StoryBoard, "recoveries"),
            [words.field(RecoveryStands, "who"), *words.header(RecoveryView, "points", "target")],
            [
                [
                    each.who.name,
                    Figure(each.recovery.points, "recoveries", item(each.who.character), "recovery", "points"),
                    each.recovery.target_name,
                ]
                for each in board.recoveries
            ],
        ),
    )


def _raises(duel: DuelStands) -> list[list[str]]:
    if duel.may_raise is None:
        return []
    at = ("duel", "may_raise")
    figures = Figure(duel.may_raise.least, *at, "least"), Figure(duel.may_raise.most, *at, "most")
    return [[duel.speaker or "", *figures]]


def _side_row(each: SideStands, words: Words) -> list[str]:
    at = ("duel", "sides", item(each.side))
    successes = "" if each.successes is None else Figure(each.successes, *at, "successes")
    known = [successes, "" if each.reserve is None else Figure(each.reserve, *at, "reserve")]
    return [each.name, *(known if any(known) else [in_a_line(*standing(each, words)), ""])]


def _held_row(each: HeldStands, words: Words) -> list[str]:
    kind, tier = (words.value(HeldStands, name, getattr(each, name)) for name in ("kind", "tier"))
    return [each.who.name, kind, Figure(each.successes, "held_rolls", item(each.roll_id), "successes"), tier]
