"""What the fields of Overdrive's commands may name, as a state knows it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args

from domain.command_context import CommandContext
from domain.references import Candidates, Given
from domain.systems.overdrive.command_types import NUMBER_MAX
from domain.systems.overdrive.commands import CreateMech, Move, StartDuel
from domain.systems.overdrive.duels import raises
from domain.systems.overdrive.settings import RaiseRule
from domain.systems.overdrive.state import Character, Mech, OverdriveState, Participant
from domain.systems.overdrive.tables import BUTT, PM_PER_CURVE, PM_PER_STRAIGHT, SCORES, STATS

OBJECTIVE = "objective"
"""What a fight is about, where it stands on the map beside the fighters."""


def _characters(state: OverdriveState, _given: Given, context: CommandContext) -> list[str]:
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


def _sheets(state: OverdriveState, given: Given, context: CommandContext) -> list[Character]:
    """The character that is given or meant; without one, all that the asker may act for."""
    named = state.characters.get(str(given.get("character", given.get("target"))))
    if named is not None:
        return [named]
    everybody = [state.characters[who] for who in _characters(state, given, context)]
    own = [each for each in everybody if each.player_id == context.account]
    return everybody if context.is_gm else own


def _mechs(state: OverdriveState, given: Given, context: CommandContext) -> list[str]:
    """Those of the asker's own characters first."""
    pilots = _characters(state, given, context)
    mechs = [state.mechs[each] for each in state.by_name(state.mechs)]

    def by_pilot(mech: Mech) -> int:
        return pilots.index(mech.pilot) if mech.pilot in pilots else len(pilots)

    return [each.mech_id for each in sorted(mechs, key=by_pilot)]


def _weapons(state: OverdriveState, given: Given, context: CommandContext) -> Iterator[str]:
    """Those at hand that are ready first, then the butt."""
    for sheet in _sheets(state, given, context):
        mech = state.boarded(sheet)
        weapons = (mech if mech is not None else sheet).weapons
        yield from sorted(
            weapons, key=lambda each: (weapons[each].state != "ready", weapons[each].fired_turn is not None, each)
        )
    yield BUTT


def _configs(state: OverdriveState, given: Given, context: CommandContext) -> Iterator[str]:
    """Those of the mechs of these characters, available ones first."""
    order = ["available", "active", "lost"]
    for sheet in _sheets(state, given, context):
        mech = state.mech_of(sheet)
        configs = mech.configs if mech is not None else {}
        yield from sorted(configs, key=lambda each: (order.index(configs[each]), each))


def _relations(state: OverdriveState, given: Given, context: CommandContext) -> Iterator[str]:
    """Those that may be invoked or want to be resolved first."""
    for sheet in _sheets(state, given, context):
        yield from sorted(sheet.relations, key=lambda each: (sheet.relations[each].state == "broken", each))


def _reactions(state: OverdriveState, given: Given, context: CommandContext) -> Iterator[str]:
    for sheet in _sheets(state, given, context):
        yield from (each.id for each in sheet.reactions)


def _rolls(state: OverdriveState, _given: Given, context: CommandContext) -> list[str]:
    """The held ones first, then the asker's own."""
    own = [each for each, found in state.characters.items() if found.player_id == context.account]
    rolls = sorted(state.rolls.values(), key=lambda each: (not each.held, each.character not in own, each.roll_id))
    return [each.roll_id for each in rolls]


def _targets(state: OverdriveState, given: Given, context: CommandContext) -> list[str]:
    """Everybody but the one who acts and the asker's own, then these."""
    order = _characters(state, given, context)
    acting = given.get("character", state.acting)
    return [*(each for each in reversed(order) if each != acting), *(each for each in order if each == acting)]


def _tactical_items(state: OverdriveState, given: Given, context: CommandContext) -> list[str]:
    """What the fight is about, then who fights, then their mechs, which stand where they do."""
    fighting = state.combat.participants if state.combat is not None else {}
    people = [each for each in _characters(state, given, context) if each in fighting]
    boarded = [state.characters[each].mech for each in people]
    return [OBJECTIVE, *people, *(each for each in boarded if each is not None)]


def _objectives(state: OverdriveState, _given: Given, _context: CommandContext) -> list[str]:
    return [each.objective_id for each in state.objectives]


