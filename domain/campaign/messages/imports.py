"""The events around those of an imported campaign, and the mark on each imported event."""

from typing import Annotated, ClassVar

from msgspec import Struct, field

from domain.campaign.messages.base_types import Command, Event
from domain.event_store_types import StoredEvent, UnsealedEvent
from domain.field_references import ref
from domain.ids import AccountId, CampaignId
from domain.personal_text import Name, ShortText

MARK = "import:"
"""How the cause of an imported event begins; when it was first recorded follows, and its first cause."""


class ImportCampaign(Command, frozen=True, tag="campaign.import"):
    """Import a campaign from a file, or as it was at a moment; the request of the events below."""

    campaign_id: CampaignId
    as_of: int
    name: Name | None = None


class ImportedPerson(Struct, frozen=True):
    """The account that stands for a person of the imported campaign, and that person's name there."""

    account: AccountId
    name: ShortText


class CampaignImported(Event, frozen=True, tag="campaign.imported"):
    """The following events happened in another campaign, up to its event `as_of`; `events` of it are imported.

    `attested`: this service had itself signed those events. Dice epochs are left out, so that imported dice
    cannot be recomputed here.
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
    """The import is complete: from here on the campaign is `gm`'s alone, under its own name."""

    undoable: ClassVar[bool] = False

    gm: AccountId
    name: Name


class IdentifyPerson(Command, frozen=True, tag="campaign.identify_person"):
    """Say which member a person of an imported campaign is, whose name was left without an account.

    The person's own things become the member's: hidden actions, money, characters. Money that comes to the
    person's accounts later follows when it is said again.
    """

    person: Annotated[AccountId, ref("imported_person")]
    account: AccountId


class PersonIdentified(Event, frozen=True, tag="campaign.person_identified"):
    """A person of an imported campaign is a member: `account` reads everything for `person`, and has their things.

    The person's money moves by events of its own, beside this one.
    """

    person: AccountId
    account: AccountId


class PurseHandedOver(Event, frozen=True, tag="campaign.purse_handed_over"):
    """An imported person's money in one currency goes to the member who they are; `change` is above zero."""

    currency: str
    debit: str
    credit: str
    change: int


ImportEvent = CampaignImported | ImportCompleted | PersonIdentified | PurseHandedOver


def marked(row: StoredEvent) -> str:
    """The cause of an event once it is imported; one that was imported before keeps its mark."""
    return row.cause if row.cause.startswith(MARK) else f"{MARK}{row.recorded_at}:{row.cause}"


def first_cause(cause: str) -> str:
    """The cause of an event in the campaign where it first happened."""
    return cause.split(":", 2)[2] if cause.startswith(MARK) else cause


def first_recorded(row: StoredEvent | UnsealedEvent) -> int:
    """When an event was first recorded, in any campaign: microseconds UTC."""
    return int(row.cause.split(":", 2)[1]) if row.cause.startswith(MARK) else row.recorded_at


def imported_at(row: StoredEvent | UnsealedEvent) -> int | None:
    """When an event was imported, microseconds UTC; None: it happened in this campaign."""
    return row.recorded_at if row.cause.startswith(MARK) else None
