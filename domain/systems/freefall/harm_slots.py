"""The three slots: filling and clearing them, and the third permanent harm (FF-16).

Codes: slot_not_temporary, slot_not_permanent, not_ousted, fate_already_decided.
"""

from domain.command_context import CommandContext
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.freefall.access import find_character, require_gm, require_own
from domain.systems.freefall.attributes import filled
from domain.systems.freefall.commands import (
    ClearTemporaryHarm,
    DecideFate,
    DescribePermanentHarm,
)
from domain.systems.freefall.events import (
    CharacterFateDecided,
    CharacterOusted,
    HarmConsequenceWritten,
    HarmMadePermanent,
    HarmMarked,
    PermanentHarmRemoved,
    TemporaryHarmCleared,
)
from domain.systems.freefall.settings import AutoClear
from domain.systems.freefall.state import Character, FreefallState, Harm
from domain.systems.freefall.tables import Means, Occasion, dice_pool


def in_slot(character: Character, slot: int | None) -> Harm | None:
    """The harm in a slot, counted from 1; None for an empty slot and for one that does not exist."""
    return character.slots[slot - 1] if slot is not None and 1 <= slot <= len(character.slots) else None


def temporary(character: Character, slot: int | None, rule: str) -> Harm:
    """The temporary harm of a slot. Raises `slot_not_temporary`."""
    harm = in_slot(character, slot)
    if slot is None:
        raise Rejection("slot_not_temporary", "Which temporary harm? Name its slot.", rule=rule)
    if harm is None or harm.state != "temporary":
        raise Rejection("slot_not_temporary", say("Slot {slot} holds no temporary harm.", slot=slot), rule=rule)
    return harm


def permanent(character: Character, slot: int, rule: str) -> Harm:
    """The permanent harm of a slot. Raises `slot_not_permanent`."""
    harm = in_slot(character, slot)
    if harm is None or harm.state != "permanent":
        raise Rejection("slot_not_permanent", say("Slot {slot} holds no permanent harm.", slot=slot), rule=rule)
    return harm


def place(character: Character, harm_id: str) -> int | None:
    """The index of the slot that holds a harm."""
    indices = (nth for nth, harm in enumerate(character.slots) if harm is not None and harm.harm_id == harm_id)
    return next(indices, None)


def clear_temporary_harm(
    state: FreefallState, context: CommandContext, command: ClearTemporaryHarm
) -> list[TemporaryHarmCleared]:
    """FF-C15: clear a temporary harm; the next pool is larger for it."""
    require_gm(context, "FF-C15")
    character = find_character(state, context, command.character, "FF-C15")
    harm = temporary(character, command.slot, "FF-C15")
    return [cleared(character, harm, filled(character) - 1, by=command.by, when=command.when)]


def cleared(
    character: Character,
    harm: Harm,
    filled_after: int,
    *,
    by: Means | None = None,
    when: Occasion | None = None,
    auto: AutoClear | None = None,
) -> TemporaryHarmCleared:
    """The event of a cleared temporary harm."""
    return TemporaryHarmCleared(
        character=character.character_id,
        harm_id=harm.harm_id,
        slot=character.slots.index(harm) + 1,
        pool_after=dice_pool(filled_after),
        by=by,
        when=when,
        auto=auto,
    )


def describe_permanent_harm(
    state: FreefallState, context: CommandContext, command: DescribePermanentHarm
) -> list[HarmConsequenceWritten]:
    """FF-C13: the meaning of a permanent harm in the story."""
    character = find_character(state, context, command.character, "FF-C13")
    require_own(character, context, "FF-C13")
    harm = permanent(character, command.slot, "FF-C13")
    return [
        HarmConsequenceWritten(
            character=character.character_id,
            harm_id=harm.harm_id,
            slot=command.slot,
            consequence=command.consequence,
        )
    ]


def decide_fate(state: FreefallState, context: CommandContext, command: DecideFate) -> list[CharacterFateDecided]:
    """FF-C14: how an ousted character leaves the story."""
    character = find_character(state, context, command.character, "FF-C14")
    require_own(character, context, "FF-C14")
    if character.status != "ousted":
        raise Rejection("not_ousted", say("{name} is still in the story.", name=character.name), rule="FF-C14")
    if character.fate is not None:
        sentence = say("{name} is dead.", name=character.name)
        if character.fate == "retired":
            sentence = say("{name} has retired.", name=character.name)
        raise Rejection("fate_already_decided", sentence, rule="FF-C14")
    return [CharacterFateDecided(character=character.character_id, fate=command.fate)]


def harm_marked(state: FreefallState, event: HarmMarked) -> None:
    """Fill an empty slot: the one that the event names if it is free, else another, if any.

    Openly known harm never depends on hidden harm, which gives way.
    """
    character = state.characters.get(event.character)
    if character is None or place(character, event.harm_id) is not None:
        return
    fill(character, event.slot, Harm(harm_id=event.harm_id, type=event.harm_type, hidden=event.hidden))


def fill(character: Character, slot: int, harm: Harm) -> None:
    """Fill the slot of this number, from 1, or the first empty one; if none is, a hidden harm gives way."""
    empty = [nth for nth, other in enumerate(character.slots) if other is None]
    yielding = [nth for nth, other in enumerate(character.slots) if other is not None and other.hidden]
    free = empty or ([] if harm.hidden else yielding)
    if free:
        character.slots[slot - 1 if slot - 1 in free else free[0]] = harm


def harm_made_permanent(state: FreefallState, event: HarmMadePermanent) -> None:
    """Turn the harm permanent; it is found by its id, because slots may have changed."""
    character = state.characters.get(event.character)
    nth = place(character, event.harm_id) if character is not None else None
    harm = character.slots[nth] if character is not None and nth is not None else None
    if harm is not None:
        harm.state = "permanent"
    forget_task(state, event.harm_id)


def ousted(state: FreefallState, event: CharacterOusted) -> None:
    """Take the character out of the story: their choices are removed, and their machine has no pilot."""
    character = state.characters.get(event.character)
    if character is None:
        return
    character.status = "ousted"
    state.called = [call for call in state.called if call.character != event.character]
    state.called_rolls.pop(event.character, None)
    for machine in state.machines.values():
        if machine.pilot == event.character:
            machine.pilot = None


def fate_decided(state: FreefallState, event: CharacterFateDecided) -> None:
    """Set the fate: dead or retired."""
    character = state.characters.get(event.character)
    if character is not None:
        character.fate = event.fate


def consequence_written(state: FreefallState, event: HarmConsequenceWritten) -> None:
    """Set the note of a harm."""
    character = state.characters.get(event.character)
    nth = place(character, event.harm_id) if character is not None else None
    harm = character.slots[nth] if character is not None and nth is not None else None
    if harm is not None:
        harm.note = event.consequence


def harm_gone(state: FreefallState, event: TemporaryHarmCleared | PermanentHarmRemoved) -> None:
    """Empty the slot."""
    character = state.characters.get(event.character)
    nth = place(character, event.harm_id) if character is not None else None
    if character is not None and nth is not None:
        character.slots[nth] = None
    forget_task(state, event.harm_id)


def forget_task(state: FreefallState, harm_id: str) -> None:
    """Remove a settled harm from the question to the GM; a question without harms is removed."""
    task = state.recovery
    if task is None:
        return
    harms_left = {who: [id_ for id_ in harms if id_ != harm_id] for who, harms in task.harms.items()}
    task.harms = {who: harms for who, harms in harms_left.items() if harms}
    if not task.harms:
        state.recovery = None
