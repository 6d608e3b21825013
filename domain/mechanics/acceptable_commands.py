"""Finds out which commands the rules would accept now, without rolling a die."""

from collections.abc import Callable, Collection
from typing import Any, Never
from uuid import UUID

import msgspec

from domain.command_context import CommandContext, Role
from domain.ids import AccountId, ActionId
from domain.rejection import Rejection

NOBODY = UUID(int=0)
TO_FILL_IN = "…"
"""Stands for words of one's own in a command that is tried."""


class FirstDie(Exception):  # noqa: N818 — nothing has gone wrong: every check has passed
    """A command that is only tried wants a die, or a seed of dice: the rules accept it."""


class NoDice:
    """Dice for a command that is only tried: its permission and legality come before the first die."""

    def roll(self, sides: int) -> Never:  # noqa: ARG002 — a die of any size
        """Raises `FirstDie`."""
        raise FirstDie

    def finish(self) -> None:
        """Does nothing: no die was drawn."""


class SecretSeeds:
    """The seeds of any epoch for a command that is only tried, which must not tell any of them.

    Everything but `are_of` raises `FirstDie`.
    """

    def are_of(self, epoch: int) -> bool:  # noqa: ARG002 — of whichever is asked for
        """Always true."""
        return True

    @property
    def open_seed(self) -> Never:
        """Not told."""
        raise FirstDie

    @property
    def hidden_seed(self) -> Never:
        """Not told."""
        raise FirstDie

    def key_of(self, roll: int) -> Never:  # noqa: ARG002 — whichever
        """Not told."""
        raise FirstDie

    def path_of(self, roll: int) -> Never:  # noqa: ARG002 — whichever
        """Not told."""
        raise FirstDie


class Trial:
    """Asks the rules of a system which commands they would accept, once for each command and asker.

    `able` are the accounts that may act here, where known.
    """

    def __init__(
        self,
        decide: Callable[[Any, CommandContext, Any], Any],
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
        """The player, or None (a GM) where that player may no longer act."""
        return None if self._able is not None and player not in self._able else player

    def context(self, command: Any, player: AccountId | None) -> CommandContext:
        """The context of a command that this player, or (None) a GM, would ask for."""
        return CommandContext(
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
        """Whether the rules accept a command from this player, or (None) from a GM."""
        asked_before = (msgspec.json.encode(command), player)
        if asked_before not in self._tried:
            self._tried[asked_before] = self._take(command, player)
        return self._tried[asked_before]

    def _take(self, command: Any, player: AccountId | None) -> bool:
        try:
            self._decide(self._state, self.context(command, player), NoDice())
        except FirstDie:
            return True
        except Rejection:
            return False
        return True
