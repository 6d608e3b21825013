"""A campaign is put away, and taken up again."""

from typing import ClassVar

from domain.campaign.event import Event


class CampaignArchived(Event, frozen=True, tag="campaign.archived"):
    """From `at` (microseconds UTC) on everything can be read and nothing happens."""

    undoable: ClassVar[bool] = False

    at: int


class CampaignUnarchived(Event, frozen=True, tag="campaign.unarchived"):
    """It goes on. What waits in real time waits longer by `rested` (microseconds)."""

    undoable: ClassVar[bool] = False

    rested: int


ArchiveEvent = CampaignArchived | CampaignUnarchived
