"""Overdrive's events as sentences.

Each sentence is a whole in one place, with its parts by name, so that it can be translated.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from domain.sentences import Part, Sentence, in_a_row, join_parts, say, say_many, show_dice, term
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import in_words
from domain.systems.overdrive.entrance_events import CharacterEntered, MechEntered
from domain.systems.overdrive.tables import Attribute, SceneKind, Score, Skill, Stat, Status
from projections.entrance_sentences import came
from projections.narration_tables import Name, about, on, tellers
from projections.systems.overdrive import narration_fights, narration_story
from projections.systems.overdrive.narration_phrases import PURPOSES, REASONS, WEIGHTS, points, reaction, with_whom
from projections.systems.overdrive.narration_rolls import rolled_for

TERMS = (Attribute, SceneKind, Score, Skill, Stat, Status)
"""Types whose values are translated as terms."""


def brings(event: e.CharacterAdopted) -> Sentence:
    """A character's belongings from another campaign: Overdrive, stats and skills, weapons and mechs."""
    who, mechs = event.sheet, event.mechs
    weapons = len(who.weapons) + sum(len(mech.weapons) for mech in mechs)
    belongings: list[Part] = [
        points(who.od.available),
        say_many("{n} point of stats and skills", "{n} points of stats and skills", _sum(who.stats, who.skills)),
    ]
    if equipped := _sum(who.equipment, *(mech.attributes for mech in mechs)):
        belongings.append(
            say_many("{n} point of equipment and mechs", "{n} points of equipment and mechs", equipped)
        )
    if weapons:
        belongings.append(say_many("{n} weapon", "{n} weapons", weapons))
    return join_parts([*belongings, *(mech.name for mech in mechs)] if mechs else [*belongings, say("no mech")])


def _sum(*levels: Mapping[Any, int]) -> int:
    return sum(level for group in levels for level in group.values())


def _adopted(event: e.CharacterAdopted, _: Name) -> Sentence:
    return say(
        "{who} came over from another campaign, with {brought}", who=event.sheet.name, brought=brings(event)
    )


def _invoked(event: e.RelationInvoked, name: Name) -> Sentence:
    who = name(event.character)
    whom = with_whom(event.relation, name)
    return say("{who} thought of {whom} and gained {n} dice", who=who, whom=whom, n=event.dice)


def _stressed(event: e.RelationStressed, name: Name) -> Sentence:
    who = name(event.character)
    whom = with_whom(event.relation, name)
    return say("There is now tension between {who} and {whom}", who=who, whom=whom)


def _cinematic(event: e.CinematicTriggered, who: str) -> Sentence:
    if event.turn is UNSET:
        return say("A cinematic success for {who}", who=who)
    return say("Cinematic! {who} has an extra combat action in turn {turn}", who=who, turn=event.turn)


def _objective_judged(event: e.ObjectiveJudged, name: Name) -> Sentence:
    """Whether successes exceeded the difficulty (OD-11)."""
    who, n, difficulty = name(event.character), event.successes, event.difficulty
    if event.achieved:
        return say_many(
            "{n} success beats difficulty {difficulty}: {who} achieved the objective",
            "{n} successes beat difficulty {difficulty}: {who} achieved the objective",
            n,
            difficulty=difficulty,
            who=who,
        )
    return say_many(
        "{n} success does not beat difficulty {difficulty}: {who} missed the objective",
        "{n} successes do not beat difficulty {difficulty}: {who} missed the objective",
        n,
        difficulty=difficulty,
        who=who,
    )


def _roll(event: e.RollMade, name: Name) -> Sentence:
    """A roll, its dice wave by wave, and its result."""
    nobody = event.name if event.name is not UNSET else say("The other side")
    who = name(event.character) if event.character is not None else nobody
    skill: Sentence | int = event.skill
    if event.skill_name is not None:
        skill = say("{skill} {level}", skill=term(event.skill_name), level=event.skill)
    waves = [
        in_a_row(die.value for die in event.dice if die.wave == wave)
        for wave in sorted({die.wave for die in event.dice})
    ]
    result = say_many("{n} success", "{n} successes", event.successes)
    if event.tier == "major":
        result = say("{successes}, a major success", successes=result)
    elif event.tier == "cinematic":
        result = say("{successes}, a cinematic", successes=result)
    parts: dict[str, Part] = {"who": who, "what": rolled_for(event, name), "n": event.pool, "skill": skill}
    sentence = say("{who}, {what}: {n}d6 on {skill} with {result}", **parts, result=result)
    if waves:
        faces = in_a_row(waves, " → ")
        parts |= {"fallen": faces, "result": result}
        sentence = show_dice(say("{who}, {what}: {n}d6 on {skill} ({fallen}), {result}", **parts), sentence)
    return say("{what}. {words}", what=sentence, words=event.words) if event.words else sentence


