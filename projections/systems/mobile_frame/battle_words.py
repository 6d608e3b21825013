"""A battle of Mobile Frame in words: frame by frame, and as tables."""

from domain.sentences import say
from projections.drawings.board_parts import Figure, Table, Words, in_a_line, item, passage, tables
from projections.systems.mobile_frame.boards import (
    AttackStands,
    BattleView,
    CoverStands,
    DieLies,
    FrameStands,
    PlayerStands,
    ResultStands,
    StationStands,
    TurnStands,
)

TIMES = "\u00d7"


def told(board: BattleView, words: Words) -> str:
    """The battle in a sentence: whose move it is."""
    return words.say(board.waiting)


def lies(die: DieLies, words: Words, *at: str) -> str:
    """A die in full: "white 3 (defence)"; `at` are the steps to it."""
    name = Figure(f"{words.value(DieLies, 'color', die.color).lower()} {die.value}", *at, "value")
    return passage(name, f" ({given(die, words).lower()})") if die.given_to is not None else name


def given(die: DieLies, words: Words) -> str:
    """The action that has a die."""
    return words.value(DieLies, "given_to", die.given_to) if die.given_to is not None else ""


def frame(each: FrameStands, words: Words, *, acting: bool, waiting: bool) -> str:
    """A frame in full."""
    return in_a_line(
        each.name,
        each.owner_name,
        words.say(say("acting")) if acting else None,
        words.say(say("waiting")) if waiting else None,
        standing(each, words).replace(" · ", ", "),
        *(lies(die, words) for die in each.dice),
    )


def standing(each: FrameStands, words: Words) -> str:
    """What is said of a frame beside its name: defence and spot, or its loadout before it has either."""
    if each.status == "destroyed":
        return words.value(FrameStands, "status", each.status)
    values = [
        words.say(say("Defence {value}", value=each.defense)) if each.defense is not None else "",
        words.say(say("Spot {value}", value=each.spot)) if each.spot is not None else "",
    ]
    return " · ".join(value for value in values if value) or each.notation


def score(each: PlayerStands, words: Words) -> str:
    """How a company scores: 7 points for each of 3 assets; between battles its assets alone."""
    if not each.score:
        return f"{words.field(PlayerStands, 'assets')} {each.assets}"
    return f"{each.ppa} {TIMES} {each.assets} = {each.score}"


def attack(each: AttackStands, words: Words, *at: str) -> str:
    """What a frame attacks: "→ Heron, direct range 6"; `at` are the steps to it."""
    range_ = words.value(AttackStands, "range", each.range).lower()
    value = "" if each.value is None else Figure(each.value, *at, "value")
    return passage(f"→ {each.target_name}, {range_}", value, between=" ")


def battle_tables(board: BattleView, words: Words) -> list[Table]:
    """Companies, frames, stations and cover, and the battles fought."""
    whole = ((board.round, "round"), (board.doomsday, "doomsday"), (board.points_left, "points_left"))
    attacks = [(turn, turn.attack) for turn in board.turns if turn.attack is not None]
    return tables(
        Table(
            words.say(say("At a glance")),
            words.header(BattleView, *(name for _, name in whole)),
            [["" if value is None else Figure(value, name) for value, name in whole]],
        ),
        Table(
            words.field(TurnStands, "attack"),
            words.header(TurnStands, "name", "attack"),
            [
                [turn.name, attack(under_way, words, "turns", item(turn.frame), "attack")]
                for turn, under_way in attacks
            ],
        ),
        Table(
            words.field(BattleView, "players"),
            words.header(PlayerStands, "name", "ppa", "assets", "score", "next"),
            [
                [
                    each.name,
                    *(
                        Figure(value, "players", item(each.player), name)
                        for name, value in (("ppa", each.ppa), ("assets", each.assets), ("score", each.score))
                    ),
                    _go(each, words),
                ]
                for each in board.players
            ],
        ),
        Table(
            words.field(BattleView, "frames"),
            words.header(
                FrameStands, "name", "owner", "status", "notation", "activated", "defense", "spot", "dice"
            ),
            [_frame_row(each, words) for each in board.frames],
        ),
        Table(
            words.field(BattleView, "stations"),
            words.header(StationStands, "name", "controller"),
            [[each.name, holder(each, words)] for each in board.stations],
        ),
        Table(
            words.field(BattleView, "covers"),
            words.header(CoverStands, "name", "height"),
            [
                [each.name, Figure(height(each, words), "covers", item(each.cover), "height")]
                for each in board.covers
            ],
        ),
        Table(
            words.field(BattleView, "results"),
            [*words.header(ResultStands, "rounds", "players")],
            [
                [Figure(each.rounds, "results", item(each.battle_id), "rounds"), _scores(each)]
                for each in board.results
            ],
        ),
    )


def holder(each: StationStands, words: Words) -> str:
    """Who holds a station."""
    return each.controller_name or words.say(say("held by nobody"))


def height(each: CoverStands, words: Words) -> str:
    """How high a cover stands, of how many bricks it was built."""
    if each.fallen:
        return words.field(CoverStands, "fallen")
    return words.say(say("{height} of {bricks} bricks", height=each.height, bricks=each.bricks))


def _go(each: PlayerStands, words: Words) -> str:
    if each.passed:
        return words.field(PlayerStands, "passed")
    return words.field(PlayerStands, "next") if each.next else ""


def _frame_row(each: FrameStands, words: Words) -> list[str]:
    return [
        each.name,
        each.owner_name,
        words.value(FrameStands, "status", each.status),
        Figure(each.notation, "frames", item(each.frame), "notation"),
        words.say(say("yes")) if each.activated else "",
        *(
            "" if value is None else Figure(value, "frames", item(each.frame), name)
            for name, value in (("defense", each.defense), ("spot", each.spot))
        ),
        in_a_line(
            *(lies(die, words, "frames", item(each.frame), "dice", item(nth)) for nth, die in enumerate(each.dice))
        ),
    ]


def _scores(result: ResultStands) -> str:
    at = ("results", item(result.battle_id), "players")
    return in_a_line(
        *(
            passage(f"{each.name} ", Figure(each.score, *at, item(each.player), "score"), " ★" if each.won else "")
            for each in result.players
        )
    )
