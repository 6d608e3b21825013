"""Work that takes time: treatments of permanent harm and repairs of gear (FF-C16 to FF-C19, FF-W2).

Codes: already_in_treatment, no_treatment, which_treatment, already_in_repair, no_repair, which_repair,
item_functional, not_due, requirements_missing, which_work, unknown_requirement, slot_not_permanent.
"""

from typing import NamedTuple

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.mechanics.omitted_ids import the_one
from domain.rejection import Rejection
from domain.sentences import join_parts, say
from domain.systems.freefall import events as e
from domain.systems.freefall import ledger, machine_repair
from domain.systems.freefall.access import find_character, find_item, require_active, require_gm
from domain.systems.freefall.commands import (
    CancelRepair,
    CancelTreatment,
    CompleteRepair,
    CompleteTreatment,
    RecordRequirement,
    StartRepair,
    StartTreatment,
)
from domain.systems.freefall.harm_slots import permanent, place
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Character, FreefallState, Repair, Treatment
from domain.systems.freefall.term_words import SURGERY, needed
from domain.systems.system import DueCommand, OnCalendar

Done = e.PermanentHarmRemoved | e.GearRepaired | e.MachineAttributeRestored | e.RepairCancelled


def start_treatment(
    state: FreefallState, context: CommandContext, command: StartTreatment
) -> list[e.TreatmentStarted]:
    """FF-C16: agree on a treatment; its price is set aside, and it is done when due and when its needs are met."""
    require_gm(context, "FF-C16")
    character = find_character(state, context, command.character, "FF-C16")
    require_active(character, "FF-C16")
    harm = permanent(character, command.slot, "FF-C16")
    if any(treatment.harm_id == harm.harm_id for treatment in state.treatments.values()):
        raise Rejection("already_in_treatment", "That harm is already being treated.", rule="FF-C16")
    settings: Settings = context.settings
    return [
        e.TreatmentStarted(
            treatment_id=derive_id("treatment", context.action_id),
            character=character.character_id,
            harm_id=harm.harm_id,
            slot=command.slot,
            method=command.method,
            due=command.due,
            required_actions=list(dict.fromkeys(command.required_actions)),
            price=command.price,
            payer=ledger.agreed(state, context, character, command.price),
            credits=settings.credits,
            agreed_in=context.action_id,
            visibility=context.visibility,
        )
    ]


def start_repair(state: FreefallState, context: CommandContext, command: StartRepair) -> list[e.RepairStarted]:
    """FF-C18: agree on a repair: a fixer, parts, a price and a date; surgery if the part is inside a body."""
    require_gm(context, "FF-C18")
    owner, payer, item, whole = _broken_thing(state, context, command)
    if whole:
        raise Rejection(
            "item_functional", say("{item} works; there is nothing to repair.", item=item), rule="FF-C18"
        )
    if any(repair.character == owner and repair.item == command.item for repair in state.repairs.values()):
        raise Rejection("already_in_repair", say("{item} is already being repaired.", item=item), rule="FF-C18")
    settings: Settings = context.settings
    return [
        e.RepairStarted(
            repair_id=derive_id("repair", context.action_id),
            character=owner,
            item=command.item,
            fixer=command.fixer,
            due=command.due,
            parts=list(dict.fromkeys(command.parts)),
            surgery=command.surgery,
            price=command.price,
            payer=ledger.agreed(state, context, payer, command.price),
            credits=settings.credits,
            agreed_in=context.action_id,
            visibility=context.visibility,
        )
    ]


class Thing(NamedTuple):
    """The thing to repair: an item of its `owner`, or a machine, which has none; and the crew that pays."""

    owner: str | None
    payer: Character | None
    name: str
    whole: bool


def _broken_thing(state: FreefallState, context: CommandContext, command: StartRepair) -> Thing:
    """The item or the machine to repair. Raises `machine_wrecked`."""
    machine = state.machines.get(command.item)
    if machine is not None:
        machine_repair.require_no_wreck(machine, context, "FF-C18")
        payer = machine_repair.payer_of(state, context, machine, command.character)
        return Thing(None, payer, machine.name, machine_repair.is_whole(machine))
    character = find_character(state, context, command.character, "FF-C18", item=command.item)
    item = find_item(character, command.item, "FF-C18")
    return Thing(character.character_id, character, item.what.name, item.state == "functional")


def missing(work: Treatment | Repair) -> list[str]:
    """The unmet needs of a treatment or a repair."""
    return [need for need in work.required if need not in work.done]


def complete_treatment(
    state: FreefallState, context: CommandContext, command: CompleteTreatment
) -> list[e.PermanentHarmRemoved]:
    """FF-C17: the slot is empty. The campaign owes this command to itself on the due day."""
    require_gm(context, "FF-C17")
    treatment = _treatment(state, context, command.treatment, "FF-C17")
    _require_done(treatment, context.game_time, "FF-C17")
    return [_cured(state, treatment)]


