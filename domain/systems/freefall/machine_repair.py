"""Restoring machines: by a GM, by downtime, and by paid repairs (FF-C18 to FF-C20).

Codes: machine_broken, machine_wrecked, attribute_of_a_character.
"""

from msgspec import UNSET

from domain.command_context import CommandContext
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.freefall import events as e
from domain.systems.freefall.access import find_character, find_machine, require_gm
from domain.systems.freefall.attributes import restored
from domain.systems.freefall.commands import RestoreAttribute
from domain.systems.freefall.settings import DowntimeRestore, Settings
from domain.systems.freefall.state import Character, FreefallState, Machine, Points
from domain.systems.freefall.tables import MACHINE_ATTRIBUTES, MachineAttribute
from domain.systems.freefall.term_words import attribute_word

Restoration = e.AttributeRestored | e.MachineAttributeRestored | e.MachineMended


def restore_attribute(
    state: FreefallState, context: CommandContext, command: RestoreAttribute
) -> list[Restoration]:
    """FF-C20: restore points, up to the maximum of a character or of a machine."""
    require_gm(context, "FF-C20")
    attribute = command.attribute
    if attribute == "frm" or attribute == "sys":  # noqa: PLR1714 — the type checker narrows by comparison only
        pilot = None
        if command.character is not None:
            pilot = find_character(state, context, command.character, "FF-C20")
        machine = find_machine(state, context, command.machine or None, "FF-C20", pilot=pilot)
        require_restorable(machine, context, "FF-C20")
        return _points_back(machine, context, {attribute: command.amount})
    if command.machine is not UNSET:
        raise Rejection(
            "attribute_of_a_character",
            say("A machine has FRM and SYS, not {attribute}.", attribute=attribute_word(attribute)),
            rule="FF-22",
        )
    character = find_character(state, context, command.character, "FF-C20")
    return [restored(state, character, attribute, command.amount)]


def require_restorable(machine: Machine, context: CommandContext, rule: str) -> None:
    """Raise `machine_broken` or `machine_wrecked` where a setting keeps points from coming back."""
    settings: Settings = context.settings
    if machine.state == "broken" and settings.broken_machines == "repair":
        raise Rejection(
            "machine_broken",
            say("{machine} is broken: start a repair of it first.", machine=machine.name),
            rule=rule,
        )
    require_no_wreck(machine, context, rule)


def require_no_wreck(machine: Machine, context: CommandContext, rule: str) -> None:
    """Raise `machine_wrecked` where a broken machine stays broken."""
    if is_wreck(machine, context):
        raise Rejection(
            "machine_wrecked",
            say("{machine} is broken, and at this table a broken machine stays a wreck.", machine=machine.name),
            rule=rule,
        )


def is_wreck(machine: Machine, context: CommandContext) -> bool:
    """Whether a machine is broken and a setting keeps it so."""
    settings: Settings = context.settings
    return machine.state == "broken" and settings.broken_machines == "never"


def is_whole(machine: Machine) -> bool:
    """Whether a machine needs no repair."""
    return machine.state == "functional" and not any(
        _missing(_points(machine, attribute)) for attribute in MACHINE_ATTRIBUTES
    )


def rested(state: FreefallState, context: CommandContext, setting: DowntimeRestore) -> list[Restoration]:
    """The events of machines in downtime, without those with a fixer and those that a setting keeps broken."""
    settings: Settings = context.settings
    on_the_bench = {repair.item for repair in state.repairs.values()}
    return [
        event
        for machine in state.listed_machines()
        if machine.machine_id not in on_the_bench and not is_whole(machine)
        if machine.state == "functional" or settings.broken_machines == "restore"
        for event in _points_back(machine, context, dict.fromkeys(MACHINE_ATTRIBUTES), setting)
    ]


def repaired(machine: Machine) -> list[e.MachineAttributeRestored]:
    """The points that a repair restores: all of them. The machine also works again."""
    return [
        _back(machine, attribute, None, None)
        for attribute in MACHINE_ATTRIBUTES
        if _missing(_points(machine, attribute))
    ]


def _points_back(
    machine: Machine,
    context: CommandContext,
    amounts: dict[MachineAttribute, int | None],
    setting: DowntimeRestore | None = None,
) -> list[Restoration]:
    """The restored points, which also mend a broken machine."""
    settings: Settings = context.settings
    events: list[Restoration] = [
        _back(machine, attribute, amount, setting)
        for attribute, amount in amounts.items()
        if setting is None or _missing(_points(machine, attribute))
    ]
    gained = any(isinstance(event, e.MachineAttributeRestored) and event.amount for event in events)
    if machine.state == "broken" and (gained or setting is not None):
        events.append(e.MachineMended(machine.machine_id, settings.broken_machines))
    return events


def _points(machine: Machine, attribute: MachineAttribute) -> Points:
    return machine.frm if attribute == "frm" else machine.sys


def _missing(points: Points) -> int:
    return max(0, points.permanent - points.current)


def _back(
    machine: Machine, attribute: MachineAttribute, amount: int | None, setting: DowntimeRestore | None
) -> e.MachineAttributeRestored:
    """The restored points; with no `amount`, all that are missing."""
    points = _points(machine, attribute)
    back = _missing(points) if amount is None else min(amount, _missing(points))
    return e.MachineAttributeRestored(
        machine=machine.machine_id,
        attribute=attribute,
        amount=back,
        current_after=points.current + back,
        permanent=points.permanent,
        downtime_restore=setting,
    )


def payer_of(
    state: FreefallState, context: CommandContext, machine: Machine, character: str | None
) -> Character | None:
    """The crew that pays for a machine: that of the character named, else of its pilot."""
    if character is not None:
        return find_character(state, context, character, "FF-C18")
    return state.characters.get(machine.pilot) if machine.pilot is not None else None


def machine_attribute_restored(state: FreefallState, event: e.MachineAttributeRestored) -> None:
    """Add a machine's points, up to their maximum."""
    machine = state.machines.get(event.machine)
    if machine is not None:
        points = _points(machine, event.attribute)
        points.current = min(points.permanent, points.current + event.amount)


def machine_mended(state: FreefallState, event: e.MachineMended | e.GearRepaired) -> None:
    """Mark a machine as working."""
    machine = state.machines.get(event.item if isinstance(event, e.GearRepaired) else event.machine)
    if machine is not None:
        machine.state = "functional"
