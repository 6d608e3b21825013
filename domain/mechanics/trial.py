"""Finding out what may be done: the rules are asked, and no die falls."""

from collections.abc import Callable, Collection
from typing import Any, Never
from uuid import UUID

import msgspec

from domain.command_context import Asked, Role
from domain.ids import AccountId, ActionId
from domain.rejection import Rejection

NOBODY = UUID(int=0)


class FirstDie(Exception):  # noqa: N818 — nothing has gone wrong: whatever could refuse has passed
    """A command that is only tried wants a die."""


class NoDice:
    """Stands where a command is only tried: its permission and legality come before the first die."""

    def roll(self, sides: int) -> Never:  # noqa: ARG002 — whatever its size
        """Stop."""
        raise FirstDie

    def finish(self) -> None:
        """Nothing was drawn, nothing is left over."""


class Trial:
    """Asks the rules of a system what they would take now, once about each command of each asker.

    `able` are those who may act here, where known.
    """

    def __init__(
        self,
        decide: Callable[[Any, Asked, Any], Any],
        state: Any,
        settings: Any,
        able: Collection[AccountId] | None = None,
    ) -> None:
        self.settings = settings
        self._decide = decide
        self._state = state
        self._able = able
        self._tried: dict[tuple[bytes, AccountId | None], bool] = {}
        self._members: dict[AccountId, Role] | None = dict.fromkeys(able, "player") if able is not None else None

    def here(self, player: AccountId | None) -> AccountId | None:
        """A player who may act; None: a GM does, also for whoever may not act any more."""
        return None if self._able is not None and player not in self._able else player

    def asked(self, command: Any, player: AccountId | None) -> Asked:
        """A command as this player would ask for it, or (None) any GM."""
        return Asked(
            command=command,
            account=player or AccountId(NOBODY),
            role="gm" if player is None else "player",
            action_id=ActionId(NOBODY),
            at=0,
            game_time=0,
            settings=self.settings,
            members=self._members,
        )

    def accepts(self, command: Any, player: AccountId | None) -> bool:
        """Whether the rules take a command from this player, or (None) from a GM."""
        asked_before = (msgspec.json.encode(command), player)
        if asked_before not in self._tried:
            self._tried[asked_before] = self._take(command, player)
        return self._tried[asked_before]

    def _take(self, command: Any, player: AccountId | None) -> bool:
        try:
            self._decide(self._state, self.asked(command, player), NoDice())
        except FirstDie:
            return True
        except Rejection:
            return False
        return True
