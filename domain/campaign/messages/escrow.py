"""Commands and events of escrow."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.campaign.messages.base_types import Account, Command, Event, Moved
from domain.field_references import bounded, ref
from domain.ids import AccountId
from domain.personal_text import FreeText, Key, Reference


class OfferTransfer(Command, frozen=True, tag="campaign.offer_transfer"):
    """Offer currency of one's own to another account: set aside until the owner of `credit` or a GM agrees.

    One's own are the accounts that end in the id of one's character or, after `player:`, of one's account. `new`
    names an account on purpose that this campaign does not know. The owner of `credit` must be able to read it.
    """

    currency: Annotated[Key, ref("currency", free=True)]
    debit: Annotated[Account, ref("account", free=True)]
    credit: Annotated[Account, ref("account", free=True)]
    amount: Annotated[Moved, bounded(ends="balance", of=("debit", "currency"))]
    reason: Annotated[FreeText, Meta(min_length=1)]
    new: bool | UnsetType = UNSET


class PostPending(Command, frozen=True, tag="campaign.post_pending"):
    """Post the sum set aside; for the owner of `credit`, or a GM."""

    entry: Annotated[Reference, ref("entry")]


class VoidPending(Command, frozen=True, tag="campaign.void_pending"):
    """Give back the sum set aside; for the account that offered it, the owner of `credit`, or a GM."""

    entry: Annotated[Reference, ref("entry")]


EscrowCommand = OfferTransfer | PostPending | VoidPending


class EntryPending(Event, frozen=True, tag="campaign.entry_pending"):
    """Currency is set aside. `consent` is the account that has to agree; None: a GM."""

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
    """The sum set aside goes to its destination."""

    entry_id: str
    currency: str
    debit: str
    credit: str
    change: int
    on_sheet: bool = False


class PendingVoided(Event, frozen=True, tag="campaign.pending_voided"):
    """The sum set aside goes back."""

    entry_id: str
    currency: str
    debit: str
    credit: str
    change: int
    on_sheet: bool = False


EscrowEvent = EntryPending | PendingPosted | PendingVoided
