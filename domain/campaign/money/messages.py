"""Commands and events about money that waits for somebody's consent."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.campaign.message_types import Account, Command, Event
from domain.ids import AccountId
from domain.personal_text import FreeText, Key, Reference


class OfferTransfer(Command, frozen=True, tag="campaign.offer_transfer"):
    """Offer currency of one's own to somebody: it is set aside until whoever owns `credit` agrees, or a GM does.

    One's own are the accounts that end in the id of one's character or, after `player:`, of one's account. `new`
    names an account on purpose that this campaign does not know. Whoever has to agree must be able to read it.
    """

    currency: Key
    debit: Account
    credit: Account
    amount: Annotated[int, Meta(ge=1, le=1_000_000_000)]
    reason: Annotated[FreeText, Meta(min_length=1)]
    new: bool | UnsetType = UNSET


class PostPending(Command, frozen=True, tag="campaign.post_pending"):
    """Let what was set aside go where it was to go: by whoever had to agree, or a GM."""

    entry: Reference


class VoidPending(Command, frozen=True, tag="campaign.void_pending"):
    """Give back what was set aside: by whoever set it aside, whoever had to agree, or a GM."""

    entry: Reference


MoneyCommand = OfferTransfer | PostPending | VoidPending


class EntryPending(Event, frozen=True, tag="campaign.entry_pending"):
    """Currency is set aside. `consent` is who has to agree; None: a GM."""

    entry_id: str
    currency: str
    debit: str
    credit: str
    change: int
    reason: FreeText
    held_by: AccountId | None
    consent: AccountId | None = None
    on_sheet: bool = False


class PendingPosted(Event, frozen=True, tag="campaign.pending_posted"):
    """What was set aside goes where it was to go."""

    entry_id: str
    currency: str
    debit: str
    credit: str
    change: int
    on_sheet: bool = False


class PendingVoided(Event, frozen=True, tag="campaign.pending_voided"):
    """What was set aside goes back."""

    entry_id: str
    currency: str
    debit: str
    credit: str
    change: int
    on_sheet: bool = False


MoneyEvent = EntryPending | PendingPosted | PendingVoided
