"""Events of recovery: harm that heals, gear that is mended, and what it costs.

`price` moves from `payer` to an escrow when work is agreed, and on or back when it ends; `payer` is None
where credits are not tracked. `agreed_in` is the action that work began with: under it, it is finished once,
and seen by whoever may see that (`visibility`).
"""

from domain.ids import ActionId
from domain.personal_text import FreeText
from domain.systems.freefall.event_types import Fact
from domain.systems.freefall.settings import AutoClear, BrokenMachines, Credits, DowntimeRestore
from domain.systems.freefall.tables import AttributeName, MachineAttribute, Means, Occasion


class TemporaryHarmCleared(Fact, frozen=True, tag="freefall.temporary_harm_cleared"):
    """A slot is empty again (FF-C15); `auto` says which setting cleared it without being asked."""

    character: str
    harm_id: str
    slot: int
    pool_after: int
    by: Means | None = None
    when: Occasion | None = None
    auto: AutoClear | None = None


class RecoveryTaskOpened(Fact, frozen=True, tag="freefall.recovery_task_opened"):
    """A GM is asked which temporary harms clear now (FF-W1); `harms` are ids by character."""

    occasion: Occasion
    harms: dict[str, list[str]]
    auto_clear_temporary: AutoClear


class RecoveryTaskClosed(Fact, frozen=True, tag="freefall.recovery_task_closed"):
    """The GM lets the rest be."""

    occasion: Occasion


class TreatmentStarted(Fact, frozen=True, tag="freefall.treatment_started"):
    """Somebody treats a permanent harm (FF-C16); `due` is campaign time in seconds."""

    treatment_id: str
    character: str
    harm_id: str
    slot: int
    method: str
    due: int
    required_actions: list[str]
    price: int
    payer: str | None
    credits: Credits
    agreed_in: ActionId | None = None
    visibility: str = "all"


class TreatmentCancelled(Fact, frozen=True, tag="freefall.treatment_cancelled"):
    """A treatment comes to nothing."""

    treatment_id: str
    character: str
    price: int
    payer: str | None


class PermanentHarmRemoved(Fact, frozen=True, tag="freefall.permanent_harm_removed"):
    """A treatment is done and the slot empty (FF-C17)."""

    treatment_id: str
    character: str
    harm_id: str
    slot: int
    price: int
    payer: str | None


class RepairStarted(Fact, frozen=True, tag="freefall.repair_started"):
    """A fixer has an item on the bench (FF-C18); `due` is campaign time in seconds.

    In repairs `character` is None where the `item` is a machine: it is nobody's.
    """

    repair_id: str
    character: str | None
    item: str
    fixer: str
    due: int
    parts: list[str]
    surgery: bool
    price: int
    payer: str | None
    credits: Credits
    agreed_in: ActionId | None = None
    visibility: str = "all"


class RepairCancelled(Fact, frozen=True, tag="freefall.repair_cancelled"):
    """A repair comes to nothing."""

    repair_id: str
    character: str | None
    item: str
    price: int
    payer: str | None


class GearRepaired(Fact, frozen=True, tag="freefall.gear_repaired"):
    """An item works again (FF-C19), or a machine."""

    repair_id: str
    character: str | None
    item: str
    price: int
    payer: str | None


class GearSelfRepaired(Fact, frozen=True, tag="freefall.gear_self_repaired"):
    """A faulty hardened item is back at a regroup or in downtime (FF-W4)."""

    character: str
    item: str


class RequirementRecorded(Fact, frozen=True, tag="freefall.requirement_recorded"):
    """Something that a treatment or a repair needed is there (FF-C26)."""

    action: str
    treatment: str | None = None
    repair: str | None = None


class AttributeRestored(Fact, frozen=True, tag="freefall.attribute_restored"):
    """Current points come back, never past the maximum (FF-C20)."""

    character: str
    attribute: AttributeName
    amount: int
    current_after: int
    max_current: int
    downtime_restore: DowntimeRestore | None = None


class MachineAttributeRestored(Fact, frozen=True, tag="freefall.machine_attribute_restored"):
    """A machine's FRM or SYS comes back, never past its permanent value (FF-C20, FF-22)."""

    machine: str
    attribute: MachineAttribute
    amount: int
    current_after: int
    permanent: int
    downtime_restore: DowntimeRestore | None = None


class MachineMended(Fact, frozen=True, tag="freefall.machine_mended"):
    """A broken machine works again because it was restored; `broken_machines` allowed that (FF-22)."""

    machine: str
    broken_machines: BrokenMachines


class RegroupHeld(Fact, frozen=True, tag="freefall.regroup_held"):
    """The crew catches its breath (FF-C21)."""


class DowntimeStarted(Fact, frozen=True, tag="freefall.downtime_started"):
    """Surgery and long work are possible now (FF-C21)."""


class DowntimeEnded(Fact, frozen=True, tag="freefall.downtime_ended"):
    """Back to work (FF-C21)."""


class CreditsAwarded(Fact, frozen=True, tag="freefall.credits_awarded"):
    """A crew comes into money."""

    crew: str | None
    amount: int
    reason: FreeText
    balance_after: int


class CreditsCharged(Fact, frozen=True, tag="freefall.credits_charged"):
    """A crew pays for something; it may go into debt."""

    crew: str | None
    amount: int
    reason: FreeText
    balance_after: int
