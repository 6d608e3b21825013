"""Candidates for the fields of Mobile Frame's commands, as a state knows them."""

from collections.abc import Iterator, Mapping

from domain.command_context import CommandContext
from domain.field_references import Candidates, Given
from domain.mechanics.budgets import Budget, Budgets
from domain.systems.mobile_frame.commands import BRICKS_MAX, UNITS_MAX, RegisterLoadout
from domain.systems.mobile_frame.damage_allocation import highest_left
from domain.systems.mobile_frame.spot_action import spotting_distance
from domain.systems.mobile_frame.state import Frame, MobileFrameState
from domain.systems.mobile_frame.tables import SYSTEMS_MAX


def _frames(state: MobileFrameState, _inputs: Given, context: CommandContext) -> list[str]:
    """The frame whose turn goes on first, then the asker's own, then the others."""
    battle = state.battle
    acting = [turn.frame for turn in reversed(battle.stack)] if battle is not None else []

    def by_nearness(frame: Frame) -> tuple[bool, bool, str]:
        return frame.frame_id not in acting, frame.owner != str(context.account), frame.frame_id

    return [frame.frame_id for frame in sorted(state.frames.values(), key=by_nearness)]


def _covers(state: MobileFrameState, _inputs: Given, _context: CommandContext) -> list[str]:
    return sorted(state.covers)


def _stations(state: MobileFrameState, _inputs: Given, _context: CommandContext) -> list[str]:
    return sorted(state.stations)


def _targets(state: MobileFrameState, inputs: Given, context: CommandContext) -> list[str]:
    return [*reversed(_frames(state, inputs, context)), *_covers(state, inputs, context)]


def _dice(state: MobileFrameState, _inputs: Given, _context: CommandContext) -> Iterator[int]:
    """The dice of the turn that goes on by their places, the highest faces first."""
    turn = state.acting()
    pool = turn.pool if turn is not None else []
    yield from sorted(range(len(pool)), key=lambda place: -pool[place].value)


def _movement(state: MobileFrameState, _inputs: Given, _context: CommandContext) -> Iterator[int]:
    """How far the frame whose turn goes on may move: by the die assigned, or any of its pool."""
    turn = state.acting()
    yield 0
    if turn is not None:
        yield turn.value("movement")
        yield from (die.value for die in turn.pool)


def _spotting(state: MobileFrameState, _inputs: Given, _context: CommandContext) -> Iterator[int]:
    yield from (0, UNITS_MAX)
    if state.battle is not None:
        yield spotting_distance(state.battle)


def _height_left(state: MobileFrameState, _inputs: Given, _context: CommandContext) -> Iterator[int]:
    yield 0
    choice = state.choice()
    if choice is not None and choice.kind == "bricks":
        cover = state.covers[choice.subject]
        yield highest_left(cover.bricks, cover.height)[1]


def _height_after_hit(state: MobileFrameState, _inputs: Given, _context: CommandContext) -> Iterator[int]:
    """As high as a cover that is hit may still stand, or any height where no cover is."""
    yield from (0, BRICKS_MAX)
    yield from (highest_left(cover.bricks, cover.height)[1] for cover in state.covers.values())


def _players(state: MobileFrameState, _inputs: Given, context: CommandContext) -> list[str]:
    """The members first, then companies that a GM leads."""
    members = [str(account) for account in context.members or ()]
    companies = {frame.owner for frame in state.frames.values()} | set(state.battle.sides if state.battle else ())
    return [*members, *sorted(companies.difference(members))]


def _systems(_state: MobileFrameState, _inputs: Given, context: CommandContext) -> list[Budget]:
    return [Budget("systems", (), SYSTEMS_MAX)] if context.settings.loadout_limits else []


BUDGETS: Mapping[type, Budgets] = {RegisterLoadout: _systems}

CANDIDATES: Mapping[str, Candidates] = {
    "frame": _frames,
    "cover": _covers,
    "station": _stations,
    "target": _targets,
    "pool_die": _dice,
    "company": _players,
    "movement": _movement,
    "spotting": _spotting,
    "height_left": _height_left,
    "height_after_hit": _height_after_hit,
}
