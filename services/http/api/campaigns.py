"""`/api/campaigns`: create, list, read, archive, delete and restore campaigns."""

from typing import Annotated
from uuid import UUID

from litestar import Controller, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody
from msgspec import Meta, Struct

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import CreateCampaign
from domain.campaign.messages.archive import ArchiveCampaign, UnarchiveCampaign
from domain.ids import CampaignId
from projections.campaign.campaign_view import CampaignView
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.submit import submit_command
from services.http.api.caller import Caller, CampaignCaller
from services.http.api.openapi_roles import ACCOUNT, GMS, MEMBERS
from services.http.route_parameters import BeforeIdQuery, KeyHeader, LimitQuery, checked_key
from services.lifecycle.campaign_lists import (
    CampaignsPage,
    DeletedCampaign,
    DeletedPage,
    describe_deletions,
    your_campaigns,
    your_deleted_campaigns,
)
from services.lifecycle.campaign_overview import view_of
from services.lifecycle.deletion import delete_campaign, restore_campaign
from services.lifecycle.membership import create_campaign
from services.reading.parameters import LIMIT_DEFAULT


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
        self, caller: NamedDependency[Caller], data: JSONBody[CreateCampaign], key: KeyHeader = None
    ) -> Founded:
        """Create a campaign and be its GM. Refuses `unknown_system`, `unknown_setting` and `setting_invalid`."""
        return Founded(
            await create_campaign(caller.application.for_campaigns, caller.account, data, checked_key(key))
        )

    @get("", summary="Your campaigns", operation_class=ACCOUNT)
    async def mine(
        self,
        caller: NamedDependency[Caller],
        after: FromQuery[UUID | None] = None,
        before: BeforeIdQuery = None,
        limit: LimitQuery = LIMIT_DEFAULT,
        archived: FromQuery[bool | None] = None,
    ) -> CampaignsPage:
        """The campaigns you are a member of; with `archived`, only those that are, or are not."""
        return await your_campaigns(
            caller.application.for_campaigns,
            caller.account,
            after=after,
            before=before,
            limit=limit,
            archived=archived,
        )

    @get("/deleted", summary="Your deleted campaigns", operation_class=ACCOUNT)
    async def deleted(
        self,
        caller: NamedDependency[Caller],
        after: FromQuery[UUID | None] = None,
        before: BeforeIdQuery = None,
        limit: LimitQuery = LIMIT_DEFAULT,
    ) -> DeletedPage:
        """The campaigns that you are a GM of and that are going to be purged, unless one of you restores them."""
        return await your_deleted_campaigns(
            caller.application.for_campaigns, caller.account, after=after, before=before, limit=limit
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
    async def archive(self, asker: NamedDependency[CampaignCaller]) -> CampaignView:
        """Archive the campaign: everything can be read, exported and forked, and commands are refused.

        Commands are answered with 409 `campaign_archived`, except for leaving it. Timers rest, those in real time
        too. GMs only.
        """
        return await self._change(asker, ArchiveCampaign())

    @post("/{campaign_id:str}/unarchive", summary="Take a campaign up again", operation_class=GMS, status_code=200)
    async def unarchive(self, asker: NamedDependency[CampaignCaller]) -> CampaignView:
        """Unarchive the campaign; timers in real time are postponed by the time it was archived. GMs only."""
        return await self._change(asker, UnarchiveCampaign())

    @delete("/{campaign_id:str}", summary="Delete a campaign", operation_class=GMS, status_code=200)
    async def remove(
        self, asker: NamedDependency[CampaignCaller], data: JSONBody[CampaignName]
    ) -> DeletedCampaign:
        """Delete the campaign, with its name as confirmation; GMs only.

        From now on it is not found any more. Its GMs see it among their deleted campaigns, and can restore it
        until `gone_at`. Refuses `name_differs`, and `founder_decides` where another GM founded it: the command
        `campaign.ask_deletion` asks for their word, and after fourteen days without one it can be deleted.
        """
        parts = asker.application.for_campaigns
        deletion = await delete_campaign(parts, asker.campaign_id, asker.account, data.name)
        return (await describe_deletions(parts, [deletion]))[0]

    @post("/{campaign_id:str}/restore", summary="Restore a deleted campaign", operation_class=GMS, status_code=200)
    async def restore(self, asker: NamedDependency[CampaignCaller]) -> CampaignView:
        """Restore a deleted campaign; timers in real time wait on. One that is not deleted stays as it is."""
        campaign = await restore_campaign(asker.application.for_campaigns, asker.campaign_id, asker.account)
        return await view_of(asker.application, campaign)

    async def _change(self, asker: CampaignCaller, command: ArchiveCampaign | UnarchiveCampaign) -> CampaignView:
        act = ActRequest(command=command)
        await submit_command(asker.application, asker.campaign_id, asker.account, act)
        visible = await asker.application.campaigns.see(asker.campaign_id, asker.account)
        return await view_of(asker.application, visible)
