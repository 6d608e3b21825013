"""The parts of the application that are needed to read a campaign."""

from msgspec import Struct

from services.campaign.name_resolver import NameResolver
from services.campaign.state_at import StateReader
from services.campaign.visible_campaign import CampaignReader
from services.ports.event_store import EventStore
from services.ports.ledger_check_store import LedgerCheckStore
from services.ports.projection_store import ProjectionStore
from services.ports.timer_store import TimerStore


class Readers(Struct, frozen=True, kw_only=True):
    """The event store and what is derived from it, and what reads campaigns and names from them."""

    log: EventStore
    views: ProjectionStore
    timers: TimerStore
    ledger_checks: LedgerCheckStore
    campaigns: CampaignReader
    states: StateReader
    names: NameResolver
