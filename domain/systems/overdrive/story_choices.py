"""Choices that the story waits for or allows, with the answers that the rules accept (OD-13 … OD-18)."""

from collections.abc import Iterator

from msgspec import UNSET

from domain.mechanics.acceptable_commands import TO_FILL_IN
from domain.systems.overdrive import commands as c
from domain.systems.overdrive.creation import SKILLS
from domain.systems.overdrive.duels import raises
from domain.systems.overdrive.gm_questions import find_question
from domain.systems.overdrive.pending_answers import PendingAnswer, Trial
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


def choices_of(trial: Trial) -> list[PendingAnswer]:
    """The pending choices of the story, then optional ones."""
    state = trial.state
    entries = [_pending(trial, choice) for choice in pending(state)]
    for who in state.by_name(state.characters):
        entries += _offers(trial, state.characters[who])
    return [choice for choice in entries if choice.answers or not choice.optional]


def _pending(trial: Trial, choice: Pending) -> PendingAnswer:
    """One pending choice; without answers about hidden things."""
    state = trial.state
    match choice.kind:
        case "close_roll":
            who = next(roll.character for roll in state.rolls.values() if roll.roll_id == choice.subject)
            return trial.of(None, choice.kind, choice.subject, who, [c.CloseRoll(choice.subject)])
        case "play_reaction":
            who, reaction = choice.subject, state.offered[choice.subject].reaction
            confirmed = (c.PlayReaction(weight, reaction, who) for weight in WEIGHTS if weight in RECOVERED)
            return trial.of(None, choice.kind, who, who, [*confirmed, c.DeclineReaction(who)])
        case "answer_question":
            question = find_question(state, choice.subject)
            asker = question.character if question is not None else None
            return trial.of(
                None, choice.kind, choice.subject, asker, [c.AnswerQuestion(TO_FILL_IN, choice.subject)]
            )
        case "resolve_relation":
            who, _, relation = choice.subject.partition(":")
            answers = [c.ResolveRelation(relation=relation, stat=stat, character=who) for stat in STATS]
            return trial.of(None, choice.kind, choice.subject, who, answers)
        case "roll_duel":
            who = choice.subject
            return trial.of(trial.player_of(who), choice.kind, who, who, _rolls(state, state.characters[who]))
        case _:
            return _word(trial, choice)


def _word(trial: Trial, choice: Pending) -> PendingAnswer:
    """The next word of a duel: raise by the least or the most, or fold."""
    duel = trial.state.duel
    if duel is None:
        return trial.of(None, choice.kind, choice.subject, None, [])
    side = min(duel.to_roll) if duel.to_roll else duel.turn
    speaker = duel.sides[side]
    if speaker.hidden is True and speaker.roll_id is UNSET:
        return trial.of(None, choice.kind, choice.subject, None, [])
    amounts = raises(trial.state, duel, trial.settings.duel_raise) or ()
    raised = [c.DuelRaise(amount, side) for amount in dict.fromkeys(amounts)]
    player = trial.player_of(speaker.character)
    character = speaker.character if speaker.character in trial.state.characters else None
    return trial.of(player, choice.kind, choice.subject, character, [*raised, c.DuelFold(side)])


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
    for use in (first, *(other for other in (*OF_STATS.values(), *scores) if other != first)):
        yield from (c.RollDuel(use=use, skill=skill, character=who) for skill in skills)
    for relation in sorted(character.relations):
        yield c.RollDuel(use=first, skill=skills[0], invoke_relation=relation, character=who)
    yield c.DuelFold(side)


def _side_of(duel: Duel, character: str) -> Side:
    return next(side for side in sorted(duel.to_roll) if duel.sides[side].character == character)


def _offers(trial: Trial, character: Character) -> Iterator[PendingAnswer]:
    """Optional choices: a roll for the open scene, a success for a held roll, successes to use."""
    state, who = trial.state, character.character_id
    if character.hidden:
        return  # an open command about a hidden character would bring them into play
    player = trial.player_of(who)
    if state.scene is not None and who not in state.scene.rolled:
        yield trial.of(player, "close_scene", who, who, _scene(state, character), optional=True)
    roll = state.rolls.get(who)
    if roll is not None and roll.held:
        bought = [c.SpendOverdriveSuccess(roll.roll_id, who)]
        yield trial.of(player, "spend_overdrive_success", roll.roll_id, who, bought, optional=True)
    recovery = state.recoveries.get(who)
    if recovery is not None and not recovery.lapsed:
        yield trial.of(player, "spend_recovery", who, who, _recovery(state, who, recovery), optional=True)


def _scene(state: OverdriveState, character: Character) -> Iterator[c.CloseScene]:
    """The roll at the end of the open scene; repairs and care may be for another character who needs them."""
    scene, who = state.scene, character.character_id
    if scene is None:
        return
    targets: list[str | None] = [None]
    if scene.kind in ("mech_repair", "care"):
        others = [state.characters[id_] for id_ in state.by_name(state.characters) if id_ != who]
        repairs = scene.kind == "mech_repair"
        needy = [other for other in others if not other.hidden and _needs(state, other, repairs=repairs)]
        targets += [other.character_id for other in needy]
    for target in targets:
        yield from (c.CloseScene(scene=scene.kind, stat=stat, target=target, character=who) for stat in STATS)


def _needs(state: OverdriveState, character: Character, *, repairs: bool) -> bool:
    """Whether a character has damage to repair."""
    mech = state.mech_of(character)
    broken = mech is not None and "lost" in mech.configs.values()
    return broken or (mech is not None and mech.phase > 0 if repairs else character.fatal > 0)


def _recovery(state: OverdriveState, who: str, recovery: Recovery) -> Iterator[c.SpendRecovery]:
    """The least and the most damage to repair, and every configuration."""
    damage = min(recovery.points, recovery.damage_cap, damage_of(state, recovery))
    yield from (
        c.SpendRecovery(damage=amount, character=who) for amount in dict.fromkeys((1, damage)) if amount > 0
    )
    if recovery.points >= SUCCESSES_PER_CONFIG:
        yield from (c.SpendRecovery(configs=[config], character=who) for config in lost_of(state, recovery))
