"""Overdrive in words: one sentence for every kind of event.

Every sentence stands in one place, whole, with its parts by name, so that it can be translated.
"""

from collections.abc import Callable, Iterable
from typing import assert_never
from uuid import UUID

from domain.systems.overdrive import events as e
from projections.narration import overdrive_fights
from projections.narration.overdrive_words import CONFIGURED, REASONS, SCENES, WEIGHTS, joined, points, words

Name = Callable[[str | UUID], str]


def tell(event: e.Event, name: Name) -> str:
    """What happened, as a player would say it."""
    match event:
        case (
            e.CharacterCreated()
            | e.CharacterAdopted()
            | e.CharacterAssigned()
            | e.MechCreated()
            | e.MechBoarded()
            | e.MechLeft()
        ):
            return _people(event, name)
        case e.InvocationAllowed():
            return f"Things are critical: {name(event.character)} may call on a relation"
        case e.RelationInvoked():
            return f"{name(event.character)} thought of {_whom(event.relation, name)} and gained {event.dice} dice"
        case e.RelationStressed():
            return f"There is tension now between {name(event.character)} and {_whom(event.relation, name)}"
        case e.RollMade():
            return _roll(event, name)
        case e.CinematicTriggered():
            return f"Cinematic! {name(event.character)} may act once more this turn"
        case e.ObjectiveJudged():
            verdict = "more" if event.achieved else "not more"
            outcome = "achieved" if event.achieved else "missed"
            return (
                f"{event.successes} against {event.difficulty} is {verdict}: "
                f"{name(event.character)} {outcome} the objective"
            )
        case e.SuccessAdded():
            return f"{name(event.character)} bought a success and has {event.total}"
        case e.RollClosed():
            return f"The roll of {name(event.character)} stands"
        case (
            e.OverdriveGained()
            | e.OverdriveSpent()
            | e.OverdriveRetired()
            | e.ConfigurationActivated()
            | e.ReactionOffered()
            | e.ReactionPlayed()
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
        ):
            return _relation(event, name)
        case (
            e.SceneOpened()
            | e.SceneEnded()
            | e.TacticalPointGained()
            | e.RecoveryEarned()
            | e.DamageRepaired()
            | e.ConfigurationRestored()
        ):
            return _scene(event, name)
        case e.DuelStarted() | e.DuelRaised() | e.DuelLost():
            return _duel(event)
        case (
            e.TraitAdvanced()
            | e.ChapterEnded()
            | e.RecapTold()
            | e.ObjectiveTaken()
            | e.ObjectiveSessionPassed()
            | e.ObjectivePaid()
        ):
            return _progress(event, name)
        case _:
            return overdrive_fights.tell(event, name)


def _whom(relation: str, name: Name) -> str:
    """Who a relation is with; a name that somebody made up is words already."""
    called = name(relation)
    return words(called) if called == relation else called


def _roll(event: e.RollMade, name: Name) -> str:
    """A roll, its dice wave by wave, and what it came to."""
    who = name(event.character) if event.character is not None else "The other side"
    what = f" {words(event.skill_name)}" if event.skill_name is not None else ""
    waves = [
        ", ".join(str(die.value) for die in event.dice if die.wave == wave)
        for wave in range(max((die.wave for die in event.dice), default=-1) + 1)
    ]
    fallen = f" ({', then '.join(waves)})" if waves else ""
    count = "1 success" if event.successes == 1 else f"{event.successes} successes"
    tier = {"none": "", "major": ", a major success", "cinematic": ", a cinematic"}[event.tier]
    said = f": {event.words}" if event.words else ""
    dice = "1 die" if event.pool == 1 else f"{event.pool} dice"
    return f"{who} rolled {dice} under{what} {event.skill}{fallen} for {count}{tier}{said}"


def _people(
    event: e.CharacterCreated
    | e.CharacterAdopted
    | e.CharacterAssigned
    | e.MechCreated
    | e.MechBoarded
    | e.MechLeft,
    name: Name,
) -> str:
    """Characters and their machines."""
    match event:
        case e.CharacterCreated():
            return f"{event.name} enters the story with {points(event.od_start)}"
        case e.CharacterAdopted():
            machines = joined(each.name for each in event.mechs) or "no mech"
            return f"{event.sheet.name} came over from another campaign, with {machines}"
        case e.CharacterAssigned():
            return ""  # the campaign's own event says to whom
        case e.MechCreated():
            return f"{event.name} was assigned to {name(event.character)}"
        case e.MechBoarded():
            return f"{name(event.character)} climbed into {name(event.mech)}"
        case e.MechLeft():
            return f"{name(event.character)} climbed out of {name(event.mech)}"
        case _:
            assert_never(event)


