"""Commands and events of a request that the founder let a campaign be deleted: other GMs cannot overrule them."""

from domain.campaign.messages.base_types import Command, Event
from domain.ids import AccountId
from domain.personal_text import FreeText

DELETION_WAITS_DAYS = 14
"""So long a deletion that another GM asks for waits for the founder's word."""


class AskDeletion(Command, frozen=True, tag="campaign.ask_deletion"):
    """Ask the founder to let the campaign be deleted; after fourteen days without an answer it may be."""


class DeclineDeletion(Command, frozen=True, tag="campaign.decline_deletion"):
    """Decline that the campaign is deleted; the GM who asked may withdraw it this way."""

    reason: FreeText | None = None


DeletionRequestCommand = AskDeletion | DeclineDeletion


class DeletionAsked(Event, frozen=True, tag="campaign.deletion_asked"):
    """A GM asks the founder to let the campaign be deleted, at a moment (microseconds UTC)."""

    undoable = False

    account: AccountId
    at: int


class DeletionDeclined(Event, frozen=True, tag="campaign.deletion_declined"):
    """The campaign is not deleted: its founder declined, or the GM who asked withdrew it."""

    undoable = False

    account: AccountId
    reason: FreeText | None = None


DeletionRequestEvent = DeletionAsked | DeletionDeclined
