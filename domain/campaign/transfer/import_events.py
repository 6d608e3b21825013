"""What stands around the facts of another campaign that were brought over, and how each of them is marked."""

from typing import ClassVar

from msgspec import Struct, field

from domain.campaign.message_types import Command, Event
from domain.event_store_types import StoredEvent, UnsealedEvent
from domain.ids import AccountId, CampaignId
from domain.personal_text import Name, ShortText

MARK = "import:"
"""How the cause of an event begins that was brought over; when it was first recorded follows, and why."""


class ImportCampaign(Command, frozen=True, tag="campaign.import"):
    """Bring a campaign over from a file, or as it was at a moment; what was asked for with the events below."""

    campaign_id: CampaignId
    as_of: int
    name: Name | None = None


class ImportedPerson(Struct, frozen=True):
    """The account that stands for somebody here, and what they were called there."""

    account: AccountId
    name: ShortText


class CampaignImported(Event, frozen=True, tag="campaign.imported"):
    """What follows happened in another campaign, up to its event `as_of`; `events` of it were brought over.

    `attested`: this service had itself signed for those events. Dice epochs stay behind, so that no die that was
    brought over can be recomputed here.
    """

    undoable: ClassVar[bool] = False

    campaign_id: CampaignId
    as_of: int
    head_hash: str
    exported_at: str
    events: int
    attested: bool
    people: list[ImportedPerson] = field(default_factory=list)


class ImportCompleted(Event, frozen=True, tag="campaign.import_completed"):
    """Everything was brought over: from here on the campaign is `gm`'s alone, under its own name."""

    undoable: ClassVar[bool] = False

    gm: AccountId
    name: Name


ImportEvent = CampaignImported | ImportCompleted


def marked(row: StoredEvent) -> str:
    """The cause of an event once it is brought over; what was brought over before keeps its mark."""
    return row.cause if row.cause.startswith(MARK) else f"{MARK}{row.recorded_at}:{row.cause}"


def first_cause(cause: str) -> str:
    """Why it happened, wherever that was."""
    return cause.split(":", 2)[2] if cause.startswith(MARK) else cause


def first_recorded(row: StoredEvent | UnsealedEvent) -> int:
    """When it was recorded first, wherever that was: microseconds UTC."""
    return int(row.cause.split(":", 2)[1]) if row.cause.startswith(MARK) else row.recorded_at


def imported_at(row: StoredEvent | UnsealedEvent) -> int | None:
    """When it was brought over from another campaign, microseconds UTC; None: it happened in this one."""
    return row.recorded_at if row.cause.startswith(MARK) else None
