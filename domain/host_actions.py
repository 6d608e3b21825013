"""Accounts and campaigns as hosts see them, and the record of hosts' actions on the command line."""

from datetime import datetime
from uuid import UUID

from msgspec import Struct

from domain.ids import AccountId, CampaignId


class HostAction(Struct, frozen=True):
    """One command of the host, upon an account or a campaign: by their ids, so that no name outlives its erasure.

    `done_by` is a user of the machine. `refused` is the code of the refusal; None: it was done.
    """

    host_action_id: UUID
    done_at: datetime
    done_by: str
    command: str
    account: AccountId | None
    campaign: CampaignId | None
    refused: str | None


class ListedAccount(Struct, frozen=True):
    """An account in the host's list."""

    account_id: AccountId
    name: str
    created_at: datetime
    disabled_at: datetime | None
    last_used_at: datetime | None
    """Right to the hour."""
    campaigns: int
    """How many it is in."""
    leaving_at: datetime | None
    """When it will be erased, if that was asked for."""


class ListedCampaign(Struct, frozen=True):
    """A campaign in the host's list, with the moment of its last event. Moments are microseconds UTC."""

    campaign_id: CampaignId
    seq: int
    recorded_at: int
    gone_at: int | None
    """From then on it may be purged; None: it is not deleted."""
    name: str | None
    """None for one that is not deleted, which has it in its log."""
    bytes: int = 0
    """How many it takes, as far as that was measured."""
