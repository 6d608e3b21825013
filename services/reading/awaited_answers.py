"""The answers that a table waits for from its reader: in the title of their page, and in calls."""

from projections.campaign.pending_choices import Awaited, choices_of
from services.campaign.visible_campaign import VisibleCampaign


def awaited_from_reader(campaign: VisibleCampaign) -> list[Awaited]:
    """The choices that wait for the reader, or for any GM where they are one; none for who reads as a member."""
    if campaign.shown_to is not None:
        return []
    own = (campaign.account, None) if campaign.role == "gm" else (campaign.account,)
    pending = choices_of(campaign.state, campaign.name, campaign.common, campaign.language)
    return [choice for choice in pending if choice.waits_for in own]
