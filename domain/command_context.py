"""A command together with who asks, when, and under which settings."""

from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from domain.dice.seeds import EpochSeeds
from domain.ids import AccountId, ActionId, CharacterId
from domain.rejection import Rejection

Role = Literal["gm", "player", "observer"]
"""What an account may do in a campaign."""

Visibility = Annotated[str, Meta(pattern=r"^(all|gm|blind|account:[0-9a-f-]{36})$")]
"""Who may read an event: everybody, GMs, GMs but not the one who asked, or GMs and one account.

Whoever asks may read it, too, but for what is blind.
"""

_ACCOUNT = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"

StoredVisibility = Annotated[str, Meta(pattern=f"^(all|gm|blind|account:{_ACCOUNT}(,{_ACCOUNT})?)$")]
"""The same as it is kept: with the account of a player who asked for it, where it is another one's."""


class KnownCharacter(Struct, frozen=True):
    """A character of any system of the campaign; `machine` is what their machine is called, if they have one."""

    name: str
    player: AccountId | None
    machine: str | None


class Asked(Struct, frozen=True):
    """What `decide` needs to know about a command besides the state it meets.

    `at` is real time in whole microseconds UTC, `game_time` whole seconds of campaign time. `settings` are
    those of the system that the command belongs to. `account` is None when a worker asks on behalf of
    the campaign; its `role` is then `worker`. `members` are those of the campaign, and `find_character` finds
    any of its characters, whatever their system. `visibility` says who may read what comes of it. `dice_seeds`
    are those of the epoch that the command is about, the open one unless it names another; None: there is none,
    or no key. `meant`, for a command that is decided once more, tells the ids of what it was about.

    `filled` is the one thing that deciding gives back besides events: what the command left out and the rules
    found for it (the only character, the turn that goes on), by the name of its field; what it said itself may
    stand there again. Each deciding wants a table of its own. With it `domain.mechanics.choose.explicit` makes
    the same command that leaves nothing out.
    """

    command: Any
    account: AccountId | None
    role: Role | Literal["worker"]
    action_id: ActionId
    at: int
    game_time: int
    settings: Any
    members: Mapping[AccountId, Role] | None = None
    find_character: Callable[[CharacterId], KnownCharacter | None] | None = None
    visibility: str = "all"
    meant: Callable[[], Collection[str]] | None = None
    dice_seeds: EpochSeeds | None = None
    filled: dict[str, Any] = field(default_factory=dict)

    def require_member(self, account: AccountId) -> None:
        """Refuse `unknown_member` to an account that is not in the campaign (where that is known)."""
        if self.members is not None and account not in self.members:
            raise Rejection("unknown_member", "Nobody with that account is a member of this campaign.")

    def require_character(self, character: CharacterId) -> KnownCharacter | None:
        """A character of the campaign; None where characters are not known. Refuses `unknown_character`."""
        if self.find_character is None:
            return None
        found = self.find_character(character)
        if found is None:
            raise Rejection("unknown_character", "No character of this campaign has that id.")
        return found

    def is_absent(self, account: AccountId) -> bool:
        """Whether somebody may not act here any more (where that is known): a GM acts for them."""
        return self.members is not None and self.members.get(account) in (None, "observer")

    @property
    def decided_before(self) -> bool:
        """Whether this is an old command, decided once more: a ruling that came later does not refuse it."""
        return self.meant is not None

    @property
    def is_gm(self) -> bool:
        """Whether this may command what is the GM's: a GM, or the campaign itself."""
        return self.role in ("gm", "worker")
