"""Commands tried with less said, and then with everything said that the rules found for them."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from msgspec import NODEFAULT, UNSET, Struct, inspect, structs

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import MembershipCommand, OperatorCommand
from domain.command_context import CommandContext
from domain.dice import Dice, Die
from domain.mechanics.omitted_ids import explicit
from domain.personal_text import PERSONAL
from domain.rejection import Rejection

Decide = Callable[[CommandContext, Dice], list[Any]]
Field = tuple[str, str]
"""The wire name of a command, and one of its fields; `acting.test_id` is a field of its field `acting`."""

NOTHING_TO_FIND: dict[str, set[Field]] = {
    "Nobody or nothing is meant.": {
        ("angst.avoid_angst", "perk"),
        ("angst.avoid_angst", "relationship"),
        ("angst.avoid_angst", "rock"),
        ("angst.avoid_angst", "suck"),
        ("angst.call_test", "negative_tap"),
        ("angst.make_test", "against"),
        ("angst.make_test", "perk"),
        ("angst.make_test", "relationship"),
        ("angst.make_test", "rock"),
        ("angst.make_test", "suck"),
        ("angst.purge_angst", "comfort"),
        ("angst.purge_angst", "perk"),
        ("angst.purge_angst", "relationship"),
        ("angst.purge_angst", "rock"),
        ("angst.purge_angst", "suck"),
        ("campaign.add_note", "about"),
        ("campaign.plan_activity", "account"),
        ("campaign.plan_activity", "currency"),
        ("campaign.rename", "thing"),
        ("campaign.retire_character", "purse_to"),
        ("campaign.roll", "character"),
        ("campaign.schedule_timer", "character"),
        ("campaign.schedule_timer", "replaces"),
        ("frame_state.call_test", "proposal"),
        ("frame_state.refit", "to_attribute"),
        ("freefall.declare_actions", "group"),
        ("freefall.name_tn", "action"),
        ("freefall.roll_action", "action"),
        ("mobile_frame.choose_loss", "abandon_station"),
        ("mobile_frame.place_station", "controller"),
        ("mobile_frame.resolve_attack", "abandon_station"),
        ("overdrive.choose_stabilisation_loss", "config"),
        ("overdrive.choose_stabilisation_loss", "weapon"),
        ("overdrive.close_scene", "invoke_relation"),
        ("overdrive.declare_attack", "invoke_relation"),
        ("overdrive.resolve_relation", "invoke_relation"),
        ("overdrive.restore", "weapon"),
        ("overdrive.roll", "invoke_relation"),
        ("overdrive.roll_defense", "invoke_relation"),
        ("overdrive.roll_duel", "invoke_relation"),
        ("overdrive.roll_initiative", "invoke_relation"),
        ("overdrive.roll_movement", "invoke_relation"),
    },
    "The crew that needs no name.": {
        ("freefall.award_credits", "crew"),
        ("freefall.charge_credits", "crew"),
        ("freefall.create_character", "crew"),
    },
    "Something new is meant, or what it is called.": {
        ("campaign.start_scene", "name"),
        ("campaign.start_session", "title"),
        ("mobile_frame.place_cover", "name"),
        ("mobile_frame.place_station", "name"),
        ("mobile_frame.register_loadout", "frame"),
        ("mobile_frame.register_loadout", "name"),
        ("mobile_frame.register_loadout", "notation"),
        ("overdrive.add_relation", "relation"),
    },
    "Whoever asks, or nobody where a GM does.": {
        ("angst.create_character", "player"),
        ("frame_state.create_pilot", "player"),
        ("freefall.create_character", "player"),
        ("overdrive.create_character", "player"),
    },
    "It stays as it is for what is named.": {
        ("freefall.roll_action", "tag"),
        ("mobile_frame.register_loadout", "character"),
        ("mobile_frame.register_loadout", "owner"),
        ("overdrive.rename_relation", "with_"),
    },
    "The order is the one that follows by the rules.": {
        ("freefall.order_resolution", "order"),
        ("overdrive.begin_turns", "order"),
    },
    "It is always refused.": {("overdrive.change_pairing", "character")},
}
"""Ids that nothing is found for when they are left out, and why."""

NOT_ALWAYS: dict[str, set[Field]] = {
    "What else is said (a test, a proposal, an action, harm) tells it.": {
        ("angst.make_test", "character"),
        ("frame_state.call_test", "pilot"),
        ("freefall.allocate_machine_harm", "machine"),
        ("freefall.receive_harm", "character"),
        ("freefall.record_requirement", "repair"),
        ("freefall.record_requirement", "treatment"),
        ("freefall.roll_action", "character"),
    },
    "Nothing is meant in another use of the command.": {
        ("angst.make_test", "test_id"),
        ("frame_state.create_unit", "pilot"),
        ("freefall.allocate_machine_harm", "call"),
        ("freefall.receive_harm", "call"),
        ("mobile_frame.name_situation", "cover"),
        ("mobile_frame.name_situation", "cover_frame"),
        ("mobile_frame.resolve_attack", "cover"),
        ("mobile_frame.resolve_attack", "cover_frame"),
    },
    "A TN is that of an action, or of somebody.": {("freefall.name_tn", "character")},
    "A machine's are of nobody, and a person's of no machine.": {
        ("freefall.start_repair", "character"),
        ("freefall.restore_attribute", "character"),
        ("freefall.restore_attribute", "machine"),
    },
    "A roll moves no clock outside action time, nor where there are several.": {("freefall.roll_action", "clock")},
}
"""Ids that something is found for in some cases only, and why not in the others."""

NEVER = set[Field]().union(*NOTHING_TO_FIND.values())
SOMETIMES = set[Field]().union(*NOT_ALWAYS.values())


def optional_ids() -> set[Field]:
    """Every field of any command in which ids or names may stand, or be left out."""
    [command] = [each for each in structs.fields(ActRequest) if each.name == "command"]
    return {
        (str(kind.tag), path)
        for union in (command.type, MembershipCommand, OperatorCommand)
        for kind in _structs_in(inspect.type_info(union))
        for path in _ids_of(kind)
    }


def _structs_in(found: inspect.Type) -> Iterator[inspect.StructType]:
    for each in found.types if isinstance(found, inspect.UnionType) else [found]:
        if isinstance(each, inspect.StructType):
            yield each


def _ids_of(kind: inspect.StructType) -> Iterator[str]:
    for field in kind.fields:
        may_be_left_out = field.default is None or {field.default, field.default_factory, field.required} == {
            NODEFAULT,
            False,
        }
        if may_be_left_out and _may_name(field.type):
            yield field.name
        elif isinstance(field.type, inspect.StructType):
            yield from (f"{field.name}.{inner}" for inner in _ids_of(field.type))


def _may_name(found: inspect.Type) -> bool:
    if isinstance(found, inspect.Metadata):
        return PERSONAL not in (found.extra or {}) and _may_name(found.type)
    if isinstance(found, inspect.UnionType):
        return any(_may_name(each) for each in found.types)
    if isinstance(found, inspect.ListType):
        return _may_name(found.item_type)
    return isinstance(found, inspect.StrType | inspect.UUIDType)


class SeededDice:
    """The same faces every time; `before` is what was filled in when the first of them fell."""

    def __init__(self, context: CommandContext) -> None:
        self._asked = context
        self._chance = Random(7)  # noqa: S311 — the same dice again, not good ones
        self.before: dict[str, Any] | None = None

    def roll(self, sides: int) -> Die:
        """The next of them."""
        if self.before is None:
            self.before = dict(self._asked.filled)
        return Die(sides, self._chance.randint(1, sides), "table")

    def finish(self) -> None:
        """The command wants no more."""


def decided(decide: Decide, context: CommandContext, command: Any) -> tuple[list[Any], dict[str, Any]]:
    """What a command makes happen, and what it left out. All of that is known before the first die."""
    context = structs.replace(context, command=command, filled={})
    dice = SeededDice(context)
    events = decide(context, dice)
    assert dice.before in (None, context.filled), "something left out was found after the first die"
    return events, context.filled


def same_when_said(decide: Decide, context: CommandContext) -> set[Field]:
    """Decide what was asked, and that with less said, each also in full: the events are the same.

    Returns what was filled in. A command that is refused proves nothing.
    """
    found = set()
    for command in (context.command, *with_less(context.command)):
        try:
            events, filled = decided(decide, context, command)
        except Rejection:
            continue
        tag = command.__struct_config__.tag
        left_out = set(_left_out(command))
        assert {path for path, value in filled.items() if said(command, path) != value} <= left_out
        assert {path for path in left_out - set(filled) if (tag, path) in OPTIONAL - NEVER - SOMETIMES} == set(), (
            tag
        )
        assert decided(decide, context, explicit(command, filled))[0] == events, f"{tag} with {filled}"
        found |= {(tag, path) for path in filled if path in left_out}
    return found


def said(command: Any, path: str) -> Any:
    """What a command says in a field."""
    for name in path.split("."):
        command = getattr(command, name)
    return command


def _left_out(command: Struct) -> Iterator[str]:
    for field in structs.fields(command):
        value = getattr(command, field.name)
        if value is None or value is UNSET:
            yield field.name
        elif isinstance(value, Struct):
            yield from (f"{field.name}.{inner}" for inner in _left_out(value))


def with_less(command: Struct) -> Iterator[Any]:
    """The command with each of its fields left out that may be, and with all of them left out."""
    everything: dict[str, Any] = {}
    for field in structs.fields(command):
        value = getattr(command, field.name)
        if field.default in (None, UNSET) and value is not field.default:
            everything[field.name] = field.default
            yield structs.replace(command, **{field.name: field.default})
        elif isinstance(value, Struct):
            for less in with_less(value):
                everything[field.name] = less
                yield structs.replace(command, **{field.name: less})
    if len(everything) > 1:
        yield structs.replace(command, **everything)


OPTIONAL = optional_ids()
