"""Erasure of personal texts: the texts go for good, the events and their hashes stay.

The erasure itself is an event: readers see who erased a text, and every process that holds an older fold learns
that it contains erased texts. It cannot be undone.
"""

from typing import Annotated, ClassVar

from msgspec import Meta

from domain.campaign.messages.base_types import Command, Event
from domain.command_context import Role
from domain.ids import AccountId, ActionId
from domain.rejection import Forbidden
from domain.sentences import say

EVENTS_MAX = 500
"""The most events whose texts are erased in one action."""


class EraseTexts(Command, frozen=True, tag="campaign.erase_texts"):
    """Erase the texts of an action, or (`account`) of several actions of one author."""

    action_id: ActionId | None = None
    account: AccountId | None = None


class TextsErased(Event, frozen=True, tag="campaign.texts_erased"):
    """The `texts` beside these events are erased; `seqs` are in order.

    Readers of those events may read this one.
    """

    undoable: ClassVar[bool] = False

    seqs: Annotated[list[Annotated[int, Meta(ge=1)]], Meta(min_length=1, max_length=EVENTS_MAX)]
    texts: int
    action_id: ActionId | None = None
    account: AccountId | None = None


def check_eraser(role: Role, *, is_theirs: bool) -> None:
    """Raise `not_your_words` for a player who wants to erase another account's texts."""
    if role != "gm" and not is_theirs:
        raise Forbidden("not_your_words", say("Only a GM may erase what somebody else wrote."))
