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


def board_line(board: BattleView, words: Words) -> str:
    """The battle in a sentence: the move that it waits for."""
    return words.say(board.waiting)


def lies(die: DieLies, words: Words, *at: str) -> str:
    """A die in full: "white 3 (defence)"; `at` are the steps to it."""
    name = Figure(f"{words.value(DieLies, 'color', die.color).lower()} {die.value}", *at, "value")
    return passage(name, f" ({action_of(die, words).lower()})") if die.given_to is not None else name


def action_of(die: DieLies, words: Words) -> str:
    """The action that has a die."""
    return words.value(DieLies, "given_to", die.given_to) if die.given_to is not None else ""


def frame(frame: FrameStands, words: Words, *, acting: bool, waiting: bool) -> str:
    """A frame in full."""
    return in_a_line(
        frame.name,
        frame.owner_name,
        words.say(say("acting")) if acting else None,
        words.say(say("waiting")) if waiting else None,
        standing(frame, words).replace(" · ", ", "),
        *(lies(die, words) for die in frame.dice),
    )


def standing(frame: FrameStands, words: Words) -> str:
    """The standing of a frame, shown beside its name: defence and spot, or its loadout before it has either."""
    if frame.status == "destroyed":
        return words.value(FrameStands, "status", frame.status)
    values = [
        words.say(say("Defence {value}", value=frame.defense)) if frame.defense is not None else "",
        words.say(say("Spot {value}", value=frame.spot)) if frame.spot is not None else "",
    ]
    return " · ".join(value for value in values if value) or frame.notation


def score(player: PlayerStands, words: Words) -> str:
    """How a company scores: 7 points for each of 3 assets; between battles its assets alone."""
    if not player.score:
        return f"{words.field(PlayerStands, 'assets')} {player.assets}"
    return f"{player.ppa} {TIMES} {player.assets} = {player.score}"


def attack(attack: AttackStands, words: Words, *at: str) -> str:
    """The attack of a frame: "→ Heron, direct range, rocket 6"; `at` are the steps to it."""
    range_ = words.value(AttackStands, "range", attack.range).lower()
    with_ = "" if attack.weapon is None else words.value(AttackStands, "weapon", attack.weapon).lower()
    value = "" if attack.value is None else Figure(attack.value, *at, "value")
    return passage(
        ", ".join(part for part in (f"→ {attack.target_name}", range_, with_) if part), value, between=" "
    )


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
                    player.name,
                    *(
                        Figure(value, "players", item(player.player), name)
                        for name, value in (
                            ("ppa", player.ppa),
                            ("assets", player.assets),
                            ("score", player.score),
                        )
                    ),
                    _go(player, words),
                ]
                for player in board.players
            ],
        ),
        Table(
            words.field(BattleView, "frames"),
            words.header(
                FrameStands, "name", "owner", "status", "notation", "activated", "defense", "spot", "dice"
            ),
            [_frame_row(frame, words) for frame in board.frames],
        ),
        Table(
            words.field(BattleView, "stations"),
            words.header(StationStands, "name", "controller"),
            [[station.name, holder(station, words)] for station in board.stations],
        ),
        Table(
            words.field(BattleView, "covers"),
            words.header(CoverStands, "name", "height"),
            [
                [cover.name, Figure(height(cover, words), "covers", item(cover.cover), "height")]
                for cover in board.covers
            ],
        ),
        Table(
            words.field(BattleView, "results"),
            [*words.header(ResultStands, "rounds", "players")],
            [
                [Figure(battle.rounds, "results", item(battle.battle_id), "rounds"), _scores(battle)]
                for battle in board.results
            ],
        ),
    )


def holder(station: StationStands, words: Words) -> str:
    """The holder of a station."""
    return station.controller_name or words.say(say("held by nobody"))


def height(cover: CoverStands, words: Words) -> str:
    """How high a cover stands, of how many bricks it was built."""
    if cover.fallen:
        return words.field(CoverStands, "fallen")
    return words.say(say("{height} of {bricks} bricks", height=cover.height, bricks=cover.bricks))


def _go(player: PlayerStands, words: Words) -> str:
    if player.passed:
        return words.field(PlayerStands, "passed")
    return words.field(PlayerStands, "next") if player.next else ""


def _frame_row(frame: FrameStands, words: Words) -> list[str]:
    return [
        frame.name,
        frame.owner_name,
        words.value(FrameStands, "status", frame.status),
        Figure(frame.notation, "frames", item(frame.frame), "notation"),
        words.say(say("yes")) if frame.activated else "",
        *(
            "" if value is None else Figure(value, "frames", item(frame.frame), name)
            for name, value in (("defense", frame.defense), ("spot", frame.spot))
        ),
        in_a_line(
            *(
                lies(die, words, "frames", item(frame.frame), "dice", item(nth))
                for nth, die in enumerate(frame.dice)
            )
        ),
    ]


def _scores(result: ResultStands) -> str:
    at = ("results", item(result.battle_id), "players")
    return in_a_line(
        *(
            passage(
                f"{player.name} ",
                Figure(player.score, *at, item(player.player), "score"),
                " ★" if player.won else "",
            )
            for player in result.players
        )
    )
