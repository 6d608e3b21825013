"""Everything that can have happened in a FREE/FALL campaign.

Fields are the rulebook's words. What `evolve` adds up is a change (`amount`, `lost`, `change`); `…_after`,
`max_current`, `clamped` and `pool_after` are what people saw at the time. Slots count from 1 for people;
`harm_id` is what evolve finds a harm by.
"""

from domain.systems.freefall.entered_events import (
    CharacterEntered,
    ClockEntered,
    Entered,
    GearEntered,
    HarmEntered,
    MachineEntered,
)
from domain.systems.freefall.event_types import Attributes, Decider, Fact, Purpose
from domain.systems.freefall.harm_events import (
    AttributeSpent,
    CharacterFateDecided,
    CharacterOusted,
    GearBroken,
    GearFaulted,
    HarmCalled,
    HarmConsequenceWritten,
    HarmMadePermanent,
    HarmMarked,
    HarmSuffered,
    HarmWithdrawn,
    MachineAttributeSpent,
    MachineBroken,
    MachineHarmSuffered,
)
from domain.systems.freefall.recovery_events import (
    AttributeRestored,
    CreditsAwarded,
    CreditsCharged,
    DowntimeEnded,
    DowntimeStarted,
    GearRepaired,
    GearSelfRepaired,
    MachineAttributeRestored,
    MachineMended,
    PermanentHarmRemoved,
    RecoveryTaskClosed,
    RecoveryTaskOpened,
    RegroupHeld,
    RepairCancelled,
    RepairStarted,
    RequirementRecorded,
    TemporaryHarmCleared,
    TreatmentCancelled,
    TreatmentStarted,
)
from domain.systems.freefall.sheet_events import (
    CharacterAdopted,
    CharacterAssigned,
    CharacterCreated,
    ClassDefined,
    GearAdded,
    GearDiscarded,
    GearEquipped,
    GearUnequipped,
    MachineBoarded,
    MachineCreated,
    MachineLeft,
    PermanentChanged,
)
from domain.systems.freefall.turn_events import (
    ActionAbandoned,
    ActionNegated,
    ActionRolled,
    ActionsDeclared,
    AttackHit,
    ClockClosed,
    ClockOpened,
    ClockTicked,
    ComplicationFlagged,
    ComplicationIntroduced,
    ConflictOrderDecided,
    ConflictRolled,
    ResolutionOrdered,
    SceneLeftBehind,
    SuccessForced,
    TimeModeChanged,
    TnNamed,
    TurnEnded,
    TurnStarted,
)

__all__ = [
    "ActionAbandoned",
    "ActionNegated",
    "ActionRolled",
    "ActionsDeclared",
    "AttackHit",
    "AttributeRestored",
    "AttributeSpent",
    "Attributes",
    "CharacterAdopted",
    "CharacterAssigned",
    "CharacterCreated",
    "CharacterEntered",
    "CharacterFateDecided",
    "CharacterOusted",
    "ClassDefined",
    "ClockClosed",
    "ClockEntered",
    "ClockOpened",
    "ClockTicked",
    "ComplicationFlagged",
    "ComplicationIntroduced",
    "ConflictOrderDecided",
    "ConflictRolled",
    "CreditsAwarded",
    "CreditsCharged",
    "Decider",
    "DowntimeEnded",
    "DowntimeStarted",
    "Entered",
    "Event",
    "Fact",
    "GearAdded",
    "GearBroken",
    "GearDiscarded",
    "GearEntered",
    "GearEquipped",
    "GearFaulted",
    "GearRepaired",
    "GearSelfRepaired",
    "GearUnequipped",
    "HarmCalled",
    "HarmConsequenceWritten",
    "HarmEntered",
    "HarmEvent",
    "HarmMadePermanent",
    "HarmMarked",
    "HarmSuffered",
    "HarmWithdrawn",
    "MachineAttributeRestored",
    "MachineAttributeSpent",
    "MachineBoarded",
    "MachineBroken",
    "MachineCreated",
    "MachineEntered",
    "MachineHarmSuffered",
    "MachineLeft",
    "MachineMended",
    "PermanentChanged",
    "PermanentHarmRemoved",
    "Purpose",
    "RecoveryEvent",
    "RecoveryTaskClosed",
    "RecoveryTaskOpened",
    "RegroupHeld",
    "RepairCancelled",
    "RepairStarted",
    "RequirementRecorded",
    "ResolutionOrdered",
    "SceneLeftBehind",
    "SuccessForced",
    "TemporaryHarmCleared",
    "TimeModeChanged",
    "TnNamed",
    "TreatmentCancelled",
    "TreatmentStarted",
    "TurnEnded",
    "TurnStarted",
]

HarmEvent = (
    HarmCalled
    | HarmWithdrawn
    | HarmSuffered
    | AttributeSpent
    | HarmMarked
    | HarmMadePermanent
    | GearBroken
    | GearFaulted
    | CharacterOusted
    | CharacterFateDecided
    | HarmConsequenceWritten
    | MachineHarmSuffered
    | MachineAttributeSpent
    | MachineBroken
)

RecoveryEvent = (
    TemporaryHarmCleared
    | RecoveryTaskOpened
    | RecoveryTaskClosed
    | TreatmentStarted
    | TreatmentCancelled
    | PermanentHarmRemoved
    | RepairStarted
    | RepairCancelled
    | GearRepaired
    | GearSelfRepaired
    | RequirementRecorded
    | AttributeRestored
    | MachineAttributeRestored
    | MachineMended
    | RegroupHeld
    | DowntimeStarted
    | DowntimeEnded
    | CreditsAwarded
    | CreditsCharged
)

Event = (
    ClassDefined
    | CharacterCreated
    | CharacterAdopted
    | CharacterAssigned
    | Entered
    | PermanentChanged
    | GearAdded
    | GearEquipped
    | GearUnequipped
    | GearDiscarded
    | MachineCreated
    | MachineBoarded
    | MachineLeft
    | TimeModeChanged
    | ClockOpened
    | ClockTicked
    | ClockClosed
    | TurnStarted
    | TurnEnded
    | ActionsDeclared
    | ResolutionOrdered
    | TnNamed
    | ActionAbandoned
    | ActionNegated
    | ActionRolled
    | AttackHit
    | ComplicationFlagged
    | ComplicationIntroduced
    | SceneLeftBehind
    | SuccessForced
    | ConflictRolled
    | ConflictOrderDecided
    | HarmEvent
    | RecoveryEvent
)