def _fighters(state: OverdriveState) -> Iterable[Participant]:
    return state.combat.participants.values() if state.combat is not None else ()


def _curves(state: OverdriveState, _given: Given, _context: CommandContext) -> Iterable[int]:
    """As many curved lines as one who fights has points for, or fewer: a map says how many lead there."""
    return range(max((each.pm for each in _fighters(state)), default=0) // PM_PER_CURVE + 1)


def _straight(state: OverdriveState, _given: Given, _context: CommandContext) -> Iterable[int]:
    """One a turn, for who has points for it."""
    is_open = any(each.pm >= PM_PER_STRAIGHT and not each.quadrant_changed for each in _fighters(state))
    return range(1 + is_open)


def _distances(_state: OverdriveState, _given: Given, _context: CommandContext) -> Iterable[int]:
    return 0, NUMBER_MAX


def _advantage_dice(state: OverdriveState, _given: Given, _context: CommandContext) -> Iterator[int]:
    yield 0
    yield from (each.advantage_dice for each in _fighters(state))


def _cover_dice(state: OverdriveState, _given: Given, _context: CommandContext) -> Iterator[int]:
    yield 0
    yield from (each.cover_dice for each in _fighters(state))


def _tactical_points(state: OverdriveState, _given: Given, _context: CommandContext) -> Iterable[int]:
    """As many as the team has, or fewer: across a line of a map go several."""
    return range(1, state.tactical_points + 1)


def _recoil(state: OverdriveState, _given: Given, _context: CommandContext) -> Iterable[int]:
    """As far as the attack that waits may push, or less: as far as there is room on a map."""
    attack = state.combat.attack if state.combat is not None else None
    return range(1 + (attack.excess if attack is not None else 0))


def _raises(state: OverdriveState, _given: Given, _context: CommandContext) -> Iterator[int]:
    """What the side that speaks may raise by, under any rule of raising."""
    for rule in get_args(RaiseRule):
        if state.duel is not None:
            yield from raises(state, state.duel, rule) or ()


def _sheet(_state: OverdriveState, _given: Given, _context: CommandContext) -> list[Given]:
    """A sheet to bring in, with nothing on it but what has to be."""
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
    "curves": _curves,
    "straight": _straight,
    "distance": _distances,
    "advantage_dice": _advantage_dice,
    "cover_dice": _cover_dice,
    "recoil": _recoil,
    "tactical_points": _tactical_points,
    "raise": _raises,
    "sheet": _sheet,
}


def _paired(_state: OverdriveState, _given: Given, _context: CommandContext) -> list[Given]:
    return [{"pairing": dict(zip(SCORES, STATS, strict=True))}]


def _moves(state: OverdriveState, given: Given, _context: CommandContext) -> list[Given]:
    """Into the sectors around the one who moves, as far as is said; without a map, over one line."""
    fighter = state.participant(str(given.get("character") or state.acting))
    here = fighter.position if fighter is not None else None
    if here is None:
        return [{"curves": 1}]
    curves, straight = (each if isinstance(each := given.get(line), int) else 0 for line in ("curves", "straight"))
    rings = (here.ring - (curves or 1), here.ring + (curves or 1))
    around = [(ring, here.quadrant + each) for ring in rings for each in dict.fromkeys((straight, -straight))]
    around += [] if curves else [(here.ring, here.quadrant - 1), (here.ring, here.quadrant + 1)]
    moves: list[Given] = [{"to": {"ring": ring, "quadrant": quadrant}} for ring, quadrant in around if ring >= 0]
    return [*moves, *({**move, "curves": 1} for move in moves[:2])]


def _duels(state: OverdriveState, _given: Given, context: CommandContext) -> list[Given]:
    """The asker's first character against something that is no character, and against everybody else."""
    first, *others = [*_characters(state, {}, context), ""]
    what = {"use": "stat:will", "skill": "social"}
    against: list[dict[str, Any]] = [{"name": "…", "pool": 1}]
    against += [{"character": each, **what} for each in others if each]
    return [{"sides": [{"character": first, **what}, each]} for each in against]


DRAFTS: Mapping[type, Candidates] = {CreateMech: _paired, Move: _moves, StartDuel: _duels}
