"""Erasing people's own words: the words go for good, the events and their hashes stay as they are.

That it was done stands in the log: whoever reads "erased" can see by whom, and whoever keeps a fold from before,
in any process, learns from the log that it holds words that are gone. There is no way back, so no undo.
"""

from typing import Annotated, ClassVar

from msgspec import Meta

from domain.campaign.message_types import Command, Event
from domain.command_context import Role
from domain.ids import AccountId, ActionId
from domain.rejection import Forbidden
from domain.sentences import say

EVENTS_MAX = 500
"""Events whose words go in one action."""


class EraseTexts(Command, frozen=True, tag="campaign.erase_texts"):
    """Erase the words of an action, or (`account`) of several that somebody wrote."""

    action_id: ActionId | None = None
    account: AccountId | None = None


class TextsErased(Event, frozen=True, tag="campaign.texts_erased"):
    """So many `texts` beside these events are gone; `seqs` are in order. Who may read those may read this."""

    undoable: ClassVar[bool] = False

    seqs: Annotated[list[Annotated[int, Meta(ge=1)]], Meta(min_length=1, max_length=EVENTS_MAX)]
    texts: int
    action_id: ActionId | None = None
    account: AccountId | None = None


def check_eraser(role: Role, *, is_theirs: bool) -> None:
    """Refuse `not_your_words` to who is no GM, and wants to erase what somebody else wrote."""
    if role != "gm" and not is_theirs:
        raise Forbidden("not_your_words", say("Only a GM may erase what somebody else wrote."))
