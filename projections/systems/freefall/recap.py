"""What matters when a play session of FREE/FALL is told again."""

from domain.sentences import say
from domain.systems.freefall import events as e
from projections.emphasis import Chapter, Emphasis

QUIET = (
    e.ClassDefined,
    e.TurnStarted,
    e.TurnEnded,
    e.ActionsDeclared,
    e.ResolutionOrdered,
    e.TnNamed,
    e.ActionAbandoned,
    e.ComplicationFlagged,
    e.HarmCalled,
    e.HarmWithdrawn,
    e.AttributeSpent,
    e.AttributeRestored,
    e.MachineAttributeRestored,
    e.RecoveryTaskOpened,
    e.RecoveryTaskClosed,
    e.RequirementRecorded,
)
"""A turn is told by its rolls, harm by how it was taken."""

WEIGHTS = (
    ((e.CharacterOusted, e.CharacterFateDecided), 7),
    ((e.HarmMadePermanent, e.MachineBroken), 5),
    ((e.CharacterCreated, e.CharacterAdopted, e.CharacterEntered, e.PermanentHarmRemoved), 4),
    ((e.GearBroken, e.ComplicationIntroduced), 3),
    ((e.HarmConsequenceWritten, e.SuccessForced), 2),
)


def weight(event: e.Event) -> int:
    """Who was lost first, then scars, machines and gear, then what dice did at their extremes."""
    if isinstance(event, e.AttackHit):
        return 3 if event.critical else 0
    if isinstance(event, e.ActionRolled):
        return 1 if event.outcome == "greater" else 0
    return next((worth for kinds, worth in WEIGHTS if isinstance(event, kinds)), 0)


def quiet(event: e.Event) -> bool:
    """Whether another event tells more."""
    return isinstance(event, QUIET)


def chapter(event: e.Event) -> Chapter | None:
    """Bullet time opens a part of its own; any other mode closes it."""
    if not isinstance(event, e.TimeModeChanged):
        return None
    return Chapter("bullet", say("Bullet time"), opens=event.mode == "bullet")


EMPHASIS = Emphasis(weight, quiet, chapter)