def complete_repair(state: FreefallState, context: CommandContext, command: CompleteRepair) -> list[Done]:
    """FF-C19: the item or the machine works again. A wreck stays one, and the price goes back."""
    require_gm(context, "FF-C19")
    repair = _repair(state, context, command.item, command.character, "FF-C19")
    _require_done(repair, context.game_time, "FF-C19")
    return _repaired(state, context, repair)


def _require_done(work: Treatment | Repair, now: int, rule: str) -> None:
    """Raise `not_due` or `requirements_missing`."""
    if now < work.due:
        raise Rejection(
            "not_due",
            "It is not due yet by the campaign's calendar; a GM can advance that.",
            rule=rule,
            due=work.due,
        )
    if missing(work):
        raise Rejection(
            "requirements_missing",
            say("Still needed: {things}.", things=join_parts(map(needed, missing(work)))),
            rule=rule,
            missing=missing(work),
        )


def _cured(state: FreefallState, treatment: Treatment) -> e.PermanentHarmRemoved:
    """The event of a finished treatment; slot 0 if the harm is gone for another reason."""
    character = state.characters.get(treatment.character)
    nth = place(character, treatment.harm_id) if character is not None else None
    return e.PermanentHarmRemoved(
        treatment_id=treatment.treatment_id,
        character=treatment.character,
        harm_id=treatment.harm_id,
        slot=nth + 1 if nth is not None else 0,
        price=treatment.price,
        payer=treatment.payer,
    )


def _repaired(state: FreefallState, context: CommandContext, repair: Repair) -> list[Done]:
    """The events of a finished repair; a machine has all of its points again. A wreck is not repaired."""
    machine = state.machines.get(repair.item) if repair.character is None else None
    if machine is not None and machine_repair.is_wreck(machine, context):
        return [e.RepairCancelled(repair.repair_id, repair.character, repair.item, repair.price, repair.payer)]
    event = e.GearRepaired(
        repair_id=repair.repair_id,
        character=repair.character,
        item=repair.item,
        price=repair.price,
        payer=repair.payer,
    )
    return [event, *(machine_repair.repaired(machine) if machine is not None else [])]


def cancel_treatment(
    state: FreefallState, context: CommandContext, command: CancelTreatment
) -> list[e.TreatmentCancelled]:
    """FF-W5: cancel a treatment; the price goes back."""
    require_gm(context, "FF-W5")
    treatment = _treatment(state, context, command.treatment, "FF-W5")
    return [e.TreatmentCancelled(treatment.treatment_id, treatment.character, treatment.price, treatment.payer)]


def due_commands(state: FreefallState) -> list[DueCommand]:
    """FF-W2: work whose needs are met is finished on its due day, once, under a key of its own."""
    treatments = [
        DueCommand(
            CompleteTreatment(treatment.treatment_id),
            treatment.agreed_in,
            treatment.treatment_id,
            OnCalendar(treatment.due),
            treatment.visibility,
        )
        for treatment in state.listed_treatments()
        if treatment.agreed_in is not None and not missing(treatment)
    ]
    repairs = [
        DueCommand(
            CompleteRepair(repair.item, repair.character),
            repair.agreed_in,
            repair.repair_id,
            OnCalendar(repair.due),
            repair.visibility,
        )
        for repair in state.listed_repairs()
        if repair.agreed_in is not None and not missing(repair)
    ]
    return [*treatments, *repairs]


def given_up(
    state: FreefallState, context: CommandContext, character: str
) -> list[e.TreatmentCancelled | e.RepairCancelled]:
    """The end of work on an ousted character: treatments and open repairs are void (FF-16, FF-W5).

    A repair without unmet needs is done. Work with fewer readers than this action goes on hidden, until a GM
    cancels it.
    """
    treatments = [
        e.TreatmentCancelled(treatment.treatment_id, treatment.character, treatment.price, treatment.payer)
        for treatment in state.listed_treatments()
        if treatment.character == character and treatment.visibility in ("all", context.visibility)
    ]
    repairs = [
        e.RepairCancelled(repair.repair_id, repair.character, repair.item, repair.price, repair.payer)
        for repair in state.listed_repairs()
        if repair.character == character and missing(repair) and repair.visibility in ("all", context.visibility)
    ]
    return [*treatments, *repairs]


def cancel_repair(state: FreefallState, context: CommandContext, command: CancelRepair) -> list[e.RepairCancelled]:
    """FF-W5: cancel a repair; the price goes back."""
    require_gm(context, "FF-W5")
    repair = _repair(state, context, command.item, command.character, "FF-W5")
    return [e.RepairCancelled(repair.repair_id, repair.character, repair.item, repair.price, repair.payer)]


