"""Commands and events of archiving."""

from typing import ClassVar

from domain.campaign.messages.base_types import Command, Event


class ArchiveCampaign(Command, frozen=True, omit_defaults=True, tag="campaign.archive"):
    """Archive the campaign: it can be read, but nothing happens in it.

    `until_restored`: because it is about to be deleted.
    """

    until_restored: bool = False


class UnarchiveCampaign(Command, frozen=True, tag="campaign.unarchive"):
    """Unarchive the campaign."""


class CampaignArchived(Event, frozen=True, omit_defaults=True, tag="campaign.archived"):
    """The campaign is archived: from `at` (microseconds UTC) on it can be read, and nothing happens.

    `until_restored`: because it was about to be deleted, and only until it is restored.
    """

    undoable: ClassVar[bool] = False

    at: int
    until_restored: bool = False


class CampaignUnarchived(Event, frozen=True, tag="campaign.unarchived"):
    """The campaign is unarchived. Waits in real time are longer by `rested` (microseconds)."""

    undoable: ClassVar[bool] = False

    rested: int


ArchiveEvent = CampaignArchived | CampaignUnarchived
