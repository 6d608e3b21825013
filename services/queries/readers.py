"""What reading a campaign needs of the application."""

from msgspec import Struct

from services.ports.event_store import EventStore
from services.queries.campaign_reader import CampaignReader
from services.queries.name_resolver import NameResolver
from services.state.state_at import StateReader


class Readers(Struct, frozen=True, kw_only=True):
    """The event store, and what reads campaigns and names from it."""

    log: EventStore
    campaigns: CampaignReader
    states: StateReader
    names: NameResolver
