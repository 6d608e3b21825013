"""Gear and augmentations: the attributes they bind, how they come and go, how they fail (FF-2, FF-3).

Codes: item_already_bound, item_not_bound, augmentation_needs_downtime, item_under_repair, unknown_item;
not_the_gm (forbidden).
"""

from msgspec import structs

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.freefall.access import acting, find_character, find_item, require_gm, require_settled
from domain.systems.freefall.attributes import NO_BINDING, clamp, clamped, maxima
from domain.systems.freefall.commands import AddGear, DescribeGear, Discard, Equip, Install, Unequip
from domain.systems.freefall.events import (
    GearAdded,
    GearBroken,
    GearDescribed,
    GearDiscarded,
    GearEquipped,
    GearFaulted,
    GearRepaired,
    GearSelfRepaired,
    GearUnequipped,
)
from domain.systems.freefall.state import Character, FreefallState, Item

ITEMS_MAX = 200
"""More than a character needs, and few enough to keep a sheet readable."""


def add_gear(state: FreefallState, context: CommandContext, command: AddGear) -> list[GearAdded]:
    """FF-2: a GM hands out an item."""
    require_gm(context, "FF-2")
    character = find_character(state, context, command.character, "FF-2")
    if len(character.items) >= ITEMS_MAX:
        raise Rejection(
            "too_much_gear",
            say(
                "{name} already has {most} items, the most that fit a sheet.", name=character.name, most=ITEMS_MAX
            ),
            rule="FF-2",
        )
    return [
        GearAdded(character=character.character_id, item=derive_id("item", context.action_id), what=command.item)
    ]


def equip(state: FreefallState, context: CommandContext, command: Equip | Install) -> list[GearEquipped]:
    """FF-C2: an item binds, and current values are cut down to the new maximum at once."""
    character = acting(state, context, command.character, "FF-C2", item=command.item)
    item = find_item(character, command.item, "FF-C2")
    if item.bound:
        raise Rejection(
            "item_already_bound", say("{item} is already equipped.", item=item.what.name), rule="FF-C2"
        )
    if item.what.kind == "augmentation" and item.what.invasive:
        _require_surgery(state, context, item, "FF-C2", downtime=command.downtime)
    require_settled(state, character, "FF-C2")
    limits = maxima(state, character, more=item.what.binding)
    cut, lost = clamped(character, limits)
    return [
        GearEquipped(
            character=character.character_id, item=command.item, max_current=limits, clamped=cut, lost=lost
        )
    ]


def _require_surgery(
    state: FreefallState, context: CommandContext, item: Item, rule: str, *, downtime: bool
) -> None:
    """Raise `augmentation_needs_downtime` unless it is downtime, or a GM says that this counts as such."""
    if downtime and not state.downtime:
        require_gm(context, rule)
    if not state.downtime and not downtime:
        raise Rejection(
            "augmentation_needs_downtime",
            say("{item} takes surgery, and that takes downtime.", item=item.what.name),
            rule=rule,
        )


def unequip(state: FreefallState, context: CommandContext, command: Unequip) -> list[GearUnequipped]:
    """FF-C3: the ceiling rises, current does not (FF-A16)."""
    character = acting(state, context, command.character, "FF-C3", item=command.item)
    item = find_item(character, command.item, "FF-C3")
    if not item.bound:
        raise Rejection("item_not_bound", say("{item} is not equipped.", item=item.what.name), rule="FF-C3")
    if item.what.kind == "augmentation" and item.what.removal == "downtime":
        _require_surgery(state, context, item, "FF-C3", downtime=command.downtime)
    require_settled(state, character, "FF-C3")
    limits = maxima(state, character, less=item.what.binding)
    return [GearUnequipped(character=character.character_id, item=command.item, max_current=limits)]


def discard(state: FreefallState, context: CommandContext, command: Discard) -> list[GearDiscarded]:
    """FF-C3: the item is gone, and its binding ends."""
    character = acting(state, context, command.character, "FF-C3", item=command.item)
    item = find_item(character, command.item, "FF-C3")
    if item.bound and item.what.kind == "augmentation" and item.what.removal == "downtime":
        _require_surgery(state, context, item, "FF-C3", downtime=command.downtime)
    require_settled(state, character, "FF-C3")
    if any(repair.item == command.item for repair in state.repairs.values()):
        raise Rejection(
            "item_under_repair",
            say("{item} is with a fixer; cancel the repair first.", item=item.what.name),
            rule="FF-C3",
        )
    limits = maxima(state, character, less=item.what.binding if item.bound else NO_BINDING)
    return [GearDiscarded(character=character.character_id, item=command.item, max_current=limits)]


def describe_gear(state: FreefallState, context: CommandContext, command: DescribeGear) -> list[GearDescribed]:
    """FF-3: the description of an item and the meaning of its binding, in the words of its owner or a GM."""
    character = acting(state, context, command.character, "FF-3", item=command.item)
    find_item(character, command.item, "FF-3")
    return [GearDescribed(character=character.character_id, item=command.item, description=command.description)]


def bonus_for(character: Character | None, tag: str | None) -> int:
    """The bonus of a character's working gear for every die of an action with this tag (FF-2)."""
    if character is None or tag is None:
        return 0
    return sum(item.what.bonus.get(tag, 0) for item in character.items.values() if item.works)


def gear_added(state: FreefallState, event: GearAdded) -> None:
    """Add the item, not yet bound."""
    character = state.characters.get(event.character)
    if character is not None and event.item not in character.items:
        character.items[event.item] = Item(what=event.what)


def gear_equipped(state: FreefallState, event: GearEquipped) -> None:
    """Bind the item; current is cut down to the present maximum."""
    item = _item(state, event.character, event.item)
    if item is not None:
        item.bound = True
        clamp(state, state.characters[event.character])


def gear_unequipped(state: FreefallState, event: GearUnequipped) -> None:
    """Unbind the item."""
    item = _item(state, event.character, event.item)
    if item is not None:
        item.bound = False


def gear_discarded(state: FreefallState, event: GearDiscarded) -> None:
    """Remove the item."""
    character = state.characters.get(event.character)
    item = character.items.pop(event.item, None) if character is not None else None
    if item is not None:
        state.remember(event.item, item.what.name)


def gear_described(state: FreefallState, event: GearDescribed) -> None:
    """Set the item's description in place of the one before."""
    item = _item(state, event.character, event.item)
    if item is not None:
        item.what = structs.replace(item.what, description=event.description)


def failed(state: FreefallState, event: GearBroken | GearFaulted) -> None:
    """Stop the item from working; it stays bound."""
    item = _item(state, event.character, event.item)
    if item is not None and item.state != "broken":
        item.state = "broken" if isinstance(event, GearBroken) else "faulty"


def mended(state: FreefallState, event: GearRepaired | GearSelfRepaired) -> None:
    """Let the item work again; an item that mends itself was only faulty."""
    item = _item(state, event.character, event.item)
    if item is not None and (isinstance(event, GearRepaired) or item.state == "faulty"):
        item.state = "functional"


def _item(state: FreefallState, character: str | None, item: str) -> Item | None:
    """The item, if it still exists."""
    owner = state.characters.get(character or "")
    return owner.items.get(item) if owner is not None else None
