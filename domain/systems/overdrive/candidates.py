"""Candidates for the fields of Overdrive's commands, as a state knows them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args

from domain.command_context import CommandContext
from domain.field_references import Candidates, Given
from domain.systems.overdrive.base_command_types import NUMBER_MAX
from domain.systems.overdrive.commands import CreateMech, Move, StartDuel
from domain.systems.overdrive.duels import raises
from domain.systems.overdrive.gm_questions import open_questions
from domain.systems.overdrive.settings import RaiseRule
from domain.systems.overdrive.state import Character, Mech, OverdriveState, Participant
from domain.systems.overdrive.tables import BUTT, PM_PER_CURVE, PM_PER_STRAIGHT, SCORES, STATS

OBJECTIVE = "objective"
"""The objective of a fight, where it stands on the map beside the fighters."""


def _characters(state: OverdriveState, _inputs: Given, context: CommandContext) -> list[str]:
    """The asker's own, the one who acts, those who are still to act, those who fight, and everybody else."""
    fighting = state.combat.participants if state.combat is not None else {}
    turn = state.still_to_act

    def by_nearness(who: str) -> tuple[bool, int, bool]:
        return (
            state.characters[who].player_id != context.account,
            turn.index(who) if who in turn else len(turn),
            who not in fighting,
        )

    return sorted(state.by_name(state.characters), key=by_nearness)


def _sheets(state: OverdriveState, inputs: Given, context: CommandContext) -> list[Character]:
    """The character that is given or meant; without one, all that the asker may act for."""
    sheet = state.characters.get(str(inputs.get("character", inputs.get("target"))))
    if sheet is not None:
        return [sheet]
    everybody = [state.characters[who] for who in _characters(state, inputs, context)]
    own = [character for character in everybody if character.player_id == context.account]
    return everybody if context.is_gm else own


def _mechs(state: OverdriveState, inputs: Given, context: CommandContext) -> list[str]:
    """Those of the asker's own characters first."""
    pilots = _characters(state, inputs, context)
    mechs = [state.mechs[mech_id] for mech_id in state.by_name(state.mechs)]

    def by_pilot(mech: Mech) -> int:
        return pilots.index(mech.pilot) if mech.pilot in pilots else len(pilots)

    return [mech.mech_id for mech in sorted(mechs, key=by_pilot)]


def _weapons(state: OverdriveState, inputs: Given, context: CommandContext) -> Iterator[str]:
    """Those at hand that are ready first, then the butt."""
    for sheet in _sheets(state, inputs, context):
        mech = state.boarded(sheet)
        weapons = (mech if mech is not None else sheet).weapons
        yield from sorted(
            weapons,
            key=lambda weapon: (weapons[weapon].state != "ready", weapons[weapon].fired_turn is not None, weapon),
        )
    yield BUTT


def _configs(state: OverdriveState, inputs: Given, context: CommandContext) -> Iterator[str]:
    """Those of the mechs of these characters, available ones first."""
    order = ["available", "active", "lost"]
    for sheet in _sheets(state, inputs, context):
        mech = state.mech_of(sheet)
        configs = mech.configs if mech is not None else {}
        yield from sorted(configs, key=lambda config: (order.index(configs[config]), config))


def _relations(state: OverdriveState, inputs: Given, context: CommandContext) -> Iterator[str]:
    """Those that may be invoked or want to be resolved first."""
    for sheet in _sheets(state, inputs, context):
        yield from sorted(
            sheet.relations, key=lambda relation: (sheet.relations[relation].state == "broken", relation)
        )


def _reactions(state: OverdriveState, inputs: Given, context: CommandContext) -> Iterator[str]:
    for sheet in _sheets(state, inputs, context):
        yield from (reaction.id for reaction in sheet.reactions)


def _rolls(state: OverdriveState, _inputs: Given, context: CommandContext) -> list[str]:
    """The held ones first, then the asker's own."""
    own = [who for who, character in state.characters.items() if character.player_id == context.account]
    rolls = sorted(state.rolls.values(), key=lambda roll: (not roll.held, roll.character not in own, roll.roll_id))
    return [roll.roll_id for roll in rolls]


def _targets(state: OverdriveState, inputs: Given, context: CommandContext) -> list[str]:
    """Everybody but the one who acts and the asker's own, then these."""
    order = _characters(state, inputs, context)
    acting = inputs.get("character", state.acting)
    return [*(who for who in reversed(order) if who != acting), *(who for who in order if who == acting)]


def _tactical_items(state: OverdriveState, inputs: Given, context: CommandContext) -> list[str]:
    """The objective of the fight, then the fighters, then their mechs, which stand where they do."""
    fighting = state.combat.participants if state.combat is not None else {}
    people = [who for who in _characters(state, inputs, context) if who in fighting]
    boarded = [state.characters[who].mech for who in people]
    return [OBJECTIVE, *people, *(mech for mech in boarded if mech is not None)]


def _questions(state: OverdriveState, _given: Given, _context: CommandContext) -> list[str]:
    return [question.question_id for question in open_questions(state)]


def _objectives(state: OverdriveState, _inputs: Given, _context: CommandContext) -> list[str]:
    return [objective.objective_id for objective in state.objectives]


