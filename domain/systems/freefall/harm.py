"""Harm, level by level: armour, mitigation, and the three ways to resolve a level (FF-16 to FF-20).

Codes: insufficient_attribute, more_than_needed, one_choice_per_level, no_empty_slot, slot_not_temporary,
harm_type_differs, item_not_bound_to_attribute, item_already_broken.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.rejection import Rejection
from domain.sentences import say, say_many
from domain.systems.freefall import events as e
from domain.systems.freefall import gear, harm_slots
from domain.systems.freefall.attributes import attribute_spent, filled, permanents
from domain.systems.freefall.commands import Choice
from domain.systems.freefall.settings import AvStacking, Settings
from domain.systems.freefall.state import Character, FreefallState, Harm
from domain.systems.freefall.tables import MATCHING, SLOTS, HarmType
from domain.systems.freefall.term_words import HARMS, attribute_word

HIGH_IMPACT_MIN = 2
Copied = TypeVar("Copied", bound=Struct)


class Option(Struct, frozen=True, omit_defaults=True):
    """One way to resolve the next level; `will_oust` warns that it ends the character."""

    option: str
    slot: int | None = None
    item: str | None = None
    will_oust: bool = False


def armour(character: Character, harm_type: HarmType, stacking: AvStacking) -> int:
    """The armour of working items against a type of harm: the best, or all of it (FF-17, FF-A6)."""
    values = [item.what.av.get(harm_type, 0) for item in character.items.values() if item.works]
    return sum(values) if stacking == "sum" else max(values, default=0)


def after_armour(incoming: int, av: int, *, high_impact: bool, minimum: int = 1) -> int:
    """FF-17, FF-A5: levels that get through. 1 is minor, 2 standard, 3 heavy, 4 and more devastating.

    At least the minimum gets through, with High Impact at least two.
    """
    return max(incoming - av, HIGH_IMPACT_MIN if high_impact else minimum)


def options(character: Character, harm_type: HarmType, settings: Settings) -> list[Option]:
    """Every way in which the next level of harm could be resolved (FF-19, FF-20)."""
    ways = []
    if filled(character) < SLOTS:
        ways.append(Option("A"))
    last = permanents(character) == SLOTS - 1
    for number, harm in enumerate(character.slots, 1):
        if harm is not None and harm.state == "temporary" and _type_fits(character, harm, harm_type, settings):
            ways.append(Option("B", slot=number, will_oust=last))
    for id_, item in character.gear():
        if item.bound and item.what.binding.on(MATCHING[harm_type]) > 0 and item.state != "broken":
            ways.append(Option("C", item=id_))
    return ways


def levels_to_oust(character: Character) -> int:
    """The fewest levels that could oust a character: each turns a harm permanent, or first marks one."""
    slots_left = SLOTS - permanents(character)
    temporary = filled(character) - permanents(character)
    return slots_left + max(0, slots_left - temporary)


def _type_fits(character: Character, harm: Harm, harm_type: HarmType, settings: Settings) -> bool:
    """Whether this harm may turn permanent: where types must agree, only if no slot of the same type is there."""
    if settings.permanent_type == "any" or harm.type == harm_type:
        return True
    return not any(
        other is not None and other.state == "temporary" and other.type == harm_type for other in character.slots
    )


def own(thing: Copied) -> Copied:
    """A copy to try things on, because deciding changes no state."""
    return msgspec.convert(msgspec.to_builtins(thing), type(thing))


def scratch(character: Character) -> tuple[FreefallState, Character]:
    """A small state with a copy of one character, on which levels are resolved one after the other."""
    trial = own(character)
    return FreefallState(characters={trial.character_id: trial}), trial


def resolve(
    state: FreefallState,
    context: CommandContext,
    suffered: e.HarmSuffered,
    spend: int,
    choices: Sequence[Choice],
    rule: str,
    *,
    nth: int = 0,
) -> list[e.Event]:
    """The events of harm that is resolved at once; `suffered` comes first.

    `nth` counts the harms that this action made before. Levels left after ousting need no choice.
    """
    character = state.characters[suffered.character]
    events: list[e.Event] = [suffered]
    trial_state, trial = scratch(character)
    if spend:
        events.append(_mitigation(character, suffered, spend, rule))
    needed = suffered.levels - spend
    if len(choices) > needed:
        _wrong_count(needed, len(choices), rule)
    for level in range(needed):
        if trial.status == "ousted":
            break
        if level >= len(choices):
            _wrong_count(needed, len(choices), rule)
        settled = _level(trial, context, suffered.harm_type, choices[level], rule, nth + level)
        for event in settled:
            apply(trial_state, event)
        events += settled
    return events


def _mitigation(character: Character, suffered: e.HarmSuffered, spend: int, rule: str) -> e.AttributeSpent:
    """Current points negate a level each (FF-18)."""
    attribute = MATCHING[suffered.harm_type]
    current = character.attributes[attribute].current
    if not 0 < spend <= current:
        raise Rejection(
            "insufficient_attribute",
            say(
                "{name} has {current} {attribute} left to spend, not {spend}.",
                name=character.name,
                current=current,
                attribute=attribute_word(attribute),
                spend=spend,
            ),
            rule=rule,
        )
    if spend > suffered.levels:
        raise Rejection(
            "more_than_needed",
            say_many(
                "{spend} is too much: there is only {n} level to negate.",
                "{spend} is too much: there are only {n} levels to negate.",
                suffered.levels,
                spend=spend,
            ),
            rule=rule,
        )
    return e.AttributeSpent(
        character=character.character_id,
        attribute=attribute,
        amount=spend,
        purpose="mitigation",
        current_after=current - spend,
    )


def _wrong_count(needed: int, got: int, rule: str) -> None:
    raise Rejection(
        "one_choice_per_level",
        say("Give one choice for each level: {needed} needed, {got} given.", needed=needed, got=got),
        rule=rule,
        levels=needed,
    )


def _level(
    trial: Character, context: CommandContext, harm_type: HarmType, choice: Choice, rule: str, nth: int
) -> list[e.Event]:
    """One level, resolved as chosen."""
    match choice.option:
        case "A":
            return [_marked(trial, context, harm_type, rule, nth)]
        case "B":
            return _permanent(trial, context, harm_type, choice, rule)
        case "C":
            return [_broken(trial, context, harm_type, choice, rule)]
        case _:
            raise Rejection("one_choice_per_level", "A level is resolved by option A, B or C.", rule=rule)


def _marked(trial: Character, context: CommandContext, harm_type: HarmType, rule: str, nth: int) -> e.HarmMarked:
    """Option A."""
    is_hidden = context.visibility != "all"
    free = [number for number, harm in enumerate(trial.slots, 1) if harm is None]
    if not free:
        raise Rejection(
            "no_empty_slot",
            "Every slot is filled: make a temporary harm permanent, or break something.",
            rule=rule,
            options=options(trial, harm_type, context.settings),
        )
    return e.HarmMarked(
        character=trial.character_id,
        harm_id=derive_id("harm", context.action_id, nth),
        slot=free[-1] if is_hidden and not trial.hidden else free[0],  # so that it takes no slot that all know of
        harm_type=harm_type,
        hidden=is_hidden,
    )


def _permanent(
    trial: Character, context: CommandContext, harm_type: HarmType, choice: Choice, rule: str
) -> list[e.Event]:
    """Option B, and the end at a third permanent harm."""
    settings: Settings = context.settings
    harm = harm_slots.temporary(trial, choice.slot, rule)
    if not _type_fits(trial, harm, harm_type, settings):
        raise Rejection(
            "harm_type_differs",
            say(
                "This table turns harm permanent by type, and there is a temporary {harm} to use first.",
                harm=HARMS[harm_type],
            ),
            rule=rule,
            options=options(trial, harm_type, settings),
        )
    event = e.HarmMadePermanent(
        character=trial.character_id,
        harm_id=harm.harm_id,
        slot=trial.slots.index(harm) + 1,
        harm_type=harm.type,
        permanent_type=settings.permanent_type,
    )
    if permanents(trial) + 1 < SLOTS:
        return [event]
    return [event, e.CharacterOusted(character=trial.character_id)]


def _broken(
    trial: Character, context: CommandContext, harm_type: HarmType, choice: Choice, rule: str
) -> e.GearBroken | e.GearFaulted:
    """Option C; a hardened item only fails the first time (FF-A9)."""
    item = trial.items.get(choice.item) if choice.item is not None else None
    if item is None or choice.item is None or not item.bound or item.what.binding.on(MATCHING[harm_type]) == 0:
        raise Rejection(
            "item_not_bound_to_attribute",
            say(
                "Only an item that binds {attribute} can break for {harm}.",
                attribute=attribute_word(MATCHING[harm_type]),
                harm=HARMS[harm_type],
            ),
            rule=rule,
            options=options(trial, harm_type, context.settings),
        )
    if item.state == "broken":
        raise Rejection("item_already_broken", say("{item} is already broken.", item=item.what.name), rule=rule)
    if item.what.hardened and item.state == "functional":
        return e.GearFaulted(character=trial.character_id, item=choice.item, kept=item.what.binding.costs())
    return e.GearBroken(character=trial.character_id, item=choice.item, kept=item.what.binding.costs())


def apply(state: FreefallState, event: Any) -> None:
    """Apply an event of this module, to a trial or to the real state."""
    match event:
        case e.AttributeSpent():
            attribute_spent(state, event)
        case e.HarmMarked():
            harm_slots.harm_marked(state, event)
        case e.HarmMadePermanent():
            harm_slots.harm_made_permanent(state, event)
        case e.GearBroken() | e.GearFaulted():
            gear.failed(state, event)
        case e.CharacterOusted():
            harm_slots.ousted(state, event)
        case _:
            pass
