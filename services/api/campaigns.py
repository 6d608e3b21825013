"""`/api/campaigns`: found one, find yours, look at one."""

from uuid import UUID

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Struct

from domain.asked import Role
from domain.campaign.commands import CreateCampaign
from domain.ids import CampaignId
from projections.campaign_view import CampaignView, campaign_view
from services.acting import create_campaign
from services.api.paths import LIMIT_DEFAULT, AtQuery, LimitQuery, campaign_of, moment_of
from services.api.roles import ACCOUNT, MEMBERS
from services.house import House
from services.people import Principal


class Founded(Struct, frozen=True):
    """The new campaign."""

    campaign_id: CampaignId


class CampaignEntry(Struct, frozen=True):
    """One of your campaigns, as of a seq of its own."""

    campaign_id: CampaignId
    name: str
    your_role: Role
    systems: list[str]
    as_of: int


class CampaignsPage(Struct, frozen=True):
    """Your campaigns. `next_after` goes into the next request; null after the last."""

    campaigns: list[CampaignEntry]
    next_after: CampaignId | None


class CampaignsController(Controller):
    """Campaigns as a whole."""

    path = "/api/campaigns"
    tags = ("campaigns",)

    @post("", summary="Found a campaign", operation_class=ACCOUNT)
    async def create(
        self,
        house: NamedDependency[House],
        principal: NamedDependency[Principal],
        data: JSONBody[CreateCampaign],
    ) -> Founded:
        """Found a campaign and be its GM. Refuses `unknown_system`, `unknown_setting` and `setting_invalid`."""
        return Founded(await create_campaign(house, principal.account_id, data))

    @get("", summary="Your campaigns", operation_class=ACCOUNT)
    async def mine(
        self,
        house: NamedDependency[House],
        principal: NamedDependency[Principal],
        after: FromQuery[UUID | None] = None,
        limit: LimitQuery = LIMIT_DEFAULT,
    ) -> CampaignsPage:
        """The campaigns you are a member of."""
        start = CampaignId(after) if after is not None else None
        found = await house.log.campaigns_of(principal.account_id, start, limit)
        entries = []
        for campaign_id, _ in found:
            seen = await house.reading.see(campaign_id, principal.account_id)
            entries.append(CampaignEntry(campaign_id, seen.state.name, seen.role, [*seen.state.systems], seen.seq))
        return CampaignsPage(entries, found[-1][0] if len(found) == limit else None)

    @get("/{campaign_id:str}", summary="One campaign", operation_class=MEMBERS)
    async def one(
        self,
        house: NamedDependency[House],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        at: AtQuery = None,
    ) -> CampaignView:
        """The campaign at a glance. Refuses `campaign_not_found`."""
        seen = await house.reading.see(campaign_of(campaign_id), principal.account_id, moment_of(at))
        return campaign_view(seen.state, seen.campaign_id, seen.seq, seen.role, seen.name)
