"""What the story waits for, and what is possible in it, with the answers that the rules accept (OD-13 … OD-18)."""

from collections.abc import Iterator

from msgspec import UNSET

from domain.systems.overdrive import commands as c
from domain.systems.overdrive.answers import Awaited, Trial
from domain.systems.overdrive.creation import SKILLS
from domain.systems.overdrive.duels import raises
from domain.systems.overdrive.pending_choices import pending
from domain.systems.overdrive.scenes import damage_of, lost_of
from domain.systems.overdrive.state import Character, Duel, OverdriveState, Recovery
from domain.systems.overdrive.tables import (
    RECOVERED,
    SCORES,
    STATS,
    SUCCESSES_PER_CONFIG,
    Side,
    Skill,
    Stat,
    Use,
    Weight,
)
from domain.systems.system import Pending

OF_STATS: dict[Stat, Use] = {
    "strength": "stat:strength",
    "agility": "stat:agility",
    "intellect": "stat:intellect",
    "will": "stat:will",
}
OF_SCORES: tuple[Use, ...] = ("score:attack", "score:defense", "score:detection", "score:movement")
WEIGHTS: tuple[Weight, ...] = ("staged", "central", "team_tension")


def awaited(trial: Trial) -> list[Awaited]:
    """The pending choices of the story, then optional ones."""
    state = trial.state
    entries = [_pending(trial, each) for each in pending(state)]
    for who in state.by_name(state.characters):
        entries += _offers(trial, state.characters[who])
    return [each for each in entries if each.answers or not each.optional]


def _pending(trial: Trial, each: Pending) -> Awaited:
    """One pending choice; without answers about hidden things."""
    state = trial.state
    match each.kind:
        case "close_roll":
            who = next(roll.character for roll in state.rolls.values() if roll.roll_id == each.subject)
            return trial.of(None, each.kind, each.subject, who, [c.CloseRoll(each.subject)])
        case "play_reaction":
            who, shown = each.subject, state.offered[each.subject].reaction
            confirmed = (c.PlayReaction(weight, shown, who) for weight in WEIGHTS if weight in RECOVERED)
            return trial.of(None, each.kind, who, who, [*confirmed, c.DeclineReaction(who)])
        case "resolve_relation":
            who, _, relation = each.subject.partition(":")
            answers = [c.ResolveRelation(relation=relation, stat=stat, character=who) for stat in STATS]
            return trial.of(None, each.kind, each.subject, who, answers)
        case "roll_duel":
            who = each.subject
            return trial.of(trial.player_of(who), each.kind, who, who, _rolls(state, state.characters[who]))
        case _:
            return _word(trial, each)


def _word(trial: Trial, each: Pending) -> Awaited:
    """The next word of a duel: raise by the least or the most, or fold."""
    duel = trial.state.duel
    if duel is None:
        return trial.of(None, each.kind, each.subject, None, [])
    side = min(duel.to_roll) if duel.to_roll else duel.turn
    speaker = duel.sides[side]
    if speaker.hidden is True and speaker.roll_id is UNSET:
        return trial.of(None, each.kind, each.subject, None, [])
    amounts = raises(trial.state, duel, trial.settings.duel_raise) or ()
    raised = [c.DuelRaise(amount, side) for amount in dict.fromkeys(amounts)]
    player = trial.player_of(speaker.character)
    character = speaker.character if speaker.character in trial.state.characters else None
    return trial.of(player, each.kind, each.subject, character, [*raised, c.DuelFold(side)])


def _rolls(state: OverdriveState, character: Character) -> Iterator[c.RollDuel | c.DuelFold]:
    """A duel's roll: every stat or score on every skill, or the proposal, with every relation; or no duel."""
    duel, who = state.duel, character.character_id
    if duel is None:
        return
    side = _side_of(duel, who)
    proposed = duel.to_roll[side]
    scores = OF_SCORES if len(character.pairing) == len(SCORES) else ()
    skills: tuple[Skill, ...] = SKILLS if proposed.skill is None else (proposed.skill,)
    first: Use = proposed.use or OF_STATS["will"]
    for use in (first, *(each for each in (*OF_STATS.values(), *scores) if each != first)):
        yield from (c.RollDuel(use=use, skill=skill, character=who) for skill in skills)
    for relation in sorted(character.relations):
        yield c.RollDuel(use=first, skill=skills[0], invoke_relation=relation, character=who)
    yield c.DuelFold(side)


def _side_of(duel: Duel, character: str) -> Side:
    return next(side for side in sorted(duel.to_roll) if duel.sides[side].character == character)


def _offers(trial: Trial, character: Character) -> Iterator[Awaited]:
    """Optional choices: a roll for the open scene, a success for a held roll, successes to use."""
    state, who = trial.state, character.character_id
    if character.hidden:
        return  # an open command about a hidden character would bring them into play
    player = trial.player_of(who)
    if state.scene is not None and who not in state.scene.rolled:
        yield trial.of(player, "close_scene", who, who, _scene(state, character), optional=True)
    held = state.rolls.get(who)
    if held is not None and held.held:
        bought = [c.SpendOverdriveSuccess(held.roll_id, who)]
        yield trial.of(player, "spend_overdrive_success", held.roll_id, who, bought, optional=True)
    left = state.recoveries.get(who)
    if left is not None and not left.lapsed:
        yield trial.of(player, "spend_recovery", who, who, _recovery(state, who, left), optional=True)


def _scene(state: OverdriveState, character: Character) -> Iterator[c.CloseScene]:
    """The roll at the end of the open scene; repairs and care may be for another character who needs them."""
    scene, who = state.scene, character.character_id
    if scene is None:
        return
    targets: list[str | None] = [None]
    if scene.kind in ("mech_repair", "care"):
        others = [state.characters[each] for each in state.by_name(state.characters) if each != who]
        repairs = scene.kind == "mech_repair"
        needy = [each for each in others if not each.hidden and _needs(state, each, repairs=repairs)]
        targets += [each.character_id for each in needy]
    for target in targets:
        yield from (c.CloseScene(scene=scene.kind, stat=stat, target=target, character=who) for stat in STATS)


def _needs(state: OverdriveState, character: Character, *, repairs: bool) -> bool:
    """Whether a character has damage to repair."""
    mech = state.mech_of(character)
    broken = mech is not None and "lost" in mech.configs.values()
    return broken or (mech is not None and mech.phase > 0 if repairs else character.fatal > 0)


def _recovery(state: OverdriveState, who: str, left: Recovery) -> Iterator[c.SpendRecovery]:
    """The least and the most damage to repair, and every configuration."""
    damage = min(left.points, left.damage_cap, damage_of(state, left))
    yield from (c.SpendRecovery(damage=each, character=who) for each in dict.fromkeys((1, damage)) if each > 0)
    if left.points >= SUCCESSES_PER_CONFIG:
        yield from (c.SpendRecovery(configs=[each], character=who) for each in lost_of(state, left))
