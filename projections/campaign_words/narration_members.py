"""Members and roles as sentences."""

from typing import assert_never

from domain.command_context import Role
from domain.sentences import Sentence, say


def joined_as(who: str, role: Role) -> Sentence:
    """A new member."""
    match role:
        case "gm":
            return say("{who} joined as a GM", who=who)
        case "player":
            return say("{who} joined as a player", who=who)
        case "observer":
            return say("{who} joined as an observer", who=who)
        case _:
            assert_never(role)


def is_now(who: str, role: Role) -> Sentence:
    """A member with another role."""
    match role:
        case "gm":
            return say("{who} is a GM from now on", who=who)
        case "player":
            return say("{who} is a player from now on", who=who)
        case "observer":
            return say("{who} is an observer from now on", who=who)
        case _:
            assert_never(role)
