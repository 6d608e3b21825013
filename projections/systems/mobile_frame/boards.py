"""The battle board: order and scores, every frame's dice and markers, and which frame waits for which.

Drawn from the state, without any decision. Names come from the reader's `name`.
"""

from typing import Annotated, Literal

from msgspec import Struct

from domain.field_references import ref
from domain.sentences import Sentence
from domain.systems.mobile_frame import MOBILE_FRAME
from domain.systems.mobile_frame.battles import next_to_go, score_order
from domain.systems.mobile_frame.creation import assets_of, players_of
from domain.systems.mobile_frame.frame_values import (
    can_pass_cover,
    can_stand_on_cover,
    spotting_level,
    weapon_ranges,
)
from domain.systems.mobile_frame.loadout import notation_of
from domain.systems.mobile_frame.pending_choices import also_awaited, choices_of
from domain.systems.mobile_frame.settings import Settings
from domain.systems.mobile_frame.state import Activation, BattleResult, Frame, MobileFrameState, account_of
from domain.systems.mobile_frame.tables import Action, Color, Letter, Range, Situation, System, Weapon
from projections.awaited_answers import Able, Waiting, WaitingFor
from projections.narration_tables import Name
from projections.systems.mobile_frame.awaited_answers import answers
from projections.systems.mobile_frame.board_sentences import Telling, name_of, stack_in_words
from projections.systems.mobile_frame.narration_phrases import who


class PlayerStands(Struct, frozen=True):
    """A player: points per asset, assets and score; `next` may activate a frame now."""

    player: str
    name: str
    ppa: int
    assets: int
    score: int
    passed: bool
    next: bool


class DieLies(Struct, frozen=True):
    """A die of an open turn; `place` names it in commands, `given_to` is the action that has it."""

    place: Annotated[int, ref("pool_die")]
    color: Color
    sides: int
    range: Letter | None
    value: int
    given_to: Action | None
    used: bool


class FrameStands(Struct, frozen=True):
    """A frame on the field. `notation` is its current dicepool, `dice` its rolled dice.

    `weapon_ranges` are those it has weapons for; hand to hand it fights without one. `spotting_level` is how many
    spotting systems it has: with one it spots frames in cover, with two anything.

    `hidden`: some members do not know it; it takes no part in the battle until it enters play.
    """

    frame: str
    name: str
    owner: str
    owner_name: str
    status: Literal["active", "destroyed"]
    notation: str
    systems: list[System]
    white: int
    rockets: int
    activated: bool
    defense: int | None
    spot: int | None
    dice: list[DieLies]
    station_distances: dict[str, int]
    character: str | None
    character_name: str | None
    hidden: bool
    weapon_ranges: list[Range]
    can_pass_cover: bool
    can_stand_on_cover: bool
    spotting_level: int


class CoverStands(Struct, frozen=True):
    """A cover and its current height. `hidden`: some members do not know it."""

    cover: str
    name: str
    bricks: int
    height: int
    fallen: bool
    hidden: bool


class StationStands(Struct, frozen=True):
    """A station and its holder."""

    station: str
    name: str
    controller: str | None
    controller_name: str | None


class AttackStands(Struct, frozen=True):
    """An attack between declaring and resolving. `value` is null until its die is announced.

    `weapon` is null where none is needed, or none was named in a log of an older version. `named` is the situation
    that each player has named so far.
    """

    target: str
    target_name: str
    range: Range
    weapon: Weapon | None
    value: int | None
    named: dict[str, Situation]


class TurnStands(Struct, frozen=True):
    """An open turn. `attacker` activated the frame, `waits_for` is the frame that acts before it goes on."""

    frame: str
    name: str
    attacker: str | None
    waits_for: str | None
    rolled: bool
    moved: bool
    attacked: bool
    spotted: bool
    attack: AttackStands | None


class PlayerScored(Struct, frozen=True):
    """A player's result in a battle."""

    player: str
    name: str
    score: int
    won: bool


