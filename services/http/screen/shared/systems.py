"""The rule systems as a page presents them."""

from functools import cache

from msgspec import Struct

from domain.accounts import InviteRole
from domain.command_context import Role
from domain.ids import SystemId
from domain.sentences import Sentence, say
from domain.systems import SYSTEMS
from projections.systems import SYSTEM_VIEWS

ROLES: dict[Role, Sentence] = {
    "gm": say("Game master"),
    "player": say("Player"),
    "observer": say("Observer"),
}

INVITED_AS: dict[InviteRole, Sentence] = {
    "gm": ROLES["gm"],
    "player": ROLES["player"],
    "observer": ROLES["observer"],
    "watcher": say("Watching without an account"),
}


class Game(Struct, frozen=True):
    """A rule system: its id, its name, and one line about it."""

    system: SystemId
    title: str
    line: Sentence


@cache
def games() -> list[Game]:
    """All rule systems, in the order in which they are listed to people."""
    return [Game(system.id, system.title, SYSTEM_VIEWS[system.id].line) for system in SYSTEMS.values()]
