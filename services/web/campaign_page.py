"""What every page of a campaign has."""

from services.queries.campaign_reader import VisibleCampaign
from services.web.answers import Page


class CampaignPage(Page, frozen=True):
    """A page of a campaign: the campaign's `path` and `name`, and the system in whose accent it is drawn."""

    path: str
    name: str
    accent: str


def campaign_path(seen: VisibleCampaign) -> str:
    """The path of a campaign's home, with which those of all its pages begin."""
    return f"/c/{seen.campaign_id}"


def accent_of(seen: VisibleCampaign) -> str:
    """The system in whose accent a campaign's pages are drawn; empty: it has none."""
    return str(next(iter(seen.state.systems), ""))
