"""Sentences on the story board: the character or GM who is waited for, and the choice."""

from msgspec import UNSET

from domain.sentences import Sentence, say
from domain.systems.overdrive.duels import raises
from domain.systems.overdrive.pending_answers import PendingAnswer
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import Duel, OverdriveState
from projections.systems.overdrive.narration_phrases import WEIGHTS


def in_words(  # noqa: PLR0911 — one line per kind
    state: OverdriveState, choice: PendingAnswer, settings: Settings
) -> Sentence:
    """The character or GM who is waited for, and the choice."""
    who = state.characters[choice.character].name if choice.character in state.characters else ""
    match choice.kind:
        case "close_roll":
            held_roll = next(roll for roll in state.rolls.values() if roll.roll_id == choice.subject)
            return say("A GM closes the held roll of {who}", who=state.characters[held_roll.character].name)
        case "play_reaction":
            character, shown_reaction = state.characters[choice.subject], state.offered[choice.subject]
            text = next(
                (reaction.text for reaction in character.reactions if reaction.id == shown_reaction.reaction),
                shown_reaction.reaction,
            )
            return say(
                "The GM confirms or declines a reaction of {who} ({weight}): {text}",
                who=character.name,
                weight=WEIGHTS[shown_reaction.weight],
                text=text,
            )
        case "answer_question":
            question = next(asked for asked in state.questions if asked.question_id == choice.subject)
            return say("The GM answers a question of {who}: {text}", who=who, text=question.text)
        case "resolve_relation":
            who, _, relation = choice.subject.partition(":")
            character = state.characters[who]
            whom = character.relations[relation].with_
            return say("{who} resolves the tension with {whom}", who=character.name, whom=whom)
        case "roll_duel":
            return say("{who} rolls for the duel, or backs out", who=state.characters[choice.subject].name)
        case "close_scene":
            return say("{who} may roll for the scene", who=who)
        case "spend_overdrive_success":
            return say("{who} may buy a success for the held roll", who=who)
        case "spend_recovery":
            return say("{who} has successes of a scene left to use", who=who)
        case _:
            return _duel(state, state.duel, settings) if state.duel is not None else say("The duel goes on")


def _duel(state: OverdriveState, duel: Duel, settings: Settings) -> Sentence:
    """The next step of a duel."""
    if duel.to_roll:
        absent_side = next(
            side for side in sorted(duel.to_roll) if duel.sides[side].character not in state.characters
        )
        return say("{who} is no longer there: the GM folds for them", who=duel.sides[absent_side].name)
    speaker = duel.sides[duel.turn]
    if speaker.hidden is True and speaker.roll_id is UNSET:
        return say("{who} goes further, or folds", who=speaker.name)
    amounts = raises(state, duel, settings.duel_raise)
    if amounts is None:
        return say("{who} cannot go further, and folds", who=speaker.name)
    least, most = amounts
    if least == most:
        return say("{who} spends {least} Overdrive, or folds", who=speaker.name, least=least)
    return say("{who} spends {least} to {most} Overdrive, or folds", who=speaker.name, least=least, most=most)
