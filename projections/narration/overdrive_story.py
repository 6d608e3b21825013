"""Overdrive's story in words: relations, scenes, duels, and what lasts."""

from typing import assert_never

from msgspec import UNSET

from domain.sentences import Sentence, joined, say, say_many, term
from domain.systems.overdrive import events as e
from domain.systems.overdrive.asking import in_words
from domain.systems.overdrive.state import Duelist
from projections.narration.overdrive_words import COUNTERS, SCENES, Name, points, with_whom


def tell(event: e.LongEvent | e.ChapterEnded | e.RecapTold, name: Name) -> Sentence:
    """What happened between fights."""
    match event:
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
        case _:
            return _progress(event, name)


def _relation(
    event: e.RelationAdded
    | e.RelationRenamed
    | e.RelationStrengthened
    | e.RelationBroken
    | e.RelationRepaired
    | e.RelationTaskOpened,
    name: Name,
) -> Sentence:
    """How a relation goes."""
    who = name(event.character)
    match event:
        case e.RelationAdded():
            whom, nature = event.with_, event.nature
            return say("{whom} matters to {who} from now on: {nature}", whom=whom, who=who, nature=nature)
        case e.RelationRenamed():
            return say("{whom} is now {nature} to {who}", whom=event.with_, nature=event.nature, who=who)
        case e.RelationStrengthened():
            whom, level = with_whom(event.relation, name), event.level_after
            if event.new_nature:
                return say(
                    "{who} and {whom} grew closer, {nature} now (level {level})",
                    who=who,
                    whom=whom,
                    nature=event.new_nature,
                    level=level,
                )
            return say("{who} and {whom} grew closer (level {level})", who=who, whom=whom, level=level)
        case e.RelationBroken():
            return say("It broke between {who} and {whom}", who=who, whom=with_whom(event.relation, name))
        case e.RelationRepaired():
            whom = with_whom(event.relation, name)
            if event.words:
                return say("{who} and {whom} found together again: {words}", who=who, whom=whom, words=event.words)
            return say("{who} and {whom} found together again", who=who, whom=whom)
        case e.RelationTaskOpened():
            whom = with_whom(event.relation, name)
            return say("The tension between {who} and {whom} wants to be resolved", who=who, whom=whom)
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
) -> Sentence:
    """What happens between fights."""
    match event:
        case e.SceneOpened():
            return say("A scene began: {scene}", scene=SCENES[event.scene])
        case e.SceneEnded():
            return say("The scene came to its end")
        case e.TacticalPointGained():
            return say_many(
                "{who} prepared the ground: the team has {n} tactical point",
                "{who} prepared the ground: the team has {n} tactical points",
                event.total_after,
                who=name(event.character),
            )
        case e.RecoveryEarned():
            return say_many(
                "{who} has {n} success to repair with, {cap} of them against damage",
                "{who} has {n} successes to repair with, {cap} of them against damage",
                event.successes,
                who=name(event.character),
                cap=event.damage_cap,
            )
        case e.DamageRepaired():
            return say(
                "{who} repaired {amount} damage: the {counter} of {target} stands at {value}",
                who=name(event.character),
                amount=event.amount,
                counter=COUNTERS[event.counter],
                target=name(event.target),
                value=event.value,
            )
        case e.ConfigurationRestored():
            return say(
                "{who} restored {config} to {mech}",
                who=name(event.character),
                config=in_words(event.config),
                mech=name(event.mech),
            )
        case _:
            assert_never(event)


def _numbers(side: Duelist) -> Sentence | int:
    """What a side has, as far as whoever reads may know."""
    return say("a hidden number") if side.hidden and side.roll_id is UNSET else side.successes


def _duel(event: e.DuelStarted | e.DuelRaised | e.DuelLost) -> Sentence:
    """A duel, line by line."""
    match event:
        case e.DuelStarted():
            first, second = event.sides["a"], event.sides["b"]
            count = say(
                "{first} with {n}, {second} with {m}; {speaker} speaks first",
                first=first.name,
                n=_numbers(first),
                second=second.name,
                m=_numbers(second),
                speaker=event.sides[event.turn].name,
            )
            if event.stakes:
                return say("A duel for {stakes}: {count}", stakes=event.stakes, count=count)
            return say("A duel: {count}", count=count)
        case e.DuelRaised() if event.hidden and not event.amount:
            if event.line:
                return say("{who} goes further: {line}", who=event.name, line=event.line)
            return say("{who} goes further", who=event.name)
        case e.DuelRaised():
            paid = points(event.amount)
            if event.line:
                return say(
                    "{who} paid {points} and stands at {total}: {line}",
                    who=event.name,
                    points=paid,
                    total=event.total,
                    line=event.line,
                )
            return say("{who} paid {points} and stands at {total}", who=event.name, points=paid, total=event.total)
        case e.DuelLost():
            return say("{loser} folded: {winner} won the duel", loser=event.loser_name, winner=event.winner_name)
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
) -> Sentence:
    """What lasts."""
    match event:
        case e.TraitAdvanced():
            return say(
                "{who} raised {trait} to {level}",
                who=name(event.character),
                trait=term(event.trait),
                level=event.level_after,
            )
        case e.ChapterEnded():
            people = joined(sorted(map(name, event.participants)))
            worth = points(event.amount)
            return say("A chapter closed for {people}, worth {points} each", people=people, points=worth)
        case e.RecapTold():
            shares = sorted(f"{name(who)} ({amount})" for who, amount in event.awards.items())
            return say("What happened so far was told, and it pays: {shares}", shares=joined(shares))
        case e.ObjectiveTaken():
            return say("{who} has a new objective: {text}", who=name(event.character), text=event.text)
        case e.ObjectiveSessionPassed():
            return say_many(
                "{who} has been after the same objective for {n} session",
                "{who} has been after the same objective for {n} sessions",
                event.sessions_after,
                who=name(event.character),
            )
        case e.ObjectivePaid():
            who, sessions = name(event.character), event.sessions
            if event.automatic:
                return say_many(
                    "The objective of {who} paid by itself after {n} session",
                    "The objective of {who} paid by itself after {n} sessions",
                    sessions,
                    who=who,
                )
            return say_many(
                "The objective of {who} was achieved after {n} session",
                "The objective of {who} was achieved after {n} sessions",
                sessions,
                who=who,
            )
        case _:
            assert_never(event)
