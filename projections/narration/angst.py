"""Angst in words: one sentence for every kind of event."""

from collections.abc import Callable, Iterable
from typing import assert_never
from uuid import UUID

from domain.systems.angst import events as e
from domain.systems.angst.counted import CountedModifier, Crucial, Faces
from domain.systems.angst.tables import DieName, grade_modifier, sides

Name = Callable[[str | UUID], str]

SPENT_ON = {
    "off_core": "to bring in a trait of another Core",
    "reroll": "to roll again",
    "purge": "to let some Angst go",
}
OFFERED = {
    "tap": "after drawing on it",
    "positive_event": "after such a good turn",
}


def tell(event: e.Event, name: Name) -> str:
    """What happened, as a player would say it."""
    match event:
        case e.AngstTypesDefined():
            return f"The kinds of Angst in this story: {_and(event.types) or 'none'}"
        case e.CharacterCreated() | e.CharacterAdopted():
            return _arrived(event, name)
        case e.CharacterAssigned():
            return ""  # the campaign's own event says to whom the character was handed
        case e.RelationshipGradeChanged():
            return _relationship(event, name)
        case e.SessionStarted() | e.SceneStarted():
            return ""  # the campaign's own event says so
        case e.SceneEnded():
            back = _and(sorted(name(each) for each in event.returned))
            return f"{back} can act again" if back else ""
        case e.LifeExperienceRefreshed():
            has = f"{name(event.character)} begins the session with {event.current} Life Experience"
            return has if event.current else ""
        case e.TestCalled():
            return _called(event, name)
        case e.TestCancelled():
            return f"A test of {name(event.character)} was called off"
        case e.StoryPointsSpent():
            paid = f"{_story_points(event.amount)} {SPENT_ON[event.purpose]}"
            return f"{name(event.character)} spent {paid}, {event.left} left"
        case e.StoryPointEarned():
            return _earned(event, name)
        case e.AngstTapped():
            how = "drew strength from" if event.use == "positive" else "was held back by"
            return f"{name(event.character)} {how} {event.angst}"
        case e.TestRolled():
            return _rolled(event, name)
        case e.DiceRerolled():
            dice = _and(f"the {each} die" for each in event.rerolled)
            return f"{name(event.character)} rolled {dice} again: {_faces(event.dice)}, {event.total} in all"
        case e.LifeExperienceSpent():
            spent = f"{event.amount} Life Experience into it, {event.left} left"
            return f"{name(event.character)} put {spent}: {event.total} in all"
        case e.TestResolved():
            return _resolved(event, name)
        case e.OpposedTestResolved():
            return _opposed(event, name)
        case e.CoreReduced():
            return _reduced(event, name)
        case e.CharacterRemovedFromScene():
            return f"{name(event.character)} is out of the scene"
        case e.CharacterDied():
            return f"{name(event.character)} died"
        case e.CharacterSpared():
            return f"{name(event.character)} should be dead, but lives; {_core(event.core)} may take years to heal"
        case e.CoreRecovered():
            return f"{name(event.character)} recovers: {_core(event.core)} is back at {event.effective}"
        case e.CoreAdjusted():
            warning = f" ({event.warning.removesuffix('.')})" if event.warning else ""
            return f"The GM set {_core(event.core)} of {name(event.character)} to {event.effective}{warning}"
        case e.AngstGained() | e.AngstPurged():
            return _angst(event, name)
        case e.ComfortUsed():
            return f"{name(event.character)} found comfort: {event.comfort}"
        case e.PurgeOffered(trigger="milestone"):
            return ""  # the Milestone itself says so, once for all
        case e.PurgeOffered():
            what = event.angst if event.angst is not None else "any Angst"
            return f"{name(event.character)} may try to let go of {what} {OFFERED[event.trigger]}"
        case e.MilestoneReached():
            who = _and(sorted(name(each) for each in event.characters))
            text = f" ({event.text})" if event.text else ""
            return f"{who} reached a Milestone{text} and may each try to let go of some Angst"
        case e.PositiveEventRecorded():
            text = f": {event.text}" if event.text else ""
            return f"Something very good happened to {name(event.character)}{text}"
        case _:
            assert_never(event)


def _arrived(event: e.CharacterCreated | e.CharacterAdopted, name: Name) -> str:
    """A newcomer, and what they are made of."""
    owner = f", played by {name(event.player_id)}" if event.player_id is not None else ""
    if isinstance(event, e.CharacterAdopted):
        return f"{event.name} came over from another campaign{owner}"
    cores = _and(f"{_core(core)} {die}" for core, die in event.cores.items())
    who = "A new face" if event.kind == "gmc" else "A new character"
    return f"{who}: {event.name}{owner}, with {cores}"


def _earned(event: e.StoryPointEarned, name: Name) -> str:
    """A reward, and what for."""
    why = "for letting Angst get in the way" if event.source == "tap" else "from the GM"
    words = f" ({event.why})" if event.why else ""
    return f"{name(event.character)} earned {_story_points(event.amount)} {why}{words}, {event.left} in hand"


