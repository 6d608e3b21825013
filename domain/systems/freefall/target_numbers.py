"""Target numbers: what a roll has to reach, and who says so (FF-10).

Codes: tn_missing, tn_stands; not_the_gm (forbidden).
"""

from domain.command_context import Asked
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.freefall.access import find_character, require_active, require_gm, require_tn, said_of
from domain.systems.freefall.commands import NameTn
from domain.systems.freefall.events import TnNamed
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Action, CalledRoll, Character, FreefallState
from domain.systems.freefall.turns import find_action


def name_tn(state: FreefallState, asked: Asked, command: NameTn) -> list[TnNamed]:
    """FF-10: a GM names what a declared action is rolled against, or calls somebody to a roll."""
    require_gm(asked, "FF-10")
    settings: Settings = asked.settings
    if command.action is not None:
        action = find_action(state, command.action, "FF-10")
        if command.tn is None:
            raise Rejection("tn_missing", "Say what to roll against: 11, 16 or 21, for instance.", rule="FF-10")
        tag, attribute = said_of(action)
        by = settings.tn_named_by
        return [TnNamed(action.actor, command.tn, by, action.id, tag=tag, attribute=attribute)]
    character = find_character(state, asked, command.character, "FF-10")
    require_active(character, "FF-10")
    if command.tn is None and character.character_id not in state.called_rolls:
        return []  # no roll of theirs was called
    return [
        TnNamed(
            actor=character.character_id,
            tn=command.tn,
            tn_named_by=settings.tn_named_by,
            situation=command.situation,
        )
    ]


def declared_tn(asked: Asked, tn: int | None, action: Action) -> int:
    """The TN of a declared action: a GM's, else the one declared, unless whoever rolls may name it."""
    settings: Settings = asked.settings
    return _named(asked, tn, action.tn if settings.tn_named_by != "roller" else None) or _missing(action.tn)


def loose_tn(state: FreefallState, asked: Asked, tn: int | None, character: Character) -> int:
    """The TN of a roll that nobody declared: that of a GM's call, else what whoever rolls says."""
    called = state.called_rolls.get(character.character_id)
    return _named(asked, tn, called.tn if called is not None else None) or _missing(None)


def _named(asked: Asked, tn: int | None, stands: int | None) -> int | None:
    """The TN that counts: the one that comes with the roll, or the one that stands."""
    if tn is None or tn == stands or asked.is_gm or asked.decided_before:
        return tn or stands
    if stands is not None:
        told = say("This is rolled against TN {tn}; only a GM changes that.", tn=stands)
        raise Rejection("tn_stands", told, rule="FF-10", tn=stands)
    require_tn(asked)
    return tn


def _missing(tn: int | None) -> int:
    """The TN before penalties. Raises `tn_missing`."""
    if tn is None:
        raise Rejection("tn_missing", "Say what to roll against: 11, 16 or 21, for instance.", rule="FF-10")
    return tn


def tn_named(state: FreefallState, event: TnNamed) -> None:
    """The last word stands, on an action that is still to be rolled."""
    if event.action is None:
        state.called_rolls.pop(event.actor, None)
        if event.tn is not None:
            state.called_rolls[event.actor] = CalledRoll(event.tn, event.situation)
        return
    action = state.board.action(event.action) if state.board is not None else None
    if action is not None and action.status == "declared":
        action.tn = event.tn
