"""Values derived from attributes, bindings and slots (FF-1, FF-3, FF-7); also spending and restoring points."""

from domain.command_context import CommandContext
from domain.systems.freefall.access import find_character, require_gm
from domain.systems.freefall.base_event_types import Attributes
from domain.systems.freefall.commands import SetPermanent
from domain.systems.freefall.events import (
    AttributeRestored,
    AttributeSpent,
    MachineAttributeSpent,
    PermanentChanged,
)
from domain.systems.freefall.settings import DowntimeRestore
from domain.systems.freefall.state import Binding, Character, FreefallState
from domain.systems.freefall.tables import ATTRIBUTES, AttributeName, dice_pool

NO_BINDING = Binding()


def binding(state: FreefallState, character: Character, attribute: AttributeName) -> int:
    """All that binds an attribute: bound items, working or not, and a machine's controls."""
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
    """The maximum of every attribute, with `more` bound as well and without `less`."""
    return {
        attribute: max(
            0,
            points.permanent - binding(state, character, attribute) - more.on(attribute) + less.on(attribute),
        )
        for attribute in ATTRIBUTES
        if (points := character.attributes.get(attribute)) is not None
    }


def clamped(character: Character, limits: Attributes) -> tuple[Attributes, Attributes]:
    """The current values above their limits: the limit and the loss of each."""
    cut = {
        attribute: limit
        for attribute, limit in limits.items()
        if attribute in character.attributes and character.attributes[attribute].current > limit
    }
    return cut, {attribute: character.attributes[attribute].current - limit for attribute, limit in cut.items()}


def filled(character: Character) -> int:
    """The number of filled slots, with harm of either kind."""
    return sum(harm is not None for harm in character.slots)


def permanents(character: Character) -> int:
    """The number of permanent harms; the third ousts the character (FF-16)."""
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
    """The points restored; with no `amount`, all that are missing."""
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


def set_permanent(state: FreefallState, context: CommandContext, command: SetPermanent) -> list[PermanentChanged]:
    """FF-1: Body is for physical feats, Mind for technical and mental ones, Ghost for people and stealth.

    A GM changes an attribute's cap.
    """
    require_gm(context, "FF-1")
    character = find_character(state, context, command.character, "FF-1")
    change = command.permanent - character.attributes[command.attribute].permanent
    if not change:
        return []  # nothing changes
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
    """Subtract the points; they may pay for a declared action."""
    character = state.characters.get(event.character)
    if character is not None and event.attribute in character.attributes:
        points = character.attributes[event.attribute]
        points.current = max(0, points.current - event.amount)
    paid(state, event.pays)


def machine_attribute_spent(state: FreefallState, event: MachineAttributeSpent) -> None:
    """Subtract a machine's points."""
    machine = state.machines.get(event.machine)
    if machine is not None:
        points = machine.frm if event.attribute == "frm" else machine.sys
        points.current = max(0, points.current - event.amount)
    paid(state, event.pays)


def attribute_restored(state: FreefallState, event: AttributeRestored) -> None:
    """Add the points, up to the present maximum."""
    character = state.characters.get(event.character)
    if character is not None and event.attribute in character.attributes:
        character.attributes[event.attribute].current += event.amount
        clamp(state, character)


def permanent_changed(state: FreefallState, event: PermanentChanged) -> None:
    """Change the cap, at least to 0."""
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
    """Mark a declared action's prerequisite as met."""
    declared = state.board.action(action) if state.board is not None and action is not None else None
    if declared is not None:
        declared.paid = True