def _points(
    event: e.OverdriveGained
    | e.OverdriveSpent
    | e.OverdriveRetired
    | e.ConfigurationActivated
    | e.ReactionOffered
    | e.ReactionPlayed
    | e.QuestionAsked
    | e.RevelationReached,
    name: Name,
) -> str:
    """What Overdrive comes from, and where it goes."""
    match event:
        case e.OverdriveGained():
            return (
                f"{name(event.character)} gained {points(event.amount)} for {REASONS[event.reason]} "
                f"and has {event.available_after}"
            )
        case e.OverdriveSpent():
            return (
                f"{name(event.character)} spent {points(event.amount)} on {CONFIGURED[event.purpose]} "
                f"and has {event.available_after} left"
            )
        case e.OverdriveRetired():
            return (
                f"{name(event.character)} gave up {points(event.amount)} for good and has "
                f"{event.available_after} left"
            )
        case e.ConfigurationActivated():
            return f"{name(event.mech)} switched to {words(event.config)}"
        case e.ReactionOffered():
            return f"{name(event.character)} showed a reaction, {words(event.reaction)}, and waits for the GM"
        case e.ReactionPlayed():
            return (
                f"{name(event.character)} reacted as ever ({words(event.reaction)}), {WEIGHTS[event.weight]}, "
                f"and won {points(event.recovered)} back"
            )
        case e.QuestionAsked():
            return f"{name(event.character)} asked: {event.text}"
        case e.RevelationReached():
            found = f": {event.text}" if event.text else ""
            return f"{joined(sorted(name(each) for each in event.participants))} came upon a revelation{found}"
        case _:
            assert_never(event)


def _relation(
    event: e.RelationAdded
    | e.RelationRenamed
    | e.RelationStrengthened
    | e.RelationBroken
    | e.RelationRepaired
    | e.RelationTaskOpened,
    name: Name,
) -> str:
    """How a relation goes."""
    who = name(event.character)
    match event:
        case e.RelationAdded():
            return f"{event.with_} matters to {who} from now on: {event.nature}"
        case e.RelationRenamed():
            return f"{event.with_} is now {event.nature} to {who}"
        case e.RelationStrengthened():
            nature = f", {event.new_nature} now" if event.new_nature else ""
            return f"{who} and {_whom(event.relation, name)} grew closer{nature} (level {event.level_after})"
        case e.RelationBroken():
            return f"It broke between {who} and {_whom(event.relation, name)}"
        case e.RelationRepaired():
            how = f": {event.words}" if event.words else ""
            return f"{who} and {_whom(event.relation, name)} found together again{how}"
        case e.RelationTaskOpened():
            return f"The tension between {who} and {_whom(event.relation, name)} wants to be resolved"
        case _:
            assert_never(event)


def _scene(
    event: e.SceneOpened
    | e.SceneEnded
    | e.TacticalPointGained
    | e.RecoveryEarned
    | e.DamageRepaired
    | e.ConfigurationRestored,
    name: Name,
) -> str:
    """What happens between fights."""
    match event:
        case e.SceneOpened():
            return f"A scene began: {SCENES[event.scene]}"
        case e.SceneEnded():
            return "The scene came to its end"
        case e.TacticalPointGained():
            return f"{name(event.character)} prepared the ground: the team has {event.total_after} tactical points"
        case e.RecoveryEarned():
            return (
                f"{name(event.character)} has {event.successes} successes to repair with, "
                f"{event.damage_cap} of them against damage"
            )
        case e.DamageRepaired():
            return (
                f"{name(event.character)} repaired {event.amount} damage: the {event.counter} counter of "
                f"{name(event.target)} stands at {event.value}"
            )
        case e.ConfigurationRestored():
            return f"{name(event.character)} restored {words(event.config)} to {name(event.mech)}"
        case _:
            assert_never(event)


def _duel(event: e.DuelStarted | e.DuelRaised | e.DuelLost) -> str:
    """A duel, line by line."""
    match event:
        case e.DuelStarted():
            first, second = event.sides["a"], event.sides["b"]
            stakes = f" for {event.stakes}" if event.stakes else ""
            return (
                f"A duel{stakes}: {first.name} with {first.successes}, {second.name} with {second.successes}; "
                f"{event.sides[event.turn].name} speaks first"
            )
        case e.DuelRaised():
            line = f": {event.line}" if event.line else ""
            return f"{event.name} paid {event.amount} Overdrive and stands at {event.total}{line}"
        case e.DuelLost():
            return f"{event.loser_name} folded: {event.winner_name} won the duel"
        case _:
            assert_never(event)


def _progress(
    event: e.TraitAdvanced
    | e.ChapterEnded
    | e.RecapTold
    | e.ObjectiveTaken
    | e.ObjectiveSessionPassed
    | e.ObjectivePaid,
    name: Name,
) -> str:
    """What lasts."""
    match event:
        case e.TraitAdvanced():
            return f"{name(event.character)} raised {words(event.trait)} to {event.level_after}"
        case e.ChapterEnded():
            people: Iterable[str] = sorted(name(each) for each in event.participants)
            return f"A chapter closed for {joined(people)}, worth {points(event.amount)} each"
        case e.RecapTold():
            shares = sorted(f"{name(who)} ({amount})" for who, amount in event.awards.items())
            return f"What happened so far was told, and it pays: {joined(shares)}"
        case e.ObjectiveTaken():
            return f"{name(event.character)} has a new objective: {event.text}"
        case e.ObjectiveSessionPassed():
            return f"{name(event.character)} has been after the same objective for {event.sessions_after} sessions"
        case e.ObjectivePaid():
            how = "paid by itself" if event.automatic else "was achieved"
            return f"The objective of {name(event.character)} {how} after {event.sessions} sessions"
        case _:
            assert_never(event)