class ResultStands(Struct, frozen=True):
    """A finished battle, its players by score."""

    battle_id: str
    rounds: int
    players: list[PlayerScored]


class BattleView(Struct, frozen=True):
    """The battle at a glance.

    Between battles `battle_id`, `round`, `doomsday`, `order`, `ruler_units` are null. `players` stand in the order
    of their scores; where scores tie, `next` names all who may go. `turns` are the open ones, the oldest first.
    `points_left` are the points of damage still to be taken, while a loss is waited for. `waiting` says in words
    whose move it is and what waits for it; `stack` holds one sentence for every frame that waits: "B answers A's
    attack, then A goes on". `absent` tells GMs whose frames they play by now, and how to hand them over.
    """

    battle_id: str | None
    round: int | None
    doomsday: int | None
    order: Literal["tactical", "combat"] | None
    extra_round: bool
    ruler_units: int | None
    players: list[PlayerStands]
    frames: list[FrameStands]
    covers: list[CoverStands]
    stations: list[StationStands]
    turns: list[TurnStands]
    stack: list[str | Sentence]
    waiting: str | Sentence
    points_left: int | None
    waits_for: list[WaitingFor]
    absent: list[str | Sentence]
    results: list[ResultStands]


def battle(state: MobileFrameState, name: Name, settings: Settings | None = None, able: Able = None) -> BattleView:
    """The board of the battle."""
    running, settings = state.battle, settings or Settings()
    telling = Telling(state, name, settings, able)
    return BattleView(
        battle_id=running.battle_id if running is not None else None,
        round=running.round if running is not None else None,
        doomsday=running.doomsday if running is not None else None,
        order=running.order if running is not None else None,
        players=_players(state, name, settings),
        extra_round=running.extra_round if running is not None else False,
        ruler_units=running.ruler_units if running is not None else None,
        frames=sorted(
            (_frame(state, frame, name, settings) for _, frame in sorted(state.frames.items())),
            key=lambda frame: (frame.owner_name, frame.name),
        ),
        covers=sorted(
            (
                CoverStands(cover.cover_id, cover.name, cover.bricks, cover.height, cover.fallen, cover.hidden)
                for _, cover in sorted(state.covers.items())
            ),
            key=lambda cover: cover.name,
        ),
        stations=sorted(
            (
                StationStands(
                    station.station_id, station.name, station.controller, _maybe(station.controller, name)
                )
                for _, station in sorted(state.stations.items())
            ),
            key=lambda station: station.name,
        ),
        turns=_turns(state),
        stack=[*stack_in_words(state)],
        waiting=telling.in_words(),
        points_left=telling.points_left(),
        waits_for=waits_for(state, name, settings, able),
        absent=[*telling.absent()],
        results=[_result(past_battle, name) for past_battle in state.results],
    )


def _players(state: MobileFrameState, name: Name, settings: Settings) -> list[PlayerStands]:
    """Players in score order; between battles those who have a company."""
    if state.battle is None:
        companies = (_company(state, player, name, settings) for player in players_of(state))
        return sorted(companies, key=lambda company: company.name)
    first = [] if state.battle.stack else next_to_go(state, state.battle)
    return [
        PlayerStands(
            player=player,
            name=who(player, name),
            ppa=state.battle.sides[player].ppa,
            assets=state.battle.sides[player].assets,
            score=state.battle.sides[player].score,
            passed=player in state.battle.passed,
            next=player in first,
        )
        for player in score_order(state.battle)
    ]


def _company(state: MobileFrameState, player: str, name: Name, settings: Settings) -> PlayerStands:
    """A player between battles, with the assets of the next one; points per asset are 0 until they are counted."""
    ppa, assets = (
        state.ppa.get(player, 0),
        assets_of(state, player, keeps_damage=settings.between_battles == "kept"),
    )
    return PlayerStands(player, who(player, name), ppa, assets, ppa * assets, passed=False, next=False)


