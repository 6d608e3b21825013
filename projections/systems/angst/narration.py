"""Angst's events as sentences."""

from domain.sentences import Sentence, in_a_row, join_parts, say, say_many
from domain.systems.angst import events as e
from domain.systems.angst.tables import grade_modifier
from domain.systems.angst.term_words import CORE_WORDS
from projections.entrance_sentences import came
from projections.narration_tables import Name, about, on, tellers
from projections.systems.angst import narration_tests


def _types(event: e.AngstTypesDefined, _: Name) -> Sentence:
    if not event.types:
        return say("This story has no types of Angst")
    return say("The types of Angst in this story: {types}", types=join_parts(event.types))


def _with_why(sentence: Sentence, why: str | None) -> Sentence:
    """A sentence with the given reason."""
    return say("{told}: {why}", told=sentence, why=why) if why else sentence


def _created(event: e.CharacterCreated, name: Name) -> Sentence:
    cores = join_parts(say("{core} {die}", core=CORE_WORDS[core], die=die) for core, die in event.cores.items())
    if event.kind == "gmc":
        return say("A new face: {who}, with {cores}", who=event.name, cores=cores)
    if event.player_id is None:
        return say("A new character: {who}, with {cores}", who=event.name, cores=cores)
    player = name(event.player_id)
    return say(
        "A new character: {who}, played by {player}, with {cores}", who=event.name, player=player, cores=cores
    )


def brings(event: e.CharacterAdopted) -> Sentence:
    """A character's belongings from another campaign: Cores, Story Points, Life Experience and Angst."""
    belongings = [
        *(say("{core} {die}", core=CORE_WORDS[name], die=core.rated) for name, core in event.cores.items()),
        say_many("{n} Story Point", "{n} Story Points", event.story_points),
        say("{amount} Life Experience", amount=event.life_experience.current),
    ]
    if angst := sum(event.angst.values()):
        belongings.append(say_many("{n} point of Angst", "{n} points of Angst", angst))
    return join_parts(belongings)


def _adopted(event: e.CharacterAdopted, name: Name) -> Sentence:
    who, brought = event.name, brings(event)
    if event.player_id is None:
        return say("{who} came over from another campaign, with {brought}", who=who, brought=brought)
    player = name(event.player_id)
    return say(
        "{who} came over from another campaign, played by {player}, with {brought}",
        who=who,
        player=player,
        brought=brought,
    )


def _back(event: e.SceneStarted | e.SceneEnded, name: Name) -> Sentence | str:
    people = sorted(map(name, event.returned or ()))
    return (
        say_many("{who} can act again", "{who} can act again", len(people), who=join_parts(people))
        if people
        else ""
    )


def _relationship(event: e.RelationshipGradeChanged, name: Name) -> Sentence:
    parts = {"who": name(event.character), "toward": name(event.target), "to": event.to}
    if event.from_ is None:
        sentence = say("{who} now has a Relationship with {toward}, grade {to}", **parts)
        return _with_why(sentence, event.why)
    now, before, was = grade_modifier(event.to), grade_modifier(event.from_), event.from_
    sentence = say("{who}'s Relationship with {toward} shifted from {was} to {to}", **parts, was=was)
    if now > before:
        sentence = say("{who}'s Relationship with {toward} warmed from {was} to {to}", **parts, was=was)
    elif now < before:
        sentence = say("{who}'s Relationship with {toward} cooled from {was} to {to}", **parts, was=was)
    return _with_why(sentence, event.why)


def _spent(event: e.StoryPointsSpent, who: str) -> Sentence:
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
    if event.source == "tap":
        return say_many(
            "{who} earned {n} Story Point for letting Angst get in the way, {left} in hand",
            "{who} earned {n} Story Points for letting Angst get in the way, {left} in hand",
            event.amount,
            who=who,
            left=event.left,
        )
    sentence = say_many(
        "{who} earned {n} Story Point from the GM, {left} in hand",
        "{who} earned {n} Story Points from the GM, {left} in hand",
        event.amount,
        who=who,
        left=event.left,
    )
    return _with_why(sentence, event.why)


def _adjusted(event: e.CoreAdjusted, who: str) -> Sentence:
    core = CORE_WORDS[event.core]
    if event.warning is None:
        return say("The GM set {core} of {who} to {die}", who=who, core=core, die=event.effective)
    return say(
        "The GM set {core} of {who} to {die}, higher than a spared Core will likely ever be",
        who=who,
        core=core,
        die=event.effective,
    )