def _fighters(state: OverdriveState) -> Iterable[Participant]:
    return state.combat.participants.values() if state.combat is not None else ()


def _curves(state: OverdriveState, _inputs: Given, _context: CommandContext) -> Iterable[int]:
    """As many curved lines as one who fights has points for, or fewer: a map says how many lead there."""
    return range(max((fighter.pm for fighter in _fighters(state)), default=0) // PM_PER_CURVE + 1)


def _straight(state: OverdriveState, _inputs: Given, _context: CommandContext) -> Iterable[int]:
    """One a turn, for a character with points for it."""
    is_open = any(fighter.pm >= PM_PER_STRAIGHT and not fighter.quadrant_changed for fighter in _fighters(state))
    return range(1 + is_open)


def _distances(_state: OverdriveState, _inputs: Given, _context: CommandContext) -> Iterable[int]:
    return 0, NUMBER_MAX


def _bonus_dice(state: OverdriveState, inputs: Given, context: CommandContext) -> Iterator[int]:
    """The bonus dice that a GM has given, and any for a GM or where players take as many as they say."""
    yield from (0, NUMBER_MAX)
    yield from (sheet.bonus_dice_given or 0 for sheet in _sheets(state, inputs, context))


def _advantage_dice(state: OverdriveState, _inputs: Given, _context: CommandContext) -> Iterator[int]:
    yield 0
    yield from (fighter.advantage_dice for fighter in _fighters(state))


def _cover_dice(state: OverdriveState, _inputs: Given, _context: CommandContext) -> Iterator[int]:
    yield 0
    yield from (fighter.cover_dice for fighter in _fighters(state))


def _tactical_points(state: OverdriveState, _inputs: Given, _context: CommandContext) -> Iterable[int]:
    """As many as the team has, or fewer: across a line of a map go several."""
    return range(1, state.tactical_points + 1)


def _recoil(state: OverdriveState, _inputs: Given, _context: CommandContext) -> Iterable[int]:
    """As far as the attack that waits may push, or less: as far as there is room on a map."""
    attack = state.combat.attack if state.combat is not None else None
    return range(1 + (attack.excess if attack is not None else 0))


def _raises(state: OverdriveState, _inputs: Given, _context: CommandContext) -> Iterator[int]:
    """The raises of the side that speaks, under any rule of raising."""
    for rule in get_args(RaiseRule):
        if state.duel is not None:
            yield from raises(state, state.duel, rule) or ()


def _sheet(_state: OverdriveState, _inputs: Given, _context: CommandContext) -> list[Given]:
    """A sheet to bring in, with nothing on it but the required fields."""
    return [{"name": "…"}]


CANDIDATES: Mapping[str, Candidates] = {
    "character": _characters,
    "mech": _mechs,
    "weapon": _weapons,
    "config": _configs,
    "relation": _relations,
    "reaction": _reactions,
    "roll": _rolls,
    "target": _targets,
    "tactical_item": _tactical_items,
    "objective": _objectives,
    "question": _questions,
    "curves": _curves,
    "straight": _straight,
    "distance": _distances,
    "bonus_dice": _bonus_dice,
    "advantage_dice": _advantage_dice,
    "cover_dice": _cover_dice,
    "recoil": _recoil,
    "tactical_points": _tactical_points,
    "raise": _raises,
    "sheet": _sheet,
}


def _paired(_state: OverdriveState, _inputs: Given, _context: CommandContext) -> list[Given]:
    return [{"pairing": dict(zip(SCORES, STATS, strict=True))}]


def _moves(state: OverdriveState, inputs: Given, _context: CommandContext) -> list[Given]:
    """Into the sectors around the one who moves, as far as is said; without a map, over one line."""
    fighter = state.participant(str(inputs.get("character") or state.acting))
    here = fighter.position if fighter is not None else None
    if here is None or state.combat is None:
        return [{"curves": 1}]
    curves, straight = (
        count if isinstance(count := inputs.get(line), int) else 0 for line in ("curves", "straight")
    )
    rings = (here.ring - (curves or 1), here.ring + (curves or 1))
    around = [(ring, here.quadrant + shift) for ring in rings for shift in dict.fromkeys((straight, -straight))]
    around += [] if curves else [(here.ring, here.quadrant - 1), (here.ring, here.quadrant + 1)]
    sectors = dict.fromkeys((ring, quadrant % state.combat.quadrants) for ring, quadrant in around if ring >= 0)
    moves: list[Given] = [{"to": {"ring": ring, "quadrant": quadrant}} for ring, quadrant in sectors]
    return [*moves, *({**move, "curves": 1} for move in moves[:2])]


def _duels(state: OverdriveState, _inputs: Given, context: CommandContext) -> list[Given]:
    """The asker's first character against something that is no character, and against everybody else."""
    first, *others = [*_characters(state, {}, context), ""]
    what = {"use": "stat:will", "skill": "social"}
    against: list[dict[str, Any]] = [{"name": "…", "pool": 1}]
    against += [{"character": who, **what} for who in others if who]
    return [{"sides": [{"character": first, **what}, opponent]} for opponent in against]


DRAFTS: Mapping[type, Candidates] = {CreateMech: _paired, Move: _moves, StartDuel: _duels}
