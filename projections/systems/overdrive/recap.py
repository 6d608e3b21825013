"""What matters when a play session of Overdrive is told again."""

from domain.sentences import say
from domain.systems.overdrive import events as e
from projections.emphasis import Chapter, Emphasis

QUIET = (
    e.InvocationAllowed,
    e.RollClosed,
    e.OverdriveSpent,
    e.ReactionOffered,
    e.ReactionDeclined,
    e.DuelSideRolled,
    e.RelationTaskOpened,
    e.InitiativeSet,
    e.TurnsBegun,
    e.TurnDelayed,
    e.TurnEnded,
    e.CinematicActionUsed,
    e.WeaponCooling,
    e.MechDischarged,
    e.CharacterAssigned,
    e.ObjectiveSessionPassed,
)
"""Book-keeping: another event of the same story tells more."""


def weight(event: e.Event) -> int:  # noqa: PLR0911 — one line per weight
    """Wounds and breaks first, then what dice did at their extremes, then what was won."""
    match event:
        case e.CharacterGravelyWounded() | e.RelationBroken():
            return 6
        case e.FatalModeEntered() | e.CinematicTriggered() | e.DuelLost():
            return 5
        case e.RelationStrengthened() | e.CharacterStunned() | e.RevelationReached():
            return 4
        case (
            e.RelationRepaired()
            | e.RelationStressed()
            | e.ChapterEnded()
            | e.CharacterAdopted()
            | e.CharacterEntered()
        ):
            return 3
        case e.WeaponDisabled() | e.ObjectivePaid():
            return 2
        case e.ConfigurationLost() | e.TraitAdvanced():
            return 1
        case _:
            return 0


def quiet(event: e.Event) -> bool:
    """Whether another event tells more."""
    return isinstance(event, QUIET)


def chapter(event: e.Event) -> Chapter | None:
    """Fights are the larger parts of a session."""
    match event:
        case e.CombatStarted():
            return Chapter(event.combat_id, say("A fight"), opens=True)
        case e.CombatEnded():
            return Chapter(event.combat_id, "", opens=False)
        case _:
            return None


EMPHASIS = Emphasis(weight, quiet, chapter)
