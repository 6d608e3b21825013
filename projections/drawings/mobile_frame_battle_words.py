"""A battle of Mobile Frame in words: frame by frame, and as tables."""

from domain.sentences import say
from projections.drawings.board_parts import Table, Words, in_a_line, tables
from projections.systems.mobile_frame.boards import (
    AttackStands,
    BattleView,
    CoverStands,
    DieLies,
    FrameStands,
    PlayerStands,
    ResultStands,
    StationStands,
)

TIMES = "\u00d7"


def told(board: BattleView, words: Words) -> str:
    """The battle in a sentence: whose move it is."""
    return words.say(board.waiting)


def lies(die: DieLies, words: Words) -> str:
    """A die in full: "white 3 (defence)"."""
    name = f"{words.value(DieLies, 'color', die.color).lower()} {die.value}"
    return f"{name} ({given(die, words).lower()})" if die.given_to is not None else name


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


def attack(each: AttackStands, words: Words) -> str:
    """What a frame attacks: "→ Heron, direct range 6"."""
    range_ = words.value(AttackStands, "range", each.range).lower()
    return f"→ {each.target_name}, {range_}" + (f" {each.value}" if each.value is not None else "")


def battle_tables(board: BattleView, words: Words) -> list[Table]:
    """Companies, frames, stations and cover, and the battles fought."""
    return tables(
        Table(
            words.field(BattleView, "players"),
            words.header(PlayerStands, "name", "ppa", "assets", "score", "next"),
            [
                [each.name, str(each.ppa), str(each.assets), str(each.score), _go(each, words)]
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
            [[each.name, height(each, words)] for each in board.covers],
        ),
        Table(
            words.field(BattleView, "results"),
            [*words.header(ResultStands, "rounds", "players")],
            [[str(each.rounds), _scores(each)] for each in board.results],
        ),
    )


def holder(each: StationStands, words: Words) -> str:
    """Who holds a station."""
    return each.controller_name or words.say(say("held by nobody"))


def height(each: CoverStands, words: Words) -> str:
    """How high a cover stands, of how many bricks it was built."""
    return words.field(CoverStands, "fallen") if each.fallen else f"{each.height}/{each.bricks}"


def _go(each: PlayerStands, words: Words) -> str:
    if each.passed:
        return words.field(PlayerStands, "passed")
    return words.field(PlayerStands, "next") if each.next else ""


def _frame_row(each: FrameStands, words: Words) -> list[str]:
    return [
        each.name,
        each.owner_name,
        words.value(FrameStands, "status", each.status),
        each.notation,
        words.say(say("yes")) if each.activated else "",
        *("" if value is None else str(value) for value in (each.defense, each.spot)),
        in_a_line(*(lies(die, words) for die in each.dice)),
    ]


def _scores(result: ResultStands) -> str:
    return in_a_line(*(f"{each.name} {each.score}{' ★' if each.won else ''}" for each in result.players))