def _relationship(event: e.RelationshipGradeChanged, name: Name) -> str:
    """How two stand to each other now."""
    toward, why = name(event.target), f": {event.why}" if event.why else ""
    if event.from_ is None:
        return f"{name(event.character)} now has a Relationship with {toward}, grade {event.to}{why}"
    now, before = grade_modifier(event.to), grade_modifier(event.from_)
    how = "warmed" if now > before else ("cooled" if now < before else "shifted")
    return f"{name(event.character)}'s Relationship with {toward} {how} from {event.from_} to {event.to}{why}"


def _called(event: e.TestCalled, name: Name) -> str:
    """What is asked of somebody, and what is at stake."""
    against = "against somebody else's roll" if event.opposed else f"against {event.dn}"
    tap = f", with {event.negative_tap} in the way" if event.negative_tap is not None else ""
    return (
        f"{name(event.character)} has to make a test of {_core(event.core)} {against}{_stakes(event.crucial)}{tap}"
    )


def _stakes(crucial: Crucial | None) -> str:
    """What failing costs."""
    if crucial is None:
        return ""
    return f", a {crucial.mode} crucial test" + (" with their life at stake" if crucial.deadly else "")


def _rolled(event: e.TestRolled, name: Name) -> str:
    """The whole arithmetic in one line: `Mara rolled d6 3 + d8 6 +1 (relationship) for 10 against 9`."""
    about = {"avoid": f" to keep {event.angst} away", "purge": f" to let go of {event.angst}"}.get(event.kind, "")
    named = [f"rocks {event.rock}"] if event.rock is not None else []
    named += [f"sucks {event.suck}"] if event.suck is not None else []
    named += [f"Perk {event.perk}"] if event.perk is not None else []
    traits = f" ({', '.join(named)})" if named else ""
    modifiers = "".join(f" {_counted(each)}" for each in event.modifiers)
    against = f" against {event.dn}" if event.dn is not None else ""
    return (
        f"{name(event.character)} tests {_core(event.core)}{about}{traits}: "
        f"{_faces(event.dice, event.core_die)}{modifiers} for {event.total}{against}"
    )


def _faces(dice: Faces, core_die: DieName | None = None) -> str:
    """The dice as they lie there; an exploded Base Die shows both its faces."""
    parts = ["d6 " + "+".join(str(face) for face in dice.base)]
    if dice.core:
        parts.append(f"+ {core_die or 'Core'} {dice.core}")
    elif core_die is not None and not sides(core_die):
        parts.append("and no Core die")
    if dice.bonus is not None:
        parts.append(f"+ Bonus {dice.bonus}")
    if dice.penalty is not None:
        parts.append(f"- Penalty {dice.penalty}")
    return " ".join(parts)


def _counted(modifier: CountedModifier) -> str:
    """A modifier: `-2 (overwhelming Angst)`."""
    return f"{modifier.value:+} ({modifier.source.replace('_', ' ').replace('angst', 'Angst')})"


def _resolved(event: e.TestResolved, name: Name) -> str:
    """Success or failure, and by how much."""
    if event.success is None or event.margin is None:
        return f"{name(event.character)} stands at {event.total}"
    if event.success:
        by = f" with {event.margin} to spare" if event.margin else " exactly"
        return f"{name(event.character)} makes it{by}"
    return f"{name(event.character)} misses {event.dn} by {-event.margin}"


def _opposed(event: e.OpposedTestResolved, name: Name) -> str:
    """Who came out on top."""
    acting, opposing = name(event.acting_character), name(event.opposing_character)
    winner, loser = (acting, opposing) if event.winner == "acting" else (opposing, acting)
    by = f" by {event.margin}" if event.margin else ", for a tie goes to whoever acts"
    return f"{acting} has {event.acting_total}, {opposing} {event.dn}: {winner} beats {loser}{by}"


def _reduced(event: e.CoreReduced, name: Name) -> str:
    """What a crucial failure cost."""
    down = "a step" if event.steps == 1 else f"{event.steps} steps"
    how = ", with their life at stake" if event.kind == "deadly" else ""
    by = f"fell short by {event.margin}" if event.margin else "could only tie"
    return f"{name(event.character)} {by}{how}: {_core(event.core)} falls {down} to {event.effective}"


def _angst(event: e.AngstGained | e.AngstPurged, name: Name) -> str:
    """More of it, or less."""
    now = _points(event.points) if event.points else "nothing"
    if isinstance(event, e.AngstGained):
        told = f"{name(event.character)} could not keep {event.angst} away: it is at {now}"
    else:
        much = "" if event.amount == 1 else f"{_points(event.amount)} of "
        told = f"{name(event.character)} let go of {much}{event.angst}, now at {now}"
    return told + _weighed(event.overwhelming)


def _weighed(overwhelming: int) -> str:
    """What all of it together does."""
    return f"; all of it weighs {overwhelming} on other tests" if overwhelming else ""


def _core(core: str) -> str:
    """A Core as the rulebook writes it."""
    return core.title()


def _points(points: int) -> str:
    """So many points."""
    return f"{points} point{'s' if points != 1 else ''}"


def _story_points(points: int) -> str:
    """So many Story Points."""
    return f"{points} Story Point{'s' if points != 1 else ''}"


def _and(words: Iterable[str]) -> str:
    """Join with commas and a last "and"."""
    *most, last = [*words] or [""]
    return f"{', '.join(most)} and {last}" if most else last
