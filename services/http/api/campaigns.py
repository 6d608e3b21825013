"""`/api/campaigns`: create, list, read, archive, delete and restore campaigns."""

from typing import Annotated
from uuid import UUID

from litestar import Controller, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Meta, Struct

from domain.campaign.commands import ArchiveCampaign, CreateCampaign, UnarchiveCampaign
from domain.campaign.request import ActRequest
from domain.ids import CampaignId
from projections.campaign.campaign_view import CampaignView
from services.accounts.authentication import Principal
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.submit import submit_command
from services.http.api.openapi_roles import ACCOUNT, GMS, MEMBERS
from services.http.paths import BeforeIdQuery, KeyHeader, LimitQuery, checked_key
from services.lifecycle.campaign_front import view_of
from services.lifecycle.campaign_lists import (
    CampaignsPage,
    DeletedCampaign,
    DeletedPage,
    describe_deletions,
    your_campaigns,
    your_deleted_campaigns,
)
from services.lifecycle.deletion import delete_campaign, restore_campaign
from services.lifecycle.membership import create_campaign
from services.reading.parameters import LIMIT_DEFAULT, campaign_of


class Founded(Struct, frozen=True):
    """The new campaign."""

    campaign_id: CampaignId


class CampaignName(Struct, frozen=True, forbid_unknown_fields=True):
    """The campaign's name, as confirmation."""

    name: Annotated[str, Meta(max_length=200)]


class CampaignsController(Controller):
    """Campaigns as a whole."""

    path = "/api/campaigns"
    tags = ("campaigns",)

    @post("", summary="Found a campaign", operation_class=ACCOUNT)
    async def create(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        data: JSONBody[CreateCampaign],
        key: KeyHeader = None,
    ) -> Founded:
        """Create a campaign and be its GM. Refuses `unknown_system`, `unknown_setting` and `setting_invalid`."""
        return Founded(
            await create_campaign(application.for_campaigns, principal.account_id, data, checked_key(key))
        )

    @get("", summary="Your campaigns", operation_class=ACCOUNT)
    async def mine(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        after: FromQuery[UUID | None] = None,
        before: BeforeIdQuery = None,
        limit: LimitQuery = LIMIT_DEFAULT,
        archived: FromQuery[bool | None] = None,
    ) -> CampaignsPage:
        """The campaigns you are a member of; with `archived`, only those that are, or are not."""
        return await your_campaigns(
            application.for_campaigns,
            principal.account_id,
            after=after,
            before=before,
            limit=limit,
            archived=archived,
        )

    @get("/deleted", summary="Your deleted campaigns", operation_class=ACCOUNT)
    async def deleted(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        after: FromQuery[UUID | None] = None,
        before: BeforeIdQuery = None,
        limit: LimitQuery = LIMIT_DEFAULT,
    ) -> DeletedPage:
        """The campaigns that you are a GM of and that are going to be purged, unless one of you restores them."""
        return await your_deleted_campaigns(
            application.for_campaigns, principal.account_id, after=after, before=before, limit=limit
        )

    @get("/{campaign_id:str}", summary="One campaign", operation_class=MEMBERS)
    async def one(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
    ) -> CampaignView:
        """The campaign at a glance. Refuses `campaign_not_found`."""
        return await view_of(application, visible)

    @post("/{campaign_id:str}/archive", summary="Archive a campaign", operation_class=GMS, status_code=200)
    async def archive(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
    ) -> CampaignView:
        """Archive the campaign: everything can be read, exported and forked, and commands are refused.

        Commands are answered with 409 `campaign_archived`, except for leaving it. Timers rest, those in real time
        too. GMs only.
        """
        return await self._change(application, principal, campaign_id, ArchiveCampaign())

    @post("/{campaign_id:str}/unarchive", summary="Take a campaign up again", operation_class=GMS, status_code=200)
    async def unarchive(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
    ) -> CampaignView:
        """Unarchive the campaign; timers in real time are postponed by the time it was archived. GMs only."""
        return await self._change(application, principal, campaign_id, UnarchiveCampaign())

    @delete("/{campaign_id:str}", summary="Delete a campaign", operation_class=GMS, status_code=200)
    async def remove(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        data: JSONBody[CampaignName],
    ) -> DeletedCampaign:
        """Delete the campaign, with its name as confirmation; GMs only.

        From now on it is not found any more. Its GMs see it among their deleted campaigns, and can restore it
        until `gone_at`. Refuses `name_differs`, and `founder_decides` where another GM founded it: the command
        `campaign.ask_deletion` asks for their word, and after fourteen days without one it can be deleted.
        """
        campaign = campaign_of(campaign_id)
        deletion = await delete_campaign(application.for_campaigns, campaign, principal.account_id, data.name)
        return (await describe_deletions(application.for_campaigns, [deletion]))[0]

    @post("/{campaign_id:str}/restore", summary="Restore a deleted campaign", operation_class=GMS, status_code=200)
    async def restore(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
    ) -> CampaignView:
        """Restore a deleted campaign; timers in real time wait on. One that is not deleted stays as it is."""
        campaign = await restore_campaign(
            application.for_campaigns, campaign_of(campaign_id), principal.account_id
        )
        return await view_of(application, campaign)

    async def _change(
        self,
        application: Application,
        principal: Principal,
        campaign_id: str,
        command: ArchiveCampaign | UnarchiveCampaign,
    ) -> CampaignView:
        campaign = campaign_of(campaign_id)
        await submit_command(application, campaign, principal.account_id, ActRequest(command=command))
        visible = await application.campaigns.see(campaign, principal.account_id)
        return await view_of(application, visible)
