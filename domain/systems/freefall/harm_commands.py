"""Commands of harm and recovery (FF-C12 to FF-C26)."""

from typing import Annotated, Literal

from msgspec import UNSET, UnsetType, field

from domain.field_references import bounded, ref
from domain.personal_text import Amount, FreeText, Name, Reference
from domain.systems.freefall.command_parts import (
    Allocations,
    CharacterRef,
    Choices,
    Command,
    Crew,
    GameTime,
    HarmCallRef,
    Levels,
    MachineRef,
    NewName,
    NewNames,
    NotNegative,
    Positive,
    Slot,
    TreatmentRef,
)
from domain.systems.freefall.rulebook_guides import LEVELS_GUIDE
from domain.systems.freefall.tables import (
    AttributeName,
    Fate,
    HarmType,
    MachineAttribute,
    Means,
    Occasion,
)


class ReceiveHarm(Command, frozen=True, tag="freefall.receive_harm"):
    """FF-C12. A gm calls it with type and levels; the owner answers with `spend` and `choices`.

    An asker who may do both may say everything at once. `minimum` is the bound that armour cannot go below.
    """

    harm_type: HarmType | None = None
    levels: Annotated[Levels | None, LEVELS_GUIDE] = None
    high_impact: bool = False
    minimum: Literal[0, 1] = 1
    spend: Annotated[Amount, bounded(0, ends="mitigation", of=("harm_type", "levels", "call", "character"))] = 0
    choices: Choices | None = None
    call: HarmCallRef | None = None
    character: CharacterRef | None = None


class WithdrawHarm(Command, frozen=True, tag="freefall.withdraw_harm"):
    """FF-C12, gm. Takes back harm that is not resolved yet."""

    call: HarmCallRef | None = None


class DescribePermanentHarm(Command, frozen=True, tag="freefall.describe_permanent_harm"):
    """FF-C13, the player or a gm."""

    slot: Slot
    consequence: FreeText
    character: CharacterRef | None = None


class DecideFate(Command, frozen=True, tag="freefall.decide_fate"):
    """FF-C14, the player or a gm."""

    fate: Fate
    character: CharacterRef | None = None


class ClearTemporaryHarm(Command, frozen=True, tag="freefall.clear_temporary_harm"):
    """FF-C15, gm."""

    slot: Slot
    by: Means | None = None
    when: Occasion | None = None
    character: CharacterRef | None = None


class DismissRecovery(Command, frozen=True, tag="freefall.dismiss_recovery"):
    """FF-W1, gm. All temporary harm that is left stays for now."""


class StartTreatment(Command, frozen=True, tag="freefall.start_treatment"):
    """FF-C16, gm. `due` is campaign time in seconds."""

    slot: Slot
    method: NewName
    due: GameTime
    price: NotNegative = 0
    required_actions: NewNames = field(default_factory=list)
    character: CharacterRef | None = None


class CompleteTreatment(Command, frozen=True, tag="freefall.complete_treatment"):
    """FF-C17, a worker or a gm."""

    treatment: TreatmentRef | None = None


class CancelTreatment(Command, frozen=True, tag="freefall.cancel_treatment"):
    """FF-W5, gm. The price goes back to the crew that agreed to it."""

    treatment: TreatmentRef | None = None


class StartRepair(Command, frozen=True, tag="freefall.start_repair"):
    """FF-C18, gm. `parts` are to be found first; `surgery` is one more requirement.

    `item` may be a machine: the crew of its pilot pays, or that of the `character` named.
    """

    item: Annotated[Reference, ref("repairable", of="character")]
    fixer: NewName
    due: GameTime
    parts: NewNames = field(default_factory=list)
    price: NotNegative = 0
    surgery: bool = False
    character: CharacterRef | None = None


class CompleteRepair(Command, frozen=True, tag="freefall.complete_repair"):
    """FF-C19, a worker or a gm."""

    item: Annotated[Reference, ref("repairing", of="character")] | None = None
    character: CharacterRef | None = None


class CancelRepair(Command, frozen=True, tag="freefall.cancel_repair"):
    """FF-W5, gm. The price goes back to the crew that agreed to it."""

    item: Annotated[Reference, ref("repairing", of="character")] | None = None
    character: CharacterRef | None = None


class RecordRequirement(Command, frozen=True, tag="freefall.record_requirement"):
    """FF-C26, gm. Something that a `treatment` or a `repair` needed has been done or found."""

    action: Annotated[Name, ref("requirement", of="treatment")]
    treatment: TreatmentRef | None = None
    repair: Annotated[Reference, ref("repair")] | None = None


class RestoreAttribute(Command, frozen=True, tag="freefall.restore_attribute"):
    """FF-C20, gm or worker. `frm` and `sys` are a `machine`'s, or that of a character who pilots one."""

    attribute: AttributeName | MachineAttribute
    amount: NotNegative
    character: CharacterRef | None = None
    machine: MachineRef | UnsetType = UNSET


class Regroup(Command, frozen=True, tag="freefall.regroup"):
    """FF-C21, gm."""


class AllocateMachineHarm(Command, frozen=True, tag="freefall.allocate_machine_harm"):
    """FF-C23. The pilot says everything, or a gm calls it and the pilot answers with `choices`."""

    harm_type: HarmType | None = None
    levels: Annotated[Levels | None, LEVELS_GUIDE] = None
    high_impact: bool = False
    choices: Allocations | None = None
    call: HarmCallRef | None = None
    machine: MachineRef | None = None


class AwardCredits(Command, frozen=True, tag="freefall.award_credits"):
    """FF-W5, gm. A crew is paid; `new` names one on purpose that has no members yet."""

    amount: Positive
    reason: FreeText
    crew: Crew | None = None
    new: bool | UnsetType = UNSET


class ChargeCredits(Command, frozen=True, tag="freefall.charge_credits"):
    """FF-W5, gm. A crew pays; `new` names one on purpose that has no members yet."""

    amount: Positive
    reason: FreeText
    crew: Crew | None = None
    new: bool | UnsetType = UNSET
