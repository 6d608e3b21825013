"""Overdrive's story as sentences: relations, scenes, duels, and lasting changes."""

from msgspec import UNSET

from domain.sentences import Sentence, join_parts, say, say_many, term
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import in_words
from domain.systems.overdrive.state import Duelist
from projections.narration_tables import Name, about, on, tellers
from projections.systems.overdrive.narration_phrases import COUNTERS, SCENES, points, with_whom


def _strengthened(event: e.RelationStrengthened, name: Name) -> Sentence:
    who = name(event.character)
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


def _repaired(event: e.RelationRepaired, name: Name) -> Sentence:
    who = name(event.character)
    whom = with_whom(event.relation, name)
    if event.words:
        return say("{who} repaired the relation with {whom}: {words}", who=who, whom=whom, words=event.words)
    return say("{who} repaired the relation with {whom}", who=who, whom=whom)


def _duel_started(event: e.DuelStarted, _: Name) -> Sentence:
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


def _numbers(side: Duelist) -> Sentence:
    """A side's numbers, as far as the reader may know them."""
    if side.hidden and side.roll_id is UNSET:
        return say("a hidden number of successes")
    return say_many("{n} success", "{n} successes", side.successes)


def _raised(event: e.DuelRaised, _: Name) -> Sentence:
    """A side's raise, and what it paid for that."""
    if event.hidden and not event.amount:
        if event.line:
            return say("{who} goes further: {line}", who=event.name, line=event.line)
        return say("{who} goes further", who=event.name)
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


def _challenge(event: e.DuelOpened, _: Name) -> Sentence:
    """A duel that waits for its players' rolls."""
    first, second = event.sides["a"].name, event.sides["b"].name
    names = join_parts(event.sides[side].name for side in sorted(event.to_roll))
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


def _chapter_ended(event: e.ChapterEnded, name: Name) -> Sentence:
    people = join_parts(sorted(map(name, event.participants)))
    worth = points(event.amount)
    return say("A chapter ended for {people}: {points} each", people=people, points=worth)


def _recap_told(event: e.RecapTold, name: Name) -> Sentence:
    shares = sorted((name(who), amount) for who, amount in event.awards.items())
    paid = [say("{who} ({points})", who=who, points=points(amount)) for who, amount in shares]
    return say("The recap pays: {shares}", shares=join_parts(paid))


def _objective_paid(event: e.ObjectivePaid, name: Name) -> Sentence:
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


def _recovery_earned(event: e.RecoveryEarned, who: str) -> Sentence:
    """The successes to repair with, or that a fight came before them (OD-15, OD-16)."""
    if event.lapsed:
        return say_many(
            "{who} had {n} success to repair with, and it lapsed in the fight",
            "{who} had {n} successes to repair with, and they lapsed in the fight",
            event.successes,
            who=who,
        )
    return say_many(
        "{who} has {n} success to repair with, {cap} of them against damage",
        "{who} has {n} successes to repair with, {cap} of them against damage",
        event.successes,
        who=who,
        cap=event.damage_cap,
    )


TELL = tellers(
    about(
        e.RelationAdded,
        lambda event, who: say(
            "{whom} matters to {who} from now on: {nature}", whom=event.with_, who=who, nature=event.nature
        ),
    ),
    about(
        e.RelationRenamed,
        lambda event, who: say("{whom} is now {nature} to {who}", whom=event.with_, nature=event.nature, who=who),
    ),
    on(e.RelationStrengthened, _strengthened),
    on(
        e.RelationBroken,
        lambda event, name: say(
            "The relation between {who} and {whom} broke",
            who=name(event.character),
            whom=with_whom(event.relation, name),
        ),
    ),
    on(e.RelationRepaired, _repaired),
    on(
        e.RelationTaskOpened,
        lambda event, name: say(
            "The tension between {who} and {whom} has to be resolved",
            who=name(event.character),
            whom=with_whom(event.relation, name),
        ),
    ),
    on(e.SceneOpened, lambda event, _: say("A scene began: {scene}", scene=SCENES[event.scene])),
    on(e.SceneEnded, lambda _, __: say("The scene ended")),
    about(
        e.TacticalPointGained,
        lambda event, who: say_many(
            "{who} prepared the ground: the team has {n} tactical point",
            "{who} prepared the ground: the team has {n} tactical points",
            event.total_after,
            who=who,
        ),
    ),
    about(e.RecoveryEarned, _recovery_earned),
    on(
        e.DamageRepaired,
        lambda event, name: say_many(
            "{who} repaired {n} damage: the {counter} of {target} is at {value}",
            "{who} repaired {n} damage: the {counter} of {target} is at {value}",
            event.amount,
            who=name(event.character),
            counter=COUNTERS[event.counter],
            target=name(event.target),
            value=event.value,
        ),
    ),
    on(
        e.ConfigurationRestored,
        lambda event, name: say(
            "{who} restored a configuration of {mech}: {config}",
            who=name(event.character),
            config=in_words(event.config),
            mech=name(event.mech),
        ),
    ),
    on(e.DuelOpened, _challenge),
    on(
        e.DuelSideRolled,
        lambda event, _: say_many(
            "{who} has {n} success in the duel; waiting for a roll of {other}",
            "{who} has {n} successes in the duel; waiting for a roll of {other}",
            event.successes,
            who=event.name,
            other=event.waits_for,
        ),
    ),
    on(e.DuelStarted, _duel_started),
    on(e.DuelRaised, _raised),
    on(
        e.DuelLost,
        lambda event, _: say(
            "{loser} folded: {winner} won the duel", loser=event.loser_name, winner=event.winner_name
        ),
    ),
    about(
        e.TraitAdvanced,
        lambda event, who: say(
            "{who} raised {trait} to {level}",
            who=who,
            trait=term(event.trait),
            level=event.level_after,
        ),
    ),
    on(e.ChapterEnded, _chapter_ended),
    on(e.RecapTold, _recap_told),
    about(e.ObjectiveTaken, lambda event, who: say("{who} has a new objective: {text}", who=who, text=event.text)),
    about(
        e.ObjectiveSessionPassed,
        lambda event, who: say_many(
            "{who} has been after the same objective for {n} session",
            "{who} has been after the same objective for {n} sessions",
            event.sessions_after,
            who=who,
        ),
    ),
    on(e.ObjectivePaid, _objective_paid),
)
