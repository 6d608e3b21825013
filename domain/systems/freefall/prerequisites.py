"""Prerequisites of a specialized action: a specialty, a tool, a point spent, or harm taken (FF-9).

Codes: prerequisite_not_met, and those of `harm` for the price of harm.
"""

from typing import NamedTuple

from domain.command_context import CommandContext
from domain.rejection import Rejection
from domain.sentences import Sentence, join_parts, say
from domain.systems.freefall import events as e
from domain.systems.freefall.commands import Prerequisite
from domain.systems.freefall.harm import resolve
from domain.systems.freefall.harm_choices import call_harm, require_choice
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Character, FreefallState
from domain.systems.freefall.tables import MATCHING, AttributeName, MachineAttribute
from domain.systems.freefall.term_words import HARMS, attribute_word

STANDS_FOR: dict[MachineAttribute, AttributeName] = {"frm": "body", "sys": "mind"}
"""The machine's attribute that replaces each of the pilot's (FF-22)."""


class Payment(NamedTuple):
    """The events of meeting a prerequisite; `stops` if the roll has to wait, or never comes."""

    events: list[e.Event]
    stops: bool = False


class Purpose(NamedTuple):
    """The purpose of the prerequisite: the declared action's id, its tag and attribute, and its weapon."""

    action: str | None = None
    tag: str | None = None
    weapon: str | None = None
    attribute: AttributeName | None = None
    nth: int = 0


def meet(
    state: FreefallState,
    context: CommandContext,
    character: Character,
    prerequisite: Prerequisite,
    purpose: Purpose,
) -> Payment:
    """Check a prerequisite and pay for it. Raises `prerequisite_not_met`."""
    match prerequisite.kind:
        case "specialty":
            if prerequisite.name not in character.specialties:
                _not_met(say("{name} does not have that specialty.", name=character.name))
            return Payment([])
        case "gear":
            _tool(context, character, prerequisite.item, purpose)
            return Payment([])
        case "spend":
            return Payment([_point(state, context, character, prerequisite, purpose)])
        case "harm":
            return _harm(state, context, character, prerequisite, purpose)


def _not_met(message: Sentence) -> None:
    raise Rejection("prerequisite_not_met", message, rule="FF-9")


def _tool(context: CommandContext, character: Character, item: str | None, purpose: Purpose) -> None:
    """A bound, functional item that enables the action (FF-9 B)."""
    tool = character.items.get(item) if item is not None else None
    if tool is None:
        _not_met(say("{name} does not have that tool.", name=character.name))
    elif not tool.works:
        _not_met(say("{item} has to be equipped and working, not faulty or broken.", item=tool.what.name))
    elif context.decided_before or (tool.what.weapon is not None and item == purpose.weapon):
        return  # accepted before, or the weapon of this attack
    elif not tool.what.enables:
        _not_met(say("{item} enables no action of its own.", item=tool.what.name))
    elif purpose.tag is None:
        _not_met(
            say(
                "Say what the action is: {item} enables {tags}.",
                item=tool.what.name,
                tags=join_parts(tool.what.enables),
            )
        )
    elif purpose.tag not in tool.what.enables:
        _not_met(
            say(
                "{item} does not enable {tag}; it enables {tags}.",
                item=tool.what.name,
                tag=purpose.tag,
                tags=join_parts(tool.what.enables),
            )
        )


def _point(
    state: FreefallState,
    context: CommandContext,
    character: Character,
    prerequisite: Prerequisite,
    purpose: Purpose,
) -> e.AttributeSpent | e.MachineAttributeSpent:
    """One Current point of the right attribute, or the machine's for a pilot (FF-9 C)."""
    attribute = prerequisite.attribute
    if attribute is None:
        attribute = purpose.attribute
    if attribute is None:
        raise Rejection("prerequisite_not_met", "Which attribute pays for it?", rule="FF-9")
    stands_for = STANDS_FOR[attribute] if attribute in ("frm", "sys") else attribute
    if purpose.attribute is not None and stands_for != purpose.attribute:
        _not_met(
            say(
                "This is an action of {this}, so {other} cannot pay for it.",
                this=attribute_word(purpose.attribute),
                other=attribute_word(attribute),
            )
        )
    if attribute == "frm" or attribute == "sys":  # noqa: PLR1714 — the type checker narrows by comparison only
        machine = state.machine_of(character.character_id)
        on_bench = machine is not None and state.is_on_bench(machine) and not context.decided_before
        if machine is None or machine.state == "broken" or on_bench:
            raise Rejection(
                "prerequisite_not_met",
                say("{name} does not pilot a working machine.", name=character.name),
                rule="FF-9",
            )
        current = (machine.frm if attribute == "frm" else machine.sys).current
        if current < 1:
            _not_met(
                say(
                    "{name} has no {attribute} left to spend.",
                    name=machine.name,
                    attribute=attribute_word(attribute),
                )
            )
        return e.MachineAttributeSpent(
            machine=machine.machine_id,
            attribute=attribute,
            amount=1,
            current_after=current - 1,
            purpose="prerequisite",
            pays=purpose.action,
        )
    current = character.attributes[attribute].current
    if current < 1:
        _not_met(
            say(
                "{name} has no {attribute} left to spend.",
                name=character.name,
                attribute=attribute_word(attribute),
            )
        )
    return e.AttributeSpent(
        character=character.character_id,
        attribute=attribute,
        amount=1,
        purpose="prerequisite",
        current_after=current - 1,
        pays=purpose.action,
    )


def _harm(
    state: FreefallState,
    context: CommandContext,
    character: Character,
    prerequisite: Prerequisite,
    purpose: Purpose,
) -> Payment:
    """One level of the relevant type, neither armoured nor mitigated, resolved before the roll (FF-9 D, FF-A7)."""
    settings: Settings = context.settings
    harm_type = prerequisite.harm_type
    if harm_type is None:
        raise Rejection("prerequisite_not_met", "Which type of harm is taken for it?", rule="FF-9")
    if purpose.attribute is not None and MATCHING[harm_type] != purpose.attribute:
        _not_met(
            say(
                "An action of {attribute} cannot be paid for with {harm}.",
                attribute=attribute_word(purpose.attribute),
                harm=HARMS[harm_type],
            )
        )
    suffered = e.HarmSuffered(
        character=character.character_id,
        harm_type=harm_type,
        incoming=1,
        av=0,
        levels=1,
        high_impact=False,
        source="prerequisite",
        av_stacking=settings.av_stacking,
        pays=purpose.action,
    )
    if prerequisite.choice is None:
        return Payment([call_harm(state, character, suffered, context)], stops=True)
    require_choice(character, context)
    events = resolve(state, context, suffered, 0, [prerequisite.choice], "FF-9", nth=purpose.nth)
    return Payment(events, stops=any(isinstance(event, e.CharacterOusted) for event in events))