def record_requirement(
    state: FreefallState, context: CommandContext, command: RecordRequirement
) -> list[e.RequirementRecorded | Done]:
    """FF-C26: record that a need is met. Work that only waited for it, and is due, is done at once."""
    require_gm(context, "FF-C26")
    work: Treatment | Repair
    if command.treatment is not None and command.repair is not None:
        raise Rejection("which_work", "A requirement is a treatment's or a repair's, not both.", rule="FF-C26")
    if command.repair is not None or (command.treatment is None and not state.treatments):
        work = _repair_by_id(state, context, command.repair)
    else:
        work = _treatment(state, context, command.treatment, "FF-C26")
    if command.action not in work.required:
        raise Rejection(
            "unknown_requirement",
            say("“{action}” is not one of the requirements.", action=command.action),
            rule="FF-C26",
            missing=missing(work),
        )
    if command.action in work.done:
        return []  # the need was met already
    events: list[e.RequirementRecorded | Done] = [
        e.RequirementRecorded(
            action=command.action,
            treatment=None if isinstance(work, Repair) else work.treatment_id,
            repair=work.repair_id if isinstance(work, Repair) else None,
        )
    ]
    if missing(work) == [command.action] and work.due <= context.game_time:
        events += _repaired(state, context, work) if isinstance(work, Repair) else [_cured(state, work)]
    return events


def _treatment(state: FreefallState, context: CommandContext, treatment: str | None, rule: str) -> Treatment:
    """The treatment that a command means, or the only one. Raises `no_treatment` or `which_treatment`."""

    def none() -> Rejection:
        return Rejection("no_treatment", "There is no such treatment under way.", rule=rule)

    if treatment is None:
        return the_one(
            context,
            "treatment",
            state.listed_treatments(),
            code="which_treatment",
            message=say("Several treatments are under way; name one of them."),
            rule=rule,
            describe=lambda candidate: {"treatment": candidate.treatment_id, "method": candidate.method},
            none=none,
        )
    known_treatment = state.treatments.get(treatment)
    if known_treatment is None:
        raise none()
    return known_treatment


def _repair(
    state: FreefallState, context: CommandContext, item: str | None, character: str | None, rule: str
) -> Repair:
    """The repair of an item, or the only one. Raises `no_repair` or `which_repair`."""
    repair = _the_repair(state, context, "item", item, character, rule)
    context.filled.update(item=repair.item, character=repair.character)
    return repair


def _the_repair(
    state: FreefallState, context: CommandContext, field: str, item: str | None, character: str | None, rule: str
) -> Repair:
    """The only repair of an item and a character, as far as they are given."""
    return the_one(
        context,
        field,
        [
            repair
            for repair in state.listed_repairs()
            if item in (None, repair.item) and character in (None, repair.character)
        ],
        code="which_repair",
        message=say("Several repairs are under way; name the item."),
        rule=rule,
        describe=_as_choice,
        none=lambda: Rejection("no_repair", "There is no such repair under way.", rule=rule),
        id_of=lambda candidate: candidate.repair_id,
    )


def _as_choice(repair: Repair) -> dict[str, str]:
    """A repair as a choice; that of a machine has no character."""
    owner = {"character": repair.character} if repair.character is not None else {}
    return {"item": repair.item, **owner}


def _repair_by_id(state: FreefallState, context: CommandContext, repair: str | None) -> Repair:
    """A repair by its id or its item's, or the only one."""
    if repair is not None and repair in state.repairs:
        return state.repairs[repair]
    return _the_repair(state, context, "repair", repair, None, "FF-C26")


def treatment_started(state: FreefallState, event: e.TreatmentStarted) -> None:
    """Add the treatment."""
    state.treatments[event.treatment_id] = Treatment(
        treatment_id=event.treatment_id,
        character=event.character,
        harm_id=event.harm_id,
        method=event.method,
        due=event.due,
        required=list(event.required_actions),
        price=event.price,
        payer=event.payer,
        agreed_in=event.agreed_in,
        visibility=event.visibility,
    )


def repair_started(state: FreefallState, event: e.RepairStarted) -> None:
    """Add the repair."""
    state.repairs[event.repair_id] = Repair(
        repair_id=event.repair_id,
        character=event.character,
        item=event.item,
        fixer=event.fixer,
        due=event.due,
        required=[*event.parts, *([SURGERY] if event.surgery else [])],
        price=event.price,
        payer=event.payer,
        agreed_in=event.agreed_in,
        visibility=event.visibility,
    )


def treatment_over(state: FreefallState, event: e.TreatmentCancelled | e.PermanentHarmRemoved) -> None:
    """Remove the treatment."""
    treatment = state.treatments.pop(event.treatment_id, None)
    if treatment is not None:
        state.remember(treatment.treatment_id, treatment.method)


def repair_over(state: FreefallState, event: e.RepairCancelled | e.GearRepaired) -> None:
    """Remove the repair."""
    repair = state.repairs.pop(event.repair_id, None)
    owner = state.characters.get(event.character or "")
    item = owner.items.get(event.item) if owner is not None else None
    machine = state.machines.get(event.item)
    name = item.what.name if item is not None else machine.name if machine is not None else None
    if repair is not None and name is not None:
        state.remember(repair.repair_id, name)


def requirement_recorded(state: FreefallState, event: e.RequirementRecorded) -> None:
    """Mark the need as met."""
    work: Treatment | Repair | None = state.treatments.get(event.treatment or "")
    work = work or state.repairs.get(event.repair or "")
    if work is not None and event.action not in work.done:
        work.done.append(event.action)
