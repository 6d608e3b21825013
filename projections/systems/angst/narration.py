"""Angst in words: one sentence for every kind of event."""

from collections.abc import Callable, Iterable
from typing import assert_never
from uuid import UUID

from domain.sentences import Sentence, in_a_row, joined, say, say_many
from domain.systems.angst import events as e
from domain.systems.angst.tables import grade_modifier
from domain.systems.angst.terms import CORE_WORDS
from projections.campaign.narration_entrances import came
from projections.systems.angst import narration_tests

Name = Callable[[str | UUID], str]


def tell(event: e.Event, name: Name) -> Sentence | str:
    """What happened, as a player would say it."""
    match event:
        case e.TestRolled():
            return narration_tests.rolled(event, name)
        case e.TestResolved():
            return narration_tests.resolved(event, name(event.character))
        case e.DiceRerolled():
            return narration_tests.rerolled(event, name(event.character))
        case e.TestCalled():
            return narration_tests.called(event, name(event.character))
        case e.OpposedTestResolved():
            return narration_tests.opposed(event, name)
        case e.CoreReduced():
            return narration_tests.reduced(event, name(event.character))
        case e.TestCancelled():
            return say("A test of {who} was called off", who=name(event.character))
        case e.AngstTypesDefined():
            if not event.types:
                return say("This story has no types of Angst")
            return say("The types of Angst in this story: {types}", types=joined(event.types))
        case e.CharacterCreated():
            return _created(event, name)
        case e.CharacterAdopted():
            return _adopted(event, name)
        case e.CharacterEntered():
            return came(event.sheet.name, event.anew)
        case e.CharacterAssigned() | e.SessionStarted() | e.SceneStarted():
            return ""  # the campaign's own event says so
        case e.RelationshipGradeChanged():
            return _with_why(_relationship(event, name), event.why)
        case e.SceneEnded():
            return _back(event.returned, name)
        case e.StoryPointsSpent():
            return _spent(event, name(event.character))
        case e.StoryPointEarned():
            return _earned(event, name(event.character))
        case e.LifeExperienceRefreshed() | e.LifeExperienceSpent():
            return _life_experience(event, name(event.character))
        case e.CharacterRemovedFromScene():
            return say("{who} is out of the scene", who=name(event.character))
        case e.CharacterDied():
            return say("{who} died", who=name(event.character))
        case e.CharacterSpared() | e.CoreRecovered() | e.CoreAdjusted():
            return _healing(event, name(event.character))
        case e.AngstTapped() | e.AngstGained() | e.AngstPurged():
            return _angst(event, name(event.character))
        case e.ComfortUsed():
            return say("{who} looks for comfort: {comfort}", who=name(event.character), comfort=event.comfort)
        case e.PurgeOffered():
            return _offered(event, name(event.character))
        case e.MilestoneReached():
            return _milestone(event, name)
        case e.PositiveEventRecorded():
            happened = say("Something very good happened to {who}", who=name(event.character))
            return _with_why(happened, event.text)
        case _:
            assert_never(event)


def _with_why(told: Sentence, why: str | None) -> Sentence:
    """A sentence, and what the table says about it."""
    return say("{told}: {why}", told=told, why=why) if why else told


def _created(event: e.CharacterCreated, name: Name) -> Sentence:
    """A newcomer, and what they are made of."""
    cores = joined(say("{core} {die}", core=CORE_WORDS[core], die=die) for core, die in event.cores.items())
    if event.kind == "gmc":
        return say("A new face: {who}, with {cores}", who=event.name, cores=cores)
    if event.player_id is None:
        return say("A new character: {who}, with {cores}", who=event.name, cores=cores)
    player = name(event.player_id)
    return say(
        "A new character: {who}, played by {player}, with {cores}", who=event.name, player=player, cores=cores
    )


def _adopted(event: e.CharacterAdopted, name: Name) -> Sentence:
    """Somebody with a past."""
    if event.player_id is None:
        return say("{who} came over from another campaign", who=event.name)
    player = name(event.player_id)
    return say("{who} came over from another campaign, played by {player}", who=event.name, player=player)


def _back(returned: Iterable[str], name: Name) -> Sentence | str:
    """Whoever was out of the scene."""
    people = sorted(name(each) for each in returned)
    if not people:
        return ""
    return say_many("{who} can act again", "{who} can act again", len(people), who=joined(people))


def _relationship(event: e.RelationshipGradeChanged, name: Name) -> Sentence:
    """How two stand to each other now."""
    who, toward, to = name(event.character), name(event.target), event.to
    if event.from_ is None:
        return say("{who} now has a Relationship with {toward}, grade {to}", who=who, toward=toward, to=to)
    now, before = grade_modifier(to), grade_modifier(event.from_)
    was = event.from_
    if now > before:
        return say(
            "{who}'s Relationship with {toward} warmed from {was} to {to}", who=who, toward=toward, was=was, to=to
        )
    if now < before:
        return say(
            "{who}'s Relationship with {toward} cooled from {was} to {to}", who=who, toward=toward, was=was, to=to
        )
    return say(
        "{who}'s Relationship with {toward} shifted from {was} to {to}", who=who, toward=toward, was=was, to=to
    )


