"""How much the events of Overdrive matter in a recap."""

from domain.sentences import say
from domain.systems.overdrive import events as e
from domain.systems.overdrive.entrance_events import CharacterEntered
from projections.recap_weights import QUIET, Chapter, Emphasis, of

EMPHASIS = Emphasis(
    {
        6: (e.CharacterGravelyWounded, e.RelationBroken),
        5: (e.FatalModeEntered, e.CinematicTriggered, e.DuelLost),
        4: (e.RelationStrengthened, e.CharacterStunned, e.RevelationReached),
        3: (e.RelationRepaired, e.RelationStressed, e.ChapterEnded, e.CharacterAdopted, CharacterEntered),
        2: (e.WeaponDisabled, e.ObjectivePaid, e.QuestionAnswered),
        1: (e.ConfigurationLost, e.TraitAdvanced),
        QUIET: (
            e.InvocationAllowed,
            e.BonusDiceGiven,
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
        ),
    },
    chapters=(
        of(e.CombatStarted, lambda event: Chapter(event.combat_id, say("A fight"), opens=True)),
        of(e.CombatEnded, lambda event: Chapter(event.combat_id, "", opens=False)),
    ),
)
"""Wounds and breaks first, then extreme dice, then gains; book-keeping is left out."""
