"""A command together with its asker, its time and its settings."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from domain.dice.seeded_dice import PublishedSeeds
from domain.ids import AccountId, ActionId, CharacterId
from domain.rejection import Rejection

Role = Literal["gm", "player", "observer"]
"""The part of an account in a campaign."""

Visibility = Annotated[str, Meta(pattern=r"^(all|gm|blind|account:[0-9a-f-]{36})(?!\n)$")]
"""The readers of an event: everyone, GMs, GMs except the asker (`blind`), or GMs and one account.

The asker may read it too, unless it is blind.
"""

_ACCOUNT = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"

StoredVisibility = Annotated[str, Meta(pattern=f"^(all|gm|blind|account:{_ACCOUNT}(,{_ACCOUNT})?)$")]
"""A visibility as it is stored: for one account, it also names the player who asked, if that is another account.
"""


class KnownCharacter(Struct, frozen=True):
    """A character of any system of the campaign; `machine` is the name of their machine, if they have one."""

    name: str
    player: AccountId | None
    machine: str | None


class CommandContext(Struct, frozen=True):
    """Everything `decide` needs to know about a command besides the state."""

    command: Any
    account: AccountId | None
    """None when a worker asks on behalf of the campaign."""
    role: Role | Literal["worker"]
    action_id: ActionId
    at: int
    """Real time in whole microseconds UTC."""
    game_time: int
    """Whole seconds of campaign time."""
    settings: Any
    """Those of the command's system."""
    members: Mapping[AccountId, Role] | None = None
    at_table: Collection[AccountId] | None = None
    """The members who are present in the play session; None: there is none."""
    find_character: Callable[[CharacterId], KnownCharacter | None] | None = None
    """Finds a character of any system of the campaign."""
    out_of_story: Collection[str] = ()
    """The characters who left the story; none where a command is decided again."""
    visibility: str = "all"
    """The readers of the resulting events."""
    meant_ids: Callable[[], Collection[str]] | None = None
    """Returns the ids that the command was about, for one that is decided again."""
    outcome: Sequence[Any] = ()
    """The events that the command brought at first, for one that is decided again."""
    dice_seeds: PublishedSeeds | None = None
    """Those of the epoch that the command is about; None: there are none, or the key is missing.

    It is the open one unless the command names another.
    """
    filled: dict[str, Any] = field(default_factory=dict)
    """An output: the fields that the command left out and the rules found (the only character, the current turn).

    Fields that the command gave may be in it too. Each call of `decide` needs a new dict.
    `domain.mechanics.omitted_ids.explicit` uses it to make the same command with nothing left out.
    """

    def require_member(self, account: AccountId) -> None:
        """Raise `unknown_member` if the account is not in the campaign (where that is known)."""
        if self.members is not None and account not in self.members:
            raise Rejection("unknown_member", "Nobody with that account is a member of this campaign.")

    def require_character(self, character: CharacterId) -> KnownCharacter | None:
        """The character with this id; None where characters are not known. Raises `unknown_character`."""
        if self.find_character is None:
            return None
        known_character = self.find_character(character)
        if known_character is None:
            raise Rejection("unknown_character", "No character of this campaign has that id.")
        return known_character

    def is_absent(self, account: AccountId) -> bool:
        """Whether an account may no longer act here (False where members are not known): a GM acts for it."""
        return self.members is not None and self.members.get(account) in (None, "observer")

    def is_away(self, account: AccountId | None) -> bool:
        """Whether a play session goes on without the account."""
        return account is not None and self.at_table is not None and account not in self.at_table

    @property
    def decided_before(self) -> bool:
        """Whether an old command is re-decided: rulings that are newer than the command do not refuse it."""
        return self.meant_ids is not None

    @property
    def is_gm(self) -> bool:
        """Whether a GM, or the campaign itself, asks."""
        return self.role in ("gm", "worker")
