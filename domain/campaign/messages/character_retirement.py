"""Commands and events of characters who leave the story, and of those who come back into it."""

from typing import Annotated, Literal, TypeAlias

from domain.campaign.messages.base_types import Account, Command, Event
from domain.field_references import ref
from domain.ids import AccountId, CharacterId
from domain.personal_text import FreeText

Fate: TypeAlias = Literal["dead", "gone"]


class RetireCharacter(Command, frozen=True, tag="campaign.retire_character"):
    """Let a character leave the story: they act no more, and are without a player.

    `purse_to` is the account that gets what they hold; left out, it stays with them. Points that a rule system
    keeps on the sheet stay there. Said again, it changes their fate, or hands the purse over later.
    """

    character: Annotated[CharacterId, ref("character")]
    fate: Fate
    purse_to: Annotated[Account, ref("account", free=True)] | None = None
    reason: FreeText | None = None


class BringCharacterBack(Command, frozen=True, tag="campaign.bring_character_back"):
    """Bring a character back into the story, to the player who had them, if that is a member."""

    character: Annotated[CharacterId, ref("retired")]


class CharacterRetired(Event, frozen=True, tag="campaign.character_retired"):
    """A character left the story."""

    character: CharacterId
    fate: Fate
    player: AccountId | None
    """The account that had them until then."""
    purse_to: str | None = None
    """The account that got what they held, if they held anything."""
    reason: FreeText | None = None


class CharacterCameBack(Event, frozen=True, tag="campaign.character_came_back"):
    """A character is back in the story."""

    character: CharacterId


RetirementCommand = RetireCharacter | BringCharacterBack
RetirementEvent = CharacterRetired | CharacterCameBack
