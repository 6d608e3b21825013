"""A command together with who asks, when, and under which settings."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from domain.ids import AccountId, ActionId

Role = Literal["gm", "player", "observer"]
"""What an account may do in a campaign."""

Visibility = Annotated[str, Meta(pattern=r"^(all|gm|blind|account:[0-9a-f-]{36})$")]
"""Who may read an event: everybody, GMs, GMs but not the one who asked, or GMs and one account."""


class Asked(Struct, frozen=True):
    """What `decide` needs to know about a command besides the state it meets.

    `at` is real time in whole microseconds UTC, `game_time` whole seconds of campaign time. `settings` are
    those of the system that the command belongs to. `account` is None when a worker asks on behalf of
    the campaign; its `role` is then `worker`.
    """

    command: Any
    account: AccountId | None
    role: Role | Literal["worker"]
    action_id: ActionId
    at: int
    game_time: int
    settings: Any

    @property
    def is_gm(self) -> bool:
        """Whether this may command what is the GM's: a GM, or the campaign itself."""
        return self.role in ("gm", "worker")