def _reaction_offered(event: e.ReactionOffered, name: Name) -> Sentence:
    return say(
        "{who} shows a reaction, “{reaction}”: the GM has to confirm it",
        who=name(event.character),
        reaction=reaction(event.character, event.reaction, name),
    )


def _played(event: e.ReactionPlayed, name: Name) -> Sentence:
    return say(
        "{who} played a reaction, “{reaction}” ({weight}), and recovered {points}",
        who=name(event.character),
        reaction=reaction(event.character, event.reaction, name),
        weight=WEIGHTS[event.weight],
        points=points(event.recovered),
    )


def _declined(event: e.ReactionDeclined, name: Name) -> Sentence:
    who, text = name(event.character), event.text
    if event.back:
        return say("{who} took back a reaction: {text}", who=who, text=text)
    return say("The GM did not confirm a reaction of {who}: {text}", who=who, text=text)


def _revelation(event: e.RevelationReached, name: Name) -> Sentence:
    people = join_parts(sorted(map(name, event.participants)))
    if event.text:
        return say("A revelation for {people}: {text}", people=people, text=event.text)
    return say("A revelation for {people}", people=people)


def _answered(event: e.QuestionAnswered, name: Name) -> Sentence:
    """The answer to a question, which is told along as long as it is remembered."""
    who, question, text = name(event.character), name(event.question_id), event.text
    if question == event.question_id:
        return say("The GM answered a question of {who}: {text}", who=who, text=text)
    return say("{who} asked “{question}”, and the GM answered: {text}", who=who, question=question, text=text)


def _bonus_given(event: e.BonusDiceGiven, who: str) -> Sentence:
    """The dice, and what for if that was said."""
    if event.reason is None:
        return say_many("{who} was given {n} bonus die", "{who} was given {n} bonus dice", event.dice, who=who)
    return say_many(
        "{who} was given {n} bonus die: {words}",
        "{who} was given {n} bonus dice: {words}",
        event.dice,
        who=who,
        words=event.reason,
    )


TELL = tellers(
    on(
        e.CharacterCreated,
        lambda event, _: say(
            "{who} enters the story with {points}", who=event.name, points=points(event.od_start)
        ),
    ),
    on(e.CharacterAdopted, _adopted),
    on(e.CharacterAssigned, lambda _, __: ""),  # the campaign's own event says to whom
    on(CharacterEntered, lambda event, _: came(event.character.name, event.anew)),
    on(MechEntered, lambda event, _: came(event.mech.name, event.anew)),
    about(e.MechCreated, lambda event, who: say("{who} was given a mech: {mech}", mech=event.name, who=who)),
    on(
        e.MechBoarded,
        lambda event, name: say("{who} climbed into {mech}", who=name(event.character), mech=name(event.mech)),
    ),
    on(
        e.MechLeft,
        lambda event, name: say("{who} climbed out of {mech}", who=name(event.character), mech=name(event.mech)),
    ),
    about(e.BonusDiceGiven, _bonus_given),
    about(e.InvocationAllowed, lambda _, who: say("Things are critical: {who} may invoke a relation", who=who)),
    on(e.RelationInvoked, _invoked),
    on(e.RelationStressed, _stressed),
    on(e.RollMade, _roll),
    about(e.CinematicTriggered, _cinematic),
    on(e.ObjectiveJudged, _objective_judged),
    about(
        e.SuccessAdded,
        lambda event, who: say("{who} bought a success: {total} in all", who=who, total=event.total),
    ),
    about(e.RollClosed, lambda _, who: say("The roll of {who} is closed", who=who)),
    about(
        e.OverdriveGained,
        lambda event, who: say(
            "{who} gained {points} for {reason} and has {total}",
            who=who,
            points=points(event.amount),
            reason=REASONS[event.reason],
            total=event.available_after,
        ),
    ),
    about(
        e.OverdriveSpent,
        lambda event, who: say(
            "{who} spent {points} on {purpose} and has {left} left",
            who=who,
            points=points(event.amount),
            purpose=PURPOSES[event.purpose],
            left=event.available_after,
        ),
    ),
    about(
        e.OverdriveRetired,
        lambda event, who: say(
            "{who} gave up {points} for good and has {left} left",
            who=who,
            points=points(event.amount),
            left=event.available_after,
        ),
    ),
    on(
        e.ConfigurationActivated,
        lambda event, name: say(
            "{mech} activated a configuration: {config}", mech=name(event.mech), config=in_words(event.config)
        ),
    ),
    on(e.ReactionOffered, _reaction_offered),
    on(e.ReactionPlayed, _played),
    on(e.ReactionDeclined, _declined),
    on(e.QuestionAnswered, _answered),
    about(e.QuestionAsked, lambda event, who: say("{who} asked: {text}", who=who, text=event.text)),
    on(e.RevelationReached, _revelation),
    *narration_fights.TELL.items(),
    *narration_story.TELL.items(),
)