def _frame(state: MobileFrameState, frame: Frame, name: Name, settings: Settings) -> FrameStands:
    return FrameStands(
        frame=frame.frame_id,
        name=frame.name,
        owner=frame.owner,
        owner_name=who(frame.owner, name),
        status=frame.status,
        notation=notation_of(frame.dice),
        systems=sorted(frame.systems),
        white=frame.white,
        rockets=frame.rockets,
        activated=frame.activated,
        defense=frame.defense,
        spot=frame.spot,
        dice=_dice(state.activation(frame.frame_id)),
        station_distances=dict(sorted(frame.station_distances.items())),
        character=frame.character,
        character_name=name(frame.character) if frame.character is not None else None,
        hidden=frame.hidden,
        weapon_ranges=weapon_ranges(frame),
        can_pass_cover=can_pass_cover(frame),
        can_stand_on_cover=can_stand_on_cover(frame, bonus_d8_on_cover=settings.bonus_d8_on_cover),
        spotting_level=spotting_level(frame),
    )


def _dice(turn: Activation | None) -> list[DieLies]:
    """The rolled dice of an open turn."""
    if turn is None:
        return []
    actions_by_die = {die: action for action, die in sorted(turn.assigned.items()) if die is not None}
    return [
        DieLies(place, die.color, die.sides, die.range, die.value, actions_by_die.get(place), die.used)
        for place, die in enumerate(turn.pool)
    ]


def _turns(state: MobileFrameState) -> list[TurnStands]:
    """The open turns, the oldest first; destroyed frames have none."""
    return [
        TurnStands(
            frame=turn.frame,
            name=name_of(state, turn.frame),
            attacker=turn.attacker,
            waits_for=turn.waits_for,
            rolled=turn.rolled,
            moved=turn.moved,
            attacked=turn.attacked,
            spotted=turn.spotted,
            attack=_attack(state, turn),
        )
        for turn in (state.battle.stack if state.battle is not None else [])
        if turn.frame in state.frames and state.frames[turn.frame].status == "active"
    ]


def _attack(state: MobileFrameState, turn: Activation) -> AttackStands | None:
    """The current attack: declared but not carried out, or announced but not resolved."""
    announced = turn.attack
    lined_up = announced or (turn.target if not turn.attacked else None)
    if lined_up is None:
        return None
    return AttackStands(
        target=lined_up.target,
        target_name=name_of(state, lined_up.target),
        range=lined_up.range,
        weapon=turn.target.weapon if turn.target is not None else None,
        value=announced.value if announced is not None else None,
        named=dict(sorted(announced.named.items())) if announced is not None else {},
    )


def waits_for(state: MobileFrameState, name: Name, settings: Settings, able: Able) -> list[WaitingFor]:
    """The choices that the campaign view lists as pending, with names and accepted answers."""
    telling, waiting = Telling(state, name, settings, able), Waiting(MOBILE_FRAME, state, name, settings, able)
    absent_owners = telling.absent_owners()
    return [
        waiting.entry(
            choice.kind,
            choice.subject,
            telling.subject(choice),
            account_of(choice.player) if choice.player is not None else None,
            telling.sentence_of(choice),
            answers(state, settings, choice, absent_owners, for_gm=telling.account(choice.player) is None),
            gm=answers(state, settings, choice, absent_owners, for_gm=True),
            tells_who_left=True,
        )
        for choice in [*choices_of(state), *also_awaited(state, settings)]
    ]


def _result(result: BattleResult, name: Name) -> ResultStands:
    """A finished battle: the highest score first, equal ones by name."""
    players = [
        PlayerScored(player, who(player, name), score, won=player in result.winners)
        for player, score in result.scores.items()
    ]
    return ResultStands(
        result.battle_id, result.rounds, sorted(players, key=lambda player: (-player.score, player.name))
    )


def _maybe(player: str | None, name: Name) -> str | None:
    return who(player, name) if player is not None else None
