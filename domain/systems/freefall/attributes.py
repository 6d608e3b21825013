"""What follows from attributes, bindings and slots (FF-1, FF-3, FF-7), and how points come and go."""

from domain.command_context import Asked
from domain.systems.freefall.access import find_character, require_gm
from domain.systems.freefall.commands import SetPermanent
from domain.systems.freefall.events import (
    AttributeRestored,
    Attributes,
    AttributeSpent,
    MachineAttributeSpent,
    PermanentChanged,
)
from domain.systems.freefall.settings import DowntimeRestore
from domain.systems.freefall.state import Binding, Character, FreefallState
from domain.systems.freefall.tables import ATTRIBUTES, AttributeName, dice_pool

NO_BINDING = Binding()


def binding(state: FreefallState, character: Character, attribute: AttributeName) -> int:
    """Everything that binds an attribute: bound items in whatever state, and a machine's controls."""
    worn = sum(item.what.binding.on(attribute) for item in character.items.values() if item.bound)
    machine = state.machine_of(character.character_id)
    return worn + (machine.pilot_binding.on(attribute) if machine is not None else 0)


def max_current(state: FreefallState, character: Character, attribute: AttributeName) -> int:
    """The permanent value less everything that binds, never under 0 (FF-3, FF-A15)."""
    points = character.attributes.get(attribute)
    return max(0, points.permanent - binding(state, character, attribute)) if points is not None else 0


def maxima(
    state: FreefallState, character: Character, *, more: Binding = NO_BINDING, less: Binding = NO_BINDING
) -> Attributes:
    """The maximum of every attribute, as if `more` bound as well and `less` no longer."""
    return {
        attribute: max(
            0,
            points.permanent - binding(state, character, attribute) - more.on(attribute) + less.on(attribute),
        )
        for attribute in ATTRIBUTES
        if (points := character.attributes.get(attribute)) is not None
    }


def clamped(character: Character, limits: Attributes) -> tuple[Attributes, Attributes]:
    """Which current values limits cut down, to what, and by how much."""
    cut = {
        attribute: limit
        for attribute, limit in limits.items()
        if attribute in character.attributes and character.attributes[attribute].current > limit
    }
    return cut, {attribute: character.attributes[attribute].current - limit for attribute, limit in cut.items()}


def filled(character: Character) -> int:
    """How many slots are filled, with harm of either kind."""
    return sum(harm is not None for harm in character.slots)


def permanents(character: Character) -> int:
    """How many harms are permanent; the third ends it (FF-16)."""
    return sum(harm is not None and harm.state == "permanent" for harm in character.slots)


def pool(character: Character) -> int:
    """The dice of a character's next turn (FF-7)."""
    return dice_pool(filled(character))


def restored(
    state: FreefallState,
    character: Character,
    attribute: AttributeName,
    amount: int | None,
    setting: DowntimeRestore | None = None,
) -> AttributeRestored:
    """Points that come back; with no `amount`, all that are missing."""
    current = character.attributes[attribute].current
    limit = max_current(state, character, attribute)
    missing = max(0, limit - current)
    back = missing if amount is None else min(amount, missing)
    return AttributeRestored(
        character=character.character_id,
        attribute=attribute,
        amount=back,
        current_after=current + back,
        max_current=limit,
        downtime_restore=setting,
    )


def set_permanent(state: FreefallState, asked: Asked, command: SetPermanent) -> list[PermanentChanged]:
    """FF-1: a GM changes an attribute's cap, which rarely happens."""
    require_gm(asked, "FF-1")
    character = find_character(state, asked, command.character, "FF-1")
    change = command.permanent - character.attributes[command.attribute].permanent
    if not change:
        return []  # it is that already
    limit = max(0, command.permanent - binding(state, character, command.attribute))
    return [
        PermanentChanged(
            character=character.character_id,
            attribute=command.attribute,
            change=change,
            permanent_after=command.permanent,
            max_current=limit,
            reason=command.reason,
        )
    ]


def attribute_spent(state: FreefallState, event: AttributeSpent) -> None:
    """Points go, and a declared action may be paid with them."""
    character = state.characters.get(event.character)
    if character is not None and event.attribute in character.attributes:
        points = character.attributes[event.attribute]
        points.current = max(0, points.current - event.amount)
    paid(state, event.pays)


def machine_attribute_spent(state: FreefallState, event: MachineAttributeSpent) -> None:
    """A machine's points go."""
    machine = state.machines.get(event.machine)
    if machine is not None:
        points = machine.frm if event.attribute == "frm" else machine.sys
        points.current = max(0, points.current - event.amount)
    paid(state, event.pays)


def attribute_restored(state: FreefallState, event: AttributeRestored) -> None:
    """Points come back, as far as the maximum goes now."""
    character = state.characters.get(event.character)
    if character is not None and event.attribute in character.attributes:
        character.attributes[event.attribute].current += event.amount
        clamp(state, character)


def permanent_changed(state: FreefallState, event: PermanentChanged) -> None:
    """The cap moves; it stays at 0 or above."""
    character = state.characters.get(event.character)
    if character is not None and event.attribute in character.attributes:
        points = character.attributes[event.attribute]
        points.permanent = max(0, points.permanent + event.change)
        clamp(state, character)


def clamp(state: FreefallState, character: Character) -> None:
    """Current never exceeds the maximum (FF-3)."""
    for attribute, points in character.attributes.items():
        points.current = max(0, min(points.current, max_current(state, character, attribute)))


def paid(state: FreefallState, action: str | None) -> None:
    """A declared action's prerequisite is met."""
    declared = state.board.action(action) if state.board is not None and action is not None else None
    if declared is not None:
        declared.paid = True
