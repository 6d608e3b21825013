"""Commands of harm and recovery (FF-C12 to FF-C26)."""

from typing import Literal

from msgspec import UNSET, UnsetType, field

from domain.personal_text import Amount, FreeText, Key, Name, Reference
from domain.systems.freefall.command_types import (
    Allocations,
    Choices,
    Command,
    GameTime,
    Levels,
    Names,
    NotNegative,
    Positive,
)
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

    Whoever is entitled to both may say everything at once. `minimum` is what armour cannot go below.
    """

    harm_type: HarmType | None = None
    levels: Levels | None = None
    high_impact: bool = False
    minimum: Literal[0, 1] = 1
    spend: Amount = 0
    choices: Choices | None = None
    call: Reference | None = None
    character: Reference | None = None


class WithdrawHarm(Command, frozen=True, tag="freefall.withdraw_harm"):
    """FF-C12, gm. Takes back harm that nobody has resolved yet."""

    call: Reference | None = None


class DescribePermanentHarm(Command, frozen=True, tag="freefall.describe_permanent_harm"):
    """FF-C13, the player or a gm."""

    slot: Amount
    consequence: FreeText
    character: Reference | None = None


class DecideFate(Command, frozen=True, tag="freefall.decide_fate"):
    """FF-C14, the player or a gm."""

    fate: Fate
    character: Reference | None = None


class ClearTemporaryHarm(Command, frozen=True, tag="freefall.clear_temporary_harm"):
    """FF-C15, gm."""

    slot: Amount
    by: Means | None = None
    when: Occasion | None = None
    character: Reference | None = None


class DismissRecovery(Command, frozen=True, tag="freefall.dismiss_recovery"):
    """FF-W1, gm. Whatever temporary harm is left stays for now."""


class StartTreatment(Command, frozen=True, tag="freefall.start_treatment"):
    """FF-C16, gm. `due` is campaign time in seconds."""

    slot: Amount
    method: Name
    due: GameTime
    price: NotNegative = 0
    required_actions: Names = field(default_factory=list)
    character: Reference | None = None


class CompleteTreatment(Command, frozen=True, tag="freefall.complete_treatment"):
    """FF-C17, a worker or a gm."""

    treatment: Reference | None = None


class CancelTreatment(Command, frozen=True, tag="freefall.cancel_treatment"):
    """FF-W5, gm. The price goes back to whoever agreed to it."""

    treatment: Reference | None = None


class StartRepair(Command, frozen=True, tag="freefall.start_repair"):
    """FF-C18, gm. `parts` are to be found first; `surgery` is one more requirement.

    `item` may be a machine: the crew of its pilot pays, or that of the `character` named.
    """

    item: Reference
    fixer: Name
    due: GameTime
    parts: Names = field(default_factory=list)
    price: NotNegative = 0
    surgery: bool = False
    character: Reference | None = None


class CompleteRepair(Command, frozen=True, tag="freefall.complete_repair"):
    """FF-C19, a worker or a gm."""

    item: Reference | None = None
    character: Reference | None = None


class CancelRepair(Command, frozen=True, tag="freefall.cancel_repair"):
    """FF-W5, gm. The price goes back to whoever agreed to it."""

    item: Reference | None = None
    character: Reference | None = None


class RecordRequirement(Command, frozen=True, tag="freefall.record_requirement"):
    """FF-C26, gm. Something that a `treatment` or a `repair` needed has been done or found."""

    action: Name
    treatment: Reference | None = None
    repair: Reference | None = None


class RestoreAttribute(Command, frozen=True, tag="freefall.restore_attribute"):
    """FF-C20, gm or worker. `frm` and `sys` are a `machine`'s, or that of a character who pilots one."""

    attribute: AttributeName | MachineAttribute
    amount: NotNegative
    character: Reference | None = None
    machine: Reference | UnsetType = UNSET


class Regroup(Command, frozen=True, tag="freefall.regroup"):
    """FF-C21, gm."""


class AllocateMachineHarm(Command, frozen=True, tag="freefall.allocate_machine_harm"):
    """FF-C23. The pilot says everything, or a gm calls it and the pilot answers with `choices`."""

    harm_type: HarmType | None = None
    levels: Levels | None = None
    high_impact: bool = False
    choices: Allocations | None = None
    call: Reference | None = None
    machine: Reference | None = None


class AwardCredits(Command, frozen=True, tag="freefall.award_credits"):
    """FF-W5, gm. A crew comes into money; `new` names one on purpose that nobody belongs to yet."""

    amount: Positive
    reason: FreeText
    crew: Key | None = None
    new: bool | UnsetType = UNSET


class ChargeCredits(Command, frozen=True, tag="freefall.charge_credits"):
    """FF-W5, gm. A crew pays for something; `new` names one on purpose that nobody belongs to yet."""

    amount: Positive
    reason: FreeText
    crew: Key | None = None
    new: bool | UnsetType = UNSET
