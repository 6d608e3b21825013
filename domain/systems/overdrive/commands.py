"""The commands of Overdrive; a command struct is the request body.

`character` and other ids may be left out where only one fits. Numbers that a rule refuses with its own words (a
skill of 6, a negative stat) are let in and refused by that rule.
"""

from domain.systems.overdrive.combat_commands import (
    BeginTurns,
    ChooseStabilisationLoss,
    DeclareAttack,
    DelayTurn,
    EndCombat,
    EndTurn,
    JoinCombat,
    Move,
    Protect,
    RechargeMech,
    ResolveAttack,
    Restore,
    RollDefense,
    RollInitiative,
    RollMovement,
    SpendTacticalPoints,
    StartCombat,
)
from domain.systems.overdrive.story_commands import (
    AchieveObjective,
    ActivateConfiguration,
    AddRelation,
    Advance,
    AllowInvocation,
    AnswerQuestion,
    AskQuestion,
    BoardMech,
    ChangePairing,
    CloseRoll,
    CloseScene,
    CreateCharacter,
    CreateMech,
    DeclineReaction,
    DuelFold,
    DuelistDraft,
    DuelRaise,
    EndChapter,
    GiveBonusDice,
    LeaveMech,
    MakeRoll,
    OpenScene,
    PlayReaction,
    PostObjectiveAward,
    ReactionDraft,
    RecordRecap,
    RecordRevelation,
    RenameRelation,
    RepairRelation,
    ResolveRelation,
    RollDuel,
    SpendOverdriveSuccess,
    SpendRecovery,
    StartDuel,
    TakeObjective,
    WeaponDraft,
)

__all__ = [
    "AchieveObjective",
    "ActivateConfiguration",
    "AddRelation",
    "Advance",
    "AllowInvocation",
    "AnswerQuestion",
    "AnyCommand",
    "AskQuestion",
    "BeginTurns",
    "BoardMech",
    "ChangePairing",
    "ChooseStabilisationLoss",
    "CloseRoll",
    "CloseScene",
    "CreateCharacter",
    "CreateMech",
    "DeclareAttack",
    "DeclineReaction",
    "DelayTurn",
    "DuelFold",
    "DuelRaise",
    "DuelistDraft",
    "EndChapter",
    "EndCombat",
    "EndTurn",
    "GiveBonusDice",
    "JoinCombat",
    "LeaveMech",
    "MakeRoll",
    "Move",
    "OpenScene",
    "PlayReaction",
    "PostObjectiveAward",
    "Protect",
    "ReactionDraft",
    "RechargeMech",
    "RecordRecap",
    "RecordRevelation",
    "RenameRelation",
    "RepairRelation",
    "ResolveAttack",
    "ResolveRelation",
    "Restore",
    "RollDefense",
    "RollDuel",
    "RollInitiative",
    "RollMovement",
    "SpendOverdriveSuccess",
    "SpendRecovery",
    "SpendTacticalPoints",
    "StartCombat",
    "StartDuel",
    "TakeObjective",
    "WeaponDraft",
]

AnyCommand = (
    CreateCharacter
    | CreateMech
    | ChangePairing
    | BoardMech
    | LeaveMech
    | MakeRoll
    | AllowInvocation
    | GiveBonusDice
    | SpendOverdriveSuccess
    | CloseRoll
    | ActivateConfiguration
    | PlayReaction
    | DeclineReaction
    | AddRelation
    | RenameRelation
    | ResolveRelation
    | RepairRelation
    | OpenScene
    | CloseScene
    | SpendRecovery
    | AskQuestion
    | AnswerQuestion
    | RecordRevelation
    | StartDuel
    | RollDuel
    | DuelRaise
    | DuelFold
    | Advance
    | EndChapter
    | RecordRecap
    | TakeObjective
    | AchieveObjective
    | PostObjectiveAward
    | StartCombat
    | JoinCombat
    | RollInitiative
    | SpendTacticalPoints
    | BeginTurns
    | EndTurn
    | DelayTurn
    | RollMovement
    | Move
    | Protect
    | DeclareAttack
    | RollDefense
    | ResolveAttack
    | ChooseStabilisationLoss
    | EndCombat
    | RechargeMech
    | Restore
)