def _spent(event: e.StoryPointsSpent, who: str) -> Sentence:
    """Story Points, and what for."""
    match event.purpose:
        case "off_core":
            return say_many(
                "{who} spent {n} Story Point to bring in a trait of another Core, {left} left",
                "{who} spent {n} Story Points to bring in a trait of another Core, {left} left",
                event.amount,
                who=who,
                left=event.left,
            )
        case "reroll":
            return say_many(
                "{who} spent {n} Story Point to roll again, {left} left",
                "{who} spent {n} Story Points to roll again, {left} left",
                event.amount,
                who=who,
                left=event.left,
            )
        case "purge":
            return say_many(
                "{who} spent {n} Story Point to let some Angst go, {left} left",
                "{who} spent {n} Story Points to let some Angst go, {left} left",
                event.amount,
                who=who,
                left=event.left,
            )


def _earned(event: e.StoryPointEarned, who: str) -> Sentence:
    """A reward, and what for."""
    if event.source == "tap":
        return say_many(
            "{who} earned {n} Story Point for letting Angst get in the way, {left} in hand",
            "{who} earned {n} Story Points for letting Angst get in the way, {left} in hand",
            event.amount,
            who=who,
            left=event.left,
        )
    told = say_many(
        "{who} earned {n} Story Point from the GM, {left} in hand",
        "{who} earned {n} Story Points from the GM, {left} in hand",
        event.amount,
        who=who,
        left=event.left,
    )
    return _with_why(told, event.why)


def _life_experience(event: e.LifeExperienceRefreshed | e.LifeExperienceSpent, who: str) -> Sentence | str:
    """What a session allows, and what was put into a test."""
    if isinstance(event, e.LifeExperienceSpent):
        return say(
            "{who} put {amount} Life Experience into it, {left} left: {total} in all",
            who=who,
            amount=event.amount,
            left=event.left,
            total=event.total,
        )
    if not event.current:
        return ""  # some have none
    return say("{who} begins the session with {amount} Life Experience", who=who, amount=event.current)


def _healing(event: e.CharacterSpared | e.CoreRecovered | e.CoreAdjusted, who: str) -> Sentence:
    """What comes back by the clock, by the GM's hand, or perhaps never."""
    core = CORE_WORDS[event.core]
    match event:
        case e.CharacterSpared():
            return say("{who} should be dead, but lives; {core} may take years to heal", who=who, core=core)
        case e.CoreRecovered():
            return say("{who} recovers: {core} is back at {die}", who=who, core=core, die=event.effective)
        case e.CoreAdjusted(warning=None):
            return say("The GM set {core} of {who} to {die}", who=who, core=core, die=event.effective)
        case _:
            return say(
                "The GM set {core} of {who} to {die}, higher than a spared Core will likely ever be",
                who=who,
                core=core,
                die=event.effective,
            )


def _angst(event: e.AngstTapped | e.AngstGained | e.AngstPurged, who: str) -> Sentence:
    """Drawn upon, more of it, or less."""
    angst = event.angst
    match event:
        case e.AngstTapped(use="positive"):
            return say("{who} drew strength from {angst}", who=who, angst=angst)
        case e.AngstTapped():
            return say("{who} was held back by {angst}", who=who, angst=angst)
        case e.AngstGained():
            now = _points(event.points)
            told = say("{who} could not keep {angst} away: it is at {now}", who=who, angst=angst, now=now)
        case e.AngstPurged(amount=1, points=0):
            told = say("{who} let go of the last of {angst}", who=who, angst=angst)
        case e.AngstPurged(amount=1):
            told = say("{who} let go of {angst}, now at {now}", who=who, angst=angst, now=_points(event.points))
        case e.AngstPurged(points=0):
            told = say(
                "{who} let go of the last {much} of {angst}", who=who, much=_points(event.amount), angst=angst
            )
        case _:
            told = say(
                "{who} let go of {much} of {angst}, now at {now}",
                who=who,
                much=_points(event.amount),
                angst=angst,
                now=_points(event.points),
            )
    if not event.overwhelming:
        return told
    return in_a_row([told, say("all of it weighs {penalty} on other tests", penalty=event.overwhelming)], "; ")


def _points(points: int) -> Sentence:
    """So many points."""
    return say_many("{n} point", "{n} points", points)


def _offered(event: e.PurgeOffered, who: str) -> Sentence | str:
    """What may be tried until the scene ends."""
    if event.trigger == "milestone":
        return ""  # the Milestone itself says so, once for all
    if event.trigger == "tap":
        return say("{who} may try to let go of {angst} after drawing on it", who=who, angst=event.angst or "")
    return say("{who} may try to let go of any Angst after something so good", who=who)


def _milestone(event: e.MilestoneReached, name: Name) -> Sentence:
    """What the story reached, and what that offers."""
    people = sorted(name(each) for each in event.characters)
    told = say_many(
        "{who} reached a Milestone and may try to let go of some Angst",
        "{who} reached a Milestone and may each try to let go of some Angst",
        len(people),
        who=joined(people),
    )
    return _with_why(told, event.text)
