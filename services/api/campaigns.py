"""`/api/campaigns`: found one, find yours, look at one."""

from uuid import UUID

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Struct

from domain.asked import Role
from domain.campaign.commands import ArchiveCampaign, CreateCampaign, UnarchiveCampaign
from domain.ids import AccountId, CampaignId
from domain.rejection import Missing
from projections.campaign_view import CampaignView, campaign_view
from services.acting import change_membership, create_campaign
from services.api.paths import LIMIT_DEFAULT, AtQuery, LimitQuery, campaign_of, moment_of
from services.api.roles import ACCOUNT, GMS, MEMBERS
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
    archived: bool


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
        archived: FromQuery[bool | None] = None,
    ) -> CampaignsPage:
        """The campaigns you are a member of; with `archived`, only those that are, or are not."""
        start = CampaignId(after) if after is not None else None
        entries: list[CampaignEntry] = []
        more = True
        while more and len(entries) < limit:
            page = await house.log.campaigns_of(principal.account_id, start, limit)
            more = len(page) == limit
            for campaign_id, _ in page:
                start = campaign_id
                entry = await self._entry(house, campaign_id, principal.account_id)
                if entry is not None and archived in (None, entry.archived):
                    entries.append(entry)
                    if len(entries) == limit:
                        more = more or campaign_id != page[-1][0]
                        break
        return CampaignsPage(entries, start if more else None)

    async def _entry(self, house: House, campaign_id: CampaignId, account: AccountId) -> CampaignEntry | None:
        """One of somebody's campaigns; None: not theirs any more by now."""
        try:
            seen = await house.reading.see(campaign_id, account)
        except Missing:
            return None
        state = seen.state
        return CampaignEntry(
            campaign_id, state.name, seen.role, [*state.systems], seen.seq, state.archived_at is not None
        )

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

    @post("/{campaign_id:str}/archive", summary="Archive a campaign", operation_class=GMS, status_code=200)
    async def archive(
        self, house: NamedDependency[House], principal: NamedDependency[Principal], campaign_id: FromPath[str]
    ) -> CampaignView:
        """Put the campaign away: everything can be read, exported and forked, and nothing happens in it.

        What is asked of it is answered with 409 `campaign_archived`, except for leaving it. Timers rest, those in
        real time too. GMs only.
        """
        return await self._change(house, principal, campaign_id, ArchiveCampaign())

    @post("/{campaign_id:str}/unarchive", summary="Take a campaign up again", operation_class=GMS, status_code=200)
    async def unarchive(
        self, house: NamedDependency[House], principal: NamedDependency[Principal], campaign_id: FromPath[str]
    ) -> CampaignView:
        """Go on with an archived campaign; timers in real time wait as much longer as it rested. GMs only."""
        return await self._change(house, principal, campaign_id, UnarchiveCampaign())

    async def _change(
        self,
        house: House,
        principal: Principal,
        campaign_id: str,
        command: ArchiveCampaign | UnarchiveCampaign,
    ) -> CampaignView:
        campaign = campaign_of(campaign_id)
        await change_membership(house, campaign, principal.account_id, command)
        seen = await house.reading.see(campaign, principal.account_id)
        return campaign_view(seen.state, seen.campaign_id, seen.seq, seen.role, seen.name)
