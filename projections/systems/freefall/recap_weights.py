"""How much the events of FREE/FALL matter in a recap."""

from domain.sentences import say
from domain.systems.freefall import events as e
from domain.systems.freefall.entrance_events import CharacterEntered
from projections.recap_weights import QUIET, Chapter, Emphasis, of

EMPHASIS = Emphasis(
    {
        7: (e.CharacterOusted, e.CharacterFateDecided),
        5: (e.HarmMadePermanent, e.MachineBroken),
        4: (e.CharacterCreated, e.CharacterAdopted, CharacterEntered, e.PermanentHarmRemoved),
        3: (e.GearBroken, e.ComplicationIntroduced),
        2: (e.HarmConsequenceWritten, e.SuccessForced),
        QUIET: (
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
        ),
    },
    weighs=(
        of(e.AttackHit, lambda event: 3 if event.critical else 0),
        of(e.ActionRolled, lambda event: 1 if event.outcome == "greater" else 0),
    ),
    chapters=(
        of(e.TimeModeChanged, lambda event: Chapter("bullet", say("Bullet time"), opens=event.mode == "bullet")),
    ),
)
"""Ousted characters first, then scars, machines and gear, then extreme dice.

A turn is told by its rolls, harm by how it was taken. Bullet time opens a part of its own.
"""
