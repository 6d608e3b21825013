"""The commands of FREE/FALL; a command struct is the request body.

Ids may be left out where only one fits: `character` is then the asker's only one, else the campaign's only one,
or the owner of the `item` named. Numbers that a rule refuses with its own words (an action without a die, a slot
that is not there) are let in and refused by that rule.
"""

from domain.systems.freefall.command_parts import (
    Allocation,
    Choice,
    Prerequisite,
)
from domain.systems.freefall.harm_commands import (
    AllocateMachineHarm,
    AwardCredits,
    CancelRepair,
    CancelTreatment,
    ChargeCredits,
    ClearTemporaryHarm,
    CompleteRepair,
    CompleteTreatment,
    DecideFate,
    DescribePermanentHarm,
    DismissRecovery,
    ReceiveHarm,
    RecordRequirement,
    Regroup,
    RestoreAttribute,
    StartRepair,
    StartTreatment,
    WithdrawHarm,
)
from domain.systems.freefall.sheet_commands import (
    AddGear,
    BoardMachine,
    CloseClock,
    CreateCharacter,
    CreateMachine,
    DefineClass,
    DefineClasses,
    DescribeGear,
    Discard,
    Equip,
    Install,
    LeaveMachine,
    OpenClock,
    SetPermanent,
    SetTimeMode,
    Unequip,
)
from domain.systems.freefall.turn_commands import (
    AbandonAction,
    ActionDraft,
    DecideTie,
    DeclareActions,
    EndTurn,
    ForceSuccess,
    IntroduceComplication,
    JoinTurn,
    NameTn,
    NegateAction,
    Npc,
    OrderResolution,
    Participant,
    ResolveConflict,
    RollAction,
    StartTurn,
)

__all__ = [
    "AbandonAction",
    "ActionDraft",
    "AddGear",
    "AllocateMachineHarm",
    "Allocation",
    "AnyCommand",
    "AwardCredits",
    "BoardMachine",
    "CancelRepair",
    "CancelTreatment",
    "ChargeCredits",
    "Choice",
    "ClearTemporaryHarm",
    "CloseClock",
    "CompleteRepair",
    "CompleteTreatment",
    "CreateCharacter",
    "CreateMachine",
    "DecideFate",
    "DecideTie",
    "DeclareActions",
    "DefineClass",
    "DefineClasses",
    "DescribeGear",
    "DescribePermanentHarm",
    "Discard",
    "DismissRecovery",
    "EndTurn",
    "Equip",
    "ForceSuccess",
    "Install",
    "IntroduceComplication",
    "JoinTurn",
    "LeaveMachine",
    "NameTn",
    "NegateAction",
    "Npc",
    "OpenClock",
    "OrderResolution",
    "Participant",
    "Prerequisite",
    "ReceiveHarm",
    "RecordRequirement",
    "Regroup",
    "ResolveConflict",
    "RestoreAttribute",
    "RollAction",
    "SetPermanent",
    "SetTimeMode",
    "StartRepair",
    "StartTreatment",
    "StartTurn",
    "Unequip",
    "WithdrawHarm",
]

AnyCommand = (
    DefineClass
    | DefineClasses
    | CreateCharacter
    | SetPermanent
    | AddGear
    | Equip
    | Install
    | Unequip
    | Discard
    | DescribeGear
    | CreateMachine
    | BoardMachine
    | LeaveMachine
    | SetTimeMode
    | OpenClock
    | CloseClock
    | StartTurn
    | JoinTurn
    | EndTurn
    | DeclareActions
    | OrderResolution
    | RollAction
    | NameTn
    | AbandonAction
    | ForceSuccess
    | ResolveConflict
    | DecideTie
    | NegateAction
    | IntroduceComplication
    | ReceiveHarm
    | WithdrawHarm
    | DescribePermanentHarm
    | DecideFate
    | ClearTemporaryHarm
    | DismissRecovery
    | StartTreatment
    | CompleteTreatment
    | CancelTreatment
    | StartRepair
    | CompleteRepair
    | CancelRepair
    | RecordRequirement
    | RestoreAttribute
    | Regroup
    | AllocateMachineHarm
    | AwardCredits
    | ChargeCredits
)
