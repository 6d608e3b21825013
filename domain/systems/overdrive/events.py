"""Everything that can have happened in an Overdrive campaign; see also `story_events` and `combat_events`.

Fields are the rulebook's words. What `evolve` adds up is a change (`amount`, `uses`, `levels`, `points`);
fields called `…_after`, `value`, `total`, `from` and `to` are what people saw at the time.
"""

from domain.systems.overdrive.combat_events import (
    AdvantageDiceGained,
    AttackResolved,
    CharacterGravelyWounded,
    CharacterStayedInCombat,
    CharacterStunned,
    CinematicActionUsed,
    CombatEnded,
    CombatJoined,
    CombatStarted,
    CombatTurnStarted,
    ConfigurationLost,
    CoverDiceGained,
    DamageTaken,
    FatalModeEntered,
    InitiativeSet,
    MechDischarged,
    MechRecharged,
    MovementPointsGained,
    ProtectionStarted,
    StabilisationRolled,
    StateRestored,
    TacticalPointsSpent,
    TurnDelayed,
    TurnEnded,
    TurnsBegun,
    UnitMoved,
    UnitRecoiled,
    UnrechargedPenaltyApplied,
    WeaponCooling,
    WeaponDisabled,
)
from domain.systems.overdrive.entered_events import CharacterEntered, Entered, MechEntered
from domain.systems.overdrive.sheet_events import (
    CharacterAdopted,
    CharacterAssigned,
    CharacterCreated,
    CinematicTriggered,
    ConfigurationActivated,
    GainReason,
    InvocationAllowed,
    MechBoarded,
    MechCreated,
    MechLeft,
    ObjectiveJudged,
    OverdriveGained,
    OverdriveRetired,
    OverdriveSpent,
    QuestionAsked,
    ReactionDeclined,
    ReactionOffered,
    ReactionPlayed,
    RelationInvoked,
    RelationStressed,
    RevelationReached,
    RollClosed,
    RollMade,
    SuccessAdded,
)
from domain.systems.overdrive.story_events import (
    ChapterEnded,
    ConfigurationRestored,
    DamageRepaired,
    DuelLost,
    DuelOpened,
    DuelRaised,
    DuelSideRolled,
    DuelStarted,
    ObjectivePaid,
    ObjectiveSessionPassed,
    ObjectiveTaken,
    RecapTold,
    RecoveryEarned,
    RelationAdded,
    RelationBroken,
    RelationRenamed,
    RelationRepaired,
    RelationStrengthened,
    RelationTaskOpened,
    SceneEnded,
    SceneOpened,
    TacticalPointGained,
    TraitAdvanced,
)

__all__ = [
    "AdvantageDiceGained",
    "AttackResolved",
    "ChapterEnded",
    "CharacterAdopted",
    "CharacterAssigned",
    "CharacterCreated",
    "CharacterEntered",
    "CharacterGravelyWounded",
    "CharacterStayedInCombat",
    "CharacterStunned",
    "CinematicActionUsed",
    "CinematicTriggered",
    "CombatEnded",
    "CombatEvent",
    "CombatJoined",
    "CombatStarted",
    "CombatTurnStarted",
    "ConfigurationActivated",
    "ConfigurationLost",
    "ConfigurationRestored",
    "CoverDiceGained",
    "DamageRepaired",
    "DamageTaken",
    "DuelLost",
    "DuelOpened",
    "DuelRaised",
    "DuelSideRolled",
    "DuelStarted",
    "Entered",
    "Event",
    "FatalModeEntered",
    "GainReason",
    "InitiativeSet",
    "InvocationAllowed",
    "LongEvent",
    "MechBoarded",
    "MechCreated",
    "MechDischarged",
    "MechEntered",
    "MechLeft",
    "MechRecharged",
    "MovementPointsGained",
    "ObjectiveJudged",
    "ObjectivePaid",
    "ObjectiveSessionPassed",
    "ObjectiveTaken",
    "OverdriveGained",
    "OverdriveRetired",
    "OverdriveSpent",
    "ProtectionStarted",
    "QuestionAsked",
    "ReactionDeclined",
    "ReactionOffered",
    "ReactionPlayed",
    "RecapTold",
    "RecoveryEarned",
    "RelationAdded",
    "RelationBroken",
    "RelationInvoked",
    "RelationRenamed",
    "RelationRepaired",
    "RelationStrengthened",
    "RelationStressed",
    "RelationTaskOpened",
    "RevelationReached",
    "RollClosed",
    "RollMade",
    "SceneEnded",
    "SceneOpened",
    "ShortEvent",
    "StabilisationRolled",
    "StateRestored",
    "SuccessAdded",
    "TacticalPointGained",
    "TacticalPointsSpent",
    "TraitAdvanced",
    "TurnDelayed",
    "TurnEnded",
    "TurnsBegun",
    "UnitMoved",
    "UnitRecoiled",
    "UnrechargedPenaltyApplied",
    "WeaponCooling",
    "WeaponDisabled",
]

CombatEvent = (
    CombatStarted
    | CombatJoined
    | UnrechargedPenaltyApplied
    | DamageTaken
    | StabilisationRolled
    | FatalModeEntered
    | CharacterGravelyWounded
    | ConfigurationLost
    | WeaponDisabled
    | CharacterStayedInCombat
    | CharacterStunned
    | InitiativeSet
    | TacticalPointsSpent
    | TurnsBegun
    | TurnDelayed
    | TurnEnded
    | CombatTurnStarted
    | MovementPointsGained
    | CoverDiceGained
    | AdvantageDiceGained
    | UnitMoved
    | ProtectionStarted
    | CinematicActionUsed
    | WeaponCooling
    | AttackResolved
    | UnitRecoiled
    | CombatEnded
    | MechDischarged
    | MechRecharged
    | StateRestored
)
# What a match of one piece would be too long for: how things go over time, and what a moment brings.
LongEvent = (
    RelationAdded
    | RelationRenamed
    | RelationStrengthened
    | RelationBroken
    | RelationRepaired
    | RelationTaskOpened
    | SceneOpened
    | SceneEnded
    | TacticalPointGained
    | RecoveryEarned
    | DamageRepaired
    | ConfigurationRestored
    | DuelOpened
    | DuelSideRolled
    | DuelStarted
    | DuelRaised
    | DuelLost
    | TraitAdvanced
    | ObjectiveTaken
    | ObjectiveSessionPassed
    | ObjectivePaid
)
ShortEvent = (
    CharacterCreated
    | CharacterAdopted
    | CharacterAssigned
    | Entered
    | MechCreated
    | MechBoarded
    | MechLeft
    | InvocationAllowed
    | RelationInvoked
    | RelationStressed
    | RollMade
    | CinematicTriggered
    | ObjectiveJudged
    | SuccessAdded
    | RollClosed
    | OverdriveGained
    | OverdriveSpent
    | OverdriveRetired
    | ConfigurationActivated
    | ReactionOffered
    | ReactionPlayed
    | ReactionDeclined
    | QuestionAsked
    | RevelationReached
    | ChapterEnded
    | RecapTold
)
Event = ShortEvent | LongEvent | CombatEvent
