"""Overdrive's story in words: relations, scenes, duels, and what lasts."""

from typing import assert_never

from msgspec import UNSET

from domain.sentences import Sentence, joined, say, say_many, term
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import in_words
from domain.systems.overdrive.state import Duelist
from projections.systems.overdrive.narration_terms import COUNTERS, SCENES, Name, points, with_whom


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
        case e.DuelOpened() | e.DuelSideRolled() | e.DuelStarted() | e.DuelRaised() | e.DuelLost():
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
            return say(
                "The relation between {who} and {whom} broke", who=who, whom=with_whom(event.relation, name)
            )
        case e.RelationRepaired():
            whom = with_whom(event.relation, name)
            if event.words:
                return say(
                    "{who} repaired the relation with {whom}: {words}", who=who, whom=whom, words=event.words
                )
            return say("{who} repaired the relation with {whom}", who=who, whom=whom)
        case e.RelationTaskOpened():
            whom = with_whom(event.relation, name)
            return say("The tension between {who} and {whom} has to be resolved", who=who, whom=whom)
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
            return say("The scene ended")
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
            return say_many(
                "{who} repaired {n} damage: the {counter} of {target} is at {value}",
                "{who} repaired {n} damage: the {counter} of {target} is at {value}",
                event.amount,
                who=name(event.character),
                counter=COUNTERS[event.counter],
                target=name(event.target),
                value=event.value,
            )
        case e.ConfigurationRestored():
            return say(
                "{who} restored a configuration of {mech}: {config}",
                who=name(event.character),
                config=in_words(event.config),
                mech=name(event.mech),
            )
        case _:
            assert_never(event)


def _numbers(side: Duelist) -> Sentence:
    """What a side has, as far as whoever reads may know."""
    if side.hidden and side.roll_id is UNSET:
        return say("a hidden number of successes")
    return say_many("{n} success", "{n} successes", side.successes)


def _duel(event: e.DuelOpened | e.DuelSideRolled | e.DuelStarted | e.DuelRaised | e.DuelLost) -> Sentence:
    """A duel, line by line."""
    match event:
        case e.DuelOpened():
            return _challenge(event)
        case e.DuelSideRolled():
            return say_many(
                "{who} has {n} success in the duel; waiting for a roll of {other}",
                "{who} has {n} successes in the duel; waiting for a roll of {other}",
                event.successes,
                who=event.name,
                other=event.waits_for,
            )
        case e.DuelStarted():
            first, second = event.sides["a"], event.sides["b"]
            count = say(
                "{first} has {n}, {second} {m}; {speaker} speaks first",
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
                return say_many(
                    "{who} spent {points} and now has {n} success: {line}",
                    "{who} spent {points} and now has {n} successes: {line}",
                    event.total,
                    who=event.name,
                    points=paid,
                    line=event.line,
                )
            return say_many(
                "{who} spent {points} and now has {n} success",
                "{who} spent {points} and now has {n} successes",
                event.total,
                who=event.name,
                points=paid,
            )
        case e.DuelLost():
            return say("{loser} folded: {winner} won the duel", loser=event.loser_name, winner=event.winner_name)
        case _:
            assert_never(event)


def _challenge(event: e.DuelOpened) -> Sentence:
    """A duel that waits for the rolls of its players."""
    first, second = event.sides["a"].name, event.sides["b"].name
    names = joined(event.sides[side].name for side in sorted(event.to_roll))
    if event.stakes:
        return say(
            "{first} challenges {second} to a duel for {stakes}; waiting for a roll of {names}",
            first=first,
            second=second,
            stakes=event.stakes,
            names=names,
        )
    return say(
        "{first} challenges {second} to a duel; waiting for a roll of {names}",
        first=first,
        second=second,
        names=names,
    )


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
            return say("A chapter ended for {people}: {points} each", people=people, points=worth)
        case e.RecapTold():
            shares = sorted((name(who), amount) for who, amount in event.awards.items())
            paid = [say("{who} ({points})", who=who, points=points(amount)) for who, amount in shares]
            return say("The recap pays: {shares}", shares=joined(paid))
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
                    "The objective of {who} paid out by itself after {n} session",
                    "The objective of {who} paid out by itself after {n} sessions",
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
