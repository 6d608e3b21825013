"""Overdrive in words: one sentence for every kind of event.

Every sentence stands in one place, whole, with its parts by name, so that it can be translated.
"""

from typing import assert_never

from msgspec import UNSET

from domain.sentences import Part, Sentence, in_a_row, joined, say, say_many, term
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import in_words
from domain.systems.overdrive.tables import Attribute, SceneKind, Score, Skill, Stat, Status
from projections.campaign.narration_entrances import came
from projections.systems.overdrive import narration_fights, narration_story
from projections.systems.overdrive.narration_rolls import rolled_for
from projections.systems.overdrive.narration_terms import (
    PURPOSES,
    REASONS,
    WEIGHTS,
    Name,
    points,
    reaction,
    with_whom,
)

TERMS = (Attribute, SceneKind, Score, Skill, Stat, Status)
"""Whose words are said as terms."""


def tell(event: e.Event, name: Name) -> Sentence | str:
    """What happened, as a player would say it."""
    match event:
        case (
            e.CharacterCreated()
            | e.CharacterAdopted()
            | e.CharacterAssigned()
            | e.CharacterEntered()
            | e.MechEntered()
            | e.MechCreated()
            | e.MechBoarded()
            | e.MechLeft()
        ):
            return _people(event, name)
        case e.InvocationAllowed() | e.RelationInvoked() | e.RelationStressed():
            return _invocation(event, name)
        case e.RollMade():
            return _roll(event, name)
        case e.CinematicTriggered():
            return _cinematic(event, name)
        case e.ObjectiveJudged():
            return _judged(event, name)
        case e.SuccessAdded():
            return say("{who} bought a success: {total} in all", who=name(event.character), total=event.total)
        case e.RollClosed():
            return say("The roll of {who} is closed", who=name(event.character))
        case (
            e.OverdriveGained()
            | e.OverdriveSpent()
            | e.OverdriveRetired()
            | e.ConfigurationActivated()
            | e.ReactionOffered()
            | e.ReactionPlayed()
            | e.ReactionDeclined()
            | e.QuestionAsked()
            | e.RevelationReached()
        ):
            return _points(event, name)
        case (
            e.RelationAdded()
            | e.RelationRenamed()
            | e.RelationStrengthened()
            | e.RelationBroken()
            | e.RelationRepaired()
            | e.RelationTaskOpened()
            | e.SceneOpened()
            | e.SceneEnded()
            | e.TacticalPointGained()
            | e.RecoveryEarned()
            | e.DamageRepaired()
            | e.ConfigurationRestored()
            | e.DuelOpened()
            | e.DuelSideRolled()
            | e.DuelStarted()
            | e.DuelRaised()
            | e.DuelLost()
            | e.TraitAdvanced()
            | e.ChapterEnded()
            | e.RecapTold()
            | e.ObjectiveTaken()
            | e.ObjectiveSessionPassed()
            | e.ObjectivePaid()
        ):
            return narration_story.tell(event, name)
        case _:
            return narration_fights.tell(event, name)


def _invocation(event: e.InvocationAllowed | e.RelationInvoked | e.RelationStressed, name: Name) -> Sentence:
    """Help that comes from a relation, and what it costs (OD-14)."""
    who = name(event.character)
    match event:
        case e.InvocationAllowed():
            return say("Things are critical: {who} may invoke a relation", who=who)
        case e.RelationInvoked():
            whom = with_whom(event.relation, name)
            return say("{who} thought of {whom} and gained {n} dice", who=who, whom=whom, n=event.dice)
        case e.RelationStressed():
            whom = with_whom(event.relation, name)
            return say("There is now tension between {who} and {whom}", who=who, whom=whom)
        case _:
            assert_never(event)


def _cinematic(event: e.CinematicTriggered, name: Name) -> Sentence:
    """An extra action, where turns are kept."""
    who = name(event.character)
    if event.turn is UNSET:
        return say("A cinematic success for {who}", who=who)
    return say("Cinematic! {who} has an extra combat action in turn {turn}", who=who, turn=event.turn)


