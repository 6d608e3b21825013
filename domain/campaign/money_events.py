"""What happens in the ledger in two steps: currency is set aside, and then goes where it was to go, or back.

In between it lies in `escrow:<entry_id>`. An account that is on a character's sheet is moved by an event of the
character's rule system in the same action; `on_sheet` says so, and the campaign's event then moves nothing.
"""

from domain.campaign.event import Event
from domain.ids import AccountId
from domain.texts import FreeText


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
