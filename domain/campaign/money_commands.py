"""What people can ask of the ledger besides a plain entry."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.campaign.command import Account, Command
from domain.texts import FreeText, Key, Reference


class OfferTransfer(Command, frozen=True, tag="campaign.offer_transfer"):
    """Offer currency of one's own to somebody: it is set aside until whoever owns `credit` agrees, or a GM does.

    One's own are the accounts that end in the id of one's character or, after `player:`, of one's account. `new`
    names an account on purpose that this campaign does not know.
    """

    currency: Key
    debit: Account
    credit: Account
    amount: Annotated[int, Meta(ge=1, le=1_000_000_000)]
    reason: Annotated[FreeText, Meta(min_length=1)]
    new: bool | UnsetType = UNSET


class PostPending(Command, frozen=True, tag="campaign.post_pending"):
    """Let what was set aside go where it was to go: by whoever had to agree, otherwise by a GM."""

    entry: Reference


class VoidPending(Command, frozen=True, tag="campaign.void_pending"):
    """Give back what was set aside: by whoever set it aside, whoever had to agree, or a GM."""

    entry: Reference


MoneyCommand = OfferTransfer | PostPending | VoidPending
