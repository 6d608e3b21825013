"""What a vector's `given` and command mean, once translated, whatever the system."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from msgspec import Struct

from domain.command_context import CommandContext
from domain.lifecycle_events import LifecycleEvent
from domain.systems.system import RuleSystem


class Situation(Struct):
    """A state, a question to it, and how to see the state in the vectors' words.

    `moment` is set where the vector's command is the campaign's; the system then follows instead of deciding.
    """

    system: RuleSystem
    state: Any
    context: CommandContext
    view: Callable[[Any], dict[str, Any]]
    moment: LifecycleEvent | None = None


def account(name: str) -> UUID:
    """The account that a short name in a vector stands for."""
    return uuid5(NAMESPACE_URL, f"account:{name}")


def only(known: set[str], found: Mapping[str, Any], where: str) -> None:
    """Fail on a key that nobody translates: a vector that is half understood proves nothing."""
    unknown = set(found) - known
    assert not unknown, f"{where} has keys that are not translated: {sorted(unknown)}"
