"""Target numbers: the number a roll has to reach, and the GM's naming of it (FF-10).

Codes: tn_missing, tn_stands; not_the_gm (forbidden).
"""

from msgspec import UNSET, UnsetType

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.freefall.access import find_character, require_active, require_gm, require_tn, said_of
from domain.systems.freefall.commands import NameTn
from domain.systems.freefall.events import TnNamed
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Action, CalledRoll, Character, FreefallState
from domain.systems.freefall.turns import find_action


def name_tn(state: FreefallState, context: CommandContext, command: NameTn) -> list[TnNamed]:
    """FF-10: a GM names a TN, or calls to a roll: 11 is challenging, 16 hard, 21 near impossible."""
    require_gm(context, "FF-10")
    settings: Settings = context.settings
    if command.action is not None:
        action = find_action(state, command.action, "FF-10")
        if command.tn is None:
            raise Rejection("tn_missing", "Say what to roll against: 11, 16 or 21, for instance.", rule="FF-10")
        tag, attribute = said_of(action)
        by = settings.tn_named_by
        return [TnNamed(action.actor, command.tn, by, action.id, tag=tag, attribute=attribute)]
    character = find_character(state, context, command.character, "FF-10")
    require_active(character, "FF-10")
    if command.tn is None and character.character_id not in state.called_rolls:
        return []  # no roll of theirs was called
    return [
        TnNamed(
            actor=character.character_id,
            tn=command.tn,
            tn_named_by=settings.tn_named_by,
            situation=command.situation,
            call_id=derive_id("call", context.action_id) if command.tn is not None else call_of(state, character),
        )
    ]


def call_of(state: FreefallState, character: Character) -> str | UnsetType:
    """The GM's call to a roll that the character still has to make."""
    called = state.called_rolls.get(character.character_id)
    return called.call_id if called is not None else UNSET


def declared_tn(context: CommandContext, tn: int | None, action: Action) -> int:
    """The TN of a declared action: a GM's, else the one declared, unless the roller may name it."""
    settings: Settings = context.settings
    return _choose_tn(context, tn, action.tn if settings.tn_named_by != "roller" else None) or _missing(action.tn)


def loose_tn(state: FreefallState, context: CommandContext, tn: int | None, character: Character) -> int:
    """The TN of an undeclared roll: that of a GM's call, else the roller's."""
    call = state.called_rolls.get(character.character_id)
    return _choose_tn(context, tn, call.tn if call is not None else None) or _missing(None)


def _choose_tn(context: CommandContext, tn: int | None, stands: int | None) -> int | None:
    """The TN: the one that comes with the roll, or the one named before."""
    if tn is None or tn == stands or context.is_gm or context.decided_before:
        return tn or stands
    if stands is not None:
        sentence = say("This is rolled against TN {tn}; only a GM changes that.", tn=stands)
        raise Rejection("tn_stands", sentence, rule="FF-10", tn=stands)
    require_tn(context)
    return tn


def _missing(tn: int | None) -> int:
    """The TN before penalties. Raises `tn_missing`."""
    if tn is None:
        raise Rejection("tn_missing", "Say what to roll against: 11, 16 or 21, for instance.", rule="FF-10")
    return tn


def tn_named(state: FreefallState, event: TnNamed) -> None:
    """Set the TN of an action that is still to be rolled."""
    if event.action is None:
        state.called_rolls.pop(event.actor, None)
        if event.tn is not None:
            state.called_rolls[event.actor] = CalledRoll(event.tn, event.situation, event.call_id)
        return
    action = state.board.action(event.action) if state.board is not None else None
    if action is not None and action.status == "declared":
        action.tn = event.tn
