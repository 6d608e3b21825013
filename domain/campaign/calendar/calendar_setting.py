"""The calendar of a campaign, which is one of its settings."""

from domain.campaign.calendar_shapes import CountedCalendar, calendar_of
from domain.campaign.settings import OWN, settings_of
from domain.campaign.state import CampaignState


def calendar_in(state: CampaignState) -> CountedCalendar:
    """The calendar that a campaign has."""
    return calendar_of(settings_of(OWN, state.changed_settings).calendar)