def _judged(event: e.ObjectiveJudged, name: Name) -> Sentence:
    """Whether successes were more than the difficulty (OD-11)."""
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
    """A roll, its dice wave by wave, and what it came to."""
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
    told = say("{who}, {what}: {n}d6 on {skill}, {result}", **parts, result=result)
    if waves:
        fallen = in_a_row(waves, " → ")
        told = say("{who}, {what}: {n}d6 on {skill} ({fallen}), {result}", **parts, fallen=fallen, result=result)
    return say("{what}. {words}", what=told, words=event.words) if event.words else told


def _people(
    event: e.CharacterCreated
    | e.CharacterAdopted
    | e.CharacterAssigned
    | e.Entered
    | e.MechCreated
    | e.MechBoarded
    | e.MechLeft,
    name: Name,
) -> Sentence | str:
    """Characters and their machines."""
    match event:
        case e.CharacterCreated():
            return say("{who} enters the story with {points}", who=event.name, points=points(event.od_start))
        case e.CharacterAdopted():
            who = event.sheet.name
            if not event.mechs:
                return say("{who} came over from another campaign, without a mech", who=who)
            machines = joined(each.name for each in event.mechs)
            return say("{who} came over from another campaign, with {machines}", who=who, machines=machines)
        case e.CharacterAssigned():
            return ""  # the campaign's own event says to whom
        case e.CharacterEntered():
            return came(event.character.name, event.anew)
        case e.MechEntered():
            return came(event.mech.name, event.anew)
        case e.MechCreated():
            return say("{who} was given a mech: {mech}", mech=event.name, who=name(event.character))
        case e.MechBoarded():
            return say("{who} climbed into {mech}", who=name(event.character), mech=name(event.mech))
        case e.MechLeft():
            return say("{who} climbed out of {mech}", who=name(event.character), mech=name(event.mech))
        case _:
            assert_never(event)


def _points(
    event: e.OverdriveGained
    | e.OverdriveSpent
    | e.OverdriveRetired
    | e.ConfigurationActivated
    | e.ReactionOffered
    | e.ReactionPlayed
    | e.ReactionDeclined
    | e.QuestionAsked
    | e.RevelationReached,
    name: Name,
) -> Sentence:
    """What Overdrive comes from, and where it goes."""
    match event:
        case e.OverdriveGained():
            return say(
                "{who} gained {points} for {reason} and has {total}",
                who=name(event.character),
                points=points(event.amount),
                reason=REASONS[event.reason],
                total=event.available_after,
            )
        case e.OverdriveSpent():
            return say(
                "{who} spent {points} on {purpose} and has {left} left",
                who=name(event.character),
                points=points(event.amount),
                purpose=PURPOSES[event.purpose],
                left=event.available_after,
            )
        case e.OverdriveRetired():
            return say(
                "{who} gave up {points} for good and has {left} left",
                who=name(event.character),
                points=points(event.amount),
                left=event.available_after,
            )
        case e.ConfigurationActivated():
            return say(
                "{mech} activated a configuration: {config}", mech=name(event.mech), config=in_words(event.config)
            )
        case e.ReactionOffered():
            return say(
                "{who} shows a reaction, “{reaction}”: the GM has to confirm it",
                who=name(event.character),
                reaction=reaction(event.character, event.reaction, name),
            )
        case e.ReactionPlayed():
            return say(
                "{who} played a reaction, “{reaction}” ({weight}), and recovered {points}",
                who=name(event.character),
                reaction=reaction(event.character, event.reaction, name),
                weight=WEIGHTS[event.weight],
                points=points(event.recovered),
            )
        case e.ReactionDeclined():
            who, text = name(event.character), event.text
            if event.back:
                return say("{who} took back a reaction: {text}", who=who, text=text)
            return say("The GM did not confirm a reaction of {who}: {text}", who=who, text=text)
        case e.QuestionAsked():
            return say("{who} asked: {text}", who=name(event.character), text=event.text)
        case e.RevelationReached():
            people = joined(sorted(map(name, event.participants)))
            if event.text:
                return say("A revelation for {people}: {text}", people=people, text=event.text)
            return say("A revelation for {people}", people=people)
        case _:
            assert_never(event)