def _tapped(event: e.AngstTapped, who: str) -> Sentence:
    if event.use == "positive":
        return say("{who} drew strength from {angst}", who=who, angst=event.angst)
    return say("{who} was held back by {angst}", who=who, angst=event.angst)


def _gained(event: e.AngstGained, who: str) -> Sentence:
    now = _points(event.points)
    sentence = say("{who} could not keep {angst} away: it is at {now}", who=who, angst=event.angst, now=now)
    return _weighing(sentence, event.overwhelming)


def _purged(event: e.AngstPurged, who: str) -> Sentence:
    angst, much, now = event.angst, _points(event.amount), _points(event.points)
    match event:
        case e.AngstPurged(amount=1, points=0):
            sentence = say("{who} let go of the last of {angst}", who=who, angst=angst)
        case e.AngstPurged(amount=1):
            sentence = say("{who} let go of {angst}, now at {now}", who=who, angst=angst, now=now)
        case e.AngstPurged(points=0):
            sentence = say("{who} let go of the last {much} of {angst}", who=who, much=much, angst=angst)
        case _:
            sentence = say(
                "{who} let go of {much} of {angst}, now at {now}", who=who, much=much, angst=angst, now=now
            )
    return _weighing(sentence, event.overwhelming)


def _weighing(sentence: Sentence, overwhelming: int) -> Sentence:
    """A sentence with the total effect of all Angst."""
    if not overwhelming:
        return sentence
    return in_a_row([sentence, say("all of it weighs {penalty} on other tests", penalty=overwhelming)], "; ")


def _points(points: int) -> Sentence:
    return say_many("{n} point", "{n} points", points)


def _purge_offered(event: e.PurgeOffered, who: str) -> Sentence | str:
    if event.trigger == "milestone":
        return ""  # the Milestone itself says so, once for all
    if event.trigger == "tap":
        return say("{who} may try to let go of {angst} after drawing on it", who=who, angst=event.angst or "")
    return say("{who} may try to let go of any Angst after something so good", who=who)


def _milestone(event: e.MilestoneReached, name: Name) -> Sentence:
    people = sorted(name(character) for character in event.characters)
    sentence = say_many(
        "{who} reached a Milestone and may try to let go of some Angst",
        "{who} reached a Milestone and may each try to let go of some Angst",
        len(people),
        who=join_parts(people),
    )
    return _with_why(sentence, event.text)


TELL = tellers(
    on(e.AngstTypesDefined, _types),
    on(e.CharacterCreated, _created),
    on(e.CharacterAdopted, _adopted),
    on(e.CharacterEntered, lambda event, _: came(event.sheet.name, event.anew)),
    on(e.CharacterAssigned, lambda _, __: ""),  # the campaign's own event says so
    on(e.SessionStarted, lambda _, __: ""),
    on(e.SceneStarted, _back),
    on(e.SceneEnded, _back),
    on(e.RelationshipGradeChanged, _relationship),
    about(e.StoryPointsSpent, _spent),
    about(e.StoryPointEarned, _earned),
    about(
        e.LifeExperienceRefreshed,
        lambda event, who: (
            say("{who} begins the session with {amount} Life Experience", who=who, amount=event.current)
            if event.current
            else ""
        ),
    ),  # some have none
    about(
        e.LifeExperienceSpent,
        lambda event, who: say(
            "{who} put {amount} Life Experience into it, {left} left: {total} in all",
            who=who,
            amount=event.amount,
            left=event.left,
            total=event.total,
        ),
    ),
    about(e.CharacterRemovedFromScene, lambda _, who: say("{who} is out of the scene", who=who)),
    about(e.CharacterDied, lambda _, who: say("{who} died", who=who)),
    about(
        e.CharacterSpared,
        lambda event, who: say(
            "{who} should be dead, but lives; {core} may take years to heal", who=who, core=CORE_WORDS[event.core]
        ),
    ),
    about(
        e.CoreRecovered,
        lambda event, who: say(
            "{who} recovers: {core} is back at {die}", who=who, core=CORE_WORDS[event.core], die=event.effective
        ),
    ),
    about(e.CoreAdjusted, _adjusted),
    about(e.AngstTapped, _tapped),
    about(e.AngstGained, _gained),
    about(e.AngstPurged, _purged),
    about(
        e.ComfortUsed, lambda event, who: say("{who} looks for comfort: {comfort}", who=who, comfort=event.comfort)
    ),
    about(e.PurgeOffered, _purge_offered),
    on(e.MilestoneReached, _milestone),
    about(
        e.PositiveEventRecorded,
        lambda event, who: _with_why(say("Something very good happened to {who}", who=who), event.text),
    ),
    *narration_tests.TELL.items(),
)
